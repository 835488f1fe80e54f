package convert

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// group puts inputs together that are read as one. Lists, and files that hold one object
// each, go together because a list is read as its difference from the state before. Some
// other formats ask for it too.
func group(sources []*capture.Source) []*capture.Conversion {
	var all []*capture.Conversion
	var state *capture.Conversion
	first := map[string]*capture.Conversion{}
	for _, s := range sources {
		id := s.Form.ID
		if s.Alone {
			id = "list"
		}
		if c := first[id]; c != nil {
			c.Rest = append(c.Rest, s)
			continue
		}
		c := capture.New(s)
		if id == "list" {
			state = c
		}
		if id == "list" || s.Form.Together != nil {
			first[id] = c
		}
		all = append(all, c)
	}
	if state != nil && len(state.Rest) > 0 {
		sortLists(state)
	}
	return all
}

// formats returns the identifiers of the formats of c's inputs.
func formats(c *capture.Conversion) []string {
	ids := []string{c.From.Form.ID}
	for _, s := range c.Rest {
		ids = append(ids, s.Form.ID)
	}
	return ids
}

// joined returns the identifiers of formats as a header has them.
func joined(ids []string) string {
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), "+")
}

// sortLists puts lists in the order in which they were made, as far as that can
// be told: by their own resourceVersions, or else by their files' names. Objects
// that are alone come after them.
func sortLists(c *capture.Conversion) {
	lists := append([]*capture.Source{c.From}, c.Rest...)
	versions := map[*capture.Source]uint64{}
	for _, s := range lists {
		if !s.Alone {
			versions[s] = listVersion(s)
		}
	}
	known := !slices.ContainsFunc(lists, func(s *capture.Source) bool { return versions[s] == 0 && !s.Alone })
	slices.SortStableFunc(lists, func(a, b *capture.Source) int {
		if a.Alone != b.Alone {
			if b.Alone {
				return -1
			}
			return 1
		}
		if known && versions[a] != versions[b] {
			return cmp.Compare(versions[a], versions[b])
		}
		return strings.Compare(a.Name, b.Name)
	})
	c.From, c.Rest = lists[0], lists[1:]
}

// listVersion returns the resourceVersion of the list at the source's beginning. It
// returns 0 if there is no list, or if the items stand before the resourceVersion.
func listVersion(s *capture.Source) uint64 {
	r, closer, err := s.Open()
	if err != nil {
		return 0
	}
	defer closer.Close()
	head, _ := r.Peek(capture.Glance)
	from, to, ok := jsonscan.Field(head, "metadata")
	if !ok {
		return 0
	}
	return api.Number(api.FirstField(head[from:to], "resourceVersion"))
}

// hasObjects reports whether c may have objects in it, as a log doesn't.
func hasObjects(c *capture.Conversion) bool { return !c.From.Form.Overlays }

// merged is one conversion on its way into a common trace.
type merged struct {
	*capture.Conversion
	from   []string // the formats of its inputs
	next   func() (line, error, bool)
	stop   func()
	line   line
	ahead  []line          // that come after it
	ids    map[int64]int64 // of requests, writes and reconciles, in the common trace
	newest uint64          // the highest resourceVersion up to the last line ahead
	order  int
	bad    error // why it ends early
}

// maxAhead is how many lines are looked ahead at most.
const maxAhead = 100

// line is one line of a trace in parts: what must be changed, and the rest.
type line struct {
	t, id, in int64
	rv        uint64
	rest      []byte // from the comma after t, id and in on
}

// merge writes several conversions as one trace. Those with times are put on
// one clock; those without are put among the others by their resourceVersions,
// which a whole cluster counts together.
func merge(w io.Writer, all []*capture.Conversion) (err error) {
	var live []*merged
	defer func() {
		for _, m := range live {
			m.stop()
		}
	}()
	for i, c := range all {
		m := &merged{Conversion: c, from: formats(c), ids: map[int64]int64{}, order: i}
		m.next, m.stop = iter.Pull2(records(c))
		live = append(live, m)
		if !c.From.Form.Overlays {
			m.advance()
		}
	}
	if !slices.ContainsFunc(live, func(m *merged) bool { return m.line.rest != nil }) {
		for _, m := range live {
			if m.bad != nil {
				return m.bad
			}
		}
	}
	h, start := commonHeader(live)
	for _, m := range live {
		if m.From.Form.Overlays {
			m.Out.Start = start
			m.advance()
		}
	}
	out, err := trace.NewWriter(w, h)
	if err != nil {
		return err
	}
	var now, ids int64
	left, ended := slices.Clone(live), false // ended: nothing is left but logs
	for {
		for _, m := range left {
			if errors.As(m.bad, new(capture.NoCapture)) && m.From.Loose {
				m.bad = nil
				if err := out.Remark(now, trace.Remark{ID: remarks.PassedOver, Count: 1}); err != nil {
					return err
				}
			}
			if m.bad != nil {
				p := trace.Problem{Kind: trace.Source, Err: m.bad}
				m.bad = nil
				m.Findings.Report(p)
				if err := out.Problem(now, p); err != nil {
					return err
				}
			}
		}
		left = slices.DeleteFunc(left, func(m *merged) bool { return m.line.rest == nil })
		if len(left) == 0 {
			return nil
		}
		ended = ended || !slices.ContainsFunc(left, func(m *merged) bool { return hasObjects(m.Conversion) })
		m := slices.MinFunc(left, func(a, b *merged) int { return a.compare(b, start) })
		if ended && m.commonTime(start) > now && m.line.isMark() {
			if err := m.passOver(out, now); err != nil {
				return err
			}
			continue
		}
		switch {
		case ended: // what is said of a log at its end
		case !m.Out.Header.Spaced:
			now = max(now, m.commonTime(start))
		case h.Spaced && m.line.rv != 0:
			now += wire.Spacing
		}
		anew := func(id int64) int64 {
			if id != 0 && m.ids[id] == 0 {
				ids++
				m.ids[id] = ids
			}
			return m.ids[id]
		}
		if err := out.Restamped(now, anew(m.line.id), anew(m.line.in), m.line.rest); err != nil {
			return err
		}
		m.advance()
	}
}

// passOver passes over the entries of a log from after the end, which come last.
func (m *merged) passOver(out *trace.Writer, now int64) error {
	r := trace.Remark{ID: remarks.LogOutside, Detail: m.From.Name}
	for m.line.rest != nil && m.line.isMark() {
		r.Count++
		m.advance()
	}
	m.Findings.AddRemark(r)
	return out.Remark(now, r)
}

// commonHeader returns the header for all of them, and the moment that it gives as
// the start; the zero Time where none is known.
func commonHeader(all []*merged) (h trace.Header, start time.Time) {
	h.Recorder = "informerscope convert"
	h.Spaced = true
	var from, notes []string
	for _, m := range all {
		from = append(from, m.from...)
		if m.From.Form.Overlays {
			continue
		}
		h.Spaced = h.Spaced && m.Out.Header.Spaced
		h.Truncated = h.Truncated || m.Out.Header.Truncated
		h.Redacted = append(h.Redacted, m.Out.Header.Redacted...)
		h.Server = cmp.Or(h.Server, m.Out.Header.Server)
		if m.Out.Header.Note != "" {
			notes = append(notes, m.Out.Header.Note)
		}
		if t := m.startTime(); !t.IsZero() && (start.IsZero() || t.Before(start)) {
			start = t
		}
	}
	h.From = joined(from)
	h.Note = strings.Join(notes, "; ")
	if !start.IsZero() {
		h.Start = start.UTC().Format(time.RFC3339Nano)
	}
	return h, start
}

// startTime returns the time in m's header, or the zero Time if the header has none.
func (m *merged) startTime() time.Time {
	t, err := time.Parse(time.RFC3339Nano, m.Out.Header.Start)
	if err != nil {
		return time.Time{}
	}
	return t
}

// commonTime returns the time of m's next line on the common clock.
func (m *merged) commonTime(start time.Time) int64 {
	t := m.line.t
	if b := m.startTime(); !b.IsZero() {
		t += int64(b.Sub(start))
	}
	return t
}

// compare orders m and o by their next lines.
func (m *merged) compare(o *merged, start time.Time) int {
	if !m.Out.Header.Spaced && !o.Out.Header.Spaced {
		return cmp.Or(cmp.Compare(m.commonTime(start), o.commonTime(start)), cmp.Compare(m.order, o.order))
	}
	return cmp.Or(cmp.Compare(m.newest, o.newest), cmp.Compare(m.order, o.order))
}

// advance takes the next line, if there is one. In an input without times, a request
// waits for its answer, because only the answer has a resourceVersion to order the
// two by.
func (m *merged) advance() {
	if len(m.ahead) > 0 {
		m.line, m.ahead = m.ahead[0], m.ahead[1:]
		return
	}
	for {
		l, err, ok := m.next()
		if err != nil {
			m.bad = capture.Named(m.From.Name, err)
			l, ok = line{}, false
		}
		if ok {
			m.newest = max(m.newest, l.rv)
		}
		if ok && m.Out.Header.Spaced && l.isRequest() && len(m.ahead) < maxAhead {
			l.rest = bytes.Clone(l.rest)
			m.ahead = append(m.ahead, l)
			continue
		}
		m.ahead = append(m.ahead, l)
		m.line, m.ahead = m.ahead[0], m.ahead[1:]
		return
	}
}

// isRequest reports whether l is a request, or the head of an answer.
func (l line) isRequest() bool {
	return bytes.HasPrefix(l.rest, []byte(`"req"`)) || bytes.HasPrefix(l.rest, []byte(`"resp"`))
}

// isMark reports whether l is a note, or an entry of a log.
func (l line) isMark() bool { return bytes.HasPrefix(l.rest, []byte(`"mark"`)) }

// records returns the lines of c's trace without its header, which is in c.Header by
// the time of the first one. A line is good until the next one is asked for.
func records(c *capture.Conversion) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		s := &splitLines{yield: yield}
		c.Out.Sink = s
		if err := c.Convert(); err != nil && !s.stopped {
			yield(line{}, err)
		}
	}
}

// splitLines takes the lines of a trace apart.
type splitLines struct {
	yield   func(line, error) bool
	begun   bool
	stopped bool
}

func (s *splitLines) Write(b []byte) (int, error) {
	if !s.begun { // the header
		s.begun = true
		return len(b), nil
	}
	whole := bytes.TrimSuffix(b, []byte{'\n'})
	l, err := readPlace(whole)
	if err != nil {
		return 0, err
	}
	var ok bool
	if l.rest, ok = trace.WithoutStamp(whole); !ok {
		return 0, fault.Plain("noTraceLine")
	}
	if !s.yield(l, nil) {
		s.stopped = true
		return 0, wire.ErrStopped
	}
	return len(b), nil
}

// readPlace reads what a line's place in another trace depends on: its t, id and in, and the
// resourceVersion of what it brings.
func readPlace(b []byte) (l line, err error) {
	r := jsonscan.NewReader(b)
	for name := range r.Fields("t", "id", "in", "event", "body") {
		switch name {
		case "t":
			r.Int64(&l.t)
		case "id":
			r.Int64(&l.id)
		case "in":
			r.Int64(&l.in)
		case "event":
			for range r.Fields("object") {
				l.readVersion(&r)
			}
		case "body":
			l.readVersion(&r)
		}
	}
	return l, trace.Misread(r.End())
}

// readVersion reads the resourceVersion of an object or a list, if it is the newest of the line.
func (l *line) readVersion(r *jsonscan.Reader) {
	for range r.Fields("metadata") {
		for range r.Fields("resourceVersion") {
			var rv string
			r.Text(&rv)
			l.rv = max(l.rv, api.Number(rv))
		}
	}
}

// traceForm is informerscope's own format.
var traceForm = capture.Form{
	ID: "trace", Matches: isTrace,
	Suffixes: []string{".trace.jsonl"}, Convert: readOwn, Lost: format.EventsIn,
}

// isTrace reports whether head begins with our own format's header.
func isTrace(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return bytes.HasPrefix(head, []byte{'{'}) && jsonscan.WithinMaxDepth(line) && trace.IsHeader(line)
}

// readOwn passes lines of our own format on as they are. A line that isn't JSON is left out.
// What is wrong with the trace that is passed on is counted and not written: whoever
// reads it finds the same.
func readOwn(c *capture.Conversion) error {
	var t trace.Trace
	var d *trace.Decoder
	err := c.Lines(func(line []byte, offset, number int64) error {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
			return nil
		case !jsonscan.WithinMaxDepth(line):
			return api.ErrTooDeep
		case d == nil:
			var err error
			d, err = ownHeader(c, &t, line)
			return capture.Fatal(err)
		}
		x, err := readPlace(line)
		if err != nil {
			return err
		}
		c.Out.Offset(x.t)
		if err := d.Line(line, offset); err != nil {
			t.Report(trace.Problem{Kind: trace.Damaged, Line: number, Offset: offset, Err: err, Lost: c.From.Form.LostEvents(line)})
		}
		forget(&t)
		return capture.Fatal(c.Out.Trace.Raw(line))
	})
	untold, lost := t.ProblemCount-int64(len(t.Problems)), t.Lost // of the problems that t has no room for
	gaps := t.Gaps
	for _, p := range t.Problems {
		lost -= p.Lost
		if p.Kind == trace.Missing {
			gaps--
		}
	}
	for i, p := range t.Problems {
		if i == 0 {
			p.Lost += lost
			c.Findings.ProblemCount += untold
			c.Findings.Gaps += gaps
		}
		c.Findings.Report(c.Named(p))
	}
	return err
}

// forgetBy is how many records of a resource are held before they are forgotten.
const forgetBy = 1 << 14

// forget lets go of records and versions of objects that have been looked at.
func forget(t *trace.Trace) {
	for _, r := range t.Resources {
		if len(r.Records) < forgetBy {
			continue
		}
		r.Forget(r.FirstKept() - r.Forgotten)
		live := r.Table.Live()
		for i := range r.Records {
			live.Ref(r.Records[i].Obj)
		}
		r.Table.Sweep(live)
	}
}

// ownHeader begins a trace with the header of another, which is read into t.
func ownHeader(c *capture.Conversion, t *trace.Trace, line []byte) (*trace.Decoder, error) {
	d, err := trace.NewDecoder(t, line)
	if err != nil {
		return nil, err
	}
	c.Out.Header = t.Header
	return d, c.Out.Begin()
}

// Arrivals makes a trace of a capture that somebody is still writing, and each event gets the
// time at which it came. Whoever reads the capture calls Pause where nothing has come for a
// while: kubectl doesn't say in any other way where its first list ends. Each method takes the
// time of day, which must not go back, and returns an error where the trace can't be written.
type Arrivals struct {
	c     *capture.Conversion
	split *format.Reader
	first *objects.First
	time  time.Time
	stop  error // that ended the trace
}

// Arriving reports whether a capture that begins with head can be read by Arrivals: it holds
// watch events, objects or lists in JSON.
func Arriving(head []byte) bool {
	f := formOf(bytes.TrimLeft(head, " \t\r\n"))
	return f != nil && slices.ContainsFunc(objects.Forms, func(form capture.Form) bool { return form.ID == f.ID })
}

// NewArrivals returns an Arrivals that writes to w, one line with each call. The capture began
// at start, and begins with head.
func NewArrivals(w io.Writer, start time.Time, head []byte) *Arrivals {
	form := formOf(bytes.TrimLeft(head, " \t\r\n"))
	c := capture.New(&capture.Source{Form: form, Limits: Options{}.limits()})
	c.Findings = &trace.Trace{}
	c.Out.Sink, c.Out.Start = w, start
	c.Out.Header = trace.Header{From: form.ID}
	r := objects.ReaderOf(c)
	a := &Arrivals{c: c, first: objects.NewFirst(r)}
	v := &objects.Value{}
	a.split = format.NewSplitter(format.Options{MaxLine: c.From.Limits.MaxLine}, v.Read, func(b []byte, _, _ int64) error {
		if a.stop != nil {
			return nil
		}
		if !a.first.Take(v, b) {
			a.fail(a.first.End())
			c.Out.SetTime(a.time)
			return a.problem(r.Object(v, b))
		}
		c.Out.SetTime(a.time)
		return nil
	}, func(p trace.Problem) { a.fail(c.Report(p)) })
	a.fail(c.Remark(remarks.Arrivals, 0, ""))
	return a
}

// fail keeps the first error that ends the trace.
func (a *Arrivals) fail(err error) {
	if f := (capture.FatalError{}); errors.As(err, &f) {
		err = f.Err
	}
	if a.stop == nil {
		a.stop = err
	}
}

// problem returns err, unless it ends the trace.
func (a *Arrivals) problem(err error) error {
	if errors.As(err, new(capture.FatalError)) {
		a.fail(err)
		return nil
	}
	return err
}

// Write takes the next bytes of the capture, which came at a time.
func (a *Arrivals) Write(at time.Time, b []byte) error {
	a.time = at
	if a.stop == nil {
		a.fail(a.split.Write(b))
	}
	return a.stop
}

// Pause says that nothing has come for a while, up to the time at.
func (a *Arrivals) Pause(at time.Time) error {
	a.fail(a.first.End())
	a.fail(objects.ReaderOf(a.c).Settle())
	return a.Tick(at)
}

// Tick says that nothing has come until a time.
func (a *Arrivals) Tick(at time.Time) error {
	if a.stop == nil && a.c.Out.Trace != nil {
		a.c.Out.SetTime(at)
		a.fail(a.c.Out.Trace.Tick(a.c.Out.Now()))
	}
	return a.stop
}

// Close ends the trace: the capture ended at a time.
func (a *Arrivals) Close(at time.Time) error {
	a.time = at
	a.fail(a.split.Close())
	a.fail(a.first.End())
	if a.stop == nil {
		a.c.Out.SetTime(at)
		a.fail(a.c.End())
	}
	return a.stop
}
