package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
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
		if origin := r.Header.Get("Origin"); origin != "" && !ownOrigin(origin, port) {
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
