package format

import "bytes"

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
