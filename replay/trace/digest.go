package trace

import (
	"encoding/binary"
	"unsafe"
)

// Digester glances at lines in the place of a reader that runs elsewhere, and writes down what the reader needs of
// them. It holds the memory of the last line.
type Digester struct {
	line line
	own  bool // the last line for which a glance was enough was one of our own format
}

// digested are the types of the events whose glances are written down. A reader looks at more of the others.
var digested = [...]string{"ADDED", "MODIFIED", "DELETED"}

// longest is more than a text may have bytes, and an object labels, to be written down with one byte for that.
const longest = 256

// Glance does what Event.Glance does, or Decoder.Glance for our own format, and returns the same length. It is also 0
// for a line of which a reader needs more than what is written down.
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
	if d.code() < 0 || o.Kind == "Table" || o.Kind == "PartialObjectMetadata" || len(o.Metadata.sorted) >= longest {
		return 0
	}
	for _, s := range o.texts() {
		if len(*s) >= longest {
			return 0
		}
	}
	for i := range o.Metadata.sorted {
		if l := &o.Metadata.sorted[i]; len(l.name) >= longest || len(l.value) >= longest {
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

// Digested reads what a Digester has appended for a watch event to b. It returns what comes after it in b. The strings
// in e are parts of b.
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

// Digested does what Glance does for a line of n bytes, of which b has what a Digester has appended. It returns what
// comes after it in b.
func (d *Decoder) Digested(b []byte, offset int64, n int32) (rest []byte, err error) {
	l := &d.line
	l.T, l.ID = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	rest = l.Event.Digested(b[16:])
	d.now = max(d.now, l.T)
	d.t.Now = d.now
	return rest, d.event(nil, offset, n)
}
