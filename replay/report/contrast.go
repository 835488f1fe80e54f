package report

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

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

func newContrast(t *object.Table, o *Options) *contrast {
	c := &contrast{differ: map[string]struct{}{}}
	c.matcher = matcher{t: t, initial: o.Profile.InitialList && o.Against.InitialList, ahead: maxAhead, differs: c.parts, keys: map[string]*pair{}}
	return c
}

// played adds a call that a machine has made in its last step.
func (c *contrast) played(by side, e *event.Event, w *world.World) {
	c.add(by, c.made(e, w.Now(), w.Steps()))
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

// report returns how the calls compare when the capture has ended at the time end.
func (c *contrast) report(handler string, end int64) HandlerContrast {
	for _, l := range c.left(end) {
		c.parts(l.pair, l.key, l.calls)
	}
	c.keys, c.waiting = nil, 0
	out := c.out
	out.Handler, out.Calls, out.Keys = handler, c.calls, len(c.differ)
	out.Unfinished = c.over
	return out
}
