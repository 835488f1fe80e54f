package format

import "bytes"

// lost counts the watch events in bytes that can't be read, by the types that still
// stand there. The bytes come in parts of any size.
type lost struct {
	events int64
	held   []byte // the end of the last part, which may be a part of a type
}

// eventTypes are what is looked for.
var eventTypes = [...]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"}

// longestType is how long the longest event type can be, with the field's name before it.
const longestType = len(`"type": "MODIFIED"`)

// add looks through another part.
func (l *lost) add(b []byte) {
	const tail = longestType - 1
	if n := len(l.held); n > 0 {
		joint := append(l.held, b[:min(len(b), tail)]...)
		if len(b) < tail {
			l.events += eventsBefore(joint, len(joint)-tail)
			l.hold(joint)
			return
		}
		l.events += eventsBefore(joint, n)
	}
	l.events += eventsBefore(b, len(b)-tail)
	l.hold(b)
}

// hold keeps what may be the beginning of a type that goes on in the next part.
func (l *lost) hold(b []byte) {
	l.held = append(l.held[:0], b[max(len(b)-longestType+1, 0):]...)
}

// count is how many events there were in all parts.
func (l *lost) count() int64 {
	n := l.events + eventsBefore(l.held, len(l.held))
	*l = lost{held: l.held[:0]}
	return n
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

// EventsIn is how many watch events are lost with b, which can't be read. It is
// at least one, unless b is something else than a watch event.
func EventsIn(b []byte) int64 { return max(eventsBefore(b, len(b)), atLeast(b)) }

// atLeast is 0 where what begins b is a list, or a line of our own format that holds no
// event, and else 1.
func atLeast(b []byte) int64 {
	const looked = 256
	b = bytes.TrimLeft(b[:min(len(b), looked)], " \t\r\n")
	if bytes.Contains(b, []byte(`List"`)) || bytes.Contains(b, []byte(`"items"`)) || bytes.HasPrefix(b, []byte(`{"t":`)) && !bytes.Contains(b, []byte(`"event"`)) {
		return 0
	}
	return 1
}
