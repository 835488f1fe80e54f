package testserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

var errBroken = errors.New("testserver: the connection broke")

// RoundTrip lets the server answer a request without a port. Set it as the Transport of a
// rest.Config, whose Host can be any.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	return Transport(s).RoundTrip(r)
}

// Transport is a RoundTripper that lets h answer, without a port between them. A handler
// that panics with http.ErrAbortHandler breaks the connection.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
		b, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1)) // before it is closed
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(b))
	}
	ctx, cancel := context.WithCancel(r.Context())
	body, w := io.Pipe()
	a := &answer{header: http.Header{}, w: w, began: make(chan struct{})}
	go func() {
		defer func() {
			p := recover()
			if p == nil {
				a.WriteHeader(http.StatusOK)
				w.Close()
				return
			}
			w.CloseWithError(io.ErrUnexpectedEOF)
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
	length, err := strconv.ParseInt(a.header.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	// The reader of a body notices that its request was cancelled.
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	return &http.Response{StatusCode: a.code, Status: strconv.Itoa(a.code) + " " + http.StatusText(a.code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, ContentLength: length, Request: r, Body: &answerBody{body, func() { stop(); cancel() }}}, nil
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
