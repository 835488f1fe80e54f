package trace

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/informerscope/informerscope/engine/object"
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

// Digester glances at lines for a reader in another thread, and writes down what that reader needs. It refers to the
// last line.
type Digester struct {
	line      line
	ownFormat bool // the last line for which a glance was enough was one of our own format
}

// digestedTypes are the types of the events that are written down. A reader needs more of the others than a glance reads.
var (
	digestedTypes = [...]string{"ADDED", "MODIFIED", "DELETED"}
	recordedTypes = [...]Type{TypeAdded, TypeModified, TypeDeleted} // the same
)

// tooLong is the length from which on a text, or a list of labels, isn't written down: a length has one byte.
const tooLong = 256

// Glance does what Event.Glance does, or Decoder.Glance for our own format, and returns the same length. It also returns
// 0 if a reader needs more of the line than Append writes down.
func (d *Digester) Glance(b []byte) int {
	n := d.glance(b)
	if n == 0 {
		d.ownFormat = !d.ownFormat
		if n = d.glance(b); n == 0 {
			d.ownFormat = !d.ownFormat
			return 0
		}
	}
	o := &d.line.Event.Object
	if d.code() < 0 || o.Kind == "Table" || o.Kind == "PartialObjectMetadata" || len(o.Metadata.labels) >= tooLong {
		return 0
	}
	var number bool // a version that is none has a number in a Table only
	if o.Metadata.rv, number = object.ParseRV(o.Metadata.ResourceVersion); !number {
		return 0
	}
	for _, s := range o.texts() {
		if len(*s) >= tooLong {
			return 0
		}
	}
	for i := range o.Metadata.labels {
		if l := &o.Metadata.labels[i]; len(l.name) >= tooLong || len(l.value) >= tooLong {
			return 0
		}
	}
	return n
}

// texts returns the texts of an object that are written down, beside its labels.
func (o *Object) texts() [5]*string {
	m := &o.Metadata
	return [...]*string{&o.Kind, &o.APIVersion, &m.Name, &m.Namespace, &m.UID}
}

// IsTrace reports whether the last line was one of our own format.
func (d *Digester) IsTrace() bool { return d.ownFormat }

func (d *Digester) glance(b []byte) int {
	if d.ownFormat {
		return d.line.glance(b, true)
	}
	return d.line.Event.Glance(b)
}

// code returns the index of the event's type among digestedTypes, -1 where it isn't there.
func (d *Digester) code() int {
	for i, t := range digestedTypes {
		if d.line.Event.Type == t {
			return i
		}
	}
	return -1
}

// Append appends what the last Glance has read. NextDigested and Decoder.Digested read it.
//
// The head has a fixed size, and the texts follow. All versions of an object have the same texts while its labels stay
// the same, so a reader that has seen one version passes over the texts of the others.
func (d *Digester) Append(to []byte) []byte {
	if d.ownFormat {
		to = binary.LittleEndian.AppendUint64(to, uint64(d.line.T))
		to = binary.LittleEndian.AppendUint64(to, uint64(d.line.ID))
	}
	o := &d.line.Event.Object
	to = binary.LittleEndian.AppendUint64(to, uint64(o.Metadata.rv))
	at := len(to)
	to = append(to, make([]byte, digestedHead-8)...)
	to = append(to, byte(len(o.Metadata.labels)))
	for _, s := range o.texts() {
		to = appendText(to, *s)
	}
	for i := range o.Metadata.labels {
		l := &o.Metadata.labels[i]
		to = appendText(appendText(to, l.name), l.value)
	}
	texts := to[at+digestedHead-8:]
	binary.LittleEndian.PutUint64(to[at:], object.Hash(texts))
	binary.LittleEndian.PutUint32(to[at+8:], uint32(len(texts)<<2|d.code()))
	return to
}

// appendText appends s with its length. It isn't inlined, because the browser's program is weighed.
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

// digestedHead is the length of what stands before the texts of an event: its resourceVersion, the hash of the texts,
// and their length with the event's type.
const digestedHead = 8 + 8 + 4

// Digested is a watch event as a Digester has written it down. It refers to the bytes that it was read from.
type Digested struct {
	hash  uint64 // of the texts, and never 0
	rv    object.RV
	code  int32 // of digestedTypes
	texts []byte
}

// NextDigested reads the event that a Digester has written down at the beginning of b, and returns the rest of b.
func NextDigested(b []byte) (g Digested, rest []byte) {
	n := binary.LittleEndian.Uint32(b[16:])
	g.rv, g.hash, g.code = object.RV(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint64(b[8:])|1, int32(n&3)
	b = b[digestedHead:]
	g.texts = b[:n>>2]
	return g, b[n>>2:]
}

// Unpack reads all of g into e. The strings in e are parts of what g was read from.
func (e *Event) Unpack(g *Digested) {
	e.Reset()
	b, o := g.texts, &e.Object
	e.Type, e.digest, o.Metadata.rv = digestedTypes[g.code], g.hash, g.rv
	labels := int(b[0])
	b = b[1:]
	for _, s := range o.texts() {
		b = nextText(b, s)
	}
	for range labels {
		var l label
		b = nextText(nextText(b, &l.name), &l.value)
		o.Metadata.labels = append(o.Metadata.labels, l)
	}
}

// Digested does what Glance does, for a line of n bytes that a Digester has written down at the beginning of b. It
// returns the rest of b.
func (d *Decoder) Digested(b []byte, offset int64, n int32) (rest []byte, err error) {
	l := &d.line
	l.T, l.ID = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	g, rest := NextDigested(b[16:])
	d.tick(l.T)
	x, err := d.watch()
	if x == nil {
		return rest, err
	}
	r, src := x.reader.r, object.Source{Offset: offset, Length: n, Item: -1}
	if !r.AddAgain(d.now, x.number, &g, src) {
		l.Event.Unpack(&g)
		r.AddEvent(d.now, x.number, &l.Event, nil, src)
	}
	if g.rv != 0 {
		x.reader.rv = g.rv
	}
	return rest, nil
}

// numKnown is how many objects a Trace finds by the hash of their texts. It is a power of two.
const numKnown = 1 << 16

// digestedObject is an object that was digested. The hash of its texts gives it one of numKnown places, and it stays there until
// another object gets the place. Hashes of 64 bits are compared, and texts are not. An event is compared with one object,
// so one in ten thousand million captures of a thousand million events has an event that is taken for another object's.
// A capture that was made with two equal hashes shows one object where there are two.
type digestedObject struct {
	hash     uint64
	key      uint64 // the hash of its namespace and name
	ref      object.Ref
	resource int32 // the number of its Resource
}

// AddAgain does what AddEvent does for the event of g, if its object is known. Otherwise it does nothing. It reports
// whether it has added a record.
func (r *Resource) AddAgain(at int64, request int32, g *Digested, src object.Source) bool {
	all := r.trace.known
	if all == nil {
		return false
	}
	k := &all[g.hash/2%numKnown]
	if k.hash != g.hash || k.resource != r.number {
		return false
	}
	rec := Record{Time: at, Request: request, Kind: WatchEvent, Type: recordedTypes[g.code], RV: g.rv}
	rec.Obj = r.Table.AddAgain(k.ref, rec.RV, src)
	r.last[r.Table.UIDOf(rec.Obj)] = rec.Obj
	r.checkEvent(k.key, &rec, src.Offset)
	r.Append(rec)
	return true
}

// remember takes note of the object of an event that was digested. It passes over those that have no name or are of
// another kind than the others of the Resource: AddEvent treats them in another way.
func (r *Resource) remember(e *Event, rec *Record) {
	m := &e.Object.Metadata
	if m.Name == "" || rec.Failure != NoFailure {
		return
	}
	if r.trace.known == nil {
		r.trace.known = new([numKnown]digestedObject)
	}
	r.trace.known[e.digest/2%numKnown] = digestedObject{e.digest, m.hash(), rec.Obj, r.number}
}
