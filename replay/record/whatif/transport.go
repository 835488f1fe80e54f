package whatif

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/replay/record/internal/wire"
	"github.com/informerscope/informerscope/replay/trace"
)

// RoundTrip sends a request on. It may fail instead, and something may happen to what a watch brings.
func (f *Faults) RoundTrip(r *http.Request) (*http.Response, error) {
	p, ok := trace.ParsePath(r.URL.Path)
	if !ok || p.Name != "" || p.Subresource != "" || r.Method != http.MethodGet {
		if resp, err := f.fail(r, nil, []string{""}, true); resp != nil || err != nil {
			return resp, err
		}
		return f.next.RoundTrip(r)
	}
	q := r.URL.Query()
	asked := q.Get("watch")
	watch := asked == "1" || strings.EqualFold(asked, "true") || p.Watch
	names := namesOf(p)
	if resp, err := f.fail(r, q, names, false); resp != nil || err != nil {
		return resp, err
	}
	if q.Get("continue") != "" {
		f.mu.Lock()
		do := f.atContinue
		f.atContinue = nil
		f.mu.Unlock()
		if do != nil {
			do()
		}
	}
	if !watch {
		return f.next.RoundTrip(r)
	}
	resp, err := f.next.RoundTrip(wire.AcceptJSON(r))
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	f.mu.Lock()
	s := newStream(f, r, names, resp.Body, q)
	f.open = append(f.open, s)
	f.mu.Unlock()
	copied := *resp
	copied.Body, copied.ContentLength = s.body(), -1
	return &copied, nil
}

// namesOf returns the names by which lines may call a resource, and the one for any.
func namesOf(p trace.Path) []string {
	if p.Group == "" {
		return []string{p.Resource, p.Resource + "." + p.Version, ""}
	}
	return []string{p.Resource + "." + p.Group, p.Resource + "." + p.Version + "." + p.Group, ""}
}

// Failures that only a real connection has.
const (
	Unavailable apiserver.Failure = 255 - iota // 503, as of a server that is starting or a balancer without one
	Unsupported                                // 422, as of a server that doesn't know a parameter

	TooOld  = apiserver.Expired
	TooMany = apiserver.TooManyRequests
)

// AfterSeconds returns a Retry-After of n seconds.
func AfterSeconds(n int32) apiserver.RetryAfter { return apiserver.AfterSeconds(n) }

// failed are the answers for failures with a code.
var failed = map[apiserver.Failure]struct {
	code            int
	reason, message string
}{
	apiserver.Expired:         {http.StatusGone, "Expired", "resourceVersion too old"},
	apiserver.Gone:            {http.StatusGone, "Gone", "gone"},
	apiserver.TooLarge:        {http.StatusGatewayTimeout, "Timeout", "Too large resource version"},
	apiserver.TooManyRequests: {http.StatusTooManyRequests, "TooManyRequests", "too many requests"},
	apiserver.InternalError:   {http.StatusInternalServerError, "InternalError", "internal error"},
	apiserver.BadRequest:      {http.StatusBadRequest, "BadRequest", "the request is invalid"},
	apiserver.Unauthorized:    {http.StatusUnauthorized, "Unauthorized", "Unauthorized"},
	apiserver.Forbidden:       {http.StatusForbidden, "Forbidden", "forbidden"},
	apiserver.NotFound:        {http.StatusNotFound, "NotFound", "the server could not find the requested resource"},
	apiserver.OtherFailure:    {http.StatusForbidden, "Forbidden", "forbidden"},
	Unavailable:               {http.StatusServiceUnavailable, "ServiceUnavailable", "the server is currently unable to handle the request"},
	Unsupported:               {http.StatusUnprocessableEntity, "Invalid", "a parameter is forbidden: this server doesn't know it"},
}

// fail answers a request that is to fail. Other is set for one that is neither a list nor a watch.
func (f *Faults) fail(r *http.Request, q url.Values, names []string, other bool) (*http.Response, error) {
	f.mu.Lock()
	w := f.find(names, func(w *connection) bool {
		return w.fails != 0 && (w.Other || !other) && (w.Parameter == "" || q.Has(w.Parameter))
	})
	if w == nil {
		f.mu.Unlock()
		return nil, nil
	}
	w.fails = max(w.fails-1, -1)
	failure, after := w.Failure, w.After.Nanoseconds()
	f.mu.Unlock()
	if r.Body != nil {
		r.Body.Close()
	}
	if failure == apiserver.Refused || failure == apiserver.Reset {
		return nil, broken(failure)
	}
	a := failed[failure]
	status := statusOf(failure)
	details := map[string]any{}
	head := http.Header{"Content-Type": {"application/json"}}
	if after >= 0 {
		head.Set("Retry-After", strconv.FormatInt(after/int64(time.Second), 10))
		details["retryAfterSeconds"] = after / int64(time.Second)
	}
	if failure == apiserver.TooLarge {
		details["causes"] = []any{map[string]any{"reason": "ResourceVersionTooLarge", "message": a.message}}
	}
	if len(details) > 0 {
		status["details"] = details
	}
	b, err := json.Marshal(status)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	return &http.Response{StatusCode: a.code, Status: strconv.Itoa(a.code) + " " + http.StatusText(a.code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: head, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: r}, nil
}

// statusOf returns the Status that tells of a failure.
func statusOf(f apiserver.Failure) map[string]any {
	a := failed[f]
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Failure", "message": a.message, "reason": a.reason, "code": a.code}
}

// broken returns the error of a connection that was refused or reset.
func broken(failure apiserver.Failure) error {
	if failure == apiserver.Refused {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	}
	return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
}
