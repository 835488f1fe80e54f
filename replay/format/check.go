package format

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Check returns a Reader that takes the same input once more, after Close, and adds
// to the Trace's Problems what is damaged in the parts of events that were not
// looked at. What was read of such an event stays. The Reader's Write returns
// ErrMisread where something else was read than is there, and io.EOF once it has come
// to where Stop was called. Check returns nil if r has looked at everything.
func (r *Reader) Check() *Reader {
	if r.glanced == 0 {
		return nil
	}
	c := NewReader(Options{MaxLine: r.glanced})
	c.t, c.bare = r.t, true
	c.parts, c.until = &check{ownFormat: r.t.Header.Version > 0}, r.until
	return c
}

// ErrMisread says that a line is not as the API server writes them, so that a
// glance was not enough for it. The input must be read once more without
// glances.
const ErrMisread = fault.Plain("misread")

type check struct{ ownFormat bool }

func (c *check) take(r *Reader, b []byte) int {
	if r.until > 0 && r.offset >= r.until {
		r.err = io.EOF
		return 0
	}
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		r.dropping = true
		return r.takeOne(b)
	case n < 0:
		return 0
	}
	switch n, same := trace.Glances(b[:n+1], c.ownFormat); {
	case n == 0:
	case !same:
		r.err = ErrMisread
		return n
	default:
		if err := trace.Misread(jsonscan.Check(b[:n])); err != nil {
			r.problem(trace.Damaged, b[:n], err, 0)
		}
		r.checkUTF8(b[:n])
	}
	r.lines++
	return n + 1
}

// finish does nothing: a line that the input ends in was not glanced at.
func (c *check) finish(*Reader, []byte) {}

// Span is a part of a chunk: from one index to before another.
type Span struct{ From, To int }

// Vet returns where in a chunk of an input a Reader would find no damage and read what a
// glance reads. It looks at each whole line by itself, so it can be done for a chunk while
// others are read. It leaves out the lines at both ends of the chunk, which may not be whole.
func Vet(chunk []byte) (sound []Span) {
	var v trace.Vetter
	from := bytes.IndexByte(chunk, '\n') + 1
	for from > 0 && from < len(chunk) {
		if n, _ := jsonscan.EmptyLines(chunk[from:]); n > 0 {
			from += n
			continue
		}
		n := bytes.IndexByte(chunk[from:], '\n') + 1
		if n == 0 {
			break
		}
		if line := chunk[from : from+n]; v.Sound(line) && utf8.Valid(line) {
			if last := len(sound) - 1; last >= 0 && sound[last].To == from {
				sound[last].To += n
			} else {
				sound = append(sound, Span{from, from + n})
			}
		}
		from += n
	}
	return sound
}

// WriteVetted does what Write does for a chunk that Vet has looked at: sound is what it returned.
func (r *Reader) WriteVetted(chunk []byte, sound []Span) error {
	at := 0
	for _, s := range sound {
		r.Write(chunk[at:s.From]) // returns the same error as the last one
		whole := r.glance
		r.glance = whole || len(r.buf) == 0 // unless the span begins within a value that goes over several lines
		r.Write(chunk[s.From:s.To])
		r.glance = whole
		at = s.To
	}
	return r.Write(chunk[at:])
}

// lostCounter counts the watch events in bytes that can't be read, by the types that still
// stand there. Where there is no type, the rest of an event counts as one. The bytes
// come in parts of any size.
type lostCounter struct {
	events int64
	held   []byte // the end of the last part, which may be a part of a type
	marks  marks
}

// marks are what was seen of an object or of a list.
type marks struct{ version, list bool }

// eventTypes are what is looked for.
var eventTypes = [...]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"}

// longestType is how long the longest event type can be, with the field's name before it.
const longestType = len(`"type": "MODIFIED"`)

// add looks through another part.
func (l *lostCounter) add(b []byte) {
	const tail = longestType - 1
	if n := len(l.held); n > 0 {
		joint := append(l.held, b[:min(len(b), tail)]...)
		l.marks.scan(joint)
		if len(b) < tail {
			l.events += eventsBefore(joint, len(joint)-tail)
			l.keepTail(joint)
			return
		}
		l.events += eventsBefore(joint, n)
	}
	l.marks.scan(b)
	l.events += eventsBefore(b, len(b)-tail)
	l.keepTail(b)
}

// keepTail keeps what may be the beginning of a type that goes on in the next part.
func (l *lostCounter) keepTail(b []byte) {
	l.held = append(l.held[:0], b[max(len(b)-longestType+1, 0):]...)
}

// count returns how many events there were in all parts.
func (l *lostCounter) count() int64 {
	n := max(l.events+eventsBefore(l.held, len(l.held)), l.marks.events())
	*l = lostCounter{held: l.held[:0]}
	return n
}

// scan looks for what marks objects and lists. None of it is longer than longestType.
func (m *marks) scan(b []byte) {
	m.version = m.version || bytes.Contains(b, []byte(`"resourceVersion"`))
	m.list = m.list || bytes.Contains(b, []byte(`List"`)) || bytes.Contains(b, []byte(`"items"`))
}

// events returns 1 where a part of an object was seen, and none of a list.
func (m *marks) events() int64 {
	if m.version && !m.list {
		return 1
	}
	return 0
}

// eventsBefore counts the event types that begin in b[:end].
func eventsBefore(b []byte, end int) (n int64) {
	const name = `"type":`
	for i := 0; ; {
		at := bytes.Index(b[i:], []byte(name))
		if at < 0 || i+at >= end {
			return n
		}
		i += at + len(name)
		value := bytes.TrimPrefix(b[i:], []byte{' '})
		for _, t := range eventTypes {
			if len(value) > len(t)+1 && value[0] == '"' && string(value[1:len(t)+1]) == t && value[len(t)+1] == '"' {
				n++
			}
		}
	}
}

// EventsIn returns how many watch events are lost with b, which can't be read: those whose
// types still stand there, or one where b begins as an event does or holds a part of an
// object. What else stands in a capture, such as a message or a prompt, is no event.
func EventsIn(b []byte) int64 {
	if n := eventsBefore(b, len(b)); n > 0 {
		return n
	}
	const looked = 256
	head := bytes.TrimLeft(b[:min(len(b), looked)], " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte(`{"t":`)) && !bytes.Contains(head, []byte(`"event"`)):
		return 0 // a line of our own format without an event
	case bytes.HasPrefix(head, []byte(`{"type":"`)), bytes.HasPrefix(head, []byte(`{"t":`)):
		return 1
	}
	var m marks
	m.scan(b)
	return m.events()
}
