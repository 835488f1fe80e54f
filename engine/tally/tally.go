// Package tally counts what the guard of a controller prevents, and what it costs: of one
// run, and of the runs that it would be with other guards.
package tally

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
)

// Never is the time of what doesn't happen.
const Never int64 = -1

// Count is what the controllers of a run have done.
type Count struct {
	Reconciles int // that have ended
	Duplicates int // children created beyond those that the program is to make
	Old        int // reconciles that read another state than the server had
	Skipped    int // reconciles whose guard let their program not run, or make and delete no children
	Retried    int // reconciles that come again after an error
	Refused    int // writes that the server has refused
	Requests   int // sent to the server, for reads and for writes
	// Settled is how long after the last write from outside the run settles, in ns. It has settled when the server has
	// what the programs are to make, and the controllers would read what the server has. Never: it hasn't at the end.
	Settled int64
	Waited  int64 // the longest wait of a read, ns
	Ended   bool  // nothing more would happen
}

// Counter counts while a run is made.
type Counter struct {
	c                 Count
	outside, restless int64 // the last write from outside, and the last time at which something differed
	differs           bool
	old               map[worker]bool
	waits             map[worker]int64
}

// worker is a worker of a controller: its informer, and its number.
type worker struct{ informer, index int16 }

// NewCounter returns a Counter of nothing.
func NewCounter() *Counter {
	return &Counter{old: map[worker]bool{}, waits: map[worker]int64{}}
}

// Look takes in the last step of a world.
func (t *Counter) Look(w *world.World) {
	moved := false
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		by := worker{w.Last.Informer, int16(e.Worker())}
		switch e.Kind {
		case event.ObjectWritten:
			moved = true
			if w.Last.Actor == actor.Nobody {
				t.outside = w.Now()
			} else if w.Last.PC == actor.WorkerProgram {
				t.wrote(w, e)
			}
		case event.StoreAdded, event.StoreUpdated, event.StoreDeleted, event.StoreReplaced:
			moved = true
		case event.OwnerRead:
			t.c.Requests++
		case event.WriteAnswered:
			t.c.Requests++
			if e.Code() >= 400 {
				t.c.Refused++
			}
		case event.ReadWaits:
			if _, waits := t.waits[by]; !waits {
				t.waits[by] = w.Now()
			}
		case event.CacheStale, event.ExpectationsUnmet:
			t.c.Skipped++
		case event.WorkRateLimited:
			t.c.Retried++
		}
		t.read(w, e, by)
	}
	if moved {
		t.differs = differs(w)
	}
	if t.differs {
		t.restless = w.Now()
	}
}

// read takes in a fact about what a reconcile has read.
func (t *Counter) read(w *world.World, e *event.Event, by worker) {
	switch e.Kind {
	case event.ReconcileStarted, event.ChildrenRead:
		if since, waited := t.waits[by]; waited {
			t.c.Waited = max(t.c.Waited, w.Now()-since)
			delete(t.waits, by)
		}
		c := w.Informers[by.informer].Work.Controller
		if c == nil {
			return
		}
		if c.Guard.Kind == guard.Live {
			t.c.Requests++
		}
		if reads := c.Runs[by.index].Reads; len(reads) > 0 {
			t.old[by] = t.old[by] || reads[len(reads)-1].Old
		}
	case event.ReconcileEnded, event.ReconcileFailed:
		t.c.Reconciles++
		if t.old[by] {
			t.c.Old++
		}
		delete(t.old, by)
	}
}

func (t *Counter) wrote(w *world.World, e *event.Event) {
	t.c.Requests++
	i := int(w.Last.Informer)
	key := w.Informers[i].Work.Workers[w.Set.Role(w.Last.Actor).Index].Key
	if b, ok := w.ChildCounts(i, key); ok && e.Delta == event.Added && b.Duplicates() > 0 {
		t.c.Duplicates++
	}
	t.restless = w.Now()
}

// differs reports whether there are other children than the programs are to make, or others
// than the controllers would read.
func differs(w *world.World) bool {
	for i := range w.Informers {
		if w.Informers[i].Work.Controller == nil {
			continue
		}
		for _, b := range w.AllChildCounts(i) {
			if b.Stale() || b.Wants >= 0 && b.Exists != b.Wants {
				return true
			}
		}
	}
	return false
}

// Count returns what was counted in the steps until now. The last step was w's.
func (t *Counter) Count(w *world.World, ended bool) Count {
	c := t.c
	c.Ended = ended
	for _, since := range t.waits {
		c.Waited = max(c.Waited, w.Now()-since)
	}
	c.Settled = max(t.restless-t.outside, 0)
	if t.differs {
		c.Settled = Never
	}
	return c
}

// Row is what a run would come to with a guard.
type Row struct {
	history.Variant
	Count
}

// DefaultSteps is how many steps a run is given.
const DefaultSteps = 300_000

// Variants returns the guards of a table: each guard that controllers have, the consistency
// store with a back-off and with a constant requeue.
func Variants() (all []history.Variant) {
	for k := range guard.Names() {
		all = append(all, history.Variant{Guard: guard.Kind(k), Lag: -1})
		if guard.Kind(k) == guard.Consistency {
			all = append(all, history.Variant{Guard: guard.Consistency, Requeue: constant, Lag: -1})
		}
	}
	return all
}

// constant is the constant requeue of a table, ns.
const constant = 100_000_000

// CountRun plays the run that h would be, for at most so many steps, and counts.
func CountRun(h *history.History, o history.Variant, steps int64) (Row, error) {
	g, err := h.WithGuard(o, nil)
	if err != nil {
		return Row{}, err
	}
	defer g.Drop()
	t := NewCounter()
	for g.Steps() < steps && g.Step() {
		t.Look(g.Front())
	}
	return Row{o, t.Count(g.Front(), g.Steps() < steps)}, nil
}

// Table returns a row for each of the guards.
func Table(h *history.History, guards []history.Variant, steps int64) (rows []Row, err error) {
	for _, o := range guards {
		r, err := CountRun(h, o, steps)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// OverLag returns a table for each lag of the watch caches of what controllers own.
func OverLag(h *history.History, guards []history.Variant, lags []int64, steps int64) (tables [][]Row, err error) {
	for _, lag := range lags {
		all := append([]history.Variant(nil), guards...)
		for i := range all {
			all[i].Lag = lag
		}
		rows, err := Table(h, all, steps)
		if err != nil {
			return nil, err
		}
		tables = append(tables, rows)
	}
	return tables, nil
}

// Name returns how a guard is called in a table.
func Name(o history.Variant) string {
	if o.Requeue > 0 {
		return o.Guard.String() + ", constant requeue"
	}
	return o.Guard.String()
}
