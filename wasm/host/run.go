package host

import (
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// noGoal is the goal of a run that is shown where it stands.
const noGoal = -1

// run is one informer of the open document, with the futures that the viewer has made.
type run struct {
	lanes    *lanes
	informer int // its number in the world
	keys     *picture.Ranks
	trail    trail
	goal     int64           // the virtual time to show as soon as the run has come so far, or noGoal
	resource *trace.Resource // the resource that it plays; nil for a script
	trace    *trace.Trace    // where the resource is; nil for a script
}

// newRun returns the run of a trace's resource i, which is played to a process with this
// setup. Its checkpoints share m with the checkpoints of other runs.
func newRun(t *trace.Trace, i int, setup link.Setup, m *world.Memory) *run {
	r := &run{resource: t.Resources[i], trace: t, goal: noGoal}
	f := feed.Feed{Trace: t, Resource: r.resource}
	cfg := worldConfig(setup, r.resource.Name(), r.resource.Table, f, r.took)
	cfg.Notes = feed.Notes{Trace: t}
	h, err := world.NewHistory(cfg, m)
	if err != nil {
		// NewHistory refuses only two indexers of one name, and worldConfig makes
		// no such two.
		panic(err)
	}
	r.lanes = newLanes(h)
	r.keys = picture.NewRanks(r.table())
	return r
}

// history returns the history that is shown.
func (r *run) history() *world.History { return r.lanes.shown.h }

func (r *run) config() *informer.Config { return r.history().Front().Informers[r.informer].Config() }

func (r *run) table() *object.Table { return r.config().Table }

func (r *run) now() int64 { return r.history().At().Now() }

// wanted is the virtual time that is shown, or will be as soon as the run has come so
// far.
func (r *run) wanted() int64 {
	if r.goal != noGoal {
		return r.goal
	}
	return r.now()
}

// arrived tells whether the run has come to its goal, or to its end before that.
func (r *run) arrived() bool {
	return r.goal != noGoal && (r.history().End() > r.goal || r.history().Complete())
}

// maxAhead is how many steps of a script are run beyond where the viewer is, and
// beyond the last thing that was done. A script may go on for ever: a reflector asks a
// server that fails again and again.
const maxAhead = 50_000

// enough tells whether so much of a script was run that the rest can wait until the
// viewer comes there.
func (r *run) enough() bool {
	h := r.history()
	if r.resource != nil || h.Planned() {
		return false
	}
	from := h.At().Steps()
	if in := h.Inputs(); len(in) > 0 {
		from = max(from, in[len(in)-1].Step)
	}
	return h.Steps() >= from+maxAhead
}

// progress is how many of the watch events and lists that are known have been run.
func (r *run) progress() (done, total int64) {
	if r.resource == nil {
		return r.history().Steps(), 0
	}
	return int64(r.history().Samples().Received()), int64(r.resource.Events + r.resource.Lists)
}

// took returns a function that says how long call n of a recorded handler took, in
// nanoseconds; nil if no such handler was recorded.
func (r *run) took(handler string) func(int) int64 {
	for _, h := range r.resource.Handlers {
		if h.Name == handler {
			return func(call int) int64 {
				if call < len(h.Calls) {
					return h.Calls[call].Took
				}
				return 0
			}
		}
	}
	return nil
}

func (r *run) stage(w link.Window) *picture.Stage {
	world := r.history().At()
	return picture.New(world, world.Informers[r.informer], w, r.keys)
}

// frame draws the step at which the history stands.
func (r *run) frame(dir int, w link.Window) *link.Frame {
	before := r.before(w)
	f := r.brief(dir, w)
	f.Before, f.Brief = before, false
	return f
}

// brief is frame without the steps before.
func (r *run) brief(dir int, w link.Window) *link.Frame {
	f := r.stage(w).Frame()
	f.Brief = true
	f.Steps, f.Complete, f.End, f.Dir = r.history().Steps(), r.history().Complete(), r.history().End(), dir
	f.Starved = f.Step == f.Steps && !f.Complete
	f.Next, f.Notes = r.history().NextTime(), r.notes(f.Step)
	if dir == 0 {
		f.Moves = nil
	}
	return f
}

func (r *run) seek(step int64, w link.Window) *link.Frame {
	r.goal = noGoal
	r.history().SeekTo(step)
	return r.frame(0, w)
}

// maxTold is how many micro-steps a unit may have. The moves of a longer one aren't
// shown.
const maxTold = 96

// step goes n units forward, or back if n is negative. The frame of a single unit has
// the moves of all its micro-steps.
func (r *run) step(unit link.Unit, n int64, brief bool, w link.Window) *link.Frame {
	return r.walk(r.units(unit, n), n == 1 || n == -1, brief, w)
}

// units is the step that is n units after the one shown, or before it if n is negative.
func (r *run) units(unit link.Unit, n int64) int64 {
	to := r.history().At().Steps()
	for i := int64(0); i < max(n, -n); i++ {
		next := r.next(unit, to, n > 0)
		if next == to {
			break
		}
		to = next
	}
	return to
}

// walk goes to a step. If it is near, and the way is to be shown, the frame has the
// moves of all micro-steps on the way.
func (r *run) walk(to int64, shown, brief bool, w link.Window) *link.Frame {
	r.goal = noGoal
	h := r.history()
	from := h.At().Steps()
	dir := 0
	var moves []link.Move
	if shown && to != from && max(to-from, from-to) <= maxTold {
		dir = 1
		if to < from {
			dir = -1
		}
		for s := min(from, to) + 1; s <= max(from, to); s++ {
			h.SeekTo(s)
			r.trail.add(h, r.stage(w).Told())
			stepped, _ := r.stage(w).Moves()
			moves = picture.Chain(moves, stepped)
		}
	}
	return r.arrive(from, to, dir, moves, brief, w)
}

// arrive goes to a step, and draws it with what moved on the way from another one.
func (r *run) arrive(from, to int64, dir int, moves []link.Move, brief bool, w link.Window) *link.Frame {
	passed := r.telling(from, to, w)
	r.history().SeekTo(to)
	show := r.frame
	if brief {
		show = r.brief
	}
	f := show(dir, w)
	f.Moves, f.Passed = moves, passed
	return f
}

// playTo goes to the last step at or before a time that has not come yet. If few steps
// are on the way, the frame has their moves.
func (r *run) playTo(t int64, brief bool, w link.Window) *link.Frame {
	r.goal = noGoal
	h := r.history()
	from := h.At().Steps()
	due := func() bool { next := h.NextTime(); return next >= 0 && next <= t }
	dir := 0
	var moves []link.Move
	for n := 0; due(); n++ {
		if n == maxTold {
			return r.arrive(from, h.StepOf(t), 0, nil, brief, w)
		}
		h.SeekTo(h.At().Steps() + 1)
		r.trail.add(h, r.stage(w).Told())
		stepped, _ := r.stage(w).Moves()
		dir, moves = 1, picture.Chain(moves, stepped)
	}
	return r.arrive(from, h.At().Steps(), dir, moves, brief, w)
}

// next returns the step that lies one unit after another one, or before it. At
// either end of the run it returns the step itself.
func (r *run) next(unit link.Unit, step int64, forward bool) int64 {
	h := r.history()
	if forward && step >= h.Steps() {
		h.Extend(extendBy)
	}
	switch {
	case unit == link.Operation && forward:
		return h.NextOperation(step)
	case unit == link.Operation:
		return h.PrevOperation(step)
	case unit == link.WatchEvent && forward:
		return h.NextWatchEvent(step)
	case unit == link.WatchEvent:
		return h.PrevWatchEvent(step)
	case forward:
		return min(step+1, h.Steps())
	}
	return max(step-1, 0)
}

func (r *run) timeline(axis link.Axis, columns int) *link.Timeline {
	var commands map[int64]string
	return timeline.Draw(r.history(), r.informer, axis, columns, timeline.Texts{
		Note: r.note,
		Command: func(step int64) string {
			if commands == nil {
				commands = commandLines(r.history())
			}
			return commands[step]
		},
	})
}

// commandLines are the lines of script for what was done from outside, by step.
func commandLines(h *world.History) map[int64]string {
	out := map[int64]string{}
	inputs, err := script.Inputs(h)
	if err != nil {
		return out // then no command has a text
	}
	for _, in := range inputs {
		out[in.Step] = short(in.Line, maxNote)
	}
	return out
}

// note is what the trace's note i says.
func (r *run) note(i int) string {
	if r.trace == nil || i >= len(r.trace.Marks) {
		return ""
	}
	return short(r.trace.Marks[i].Text, maxNote)
}

// maxNotes is how many notes of one moment are shown, and maxNote how long a text of a
// mark may be, in characters.
const (
	maxNotes = 4
	maxNote  = 200
)

// notes are what the trace says of a step.
func (r *run) notes(step int64) (out []string) {
	s := r.history().Samples()
	for i := s.MarkAfter(step - 1); i < s.Marks() && s.Mark(i).Step == step && len(out) < maxNotes; i++ {
		if m := s.Mark(i); m.Kind == 0 {
			out = append(out, r.note(int(m.N)))
		}
	}
	return out
}
