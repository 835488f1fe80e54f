package metrics

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// Observer has the metrics of a run, by the informer's place in its world.
type Observer struct {
	Informers []Informer
	Queues    []*Queue // nil for an informer without workers

	retried []int64 // of the queues
}

// NewObserver returns the metrics of a world that has only begun: no step before the one that Look takes in next
// has changed them.
func NewObserver(w *world.World) *Observer {
	o := &Observer{Informers: make([]Informer, len(w.Informers)), Queues: make([]*Queue, len(w.Informers)), retried: make([]int64, len(w.Informers))}
	for i := range w.Informers {
		o.begin(w, i)
	}
	return o
}

// begin begins the metrics of an informer anew, as those of a new process do.
func (o *Observer) begin(w *world.World, i int) {
	x := w.Informers[i]
	o.Informers[i], o.Queues[i], o.retried[i] = newInformer(x), nil, 0
	if len(x.Work.Workers) > 0 {
		o.Queues[i] = NewQueue(w.Now())
	}
}

// Look takes in the last step of a world.
func (o *Observer) Look(w *world.World) {
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind == event.ProcessKilled {
			for j := range w.Informers {
				if _, ended := w.Ended(j); ended {
					o.begin(w, j)
				}
			}
			continue
		}
		if q := o.Queues[queueOf(w, e)]; q != nil {
			q.Look(e, w.Now())
		}
	}
	for i, x := range w.Informers {
		o.Informers[i].look(x, &w.Set)
		if p := x.Work.Priority; p != nil {
			o.retried[i] = p.Queue.Retried()
		} else {
			o.retried[i] = x.Work.Queue.Counters().Retried
		}
	}
}

// Retries is the value of the counter Retries of the queue of informer i.
func (o *Observer) Retries(i int) int64 { return o.retried[i] }

// Each calls f with each family that informer i and its workqueue export, and its state at the time now:
// a value, or a histogram.
func (o *Observer) Each(i int, now int64, f func(of *Family, value int64, histogram *Observed)) {
	m := &o.Informers[i]
	if m.Queue {
		f(&QueuedItems, m.QueuedItems, nil)
		f(&ProcessingLatency, 0, &m.ProcessingLatency)
	}
	if m.Store {
		f(&StoreResourceVersion, m.StoreResourceVersion, nil)
	}
	q := o.Queues[i]
	if q == nil {
		return
	}
	q.Tick(now)
	f(&Depth, q.Depth, nil)
	f(&Adds, q.Adds, nil)
	f(&QueueDuration, 0, &q.QueueDuration)
	f(&WorkDuration, 0, &q.WorkDuration)
	f(&UnfinishedWork, q.UnfinishedWork, nil)
	f(&LongestRunning, q.LongestRunning, nil)
	f(&Retries, o.retried[i], nil)
}

// queueOf is the informer whose workqueue a fact is about, if it is about one: a handler may feed the
// queue of another informer's controller.
func queueOf(w *world.World, e *event.Event) int {
	if w.Last.PC == actor.RunEnqueue {
		r := w.Set.Role(actor.ID(e.Actor))
		if f := w.Informers[r.Informer].Config().Handlers[r.Index].Feeds; f != nil {
			return f.Informer
		}
	}
	return int(w.Last.Informer)
}
