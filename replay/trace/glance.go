package trace

import (
	"bytes"
	"slices"

	"github.com/informerscope/informerscope/replay/jsonscan"
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
func Glances(b []byte, isOwn bool) (n int, same bool) {
	var quick, slow line
	if isOwn {
		n = quick.glance(b, true)
		return n, n > 0 && slow.glance(b, false) == n && quick.T == slow.T && quick.ID == slow.ID && quick.Event.sameTexts(&slow.Event)
	}
	n = quick.Event.Glance(b)
	return n, n > 0 && slow.Event.length(b, slow.Event.glance(b, 0, false), "") == n && quick.Event.sameTexts(&slow.Event)
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
	if n := q.Event.Glance(b); n > 0 && jsonscan.WithinMaxDepth(b) {
		err = f.Event.Decode(b[:n])
	} else if n = q.glance(b, true); n > 0 && jsonscan.WithinMaxDepth(b) {
		err = f.decode(b[:n])
	} else {
		return false
	}
	if err != nil || q.T != f.T || q.ID != f.ID || q.Event.texts() != f.Event.texts() {
		return false
	}
	return slices.Equal(q.Event.Object.Metadata.labels, f.Event.Object.Metadata.labels)
}

// sameTexts compares what was read by glances.
func (e *Event) sameTexts(x *Event) bool {
	a, b := e.texts(), x.texts()
	return slices.Equal(a[:], b[:]) && slices.Equal(e.Object.Metadata.labels, x.Object.Metadata.labels)
}

func (e *Event) texts() [8]string {
	o, m := &e.Object, &e.Object.Metadata
	return [...]string{e.Type, o.Kind, o.APIVersion, m.Name, m.Namespace, m.UID, m.ResourceVersion, m.InitialEventsEnd}
}

// length returns the length of the line at the beginning of b, which e was read from.
// The line was looked at up to b[end]. If end is jsonscan.Stopped, reading ended early, and the
// line must end with the brackets. The length is 0 if this isn't a line or isn't an event.
func (e *Event) length(b []byte, end int, brackets string) int {
	if !e.complete() || end < 0 && end != jsonscan.Stopped {
		return 0
	}
	if end == jsonscan.Stopped {
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

// complete reports whether the event has all that a watch event must have.
func (e *Event) complete() bool { return e.Type != "" && e.Object.Kind != "" }

func (l *line) glance(b []byte, mayStop bool) int {
	l.Event.Reset() // with an event, nothing else of the last line is used
	l.T, l.ID = 0, 0
	timed := false
	end := jsonscan.PlainMembers(b, 0, func(name string, i int) int {
		switch {
		case name == "t":
			timed = true
			return jsonscan.PlainNumber(b, i, &l.T)
		case name == "id":
			return jsonscan.PlainNumber(b, i, &l.ID)
		case name == "event" && !l.Event.complete():
			return l.Event.glance(b, i, mayStop && timed && l.ID != 0)
		}
		return -1
	})
	return l.Event.length(b, end, "}}}")
}

// deepest is how deep a value in an object's metadata may nest. The line, the event, the
// object and its metadata are four levels around it, and SkipQuick may miss eight more.
const deepest = jsonscan.MaxDepth - 4 - 8

// glance reads the event that begins at b[i], and returns the index after it,
// jsonscan.Stopped, or -1. It isn't inlined, because the browser's program is weighed.
//
//go:noinline
func (e *Event) glance(b []byte, i int, mayStop bool) int {
	return jsonscan.PlainMembers(b, i, func(name string, i int) int {
		switch {
		case name == "type" && e.Type == "":
			return jsonscan.PlainText(b, i, &e.Type)
		case name == "object" && e.Object.Kind == "":
			return e.Object.glance(b, i, mayStop && e.Type != "")
		}
		return -1
	})
}

func (o *Object) glance(b []byte, i int, mayStop bool) int {
	return jsonscan.PlainMembers(b, i, func(name string, i int) int {
		switch {
		case name == "kind" && o.Kind == "":
			return jsonscan.PlainText(b, i, &o.Kind)
		case name == "apiVersion" && o.APIVersion == "":
			return jsonscan.PlainText(b, i, &o.APIVersion)
		case name == "metadata":
			return o.Metadata.glance(b, i, mayStop && o.Kind != "" && o.APIVersion != "")
		case jsonscan.MatchesName(name, "kind", "apiVersion", "metadata"):
			return -1
		}
		return jsonscan.SkipQuick(b, i, deepest, true)
	})
}

func (m *Metadata) glance(b []byte, i int, mayStop bool) int {
	return jsonscan.PlainMembers(b, i, func(name string, i int) int {
		switch {
		case name == "name" && m.Name == "":
			return jsonscan.PlainText(b, i, &m.Name)
		case name == "namespace" && m.Namespace == "":
			return jsonscan.PlainText(b, i, &m.Namespace)
		case name == "uid" && m.UID == "":
			return jsonscan.PlainText(b, i, &m.UID)
		case name == "resourceVersion" && m.ResourceVersion == "":
			return jsonscan.PlainText(b, i, &m.ResourceVersion)
		case name == "labels" && len(m.labels) == 0:
			return m.glanceLabels(b, i)
		case name == "managedFields" && mayStop && m.Name != "" && m.UID != "" && m.ResourceVersion != "":
			return jsonscan.Stopped
		case name == "annotations":
			end := jsonscan.SkipQuick(b, i, deepest, true)
			if end < 0 || bytes.Contains(b[i:end], []byte("initial-events-end")) {
				return -1
			}
			return end
		case jsonscan.MatchesName(name, "name", "namespace", "uid", "resourceVersion", "labels", "annotations"):
			return -1
		}
		return jsonscan.SkipQuick(b, i, deepest, true)
	})
}

// glanceLabels reads labels that are sorted, as the API server writes them.
func (m *Metadata) glanceLabels(b []byte, i int) int {
	return jsonscan.PlainMembers(b, i, func(name string, i int) int {
		if n := len(m.labels); n > 0 && m.labels[n-1].name >= name {
			return -1
		}
		m.labels = append(m.labels, label{name: name})
		return jsonscan.PlainText(b, i, &m.labels[len(m.labels)-1].value)
	})
}
