package bench

import (
	"errors"
	"runtime"
	"time"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Result is what playing a workload cost.
type Result struct {
	Events int   // watch events
	Steps  int64 // micro-steps
	Facts  int64 // events that the steps emitted
	Took   time.Duration
	Allocs uint64 // over the second half of the steps
	Bytes  uint64 // the same
}

// EventsPerSecond returns the speed.
func (r Result) EventsPerSecond() float64 { return float64(r.Events) / r.Took.Seconds() }

// AllocsPerEvent returns the steady state's allocations for each watch event.
func (r Result) AllocsPerEvent() float64 { return float64(r.Allocs) / (float64(r.Events) / 2) }

// interval between two watch events, in nanoseconds of virtual time: about what
// decoding one takes.
const interval = 40_000

// Engine plays the stream to a machine of that profile with two handlers and two
// indices, with every step's events on, until each handler was called for
// everything.
func Engine(w Workload, profile world.Profile) (Result, error) {
	table := object.NewTable(nil)
	cfg := &world.Config{Informers: []informer.Config{{
		Name:     "pods",
		Profile:  profile,
		Table:    table,
		Feed:     w.Records(table, interval),
		Handlers: []informer.Handler{{Name: "first"}, {Name: "second"}},
		Indexers: []indexer.Named{
			{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc},
			{Name: "app", Func: indexer.LabelIndexFunc(table.Sym("app"))},
		},
	}}}
	h, err := history.NewPassing(cfg)
	if err != nil {
		return Result{}, err
	}
	x := h.Front()
	r := Result{Events: len(w.Events)}
	half := int64(len(w.List) + len(w.Events)/2)
	calls := func() int64 { return x.Informers[0].Processor.Listeners[1].Calls }
	var before, after runtime.MemStats
	measuring := false
	runtime.GC() // what preparing has left behind is not the engine's
	start := time.Now()
	for h.Step() {
		r.Facts += int64(len(x.Log.Events))
		if !measuring && x.Steps()%1024 == 0 && calls() >= half { // to ask at each step would be measured, too
			measuring = true
			runtime.ReadMemStats(&before)
		}
	}
	r.Took = time.Since(start)
	runtime.ReadMemStats(&after)
	r.Steps, r.Allocs, r.Bytes = x.Steps(), after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	if want := int64(len(w.List) + len(w.Events)); calls() != want {
		return r, errors.New("the second handler was not called for everything")
	}
	return r, nil
}
