package apiserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/replay/serve"
)

// About is what the page says of a Server that doesn't change.
type About struct {
	Name        string   `json:"name"` // of the capture
	Start       string   `json:"start,omitempty"`
	API         string   `json:"api"` // the address for clients
	Kubeconfig  string   `json:"kubeconfig"`
	Writable    bool     `json:"writable,omitempty"`
	Recorded    string   `json:"recorded"`          // the file to which what clients do is recorded
	Capture     string   `json:"capture,omitempty"` // the fragment of the page's address that opens the capture
	WithClients string   `json:"beside,omitempty"`  // the same, of what clients do, with the capture beside it
	Late        []string `json:"late,omitempty"`    // resources that have no recorded list
	Back        []string `json:"back,omitempty"`    // resources whose resourceVersions go back

	Simulated bool     `json:"simulated,omitempty"` // by a script
	NotPlayed []string `json:"own,omitempty"`       // lines of the script that aren't played, since they are about its own informers
}

// operations are what the page can have a Server do.
var operations = map[string]func(s *Server, to float64){
	"pause":  func(s *Server, _ float64) { s.Pause(true) },
	"resume": func(s *Server, _ float64) { s.Pause(false) },
	"seek":   func(s *Server, to float64) { s.SeekTo(int64(to * 1e6)) }, // in milliseconds
	"speed":  func(s *Server, to float64) { s.SetSpeed(min(max(to, MinSpeed), MaxSpeed)) },
	"cut":    func(s *Server, to float64) { s.Cut(int(to)) },
}

// The limits of Options.Speed and Server.SetSpeed.
const (
	MinSpeed = 0.001
	MaxSpeed = 1e6
)

// often is how often the page is sent the state, if the state has changed.
const often = 250 * time.Millisecond

// Page answers the page: a GET with a stream of About and State, one JSON value a line, and a POST by the operation that "do" names.
func (s *Server) Page(a About) http.Handler {
	a.Start, a.Writable = s.trace.Header.Start, s.writable
	a.Late, a.Back = s.lateAndBack()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			s.streamState(w, r, a)
		case http.MethodPost:
			q := r.URL.Query()
			do := operations[q.Get("do")]
			to, err := strconv.ParseFloat(q.Get("to"), 64)
			if do == nil || q.Has("to") && (err != nil || !(math.Abs(to) < 1<<40)) {
				http.Error(w, fmt.Sprintf("unknown operation %q", r.URL.RawQuery), http.StatusBadRequest)
				return
			}
			do(s, to)
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Allow", "GET, POST")
			http.Error(w, "the page asks by GET, and changes by POST", http.StatusMethodNotAllowed)
		}
	})
}

// streamState sends the state whenever it has changed, until the page has gone.
func (s *Server) streamState(w http.ResponseWriter, r *http.Request, a About) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := http.NewResponseController(w)
	t := time.NewTicker(often)
	defer t.Stop()
	for last := []byte(nil); ; {
		line, err := json.Marshal(struct {
			About
			State
		}{a, s.State()})
		if err != nil {
			panic(err) // it has nothing that JSON can't say
		}
		if !bytes.Equal(line, last) {
			if _, err := w.Write(append(line, '\n')); err != nil || out.Flush() != nil {
				return
			}
			last = line
		}
		select {
		case <-t.C:
		case <-r.Context().Done():
			return
		}
	}
}

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
