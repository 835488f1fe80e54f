package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// observed adds up what the engine does with a resource, step by step.
type observed struct {
	report   Informer
	handlers []Listener // by listener
	waiting  []times    // by listener: when each notification on its way was made
	listing  int        // the index in report.Relists of the relist under way; -1 for none, and for one that is only counted
	relists  ask.Relists
	resyncs  int64
}

// Why an informer lists again.
const (
	Expired        = ask.Expired
	WatchError     = ask.WatchError
	VeryShortWatch = ask.VeryShortWatch
	WatchRefused   = ask.WatchRefused
	WatchClosed    = ask.WatchClosed
	Undecodable    = ask.Undecodable
	ListedAgain    = ask.ListedAgain
)

// maxRelists is how many relists are kept; the others are only counted.
const maxRelists = 100

func (o *observed) init(handlers []Handler, r *informer.Recording) {
	o.listing = -1
	if r != nil {
		o.report.Controller = &Followed{Name: r.Name, Priorities: r.Priorities}
	}
	o.report.RelistsBy = map[string]int{}
	for _, h := range handlers {
		o.handlers = append(o.handlers, Listener{Name: h.Name, Resync: h.Resync, Takes: h.Takes})
	}
	o.waiting = make([]times, len(handlers))
}

// look counts what w's last step did.
func (o *observed) look(w *world.World) {
	x := w.Informers[0]
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if why, code := o.relists.Look(e); why != "" {
			o.relisted(w.Now(), why, code)
		}
		switch e.Kind {
		case event.ListReceived:
			if o.listing >= 0 {
				o.report.Relists[o.listing].Items = e.Count()
			}
			o.listing = -1
		case event.ListFailed:
			o.failed(e, w)
		case event.WatchFailed:
			if o.relists.Streams() {
				o.failed(e, w)
			}
		case event.ResyncFired:
			o.resyncs++
		case event.BackoffStarted:
			o.report.Backoffs++
		case event.Enqueued, event.DeltaAppended:
			o.queued(x, w.Now())
		case event.StoreAdded, event.StoreReplaced:
			o.report.CacheMax = max(o.report.CacheMax, x.Indexer.Len())
		case event.ListenerAddCh:
			o.waiting[e.Handler()].push(w.Now())
		case event.ListenerSlot, event.ListenerPending:
			h := &o.handlers[e.Handler()]
			if n := x.Processor.Listeners[e.Handler()].Behind(); n > h.Behind {
				h.Behind, h.BehindAt = n, w.Now()
			}
		case event.ListenerStopped:
			// The listener still delivers the notification that it holds.
			o.waiting[e.Handler()].keep(x.Processor.Listeners[e.Handler()].Behind())
		case event.HandlerCalled:
			o.called(e, w.Now())
		case event.WorkGot, event.WorkOvertook, event.WorkMissing, event.ReconcileStarted, event.WriteSent:
			o.report.Controller.look(e)
		case event.HasSynced, event.InformerHasSynced, event.LockReleased: // up to v0.35 HasSynced waits for the queue's lock
			if now := w.Now(); o.report.Synced == nil && x.HasSynced() {
				o.report.Synced = &now
			}
		}
	}
}

// look counts what a recorded controller does.
func (f *Followed) look(e *event.Event) {
	if f == nil {
		return
	}
	switch e.Kind {
	case event.WorkGot:
		f.Gets++
	case event.WorkOvertook:
		f.Overtaking++
	case event.WorkMissing:
		f.Missing++
	case event.ReconcileStarted:
		f.Reconciles++
	case event.WriteSent:
		f.Writes++
	}
}

// failed counts a list that failed, streaming or not, and notes why.
func (o *observed) failed(e *event.Event, w *world.World) {
	o.report.ListFailures++
	o.report.ListFailure = &ListFailure{
		T: w.Now(), Code: e.Code(), Reason: apiserver.Failure(e.Failure()).String(), Message: w.Informers[0].Server.View(0, 0).Message,
	}
}

// relisted counts a relist, which begins.
func (o *observed) relisted(now int64, why string, code int) {
	o.report.RelistCount++
	o.report.RelistsBy[why]++
	if len(o.report.Relists) < maxRelists {
		o.listing = len(o.report.Relists)
		o.report.Relists = append(o.report.Relists, Relist{T: now, Reason: why, Code: int64(code), Items: -1})
	}
}

func (o *observed) queued(x *informer.Informer, now int64) {
	q := &o.report.Queue
	if n := x.Queue.Depth(); n > q.Deepest {
		q.Deepest, q.At = n, now
	}
	c := x.Queue.Counters()
	q.Deltas = max(q.Deltas, c.In-c.Deduped-c.Popped)
}

func (o *observed) called(e *event.Event, now int64) {
	h := &o.handlers[e.Handler()]
	switch e.Delta {
	case event.Added:
		h.OnAdd++
		if e.Flags&event.IsInInitialList != 0 {
			h.Initial++
		}
	case event.Updated:
		h.OnUpdate++
	default:
		h.OnDelete++
		if e.Flags&event.Tombstone != 0 {
			h.Tombstones++
		}
	}
	if made, ok := o.waiting[e.Handler()].pop(); ok && now-made > h.Late {
		h.Late, h.LateAt = now-made, now
	}
}

// finish returns the engine's part of the report, with the handlers in the order
// of Options.
func (o *observed) finish(w *world.World, asked []Handler) Informer {
	x := w.Informers[0]
	out := o.report
	out.Cache, out.Steps = x.Indexer.Len(), w.Steps()
	for _, h := range asked {
		i := slices.IndexFunc(o.handlers, func(other Listener) bool { return other.Name == h.Name })
		listener := o.handlers[i]
		listener.Left = x.Processor.Listeners[i].Behind()
		out.Listeners = append(out.Listeners, listener)
	}
	return out
}

// times is a queue of moments.
type times struct {
	all  []int64
	head int
}

func (q *times) push(t int64) { q.all = append(q.all, t) }

func (q *times) pop() (int64, bool) {
	if q.head == len(q.all) {
		return 0, false
	}
	t := q.all[q.head]
	q.head++
	if q.head > 1024 && 2*q.head > len(q.all) {
		q.all = q.all[:copy(q.all, q.all[q.head:])]
		q.head = 0
	}
	return t, true
}

// keep forgets all times but the first n.
func (q *times) keep(n int) { q.all = q.all[:min(len(q.all), q.head+n)] }
