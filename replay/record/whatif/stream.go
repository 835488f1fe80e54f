package whatif

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
)

// stream is an open watch. One goroutine reads what the server sends, and another passes it
// on to the client.
type stream struct {
	f      *Faults
	ctx    context.Context
	names  []string
	in     io.ReadCloser
	lines  chan line
	out    *io.PipeWriter
	read   *io.PipeReader
	woken  chan struct{} // something was ordered
	closed chan struct{} // the client has closed the body
	close  sync.Once

	marked bool // it gets bookmarks

	// Guarded by f.mu.
	ending  Ending // 0 while it goes on
	silent  bool
	lost    time.Time // when the client finds out; zero is never
	heard   time.Time
	initial bool // the initial events are still to come

	held    []byte    // an event that has not arrived yet
	due     time.Time // when it arrives; zero before something has come after it
	waiting *line     // what the server's lag holds back
}

// Ending is how a watch ends.
type Ending uint8

const (
	Reset         Ending = iota + 1 // the connection is reset between two events
	Torn                            // the connection is reset in the middle of the next event
	Closed                          // the server closes it, as after its timeout
	Expired                         // the server ends it by an event with 410
	AfterBookmark                   // the server closes it after the next bookmark, at once if it gets none
)

// line is an event as the server has sent it.
type line struct {
	text []byte
	time time.Time
	err  error // the stream ended
}

// room is how many events may wait because of a lag. The server waits with more.
const room = 4096

func newStream(f *Faults, r *http.Request, names []string, in io.ReadCloser, q url.Values) *stream {
	s := &stream{f: f, ctx: r.Context(), names: names, in: in, lines: make(chan line, room), woken: make(chan struct{}, 1), closed: make(chan struct{}), heard: time.Now(),
		initial: q.Get("sendInitialEvents") == "true", marked: q.Get("allowWatchBookmarks") == "true" || q.Get("allowWatchBookmarks") == "1"}
	s.read, s.out = io.Pipe()
	go s.listen()
	go s.run()
	return s
}

// body returns what the client reads.
func (s *stream) body() io.ReadCloser { return body{s.read, s} }

type body struct {
	io.Reader
	s *stream
}

func (b body) Close() error {
	b.s.close.Do(func() { close(b.s.closed) })
	return b.s.read.Close()
}

// wake has the stream look again for what to do.
func (s *stream) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// idle and unanswered are HTTP/2's health check as client-go sets it up: a ping after so long
// without a frame, and so long to answer it.
const idle, unanswered = 30 * time.Second, 15 * time.Second

// silence lets nothing through any more. The client finds out after so many nanoseconds:
// never, if after is negative, and when a ping stays unanswered if it is 0.
func (s *stream) silence(after int64) {
	now := time.Now()
	switch s.silent = true; {
	case after < 0:
		s.lost = time.Time{}
	case after == 0:
		s.lost = s.heard.Add(now.Sub(s.heard).Truncate(idle) + idle + unanswered)
	default:
		s.lost = now.Add(time.Duration(after))
	}
}

// listen reads what the server sends.
func (s *stream) listen() {
	in := bufio.NewReaderSize(s.in, 64<<10)
	for {
		text, err := in.ReadBytes('\n')
		l := line{text, time.Now(), nil}
		if err != nil {
			l.err = err
		}
		select {
		case s.lines <- l:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

var errLost = errors.New("http2: client connection lost")

// run passes on what comes.
func (s *stream) run() {
	defer func() {
		s.close.Do(func() { close(s.closed) })
		s.in.Close()
		s.f.mu.Lock()
		s.f.open = slices.DeleteFunc(s.f.open, func(o *stream) bool { return o == s })
		s.f.mu.Unlock()
	}()
	for {
		now := time.Now()
		s.f.mu.Lock()
		ending, silent, lost := s.ending, s.silent, s.lost
		until, held := s.heldUntil(now)
		s.f.mu.Unlock()
		var err error
		switch {
		case ending == Reset:
			err = broken(apiserver.Reset)
		case ending == Closed, ending == AfterBookmark && !s.marked:
			err = io.EOF
		case ending == Expired:
			if err = s.pass(eventLine("ERROR", statusOf(apiserver.Expired))); err == nil {
				err = io.EOF
			}
		case silent && !lost.IsZero() && !now.Before(lost):
			s.out.CloseWithError(errLost)
			return
		case silent:
			err = s.wait(lost, nil)
		case held && !until.IsZero() && !now.Before(until):
			err = s.release()
		case held:
			err = s.wait(until, nil)
		default:
			err = s.wait(time.Time{}, s.lines)
		}
		if err != nil {
			s.out.CloseWithError(err)
			return
		}
	}
}

// heldUntil returns when what is held back is to be passed on, and whether anything is.
func (s *stream) heldUntil(now time.Time) (at time.Time, held bool) {
	switch {
	case s.held != nil && !s.due.IsZero():
		return s.due, true
	case s.waiting == nil:
		return time.Time{}, false
	}
	w := s.f.find(s.names, func(w *connection) bool { return w.stuck || w.lag > 0 })
	switch {
	case w == nil:
		return now, true
	case w.stuck:
		return time.Time{}, true
	}
	return s.waiting.time.Add(w.lag), true
}

// wait waits for a time, for an order, or for what the server sends next.
func (s *stream) wait(until time.Time, lines <-chan line) error {
	var due <-chan time.Time
	if !until.IsZero() {
		t := time.NewTimer(time.Until(until))
		defer t.Stop()
		due = t.C
	}
	select {
	case l := <-lines:
		s.f.mu.Lock()
		s.heard = l.time
		lags := l.err == nil && !s.initial && s.f.find(s.names, func(w *connection) bool { return w.stuck || w.lag > 0 }) != nil
		s.f.mu.Unlock()
		if !lags {
			return s.arrive(l)
		}
		s.waiting = &l
	case <-due:
	case <-s.woken:
	case <-s.closed:
		return io.ErrClosedPipe
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	return nil
}

// release passes on what was held back.
func (s *stream) release() error {
	if s.held != nil && !s.due.IsZero() {
		text := s.held
		s.held, s.due = nil, time.Time{}
		return s.pass(text)
	}
	l := *s.waiting
	s.waiting = nil
	return s.arrive(l)
}

func (s *stream) pass(text []byte) error {
	_, err := s.out.Write(text)
	return err
}

// arrive returns an event at the end of its way, where something may happen to it.
func (s *stream) arrive(l line) error {
	var e struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if l.err != nil || json.Unmarshal(l.text, &e) != nil || e.Type == "ERROR" {
		s.held, s.due = nil, time.Time{} // lost with their connection
		if len(l.text) > 0 {
			if err := s.pass(l.text); err != nil {
				return err
			}
		}
		return l.err
	}
	if s.held != nil {
		s.due = time.Now() // it follows this one
	}
	s.f.mu.Lock()
	ending := s.ending
	s.f.mu.Unlock()
	if e.Type == "BOOKMARK" {
		err := s.bookmark(l.text, e.Object)
		if err == nil && ending == AfterBookmark {
			err = io.EOF
		}
		return err
	}
	if ending == Torn {
		if err := s.pass(l.text[:len(l.text)/2]); err != nil {
			return err
		}
		return broken(apiserver.Reset)
	}
	s.f.mu.Lock()
	var next apiserver.Tamper
	var delay int64
	if s.held == nil {
		s.f.find(s.names, func(w *connection) bool {
			next, delay = w.TakeNext()
			return next != 0
		})
	}
	s.f.mu.Unlock()
	effect := next.Effect()
	switch effect.Holding {
	case apiserver.HeldForNone:
		s.held, s.due = l.text, time.Now()
	case apiserver.HeldForDelay:
		s.held, s.due = l.text, time.Now().Add(time.Duration(delay))
	case apiserver.HeldForNext:
		s.held = l.text
	}
	switch spoil := spoils[effect.Spoilt]; {
	case effect.Lost:
		return nil
	case spoil != nil:
		return s.pass(spoil(e.Type, e.Object))
	}
	return s.pass(l.text)
}

// spoils have a function for what can be wrong with an event on a real connection. A client that decodes
// JSON gives every object some metadata, so an event can't be without any.
var spoils = map[apiserver.Spoil]func(typ string, object json.RawMessage) []byte{
	apiserver.WrongKind: func(typ string, object json.RawMessage) []byte {
		var o map[string]any
		kind := "Secret"
		if json.Unmarshal(object, &o) == nil && o["kind"] == kind {
			kind = "ConfigMap"
		}
		return eventLine(typ, map[string]any{"kind": kind, "apiVersion": "v1", "metadata": o["metadata"]})
	},
	apiserver.UnknownType: func(_ string, object json.RawMessage) []byte { return eventLine("SPOILT", object) },
}

// supported reports whether t can be done on a real connection.
func supported(t apiserver.Tamper) bool {
	e := t.Effect()
	return e != (apiserver.Effect{}) && (e.Spoilt == 0 || spoils[e.Spoilt] != nil)
}

func eventLine(typ string, object any) []byte {
	b, err := json.Marshal(map[string]any{"type": typ, "object": object})
	if err != nil {
		panic(err) // it is made of JSON
	}
	return append(b, '\n')
}

// bookmark passes a bookmark on, unless it is to be lost.
func (s *stream) bookmark(text []byte, object json.RawMessage) error {
	var o struct {
		Metadata struct{ Annotations map[string]string }
	}
	end := json.Unmarshal(object, &o) == nil && o.Metadata.Annotations["k8s.io/initial-events-end"] == "true"
	s.f.mu.Lock()
	if end {
		s.initial = false
	}
	lost := s.f.find(s.names, func(w *connection) bool { return w.LosesBookmark(end) }) != nil
	s.f.mu.Unlock()
	if lost {
		return nil
	}
	return s.pass(text)
}
