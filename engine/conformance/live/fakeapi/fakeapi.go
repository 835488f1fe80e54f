// Package fakeapi is the API server of controllers that are compared with the engine. It runs in a bubble of testing/synctest,
// and does one thing at a time. It has nothing of the engine: where engine/apiserver or replay/testserver answered real
// controllers, a mistake of theirs would be on both sides of the comparison.
package fakeapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is an object of a resource.
type Object interface {
	runtime.Object
	metav1.Object
}

// Resource is what a server has of one resource.
type Resource struct {
	Name string        // in paths, such as replicasets
	New  func() Object // with its apiVersion and kind
	// Change does to o what the body of a PUT or PATCH asks for, and returns the error that it is refused with, or "".
	Change   func(q *Request, o Object) (err string)
	Graceful bool // a delete marks an object without finalizers, too
	Objects  map[string]Object

	mode    string // of the events: live, lag or hold
	lag     time.Duration
	events  []*event // that nobody has got yet
	watches []*Stream
}

// Server is an API server. Its fields are set before the first request, and by the one who calls Run.
type Server struct {
	Resources []*Resource
	UIDs      string           // the format of the number of an object that has no uid
	ListTakes time.Duration    // until a list or watch is answered; other requests take answerTakes
	Soon      func() time.Time // when something else than the server goes on, zero for never; nil for nothing else
	Answered  func(q *Request) // called for each request that was answered; may be nil
	Holds     map[string]bool  // requests of these methods are withheld; "*" is each method but GET
	Fails     []Failure
	RV        int

	mu       sync.Mutex
	uids     int
	names    map[string]int // how many names were made of a prefix
	requests []*Request
	wake     chan struct{} // a request or an event has come
}

// New returns a server without objects.
func New(rv int, resources ...*Resource) *Server {
	for _, r := range resources {
		r.Objects, r.mode = map[string]Object{}, "live"
	}
	return &Server{Resources: resources, UIDs: "u%d", ListTakes: answerTakes, Holds: map[string]bool{}, RV: rv, names: map[string]int{}, wake: make(chan struct{}, 1)}
}

const (
	answerTakes = 10 * time.Microsecond // from a request to its answer
	eventTakes  = time.Microsecond      // from a write to its event
)

// Failure lets the next N requests fail.
type Failure struct {
	Verb     string // a method, with /status or another subresource
	Resource string // "" for each
	Name     string // "" for each
	Err      string // as statusOf has it
	N        int
}

// Request is a request, and its answer.
type Request struct {
	Context   context.Context // of the client's request
	Method    string
	Query     url.Values
	Resource  *Resource
	Namespace string
	Name, Sub string
	Body      []byte
	Due       time.Time // of the answer; zero while it is withheld
	Watch     *Stream   // nil for other requests

	Code   int
	Reason string // of an error
	Failed bool   // a Failure says so
	Object Object // that was read or written
	Wrote  bool
	What   string // what a write has done to the object, if its code doesn't tell

	path string
	out  []byte
	done chan struct{}
}

// RoundTrip implements http.RoundTripper. What is written to a resource that the server doesn't have is taken at once.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	q := &Request{Context: r.Context(), Method: r.Method, path: r.URL.Path, Query: r.URL.Query(), done: make(chan struct{}), Due: time.Now().Add(answerTakes)}
	if r.Body != nil {
		q.Body, _ = io.ReadAll(r.Body)
	}
	parts := append(strings.Split(q.path, "/"), "", "")
	for i, part := range parts {
		if part == "namespaces" {
			q.Namespace = parts[i+1]
		}
		for _, of := range s.Resources {
			if part == of.Name {
				q.Resource, q.Name, q.Sub = of, parts[i+1], parts[i+2]
			}
		}
	}
	answer := &http.Response{StatusCode: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(q.Body)), Request: r}
	if q.Resource == nil {
		return answer, nil
	}
	if q.Query.Get("watch") != "" {
		q.Watch = newStream()
	}
	if q.Method == "GET" && q.Name == "" {
		q.Due = time.Now().Add(s.ListTakes)
	}
	s.mu.Lock()
	if s.Holds[q.Method] || s.Holds["*"] && q.Method != "GET" {
		q.Due = time.Time{}
	}
	s.requests = append(s.requests, q)
	s.mu.Unlock()
	s.wakeUp()
	select {
	case <-q.done:
	case <-r.Context().Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		s.forget(q)
		return nil, r.Context().Err()
	}
	if answer.StatusCode, answer.Body = q.Code, io.NopCloser(bytes.NewReader(q.out)); q.Watch != nil {
		answer.Body = q.Watch
	}
	return answer, nil
}

func (s *Server) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Server) forget(q *Request) {
	s.requests = slices.DeleteFunc(s.requests, func(o *Request) bool { return o == q })
}

// Answer has the withheld requests answered for which which returns true, and returns their number.
func (s *Server) Answer(which func(q *Request) bool) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.requests {
		if q.Due.IsZero() && which(q) {
			q.Due = time.Now().Add(answerTakes)
			n++
		}
	}
	return n
}

// next returns when the server has something to do.
func (s *Server) next() (at time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	earlier := func(due time.Time) {
		if !due.IsZero() && (!ok || due.Before(at)) {
			at, ok = due, true
		}
	}
	for _, q := range s.requests {
		earlier(q.Due)
	}
	for _, r := range s.Resources {
		if len(r.events) > 0 {
			earlier(r.events[0].due)
		}
	}
	if s.Soon != nil {
		earlier(s.Soon())
	}
	return at, ok
}

// Run lets everything happen up to a time of the bubble, and then whatever goes on without a pause of a millisecond. Between two
// things that the server does, everything else falls quiet. If an operation, for which until is now, made the server do
// something, two more microseconds pass.
func (s *Server) Run(until time.Time) {
	acts := !until.After(time.Now())
	for acted := false; ; {
		synctest.Wait()
		if s.act() {
			acted = true
			continue
		}
		now := time.Now()
		at, ok := s.next()
		switch {
		case ok && !at.After(until), ok && at.Sub(now) <= time.Millisecond && !now.Before(until):
		case now.Before(until):
			at = until
		default:
			if acts && acted {
				time.Sleep(2 * time.Microsecond)
			}
			return
		}
		select { // a request may come in that time
		case <-time.After(at.Sub(now)):
		case <-s.wake:
		}
	}
}

// Serve does what is due until ctx ends. It is for tests in which nobody calls Run.
func (s *Server) Serve(ctx context.Context) {
	for ctx.Err() == nil {
		if s.act() {
			continue
		}
		var due <-chan time.Time
		if at, ok := s.next(); ok {
			due = time.After(time.Until(at))
		}
		select {
		case <-due:
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

// act does one thing that is due: what is due first, and an answer before an event.
func (s *Server) act() bool {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var first *Request
	for _, q := range s.requests {
		if !q.Due.IsZero() && !q.Due.After(now) && (first == nil || compareRequests(q, first) < 0) {
			first = q
		}
	}
	for _, r := range s.Resources {
		if len(r.events) == 0 {
			continue
		}
		if e := r.events[0]; !e.due.IsZero() && !e.due.After(now) && (first == nil || e.due.Before(first.Due)) {
			r.deliver()
			return true
		}
	}
	if first == nil {
		return false
	}
	s.forget(first)
	if s.answer(first); s.Answered != nil {
		s.Answered(first)
	}
	close(first.done)
	return true
}

func compareRequests(a, b *Request) int {
	return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Method, b.Method), cmp.Compare(a.path, b.path), bytes.Compare(a.Body, b.Body))
}

// answer answers a request.
func (s *Server) answer(q *Request) {
	if q.Watch != nil {
		s.open(q)
		return
	}
	verb := q.Method
	if q.Sub != "" {
		verb += "/" + q.Sub
	}
	for i := range s.Fails {
		f := &s.Fails[i]
		if f.N > 0 && f.Verb == verb && (f.Resource == "" || f.Resource == q.Resource.Name) && (f.Name == "" || f.Name == q.Name) {
			f.N--
			q.Failed = true
			q.refuse(f.Err)
			return
		}
	}
	var body struct{ Metadata, Preconditions versionOf }
	json.Unmarshal(q.Body, &body) // a body without them has none
	switch q.Method {
	case "GET":
		s.read(q)
	case "POST":
		o := q.Resource.New()
		json.Unmarshal(q.Body, o) // it is a client's
		if o.GetNamespace() == "" {
			o.SetNamespace(q.Namespace)
		}
		s.create(q, o)
	case "DELETE":
		s.delete(q, body.Preconditions)
	default:
		s.update(q, body.Metadata, func(o Object) string { return q.Resource.Change(q, o) })
	}
}

// Close ends all watches.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.Resources {
		for _, w := range r.watches {
			w.Close()
		}
	}
}
