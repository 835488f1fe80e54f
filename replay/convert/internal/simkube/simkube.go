// Package simkube reads traces of SimKube.
package simkube

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Form is a trace of SimKube.
var Form = capture.Form{
	ID: "simkube", Convert: read, Suffixes: []string{".sktrace"},
	Matches: func(head []byte) bool {
		// A map of msgpack: a fixmap of up to 15 fields, a map 16 or a map 32.
		isMap := head[0]&0xf0 == 0x80 || head[0] == 0xde || head[0] == 0xdf
		return isMap && (bytes.Contains(head, []byte("\xaetrackedObjects")) || bytes.Contains(head, []byte("\xacapplied_objs")))
	},
}

// version is the version of SimKube's format that is read.
const version = 2

// read reads a trace of SimKube. It is a map of msgpack. For each second with
// a change, it holds the objects applied and deleted.
func read(c *capture.Conversion) error {
	in := &offsets{r: c.In}
	s := &reader{c: c, in: in, m: &msgpack{Reader: msgp.NewReaderSize(in, capture.Glance), limit: c.From.Limits.MaxLine}, begun: map[api.Resource]bool{}}
	s.m.SetMaxStringLength(uint64(c.From.Limits.MaxLine))
	s.m.SetMaxRecursionDepth(jsonscan.MaxDepth)
	err := capture.Join(c.Remark(remarks.VersionsMadeUp, 0, ""), c.Remark(remarks.WholeSeconds, 0, ""), c.Remark(remarks.AppliedOnly, 0, ""))
	if err != nil {
		return err
	}
	err = s.m.limited(s.read())
	if !s.begun[api.Resource{Version: "v1", Resource: "pods", Kind: "Pod"}] && len(s.begun) > 0 {
		err = capture.Join(err, capture.Fatal(c.Remark(remarks.NoPods, 0, "")))
	}
	if f := (capture.FatalError{}); errors.As(err, &f) {
		return f.Err
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return c.Problem(trace.Cut, 0, s.offset(), fault.Wrap("endsInside where", s.location()))
	}
	// Nothing in msgpack marks the beginning of the next value, so reading ends here.
	return c.Problem(trace.Damaged, 0, s.offset(), fault.New("unreadAfter where why", s.location(), err))
}

// reader reads a trace of SimKube.
type reader struct {
	c       *capture.Conversion
	in      *offsets
	m       *msgpack
	version int64 // the last resourceVersion that was made up
	begun   map[api.Resource]bool
	event   int  // the number of the event being read, from 1
	timed   bool // the time of that event is known
	waiting []object
	size    int // the bytes in waiting
}

// object is an object that was read before the time of its event.
type object struct {
	raw     []byte
	deleted bool
}

// location names the part of the trace being read.
func (s *reader) location() error {
	if s.event == 0 {
		return fault.Plain("beforeEvents")
	}
	return fault.Number("eventOf n", int64(s.event))
}

// offset returns how far the input has been read, in bytes.
func (s *reader) offset() int64 { return s.in.read - int64(s.m.Buffered()) }

// offsets counts the bytes read from r.
type offsets struct {
	r    io.Reader
	read int64
}

func (o *offsets) Read(b []byte) (int, error) {
	n, err := o.r.Read(b)
	o.read += int64(n)
	return n, err
}

func (s *reader) read() error {
	for range s.m.fields() {
		switch string(s.m.text()) {
		case "version":
			v, err := s.m.ReadInt64()
			if err != nil {
				return err
			}
			if v != version {
				return capture.Fatal(fault.New("simkubeVersion version reads", v, version))
			}
		case "events":
			return s.events() // the engine needs nothing that follows them
		default:
			s.m.failed = cmp.Or(s.m.failed, s.m.Skip())
		}
	}
	return s.m.failed
}

// events reads all events.
func (s *reader) events() error {
	for range s.m.items() {
		s.event++
		s.timed = false
		for range s.m.fields() {
			if err := s.field(); err != nil {
				return err
			}
		}
		if s.m.failed != nil {
			break
		}
		if err := s.flushPending(); err != nil {
			return err
		}
	}
	return s.m.failed
}

// field reads one field of an event.
func (s *reader) field() error {
	switch key := string(s.m.text()); key {
	case "ts":
		ts, err := s.m.ReadInt64()
		if err != nil {
			return err
		}
		if ts < 0 || ts > 1<<40 {
			return fault.Plain("timeOutOfRange")
		}
		s.c.Out.SetTime(time.Unix(ts, 0))
		s.timed = true
		return s.flushPending()
	case "applied_objs", "deleted_objs":
		for range s.m.items() {
			raw, err := s.m.json()
			switch {
			case errors.As(err, &valueError{}):
				err = s.problem(err)
			case err == nil:
				err = s.object(raw, key == "deleted_objs")
			}
			if err != nil {
				return err
			}
		}
		return s.m.failed
	}
	return cmp.Or(s.m.failed, s.m.Skip())
}

// object takes an object of the event being read. If the event's time isn't known
// yet, the object waits for it.
func (s *reader) object(raw []byte, deleted bool) error {
	if !s.timed {
		if s.size += len(raw); s.size > s.c.From.Limits.MaxLine {
			return capture.Fatal(fault.New("untimed where max", s.location(), s.c.From.Limits.MaxLine))
		}
		s.waiting = append(s.waiting, object{bytes.Clone(raw), deleted})
		return nil
	}
	err := s.write(raw, deleted)
	if f := (capture.FatalError{}); errors.As(err, &f) || err == nil {
		return err
	}
	return s.problem(err)
}

// problem reports an object that can't be read.
func (s *reader) problem(err error) error {
	return capture.Fatal(s.c.Problem(trace.Damaged, 0, s.offset(), fault.New("inEvent where why", s.location(), err)))
}

// flushPending takes the objects that waited for their event's time.
func (s *reader) flushPending() error {
	waiting := s.waiting
	s.waiting, s.size, s.timed = nil, 0, true
	for _, x := range waiting {
		if err := s.object(x.raw, x.deleted); err != nil {
			return err
		}
	}
	return nil
}

// write writes an object's event.
func (s *reader) write(raw []byte, deleted bool) error {
	var o trace.Object
	if err := o.Decode(raw); err != nil {
		return err
	}
	if o.Kind == "" || o.Metadata.Name == "" {
		return fault.Plain("objectNoKind")
	}
	r := api.ResourceOf(strings.Clone(o.APIVersion), strings.Clone(o.Kind))
	if !s.begun[r] {
		s.begun[r] = true
		if err := s.c.Out.List(r, api.Itoa(s.version), nil); err != nil {
			return capture.Fatal(err)
		}
	}
	key, what, err := s.c.Live.Record(r, &o)
	if err != nil {
		return err
	}
	typ := "MODIFIED"
	switch {
	case deleted:
		typ = "DELETED"
		s.c.Live.Forget(key)
	case what == capture.Added || what == capture.Recreated:
		typ = "ADDED"
	}
	s.version++
	return capture.Fatal(s.c.Out.Event(r, typ, api.SetResourceVersion(raw, api.Itoa(s.version))))
}

// msgpack reads msgpack and turns values into JSON: msgp's own way to do so ends
// with its input only, and writes numbers that are none.
type msgpack struct {
	*msgp.Reader
	limit  int // of a value as JSON: bytes
	out    []byte
	buf    []byte
	bad    error // of the value that is read
	failed error // nothing more can be read
}

// text reads a key, or another string; it is good until the next call.
func (m *msgpack) text() []byte {
	b, err := m.ReadStringAsBytes(m.buf)
	if m.failed = cmp.Or(m.failed, err); err != nil {
		return nil
	}
	m.buf = b[:0]
	return b
}

// fields counts the fields of a map, and items counts an array's, until something can't be read.
func (m *msgpack) fields() iter.Seq[int] { return m.times(m.ReadMapHeader()) }
func (m *msgpack) items() iter.Seq[int]  { return m.times(m.ReadArrayHeader()) }

func (m *msgpack) times(n uint32, err error) iter.Seq[int] {
	m.failed = cmp.Or(m.failed, err)
	return func(yield func(int) bool) {
		for i := 0; m.failed == nil && i < int(n) && yield(i); i++ {
		}
	}
}

// json reads the next value and returns it as JSON, which is good until the next
// call. After a valueError one can read on.
func (m *msgpack) json() ([]byte, error) {
	m.out, m.bad = m.out[:0], nil
	if m.value(0); m.failed != nil {
		return nil, m.failed
	}
	m.check()
	return m.out, m.bad
}

// valueError is an error in one value. What follows the value can be read.
type valueError struct{ error }

// Fault returns the error with an id.
func (e valueError) Fault() error { return e.error }

// refuse marks the value as bad. It is read to its end, and then skipped.
func (m *msgpack) refuse(why error) {
	if m.bad == nil {
		m.bad = valueError{why}
	}
	m.out = m.out[:0]
}

func (m *msgpack) check() {
	if len(m.out) > m.limit {
		m.refuse(fault.Number("longAsJSON max", int64(m.limit)))
	}
}

// limited says which limit err is about, if it is msgp's.
func (m *msgpack) limited(err error) error {
	switch {
	case errors.Is(err, msgp.ErrLimitExceeded):
		return fault.Number("longString max", int64(m.limit))
	case errors.Is(err, msgp.ErrRecursion):
		return api.ErrTooDeep
	}
	return err
}

func (m *msgpack) value(depth int) {
	if depth > jsonscan.MaxDepth {
		m.failed = api.ErrTooDeep
		return
	}
	m.check()
	t, err := m.NextType()
	switch {
	case err != nil:
	case t == msgp.MapType:
		m.out = append(m.out, '{')
		for i := range m.fields() {
			if i > 0 {
				m.out = append(m.out, ',')
			}
			m.out = append(jsonscan.AppendString(m.out, string(m.text())), ':')
			m.value(depth + 1)
		}
		m.out = append(m.out, '}')
	case t == msgp.ArrayType:
		m.out = append(m.out, '[')
		for i := range m.items() {
			if i > 0 {
				m.out = append(m.out, ',')
			}
			m.value(depth + 1)
		}
		m.out = append(m.out, ']')
	default:
		err = m.scalar(t)
	}
	m.failed = cmp.Or(m.failed, err)
}

// scalar reads a value that holds no others.
func (m *msgpack) scalar(t msgp.Type) error {
	switch t {
	case msgp.StrType:
		m.out = jsonscan.AppendString(m.out, string(m.text()))
		return nil
	case msgp.BinType:
		b, err := m.ReadBytesLimit(m.buf, int64(m.limit))
		m.out = append(m.out, '"')
		m.out = append(base64.StdEncoding.AppendEncode(m.out, b), '"')
		return err
	case msgp.BoolType:
		b, err := m.ReadBool()
		m.out = strconv.AppendBool(m.out, b)
		return err
	case msgp.NilType:
		m.out = append(m.out, "null"...)
		return m.ReadNil()
	case msgp.IntType:
		i, err := m.ReadInt64()
		m.out = strconv.AppendInt(m.out, i, 10)
		return err
	case msgp.UintType:
		u, err := m.ReadUint64()
		m.out = strconv.AppendUint(m.out, u, 10)
		return err
	case msgp.Float32Type, msgp.Float64Type:
		f, err := m.ReadFloat64()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			m.refuse(fault.Plain("infinite"))
		}
		m.out = strconv.AppendFloat(m.out, f, 'g', -1, 64)
		return err
	case msgp.TimeType:
		at, err := m.ReadTime()
		m.out = jsonscan.AppendString(m.out, at.UTC().Format(time.RFC3339Nano))
		return err
	}
	m.refuse(fault.Plain("noJSONValue"))
	return m.Skip()
}
