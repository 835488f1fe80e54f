package host

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/host/browser"
	taught "github.com/informerscope/informerscope/wasm/host/lesson"
	"github.com/informerscope/informerscope/wasm/host/live"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/inspect"
)

// origin says what the page wanted to be opened, and how it is called.
type origin struct {
	id     int // of the request
	name   string
	url    string   // "" for what has none
	chosen []string // lines that the controls of a lesson make
	// profile is the version of client-go as which a capture is played first, "" for the page's choice.
	profile string
	kind    string // of objects that don't say it, "" if it is to be found out
}

// setup returns the setup with which a capture begins. The page's own recordings are played as
// v0.22, which most articles describe. Any other capture is played as the newest version.
func (q origin) setup() link.Setup {
	s := machine.DefaultSetup()
	switch {
	case q.profile != "":
		s.Profile = q.profile
	case !address.IsBundled(q.url):
		s.Profile = world.Current.Name
	}
	return machine.ClampSetup(s)
}

// document is one opened capture.
type document struct {
	origin
	input   browser.Input
	stored  browser.Stored  // the input, nil for a live one
	live    *live.Trace     // the input, nil for one that is not being recorded
	files   []browser.Bytes // the files from which the other program can read the capture; may be nil
	foreign []browser.Bytes // the files that the other program has made it of; nil for none
	reader  *source
	head    []byte         // the first of what was read, until it is known what it is
	notes   []link.Failure // what else the page lists among the problems

	state state
	stop  func() // stops what is under way in this state; nil if nothing is

	touched    bool // the viewer has done something, so the informer shown stays
	setup      link.Setup
	configured bool                 // the trace says itself what setup is
	decided    bool                 // the viewer, a link, or the trace's edits have chosen setup
	shown      int                  // the informer that is shown
	named      bool                 // because the lesson names its process
	runs       map[int]*machine.Run // by informer, made when one is first shown
	memory     *history.Memory
	script     *machine.Script // nil for a capture
	lesson     *taught.Open    // nil for what is no lesson; then script is the scene shown

	edits    *link.Edits // to be made when all of the capture was run, nil for none
	reported int64       // when the page was last told how far it is
}

// source is what reads a capture, and what was read beside its trace. It looks for findings in what was read while the bytes of
// that are at hand.
type source struct {
	*format.Reader
	input    browser.Bytes
	recent   format.Recent
	pass     *findings.Pass              // nil for the capture that stands beside the one shown
	bytes    int64                       // how many of the input have been read, before unpacking
	limit    int64                       // where the viewer has stopped the first reading, after unpacking; 0 if that went on to the end
	spread   bool                        // spread was called, whether or not the browser has several readers
	digested bool                        // it has, so recent has only what was asked for once more
	log      worker.Log                  // of the work of the recorded process
	owners   map[string]*feed.Controller // by resource, once all has been read: see controllers
}

// newSource returns a source that has read nothing. With a glance, the reader looks only at those parts of events that the machine
// needs.
func newSource(input browser.Bytes, glance bool) *source {
	r := &source{input: input}
	r.Reader = format.NewReader(format.Options{Glance: glance, OtherLine: r.log.Line})
	r.pass = findings.NewPass(r.Trace(), findings.Options{Log: &r.log, Bytes: r.reread})
	return r
}

// Write takes in a piece.
func (r *source) Write(b []byte) error {
	if !r.digested {
		r.recent.Add(b)
	}
	err := r.Reader.Write(b)
	r.find()
	return err
}

// WriteDigest takes in the digest of a piece.
func (r *source) WriteDigest(b []byte) error {
	r.digested = true
	err := r.Reader.WriteDigest(b, r.input.ReadAt)
	r.find()
	return err
}

// Close ends the reading.
func (r *source) Close() error {
	err := r.Reader.Close()
	r.find()
	return err
}

func (r *source) find() {
	for r.pass != nil && r.pass.Add(math.MaxInt) {
	}
	r.recent.Forget(r.ValueOffset())
}

// windowBytes is how much is read at once of a piece that was digested. Another program holds the piece, and a request for 200 kB
// takes about as long as one for a single object.
const windowBytes = 256 << 10

// reread returns a part of what was read last, nil for what can't be read again.
func (r *source) reread(offset int64, n int) []byte {
	b := r.recent.Bytes(offset, n)
	if b != nil || !r.digested {
		return b
	}
	most := r.ValueOffset() - offset // what comes after it may not be there yet
	b, err := r.input.ReadAt(offset, max(n, int(min(most, windowBytes))))
	if err != nil {
		return nil
	}
	r.recent.Begin(offset)
	r.recent.Add(b)
	return b[:n]
}

// newDocument returns a document that has yet to be read. See newSource for the glance.
func newDocument(q origin, input browser.Input, files []browser.Bytes, glance bool) *document {
	d := &document{origin: q, input: input, files: files, state: opening, setup: q.setup(), runs: map[int]*machine.Run{}, memory: history.NewMemory(history.DefaultMemory)}
	d.stored, _ = input.(browser.Stored)
	if d.live, _ = input.(*live.Trace); d.live != nil {
		d.state, glance = joining, false
	}
	d.reader = newSource(input, glance)
	return d
}

// halt stops what is under way. It drops a line that has not been read to its end.
func (d *document) halt() {
	if d.stop == nil {
		return
	}
	stop := d.stop
	d.stop = nil
	stop()
	d.reader.Stop()
}

func (d *document) trace() *trace.Trace { return d.reader.Trace() }

// run returns the history of the informer shown.
func (d *document) run() *machine.Run {
	if d.script != nil {
		return d.script.Run(d.shown)
	}
	r := d.runs[d.shown]
	if r == nil || r.Outdated() {
		r = d.newRun(d.shown, d.setup, d.memory)
		d.runs[d.shown] = r
	}
	return r
}

// newRun returns the run of a resource, which is played to a process with a setup.
func (d *document) newRun(i int, s link.Setup, m *history.Memory) *machine.Run {
	return machine.NewRun(d.trace(), i, s, m, d.controllers()[d.trace().Resources[i].Name()])
}

// controllers returns the recorded controllers by their resource. There are none before all has been
// read.
func (d *document) controllers() map[string]*feed.Controller {
	r := d.reader
	if r.owners == nil && d.trace().Complete {
		r.owners = feed.Controllers(d.trace(), &r.log)
	}
	return r.owners
}

// inside reports whether a recorder within a process has told of its own work.
func (d *document) inside() bool {
	if d.reader == nil {
		return false
	}
	t := d.trace()
	return len(d.reader.log.Reconciles)+len(t.Registered)+len(t.CacheReads) > 0 || slices.ContainsFunc(t.Resources, func(r *trace.Resource) bool { return r.Started != nil })
}

// setUp makes the trace play to another process.
func (d *document) setUp(s link.Setup) {
	d.setup = s
	clear(d.runs)
	d.memory = history.NewMemory(history.DefaultMemory)
}

// showable reports whether there is something to show; all says whether the document has
// been read to its end. A trace from within a process is ready only then, since
// how long its handlers and reconciles took is not known before.
func (d *document) showable(all bool) bool {
	if d.script != nil {
		return all && d.script.Played()
	}
	if !all && (d.inside() || d.recorded()) {
		return false
	}
	return slices.ContainsFunc(d.trace().Resources, func(r *trace.Resource) bool { return len(r.Records) > 0 })
}

// recorded reports whether there are calls of handlers, or reconciles, so far.
func (d *document) recorded() bool {
	return len(d.reader.log.Reconciles) > 0 || slices.ContainsFunc(d.trace().Resources, func(r *trace.Resource) bool { return len(r.Handlers) > 0 })
}

// choosePods picks the informer to show until the viewer picks one: the pods' if there
// is one, or else the first. It reports whether it has picked another one than
// was shown.
func (d *document) choosePods() bool {
	if d.script != nil {
		return false
	}
	for i, r := range d.trace().Resources {
		if r.Resource == "pods" && r.Group == "" && len(r.Records) > 0 {
			another := d.shown != i
			d.shown = i
			return another
		}
	}
	return false
}

func (d *document) opened() *link.Opened {
	if d.script != nil {
		o := d.script.Opened(d.name, d.shown, d.setup)
		o.Problems = append(o.Problems, d.notes...)
		return o
	}
	t := d.trace()
	o := &link.Opened{
		Name: d.name, Format: t.Format, Start: t.Header.Start, Server: t.Header.Server, Note: t.Header.Note,
		NoTimes: t.NoTimes, Redacted: t.Header.Redacted, Truncated: t.Header.Truncated, Informer: d.shown, Setup: d.setup, HasSetup: d.configured, Chosen: d.decided, Profiles: machine.Profiles(), Complete: t.Complete,
		Live: d.state.live(), Edited: d.edits != nil,
	}
	for _, r := range t.Resources {
		o.Informers = append(o.Informers, link.Informer{Name: r.Name(), Version: r.Version, Events: r.Events, Lists: r.Lists, Listed: report.Listed(r)})
		if c := d.controllers()[r.Name()]; c != nil {
			in := &o.Informers[len(o.Informers)-1]
			in.Controller, in.NotPlayed = c.Name, c.NotPlayed
		}
	}
	o.Places, o.Lost = t.ProblemCount, t.Lost
	for _, r := range t.Remarks {
		o.Remarks = append(o.Remarks, link.Remark{ID: r.ID, Count: r.Count, Detail: r.Detail})
	}
	for i := range t.Series {
		o.Series = append(o.Series, t.Series[i].Name)
	}
	for _, p := range t.Problems {
		o.Problems = append(o.Problems, link.Failure{Sentence: link.Sentence{ID: "fail.problem." + string(p.Kind)}, Line: p.Line, Offset: p.Offset, Reason: link.Fault(p.Err)})
	}
	o.Problems = append(o.Problems, d.notes...)
	return o
}

// inspect returns the JSON of an object version, with what has changed since the
// version before it.
func (d *document) inspect(r *machine.Run, ref int32) *link.Object {
	t := r.Table()
	m := t.Meta(object.Ref(ref))
	prev, next := inspect.Versions(r.History().Front(), r.Informer, object.Ref(ref))
	o := &link.Object{Ref: ref, Prev: int32(prev), Next: int32(next), Key: t.KeyText(m.Key), RV: t.RVText(m.RV), PrevRV: t.RVText(t.RVOf(prev))}
	text, err := d.versionText(r, object.Ref(ref))
	if err != nil {
		o.Reason = link.Fault(err)
		return o
	}
	before, err := d.versionText(r, prev)
	if err != nil {
		before = "" // the version is shown without its changes
	}
	o.Lines, o.Cut = inspect.Diff(before, text)
	return o
}

const errTooDeep = fault.Plain("deepObject")

// versionText returns an object version as text; "" for none. A version that was not
// recorded has only what the machine reads.
func (d *document) versionText(r *machine.Run, ref object.Ref) (string, error) {
	raw, err := d.objectJSON(r.Table(), ref)
	switch {
	case raw != nil:
		return inspect.IndentJSON(raw), nil
	case err != nil || ref == 0:
		return "", err
	}
	return manifest(r.Table(), ref, r.Config().Name), nil
}

// objectJSON returns the JSON of an object version as it came, nil if there is none.
func (d *document) objectJSON(t *object.Table, r object.Ref) ([]byte, error) {
	src := t.Meta(r).Source
	if src.Length == 0 {
		return nil, nil
	}
	line, err := d.input.ReadAt(src.Offset, int(src.Length))
	if err != nil {
		return nil, err
	}
	if !jsonscan.WithinMaxDepth(line) { // a glance doesn't notice
		return nil, errTooDeep
	}
	return trace.Raw(line, src)
}

func (d *document) informers() int {
	if d.script != nil {
		return len(d.script.Lanes.Shown.History.Front().Informers)
	}
	return len(d.trace().Resources)
}

// ShowScene shows a scene of the lesson, in the process of an informer. Where the lesson names none, the scene stays in the
// process that the viewer has chosen, and leaves one that the lesson has named.
func (d *document) ShowScene(s *machine.Script, in string) {
	if d.script != s || d.named && in == "" {
		d.shown = 0
	}
	d.script, d.named = s, false
	for i, x := range s.Lanes.All[0].History.Front().Informers {
		if in != "" && x.Config().Name == in {
			d.shown, d.named = i, true
		}
	}
}

// takeRecorded gives the document the handlers of the recorded process, if the trace has
// their calls, and its workers. They are found out as for a report. Where something of the process was
// recorded, and no handler of the informer shown, it has none.
func (d *document) takeRecorded() {
	if d.script != nil || d.decided {
		return
	}
	d.setup.Follows = len(d.controllers()) > 0
	found := report.InferHandlers(d.trace(), d.trace().Resources[d.shown])
	if d.configured = found != nil; !d.configured {
		if d.setup.Follows || d.recorded() {
			d.setup.Handlers, d.setup.Resync = nil, 0
		}
		return
	}
	d.setup.Handlers, d.setup.Resync = nil, found.Resync
	for _, h := range found.Handlers[:min(len(found.Handlers), link.MaxHandlers)] {
		d.setup.Handlers = append(d.setup.Handlers, link.Handler{Name: h.Name, Recorded: true, Resync: h.Resync, From: h.From})
	}
}

// refusal returns what the page is told of a document that can't be opened. A lesson was to be a lesson,
// and so was a Markdown file that doesn't begin as one.
func (d *document) refusal(why error) *link.Failure {
	f := &link.Failure{Sentence: link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: d.name}}}}
	switch {
	case d.script != nil && lesson.IsLesson(string(d.script.Text)):
		f.Sentence.ID, f.Draft = "fail.openLesson", string(d.script.Text)
	case d.url == "" && strings.HasSuffix(d.name, ".md"):
		f.Sentence.ID, why = "fail.openLesson", fault.Plain("lessonBegins")
	}
	f.Reason = link.Fault(why)
	return f
}

// manifest returns an object as JSON. Its fields are those that the machine reads; no
// others are known.
func manifest(t *object.Table, r object.Ref, resource string) string {
	m := t.Meta(r)
	b := append([]byte(nil), '{')
	member := func(name, value string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsonscan.AppendString(b, name), ':')
		b = jsonscan.AppendString(b, value)
	}
	member("resource", resource)
	b = append(b, `,"metadata":{`...)
	member("name", t.Text(m.Name))
	if s := t.Text(m.Namespace); s != "" {
		member("namespace", s)
	}
	if s := t.Text(m.UID); s != "" {
		member("uid", s)
	}
	member("resourceVersion", t.RVText(m.RV))
	if labels := t.LabelsOf(m.Labels); len(labels) > 0 {
		labels = append(labels[:0:0], labels...)
		sort.Slice(labels, func(i, j int) bool { return t.Text(labels[i].Name) < t.Text(labels[j].Name) })
		b = append(b, `,"labels":{`...)
		for _, l := range labels {
			member(t.Text(l.Name), t.Text(l.Value))
		}
		b = append(b, '}')
	}
	return inspect.IndentJSON(append(b, "}}"...))
}
