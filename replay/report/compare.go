package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
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
