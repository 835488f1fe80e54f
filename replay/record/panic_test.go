package record

import (
	"bytes"
	"context"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// rudeWriter panics once it is told to.
type rudeWriter struct {
	bytes.Buffer
	armed atomic.Bool
	flush bool // in Flush
}

func (w *rudeWriter) Write(b []byte) (int, error) {
	if w.armed.Load() && !w.flush {
		panic("writers may")
	}
	return w.Buffer.Write(b)
}

func (w *rudeWriter) Flush() error {
	if w.armed.Load() && w.flush {
		panic("flushes may")
	}
	return nil
}

// What the controller gives the Recorder may panic. That happens in a goroutine of the Recorder's, where
// nobody else could catch it. The controller goes on, and Err says what happened.
func TestCallbacksThatPanic(t *testing.T) {
	begun := func(r *Recorder) {
		t.Helper()
		ran := false
		sync := Sync(r, "web", func(context.Context, string) error { ran = true; return nil })
		for range 3 {
			if err := sync(t.Context(), "shop/web"); err != nil || !ran {
				t.Errorf("%v, it ran: %v", err, ran)
			}
			r.flush()
		}
	}
	redact := Options{Redact: func([]byte) []byte { panic("redactors may") }}
	for _, c := range []struct {
		what  string
		o     Options
		flush bool
		want  string
	}{
		{"Redact", redact, false, "Options.Redact panicked: redactors may"},
		{"Write", Options{}, false, "the writer panicked: writers may"},
		{"Flush", Options{}, true, "the writer panicked: flushes may"},
	} {
		var armed atomic.Bool
		w := &rudeWriter{flush: c.flush}
		if c.o.Redact != nil { // the header is written in New
			inner := c.o.Redact
			c.o.Redact = func(line []byte) []byte {
				if !armed.Load() {
					return line
				}
				return inner(line)
			}
		}
		r, err := New(w, c.o)
		if err != nil {
			t.Fatal(err)
		}
		armed.Store(true)
		w.armed.Store(c.o.Redact == nil)
		begun(r)
		if err := r.Close(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	if _, err := New(&rudeWriter{}, redact); err == nil || !strings.Contains(err.Error(), "redactors may") {
		t.Errorf("New: %v", err)
	}
	ring, err := NewRing(RingOptions{Options: redact})
	if err != nil {
		t.Fatal(err)
	}
	begun(ring.Recorder)
	if _, err := ring.WriteTo(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "redactors may") {
		t.Errorf("a dump: %v", err)
	}
	page := httptest.NewRecorder()
	ring.ServeHTTP(page, httptest.NewRequest("GET", "/debug/informerscope/", nil))
	if text := page.Body.String(); strings.Contains(text, "shop") {
		t.Errorf("the page shows what was to be taken out: %s", text)
	}
	if err := ring.Close(); err != nil {
		t.Error(err)
	}
}
