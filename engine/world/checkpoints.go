package world

import (
	"slices"
	"sort"
)

// Checkpoints are made this many steps apart at least.
const (
	minEvery       = 8192
	maxCheckpoints = 96 // of one history
)

// DefaultMemory is how many bytes the checkpoints of a page's histories may take
// together.
const DefaultMemory = 12 << 20

// Memory limits what the checkpoints of several histories take together. When
// there is no room for another one, the history whose checkpoints take most loses
// every other one.
type Memory struct {
	limit, used int // in bytes
	of          []*checkpoints
}

// NewMemory returns a Memory with a limit in bytes.
func NewMemory(limit int) *Memory { return &Memory{limit: limit} }

// Used is how many bytes the checkpoints take, as far as that can be estimated.
func (m *Memory) Used() int { return m.used }

// room drops checkpoints until there is room for n bytes, or until none may be
// dropped.
func (m *Memory) room(n int) {
	for m.used+n > m.limit {
		var most *checkpoints
		for _, c := range m.of {
			if len(c.worlds) > c.least && (most == nil || c.bytes > most.bytes) {
				most = c
			}
		}
		if most == nil {
			return
		}
		most.thin()
	}
}

// checkpoints of a run, by step. The first is where the history begins, and
// stays.
type checkpoints struct {
	memory *Memory
	every  int64
	least  int // how many are not thinned out
	worlds []checkpoint
	bytes  int
	spare  []*World
}

type checkpoint struct {
	*World
	bytes int // its size as it was counted
}

// leastOfRoot is how many checkpoints a root keeps at least: without some of
// them, seeking in a long run would take too long.
const leastOfRoot = 12

func (c *checkpoints) init(m *Memory, w *World) {
	c.memory, c.every, c.least = m, minEvery, 2
	if w.steps == 0 {
		c.least = leastOfRoot
	}
	m.of = append(m.of, c)
	c.keep(w)
}

func (c *checkpoints) add(w *World) {
	if len(c.worlds) >= maxCheckpoints {
		c.thin()
	}
	c.memory.room(w.size())
	if w.steps%c.every == 0 {
		c.keep(w)
	}
}

func (c *checkpoints) keep(w *World) {
	kept := new(World)
	if n := len(c.spare); n > 0 {
		kept, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	kept.copyFrom(w)
	c.worlds = append(c.worlds, checkpoint{kept, w.size()})
	c.count(w.size())
}

func (c *checkpoints) count(bytes int) {
	c.bytes += bytes
	c.memory.used += bytes
}

// thin drops every other checkpoint. The memory of a few is kept to be used again.
func (c *checkpoints) thin() {
	c.every *= 2
	kept := c.worlds[:1]
	for _, w := range c.worlds[1:] {
		if w.steps%c.every == 0 {
			kept = append(kept, w)
			continue
		}
		c.count(-w.bytes)
		if len(c.spare) < 4 {
			c.spare = append(c.spare, w.World)
		}
	}
	clear(c.worlds[len(kept):])
	c.worlds = kept
}

// drop drops all checkpoints.
func (c *checkpoints) drop() {
	c.count(-c.bytes)
	c.worlds, c.spare = nil, nil
	c.memory.of = slices.DeleteFunc(c.memory.of, func(o *checkpoints) bool { return o == c })
}

// before returns the last checkpoint at or before step.
func (c *checkpoints) before(step int64) *World {
	i := sort.Search(len(c.worlds), func(i int) bool { return c.worlds[i].steps > step })
	return c.worlds[i-1].World
}

// bytesPerKey is an estimate of the bytes that an informer's stations hold for
// each key.
const bytesPerKey = 120

// size is about how many bytes a copy of w takes.
func (w *World) size() int {
	n := 16 << 10
	for _, x := range w.Informers {
		n += x.Config().Table.Keys() * bytesPerKey
	}
	return n
}
