package report

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// Contrast compares two worlds that play the same input, step by step: the calls that
// their handlers of the same name get, and what their informers cost.
type Contrast struct {
	worlds   [2]*world.World
	informer int
	handlers []*contrast
	of       [2][]*contrast // by handler of each world; nil where the other has none of its name
	costs    [2]costs
}

// NewContrast returns the Contrast of informer i of two worlds that have made no step.
// They share an object.Table.
func NewContrast(first, second *world.World, i int) *Contrast {
	c := &Contrast{worlds: [2]*world.World{first, second}, informer: i}
	var cfg [2]*informer.Config
	for by, w := range c.worlds {
		cfg[by] = w.Informers[i].Config()
		c.costs[by] = costs{world: w, informer: i}
		c.of[by] = make([]*contrast, len(cfg[by].Handlers))
	}
	for j := range cfg[0].Handlers {
		for k := range cfg[1].Handlers {
			if cfg[0].Handlers[j].Name != cfg[1].Handlers[k].Name {
				continue
			}
			one := newContrast(cfg, j)
			c.of[0][j], c.of[1][k] = one, one
			c.handlers = append(c.handlers, one)
		}
	}
	return c
}

// Look takes in what the last step of the first world (0) or of the second one (1) did.
func (c *Contrast) Look(by int) {
	w := c.worlds[by]
	c.costs[by].look()
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind == event.HandlerCalled && int(w.Last.Informer) == c.informer {
			if h := c.of[by][e.Handler()]; h != nil {
				h.add(side(by), h.made(e, w.Now(), w.Steps()))
			}
		}
	}
}

// Handlers returns how the calls compare when the input has ended at the time end, in
// nanoseconds: for each handler that both worlds have.
func (c *Contrast) Handlers(end int64) (out []HandlerContrast) {
	for _, h := range c.handlers {
		out = append(out, h.report(end))
	}
	return out
}

// SoFar returns how the calls compare that both worlds have made until now. What only
// one of them has made is no difference yet.
func (c *Contrast) SoFar() (out []HandlerContrast) {
	for _, h := range c.handlers {
		out = append(out, h.soFar())
	}
	return out
}

// Costs returns what the two informers have cost so far.
func (c *Contrast) Costs() [2]Costs { return [2]Costs{c.costs[0].report(), c.costs[1].report()} }

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
	maxAhead       = 256     // see pair.meet
)

func newContrast(cfg [2]*informer.Config, handler int) *contrast {
	c := &contrast{differ: map[string]struct{}{}}
	c.out.Handler = cfg[0].Handlers[handler].Name
	for by := range cfg {
		c.out.NotRemoved[by] = cfg[0].Handlers[handler].Until > 0 && !cfg[by].Profile.Registrations
	}
	c.matcher = matcher{t: cfg[0].Table, initial: cfg[0].Profile.InitialList && cfg[1].Profile.InitialList, ahead: maxAhead, differs: c.parts, keys: map[string]*pair{}}
	return c
}

func (c *contrast) parts(_ *pair, key string, apart parted) {
	if len(c.differ) < maxPartedKeys {
		c.differ[key] = struct{}{}
	}
	c.out.Differing++
	if apart.first().resync() { // calls of one line: all of them are
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

// report returns how the calls compare when the input has ended at the time end.
func (c *contrast) report(end int64) HandlerContrast {
	for _, l := range c.left(end) {
		c.parts(l.pair, l.key, l.calls)
	}
	c.keys, c.waiting = nil, 0
	return c.soFar()
}

// soFar returns how the calls compare without those that wait.
func (c *contrast) soFar() HandlerContrast {
	out := c.out
	out.Calls, out.Keys, out.Unfinished = c.calls, len(c.differ), c.over
	return out
}
