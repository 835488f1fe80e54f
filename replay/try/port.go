package try

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"

	"github.com/informerscope/informerscope/replay/serve"
)

// port serves a RoundTripper on a loopback port as an API server is served: over TLS, with HTTP/2, to whoever has the token.
type port struct {
	wire    *wire
	secured *serve.Secured
	server  *http.Server
	gate    sync.RWMutex // is locked while requests wait

	mu        sync.Mutex
	transport http.RoundTripper
	conns     map[*conn]struct{}
	down      bool // connections are reset as soon as they are made
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
			l.p.wire.mu.Lock()
			l.p.wire.dialed = true
			l.p.wire.mu.Unlock()
			return c, nil
		}
		c.reset()
	}
}

type connKey struct{}

// open opens a free port until close is called. Method serve sets what answers there.
func open(w *wire) (*port, error) {
	secured, err := serve.Secure(0, "try", namespace)
	if err != nil {
		return nil, err
	}
	p := &port{wire: w, secured: secured, conns: map[*conn]struct{}{}}
	p.server = secured.Server(p)
	guarded := p.server.Handler
	p.server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.wire.see(r)
		guarded.ServeHTTP(w, r)
	})
	p.server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c.(*tls.Conn).NetConn().(*conn))
	}
	go p.server.ServeTLS(listener{secured.Listener.(*net.TCPListener), p}, "", "")
	return p, nil
}

// serve lets via answer requests from now on.
func (p *port) serve(via http.RoundTripper) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.transport = via
}

// close breaks all connections off, and removes the kubeconfig.
func (p *port) close() {
	p.server.Close()
	p.secured.Close()
}

// kubeconfig returns the path of the file by which clients find the server.
func (p *port) kubeconfig() string { return p.secured.Kubeconfig() }

// eachConn does something to each connection.
func (p *port) eachConn(do func(c *conn)) {
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
	p.eachConn(func(c *conn) {
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
		p.eachConn((*conn).reset)
	}
}

// ServeHTTP answers a request.
func (p *port) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(connKey{}).(*conn)
	p.gate.RLock()
	x := p.wire.begin(r)
	p.gate.RUnlock()
	p.mu.Lock()
	via := p.transport
	p.mu.Unlock()
	resp, err := via.RoundTrip(r)
	if err != nil {
		x.end()
		if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) {
			c.reset()
		}
		panic(http.ErrAbortHandler)
	}
	defer x.end() // when a recorder has taken note of the end
	defer resp.Body.Close()
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
