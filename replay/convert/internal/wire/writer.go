// Package wire writes a trace as if a recorder had seen the capture come over the wire.
package wire

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// ErrStopped is returned by a Sink that wants no more.
const ErrStopped = fault.Plain("stopped")

// Spacing is the time between two events of formats without times, in nanoseconds.
const Spacing = format.Spacing

// Writer writes what a converter finds. Its time is the capture's: set by At or Offset,
// or moved on by Space.
type Writer struct {
	Sink   io.Writer     // gets one line with each call
	Broken error         // that Sink gave
	Header trace.Header  // of the trace; it can't be changed after Begin
	Trace  *trace.Writer // nil before Begin
	Start  time.Time     // of the trace; the zero Time if it isn't known

	t     int64
	timed bool // the input has times, even if it isn't known when they began
	ids   int64
	open  map[api.Resource]*stream
	last  struct { // of open, which was looked up last
		r api.Resource
		s *stream
	}
	body []byte
}

// Now returns the trace's time, in nanoseconds since its start.
func (w *Writer) Now() int64 { return w.t }

// stream is what is open of a resource.
type stream struct {
	id int64  // of the watch, 0 for none
	rv string // the newest resourceVersion
}

// Begin writes the header, which can't be changed after that.
func (w *Writer) Begin() error {
	if w.Trace != nil {
		return nil
	}
	if !w.Start.IsZero() {
		w.Header.Start = w.Start.UTC().Format(time.RFC3339Nano)
	}
	if w.Header.Recorder == "" {
		w.Header.Recorder = "informerscope convert"
	}
	var err error
	w.Trace, err = trace.NewWriter(guard{w}, w.Header)
	return err
}

// SetTime sets the clock to a moment of the real world. The first one is the trace's
// start; none goes back.
func (w *Writer) SetTime(t time.Time) {
	if w.Start.IsZero() && w.Trace == nil {
		w.Start = t
	}
	w.t = max(w.t, int64(t.Sub(w.Start)))
}

// Offset sets the clock to nanoseconds since the start.
func (w *Writer) Offset(ns int64) { w.t = max(w.t, ns) }

// Since sets the clock to nanoseconds after a moment that isn't known.
func (w *Writer) Since(ns int64) {
	w.timed = true
	w.Offset(ns)
}

// Space moves the clock of a capture without times on, to the next event.
func (w *Writer) Space() {
	if w.timed || !w.Start.IsZero() {
		return // it has times
	}
	if w.Trace == nil {
		w.Header.Spaced = true
		return
	}
	w.t += Spacing
}

// guard keeps the sink's error, so that it isn't taken for an error of the input.
type guard struct{ w *Writer }

func (g guard) Write(line []byte) (int, error) {
	n, err := g.w.Sink.Write(line)
	g.w.Broken = cmp.Or(g.w.Broken, err)
	return n, err
}

func (w *Writer) stream(r api.Resource) *stream {
	if w.last.s != nil && w.last.r.EqualWithoutKind(&r) {
		return w.last.s
	}
	k := r.WithoutKind()
	s := w.open[k]
	if s == nil {
		if w.open == nil {
			w.open = map[api.Resource]*stream{}
		}
		s = &stream{}
		w.open[k] = s
	}
	w.last.r, w.last.s = k, s
	return s
}

// Ask writes a request, and returns its id.
func (w *Writer) Ask(url string) (int64, error) {
	if err := w.Begin(); err != nil {
		return 0, err
	}
	w.ids++
	return w.ids, w.Trace.Request(w.t, w.ids, "GET", url)
}

// Request writes a request with its answer's head, and returns its id.
func (w *Writer) Request(url string, status int) (int64, error) {
	id, err := w.Ask(url)
	if err != nil {
		return 0, err
	}
	return id, w.Trace.Response(w.t, id, status, "application/json", "")
}

// ListBody writes a list of r as it came: one page, or a Status.
func (w *Writer) ListBody(r api.Resource, query string, status int, rv string, body []byte) error {
	if err := w.HangUp(r); err != nil {
		return err
	}
	id, err := w.Request(r.URL(query), status)
	if err != nil {
		return err
	}
	if rv != "" {
		w.stream(r).rv = strings.Clone(rv)
	}
	if err := w.Trace.Body(w.t, id, body); err != nil {
		return err
	}
	return w.Trace.End(w.t, id, "eof", "", nil)
}

// List writes a list of r that is made of these objects.
func (w *Writer) List(r api.Resource, rv string, items [][]byte) error {
	b := appendList(w.body[:0], r, rv)
	b = append(b, bytes.Join(items, []byte{','})...)
	w.body = append(b, "]}"...)
	return w.ListBody(r, "", 200, rv, w.body)
}

// appendList appends the beginning of a list, up to its items.
func appendList(b []byte, r api.Resource, rv string) []byte {
	b = append(b, `{"kind":`...)
	b = jsonscan.AppendString(b, r.Kind+"List")
	b = append(b, `,"apiVersion":`...)
	b = jsonscan.AppendString(b, r.APIVersion())
	b = append(b, `,"metadata":{"resourceVersion":`...)
	b = jsonscan.AppendString(b, rv)
	return append(b, `},"items":[`...)
}

// EmptyList returns a list of r without items.
func EmptyList(r api.Resource, rv string) []byte { return append(appendList(nil, r, rv), "]}"...) }

// watch opens a watch of r if none is open, and returns its id.
func (w *Writer) watch(r api.Resource) (int64, error) {
	if err := w.Begin(); err != nil {
		return 0, err
	}
	s := w.stream(r)
	if s.id != 0 {
		return s.id, nil
	}
	query := "watch=true"
	if s.rv != "" {
		query += "&resourceVersion=" + s.rv
	}
	var err error
	s.id, err = w.Request(r.URL(query), 200)
	return s.id, err
}

// Event writes a watch event of r, whose object is raw.
func (w *Writer) Event(r api.Resource, typ string, raw []byte) error {
	id, err := w.watch(r)
	if err != nil {
		return err
	}
	return w.Trace.EventOf(w.t, id, typ, bytes.TrimSpace(raw))
}

// RawEvent writes a watch event of r as it came.
func (w *Writer) RawEvent(r api.Resource, raw []byte) error {
	id, err := w.watch(r)
	if err != nil {
		return err
	}
	return w.Trace.Event(w.t, id, raw)
}

// HangUp ends r's watch, if one is open, in the server's ordinary way.
func (w *Writer) HangUp(r api.Resource) error {
	s := w.stream(r)
	if s.id == 0 {
		return nil
	}
	id := s.id
	s.id = 0
	return w.Trace.End(w.t, id, "eof", "", nil)
}

// Finish ends what is open: the recording stops, and what came after it isn't
// known.
func (w *Writer) Finish() error {
	if err := w.Begin(); err != nil {
		return err
	}
	var ids []int64
	for _, s := range w.open {
		if s.id != 0 {
			ids = append(ids, s.id)
			s.id = 0
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := w.Trace.End(w.t, id, "recorder-stopped", "", nil); err != nil {
			return err
		}
	}
	return nil
}
