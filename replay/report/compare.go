package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// comparer compares the recorded calls of a handler with the calls that the
// engine's handler of the same name gets. Both are added while the capture is
// read, and neither has to be ahead of the other.
//
// The calls of one key are compared in their order. The order of different keys
// is compared where it is determined: for changes that came on a watch, and with
// a queue that keeps their order. A resync may come up to a second before or after
// its recorded time, and so before or after a change.
type comparer struct {
	r        *trace.Resource
	order    bool // the queue keeps the order of different keys
	initial  bool // handlers learn what is in the initial list
	relisted *relisted

	out     Comparison
	calls   [2]int64 // by side
	keys    map[string]*pair
	watched line
	waiting int  // calls that the other side has not made yet
	over    bool // there is nothing more to compare
}

// side says who made a call.
type side uint8

const (
	recordedSide side = iota
	engineSide
)

// made is a call that was made.
type made struct {
	key                string
	at                 int64
	oldRV, rv          object.RV
	fn                 trace.Fn
	initial, tombstone bool
}

// resync reports whether the call tells nothing new.
func (c made) resync() bool { return c.fn == trace.OnUpdate && c.oldRV == c.rv }

// line holds the calls that one side has made and the other has not made yet.
type line struct {
	side  side
	calls []made
}

// meet adds a call of one side, or returns the call of the other side that it
// meets.
func (l *line) meet(by side, c made) (other made, met bool) {
	if len(l.calls) == 0 || l.side == by {
		l.side, l.calls = by, append(l.calls, c)
		return made{}, false
	}
	other, l.calls = l.calls[0], l.calls[1:]
	return other, true
}

// pair is what is known of one key.
type pair struct {
	changes, resyncs line
	versions         [8]object.RV // the newest ones, of both sides
	seen             int
	differs          bool
}

// same reports whether two calls of the key are equal.
func (p *pair) same(a, b made) bool {
	if a.resync() && b.resync() && max(a.at-b.at, b.at-a.at) <= second {
		return a.rv == b.rv || slices.Contains(p.versions[:], a.rv) && slices.Contains(p.versions[:], b.rv)
	}
	a.at = b.at
	return a == b
}

func (p *pair) saw(rv object.RV) {
	p.versions[p.seen%len(p.versions)] = rv
	p.seen++
}

// empty reports whether nothing waits.
func (p *pair) empty() bool { return len(p.changes.calls) == 0 && len(p.resyncs.calls) == 0 }

const (
	maxDifferences = 10      // that are kept
	maxDiffering   = 1000    // keys that are counted
	maxWaiting     = 1 << 18 // calls of one side that wait for the other
	maxCompared    = 1 << 15 // keys whose versions are remembered
)

func newComparer(r *trace.Resource, o *Options, lists *relisted) *comparer {
	return &comparer{r: r, order: o.Profile.InOrder, initial: o.Profile.InitialList, relisted: lists, keys: map[string]*pair{}}
}

// recorded adds a call of the recorded handler.
func (c *comparer) recorded(call *trace.Call) {
	c.add(recordedSide, made{key: c.r.Table.KeyText(call.Key), at: call.At, oldRV: call.OldRV, rv: call.RV, fn: call.Fn, initial: call.Initial, tombstone: call.Tombstone})
}

// played adds a call of the engine's handler.
func (c *comparer) played(e *event.Event, now int64) {
	if c.over {
		c.calls[engineSide]++
		return
	}
	t := c.r.Table
	m := made{key: t.KeyText(e.Key), at: now, fn: trace.OnDelete, rv: t.RVOf(e.Old), tombstone: e.Flags&event.Tombstone != 0}
	switch e.Delta {
	case event.Added:
		m.fn, m.rv, m.initial = trace.OnAdd, t.RVOf(e.New), c.initial && e.Flags&event.IsInInitialList != 0
	case event.Updated:
		m.fn, m.oldRV, m.rv = trace.OnUpdate, t.RVOf(e.Old), t.RVOf(e.New)
	}
	c.add(engineSide, m)
}

func (c *comparer) add(by side, m made) {
	if c.calls[by]++; c.over {
		return
	}
	p := c.keys[m.key]
	if p == nil {
		if len(c.keys) >= maxCompared {
			maps.DeleteFunc(c.keys, func(_ string, p *pair) bool { return p.empty() && !p.differs })
		}
		p = &pair{}
		c.keys[m.key] = p
	}
	if p.differs {
		return
	}
	l := &p.changes
	if m.resync() {
		l = &p.resyncs
	} else {
		p.saw(m.rv)
	}
	if other, met := l.meet(by, m); met {
		c.waiting--
		if by == engineSide {
			m, other = other, m
		}
		if !p.same(m, other) {
			c.differs(p, &m, &other)
			return
		}
	} else if c.waiting++; c.waiting > maxWaiting {
		c.over = true
		return
	}
	if c.order && !m.initial && !m.tombstone && !m.resync() && !c.relisted.within(m.rv) {
		c.inOrder(by, m)
	}
}

// inOrder compares the order of different keys, up to the first place where it
// differs.
func (c *comparer) inOrder(by side, m made) {
	other, met := c.watched.meet(by, m)
	if !met || c.out.Order != nil || other.key == m.key {
		return
	}
	if by == engineSide {
		m, other = other, m
	}
	c.out.Order = &Difference{Key: m.key, Recorded: c.call(&m), Played: c.call(&other)}
}

// differs notes that the calls of a key differ, and compares no more of them. One
// of the two calls may be nil.
func (c *comparer) differs(p *pair, recorded, played *made) {
	c.waiting -= len(p.changes.calls) + len(p.resyncs.calls)
	*p = pair{differs: true}
	one := recorded
	if one == nil {
		one = played
	}
	if c.out.Differing++; c.out.Differing >= maxDiffering {
		c.over = true
	}
	if len(c.out.Differences) < maxDifferences {
		c.out.Differences = append(c.out.Differences, Difference{Key: one.key, Recorded: c.call(recorded), Played: c.call(played)})
	}
}

func (c *comparer) call(m *made) *Call {
	if m == nil {
		return nil
	}
	rv := c.r.Table.RVText
	return &Call{Fn: m.fn.String(), Key: m.key, OldRV: rv(m.oldRV), RV: rv(m.rv), Initial: m.initial, Tombstone: m.tombstone, T: m.at}
}

// finish compares what is left when the capture has ended at the time end. It
// returns nil if there was nothing to compare.
func (c *comparer) finish(end int64) *Comparison {
	if c.calls[recordedSide] == 0 || c.over && c.out.Differing < maxDiffering {
		return nil
	}
	var left []*pair
	first := func(p *pair) made {
		if len(p.changes.calls) > 0 {
			return p.changes.calls[0]
		}
		return p.resyncs.calls[0]
	}
	for _, p := range c.keys {
		if len(p.resyncs.calls) > 0 && p.resyncs.calls[0].at >= end-second { // the last tick
			p.resyncs.calls = nil
		}
		if !p.empty() {
			left = append(left, p)
		}
	}
	slices.SortFunc(left, func(a, b *pair) int {
		x, y := first(a), first(b)
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.key, y.key))
	})
	for _, p := range left {
		m := first(p)
		by := p.changes.side
		if len(p.changes.calls) == 0 {
			by = p.resyncs.side
		}
		if by == recordedSide {
			c.differs(p, &m, nil)
		} else {
			c.differs(p, nil, &m)
		}
	}
	out := c.out
	out.Calls, out.Equal = c.calls[engineSide], out.Differing == 0 && out.Order == nil
	return &out
}

// relisted knows which resourceVersions came in lists. The calls about them may come in
// the random order of a Go map.
type relisted struct {
	t         *object.Table
	streaming bool // the events that come are a list
	last      object.RV
	spans     [][2]object.RV // from beyond the first of the two up to the second
}

// take takes a record in.
func (l *relisted) take(rec *trace.Record) {
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

func (l *relisted) within(rv object.RV) bool {
	return slices.ContainsFunc(l.spans, func(s [2]object.RV) bool { return rv > s[0] && rv <= s[1] })
}
