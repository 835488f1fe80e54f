package trace

import (
	"bytes"
	"slices"

	"github.com/informerscope/informerscope/replay/trace/compact"
)

// Glance reads the fields that Decode reads from the line at the beginning of b, if that
// is a watch event. It looks no further than the last of them. In what it skips it checks
// that strings end and brackets pair, and nothing else. It returns the line's
// length without its end, or 0 if anything is unusual; then the caller must use Decode.
// The strings in e are parts of b.
//
// Glance can stop early because the API server writes fields in a fixed order: in
// metadata, those that are read come before managedFields, and no field after metadata
// is read. Glances reports whether a line keeps to that order.
func (e *Event) Glance(b []byte) int {
	e.Reset()
	return e.length(b, e.glance(b, 0, true), "}}")
}

// Glance does what Line does for the line at the beginning of b, if that holds a watch
// event. It reads the event as Event.Glance does, and returns the same.
func (d *Decoder) Glance(b []byte, offset int64) (n int, err error) {
	if n = d.line.glance(b, true); n == 0 {
		return 0, nil
	}
	return n, d.take(b[:n], offset)
}

// Glances does what Event.Glance does, or Decoder.Glance for our own format, and keeps
// nothing. It also reports whether reading the whole line gives the same.
func Glances(b []byte, own bool) (n int, same bool) {
	var quick, slow line
	if own {
		n = quick.glance(b, true)
		return n, n > 0 && slow.glance(b, false) == n && quick.T == slow.T && quick.ID == slow.ID && quick.Event.same(&slow.Event)
	}
	n = quick.Event.Glance(b)
	return n, n > 0 && slow.Event.length(b, slow.Event.glance(b, 0, false), "") == n && quick.Event.same(&slow.Event)
}

// Vetter finds the lines for which a glance is enough. It holds the memory of the last line.
type Vetter struct{ quick, full line }

// Sound reports whether b, a line with its end, holds a watch event that Event.Glance or
// Decoder.Glance takes, and in which Decode finds no fault and reads the same. Each of the two
// glances refuses what the other one takes.
func (v *Vetter) Sound(b []byte) bool {
	q, f := &v.quick, &v.full
	q.T, q.ID = 0, 0
	f.reset()
	var err error
	if n := q.Event.Glance(b); n > 0 && Shallow(b) {
		err = Decode(b[:n], &f.Event)
	} else if n = q.glance(b, true); n > 0 && Shallow(b) {
		err = Decode(b[:n], f)
	} else {
		return false
	}
	if err != nil || q.T != f.T || q.ID != f.ID || q.Event.texts() != f.Event.texts() {
		return false
	}
	labels := f.Event.Object.Metadata.Labels
	for _, l := range q.Event.Object.Metadata.sorted { // which holds no name twice
		if value, there := labels[l.name]; !there || value != l.value {
			return false
		}
	}
	return len(labels) == len(q.Event.Object.Metadata.sorted)
}

// same compares what was read by glances.
func (e *Event) same(x *Event) bool {
	a, b := e.texts(), x.texts()
	return slices.Equal(a[:], b[:]) && slices.Equal(e.Object.Metadata.sorted, x.Object.Metadata.sorted)
}

func (e *Event) texts() [8]string {
	o, m := &e.Object, &e.Object.Metadata
	return [...]string{e.Type, o.Kind, o.APIVersion, m.Name, m.Namespace, m.UID, m.ResourceVersion, m.Annotations.InitialEventsEnd}
}

// length returns the length of the line at the beginning of b, which e was read from.
// The line was looked at up to b[end]. If end is compact.Stopped, reading ended early, and the
// line must end with the brackets. The length is 0 if this isn't a line or isn't an event.
func (e *Event) length(b []byte, end int, brackets string) int {
	if !e.whole() || end < 0 && end != compact.Stopped {
		return 0
	}
	if end == compact.Stopped {
		end = bytes.IndexByte(b, '\n')
		if end > 0 && b[end-1] == '\r' {
			end--
		}
		if end < 0 || !bytes.HasSuffix(b[:end], []byte(brackets)) {
			return 0
		}
	}
	if rest := b[end:]; len(rest) > 0 && rest[0] == '\n' || len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n' {
		return end
	}
	return 0
}

// whole reports whether the event has all that a watch event must have.
func (e *Event) whole() bool { return e.Type != "" && e.Object.Kind != "" }

func (l *line) glance(b []byte, mayStop bool) int {
	l.Event.Reset() // with an event, nothing else of the last line is used
	l.T, l.ID = 0, 0
	timed := false
	end := compact.Members(b, 0, func(name string, i int) int {
		switch {
		case name == "t":
			timed = true
			return compact.Number(b, i, &l.T)
		case name == "id":
			return compact.Number(b, i, &l.ID)
		case name == "event" && !l.Event.whole():
			return l.Event.glance(b, i, mayStop && timed && l.ID != 0)
		}
		return -1
	})
	return l.Event.length(b, end, "}}}")
}

// deepest is how deep a value in an object's metadata may nest. The line, the event, the
// object and its metadata are four levels around it, and nested may miss eight more.
const deepest = MaxDepth - 4 - 8

// glance reads the event that begins at b[i], and returns the index after it,
// compact.Stopped, or -1. It isn't inlined, because the browser's program is weighed.
//
//go:noinline
func (e *Event) glance(b []byte, i int, mayStop bool) int {
	return compact.Members(b, i, func(name string, i int) int {
		switch {
		case name == "type" && e.Type == "":
			return compact.Text(b, i, &e.Type)
		case name == "object" && e.Object.Kind == "":
			return e.Object.glance(b, i, mayStop && e.Type != "")
		}
		return -1
	})
}

func (o *Object) glance(b []byte, i int, mayStop bool) int {
	return compact.Members(b, i, func(name string, i int) int {
		switch {
		case name == "kind" && o.Kind == "":
			return compact.Text(b, i, &o.Kind)
		case name == "apiVersion" && o.APIVersion == "":
			return compact.Text(b, i, &o.APIVersion)
		case name == "metadata":
			return o.Metadata.glance(b, i, mayStop && o.Kind != "" && o.APIVersion != "")
		case compact.Like(name, "kind", "apiVersion", "metadata"):
			return -1
		}
		return skip(b, i, deepest, true)
	})
}

func (m *Metadata) glance(b []byte, i int, mayStop bool) int {
	return compact.Members(b, i, func(name string, i int) int {
		switch {
		case name == "name" && m.Name == "":
			return compact.Text(b, i, &m.Name)
		case name == "namespace" && m.Namespace == "":
			return compact.Text(b, i, &m.Namespace)
		case name == "uid" && m.UID == "":
			return compact.Text(b, i, &m.UID)
		case name == "resourceVersion" && m.ResourceVersion == "":
			return compact.Text(b, i, &m.ResourceVersion)
		case name == "labels" && len(m.sorted) == 0:
			return m.glanceLabels(b, i)
		case name == "managedFields" && mayStop && m.Name != "" && m.UID != "" && m.ResourceVersion != "":
			return compact.Stopped
		case name == "annotations":
			end := skip(b, i, deepest, true)
			if end < 0 || bytes.Contains(b[i:end], []byte("initial-events-end")) {
				return -1
			}
			return end
		case compact.Like(name, "name", "namespace", "uid", "resourceVersion", "labels", "annotations"):
			return -1
		}
		return skip(b, i, deepest, true)
	})
}

// glanceLabels reads labels that are sorted, as the API server writes them.
func (m *Metadata) glanceLabels(b []byte, i int) int {
	return compact.Members(b, i, func(name string, i int) int {
		if n := len(m.sorted); n > 0 && m.sorted[n-1].name >= name {
			return -1
		}
		m.sorted = append(m.sorted, label{name: name})
		return compact.Text(b, i, &m.sorted[len(m.sorted)-1].value)
	})
}
