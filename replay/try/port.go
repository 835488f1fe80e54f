package try

import (
	"bufio"
	"cmp"
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
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// port serves a RoundTripper on a loopback port as an API server is served: over TLS, with HTTP/2, to whoever has the token.
type port struct {
	via    http.RoundTripper
	wire   *wire
	token  string
	folder string // of the kubeconfig
	server *http.Server
	gate   sync.RWMutex // is locked while requests wait

	mu    sync.Mutex
	conns map[*conn]struct{}
	down  bool // connections are reset as soon as they are made
}

// conn is a connection to a client.
type conn struct {
	*net.TCPConn
	p      *port
	mu     sync.Mutex
	silent bool
}

// quiet reports whether nothing goes through any more, though the connection stands.
func (c *conn) quiet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.silent
}

func (c *conn) Read(b []byte) (int, error) {
	for {
		if n, err := c.TCPConn.Read(b); err != nil || !c.quiet() {
			return n, err
		}
	}
}

func (c *conn) Write(b []byte) (int, error) {
	if c.quiet() {
		return len(b), nil
	}
	return c.TCPConn.Write(b)
}

func (c *conn) Close() error {
	c.p.mu.Lock()
	delete(c.p.conns, c)
	c.p.mu.Unlock()
	return c.TCPConn.Close()
}

// reset ends the connection by a RST.
func (c *conn) reset() {
	c.SetLinger(0)
	c.Close()
}

// listener accepts conns.
type listener struct {
	*net.TCPListener
	p *port
}

func (l listener) Accept() (net.Conn, error) {
	for {
		t, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := &conn{TCPConn: t, p: l.p}
		l.p.mu.Lock()
		down := l.p.down
		l.p.conns[c] = struct{}{}
		l.p.mu.Unlock()
		if !down {
			return c, nil
		}
		c.reset()
	}
}

type connKey struct{}

// open serves via on a free port until close is called.
func open(via http.RoundTripper, w *wire) (*port, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &port{via: via, wire: w, token: rand.Text(), conns: map[*conn]struct{}{}}
	authority, certificate, err := certify()
	if err == nil {
		err = p.writeKubeconfig("https://"+l.Addr().String(), authority)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	p.server = &http.Server{
		Handler: p, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c.(*tls.Conn).NetConn().(*conn))
		},
	}
	go p.server.ServeTLS(listener{l.(*net.TCPListener), p}, "", "")
	return p, nil
}

// close breaks all connections off, and removes the kubeconfig.
func (p *port) close() {
	p.server.Close()
	os.RemoveAll(p.folder)
}

// kubeconfig returns the path of the file by which clients find the server.
func (p *port) kubeconfig() string { return filepath.Join(p.folder, "kubeconfig") }

// writeKubeconfig writes it for this user alone. JSON is YAML, too, and every program can read it.
func (p *port) writeKubeconfig(server string, authority []byte) (err error) {
	if p.folder, err = os.MkdirTemp("", "informerscope-try-"); err != nil {
		return err
	}
	type object = map[string]any
	b, err := json.MarshalIndent(object{
		"apiVersion": "v1", "kind": "Config", "current-context": "try",
		"clusters": []any{object{"name": "try", "cluster": object{"server": server, "certificate-authority-data": authority}}},
		"users":    []any{object{"name": "try", "user": object{"token": p.token}}},
		"contexts": []any{object{"name": "try", "context": object{"cluster": "try", "user": "try", "namespace": namespace}}},
	}, "", "  ")
	if err == nil {
		err = os.WriteFile(p.kubeconfig(), b, 0o600)
	}
	if err != nil {
		os.RemoveAll(p.folder)
	}
	return err
}

// certify returns an authority made for this run, and a certificate of it for the loopback address. The keys stay in memory.
func certify() (authority []byte, c tls.Certificate, err error) {
	make := func(t, parent *x509.Certificate, signer *ecdsa.PrivateKey) (der []byte, key *ecdsa.PrivateKey, err error) {
		if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return nil, nil, err
		}
		if signer == nil {
			signer = key
		}
		t.NotBefore, t.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		der, err = x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
		return der, key, err
	}
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "informerscope try"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	rootDER, rootKey, err := make(root, root, nil)
	if err != nil {
		return nil, c, err
	}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "informerscope try server"}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}}
	der, key, err := make(leaf, root, rootKey)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}), tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// each does something to each connection.
func (p *port) each(do func(c *conn)) {
	p.mu.Lock()
	var all []*conn
	for c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	for _, c := range all {
		do(c)
	}
}

// silence has nothing go through the connections that there are. The client's TCP is answered, as by a proxy that has lost
// the server behind it.
func (p *port) silence() {
	p.each(func(c *conn) {
		c.mu.Lock()
		c.silent = true
		c.mu.Unlock()
	})
}

// setDown resets all connections, and each new one, until it is called again.
func (p *port) setDown(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.each((*conn).reset)
	}
}

// ServeHTTP answers a request.
func (p *port) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(connKey{}).(*conn)
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+p.token)) != 1 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401,"message":"Unauthorized"}`)
		return
	}
	p.gate.RLock()
	x := p.wire.begin(r)
	p.gate.RUnlock()
	resp, err := p.via.RoundTrip(r)
	if err != nil {
		x.end()
		if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) {
			c.reset()
		}
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	defer x.end()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	x.answered(resp)
	if err := p.pass(w, resp.Body, c, x); err != nil {
		if errors.Is(err, syscall.ECONNRESET) {
			c.reset()
		}
		panic(http.ErrAbortHandler)
	}
}

// pass sends a body on, a line at a time if it is a watch's. What is sent is noted before, because the client's next request may
// come before this goroutine goes on.
func (p *port) pass(w http.ResponseWriter, body io.Reader, c *conn, x *exchange) error {
	out := http.NewResponseController(w)
	send := func(b []byte, note func(b []byte)) error {
		if c.quiet() {
			return errSilent
		}
		note(b)
		_, err := w.Write(b)
		return cmp.Or(err, out.Flush())
	}
	if x == nil || !x.watch {
		b, err := io.ReadAll(body)
		if err == nil {
			err = send(b, x.body)
		}
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for in := bufio.NewReader(body); ; {
		line, err := in.ReadBytes('\n')
		note := x.event
		if err != nil {
			note = func([]byte) {} // it is a part of one
		}
		if len(line) > 0 {
			if err := send(line, note); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

var errSilent = errors.New("the connection is silent")
