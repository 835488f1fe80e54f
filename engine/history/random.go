package history

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
)

// RandomSchedule is a schedule in which any actor that could move soon may be next.
type RandomSchedule struct {
	rand     actor.Rand
	runnable []actor.ID
}

// NewRandomSchedule returns the schedule of a seed.
func NewRandomSchedule(seed uint64) *RandomSchedule { return &RandomSchedule{rand: actor.Rand(seed)} }

// patience is for how long a random schedule may let an actor wait that could move,
// in nanoseconds.
const patience = 100_000_000

// Next picks one of the actors of w that can move within 100 ms. There is none if
// the default scheduler has none either.
func (s *RandomSchedule) Next(w *world.World) (actor.ID, bool) {
	first, ok := w.Next()
	if !ok {
		return first, false
	}
	until := max(w.Set.ReadyAt(first), w.Now()) + patience
	s.runnable = s.runnable[:0]
	for id := range actor.ID(w.Set.Len()) {
		if w.CanMove(id) && w.Set.ReadyAt(id) <= until {
			s.runnable = append(s.runnable, id)
		}
	}
	return s.runnable[s.rand.Intn(len(s.runnable))], true
}

// RandomRuns makes random runs that begin at one step of a [History], one after the other. What
// was done from outside after that step is done again in each of them, at its time.
type RandomRuns struct {
	from     *point
	w        *point
	commands []planned
	next     int // of commands
	schedule *RandomSchedule
}

// RandomRuns returns random runs from a step on, which must be known. It leaves h where it is.
func (h *History) RandomRuns(step int64) *RandomRuns {
	d := &RandomRuns{from: new(point), w: new(point)}
	h.reach(d.from, step)
	at := new(point)
	for i := range h.inputs {
		if in := &h.inputs[i]; in.Command != nil && in.Step > step {
			h.reach(at, in.Step-1)
			d.commands = append(d.commands, planned{at.Now(), in.Command})
		}
	}
	return d
}

// Begin begins the run of a seed.
func (d *RandomRuns) Begin(seed uint64) {
	d.w.copyFrom(d.from)
	d.next, d.schedule = 0, NewRandomSchedule(seed)
}

// World returns the world of the run. It belongs to d.
func (d *RandomRuns) World() *world.World { return d.w.World() }

// Step makes the next step of the run, and reports whether there is one.
func (d *RandomRuns) Step() bool {
	w := d.w
	for d.next < len(d.commands) {
		c := &d.commands[d.next]
		if id, ok := w.Next(); ok && w.Set.ReadyAt(id) <= c.time {
			break
		}
		d.next++
		if w.Do(c.c) {
			return true
		}
	}
	id, ok := d.schedule.Next(w.World())
	if ok {
		w.Step(id)
	}
	return ok
}
