package world

import (
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
)

// History is a run of which every step can be reached. It keeps the run's
// inputs, a checkpoint now and then, and what a timeline needs; everything else
// is worked out again from the nearest checkpoint.
type History struct {
	cfg      *Config
	commands []Command // by After

	front *World // the furthest point
	done  bool
	cur   *World // where SeekTo is
	near  [2]*World
	runs  checkpoints

	ends    []uint64 // a bit for each step: it finished an Operation
	times   []int64  // the clock at every timeEvery-th step
	samples Samples
}

// timeEvery is how many steps lie between two entries of History.times.
const timeEvery = 64

// near checkpoints are left this many steps before a step that was sought
// backwards, so that going back on from there is quick.
var nearBefore = [2]int64{1024, 64}

// NewHistory returns the history of cfg's run before its first step.
func NewHistory(cfg *Config) (*History, error) {
	w, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return begin(cfg, nil, w), nil
}

func begin(cfg *Config, commands []Command, w *World) *History {
	h := &History{cfg: cfg, commands: commands, front: w, cur: w.Clone(), times: []int64{w.Now()}}
	h.runs.every = minEvery
	h.runs.add(w)
	h.samples.init(w, commands)
	return h
}

// Branch returns another history that is the same up to the given step, and
// then goes on with command c. It has been extended to that step.
func (h *History) Branch(step int64, c Command) (*History, error) {
	c.After = step
	var commands []Command
	for _, old := range h.commands {
		if old.After <= step {
			commands = append(commands, old)
		}
	}
	w, err := New(h.cfg)
	if err != nil {
		return nil, err
	}
	b := begin(h.cfg, append(commands, c), w)
	for b.Steps() < step && b.Extend(step-b.Steps()) > 0 {
	}
	return b, nil
}

// Extend runs on from the furthest point, by at most budget steps, and returns
// how many it made: none when the run is complete or starved.
func (h *History) Extend(budget int64) (made int64) {
	w := h.front
	for ; made < budget; made++ {
		id, ok := h.next(w)
		if !ok {
			h.done = !w.Starved()
			break
		}
		w.Step(id)
		if w.Last.Finished {
			h.setEnd(w.steps)
		}
		h.samples.look(w)
		if w.steps%timeEvery == 0 {
			h.times = append(h.times, w.Now())
			if w.steps%h.runs.every == 0 { // a multiple of timeEvery
				h.runs.add(w)
			}
		}
	}
	return made
}

// next does the commands that are due, and asks the default scheduler.
func (h *History) next(w *World) (actor.ID, bool) {
	for w.commands < len(h.commands) && h.commands[w.commands].After <= w.steps {
		w.Do(h.commands[w.commands])
		w.commands++
	}
	return w.Next()
}

// Steps is how many steps are known.
func (h *History) Steps() int64 { return h.front.steps }

// Complete tells whether the run has ended: nothing more will happen.
func (h *History) Complete() bool { return h.done }

// Starved tells whether Extend waits for a feed to be read on.
func (h *History) Starved() bool { return h.front.Starved() }

// End is the clock at the furthest point, in nanoseconds.
func (h *History) End() int64 { return h.front.Now() }

// Commands returns what was done to the run from outside.
func (h *History) Commands() []Command { return h.commands }

// Samples returns what a timeline needs.
func (h *History) Samples() *Samples { return &h.samples }

// At is the world where SeekTo left it. It belongs to the history: read it, and
// do not step it.
func (h *History) At() *World { return h.cur }

// SeekTo goes to the state after the given step, 0 being before the first, and
// returns it; its Log holds the facts of that step. A step that is not known
// is the last one known.
func (h *History) SeekTo(step int64) *World {
	step = min(max(step, 0), h.front.steps)
	if step == h.cur.steps {
		return h.cur
	}
	back := step < h.cur.steps
	from := h.runs.before(step)
	for _, w := range h.near {
		if w != nil && w.steps <= step && w.steps > from.steps {
			from = w
		}
	}
	if back || from.steps > h.cur.steps {
		h.cur.CopyFrom(from)
	}
	if back {
		for i, before := range nearBefore {
			if at := step - before; at > h.cur.steps {
				h.rerun(at)
				if h.near[i] == nil {
					h.near[i] = new(World)
				}
				h.near[i].CopyFrom(h.cur)
			}
		}
	}
	h.rerun(step)
	return h.cur
}

// rerun steps h.cur on.
func (h *History) rerun(step int64) {
	for h.cur.steps < step {
		id, ok := h.next(h.cur)
		if !ok {
			return
		}
		h.cur.Step(id)
	}
}

// StepOf returns the last step made at or before the time t, in nanoseconds. It
// seeks there.
func (h *History) StepOf(t int64) int64 {
	i := int64(sort.Search(len(h.times), func(i int) bool { return h.times[i] > t })) - 1
	if i < 0 {
		h.SeekTo(0)
		return 0
	}
	step := h.SeekTo(i * timeEvery).steps
	for step < h.front.steps {
		id, ok := h.next(h.cur)
		if !ok || max(h.cur.Now(), h.cur.Set.At(id)) > t {
			break
		}
		h.cur.Step(id)
		step++
	}
	return step
}

func (h *History) setEnd(step int64) {
	for int(step>>6) >= len(h.ends) {
		h.ends = append(h.ends, 0)
	}
	h.ends[step>>6] |= 1 << (step & 63)
}

// NextOperation returns the first step after the given one that finishes what
// its actor was doing, or the last step known.
func (h *History) NextOperation(step int64) int64 {
	for s := step + 1; s <= h.front.steps; s++ {
		if h.isEnd(s) {
			return s
		}
	}
	return h.front.steps
}

// PrevOperation returns the last step before the given one that finishes what
// its actor was doing, or 0.
func (h *History) PrevOperation(step int64) int64 {
	for s := step - 1; s > 0; s-- {
		if h.isEnd(s) {
			return s
		}
	}
	return 0
}

func (h *History) isEnd(step int64) bool {
	i := int(step >> 6)
	return i < len(h.ends) && h.ends[i]>>(step&63)&1 != 0
}

// NextWatchEvent returns the first step after the given one that receives a
// watch event or a list, or the last step known.
func (h *History) NextWatchEvent(step int64) int64 {
	s := h.samples.events
	i, _ := slices.BinarySearch(s, step+1)
	if i == len(s) {
		return h.front.steps
	}
	return s[i]
}

// PrevWatchEvent returns the last step before the given one that receives a
// watch event or a list, or 0.
func (h *History) PrevWatchEvent(step int64) int64 {
	s := h.samples.events
	i, _ := slices.BinarySearch(s, step)
	if i == 0 {
		return 0
	}
	return s[i-1]
}
