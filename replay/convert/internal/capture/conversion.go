// Package capture is what every format is read with: where the bytes of an input come from,
// its lines and values, the objects that are alive, and the trace that is written.
package capture

import (
	"bufio"
	"bytes"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

// Conversion is one input, or several of a kind, on the way to be a trace.
type Conversion struct {
	Out    wire.Writer   // the trace
	From   *Source       // the input that is read now
	Rest   []*Source     // the inputs that are read after it
	In     *bufio.Reader // From, uncompressed
	Empty  int64         // how many lines Lines has passed over since it called with one
	Live   Tracker
	Shared Shared // nil until a reader sets it

	// Findings has the remarks and problems that were written.
	Findings       *trace.Trace
	Several        bool // there are other Conversions, so problems name their inputs
	noted          []Note
	notUTF8        bool  // a problem says that some of the input is not UTF-8
	unrelated      int64 // values that are nothing of a capture
	firstUnrelated error // the first of them, with its place

	remarked map[remarked]bool // once is enough for most
}

// remarked is a Remark that was made.
type remarked struct{ id, detail string }

// New returns a Conversion of s, and of inputs that may be added to Rest.
func New(s *Source) *Conversion {
	return &Conversion{From: s, Live: Tracker{Limit: s.Limits.MaxObjects}}
}

// Shared is what the readers of a Conversion's inputs have in common.
type Shared interface {
	// Pending reports whether something is held back that End writes.
	Pending() bool
	// End is called after the last input.
	End() error
}

// Note is what is said of an input: a Remark or a Problem, whichever is set.
type Note struct {
	Remark  trace.Remark
	Problem trace.Problem
}

// Note adds what is said of the trace before it begins.
func (c *Conversion) Note(notes []Note) { c.noted = append(c.noted, notes...) }

// Convert reads the inputs to their end, and ends the trace. One of several that
// can't be read is a problem of the trace.
func (c *Conversion) Convert() error {
	all := append([]*Source{c.From}, c.Rest...)
	if together := c.From.Form.Together; together != nil && len(c.Rest) > 0 {
		if err := together(c, all); err != nil {
			return err
		}
		all = nil
	}
	for _, s := range all {
		err := c.read(s)
		if err != nil && (len(all) == 1 || c.Out.Broken != nil || errors.As(err, new(inflate.LimitError))) {
			return err
		}
		if err != nil {
			if err := c.Problem(trace.Source, 0, 0, err); err != nil {
				return err
			}
		}
		if len(all) > 1 {
			s.File, s.ReaderAt = nil, nil // what an archive holds in memory is let go
		}
	}
	return c.End()
}

// End ends the trace after the last input.
func (c *Conversion) End() error {
	if c.Shared != nil {
		if err := c.Shared.End(); err != nil {
			return err
		}
	}
	if c.Out.Trace == nil {
		for _, n := range c.noted {
			if n.Remark.ID == "" {
				return n.Problem
			}
		}
		if c.firstUnrelated != nil {
			return NoCapture{c.firstUnrelated}
		}
		return errNothing
	}
	if n := c.Out.Trace.Mended(); n > 0 && !c.notUTF8 {
		if err := c.Problem(trace.Encoding, 0, 0, fault.Number("placesNotUTF8 n", n)); err != nil {
			return err
		}
	}
	if err := c.writeNotes(); err != nil {
		return err
	}
	return c.Out.Finish()
}

const errNothing = fault.Plain("noEvents")

func (c *Conversion) read(s *Source) error {
	return c.ReadBy(s, func() error { return s.Form.Convert(c) })
}

// ReadBy opens an input as c.In, and reads it by convert.
func (c *Conversion) ReadBy(s *Source, convert func() error) error {
	in, closer, err := s.Open()
	if err != nil {
		return err
	}
	defer closer.Close()
	if b, _ := in.Peek(3); string(b) == "\ufeff" {
		in.Discard(3)
	}
	c.From, c.In = s, in
	switch l := s.Layout; {
	case l.Cut:
		err = c.Problem(trace.Damaged, 1, 0, fault.Plain("beginsInside"))
	case l.Above > 0:
		err = c.Remark(remarks.LinesAbove, l.Lines, "")
	}
	if err != nil {
		return err
	}
	c.unrelated = 0
	err = convert()
	if err != nil {
		return err
	}
	passed := int64(0)
	if w := s.wrapper; w != nil && w.lines > w.passed {
		passed = w.passed
	}
	return c.RemarkCounts("", Counted{remarks.LinesPassed, passed}, Counted{remarks.ValuesPassed, c.unrelated})
}

// NoCapture is the error for a value that is sound, and nothing of a capture, such as what the API server says of its
// resources. It is no damage.
type NoCapture struct{ Err error }

// Error returns the English sentence.
func (n NoCapture) Error() string { return n.Err.Error() }

// Fault returns the error within.
func (n NoCapture) Fault() error { return n.Err }

// Passes takes note of a value, at a place, that err says is NoCapture. It returns false for any other error.
func (c *Conversion) Passes(err error, line, offset int64) bool {
	var no NoCapture
	if !errors.As(err, &no) {
		return false
	}
	if c.firstUnrelated == nil {
		p := c.placed(trace.Problem{Line: line, Offset: offset, Err: no.Err})
		c.firstUnrelated = p
	}
	c.unrelated++
	return true
}

// Remark adds to what must be known about the trace; n counts, 0 for what is
// not counted.
func (c *Conversion) Remark(id string, n int64, detail string) error {
	if n == 0 {
		if c.remarked[remarked{id, detail}] {
			return nil
		}
		if c.remarked == nil {
			c.remarked = map[remarked]bool{}
		}
		detail = strings.Clone(detail)
		c.remarked[remarked{id, detail}] = true
	}
	c.noted = append(c.noted, Note{Remark: trace.Remark{ID: id, Count: n, Detail: strings.Clone(detail)}})
	return c.tellIfBegun()
}

// Counted is a remark about n things.
type Counted struct {
	ID string
	N  int64
}

// RemarkCounts makes the remarks whose number isn't 0.
func (c *Conversion) RemarkCounts(detail string, all ...Counted) error {
	for _, r := range all {
		if r.N > 0 {
			if err := c.Remark(r.ID, r.N, detail); err != nil {
				return err
			}
		}
	}
	return nil
}

// Problem reports a place of the input that can't be read. line and offset count in
// the uncompressed input, and are 0 if unknown.
func (c *Conversion) Problem(kind trace.ProblemKind, line, offset int64, why error) error {
	return c.Report(trace.Problem{Kind: kind, Line: line, Offset: offset, Err: why})
}

// Report says what is wrong with the input.
func (c *Conversion) Report(p trace.Problem) error {
	c.notUTF8 = c.notUTF8 || p.Kind == trace.Encoding
	c.noted = append(c.noted, Note{Problem: c.placed(p)})
	return c.tellIfBegun()
}

// placed returns p with the name of its input, if there are several, and with the place only as far as the layout
// of the input keeps places.
func (c *Conversion) placed(p trace.Problem) trace.Problem {
	p = c.Named(p)
	if c.From.Layout.Flat || c.From.wrapper != nil && c.From.wrapper.spread {
		p.Line = 0
	}
	if c.From.wrapper != nil {
		p.Offset = 0
	}
	return p
}

// Named returns p with the name of its input, if there are several.
func (c *Conversion) Named(p trace.Problem) trace.Problem {
	if len(c.Rest) > 0 || c.Several {
		p.Err = fault.New("named name why", c.From.Name, p.Err)
	}
	return p
}

func (c *Conversion) tellIfBegun() error {
	switch {
	case c.Out.Trace != nil, c.Shared != nil && c.Shared.Pending() && len(c.noted) > trace.MaxProblems:
		return c.writeNotes()
	case len(c.noted) > trace.MaxProblems && len(c.Rest) == 0:
		return c.noted[0].Problem
	}
	return nil
}

// writeNotes writes what was noted.
func (c *Conversion) writeNotes() error {
	if len(c.noted) == 0 {
		return nil
	}
	if err := c.Out.Begin(); err != nil {
		return err
	}
	for _, n := range c.noted {
		if n.Remark.ID != "" {
			c.Findings.AddRemark(n.Remark)
			if err := c.Out.Trace.Remark(c.Out.Now(), n.Remark); err != nil {
				return err
			}
			continue
		}
		c.Findings.Report(n.Problem)
		if err := c.Out.Trace.Problem(c.Out.Now(), n.Problem); err != nil {
			return err
		}
	}
	c.noted = c.noted[:0]
	return nil
}

// Form is one kind of capture.
type Form struct {
	ID string // as it stands in the header's "from", and in the page's catalogue
	// Matches reports whether an input of this form begins with head, uncompressed. At most
	// Glance bytes of it are there, which may end anywhere.
	Matches func(head []byte) bool
	// Suffixes of the names that such files have. They decide where nothing
	// knows what is in the input.
	Suffixes []string
	ByLine   bool // each value is one line
	// Lost returns how many watch events are lost with a line that can't be read. It is nil
	// for a form that has no lines, or no events.
	Lost func(line []byte) int64
	// Overlays says that such an input has no objects, and is laid over the others by time. When these begin is
	// the Start of its Conversion from the beginning on, and the zero Time where it isn't known.
	Overlays bool
	Convert  func(c *Conversion) error
	// Together reads several inputs of the form at once. It is nil where each is read on its
	// own.
	Together func(c *Conversion, all []*Source) error
}

// LostEvents returns how many watch events are lost with a line that can't be read.
func (f *Form) LostEvents(line []byte) int64 {
	if f.Lost == nil {
		return 0
	}
	return f.Lost(line)
}

// Tracker knows which objects are alive, for formats that don't say whether an object
// was added or modified.
type Tracker struct {
	Objects map[ObjectKey]*KnownObject // that are alive
	Limit   int                        // of their number

	resources map[api.Resource]*api.Resource // as they are asked for, for ObjectKeys
	last      *api.Resource
}

// ObjectKey names an object. Two that are made by the same Tracker are equal if
// they name the same.
type ObjectKey struct {
	R               *api.Resource
	Namespace, Name string
}

// Key returns the key of an object.
func (t *Tracker) Key(r api.Resource, namespace, name string) ObjectKey {
	if t.last == nil || !t.last.EqualWithoutKind(&r) {
		r = r.WithoutKind()
		if t.last = t.resources[r]; t.last == nil {
			if t.resources == nil {
				t.resources = map[api.Resource]*api.Resource{}
			}
			t.last = &r
			t.resources[r] = t.last
		}
	}
	return ObjectKey{t.last, namespace, name}
}

// KnownObject is what a Tracker knows of an object.
type KnownObject struct {
	UID, RV string
	Raw     []byte // nil if the Tracker doesn't keep it
	Dump    int    // the last dump with the object in it
}

// Status says what an object is to a Tracker.
type Status uint8

const (
	SameVersion  Status = iota // the known version
	Added                      // unknown until now
	Modified                   // known in another version
	Recreated                  // known by its name, with another uid
	OlderVersion               // older than the known version
)

// Record records an object, and says what happened to it. It copies the strings of o.
func (t *Tracker) Record(r api.Resource, o *trace.Object) (ObjectKey, Status, error) {
	m := &o.Metadata
	k := t.Key(r, m.Namespace, m.Name)
	old, ok := t.Objects[k]
	switch {
	case !ok:
		if len(t.Objects) >= t.Limit {
			return k, SameVersion, Fatal(TooManyObjects(t.Limit))
		}
		if t.Objects == nil {
			t.Objects = map[ObjectKey]*KnownObject{}
		}
		k.Namespace, k.Name = strings.Clone(m.Namespace), strings.Clone(m.Name)
		t.Objects[k] = &KnownObject{UID: strings.Clone(m.UID), RV: strings.Clone(m.ResourceVersion)}
		return k, Added, nil
	case old.RV == m.ResourceVersion && old.UID == m.UID && m.ResourceVersion != "":
		return k, SameVersion, nil
	case old.UID == m.UID && api.Number(m.ResourceVersion) != 0 && api.Number(m.ResourceVersion) < api.Number(old.RV):
		return k, OlderVersion, nil
	}
	what := Modified
	if old.UID != m.UID && old.UID != "" {
		what = Recreated
	}
	if old.UID != m.UID {
		old.UID = strings.Clone(m.UID)
	}
	old.RV = strings.Clone(m.ResourceVersion)
	return k, what, nil
}

// Retain holds on to an object's JSON.
func (t *Tracker) Retain(k ObjectKey, raw []byte, dump int) {
	old := t.Objects[k]
	old.Raw, old.Dump = bytes.Clone(raw), dump
}

// Forget forgets an object.
func (t *Tracker) Forget(k ObjectKey) { delete(t.Objects, k) }

// Version returns the resourceVersion that is known of an object, or "" if none is.
func (t *Tracker) Version(r api.Resource, o *trace.Object) string {
	old := t.Objects[t.Key(r, o.Metadata.Namespace, o.Metadata.Name)]
	if old == nil || old.UID != o.Metadata.UID {
		return ""
	}
	return old.RV
}

// TooManyObjects says that a limit of the number of objects has been reached.
func TooManyObjects(limit int) error {
	return fault.Number("manyAlive max", int64(limit))
}
