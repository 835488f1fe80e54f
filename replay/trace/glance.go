package trace

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unsafe"
)

// Glance reads what Decode reads of the line that begins b, if that is a watch
// event, but looks only at what is read, and no further. Of what lies between it
// sees that strings end and brackets pair, and not whether it is JSON. It returns
// the line's length without its end, or 0 where anything is unusual: then Decode
// must be asked. The strings in e are parts of b.
//
// Where it stops looking, it relies on the order in which the API server writes:
// what is read of metadata comes before managedFields, and nothing is read behind
// metadata. Glances tells whether that was so.
func (e *Event) Glance(b []byte) int {
	e.Reset()
	return e.length(b, e.glance(b, 0, true), "}}")
}

// Glance is Line for the line that begins b, if that holds a watch event, which it
// reads as Event.Glance does. It returns what that does.
func (d *Decoder) Glance(b []byte, offset int64) (n int, err error) {
	if n = d.line.glance(b, true); n == 0 {
		return 0, nil
	}
	return n, d.take(b[:n], offset)
}

// Glances is Event.Glance, or, of our own format, Decoder.Glance, and keeps nothing.
// It tells, too, whether the same is read by who looks at the whole line.
func Glances(b []byte, own bool) (n int, same bool) {
	var quick, slow line
	if own {
		n = quick.glance(b, true)
		return n, n > 0 && slow.glance(b, false) == n && quick.T == slow.T && quick.ID == slow.ID && quick.Event.same(&slow.Event)
	}
	n = quick.Event.Glance(b)
	return n, n > 0 && slow.Event.length(b, slow.Event.glance(b, 0, false), "") == n && quick.Event.same(&slow.Event)
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
// The line was looked at up to b[end]. If end is stopped, reading ended early, and the
// line must end with the brackets. The length is 0 if this isn't a line or isn't an event.
func (e *Event) length(b []byte, end int, brackets string) int {
	if !e.whole() || end < 0 && end != stopped {
		return 0
	}
	if end == stopped {
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

// whole tells whether there is all that a watch event must have.
func (e *Event) whole() bool { return e.Type != "" && e.Object.Kind != "" }

// stopped is what a glance returns that has read all, and may look no further.
const stopped = -2

func (l *line) glance(b []byte, mayStop bool) int {
	l.Event.Reset() // nothing else of the last line is looked at where there is an event
	l.T, l.ID = 0, 0
	timed := false
	end := members(b, 0, func(name string, i int) int {
		switch {
		case name == "t":
			timed = true
			return number(b, i, &l.T)
		case name == "id":
			return number(b, i, &l.ID)
		case name == "event" && !l.Event.whole():
			return l.Event.glance(b, i, mayStop && timed && l.ID != 0)
		}
		return -1
	})
	return l.Event.length(b, end, "}}}")
}

// deepest is how deep a value may nest that lies within a line, an event, an object and
// its metadata: four levels. Nested may miss eight more.
const deepest = MaxDepth - 4 - 8

// glance reads the event that begins at b[i], and returns the index behind it,
// stopped, or -1. To have it once is enough: what reaches the browser is weighed.
//
//go:noinline
func (e *Event) glance(b []byte, i int, mayStop bool) int {
	return members(b, i, func(name string, i int) int {
		switch {
		case name == "type" && e.Type == "":
			return text(b, i, &e.Type)
		case name == "object" && e.Object.Kind == "":
			return e.Object.glance(b, i, mayStop && e.Type != "")
		}
		return -1
	})
}

func (o *Object) glance(b []byte, i int, mayStop bool) int {
	return members(b, i, func(name string, i int) int {
		switch {
		case name == "kind" && o.Kind == "":
			return text(b, i, &o.Kind)
		case name == "apiVersion" && o.APIVersion == "":
			return text(b, i, &o.APIVersion)
		case name == "metadata":
			return o.Metadata.glance(b, i, mayStop && o.Kind != "" && o.APIVersion != "")
		case like(name, "kind", "apiVersion", "metadata"):
			return -1
		}
		return skip(b, i, deepest, true)
	})
}

func (m *Metadata) glance(b []byte, i int, mayStop bool) int {
	return members(b, i, func(name string, i int) int {
		switch {
		case name == "name" && m.Name == "":
			return text(b, i, &m.Name)
		case name == "namespace" && m.Namespace == "":
			return text(b, i, &m.Namespace)
		case name == "uid" && m.UID == "":
			return text(b, i, &m.UID)
		case name == "resourceVersion" && m.ResourceVersion == "":
			return text(b, i, &m.ResourceVersion)
		case name == "labels" && len(m.sorted) == 0:
			return m.glanceLabels(b, i)
		case name == "managedFields" && mayStop && m.Name != "" && m.UID != "" && m.ResourceVersion != "":
			return stopped
		case name == "annotations":
			end := skip(b, i, deepest, true)
			if end < 0 || bytes.Contains(b[i:end], []byte("initial-events-end")) {
				return -1
			}
			return end
		case like(name, "name", "namespace", "uid", "resourceVersion", "labels", "annotations"):
			return -1
		}
		return skip(b, i, deepest, true)
	})
}

// glanceLabels reads labels that are sorted, as the API server writes them.
func (m *Metadata) glanceLabels(b []byte, i int) int {
	return members(b, i, func(name string, i int) int {
		if n := len(m.sorted); n > 0 && m.sorted[n-1].name >= name {
			return -1
		}
		m.sorted = append(m.sorted, label{name: name})
		return text(b, i, &m.sorted[len(m.sorted)-1].value)
	})
}

// members calls each with the name of each member of the object that begins at
// b[i], and the place of its value. Each returns the index behind that, or what is
// returned at once: stopped or -1. There must be no space.
func members(b []byte, i int, each func(name string, i int) int) int {
	if i >= len(b) || b[i] != '{' {
		return -1
	}
	if i++; i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		var name string
		if i = text(b, i, &name); i < 0 || i >= len(b) || b[i] != ':' {
			return -1
		}
		if i = each(name, i+1); i < 0 {
			return i
		} else if i >= len(b) {
			return -1
		}
		switch b[i] {
		case ',':
			i++
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

// text reads the string that begins at b[i] and returns the index behind it, or
// -1 where it is none that stands for itself: plain ASCII.
func text(b []byte, i int, s *string) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	i++
	at := i
	for at+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[at:])
		if stop := zeros(w^quotes) | zeros(w^slashes) | zeros(w&controls) | w&^low; stop != 0 {
			at += bits.TrailingZeros64(stop) / 8
			break
		}
		at += 8
	}
	for at < len(b) && b[at] != '"' && b[at] != '\\' && b[at]-' ' < 0x60 {
		at++
	}
	if at == len(b) || b[at] != '"' {
		return -1
	}
	if at > i {
		*s = unsafe.String(&b[i], at-i)
	}
	return at + 1
}

// number reads the whole number that begins at b[i] and returns the index behind
// it, or -1 where it is none that is certain to be an int64.
func number(b []byte, i int, n *int64) int {
	from := i
	for *n = 0; i < len(b) && b[i]-'0' <= 9; i++ {
		*n = *n*10 + int64(b[i]-'0')
	}
	if digits := i - from; digits == 0 || digits > 18 || digits > 1 && b[from] == '0' {
		return -1
	}
	return i
}

// like tells whether a decoder would take name for one of names: it doesn't mind
// upper and lower case.
func like(name string, names ...string) bool {
	for _, n := range names {
		if len(n) == len(name) && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
