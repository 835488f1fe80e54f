// Package history keeps runs of a world. A run is its inputs: a Config, commands from outside,
// and choices of actors where they differ from the default schedule. Everything else is
// computed again from the nearest of some checkpoints, so any step can be reached
// ([History.SeekTo]), looked for ([History.Find]), named ([Moment]), left for another future
// ([History.Branch]), or made again under other conditions ([History.WithGuard],
// [History.SplitHandlers], [History.RandomRuns]).
//
// A step is a number: 0 is before the first step, and [History.Steps] is the last one
// known, the furthest point of the run. Times are nanoseconds on the virtual clock. A
// History is not safe for concurrent use.
package history

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/world"
)

// History is a run in which any step can be reached. A run is its inputs: a
// Config, and a log of what the default scheduler doesn't decide. A History keeps
// that log, a checkpoint now and then, and what a timeline needs. It computes
// everything else again from the nearest checkpoint.
//
// A branch shares its past with its parent: it asks the parent for everything up
// to the step at which it left.
type History struct {
	cfg        *world.Config
	parent     *History  // nil for a root
	branchStep int64     // the step at which it left its parent
	inputs     []Input   // from the first step on, the parent's included
	broken     error     // an input could not be done
	passing    bool      // nothing is kept but the furthest point
	planned    []planned // see SplitHandlers

	front  *point // the furthest point
	done   bool
	cur    *point      // where SeekTo is
	cached [2]*point   // see copiesBefore
	runs   checkpoints // from branchStep on

	// The rest is about the steps after branchStep.
	operationEnds stepSet // the steps that finished an Operation
	times         []int64 // the clock at every step after branchStep that timeEvery divides
	samples       Samples
}

// Input is one entry of a run's log: a step that the default scheduler didn't
// decide.
type Input struct {
	Step    int64          // the number of the step, counted from 1
	Actor   actor.ID       // who moved, if Command is nil
	Command *world.Command // what was done from outside
}

// Errors of inputs that cannot be done.
const (
	ErrCannotMove = fault.Plain("actorStuck")  // the actor that an input chooses cannot move
	ErrNoEffect   = fault.Plain("nothingToDo") // the command has nothing to do
	ErrNotReached = fault.Plain("endedBefore") // the run ended before the step of an input
	ErrNotAtFront = fault.Plain("notAtFront")  // inputs of the log are still to be done
)

// timeEvery is how many steps lie between two entries of History.times.
const timeEvery = 64

// copiesBefore is how many steps before a step that was sought backwards, or from afar, a copy
// is kept. So going back from there is quick, and so is looking at the steps before it.
var copiesBefore = [2]int64{1024, 64}

// New returns the history of cfg's run before its first step. Its
// checkpoints share m with the checkpoints of other histories. If m is nil it gets a [Memory]
// of its own.
func New(cfg *world.Config, m *Memory) (*History, error) {
	w, err := newPoint(cfg)
	if err != nil {
		return nil, err
	}
	if m == nil {
		m = NewMemory(DefaultMemory)
	}
	h := &History{cfg: cfg, front: w, cur: w.clone()}
	h.runs.init(m, w)
	h.samples.init(w.World(), cfg.Notes)
	return h, nil
}

// NewPassing returns a history that keeps only its furthest point, for a run that
// is observed while it is made. Inputs are its log, as [Replay] takes it; there may be
// none. The caller must not change them.
func NewPassing(cfg *world.Config, inputs ...Input) (*History, error) {
	w, err := newPoint(cfg)
	if err != nil {
		return nil, err
	}
	return &History{cfg: cfg, inputs: slices.Clip(inputs), passing: true, front: w, cur: w, samples: Samples{noteAt: actor.Never}}, nil
}

// Replay returns the history of cfg's run with a log of inputs, before its first
// step. The log need not be trusted: an input that cannot be done ends the run
// there, and Err says why.
func Replay(cfg *world.Config, m *Memory, inputs []Input) (*History, error) {
	h, err := New(cfg, m)
	if err != nil {
		return nil, err
	}
	h.inputs = slices.Clone(inputs)
	for i := range h.inputs {
		if c := h.inputs[i].Command; c != nil {
			command := *c
			h.inputs[i].Command = &command
		}
	}
	return h, nil
}

// Extend runs on from the furthest point, by at most budget steps, and returns
// how many it made: none when the run is complete or starved.
func (h *History) Extend(budget int64) (made int64) {
	w := h.front
	if !h.passing {
		h.samples.await()
	}
	for ; made < budget; made++ {
		if len(h.planned) > 0 {
			h.doPlanned()
		}
		ok := false
		if !h.free(w) {
			ok = h.advance(w)
		} else { // nearly always; advance would do the same, with two more calls
			var id actor.ID
			if id, ok = w.Next(); ok {
				w.Step(id)
			}
		}
		if !ok {
			h.noteEnd(w)
			break
		}
		if !h.passing {
			h.record(w)
		}
	}
	return made
}

// Step extends the history by one step, for a caller that looks at each one. It reports whether there
// was one.
func (h *History) Step() bool {
	w := h.front
	if !h.passing || !h.free(w) {
		return h.Extend(1) == 1
	}
	id, ok := w.Next()
	if !ok {
		h.noteEnd(w)
		return false
	}
	w.Step(id)
	return true
}

// free reports whether the default scheduler makes all steps from w on.
func (h *History) free(w *point) bool { return w.inputs >= len(h.inputs) && w.Horizon() == 0 }

// noteEnd notes that there is no next step from the furthest point: the run is complete or
// starved.
func (h *History) noteEnd(w *point) {
	h.done = !w.Starved()
	if h.done {
		h.samples.takeNotes(w.Steps(), actor.Never)
	}
	if h.done && w.inputs < len(h.inputs) && h.broken == nil {
		h.broken = ErrNotReached
	}
}

// advance makes the next step of the run in w: what the log says, the end of a
// PassTime, or what the default scheduler picks. It reports whether there is one.
func (h *History) advance(w *point) bool {
	if w.inputs < len(h.inputs) && h.inputs[w.inputs].Step == w.Steps()+1 {
		return h.obey(w, &h.inputs[w.inputs])
	}
	if w.Horizon() != 0 && w.TimeIsUp() {
		w.ReachHorizon()
		return true
	}
	at := w.Steps()
	w.StepUntil(at+1, nil)
	return w.Steps() > at
}

// obey makes the step of an input. It reports false if that cannot be done.
func (h *History) obey(w *point, in *Input) bool {
	switch {
	case in.Command == nil && !w.CanMove(in.Actor):
		h.broken = ErrCannotMove
		return false
	case in.Command == nil:
		w.Step(in.Actor)
	case in.Command.Informer < 0 || in.Command.Informer >= len(w.Informers) || !w.Do(in.Command):
		h.broken = ErrNoEffect
		return false
	}
	w.inputs++
	return true
}

// record notes the step that the furthest point has just made. A passing history keeps no
// such notes.
func (h *History) record(w *point) {
	if w.Last.Finished {
		h.operationEnds.add(w.Steps() - h.branchStep&^63)
	}
	if w.Now() > h.samples.noteAt || w.Last.Actor == actor.Nobody {
		h.samples.markNotes(w.World())
	}
	for i := range w.Log.Events { // in most steps, all facts are usual
		if classes[w.Log.Events[i].Kind] != usual {
			h.samples.look(w.World(), w.Log.Events[i:], &h.runs.since)
			break
		}
	}
	if w.Steps()%timeEvery == 0 {
		h.times = append(h.times, w.Now())
		if w.Steps()%h.runs.interval == 0 { // a multiple of timeEvery
			h.runs.add(w, w.Steps())
		}
	}
}

// Do carries out a command as the next step from the furthest point. A complete
// run goes on if the command gives it something to do. Do reports false, and makes
// no step, if there is nothing to do for the command.
func (h *History) Do(c world.Command) bool { return h.input(Input{Command: &c}) == nil }

// Choose lets the actor id make the next step from the furthest point, even if it
// is another actor's turn. It reports false if that actor cannot move.
func (h *History) Choose(id actor.ID) bool {
	w := h.front
	if h.passing && w.CanMove(id) {
		w.Step(id)
		return true
	}
	if next, ok := w.Next(); ok && next == id && w.inputs == len(h.inputs) && !w.TimeIsUp() {
		return h.Extend(1) == 1 // as it would have been without being chosen
	}
	return h.input(Input{Actor: id}) == nil
}

// input appends an input to the log, and does it.
func (h *History) input(in Input) error {
	w := h.front
	if w.inputs != len(h.inputs) {
		return ErrNotAtFront
	}
	in.Step = w.Steps() + 1
	h.inputs = append(h.inputs, in)
	if !h.advance(w) {
		err := h.broken
		h.inputs, h.broken = h.inputs[:len(h.inputs)-1], nil
		return err
	}
	h.done = false
	if !h.passing {
		h.record(w)
	}
	return nil
}

// Memory returns what h shares with other histories.
func (h *History) Memory() *Memory { return h.runs.memory }

// Config returns what the run is made of, beside its Inputs.
func (h *History) Config() *world.Config { return h.cfg }

// Inputs returns the run's log. The caller must not change it.
func (h *History) Inputs() []Input { return h.inputs }

// Err returns why the run has ended before all of its inputs were done, or nil.
func (h *History) Err() error { return h.broken }

// Steps returns how many steps are known.
func (h *History) Steps() int64 { return h.front.Steps() }

// Front returns the world at the furthest point. It belongs to the history.
func (h *History) Front() *world.World { return h.front.World() }

// Complete reports whether the run has ended: nothing more will happen by itself.
func (h *History) Complete() bool { return h.done }

// Starved reports whether Extend waits for a feed to grow.
func (h *History) Starved() bool { return h.front.Starved() }

// End returns the clock at the furthest point, in nanoseconds.
func (h *History) End() int64 { return h.front.Now() }

// Samples returns what a timeline needs.
func (h *History) Samples() *Samples { return &h.samples }

// stepSet is a set of steps. They are counted from a step that the owner chooses.
type stepSet []uint64

func (s *stepSet) add(n int64) {
	for int(n/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

func (s stepSet) has(n int64) bool { return int(n/64) < len(s) && s[n/64]>>(n%64)&1 != 0 }

// planned is a command that is carried out when the clock has come to a time, after
// all that happens until then.
type planned struct {
	time int64
	c    *world.Command
}

// plan plans what was done in another run when that was at w. Inlined, it would be there
// four times.
//
//go:noinline
func (h *History) plan(w *world.World, c *world.Command, informer, listener int) {
	command := *c
	command.Informer, command.Listener = informer, listener
	h.planned = append(h.planned, planned{w.Now(), &command})
}

// Planned reports whether commands wait for their time.
func (h *History) Planned() bool { return len(h.planned) > 0 }

// doPlanned makes the command whose time has come an input of the next step. What has nothing
// to do by then is left out.
func (h *History) doPlanned() {
	w := h.front
	for len(h.planned) > 0 && h.nextTime(w) > h.planned[0].time && w.KnownUntil() > h.planned[0].time {
		c := h.planned[0].c
		h.planned = h.planned[1:]
		if w.Can(c) {
			h.inputs = append(h.inputs, Input{Step: w.Steps() + 1, Command: c})
			return
		}
	}
}

// nextTime returns the clock after the next step from w.
func (h *History) nextTime(w *point) int64 {
	if w.inputs < len(h.inputs) && h.inputs[w.inputs].Step == w.Steps()+1 {
		if in := &h.inputs[w.inputs]; in.Command == nil {
			return max(w.Now(), w.Set.ReadyAt(in.Actor))
		}
		return w.Now()
	}
	at := actor.Never
	if id, ok := w.Next(); ok {
		at = w.Set.ReadyAt(id)
	}
	if w.Horizon() != 0 {
		at = min(at, w.Horizon())
	}
	return max(w.Now(), at)
}

// Branch returns a history that is the same up to the given step, and shares it
// with h. The step must be known. The branch has been run to that step, and stands
// there.
func (h *History) Branch(step int64) *History {
	step = min(max(step, 0), h.front.Steps())
	n := 0
	for n < len(h.inputs) && h.inputs[n].Step <= step {
		n++
	}
	b := &History{cfg: h.cfg, parent: h, branchStep: step, inputs: slices.Clip(h.inputs[:n])}
	w := new(point)
	b.samples.branch(h, step, w)
	b.front, b.cur = w, w.clone()
	b.runs.init(h.runs.memory, w)
	return b
}

// Parent returns the history that h has left, and at which step; nil for a root.
func (h *History) Parent() (parent *History, left int64) { return h.parent, h.branchStep }

// Drop frees the memory of h. Neither h nor its branches may be used afterwards.
func (h *History) Drop() { h.runs.drop() }

// branch makes s the samples of a branch that leaves h at a step. It leaves w at that
// step.
func (s *Samples) branch(h *History, step int64, w *point) {
	p := &h.samples
	s.levels = make([]levels, len(p.levels))
	from := step + 1 // the first step whose levels the branch keeps by itself
	for again := true; again; {
		again = false
		for i := range p.levels {
			if first := p.levels[i].cut(from); first < from {
				from, again = first, true
			}
		}
	}
	h.reach(w, max(from-1, 0))
	for i := range p.levels {
		s.levels[i].branch(&p.levels[i], from)
		if from == 0 {
			s.levels[i].open(w.World(), w.Informers[i])
		}
	}
	for w.Steps() < step && h.advance(w) {
		s.level(w.World())
	}
	s.received.branch(&p.received, p.received.after(step))
	marks := p.marks.after(step)
	for marks > 0 && p.marks.At(marks-1).Time > w.Now() {
		marks-- // a note between this step and the next one, which may be another one here
	}
	s.marks.branch(&p.marks, marks)
	s.notes = p.notes
	for i := range marks {
		if p.marks.At(i).Kind == 0 {
			s.noted++
		}
	}
	s.await()
}
