package testserver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

var errBroken = errors.New("testserver: the connection broke")

// RoundTrip lets the server answer a request without a port. Set it as the Transport of a
// rest.Config, whose Host can be any.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.RawQuery, "watch=") {
		return Transport(s).RoundTrip(r)
	}
	if r.Body != nil {
		defer r.Body.Close()
	}
	return s.respond(r)
}

// respond returns an answer that is written before it is read, which needs no goroutine: in most tests that is half of
// what a request costs.
func (s *Server) respond(r *http.Request) (resp *http.Response, err error) {
	a := &wholeAnswer{header: http.Header{}}
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			resp, err = nil, cmp.Or(r.Context().Err(), errBroken)
		} else if p != nil {
			panic(p)
		}
	}()
	s.ServeHTTP(a, r)
	return response(r, cmp.Or(a.code, http.StatusOK), a.header, io.NopCloser(&a.body)), nil
}

// wholeAnswer is a ResponseWriter that keeps the answer.
type wholeAnswer struct {
	header http.Header
	body   bytes.Buffer
	code   int
}

func (a *wholeAnswer) Header() http.Header { return a.header }

func (a *wholeAnswer) WriteHeader(code int) { a.code = cmp.Or(a.code, code) }

func (a *wholeAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }

// withBody returns r with a body that was read.
func withBody(r *http.Request) (*http.Request, error) {
	if r.Body == nil {
		return r, nil
	}
	defer r.Body.Close()
	b, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1)) // before it is closed
	if err != nil {
		return nil, err
	}
	r = r.WithContext(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(b))
	return r, nil
}

// response returns the answer to r with a code.
func response(r *http.Request, code int, header http.Header, body io.ReadCloser) *http.Response {
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return &http.Response{StatusCode: code, Status: strconv.Itoa(code) + " " + http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: length, Request: r, Body: body}
}

// Transport returns a RoundTripper that lets h answer, without a port between them. A handler
// that panics with http.ErrAbortHandler breaks the connection.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := withBody(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	body, w := io.Pipe()
	a := &answer{header: http.Header{}, w: w, began: make(chan struct{})}
	go func() {
		defer func() {
			p := recover()
			if p == nil {
				a.WriteHeader(http.StatusOK)
				w.CloseWithError(context.Cause(r.Context()))
				return
			}
			// A request that was cancelled fails by that, even if the handler ends before AfterFunc has told the reader.
			w.CloseWithError(cmp.Or(context.Cause(r.Context()), io.ErrUnexpectedEOF))
			a.begin(0)
			if p != http.ErrAbortHandler {
				panic(p)
			}
		}()
		t.h.ServeHTTP(a, r.WithContext(ctx))
	}()
	select {
	case <-a.began:
	case <-ctx.Done():
		cancel()
		body.Close()
		return nil, r.Context().Err()
	}
	if a.code == 0 {
		cancel()
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return nil, errBroken
	}
	// The reader of a body notices that its request was cancelled.
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	return response(r, a.code, a.sent, &answerBody{body, func() { stop(); cancel() }}), nil
}

// answer is a ResponseWriter whose body is read as it is written.
type answer struct {
	header http.Header
	w      *io.PipeWriter
	once   sync.Once
	began  chan struct{}
	code   int         // 0: the connection broke before
	sent   http.Header // what the header was then
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(code int) { a.begin(code) }

func (a *answer) begin(code int) {
	a.once.Do(func() {
		a.code, a.sent = code, a.header.Clone()
		close(a.began)
	})
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.w.Write(b)
}

// Flush does nothing: what is written is there to be read.
func (a *answer) Flush() {}

type answerBody struct {
	*io.PipeReader
	end func()
}

func (b *answerBody) Close() error {
	b.end()
	return b.PipeReader.Close()
}

// MaxBody is how large the body of a request may be, in bytes, as etcd and the API server have it.
const MaxBody = 3 << 20
