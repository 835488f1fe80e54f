package convert

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/informerscope/informerscope/replay/trace"
)

var sktraceForm = form{
	id: "simkube", title: "a trace of SimKube", convert: (*conversion).sktrace, suffixes: []string{".sktrace"},
	knows: func(head []byte) bool {
		// A map of msgpack: a fixmap of up to 15 fields, a map 16 or a map 32.
		isMap := head[0]&0xf0 == 0x80 || head[0] == 0xde || head[0] == 0xdf
		return isMap && (bytes.Contains(head, []byte("\xaetrackedObjects")) || bytes.Contains(head, []byte("\xacapplied_objs")))
	},
}

// sktraceVersion is the version of SimKube's format that sktrace reads.
const sktraceVersion = 2

// sktrace reads a trace of SimKube. It is a map of msgpack. For each second with
// a change, it holds the objects applied and deleted.
func (c *conversion) sktrace() error {
	in := &offsets{r: c.in}
	s := &simkube{c: c, in: in, m: &msgpack{Reader: msgp.NewReaderSize(in, glance), limit: c.o.MaxLine}, begun: map[resource]bool{}}
	s.m.SetMaxStringLength(uint64(c.o.MaxLine))
	s.m.SetMaxRecursionDepth(trace.MaxDepth)
	c.live.limit = c.o.MaxObjects
	err := errors.Join(c.remark(VersionsMadeUp, 0, ""), c.remark(WholeSeconds, 0, ""), c.remark(AppliedOnly, 0, ""))
	if err != nil {
		return err
	}
	err = s.m.limited(s.read())
	if !s.begun[resource{version: "v1", resource: "pods", kind: "Pod"}] && len(s.begun) > 0 {
		err = errors.Join(err, fatal(c.remark(NoPods, 0, "")))
	}
	if f := (fatalError{}); errors.As(err, &f) {
		return f.error
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return c.problem(trace.Cut, 0, s.offset(), "it ends inside "+s.where())
	}
	// Nothing in msgpack marks the beginning of the next value, so reading ends here.
	return c.problem(trace.Damaged, 0, s.offset(), s.where()+": "+err.Error()+", and what comes after that can't be read")
}

// simkube reads a trace of SimKube.
type simkube struct {
	c       *conversion
	in      *offsets
	m       *msgpack
	version int64 // the last resourceVersion that was made up
	begun   map[resource]bool
	event   int  // the number of the event being read, from 1
	timed   bool // the time of that event is known
	waiting []simkubeObject
	size    int // the bytes in waiting
}

// simkubeObject is an object that was read before the time of its event.
type simkubeObject struct {
	raw     []byte
	deleted bool
}

// where names the part of the trace being read.
func (s *simkube) where() string {
	if s.event == 0 {
		return "what comes before the events"
	}
	return "event " + itoa(int64(s.event))
}

// offset returns how far the input has been read, in bytes.
func (s *simkube) offset() int64 { return s.in.read - int64(s.m.Buffered()) }

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

func (s *simkube) read() error {
	n, err := s.m.ReadMapHeader()
	if err != nil {
		return err
	}
	for range n {
		key, err := s.m.text()
		if err != nil {
			return err
		}
		switch string(key) {
		case "version":
			version, err := s.m.ReadInt64()
			if err != nil {
				return err
			}
			if version != sktraceVersion {
				return fatal(errors.New("a trace of SimKube in version " + itoa(version) + " of its format; version " + strconv.Itoa(sktraceVersion) + " is read"))
			}
		case "events":
			return s.events() // the engine needs nothing that follows them
		default:
			if err := s.m.Skip(); err != nil {
				return err
			}
		}
	}
	return nil
}

// events reads all events.
func (s *simkube) events() error {
	n, err := s.m.ReadArrayHeader()
	if err != nil {
		return err
	}
	for range n {
		s.event++
		s.timed = false
		fields, err := s.m.ReadMapHeader()
		if err != nil {
			return err
		}
		for range fields {
			if err := s.field(); err != nil {
				return err
			}
		}
		if err := s.late(); err != nil {
			return err
		}
	}
	return nil
}

// field reads one field of an event.
func (s *simkube) field() error {
	key, err := s.m.text()
	if err != nil {
		return err
	}
	switch string(key) {
	case "ts":
		ts, err := s.m.ReadInt64()
		if err != nil {
			return err
		}
		if ts < 0 || ts > 1<<40 {
			return errors.New("a time out of range")
		}
		s.c.at(time.Unix(ts, 0))
		s.timed = true
		return s.late()
	case "applied_objs", "deleted_objs":
		deleted := string(key) == "deleted_objs"
		n, err := s.m.ReadArrayHeader()
		if err != nil {
			return err
		}
		for range n {
			raw, err := s.m.json()
			switch {
			case errors.As(err, &valueError{}):
				err = s.problem(err)
			case err == nil:
				err = s.object(raw, deleted)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return s.m.Skip()
}

// object takes an object of the event being read. If the event's time isn't known
// yet, the object waits for it.
func (s *simkube) object(raw []byte, deleted bool) error {
	if !s.timed {
		if s.size += len(raw); s.size > s.c.o.MaxLine {
			return fatal(errors.New(s.where() + " is longer than " + itoa(int64(s.c.o.MaxLine)) + " bytes before its time is known, which is the limit"))
		}
		s.waiting = append(s.waiting, simkubeObject{bytes.Clone(raw), deleted})
		return nil
	}
	err := s.write(raw, deleted)
	if f := (fatalError{}); errors.As(err, &f) || err == nil {
		return err
	}
	return s.problem(err)
}

// problem reports an object that can't be read.
func (s *simkube) problem(err error) error {
	return fatal(s.c.problem(trace.Damaged, 0, s.offset(), s.where()+": "+err.Error()))
}

// late takes the objects that waited for their event's time.
func (s *simkube) late() error {
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
func (s *simkube) write(raw []byte, deleted bool) error {
	var o trace.Object
	if err := trace.Decode(raw, &o); err != nil {
		return err
	}
	if o.Kind == "" || o.Metadata.Name == "" {
		return errors.New("an object without kind or name")
	}
	r := resourceOf(strings.Clone(o.APIVersion), strings.Clone(o.Kind))
	if !s.begun[r] {
		s.begun[r] = true
		if err := s.c.list(r, itoa(s.version), nil); err != nil {
			return fatal(err)
		}
	}
	key, what, err := s.c.live.see(r, &o)
	if err != nil {
		return err
	}
	typ := "MODIFIED"
	switch {
	case deleted:
		typ = "DELETED"
		s.c.live.gone(key)
	case what == added || what == recreated:
		typ = "ADDED"
	}
	s.version++
	return fatal(s.c.event(r, typ, setResourceVersion(raw, itoa(s.version))))
}
