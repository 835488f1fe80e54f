package host

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
)

// document is one opened capture.
type document struct {
	name   string
	input  Input
	reader *format.Reader
	cancel func() // stops reading; nil once that has ended
	read   int64  // bytes of the input, compressed as it may be

	canceled bool // the viewer did not want all of it

	setup link.Setup
	shown int          // the informer looked at
	runs  map[int]*run // by informer, made when they are looked at

	reported int64 // when progress was last told
	pumping  bool  // a call of Later is on its way
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

// choose picks the informer that is shown first: pods, as most people look for
// those, or else the first.
func (d *document) choose() {
	for i, r := range d.trace().Resources {
		if r.Resource == "pods" && r.Group == "" {
			d.shown = i
			return
		}
	}
}

func (d *document) opened() *link.Opened {
	t := d.trace()
	o := &link.Opened{
		Name: d.name, Format: t.Format, Start: t.Header.Start, Server: t.Header.Server, Note: t.Header.Note,
		NoTimes: t.NoTimes, Informer: d.shown, Setup: d.setup, Profiles: profiles(), Complete: t.Complete,
	}
	for _, r := range t.Resources {
		o.Informers = append(o.Informers, link.Informer{Name: r.Name(), Version: r.Version, Events: r.Events, Lists: r.Lists})
	}
	for _, p := range t.Problems {
		o.Problems = append(o.Problems, link.Failure{Say: link.Sentence{ID: "fail.problem." + string(p.Kind)}, Line: p.Line, Offset: p.Offset, Detail: p.Reason})
	}
	if d.canceled {
		o.Problems = append(o.Problems, link.Failure{Say: link.Sentence{ID: "fail.canceled"}})
	}
	return o
}

// feed lets a Playback read a resource of the trace.
type feed struct {
	t *trace.Trace
	r *trace.Resource
}

func (f feed) Len() int       { return len(f.r.Records) }
func (f feed) Complete() bool { return f.t.Complete }

func (f feed) At(i int) apiserver.Record {
	r := &f.r.Records[i]
	out := apiserver.Record{
		At: r.At, RV: r.RV, Obj: r.Obj, Code: r.Code, Kind: recordKinds[r.Kind], Delta: deltas[r.Type], Failure: failures[r.Failure], Streaming: r.Streaming,
	}
	if r.Kind == trace.WatchBookmark || r.Kind == trace.InitialEnd {
		out.Delta = event.Bookmark
	}
	return out
}

// What the trace's words are in the engine's.
var (
	recordKinds = [...]apiserver.RecordKind{
		trace.ListBegin: apiserver.ListBegin, trace.ListItem: apiserver.ListItem, trace.ListEnd: apiserver.ListEnd, trace.ListError: apiserver.ListError,
		trace.WatchOpen: apiserver.WatchOpen, trace.WatchError: apiserver.WatchError, trace.WatchEvent: apiserver.WatchEvent,
		trace.WatchBookmark: apiserver.WatchBookmark, trace.InitialEnd: apiserver.InitialEnd, trace.WatchEnd: apiserver.WatchEnd,
	}
	deltas = [...]event.Delta{
		trace.NoType: event.None, trace.TypeAdded: event.Added, trace.TypeModified: event.Updated, trace.TypeDeleted: event.Deleted,
		trace.TypeError: event.Error, trace.TypeUnknown: event.Unknown,
	}
	failures = [...]apiserver.Failure{
		trace.NoFailure: apiserver.NoFailure, trace.Expired: apiserver.Expired, trace.Gone: apiserver.Gone, trace.TooLarge: apiserver.TooLarge,
		trace.TooManyRequests: apiserver.TooManyRequests, trace.InternalError: apiserver.InternalError, trace.Refused: apiserver.Refused,
		trace.Reset: apiserver.Reset, trace.OtherFailure: apiserver.OtherFailure,
	}
)

// message is the server's own words in record i, for a stage.
func (f feed) message(i int) string {
	if i < 0 || i >= len(f.r.Records) {
		return ""
	}
	return f.r.Text(f.r.Records[i])
}

// inspect shows an object version, and what changed against the one before.
func (d *document) inspect(r *run, ref int32) *link.Object {
	t := r.table()
	m := t.Meta(object.Ref(ref))
	prev, next := versions(t, object.Ref(ref))
	o := &link.Object{Ref: ref, Prev: int32(prev), Next: int32(next), Key: t.KeyText(m.Key), RV: t.RVText(m.RV), PrevRV: t.RVText(t.Meta(prev).RV)}
	text, err := d.text(t, object.Ref(ref))
	if err != nil {
		o.Lines = []link.DiffLine{{Text: err.Error()}}
		return o
	}
	before, err := d.text(t, prev)
	if err != nil {
		before = "" // what is there is shown without what changed
	}
	o.Lines, o.Cut = diffLines(before, text)
	return o
}

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
	raw, err := trace.Raw(line, src)
	if err != nil {
		return "", err
	}
	return prettyJSON(raw), nil
}
