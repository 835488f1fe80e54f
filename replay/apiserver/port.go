package apiserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/serve"
)

// MaxWatches is how many watches may be open at once. Whoever asks for one more gets 429.
const MaxWatches = 5000

// Through returns a Handler that lets via answer, such as a recorder around a Server.
func Through(via http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "apiserver"}) },
		Transport:     via,
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

// limit refuses watches where there are too many.
func limit(h http.Handler) http.Handler {
	var open atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("watch") {
			defer open.Add(-1)
			if open.Add(1) > MaxWatches {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,"message":"%d watches are open, and no more can be"}`, MaxWatches)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// Serve answers on a port with h until ctx is done. Then it breaks off what is under way, and closes the port.
func Serve(ctx context.Context, port *serve.Secured, h http.Handler) error {
	server := &http.Server{
		Handler: port.Guard(limit(h)), TLSConfig: &tls.Config{Certificates: []tls.Certificate{port.Certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.ServeTLS(port, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
