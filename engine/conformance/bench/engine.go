// Package bench measures the engine on a made-up watch stream. The same stream
// is played to the real client-go by the module beside it, and to the engine in
// the browser, so that speeds are compared and never quoted.
package bench

import (
	"errors"
	"runtime"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Result is what playing a workload cost.
type Result struct {
	Events   int   // watch events
	Steps    int64 // micro-steps
	Facts    int64 // events that the steps emitted
	Duration time.Duration
	Allocs   uint64 // over the second half of the steps
	Bytes    uint64 // the same
}

// EventsPerSecond returns the speed.
func (r Result) EventsPerSecond() float64 { return float64(r.Events) / r.Duration.Seconds() }

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
	r.Duration = time.Since(start)
	runtime.ReadMemStats(&after)
	r.Steps, r.Allocs, r.Bytes = x.Steps(), after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	if want := int64(len(w.List) + len(w.Events)); calls() != want {
		return r, errors.New("the second handler was not called for everything")
	}
	return r, nil
}

// Object is one version of one object of the stream.
type Object struct {
	Namespace, Name, UID, App string
	RV                        uint64
}

// Change is one watch event.
type Change struct {
	Delta  event.Delta // Added, Updated or Deleted
	Object Object
}

// Workload is a list and the watch events that follow it.
type Workload struct {
	List   []Object
	ListRV uint64
	Events []Change
}

// NewWorkload returns a stream of n watch events over so many keys. Half of the keys are in the
// list. Eight events of ten are updates; the others add and delete. The stream is the
// same every time.
func NewWorkload(n, keys int) Workload {
	var w Workload
	rv := uint64(1000)
	live := make([]bool, keys)
	object := func(k int) Object {
		rv++
		return Object{
			Namespace: "ns-" + strconv.Itoa(k%20), Name: "pod-" + strconv.Itoa(k), UID: "uid-" + strconv.Itoa(k),
			App: "app-" + strconv.Itoa(k%50), RV: rv,
		}
	}
	for k := 0; k < keys; k += 2 {
		live[k] = true
		w.List = append(w.List, object(k))
	}
	w.ListRV = rv
	w.Events = make([]Change, 0, n)
	random := uint64(42)
	for len(w.Events) < n {
		random = random*6364136223846793005 + 1442695040888963407
		k, dice := int(random>>33)%keys, int(random>>20)%10
		switch {
		case !live[k]:
			live[k] = true
			w.Events = append(w.Events, Change{event.Added, object(k)})
		case dice == 0:
			live[k] = false
			w.Events = append(w.Events, Change{event.Deleted, object(k)})
		default:
			w.Events = append(w.Events, Change{event.Updated, object(k)})
		}
	}
	return w
}

// Records turns the stream into what an API server's recording holds: the list,
// the watch, and an event every interval nanoseconds.
func (w Workload) Records(t *object.Table, interval int64) apiserver.Records {
	row := func(o Object) object.Ref {
		return t.Add(object.Meta{
			Namespace: t.Sym(o.Namespace), Name: t.Sym(o.Name), UID: t.Sym(o.UID), RV: object.NumberRV(o.RV),
			Labels: t.LabelSet([]object.Label{{Name: t.Sym("app"), Value: t.Sym(o.App)}}),
		})
	}
	at := int64(1_000_000)
	records := apiserver.Records{{Kind: apiserver.ListBegin}}
	for _, o := range w.List {
		records = append(records, apiserver.Record{Kind: apiserver.ListItem, Time: at, Obj: row(o), RV: object.NumberRV(o.RV)})
	}
	records = append(records,
		apiserver.Record{Kind: apiserver.ListEnd, Time: at, RV: object.NumberRV(w.ListRV)},
		apiserver.Record{Kind: apiserver.WatchOpen, Time: at})
	for _, c := range w.Events {
		at += interval
		records = append(records, apiserver.Record{Kind: apiserver.WatchEvent, Time: at, Delta: c.Delta, Obj: row(c.Object), RV: object.NumberRV(c.Object.RV)})
	}
	return records
}
