package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// observed adds up what the engine does with a resource, step by step.
type observed struct {
	report   Informer
	handlers []Listener // by listener
	waiting  []times    // by listener: when each notification on its way was made
	initial  bool       // the first list has been asked for
	listing  int        // the index in report.Relists of the relist under way; -1 for none, and for one that is only counted
	relists  bool       // a list is under way
	why      string     // what happened last that may cause a relist
	code     int64
	resyncs  int64

	streaming bool // the last watch that was asked for begins with a streaming list
}

// Why an informer lists again.
const (
	Expired        = "expired"        // a watch ended with 410
	WatchError     = "error"          // a watch ended with another error
	VeryShortWatch = "veryShortWatch" // a watch ended within a second, with nothing on it
	WatchRefused   = "watchFailed"    // a watch was refused
	WatchClosed    = "closed"         // a watch was closed, or broke
	ListedAgain    = "listedAgain"    // the recorded client listed again, and the recording doesn't say why
)

// maxRelists is how many relists are kept; the others are only counted.
const maxRelists = 100

func (o *observed) init(handlers []Handler) {
	o.listing = -1
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
		switch e := &w.Log.Events[i]; e.Kind {
		case event.ListRequested:
			o.asks(w.Now())
		case event.WatchRequested:
			if o.streaming = e.Flags&event.Streaming != 0; o.streaming {
				o.asks(w.Now())
			}
		case event.ListReceived:
			o.listed(e.Count())
		case event.ListFailed:
			o.failed(e, w)
		case event.WatchErrorReceived:
			o.why, o.code = WatchError, int64(e.Code())
			switch {
			case e.Code() == 410:
				o.why = Expired
			case apiserver.Failure(e.Failure()) == apiserver.ListedAnew:
				o.why = ListedAgain
			}
		case event.WatchFailed:
			o.why, o.code = WatchRefused, int64(e.Code())
			if o.streaming {
				o.failed(e, w)
			}
		case event.WatchClosed:
			o.why, o.code = WatchClosed, 0
		case event.VeryShortWatch:
			o.why, o.code = VeryShortWatch, 0
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
		case event.HasSynced, event.InformerHasSynced, event.LockReleased: // up to v0.35 HasSynced waits for the queue's lock
			if now := w.Now(); o.report.Synced == nil && x.HasSynced() {
				o.report.Synced = &now
			}
		}
	}
}

// failed counts a list that failed, streaming or not, and notes why.
func (o *observed) failed(e *event.Event, w *world.World) {
	o.report.ListFailures++
	o.report.ListFailure = &ListFailure{
		T: w.Now(), Code: e.Code(), Reason: apiserver.Failure(e.Failure()).String(), Message: w.Informers[0].Server.View(0, 0).Message,
	}
}

// asks counts a request for a list, streaming or not. A request that follows one
// without an answer belongs to the same relist.
func (o *observed) asks(now int64) {
	if !o.initial {
		o.initial, o.relists = true, true
		return
	}
	if o.relists {
		return
	}
	o.relists = true
	o.report.RelistCount++
	if o.why == "" {
		o.why = WatchClosed
	}
	o.report.RelistsBy[o.why]++
	if len(o.report.Relists) < maxRelists {
		o.listing = len(o.report.Relists)
		o.report.Relists = append(o.report.Relists, Relist{T: now, Reason: o.why, Code: o.code, Items: -1})
	}
}

func (o *observed) listed(items int64) {
	if o.listing >= 0 {
		o.report.Relists[o.listing].Items = items
	}
	o.relists, o.listing = false, -1
	o.why, o.code = "", 0
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
