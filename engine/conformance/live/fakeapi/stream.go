package fakeapi

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"
)

// event is a watch event that nobody has got yet.
type event struct {
	due time.Time // zero while it is withheld
	rv  int
	typ string
	o   Object
}

// earlier lets the event come at a time, if it would come later.
func (e *event) earlier(at time.Time) {
	if e.due.IsZero() || at.Before(e.due) {
		e.due = at
	}
}

// Withheld returns how many events are still to come.
func (r *Resource) Withheld() int { return len(r.events) }

// deliver sends the first event to those who watch and have not seen it.
func (r *Resource) deliver() {
	e := r.events[0]
	r.events = r.events[1:]
	for _, w := range r.watches {
		if w.open() && w.from < e.rv {
			w.send(e.typ, e.o)
		}
	}
}

// Tamper does to the events and watches of a resource what an operation of that verb says: "watch" changes the mode, and with it
// when events come that nobody has got yet; "deliver" lets the first n of them come, or all for 0; the others are done to the open
// watches. It returns how many events "deliver" lets come.
func (s *Server) Tamper(r *Resource, verb, mode string, lag time.Duration, n int) (delivered int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch verb {
	case "watch":
		r.mode, r.lag = mode, lag
		for _, e := range r.events {
			switch mode {
			case "live":
				e.due = now
			case "lag":
				e.earlier(now.Add(lag))
			}
		}
		return 0
	case "deliver":
		n = min(cmp.Or(n, len(r.events)), len(r.events))
		for i, e := range r.events[:n] {
			e.earlier(now.Add(time.Duration(i+1) * eventTakes))
		}
		return n
	}
	for _, w := range r.watches {
		switch {
		case !w.open():
		case verb == "bookmark":
			rv := s.RV
			if len(r.events) > 0 {
				rv = r.events[0].rv - 1
			}
			w.send("BOOKMARK", r.bookmark(rv))
		case verb == "watchClose":
			w.Close()
		default: // watchExpire
			w.send("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410, "reason": "Expired", "message": "too old"})
		}
	}
	return 0
}

func (r *Resource) bookmark(rv int) Object {
	o := r.New()
	o.SetResourceVersion(fmt.Sprint(rv))
	return o
}

// open answers a watch.
func (s *Server) open(q *Request) {
	q.Code = 200
	fmt.Sscan(q.Query.Get("resourceVersion"), &q.Watch.from)
	if q.Query.Get("sendInitialEvents") == "true" {
		for _, o := range q.Resource.sorted() {
			q.Watch.send("ADDED", o)
		}
		end := q.Resource.bookmark(s.RV)
		end.SetAnnotations(map[string]string{"k8s.io/initial-events-end": "true"})
		q.Watch.send("BOOKMARK", end)
		q.Watch.from = s.RV
	}
	q.Resource.watches = append(q.Resource.watches, q.Watch)
}

// Stream is the body of a watch that is open: lines of JSON, until it is closed from either side.
type Stream struct {
	from int // what the watch has seen already: a resourceVersion

	mu    sync.Mutex
	ready chan struct{}
	buf   bytes.Buffer
	end   bool
}

func newStream() *Stream { return &Stream{ready: make(chan struct{}, 1)} }

// send sends a watch event, unless the stream is closed.
func (s *Stream) send(typ string, object any) {
	line := marshal(map[string]any{"type": typ, "object": object})
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.end {
		s.buf.Write(append(line, '\n'))
	}
	s.wake()
}

func (s *Stream) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// Read implements io.Reader. It waits for lines.
func (s *Stream) Read(p []byte) (int, error) {
	for {
		s.mu.Lock()
		if s.buf.Len() > 0 {
			defer s.mu.Unlock()
			return s.buf.Read(p)
		}
		end := s.end
		s.mu.Unlock()
		if end {
			return 0, io.EOF
		}
		<-s.ready
	}
}

// Close implements io.Closer.
func (s *Stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = true
	s.wake()
	return nil
}

// open reports whether nobody has closed it.
func (s *Stream) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.end
}
