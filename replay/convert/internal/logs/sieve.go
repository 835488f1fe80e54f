package logs

import (
	"bytes"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

// Sieve is Sieve's log. It holds what the API server sent, and what the
// informers of the controller under test heard, did and read. Tabs separate the
// parts of a line.
var Sieve = capture.Form{
	ID: "sieve", Convert: readSieve,
	Knows: func(head []byte) bool { return head[0] != '{' && bytes.Contains(head, []byte("[SIEVE-")) },
}

// sieveMarks limits the notes on what a controller did.
const sieveMarks = 10_000

// sieveReader reads Sieve's log.
type sieveReader struct {
	c     *objects.Reader
	o     trace.Object // the object of the last line; its memory is used again
	raw   []byte       // the JSON of that object
	timed bool
	marks int64                        // notes so far, with those past sieveMarks
	heard map[capture.ObjectKey]string // the resourceVersion that the informer heard last
	gone  map[capture.ObjectKey]uint64 // the resourceVersion at which objects were deleted
}

func readSieve(c *capture.Conversion) error {
	s := &sieveReader{c: objects.Of(c), heard: map[capture.ObjectKey]string{}, gone: map[capture.ObjectKey]uint64{}}
	if err := c.Lines(func(line []byte, _, _ int64) error { return s.line(line) }); err != nil {
		return err
	}
	if s.marks > sieveMarks {
		return c.Remark(remarks.SieveMarks, s.marks-sieveMarks, "")
	}
	return nil
}

// line reads a line. A time may stand before the mark.
func (s *sieveReader) line(line []byte) error {
	const mark = "[SIEVE-"
	i := bytes.Index(line[:min(len(line), 1000)], []byte(mark))
	if i < 0 {
		return nil // another program wrote this line
	}
	name, rest, _ := bytes.Cut(line[i+len(mark):], []byte{']'})
	rest = bytes.TrimPrefix(rest, []byte{'\t'})
	if string(name) == "AFTER-HEAR" {
		return nil
	}
	s.clock(strings.TrimSpace(string(line[:i])))
	switch string(name) {
	case "API-EVENT": // type, key, kind, namespace, name, object
		parts := bytes.SplitN(rest, []byte{'\t'}, 6)
		if len(parts) < 6 {
			return fault.Plain("apiEventNoObject")
		}
		return s.sent(string(parts[0]), string(parts[2]), parts[5])
	case "BEFORE-HEAR": // number, type, kind, object
		parts := bytes.SplitN(rest, []byte{'\t'}, 4)
		if len(parts) < 4 {
			return fault.Plain("heardNoObject")
		}
		return s.hears(string(parts[1]), string(parts[2]), parts[3])
	}
	return s.mark(string(name), rest)
}

// clock sets the trace's clock by the time that stands before a mark. Go's log
// package writes whole seconds, kubectl logs --timestamps writes nanoseconds.
func (s *sieveReader) clock(before string) {
	before = before[:min(len(before), 40)]
	at, err := time.Parse("2006/01/02 15:04:05", before[:min(len(before), 19)])
	if err != nil {
		stamp, _, _ := strings.Cut(before, " ")
		at, err = time.Parse(time.RFC3339Nano, stamp)
	}
	s.timed = s.timed || err == nil && s.c.Out.Trace == nil
	switch {
	case !s.timed:
		s.c.Out.Space()
	case err == nil:
		s.c.Out.At(at)
	}
}

// object reads an object as Go marshals it. Its kind may be missing.
func (s *sieveReader) object(kind string, raw []byte) (api.Resource, *trace.Object, []byte, error) {
	o := &s.o
	if err := api.DecodeObject(raw, o); err != nil {
		return api.Resource{}, nil, nil, err
	}
	if o.Metadata.Name == "" {
		return api.Resource{}, nil, nil, fault.Plain("objectNoName")
	}
	hasKind, hasVersion := o.Kind != "", o.APIVersion != ""
	if !hasKind {
		o.Kind = kind
	}
	r := s.c.ResourceOf(o.APIVersion, o.Kind)
	if !hasKind || !hasVersion {
		s.raw = api.AppendWithKind(s.raw[:0], raw, r)
		raw = s.raw
	}
	return r, o, raw, nil
}

// sent reads a watch event of the API server.
func (s *sieveReader) sent(typ, kind string, raw []byte) error {
	r, o, raw, err := s.object(kind, raw)
	if err != nil {
		return err
	}
	typ = strings.ToUpper(typ)
	switch typ {
	case "DELETED":
		s.deleted(s.keyOf(r, o), o)
	case "ADDED", "MODIFIED":
		_, what, err := s.c.Live.See(r, o)
		if err != nil {
			return err
		}
		if what == capture.Same || what == capture.FromBefore {
			return nil // an informer has heard of it before this line was logged
		}
	default:
		return fault.Plain("apiEventType")
	}
	return capture.Fatal(s.c.Out.Event(r, typ, raw))
}

// hears reads what an informer heard, in the words of DeltaFIFO. If no API event
// was logged for it, hears adds one, because what an informer hears was sent.
func (s *sieveReader) hears(delta, kind string, raw []byte) error {
	r, o, raw, err := s.object(kind, raw)
	if err != nil {
		return err
	}
	m := &o.Metadata
	key := s.keyOf(r, o)
	call := trace.Called{Handler: "sieve " + o.Kind, Fn: trace.OnUpdate, Key: m.Name, RV: m.ResourceVersion}
	if m.Namespace != "" {
		call.Key = m.Namespace + "/" + m.Name
	}
	before, knew := s.heard[key]
	at, isGone := s.gone[key]
	isGone = isGone && api.Number(m.ResourceVersion) <= at // its deletion was sent before
	typ := ""
	switch delta {
	case "Deleted":
		call.Fn = trace.OnDelete
		delete(s.heard, key)
		if old := s.c.Live.Objects[key]; !isGone && (old == nil || api.Number(old.RV) <= api.Number(m.ResourceVersion)) {
			typ = "DELETED"
			s.deleted(key, o)
		}
	case "Added", "Updated", "Replaced", "Sync":
		if call.OldRV = before; !knew {
			call.Fn = trace.OnAdd
			// What a Replace brings is the initial list, or a relist.
			call.Initial = delta == "Replaced" || delta == "Sync"
		}
		if len(s.heard) >= s.c.From.Limits.MaxObjects {
			return capture.Fatal(capture.TooManyObjects(s.c.From.Limits.MaxObjects))
		}
		s.heard[key] = strings.Clone(m.ResourceVersion)
		if isGone {
			break
		}
		_, what, err := s.c.Live.See(r, o)
		if err != nil {
			return err
		}
		switch what {
		case capture.Added, capture.Recreated:
			typ = "ADDED"
		case capture.Modified:
			typ = "MODIFIED"
		}
	default:
		return fault.Plain("deltaType")
	}
	if err := s.c.Remark(remarks.SieveCalls, 0, ""); err != nil {
		return capture.Fatal(err)
	}
	if typ != "" {
		if err := s.c.Out.Event(r, typ, raw); err != nil {
			return capture.Fatal(err)
		}
	}
	return capture.Fatal(s.c.Out.Called(call))
}

// deleted records that an object is gone. The informer may hear of it later.
func (s *sieveReader) deleted(key capture.ObjectKey, o *trace.Object) {
	s.c.Live.Gone(key)
	if len(s.gone) >= min(sieveGone, s.c.From.Limits.MaxObjects) {
		clear(s.gone)
	}
	s.gone[key] = api.Number(o.Metadata.ResourceVersion)
}

// sieveGone limits the deleted objects that a sieveReader remembers.
const sieveGone = 100_000

func (s *sieveReader) keyOf(r api.Resource, o *trace.Object) capture.ObjectKey {
	return s.c.Live.Key(r, strings.Clone(o.Metadata.Namespace), strings.Clone(o.Metadata.Name))
}

// mark writes a note on a reconcile, a write or a read of a controller.
func (s *sieveReader) mark(name string, rest []byte) error {
	const longest = 200
	if s.marks++; s.marks > sieveMarks {
		return nil
	}
	text := strings.ToLower(strings.ReplaceAll(name, "-", " "))
	for p := range bytes.SplitSeq(rest, []byte{'\t'}) {
		if p = bytes.TrimSpace(p); len(p) > 0 && p[0] != '{' && p[0] != '[' { // objects are too long for a note
			text += " " + string(p[:min(len(p), longest)])
		}
		if len(text) > longest {
			break
		}
	}
	text = strings.ToValidUTF8(text[:min(len(text), longest)], "")
	return capture.Fatal(s.c.Out.Mark(text))
}
