package serve

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// ErrPortTaken is the reason in Listen's error if another program listens on the
// port already.
var ErrPortTaken = errors.New("the port is taken by another program")

// Listen opens a port of the loopback interface. Port 0 picks a free one.
func Listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("127.0.0.1:%d: %w", port, ErrPortTaken)
	}
	return l, err
}

// Run answers on l with h, behind Guard, until ctx is done. Then it waits a few
// seconds for the requests under way. The context of all requests is ctx, so that
// watches end with it.
func Run(ctx context.Context, l net.Listener, h http.Handler) error {
	return run(ctx, l, Guard(l.Addr(), h))
}

func run(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Guard lets a request through only if it names the server at addr by one of its own
// names, and doesn't come from another origin. A page on the internet can make a name
// of its own resolve to 127.0.0.1 (DNS rebinding), which shows in Host, and can send
// requests across origins, which shows in Origin.
func Guard(addr net.Addr, h http.Handler) http.Handler {
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		port = ""
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownHost(r.Host, port) {
			http.Error(w, "the Host header names another server", http.StatusMisdirectedRequest)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && (r.TLS != nil || !ownOrigin(origin, port)) {
			http.Error(w, "requests from other origins are refused", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func ownHost(host, port string) bool {
	name, p, err := net.SplitHostPort(host)
	if err != nil { // no port: HTTP's own
		name, p = host, "80"
	}
	switch name {
	case "127.0.0.1", "localhost", "::1", "[::1]":
		return p == port
	}
	return false
}

func ownOrigin(origin, port string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && ownHost(u.Host, port)
}

// Public serves a page to everybody who reaches this machine, until ctx is done. A container
// needs that, as nobody else reaches its loopback interface. There is nothing but the page, which
// is the same for everybody: no cluster, and no capture. So a request may name any host.
func Public(ctx context.Context, port int, page http.Handler, listening func(net.Addr)) error {
	l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	defer l.Close()
	listening(l.Addr())
	return run(ctx, l, page)
}

// Answers returns an error unless a page is served at a port of this machine.
func Answers(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(port))+"/", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s", answer.Status)
	}
	return nil
}

// lock lets only a browser read that was given a key.
type lock struct {
	key  string // "" lets every browser read
	path string // the browser sends the key with requests below this path only
	to   string // where the page is, relative to the site: "./", with a fragment or not
}

// keyPath returns the address, relative to the page's, at which a browser gets the key.
func (l lock) keyPath() string {
	if l.key == "" {
		return ""
	}
	return "?key=" + url.QueryEscape(l.key)
}

// asksForKey reports whether a request is for the key.
func (l lock) asksForKey(r *http.Request) bool {
	return l.key != "" && r.URL.Path == "/" && r.Method == http.MethodGet && r.URL.Query().Has("key")
}

// giveKey gives the browser the key in a cookie, if the address has it. What a browser shows
// meanwhile leads to the real page at once, so that the key doesn't stay in the address bar.
// It is no redirect, because the service workers of older pages take a redirect for a failure.
func (l lock) giveKey(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if !equalSecrets(r.URL.Query().Get("key"), l.key) {
		http.Error(w, "the key is wrong, or of an informerscope that has ended: open the address that the running one printed", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: l.key, Path: l.path, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	h.Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, leadTo(l.to, `<link rel="icon" href="data:,">`))
}

// leadTo returns a page that leads to an address at once. head is more of its head.
func leadTo(address, head string) string {
	to := html.EscapeString(address)
	return `<!doctype html><meta charset="utf-8"><title>informerscope</title>` + head + `<meta http-equiv="refresh" content="0; url=` + to + `"><a href="` + to + `">informerscope</a>` + "\n"
}

// opens reports whether a request comes from a browser that was given the key.
func (l lock) opens(r *http.Request) bool {
	if l.key == "" {
		return true
	}
	c, err := r.Cookie(cookieName(r))
	return err == nil && equalSecrets(c.Value, l.key)
}

// cookieName returns a name with the port in it, because all ports of a host share
// their cookies.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "informerscope-" + port
}

func equalSecrets(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

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
