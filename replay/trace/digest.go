package trace

import (
	"encoding/binary"
	"unsafe"
)

// Digester glances at lines for a reader in another thread, and writes down what that reader needs. It refers to the
// last line.
type Digester struct {
	line line
	own  bool // the last line for which a glance was enough was one of our own format
}

// digested are the types of the events that are written down. A reader needs more of the others than a glance reads.
var digested = [...]string{"ADDED", "MODIFIED", "DELETED"}

// tooLong is the length from which on a text, or a list of labels, isn't written down: a length has one byte.
const tooLong = 256

// Glance does what Event.Glance does, or Decoder.Glance for our own format, and returns the same length. It also returns
// 0 if a reader needs more of the line than Append writes down.
func (d *Digester) Glance(b []byte) int {
	n := d.glance(b)
	if n == 0 {
		d.own = !d.own
		if n = d.glance(b); n == 0 {
			d.own = !d.own
			return 0
		}
	}
	o := &d.line.Event.Object
	if d.code() < 0 || o.Kind == "Table" || o.Kind == "PartialObjectMetadata" || len(o.Metadata.sorted) >= tooLong {
		return 0
	}
	for _, s := range o.texts() {
		if len(*s) >= tooLong {
			return 0
		}
	}
	for i := range o.Metadata.sorted {
		if l := &o.Metadata.sorted[i]; len(l.name) >= tooLong || len(l.value) >= tooLong {
			return 0
		}
	}
	return n
}

// texts are the texts of an object that are written down, beside its labels.
func (o *Object) texts() [6]*string {
	m := &o.Metadata
	return [...]*string{&o.Kind, &o.APIVersion, &m.Name, &m.Namespace, &m.UID, &m.ResourceVersion}
}

// Own reports whether the last line was one of our own format.
func (d *Digester) Own() bool { return d.own }

func (d *Digester) glance(b []byte) int {
	if d.own {
		return d.line.glance(b, true)
	}
	return d.line.Event.Glance(b)
}

// code is the index of the event's type among digested, -1 where it isn't there.
func (d *Digester) code() int {
	for i, t := range digested {
		if d.line.Event.Type == t {
			return i
		}
	}
	return -1
}

// Append appends what the last Glance has read. Event.Digested and Decoder.Digested read it.
func (d *Digester) Append(to []byte) []byte {
	if d.own {
		to = binary.LittleEndian.AppendUint64(to, uint64(d.line.T))
		to = binary.LittleEndian.AppendUint64(to, uint64(d.line.ID))
	}
	o := &d.line.Event.Object
	to = append(to, byte(d.code()), byte(len(o.Metadata.sorted)))
	for _, s := range o.texts() {
		to = appendText(to, *s)
	}
	for i := range o.Metadata.sorted {
		l := &o.Metadata.sorted[i]
		to = appendText(appendText(to, l.name), l.value)
	}
	return to
}

// appendText isn't inlined, because the browser's program is weighed.
//
//go:noinline
func appendText(to []byte, s string) []byte { return append(append(to, byte(len(s))), s...) }

// nextText reads the text that begins b into s, as a part of b, and returns what comes after it. It isn't inlined either.
//
//go:noinline
func nextText(b []byte, s *string) []byte {
	n := int(b[0]) + 1
	*s = unsafe.String(unsafe.SliceData(b[1:]), n-1)
	return b[n:]
}

// Digested reads a watch event that a Digester has written down at the beginning of b, and returns the rest of b. The
// strings in e are parts of b.
func (e *Event) Digested(b []byte) (rest []byte) {
	e.Reset()
	o := &e.Object
	e.Type = digested[b[0]]
	labels := int(b[1])
	b = b[2:]
	for _, s := range o.texts() {
		b = nextText(b, s)
	}
	for range labels {
		var l label
		b = nextText(nextText(b, &l.name), &l.value)
		o.Metadata.sorted = append(o.Metadata.sorted, l)
	}
	return b
}

// Digested does what Glance does, for a line of n bytes that a Digester has written down at the beginning of b. It
// returns the rest of b.
func (d *Decoder) Digested(b []byte, offset int64, n int32) (rest []byte, err error) {
	l := &d.line
	l.T, l.ID = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	rest = l.Event.Digested(b[16:])
	d.now = max(d.now, l.T)
	d.t.Now = d.now
	return rest, d.event(nil, offset, n)
}
