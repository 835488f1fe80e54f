package history

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// Checkpoints are made this many steps apart at least.
const (
	minEvery       = 8192
	maxCheckpoints = 96 // of one history that isn't long
)

// long is how many steps make a history long. A seek runs from a checkpoint, so a
// limit that stays the same would make it take as much longer as the history is.
const long = 1 << 22

// times returns by how much limits grow for a history of so many steps: by 1 for each
// doubling from long on.
func times(steps int64) int { return 1 + bits.Len64(uint64(steps/long)) }

// DefaultMemory is how many bytes the checkpoints of a page's histories may take
// together while none of them is long.
const DefaultMemory = 12 << 20

// Memory limits what the checkpoints of several histories take together. When
// there is no room for another one, the history whose checkpoints take most loses
// every other one. The limit grows with the logarithm of the longest history.
type Memory struct {
	limit, used int // in bytes
	users       []*checkpoints
}

// NewMemory returns a [Memory] with a limit in bytes, for histories that aren't long.
func NewMemory(limit int) *Memory { return &Memory{limit: limit} }

// Used returns how many bytes the checkpoints take, as far as that can be estimated.
func (m *Memory) Used() int { return m.used }

// room drops checkpoints until there is room for n bytes, or until none may be
// dropped.
func (m *Memory) room(n int) {
	var steps int64
	for _, c := range m.users {
		steps = max(steps, c.worlds[len(c.worlds)-1].step)
	}
	for m.used+n > m.limit*times(steps) {
		var most *checkpoints
		for _, c := range m.users {
			if len(c.worlds) > c.minCount && (most == nil || c.bytes > most.bytes) {
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
	memory   *Memory
	interval int64
	minCount int // how many are not thinned out
	worlds   []checkpoint
	bytes    int
	spare    []*point
	since    event.Set // which of the kinds that are noted had facts since the last checkpoint
}

type checkpoint struct {
	*point
	step  int64
	bytes int       // its size as it was counted
	facts event.Set // which of the kinds that are noted had facts since the checkpoint before
}

// leastOfRoot is how many checkpoints a root keeps at least: without some of
// them, seeking in a long run would take too long.
const leastOfRoot = 12

func (c *checkpoints) init(m *Memory, w *point) {
	c.memory, c.interval, c.minCount = m, minEvery, 2
	if w.Steps() == 0 {
		c.minCount = leastOfRoot
	}
	m.users = append(m.users, c)
	c.keep(w, w.Steps())
}

// add keeps w, the state after a step, if that is one of those to keep.
func (c *checkpoints) add(w *point, step int64) {
	if len(c.worlds) >= maxCheckpoints*times(step) {
		c.thin()
	}
	c.memory.room(w.size())
	if step%c.interval == 0 {
		c.keep(w, step)
	}
}

func (c *checkpoints) keep(w *point, step int64) {
	kept := new(point)
	if n := len(c.spare); n > 0 {
		kept, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	kept.copyFrom(w)
	c.worlds = append(c.worlds, checkpoint{kept, step, w.size(), c.since})
	c.since = event.Set{}
	c.count(w.size())
}

func (c *checkpoints) count(bytes int) {
	c.bytes += bytes
	c.memory.used += bytes
}

// thin drops every other checkpoint. The memory of a few is kept to be used again.
func (c *checkpoints) thin() {
	c.interval *= 2
	kept, facts := c.worlds[:1], event.Set{}
	for _, w := range c.worlds[1:] {
		facts.Join(&w.facts)
		if w.step%c.interval == 0 {
			w.facts, facts = facts, event.Set{}
			kept = append(kept, w)
			continue
		}
		c.count(-w.bytes)
		if len(c.spare) < 4 {
			c.spare = append(c.spare, w.point)
		}
	}
	c.since.Join(&facts)
	clear(c.worlds[len(kept):])
	c.worlds = kept
}

func (c *checkpoints) drop() {
	c.count(-c.bytes)
	c.worlds, c.spare = nil, nil
	c.memory.users = slices.DeleteFunc(c.memory.users, func(o *checkpoints) bool { return o == c })
}

func (c *checkpoints) before(step int64) *point { return c.worlds[c.after(step)-1].point }

// after returns the number of the first checkpoint after step. It isn't inlined, because the page's
// program is weighed.
//
//go:noinline
func (c *checkpoints) after(step int64) int {
	return sort.Search(len(c.worlds), func(i int) bool { return c.worlds[i].step > step })
}

// What an informer's stations hold, in bytes: of each key, of each key in each index, of each key
// if there is a DeltaFIFO, and of each object that is queued.
const (
	bytesPerKey     = 12
	bytesPerIndexed = 28
	bytesPerItem    = 56
	bytesPerQueued  = 64

	notificationsPerByte = 32 // copies share pendingNotifications, and each has a list of its parts
)

// size returns about how many bytes a copy of w takes.
func (w *point) size() int {
	n := 16 << 10
	for _, x := range w.Informers {
		each := bytesPerKey + bytesPerIndexed*x.Indexer.Indices()
		if !x.Config().Profile.InOrder {
			each += bytesPerItem
		}
		n += x.Config().Table.Keys()*each + x.Queue.Depth()*bytesPerQueued
		for i := range x.Processor.Listeners {
			n += x.Processor.Listeners[i].Pending() / notificationsPerByte
		}
	}
	return n
}

// point is a world at some step of a run.
type point struct {
	world.Driver
	inputs int // how many of the run's inputs have been done
}

func newPoint(cfg *world.Config) (*point, error) {
	d, err := world.New(cfg)
	if err != nil {
		return nil, err
	}
	return &point{Driver: *d}, nil
}

func (w *point) clone() *point {
	c := new(point)
	c.copyFrom(w)
	return c
}

// copyFrom makes w equal to src, reusing w's memory.
func (w *point) copyFrom(src *point) {
	w.CopyFrom(src.World())
	w.inputs = src.inputs
}
