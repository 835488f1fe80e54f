package report

import (
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// side is one of the two sides whose calls of a handler are compared.
type side uint8

// The sides where a recording is compared with the engine.
const (
	recordedSide side = iota
	engineSide
)

// handlerCall is a call that was made.
type handlerCall struct {
	key                string
	time, step         int64
	oldRV, rv          object.RV
	fn                 trace.Fn
	initial, tombstone bool
	changedRecently    bool // of a resync: its key changed within a second
}

// resync reports whether the call tells nothing new.
func (c handlerCall) resync() bool { return c.fn == trace.OnUpdate && c.oldRV == c.rv }

// parted are the calls of one key that only one side has made, by side. They stand
// in one place: behind the same equal call, and before the same equal call.
type parted [2][]handlerCall

func (p parted) empty() bool { return len(p[0])+len(p[1]) == 0 }

// first returns the earliest of the calls.
func (p parted) first() handlerCall {
	if len(p[0]) == 0 || len(p[1]) > 0 && p[1][0].time < p[0][0].time {
		return p[1][0]
	}
	return p[0][0]
}

// line holds the calls that have not met an equal call of the other side yet, by
// side.
type line [2][]handlerCall

// pair is what is known of one key.
type pair struct {
	changes, resyncs line
	versions         [8]object.RV // the newest ones, of both sides
	seen             int
	changed          [2]int64 // when each side's last change came
	slack            int64    // see matcher
	loose            bool     // resourceVersions say nothing
	differs          bool     // the calls of the key are compared no more
}

// equal reports whether two calls of the key are equal. A resync may come up to a
// second, and the slack, before or after the other side's, and so before or after a change.
func (p *pair) equal(a, b handlerCall) bool {
	if a.resync() && b.resync() && max(a.time-b.time, b.time-a.time) <= second+p.slack {
		return a.rv == b.rv || slices.Contains(p.versions[:], a.rv) && slices.Contains(p.versions[:], b.rv)
	}
	a.time, a.step, a.changedRecently = b.time, b.step, b.changedRecently
	if p.loose {
		a.oldRV, a.rv = b.oldRV, b.rv
	}
	return a == b
}

// match adds a call of one side to a line of the key. If the other side waits with an
// equal call, both go, and what stood before them has parted. ahead is how many calls
// are looked through for an equal one. Where there is none among so many, all calls
// of the line have parted.
func (p *pair) match(l *line, by side, c handlerCall, ahead int) (apart parted) {
	pending, other := &l[by], &l[1-by]
	for j := range min(len(*other), ahead) {
		if !p.equal(c, (*other)[j]) {
			continue
		}
		if len(*pending)+j > 0 {
			apart[by], apart[1-by] = slices.Clone(*pending), slices.Clone((*other)[:j])
		}
		*pending = (*pending)[:0]
		*other = slices.Delete(*other, 0, j+1)
		return apart
	}
	*pending = append(*pending, c)
	if len(*other) > 0 && len(*pending) >= ahead {
		apart, *l = parted(*l), line{}
	}
	return apart
}

func (p *pair) noteVersion(rv object.RV) {
	p.versions[p.seen%len(p.versions)] = rv
	p.seen++
}

// tick adds a resync of one side. It goes, with the first of the other side that is equal.
// What is older than c by more than a second and the slack has no equal one any more: late is
// called with each.
func (p *pair) tick(by side, c handlerCall, late func(handlerCall)) {
	pending, other := &p.resyncs[by], &p.resyncs[1-by]
	for len(*other) > 0 && (*other)[0].time < c.time-second-p.slack {
		first := (*other)[0]
		*other = (*other)[1:]
		if late(first); p.differs { // the key is compared no more
			return
		}
	}
	for j, o := range *other {
		if p.equal(c, o) {
			*other = slices.Delete(*other, j, j+1)
			return
		}
	}
	c.changedRecently = p.changed[by] > 0 && c.time-p.changed[by] <= second+p.slack
	*pending = append(*pending, c)
}

// change notes when a change of one side has come.
func (p *pair) change(by side, c handlerCall) {
	p.noteVersion(c.rv)
	p.changed[by] = max(c.time, 1)
	for j := range p.resyncs[by] {
		if r := &p.resyncs[by][j]; c.time-r.time <= second+p.slack {
			r.changedRecently = true
		}
	}
}

// waiting returns how many calls wait.
func (p *pair) waiting() (n int) {
	for by := range p.changes {
		n += len(p.changes[by]) + len(p.resyncs[by])
	}
	return n
}

const (
	maxWaiting  = 1 << 18 // calls that wait for an equal one
	maxCompared = 1 << 15 // keys whose versions are remembered
)

// matcher compares the calls that a handler got from two sides, while they are made.
// Neither side has to be ahead of the other.
//
// The calls of one key are compared in their order. Resyncs are compared with resyncs
// only, since they come by a timer.
type matcher struct {
	t       *object.Table
	initial bool // handlers of both sides learn what is in the initial list
	loose   bool // resourceVersions aren't compared: the sides are of different clusters
	settled bool // resyncs aren't compared: the sides have different clocks
	drifts  bool // the sides have timers of their own: see matcher.tick
	// slack is how long the handler took for the calls of one resync, or of a list that had
	// nothing new, at most. The order of the keys is a Go map's, so each side may come to
	// a key as much earlier or later.
	slack   int64
	ahead   int // see pair.match
	differs func(p *pair, key string, apart parted)

	calls     [2]int64 // by side
	keys      map[string]*pair
	waiting   int
	exhausted bool // there is nothing more to compare

	passed int64 // resyncs that were passed over: see tick
}

// engineCall returns the call that an engine has made in its last step. Its objects are in t.
func (m *matcher) engineCall(t *object.Table, e *event.Event, now, step int64) handlerCall {
	c := handlerCall{key: t.KeyText(e.Key), time: now, step: step, fn: trace.OnDelete, rv: t.RVOf(e.Old), tombstone: e.Flags&event.Tombstone != 0}
	switch e.Delta {
	case event.Added:
		c.fn, c.rv, c.initial = trace.OnAdd, t.RVOf(e.New), m.initial && e.Flags&event.IsInInitialList != 0
	case event.Updated:
		c.fn, c.oldRV, c.rv = trace.OnUpdate, t.RVOf(e.Old), t.RVOf(e.New)
	}
	if t != m.t {
		c.oldRV, c.rv = m.t.RV(t.RVText(c.oldRV)), m.t.RV(t.RVText(c.rv))
	}
	return c
}

// add compares a call of one side. It reports whether the call is equal to one of the
// other side, or still may be.
func (m *matcher) add(by side, c handlerCall) bool {
	if m.calls[by]++; m.exhausted || m.settled && c.resync() {
		return false
	}
	p := m.keys[c.key]
	if p == nil {
		if len(m.keys) >= maxCompared {
			for key, p := range m.keys {
				if p.waiting() == 0 && !p.differs {
					delete(m.keys, key)
				}
			}
		}
		p = &pair{loose: m.loose, slack: m.slack}
		m.keys[c.key] = p
	}
	if p.differs {
		return false
	}
	l := &p.changes
	m.waiting -= p.waiting()
	switch {
	case c.resync() && m.drifts:
		return m.tick(p, by, c)
	case c.resync():
		l = &p.resyncs
	default:
		p.change(by, c)
	}
	apart := p.match(l, by, c, m.ahead)
	if !apart.empty() {
		m.differs(p, c.key, apart)
	}
	if m.waiting += p.waiting(); m.waiting > maxWaiting {
		m.exhausted = true
	}
	return apart.empty() && !m.exhausted
}

// tick compares a resync where each side has a timer of its own, which is some milliseconds
// earlier or later than the other one's. So there may be a resync on one side only where the
// key changes at that moment: the object is gone then, or something of it is queued already.
func (m *matcher) tick(p *pair, by side, c handlerCall) bool {
	p.tick(by, c, func(late handlerCall) { m.unmatchedResync(p, late, 1-by) })
	if m.waiting += p.waiting(); m.waiting > maxWaiting {
		m.exhausted = true
	}
	return !p.differs && !m.exhausted
}

// unmatchedResync notes that a resync of one side has no equal one.
func (m *matcher) unmatchedResync(p *pair, c handlerCall, by side) {
	if c.changedRecently {
		m.passed++
		return
	}
	var apart parted
	apart[by] = []handlerCall{c}
	m.differs(p, c.key, apart)
}

// call returns a call for a Report.
func (m *matcher) call(c handlerCall) *Call {
	return &Call{Fn: c.fn.String(), Key: c.key, OldRV: m.t.RVText(c.oldRV), RV: m.t.RVText(c.rv), Initial: c.initial, Tombstone: c.tombstone, T: c.time, Step: c.step}
}

// leftover are the calls of a key that still wait at the end.
type leftover struct {
	*pair
	key   string
	calls parted
}

// leftovers returns the calls that wait when a capture has ended at the time end, by the
// time of the first. Where each side has a timer of its own, resyncs of the last second and the
// slack are passed over: the other side may have made them after the end.
func (m *matcher) leftovers(end int64) (left []leftover) {
	for key, p := range m.keys {
		for by := range p.resyncs {
			if m.drifts {
				n := len(p.resyncs[by])
				p.resyncs[by] = slices.DeleteFunc(p.resyncs[by], func(c handlerCall) bool { return c.changedRecently || c.time >= end-second-m.slack })
				m.passed += int64(n - len(p.resyncs[by]))
			}
		}
		for _, l := range []line{p.changes, p.resyncs} {
			if len(l[0])+len(l[1]) > 0 {
				left = append(left, leftover{p, key, parted(l)})
			}
		}
	}
	sort.SliceStable(left, func(i, j int) bool {
		a, b := left[i].calls.first().time, left[j].calls.first().time
		return a < b || a == b && left[i].key < left[j].key
	})
	return left
}
