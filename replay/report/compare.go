package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// comparer compares the recorded calls of a handler with the calls that the
// engine's handler of the same name gets. The calls of a key are compared up to the
// first that differs.
//
// The order of different keys is compared where it is determined: for changes that
// came on a watch, and with a queue that keeps their order.
type comparer struct {
	matcher
	order    bool // the queue keeps the order of different keys
	relisted *relisted
	cut      bool // notifications were waiting when the handler's calls ended

	out     Comparison
	watched line
}

const (
	maxDifferences = 10   // that are kept
	maxDiffering   = 1000 // keys that are counted
)

func newComparer(r *trace.Resource, o *Options, lists *relisted, f *FoundHandler) *comparer {
	c := &comparer{order: o.Profile.InOrder, relisted: lists, cut: f.Ended || f.lost > 0}
	c.matcher = matcher{t: r.Table, initial: o.Profile.InitialList, ahead: 1, drifts: true, slack: f.spread, differs: c.differs, keys: map[string]*pair{}}
	return c
}

// recorded adds a call of the recorded handler.
func (c *comparer) recorded(call *trace.Call) {
	c.addCall(recordedSide, handlerCall{key: c.t.KeyText(call.Key), time: call.Time, oldRV: call.OldRV, rv: call.RV, fn: call.Fn, initial: call.Initial, tombstone: call.Tombstone})
}

// played adds a call of the engine's handler.
func (c *comparer) played(e *event.Event, now int64) {
	c.addCall(engineSide, c.engineCall(c.t, e, now, 0))
}

func (c *comparer) addCall(by side, m handlerCall) {
	if c.add(by, m) && c.order && !m.initial && !m.tombstone && !m.resync() && !c.relisted.covers(m.rv) {
		c.inOrder(by, m)
	}
}

// inOrder compares the order of different keys, up to the first place where it
// differs.
func (c *comparer) inOrder(by side, m handlerCall) {
	if c.out.Order != nil {
		return
	}
	pending, other := &c.watched[by], &c.watched[1-by]
	if len(*other) == 0 {
		*pending = append(*pending, m)
		return
	}
	var calls [2]handlerCall
	calls[by], calls[1-by] = m, (*other)[0]
	if *other = (*other)[1:]; calls[0].key != calls[1].key {
		c.out.Order = &Difference{Key: calls[recordedSide].key, Recorded: c.call(calls[recordedSide]), Played: c.call(calls[engineSide])}
		c.watched = line{}
	}
}

// differs notes that the calls of a key differ. No more calls of the key are compared.
func (c *comparer) differs(p *pair, key string, apart parted) {
	if p.differs {
		return
	}
	*p = pair{differs: true}
	if c.out.Differing++; c.out.Differing >= maxDiffering {
		c.exhausted = true
	}
	if len(c.out.Differences) < maxDifferences {
		d := Difference{Key: key}
		if calls := apart[recordedSide]; len(calls) > 0 {
			d.Recorded = c.call(calls[0])
		}
		if calls := apart[engineSide]; len(calls) > 0 {
			d.Played = c.call(calls[0])
		}
		c.out.Differences = append(c.out.Differences, d)
	}
}

// finish compares what is left when the capture has ended at the time end. It
// returns nil if there was nothing to compare.
func (c *comparer) finish(end int64) *Comparison {
	if c.calls[recordedSide] == 0 || c.exhausted && c.out.Differing < maxDiffering {
		return nil
	}
	left := c.leftovers(end)
	if c.cut && c.onlyLast(left) {
		left = nil
	}
	for _, l := range left {
		c.differs(l.pair, l.key, l.calls)
	}
	out := c.out
	out.Calls, out.Equal, out.Passed = c.calls[engineSide], out.Differing == 0 && out.Order == nil, c.passed
	return &out
}

// onlyLast reports whether the two sides differ only in the keys of their last calls. Both sides
// have made equally many calls then; resyncs that were passed over may be missing on one side.
//
// Such a difference is no fault where the handler was cut off while notifications were waiting.
// The order in which keys leave a DeltaFIFO depends on the speed of the process, and the order
// of a list may be the random order of a Go map. A queue that keeps the order lets one side go
// further than the other one only by as many calls as were passed over.
func (c *comparer) onlyLast(left []leftover) bool {
	n, ordered := [2]int64{}, false
	for _, l := range left {
		for by := range l.calls {
			n[by] += int64(len(l.calls[by]))
			for _, m := range l.calls[by] {
				ordered = ordered || c.order && !c.relisted.covers(m.rv)
			}
		}
		if len(l.calls[recordedSide]) > 0 && len(l.calls[engineSide]) > 0 {
			return false
		}
	}
	if ordered && n[0] > 0 && n[1] > 0 {
		return false
	}
	return max(n[0]-n[1], n[1]-n[0]) <= c.passed && c.out.Differing == 0
}

// relisted knows which resourceVersions came in lists. The calls about them may come in
// the random order of a Go map.
type relisted struct {
	t         *object.Table
	streaming bool // the events that come are a list
	last      object.RV
	spans     [][2]object.RV // each span begins after the first of the two and ends with the second
}

// addRecord takes in a record.
func (l *relisted) addRecord(rec *trace.Record) {
	rv := rec.RV
	if rec.Obj != 0 {
		rv = l.t.RVOf(rec.Obj)
	}
	switch rec.Kind {
	case trace.WatchOpen:
		l.streaming = rec.Streaming
		return
	case trace.ListEnd, trace.InitialEnd:
		l.streaming = false
		l.spans = append(l.spans, [2]object.RV{l.last, rv})
	case trace.WatchEvent, trace.WatchBookmark:
	default:
		return
	}
	if !l.streaming && rv < notNumeric {
		l.last = max(l.last, rv)
	}
}

// notNumeric is beyond all resourceVersions that are numbers.
const notNumeric object.RV = 1 << 63

func (l *relisted) covers(rv object.RV) bool {
	return slices.ContainsFunc(l.spans, func(s [2]object.RV) bool { return rv > s[0] && rv <= s[1] })
}

// Contrast compares two runs of the same input, step by step: the calls that their
// handlers of the same name get, and what their informers cost.
type Contrast struct {
	worlds    [2]*world.World
	handlers  []*contrast
	informers [2][]comparedInformer // by informer of each world
	captures  *Captures             // nil for one capture
}

// comparedInformer is what is known of an informer that is compared.
type comparedInformer struct {
	costs    *costs      // nil for an informer that is not compared
	handlers []*contrast // by number; nil where the other run has none of its name
}

// NewContrast returns the Contrast of informers of two runs that have made no step. They
// share an object.Table, or play two captures. Of two captures, resyncs are not compared,
// and resourceVersions only if some are in both.
func NewContrast(runs [2]*history.History, informers [2][]int, captures *Captures) *Contrast {
	c := &Contrast{captures: captures}
	type handler struct {
		informer.Handler
		cfg    *informer.Config
		target **contrast
		paired bool
	}
	var all [2][]*handler
	for by, h := range runs {
		w := h.Front()
		c.worlds[by], c.informers[by] = w, make([]comparedInformer, len(w.Informers))
		for _, i := range informers[by] {
			compared := &c.informers[by][i]
			compared.costs = &costs{world: w, informer: i}
			handlers := h.HandlersOf(i)
			compared.handlers = make([]*contrast, len(handlers))
			for k := range handlers {
				all[by] = append(all[by], &handler{Handler: handlers[k], cfg: w.Informers[i].Config(), target: &compared.handlers[k]})
			}
		}
	}
	for _, first := range all[0] {
		for _, second := range all[1] {
			if first.Name == second.Name && !second.paired {
				pair := newContrast([2]*informer.Config{first.cfg, second.cfg}, first.Handler)
				if captures != nil {
					pair.settled, pair.loose = true, captures.Pace != ByRevision
				}
				*first.target, *second.target, second.paired = pair, pair, true
				c.handlers = append(c.handlers, pair)
				break
			}
		}
	}
	return c
}

// Look takes in what the last step of the first run (0) or of the second one (1) did.
func (c *Contrast) Look(by int) {
	w := c.worlds[by]
	compared := &c.informers[by][w.Last.Informer]
	if compared.costs == nil {
		return
	}
	compared.costs.observe()
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind == event.HandlerCalled {
			if h := compared.handlers[e.Handler()]; h != nil {
				if call := h.engineCall(w.Informers[w.Last.Informer].Config().Table, e, w.Now(), w.Steps()); c.captures.Has(call.key) {
					h.add(side(by), call)
				}
			}
		}
	}
}

// Handlers returns how the calls compare when both runs have come to their end: for each
// handler that both worlds have.
func (c *Contrast) Handlers() (out []HandlerContrast) {
	for _, h := range c.handlers {
		out = append(out, h.report())
	}
	return out
}

// Results returns how the calls compare that both worlds have made until now. A
// call that only one of them has made is no difference yet.
func (c *Contrast) Results() (out []HandlerContrast) {
	for _, h := range c.handlers {
		out = append(out, h.results())
	}
	return out
}

// Costs returns what the informers of each run have cost so far.
func (c *Contrast) Costs() (all [2]Costs) {
	for by := range c.informers {
		for i := range c.informers[by] {
			if cost := c.informers[by][i].costs; cost != nil {
				all[by].add(cost.report())
			}
		}
	}
	return all
}

// contrast compares the calls that the handlers of one name get from two machines.
// After a difference it goes on behind the next call that both have made.
type contrast struct {
	matcher
	out    HandlerContrast
	differ map[string]struct{} // keys
}

const (
	maxPartings    = 1000    // that are kept
	maxPartedCalls = 8       // of each side that are kept in one
	maxPartedKeys  = 1 << 16 // that are counted
	maxAhead       = 256     // see pair.match
)

func newContrast(cfg [2]*informer.Config, h informer.Handler) *contrast {
	c := &contrast{differ: map[string]struct{}{}}
	c.out.Handler = h.Name
	for by := range cfg {
		c.out.NotRemoved[by] = h.Until > 0 && !cfg[by].Profile.Registrations
	}
	c.matcher = matcher{t: cfg[0].Table, initial: cfg[0].Profile.InitialList && cfg[1].Profile.InitialList, ahead: maxAhead, differs: c.parts, keys: map[string]*pair{}}
	return c
}

func (c *contrast) parts(_ *pair, key string, apart parted) {
	if len(c.differ) < maxPartedKeys {
		c.differ[key] = struct{}{}
	}
	c.out.Differing++
	if apart.first().resync() { // all calls of one line are resyncs, or none is
		c.out.Resyncs++
	}
	if len(c.out.Differences) == maxPartings {
		return
	}
	d := Parting{Key: key, Counts: [2]int{len(apart[0]), len(apart[1])}}
	for by, calls := range apart {
		for _, m := range calls[:min(len(calls), maxPartedCalls)] {
			d.Calls[by] = append(d.Calls[by], *c.call(m))
		}
	}
	c.out.Differences = append(c.out.Differences, d)
}

// report returns how the calls compare when both machines have come to their end.
func (c *contrast) report() HandlerContrast {
	for _, l := range c.leftovers(0) {
		c.parts(l.pair, l.key, l.calls)
	}
	c.keys, c.waiting = nil, 0
	return c.results()
}

// results returns how the calls compare without those that wait.
func (c *contrast) results() HandlerContrast {
	out := c.out
	out.Calls, out.Keys, out.Unfinished = c.calls, len(c.differ), c.exhausted
	return out
}

// costs adds up what an informer costs, step by step.
type costs struct {
	world    *world.World
	informer int
	out      Costs
	since    [actor.NumLocks]int64 // when the lock was taken
	waits    []wait                // by actor: a wait for a lock
}

// wait is an actor's wait for a lock.
type wait struct {
	lock  int // an actor.LockID
	since int64
	waits bool
}

// observe counts what the last step cost.
func (c *costs) observe() {
	w := c.world
	if int(w.Last.Informer) != c.informer {
		return
	}
	for i := range w.Log.Events {
		switch e := &w.Log.Events[i]; e.Kind {
		case event.ListRequested:
			c.out.ListRequests++
		case event.WatchRequested:
			c.out.WatchRequests++
		case event.ListenerAddCh:
			c.out.Notifications++
		case event.LockAcquired:
			c.acquired(e, w.Now())
		case event.LockReleased:
			l := &c.out.Locks[e.Lock()]
			held := w.Now() - c.since[e.Lock()]
			l.Held += held
			l.Longest = max(l.Longest, held)
		case event.LockWaits:
			c.waits = object.Grown(c.waits, int(e.Actor))
			if at := &c.waits[e.Actor]; !at.waits { // the actor may have been overtaken when it was woken
				*at = wait{e.Lock(), w.Now(), true}
				c.out.Locks[e.Lock()].Waits++
			}
		}
	}
}

func (c *costs) acquired(e *event.Event, now int64) {
	l := &c.out.Locks[e.Lock()]
	l.Acquired++
	c.since[e.Lock()] = now
	if int(e.Actor) < len(c.waits) && c.waits[e.Actor].waits && c.waits[e.Actor].lock == e.Lock() {
		l.Waited += now - c.waits[e.Actor].since
		c.waits[e.Actor] = wait{}
	}
}

// report returns what was counted.
func (c *costs) report() Costs {
	out := c.out
	for i := range out.Locks {
		out.Locks[i].Name = actor.LockID(i).String()
	}
	var u informer.Usage
	x := c.world.Informers[c.informer]
	x.AddUsage(&u, c.world.Now())
	out.Lists, out.Objects, out.Copies = u.Lists, u.Objects, u.Copies
	q := x.Queue.Counters()
	out.Deltas, out.Deduplicated = q.In, q.Deduped
	return out
}

// add adds what another informer has cost.
func (c *Costs) add(more Costs) {
	c.ListRequests += more.ListRequests
	c.WatchRequests += more.WatchRequests
	c.Lists += more.Lists
	c.Objects += more.Objects
	c.Copies += more.Copies
	c.Deltas += more.Deltas
	c.Deduplicated += more.Deduplicated
	c.Notifications += more.Notifications
	for i := range c.Locks {
		l, m := &c.Locks[i], &more.Locks[i]
		l.Name = m.Name
		l.Acquired += m.Acquired
		l.Held += m.Held
		l.Longest = max(l.Longest, m.Longest)
		l.Waits += m.Waits
		l.Waited += m.Waited
	}
}
