// Package compare plays two runs side by side, and finds where they differ.
package compare

import (
	"math"
	"sort"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/link"
)

// Comparison plays two runs from their beginning once more, side by side, and compares
// them. The one whose clock is behind makes the next step.
type Comparison struct {
	histories [2]*history.History
	informers [2][]int
	captures  *report.Captures    // nil for one capture
	passes    [2]*history.History // keep nothing but where they are
	rests     [2]bool
	contrast  *report.Contrast
	Done      bool
	found     []report.HandlerContrast // once it is done
}

// New returns a Comparison of informers of two runs. Captures is nil if both play one capture.
func New(runs [2]*history.History, informers [2][]int, captures *report.Captures) *Comparison {
	c := &Comparison{histories: runs, informers: informers, captures: captures}
	for i, h := range runs {
		p, err := history.NewPassing(h.Config(), h.Inputs()...)
		if err != nil {
			panic(err) // the same run could be made before
		}
		c.passes[i] = p
	}
	c.contrast = report.NewContrast(c.passes, informers, captures)
	return c
}

// Advance makes up to n steps, and reports whether there may be more. No run is played
// further than it is known.
func (c *Comparison) Advance(n int) (more bool) {
	if c.Done {
		return false
	}
	for ; n > 0; n-- {
		next := -1
		for i, p := range c.passes {
			if !c.rests[i] && (next < 0 || c.secondIsBehind(p)) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		p := c.passes[next]
		if p.Steps() >= c.histories[next].Steps() || !p.Step() {
			c.rests[next] = true
			continue
		}
		c.contrast.Look(next)
	}
	if n > 0 {
		c.rests = [2]bool{}
		if c.histories[0].Complete() && c.histories[1].Complete() {
			c.Done = true
			c.found = c.contrast.Handlers()
		}
		return false
	}
	return true
}

// secondIsBehind reports whether the second run is further behind than the first one.
func (c *Comparison) secondIsBehind(second *history.History) bool {
	first := c.passes[0]
	if c.captures == nil {
		return second.End() < first.End()
	}
	return c.captures.SecondIsBehind(c.passes, [2]int{Played(first.Front(), c.informers[0][0]), Played(second.Front(), c.informers[1][0])})
}

// handlers tells how the calls compare, as far as the runs were compared.
func (c *Comparison) handlers() []report.HandlerContrast {
	if c.Done {
		return c.found
	}
	return c.contrast.Results()
}

// Differs returns the first differences, in the order of the run.
func (c *Comparison) Differs() (out []link.Differ) {
	for _, h := range c.handlers() {
		for i := range h.Differences {
			d := &h.Differences[i]
			x := link.Differ{Handler: h.Handler, Key: d.Key, First: calls(d.Calls[0]), Second: calls(d.Calls[1])}
			for by, calls := range d.Calls {
				x.More = append(x.More, d.Counts[by]-len(calls))
				switch {
				case len(calls) == 0:
				case by == 0:
					x.Time = calls[0].T
				case c.captures != nil && len(x.First) == 0:
					x.Time = c.captures.Time(1, calls[0].T)
				case c.captures == nil && (len(x.First) == 0 || calls[0].T < x.Time):
					x.Time = calls[0].T
				}
			}
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Time < out[j].Time })
	return out[:min(len(out), link.MaxDiffers)]
}

func calls(recorded []report.Call) (out []link.Call) {
	for i := range recorded {
		c := &recorded[i]
		out = append(out, link.Call{Func: c.Fn, OldRV: c.OldRV, RV: c.RV, Tomb: c.Tombstone, First: c.Initial, Time: c.T, Step: c.Step})
	}
	return out
}

// Fill adds what is known to what the page is told.
func (c *Comparison) Fill(out *link.SecondMachine) {
	out.Done, out.Time = c.Done, min(c.passes[0].End(), c.passes[1].End())
	for _, h := range c.handlers() {
		out.Count += h.Differing
		out.Calls = append(out.Calls, link.Calls{Handler: h.Handler, Counts: h.Calls[:], Differ: h.Differing})
	}
	out.Differs = c.Differs()
	costs := c.contrast.Costs()
	x, y := &costs[0], &costs[1]
	cost := func(id string, first, second int64) {
		out.Costs = append(out.Costs, link.Cost{ID: id, Values: []int64{first, second}})
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
				out.Costs = append(out.Costs, link.Cost{ID: id, Times: true, Lock: l.Name, Values: []int64{first, second}})
			}
		}
		time("held", l.Held, m.Held)
		time("waited", l.Waited, m.Waited)
	}
	if c.Done {
		c.caches(out)
	}
}

// caches tells where the caches differ in the end.
func (c *Comparison) caches(out *link.SecondMachine) {
	seen := map[string]bool{}
	x := c.passes[0].Front().Informers[c.informers[0][0]]
	for _, i := range c.informers[1] {
		y := c.passes[1].Front().Informers[i]
		for by, pair := range [2][2]*informer.Informer{{x, y}, {y, x}} {
			t := pair[0].Config().Table
			for _, r := range pair[0].Indexer.List(nil) {
				key, rvs := t.KeyText(t.KeyOf(r)), [2]string{}
				if !c.captures.Has(key) {
					continue
				}
				other, is := versionIn(pair[1], key)
				rvs[by], rvs[1-by] = t.RVText(t.RVOf(r)), other
				if is && (rvs[0] == rvs[1] || c.captures != nil && c.captures.Pace != report.ByRevision) || seen[key] {
					continue
				}
				seen[key] = true
				if out.Cached++; out.Cached <= link.MaxDiffers {
					out.Caches = append(out.Caches, link.Cached{Key: key, First: rvs[0], Second: rvs[1]})
				}
			}
		}
	}
}

// versionIn returns the resourceVersion of a key in the cache of an informer.
func versionIn(x *informer.Informer, key string) (rv string, ok bool) {
	t := x.Config().Table
	k, known := t.LookupKey(key)
	if !known {
		return "", false
	}
	r, ok := x.Indexer.GetByKey(k)
	if !ok {
		return "", false
	}
	return t.RVText(t.RVOf(r)), true
}

// Played returns how many records of its capture informer i has played: all, once a simulated
// server has taken over.
func Played(w *world.World, i int) int {
	if p, ok := w.Informers[i].Server.(*apiserver.Playback); ok {
		return p.Pos()
	}
	return math.MaxInt
}
