package world

import "sort"

// Checkpoints are made this many steps apart at least, and thinned out once
// they would hold more than checkpointBudget bytes.
const (
	minEvery         = 8192
	maxCheckpoints   = 96
	minCheckpoints   = 12
	checkpointBudget = 12 << 20
)

// checkpoints of a run, by step. The first is the beginning.
type checkpoints struct {
	every  int64
	worlds []*World
	spare  []*World
}

func (c *checkpoints) add(w *World) {
	if len(c.worlds) >= min(maxCheckpoints, max(minCheckpoints, checkpointBudget/w.size())) {
		c.thin()
		if w.steps%c.every != 0 {
			return
		}
	}
	kept := new(World)
	if n := len(c.spare); n > 0 {
		kept, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	kept.CopyFrom(w)
	c.worlds = append(c.worlds, kept)
}

// thin drops every other checkpoint. A few of them are kept for their memory.
func (c *checkpoints) thin() {
	c.every *= 2
	kept := c.worlds[:0]
	for _, w := range c.worlds {
		if w.steps%c.every == 0 {
			kept = append(kept, w)
		} else if len(c.spare) < 4 {
			c.spare = append(c.spare, w)
		}
	}
	clear(c.worlds[len(kept):])
	c.worlds = kept
}

// before returns the last checkpoint at or before step.
func (c *checkpoints) before(step int64) *World {
	i := sort.Search(len(c.worlds), func(i int) bool { return c.worlds[i].steps > step })
	return c.worlds[i-1]
}

// bytesPerKey is about what the stations of one informer hold for each key that
// they have ever seen.
const bytesPerKey = 120

// size is about how many bytes a copy of w takes.
func (w *World) size() int {
	n := 16 << 10
	for _, x := range w.Informers {
		n += x.Config().Table.Keys() * bytesPerKey
	}
	return n
}
