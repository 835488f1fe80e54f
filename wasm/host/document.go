package host

import (
	"errors"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// document is one opened capture.
type document struct {
	name   string
	input  Input
	files  []Bytes // that it is of, nil where it is not of files
	live   *live   // it is being recorded; nil for a file
	reader *format.Reader
	cancel func() // stops reading; nil once that has ended
	read   int64  // bytes of the input, compressed as it may be

	misread  *document // the same, as it was read before; nil once this one is shown
	unsound  bool      // it was misread, and is to be read once more
	canceled bool      // the viewer did not want all of it
	touched  bool      // the viewer has gone somewhere, so what is shown stays

	setup link.Setup
	shown int          // the informer looked at
	runs  map[int]*run // by informer, made when they are looked at

	reported int64 // when progress was last told
	told     told
	pumping  bool   // a call of Later is on its way
	held     func() // while the page paints: stops the clock that ends that
	settled  bool   // or about to be
}

func newDocument(name string, input Input, glance bool) *document {
	d := &document{name: name, input: input, setup: defaultSetup(), runs: map[int]*run{}}
	d.live, _ = input.(*live)
	d.reader = format.NewReader(format.Options{Glance: glance && d.live == nil})
	return d
}

func (d *document) trace() *trace.Trace { return d.reader.Trace() }

// run returns the history of the informer shown.
func (d *document) run() *run {
	r := d.runs[d.shown]
	if r == nil {
		r = newRun(d.trace(), d.shown, d.setup)
		d.runs[d.shown] = r
	}
	return r
}

// ready tells whether there is something to show. What the handlers of a
// recorded process took is only known once all of it has been read.
func (d *document) ready() bool {
	some := false
	for _, r := range d.trace().Resources {
		if len(r.Handlers) > 0 && d.cancel != nil {
			return false
		}
		some = some || len(r.Records) > 0
	}
	return some
}

// choose picks the informer that is shown before the viewer does: pods, as most
// people look for those, or else the first. It reports whether that is another
// one than is shown.
func (d *document) choose() bool {
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
	t := d.trace()
	o := &link.Opened{
		Name: d.name, Format: t.Format, Start: t.Header.Start, Server: t.Header.Server, Note: t.Header.Note,
		NoTimes: t.NoTimes, Redacted: t.Header.Redacted, Truncated: t.Header.Truncated, Informer: d.shown, Setup: d.setup, Profiles: profiles(), Complete: t.Complete,
		Live: d.live != nil && d.cancel != nil,
	}
	for _, r := range t.Resources {
		o.Informers = append(o.Informers, link.Informer{Name: r.Name(), Version: r.Version, Events: r.Events, Lists: r.Lists})
	}
	for _, r := range t.Remarks {
		o.Remarks = append(o.Remarks, link.Remark{ID: r.ID, Count: r.Count, Detail: r.Detail})
	}
	for _, p := range t.Problems {
		o.Problems = append(o.Problems, link.Failure{Say: link.Sentence{ID: "fail.problem." + string(p.Kind)}, Line: p.Line, Offset: p.Offset, Detail: p.Reason})
	}
	if d.canceled {
		o.Problems = append(o.Problems, link.Failure{Say: link.Sentence{ID: "fail.canceled"}})
	}
	return o
}

// inspect shows an object version, and what changed against the one before.
func (d *document) inspect(r *run, ref int32) *link.Object {
	t := r.table()
	m := t.Meta(object.Ref(ref))
	prev, next := picture.Versions(t, object.Ref(ref))
	o := &link.Object{Ref: ref, Prev: int32(prev), Next: int32(next), Key: t.KeyText(m.Key), RV: t.RVText(m.RV), PrevRV: t.RVText(t.RVOf(prev))}
	text, err := d.text(t, object.Ref(ref))
	if err != nil {
		o.Lines = []link.DiffLine{{Text: err.Error()}}
		return o
	}
	before, err := d.text(t, prev)
	if err != nil {
		before = "" // what is there is shown without what changed
	}
	o.Lines, o.Cut = picture.Diff(before, text)
	return o
}

var errTooDeep = errors.New("it nests too deep to be shown")

// text is the JSON of an object version, indented; "" for none.
func (d *document) text(t *object.Table, r object.Ref) (string, error) {
	src := t.Meta(r).Source
	if src.Length == 0 {
		return "", nil
	}
	line, err := d.input.ReadAt(src.Offset, int(src.Length))
	if err != nil {
		return "", err
	}
	if !trace.Shallow(line) { // a glance doesn't see that
		return "", errTooDeep
	}
	raw, err := trace.Raw(line, src)
	if err != nil {
		return "", err
	}
	return picture.IndentJSON(raw), nil
}
