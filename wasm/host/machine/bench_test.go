package machine

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/bench"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// BenchmarkRun plays a stream of pods as the page plays a capture. It gives make profile its profile, since what the page
// keeps of each step, and the workqueue behind its handler, are in no other benchmark.
func BenchmarkRun(b *testing.B) {
	const events = 50_000
	t := streamed(bench.NewWorkload(events, 5_000))
	setup := DefaultSetup()
	setup.Profile = world.Current.Name
	for b.Loop() {
		r := NewRun(t, 0, ClampSetup(setup), history.NewMemory(history.DefaultMemory), nil)
		for r.History().Extend(ExtendBy) > 0 {
		}
		if done, total := r.Progress(); done != total || total < events {
			b.Fatalf("of %d events, %d were received", total, done)
		}
	}
	b.ReportMetric(float64(b.N*events)/b.Elapsed().Seconds(), "events/s")
}

// streamed is the trace of a workload.
func streamed(w bench.Workload) *trace.Trace {
	t := &trace.Trace{Format: "watch", NoTimes: true}
	r := t.NewResource(trace.Resource{Resource: "pods", Version: "v1", Kind: "Pod", Reader: 1})
	add := func(at int64, kind trace.Kind, what trace.Type, o bench.Object) {
		x := r.Table
		ref := x.Add(object.Meta{
			Namespace: x.Sym(o.Namespace), Name: x.Sym(o.Name), UID: x.Sym(o.UID), RV: object.NumberRV(o.RV),
			Labels: x.LabelSet([]object.Label{{Name: x.Sym("app"), Value: x.Sym(o.App)}}),
		})
		r.Append(trace.Record{Time: at, Kind: kind, Type: what, Obj: ref, RV: x.RVOf(ref)})
	}
	r.Append(trace.Record{Kind: trace.ListBegin})
	for _, o := range w.List {
		add(0, trace.ListItem, trace.NoType, o)
	}
	r.Append(trace.Record{Kind: trace.ListEnd, RV: object.NumberRV(w.ListRV)})
	r.Append(trace.Record{Kind: trace.WatchOpen, RV: object.NumberRV(w.ListRV)})
	types := map[event.Delta]trace.Type{event.Added: trace.TypeAdded, event.Updated: trace.TypeModified, event.Deleted: trace.TypeDeleted}
	for i, c := range w.Events {
		t.Now = int64(i+1) * 10 * Millisecond // as captures without times are played
		add(t.Now, trace.WatchEvent, types[c.Delta], c.Object)
	}
	t.Complete = true
	return t
}
