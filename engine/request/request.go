// Package request is client-go's rest.Request as a pure state machine. It stands
// between the reflector and the server: some failures never reach the reflector,
// because the request is sent again by itself. The reflector only waits longer.
// It follows rest/request.go. [Config] has what differs between versions.
package request

import (
	"github.com/informerscope/informerscope/engine/actor"
)

// maxRetries is how often a request is sent again, whatever for. There is no
// limit to the time that this takes.
const maxRetries = 10

// second is the delay after a connection that broke, as if the server had said
// so (retryAfterResponse), in nanoseconds.
const second = 1_000_000_000

// Config is in what client-go's versions differ.
type Config struct {
	RetriesLost bool // a list is sent again after "http2: client connection lost" (from v0.32)
	ReadsStatus bool // a refused watch reads the Status of the answer; without this it reads only the code (from v0.32)
	GoneByCode  bool // an answer of code 410 that gives no reason counts as Gone (from v0.23)
}

// Failure is what came in the place of the answer that was asked for.
type Failure struct {
	Code       int32 // HTTP status, 0 where there was no answer at all
	RetryAfter int64 // the header Retry-After, in nanoseconds; less than 0 where there is none, or no whole number

	Reset   bool // net.IsConnectionReset
	EOF     bool // net.IsProbableEOF: EOF, a closed connection, GOAWAY
	Timeout bool // net.IsTimeout
	Lost    bool // net.IsHTTP2ConnectionLost
}

// Verdict says how the request goes on.
type Verdict uint8

const (
	Fail  Verdict = iota + 1 // the reflector gets the error
	Retry                    // the request is sent again
	Empty                    // the reflector gets a watch that has ended already, and was empty (watch.NewEmptyWatch)
)

// Request is the state of a rest.Request.
type Request struct {
	cfg     Config
	watch   bool
	retries int32
}

// New returns a Request that has not been sent.
func New(cfg Config) Request { return Request{cfg: cfg} }

// Begin sends a new request: a watch, or else a list or a page of one.
func (r *Request) Begin(watch bool) { r.watch, r.retries = watch, 0 }

// Failed follows withRetry.IsNextRetry (v0.24; NextRetry before): it takes the failure of the request,
// and says after how many nanoseconds it is sent again, if it is.
func (r *Request) Failed(f Failure) (v Verdict, after int64) {
	switch {
	case f.Code != 0:
		if f.RetryAfter < 0 || f.Code != 429 && f.Code < 500 || r.retries == maxRetries {
			return Fail, 0
		}
		after = f.RetryAfter
	case !r.retriable(f):
		return Fail, 0
	case r.retries < maxRetries:
		after = second
	case r.watch:
		return Empty, 0
	default:
		return Fail, 0
	}
	r.retries++
	return Retry, after
}

// retriable reports whether the request is sent again after a failure without an
// answer. A refused connection is not among them.
func (r *Request) retriable(f Failure) bool {
	if r.watch {
		return f.Reset || f.EOF || f.Timeout
	}
	return f.Reset || f.EOF || f.Lost && r.cfg.RetriesLost
}

// Watching reports whether the request is for a watch.
func (r *Request) Watching() bool { return r.watch }

// Retries returns how often the request has been sent again.
func (r *Request) Retries() int { return int(r.retries) }

// ReadsStatus reports whether the reflector gets the Status of the answer that refused
// the request. Otherwise it gets only an error that stands for the answer's code.
func (r *Request) ReadsStatus() bool { return !r.watch || r.cfg.ReadsStatus }

// GoneByCode reports whether a code 410 alone counts as Gone.
func (r *Request) GoneByCode() bool { return r.cfg.GoneByCode }

// Hash adds the request's state.
func (r *Request) Hash(h *actor.Hash) {
	h.Bool(r.watch)
	h.Add(uint64(r.retries))
}
