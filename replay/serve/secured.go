package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Secured is a port of the loopback interface. It is served as an API server serves its port: over TLS, with HTTP/2, to clients that
// have the token of its kubeconfig.
type Secured struct {
	net.Listener // of TCP
	certificate  tls.Certificate
	token        string
	folder       string // of the kubeconfig
}

// Secure opens a port, 0 for a free one, and writes a kubeconfig whose cluster and user have a name.
func Secure(port int, name, namespace string) (*Secured, error) {
	l, err := Listen(port)
	if err != nil {
		return nil, err
	}
	s := &Secured{Listener: l, token: rand.Text()}
	authority, certificate, err := certify(name)
	if err == nil {
		s.certificate = certificate
		err = s.writeKubeconfig(name, namespace, authority)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the port, and removes the kubeconfig.
func (s *Secured) Close() error { return errors.Join(s.Listener.Close(), os.RemoveAll(s.folder)) }

// Kubeconfig returns the path of the file by which clients find the server.
func (s *Secured) Kubeconfig() string { return filepath.Join(s.folder, "kubeconfig") }

// Server returns a server for the port, whose ServeTLS needs no files. It hands h a request only if that has the token, names the
// server by one of its own names, and doesn't come from a page.
func (s *Secured) Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: s.guard(h), TLSConfig: &tls.Config{Certificates: []tls.Certificate{s.certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
	}
}

func (s *Secured) guard(h http.Handler) http.Handler {
	return Guard(s.Addr(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !equalSecrets(r.Header.Get("Authorization"), "Bearer "+s.token) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401,"message":"Unauthorized"}`)
			return
		}
		h.ServeHTTP(w, r)
	}))
}

// writeKubeconfig writes it for this user alone. JSON is YAML, too, and every program can read it.
func (s *Secured) writeKubeconfig(name, namespace string, authority []byte) (err error) {
	if s.folder, err = os.MkdirTemp("", "informerscope-"+name+"-"); err != nil {
		return err
	}
	type object = map[string]any
	b, err := json.MarshalIndent(object{
		"apiVersion": "v1", "kind": "Config", "current-context": name,
		"clusters": []any{object{"name": name, "cluster": object{"server": "https://" + s.Addr().String(), "certificate-authority-data": authority}}},
		"users":    []any{object{"name": name, "user": object{"token": s.token}}},
		"contexts": []any{object{"name": name, "context": object{"cluster": name, "user": name, "namespace": namespace}}},
	}, "", "  ")
	if err == nil {
		err = os.WriteFile(s.Kubeconfig(), b, 0o600)
	}
	if err != nil {
		os.RemoveAll(s.folder)
	}
	return err
}

// certify returns an authority made for this run, and a certificate of it for the loopback address. The keys stay in memory.
func certify(name string) (authority []byte, c tls.Certificate, err error) {
	make := func(t, parent *x509.Certificate, signer *ecdsa.PrivateKey) (der []byte, key *ecdsa.PrivateKey, err error) {
		if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return nil, nil, err
		}
		if signer == nil {
			signer = key
		}
		t.NotBefore, t.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(365*24*time.Hour)
		der, err = x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
		return der, key, err
	}
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "informerscope " + name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	rootDER, rootKey, err := make(root, root, nil)
	if err != nil {
		return nil, c, err
	}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "informerscope " + name + " server"}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}}
	der, key, err := make(leaf, root, rootKey)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}), tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
