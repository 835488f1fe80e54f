package excerpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
)

// Recording is a recording in our own format from which lines are left out. An object is left out with all that is known of it:
// events, items of lists, calls, adds, reconciles and writes. So what is left could have been recorded of a cluster without it.
type Recording struct {
	Header  []byte
	Omitted map[Unit]bool // with the lines that tell of them
	From    int           // what the process did before this line is left out, counted from 0 after the header
	Until   int64         // and all that came after this time, in nanoseconds since the start
	NoNotes bool          // and what was noted beside the recording, such as marks and logs

	lines []line
}

// Unit is something that lines tell of.
type Unit struct {
	Kind UnitKind
	Name string
}

// UnitKind is the kind of a Unit.
type UnitKind uint8

// The kinds. The name of a resource is kubectl's, such as deployments.apps in shop; the name of an object is its key.
const (
	Resource UnitKind = iota
	Object
	Controller
	Handler
)

// line is a line after the header.
type line struct {
	text    []byte // without its end
	time    int64
	units   []Unit // it is left out with any of them
	items   []Unit // of a list, which is left without those that are omitted
	process bool   // it tells what the process did; other lines tell what the API server sent
	note    bool   // it tells of neither
}

// lineFields are what is read of a line.
type lineFields struct {
	T, ID, In int64
	Req       *struct{ URL string }
	Body      *struct{ Items []item }
	Event     *struct{ Object item }

	Reconcile, Write, Wrote, Work, Call, Calling, Fault *subject
	Resp, End, Reconciled, LeftOut, Redacted            json.RawMessage
}

type item struct {
	Metadata struct{ Namespace, Name string }
}

// subject is what a line about the process tells of.
type subject struct{ Queue, Controller, Handler, Name, Key string }

func (o *item) unit() Unit {
	if o.Metadata.Name == "" {
		return Unit{}
	}
	return Unit{Object, trace.ObjectKey(o.Metadata.Namespace, o.Metadata.Name)}
}

// NewRecording splits a recording into lines, and leaves out those that are no JSON. The Recording refers to text.
func NewRecording(text []byte) *Recording {
	header, rest, _ := bytes.Cut(text, []byte{'\n'})
	r := &Recording{Header: header, Omitted: map[Unit]bool{}, Until: math.MaxInt64}
	linesOf := map[int64][]Unit{} // by the id of a request, a call, a reconcile or a write
	for raw := range bytes.Lines(rest) {
		raw = bytes.TrimSuffix(raw, []byte{'\n'})
		var e lineFields
		if err := json.Unmarshal(raw, &e); err == nil || errors.As(err, new(*json.UnmarshalTypeError)) {
			r.lines = append(r.lines, newLine(raw, &e, linesOf))
		}
	}
	return r
}

func newLine(raw []byte, e *lineFields, linesOf map[int64][]Unit) line {
	l := line{text: raw, time: e.T}
	add := func(units ...Unit) {
		for _, u := range units {
			if u.Name != "" && !slices.Contains(l.units, u) {
				l.units = append(l.units, u)
			}
		}
	}
	if e.ID != 0 {
		add(linesOf[e.ID]...)
	}
	add(linesOf[e.In]...)
	if e.Req != nil {
		if p, ok := trace.ParsePath(e.Req.URL); ok {
			name := trace.Qualified(p.Resource, p.Group)
			if p.Namespace != "" {
				name += " in " + p.Namespace
			}
			add(Unit{Resource, name})
		}
	}
	for _, s := range []*subject{e.Reconcile, e.Write, e.Wrote, e.Work, e.Call, e.Calling, e.Fault} {
		if s != nil {
			l.process = true
			add(Unit{Controller, s.Controller + s.Queue}, Unit{Handler, s.Handler + s.Name}, Unit{Object, s.Key})
		}
	}
	if e.ID != 0 {
		linesOf[e.ID] = slices.Clone(l.units)
	}
	l.process = l.process || e.Reconciled != nil
	l.note = !l.process && e.Req == nil && e.Resp == nil && e.Body == nil && e.Event == nil && e.End == nil && e.LeftOut == nil && e.Redacted == nil
	if e.Event != nil {
		add(e.Event.Object.unit())
	}
	if e.Body != nil {
		for i := range e.Body.Items {
			l.items = append(l.items, e.Body.Items[i].unit())
		}
	}
	return l
}

// Len returns how many lines the recording has, whatever is left out.
func (r *Recording) Len() int { return 1 + len(r.lines) }

// Times returns the times of the lines after the header.
func (r *Recording) Times() (all []int64) {
	for i := range r.lines {
		all = append(all, r.lines[i].time)
	}
	return all
}

// Units returns what the lines tell of, in the order in which it comes first.
func (r *Recording) Units() (all []Unit) {
	seen := map[Unit]bool{}
	for i := range r.lines {
		for _, u := range slices.Concat(r.lines[i].units, r.lines[i].items) {
			if u.Name != "" && !seen[u] {
				seen[u] = true
				all = append(all, u)
			}
		}
	}
	return all
}

// Part returns the lines that are left, without their ends.
func (r *Recording) Part() [][]byte {
	omitted := func(u Unit) bool { return r.Omitted[u] }
	out := [][]byte{r.Header}
	for i := range r.lines {
		l := &r.lines[i]
		switch {
		case l.time > r.Until, l.process && i < r.From, l.note && r.NoNotes, slices.ContainsFunc(l.units, omitted):
		case slices.ContainsFunc(l.items, omitted):
			out = append(out, r.withoutItems(l))
		default:
			out = append(out, l.text)
		}
	}
	return out
}

// withoutItems returns a line with a list without the items that are omitted.
func (r *Recording) withoutItems(l *line) []byte {
	var whole map[string]json.RawMessage
	if json.Unmarshal(l.text, &whole) != nil {
		return l.text
	}
	body, items, ok := itemsOf(whole["body"])
	if !ok || len(items) != len(l.items) {
		return l.text
	}
	left := items[:0]
	for i, item := range items {
		if !r.Omitted[l.items[i]] {
			left = append(left, item)
		}
	}
	b, err := json.Marshal(left)
	if err == nil {
		body["items"] = b
		b, err = json.Marshal(body)
	}
	if err == nil {
		whole["body"] = b
		b, err = json.Marshal(whole)
	}
	if err != nil {
		return l.text
	}
	return b
}

// LeaveOut leaves out units, half of them at once, then a quarter, and so on, where what is left still has what is looked for. It ends
// when each unit alone was tried, or when stop reports true.
func (r *Recording) LeaveOut(units []Unit, still, stop func() bool) {
	for size := (len(units) + 1) / 2; size > 0; size /= 2 {
		var needed []Unit
		for some := range slices.Chunk(units, size) {
			if stop() {
				return
			}
			for _, u := range some {
				r.Omitted[u] = true
			}
			if still() {
				continue
			}
			for _, u := range some {
				delete(r.Omitted, u)
			}
			needed = append(needed, some...)
		}
		units = needed
	}
}
