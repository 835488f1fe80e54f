package host

import (
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/link"
)

// comparison plays two runs from their beginning once more, side by side, and compares
// them. The one whose clock is behind makes the next step.
type comparison struct {
	of        [2]*world.History
	informers [2][]int
	plays     [2]*world.History // keep nothing but where they are
	rests     [2]bool
	contrast  *report.Contrast
	done      bool
	found     []report.HandlerContrast // once it is done
}

func newComparison(of [2]*world.History, informers [2][]int) *comparison {
	c := &comparison{of: of, informers: informers}
	for i, h := range of {
		p, err := world.NewPassing(h.Config(), h.Inputs()...)
		if err != nil {
			panic(err) // the same run could be made before
		}
		c.plays[i] = p
	}
	c.contrast = report.NewContrast(c.plays, informers)
	return c
}

// goOn makes up to n steps, and tells whether there may be more. No run is played
// further than it is known.
func (c *comparison) goOn(n int) (more bool) {
	if c.done {
		return false
	}
	for ; n > 0; n-- {
		next := -1
		for i, p := range c.plays {
			if !c.rests[i] && (next < 0 || p.End() < c.plays[next].End()) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		p := c.plays[next]
		if p.Steps() >= c.of[next].Steps() || p.Extend(1) == 0 {
			c.rests[next] = true
			continue
		}
		c.contrast.Look(next)
	}
	if n > 0 {
		c.rests = [2]bool{}
		if c.of[0].Complete() && c.of[1].Complete() {
			c.done = true
			c.found = c.contrast.Handlers(max(c.plays[0].End(), c.plays[1].End()))
		}
		return false
	}
	return true
}

// handlers are how the calls compare, as far as it is known.
func (c *comparison) handlers() []report.HandlerContrast {
	if c.done {
		return c.found
	}
	return c.contrast.SoFar()
}

// differs are the first differences, in the order of the run.
func (c *comparison) differs() (out []link.Differ) {
	for _, h := range c.handlers() {
		for i := range h.Differences {
			d := &h.Differences[i]
			x := link.Differ{Handler: h.Handler, Key: d.Key, First: calls(d.Calls[0]), Second: calls(d.Calls[1])}
			for by, of := range d.Calls {
				x.More = append(x.More, d.Counts[by]-len(of))
				if len(of) > 0 && (by == 0 || len(x.First) == 0 || of[0].T < x.Time) {
					x.Time = of[0].T
				}
			}
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Time < out[j].Time })
	return out[:min(len(out), link.MaxDiffers)]
}

func calls(of []report.Call) (out []link.Call) {
	for i := range of {
		c := &of[i]
		out = append(out, link.Call{Func: c.Fn, OldRV: c.OldRV, RV: c.RV, Tomb: c.Tombstone, First: c.Initial, Time: c.T, Step: c.Step})
	}
	return out
}

// tell tells the page what is known.
func (c *comparison) tell(out *link.Beside) {
	out.Done, out.Time = c.done, min(c.plays[0].End(), c.plays[1].End())
	for _, h := range c.handlers() {
		out.Count += h.Differing
		out.Calls = append(out.Calls, link.Calls{Handler: h.Handler, Of: h.Calls[:], Differ: h.Differing})
	}
	out.Differs = c.differs()
	of := c.contrast.Costs()
	x, y := &of[0], &of[1]
	cost := func(id string, first, second int64) {
		out.Costs = append(out.Costs, link.Cost{ID: id, Of: []int64{first, second}})
	}
	cost("lists", x.Lists, y.Lists)
	cost("watches", x.WatchRequests, y.WatchRequests)
	cost("objects", x.Objects, y.Objects)
	cost("copies", x.Copies, y.Copies)
	cost("deltas", x.Deltas, y.Deltas)
	cost("notifications", x.Notifications, y.Notifications)
	for i := range x.Locks {
		l, m := &x.Locks[i], &y.Locks[i]
		time := func(id string, first, second int64) {
			if first+second > 0 {
				out.Costs = append(out.Costs, link.Cost{ID: id, Times: true, Lock: l.Name, Of: []int64{first, second}})
			}
		}
		time("held", l.Held, m.Held)
		time("waited", l.Waited, m.Waited)
	}
	if c.done {
		c.caches(out)
	}
}

// caches tells where the caches differ in the end.
func (c *comparison) caches(out *link.Beside) {
	x := c.plays[0].Front().Informers[c.informers[0][0]]
	t := x.Config().Table
	seen := map[object.Key]bool{}
	differs := func(k object.Key, first, second object.RV) {
		if seen[k] {
			return
		}
		seen[k] = true
		if out.Cached++; out.Cached <= link.MaxDiffers {
			out.Caches = append(out.Caches, link.Cached{Key: t.KeyText(k), First: t.RVText(first), Second: t.RVText(second)})
		}
	}
	for _, i := range c.informers[1] {
		y := c.plays[1].Front().Informers[i]
		for _, r := range x.Indexer.List(nil) {
			k := t.KeyOf(r)
			if o, ok := y.Indexer.GetByKey(k); !ok {
				differs(k, t.RVOf(r), 0)
			} else if t.RVOf(o) != t.RVOf(r) {
				differs(k, t.RVOf(r), t.RVOf(o))
			}
		}
		for _, r := range y.Indexer.List(nil) {
			if k := t.KeyOf(r); !cached(x.Indexer.GetByKey(k)) {
				differs(k, 0, t.RVOf(r))
			}
		}
	}
}

func cached(_ object.Ref, ok bool) bool { return ok }
