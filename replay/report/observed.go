package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
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

// maxRelists is how many relists are kept; the others are only counted.
const maxRelists = 100

func (o *observed) init(handlers []Handler, r *informer.Recording) {
	o.listing = -1
	if r != nil {
		o.report.Controller = &Followed{Name: r.Name, Priorities: r.Priorities}
	}
	o.report.RelistsBy = map[string]int{}
	for _, h := range handlers {
		o.handlers = append(o.handlers, Listener{Name: h.Name, Resync: h.Resync, Duration: h.Duration})
	}
	o.waiting = make([]times, len(handlers))
}

// observe counts what w's last step did.
func (o *observed) observe(w *world.World) {
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
			if n := x.Processor.Listeners[e.Handler()].Backlog(); n > h.Behind {
				h.Behind, h.BehindAt = n, w.Now()
			}
		case event.ListenerStopped:
			// The listener still delivers the notification that it holds.
			o.waiting[e.Handler()].keep(x.Processor.Listeners[e.Handler()].Backlog())
		case event.HandlerCalled:
			o.handlerCalled(e, w.Now())
		case event.WorkGot, event.WorkOvertook, event.WorkMissing, event.ReconcileStarted, event.WriteSent:
			o.report.Controller.count(e)
		case event.HasSynced, event.InformerHasSynced, event.LockReleased: // up to v0.35 HasSynced waits for the queue's lock
			if now := w.Now(); o.report.Synced == nil && x.HasSynced() {
				o.report.Synced = &now
			}
		}
	}
}

// count counts what a recorded controller does.
func (f *Followed) count(e *event.Event) {
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
	if o.listing >= 0 {
		o.report.Relists[o.listing].Failed = true
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
		q.Deepest, q.DeepestAt = n, now
	}
	c := x.Queue.Counters()
	q.Deltas = max(q.Deltas, c.In-c.Deduped-c.Popped)
}

func (o *observed) handlerCalled(e *event.Event, now int64) {
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
		listener.Left = x.Processor.Listeners[i].Backlog()
		out.Listeners = append(out.Listeners, listener)
	}
	return out
}

// times is a queue of moments.
type times struct {
	values []int64
	head   int
}

func (q *times) push(t int64) { q.values = append(q.values, t) }

func (q *times) pop() (int64, bool) {
	if q.head == len(q.values) {
		return 0, false
	}
	t := q.values[q.head]
	q.head++
	if q.head > 1024 && 2*q.head > len(q.values) {
		q.values = q.values[:copy(q.values, q.values[q.head:])]
		q.head = 0
	}
	return t, true
}

// keep forgets all times but the first n.
func (q *times) keep(n int) { q.values = q.values[:min(len(q.values), q.head+n)] }

// change is a moment at which the server had a newer resourceVersion of the resource's
// objects, as far as the capture tells.
type change struct {
	time int64
	rv   object.RV
}

// changes are the changes of a resource, as they are read. What a list alone tells
// counts from the moment at which the list was there. Bookmarks are no changes.
type changes struct {
	t       *object.Table
	list    []change
	dropped int // how many were before all
	newest  object.RV
	listed  object.RV // the newest that the list under way has brought
	lists   bool
}

func (c *changes) end() int { return c.dropped + len(c.list) }

func (c *changes) at(i int) *change { return &c.list[i-c.dropped] }

// addRecord takes in a record.
func (c *changes) addRecord(rec *trace.Record) {
	switch rec.Kind {
	case trace.ListBegin:
		c.lists, c.listed = true, 0
	case trace.WatchOpen:
		c.lists, c.listed = rec.Streaming, 0
	case trace.ListEnd, trace.InitialEnd:
		c.add(rec.Time, c.listed)
		c.lists = false
	case trace.ListItem:
		c.listed = newerRV(c.listed, c.t.RVOf(rec.Obj))
	case trace.WatchEvent:
		if rec.Obj == 0 {
			return
		}
		if rv := c.t.RVOf(rec.Obj); c.lists {
			c.listed = newerRV(c.listed, rv)
		} else {
			c.add(rec.Time, rv)
		}
	}
}

func (c *changes) add(at int64, rv object.RV) {
	if _, ok := rv.Number(); ok && rv > c.newest {
		c.newest = rv
		c.list = append(c.list, change{at, rv})
	}
}

// newerRV returns the later one of two resourceVersions, without those that are no numbers.
func newerRV(a, b object.RV) object.RV {
	if _, ok := b.Number(); ok {
		return max(a, b)
	}
	return a
}

// forget lets go of all before change i.
func (c *changes) forget(i int) {
	if n := i - c.dropped; n > 1024 && 2*n > len(c.list) {
		c.list = c.list[:copy(c.list, c.list[n:])]
		c.dropped = i
	}
}

// stale measures how far the stations of an informer are behind the server.
type stale struct {
	changes      *changes
	known        int       // changes that have come by now
	firstMissing int       // the first change that some station has not reached
	stations     []station // reflector, cache, and then the handlers
}

// station is how far one station is.
type station struct {
	rv           object.RV
	firstMissing int // the first change that it has not reached
	out          Staleness
}

func newStale(c *changes, handlers int) *stale {
	return &stale{changes: c, stations: make([]station, 2+handlers)}
}

// observe measures before a station moves on, which is when it is behind the most: after
// a step that may have moved one.
func (s *stale) observe(w *world.World) {
	switch w.Last.PC {
	case actor.ReflectorRV, actor.ReflectorReplaced, actor.LoopStore, actor.LoopDistribute, actor.LoopRelease, actor.RunReturn:
		s.measure(w.Informers[0], w.Now(), w.Steps()-1)
	}
}

// measure measures at the time now, up to which step was the last one.
func (s *stale) measure(x *informer.Informer, now, step int64) {
	c := s.changes
	for s.known = max(s.known, c.dropped); s.known < c.end() && c.at(s.known).time <= now; s.known++ {
	}
	least := s.known
	for i := range s.stations {
		st := &s.stations[i]
		if i > 1 && x.Processor.Listeners[i-2].Removed {
			continue
		}
		st.measure(c, s.known, now, step)
		var rv object.RV
		switch i {
		case 0:
			rv = x.Reflector.RV()
		case 1:
			rv = x.CacheReached()
		default:
			rv = x.HandlerReached(i - 2)
		}
		if _, ok := rv.Number(); ok && rv != st.rv {
			st.rv = rv
			for st.firstMissing = max(st.firstMissing, c.dropped); st.firstMissing < c.end() && c.at(st.firstMissing).rv <= rv; st.firstMissing++ {
			}
		}
		if st.rv != 0 {
			least = min(least, st.firstMissing)
		}
	}
	s.firstMissing = least
}

// measure notes how far the station is behind, once it has reached anything.
func (st *station) measure(c *changes, known int, now, step int64) {
	if st.rv == 0 || st.firstMissing >= known {
		return
	}
	out := &st.out
	if n := int64(c.at(known-1).rv - st.rv); n > out.Revisions {
		out.Revisions, out.Changes, out.RevisionsAt, out.RevisionsStep = n, int64(known-st.firstMissing), now, step
	}
	if d := now - c.at(st.firstMissing).time; d > out.Time {
		out.Time, out.TimeAt, out.TimeStep = d, now, step
	}
}
