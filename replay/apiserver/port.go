package apiserver

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/informerscope/informerscope/replay/serve"
)

// HandlerOf returns a Handler that lets transport answer, such as a recorder around a Server.
func HandlerOf(transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "apiserver"}) },
		Transport:     transport,
		FlushInterval: -1,
		BufferPool:    small{},
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:      log.New(io.Discard, "", 0),
	}
}

// small makes buffers that thousands of watches can have.
type small struct{}

func (small) Get() []byte { return make([]byte, 4<<10) }
func (small) Put([]byte)  {}

// Serve answers on a port with h, and counts what clients ask for, until ctx is done. Then it breaks off what is under way, and closes the port.
func (s *Server) Serve(ctx context.Context, port *serve.Secured, h http.Handler) error {
	server := port.Server(s.clients.follow(h))
	server.IdleTimeout, server.ConnState = 2*time.Minute, s.clients.closed
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.ServeTLS(port, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
