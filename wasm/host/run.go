package host

import (
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// noGoal is the goal of a run that is shown where it stands.
const noGoal = -1

// run is one informer of what is open, with the futures that the viewer has made.
type run struct {
	lanes    *lanes
	informer int // its number in the world
	keys     *picture.Ranks
	trail    trail
	goal     int64           // the virtual time to show as soon as the run has come so far, or noGoal
	resource *trace.Resource // the resource that it plays; nil for a script
}

// newRun returns the run of a trace's resource i, which plays to a process that is set
// up so. Its checkpoints share the memory with those of other runs.
func newRun(t *trace.Trace, i int, setup link.Setup, m *world.Memory) *run {
	r := &run{resource: t.Resources[i], goal: noGoal}
	f := feed.Feed{Trace: t, Resource: r.resource}
	h, err := world.NewHistory(worldConfig(setup, r.resource.Name(), r.resource.Table, f, r.took), m)
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

// progress is how many of the watch events and lists that are known have been run.
func (r *run) progress() (done, total int64) {
	if r.resource == nil {
		return r.history().Steps(), 0
	}
	return int64(r.history().Samples().WatchEvents()), int64(r.resource.Events + r.resource.Lists)
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
	r.goal = noGoal
	h := r.history()
	from := h.At().Steps()
	to := from
	for i := int64(0); i < max(n, -n); i++ {
		next := r.next(unit, to, n > 0)
		if next == to {
			break
		}
		to = next
	}
	dir := 0
	var moves []link.Move
	if (n == 1 || n == -1) && to != from && max(to-from, from-to) <= maxTold {
		dir = int(n)
		for s := min(from, to) + 1; s <= max(from, to); s++ {
			h.SeekTo(s)
			r.trail.add(h, r.stage(w).Told())
			stepped, _ := r.stage(w).Moves()
			moves = picture.Chain(moves, stepped)
		}
	}
	passed := r.telling(from, to, w)
	h.SeekTo(to)
	show := r.frame
	if brief {
		show = r.brief
	}
	f := show(dir, w)
	f.Moves, f.Passed = moves, passed
	return f
}

// next returns the step that lies one unit after another one, or before it. Where
// there is none it returns the step itself.
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
	return picture.Timeline(r.history(), r.informer, axis, columns)
}
