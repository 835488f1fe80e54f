// Package machine has the runs of what is open: of each informer one, with the futures that the
// viewer has made of it.
package machine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// NoGoal is the goal of a run that is shown where it stands.
const NoGoal = -1

// Run is one informer of the open document, with the futures that the viewer has made.
type Run struct {
	Lanes     *Lanes
	Informer  int // its number in the world
	Keys      *picture.Ranks
	trail     trail
	Goal      int64           // the virtual time to show as soon as the run has come so far, or NoGoal
	Resource  *trace.Resource // the resource that it plays; nil for a script
	trace     *trace.Trace    // where the resource is; nil for a script
	madeEarly bool            // nothing was known of the resource when the run was made
}

// NewRun returns the run of a trace's resource i, which is played to a process with this
// setup. Its checkpoints share m with the checkpoints of other runs. c is the recorded controller
// of the resource, nil for none.
func NewRun(t *trace.Trace, i int, setup link.Setup, m *history.Memory, c *feed.Controller) *Run {
	r := &Run{Resource: t.Resources[i], trace: t, Goal: NoGoal, madeEarly: len(t.Resources[i].Records) == 0}
	var found *report.InferredHandlers
	if slices.ContainsFunc(setup.Handlers, func(h link.Handler) bool { return h.Recorded }) {
		found = report.InferHandlers(t, r.Resource)
	}
	f := feed.Feed{Trace: t, Resource: r.Resource, AnyKind: found.Dynamic()}
	cfg := WorldConfig(setup, r.Resource, f, found)
	if setup.Follows {
		cfg.Informers[0].Follow(c.Recording(r.Resource.Table))
	}
	cfg.Notes = feed.Notes{Trace: t}
	h, err := history.New(cfg, m)
	if err != nil {
		// New refuses only two indexers of one name, and WorldConfig makes
		// no such two.
		panic(err)
	}
	r.Lanes = newLanes(h)
	r.Keys = picture.NewRanks(r.Table())
	return r
}

// Outdated reports whether the run was made before it was known how the recording of its resource
// begins, which is known now.
func (r *Run) Outdated() bool { return r.madeEarly && len(r.Resource.Records) > 0 }

// History returns the history that is shown.
func (r *Run) History() *history.History { return r.Lanes.Shown.History }

// Config returns the configuration of the informer.
func (r *Run) Config() *informer.Config { return r.History().Front().Informers[r.Informer].Config() }

// Table returns the table of the informer's objects.
func (r *Run) Table() *object.Table { return r.Config().Table }

// Now returns the virtual time that is shown, in nanoseconds.
func (r *Run) Now() int64 { return r.History().World().Now() }

// GoalOrNow returns the virtual time that is shown, or will be as soon as the run has come so
// far.
func (r *Run) GoalOrNow() int64 {
	if r.Goal != NoGoal {
		return r.Goal
	}
	return r.Now()
}

// Arrived reports whether the run has come to its goal, or to its end before that.
func (r *Run) Arrived() bool {
	return r.Goal != NoGoal && (r.History().End() > r.Goal || r.History().Complete())
}

// MaxAhead is how many steps of a script are run beyond where the viewer is, and
// beyond the last thing that was done. A script may go on for ever: a reflector asks a
// server that fails again and again.
const MaxAhead = 50_000

// Enough reports whether so much of a script was run that the rest can wait until the
// viewer comes there.
func (r *Run) Enough() bool {
	h := r.History()
	if r.Resource != nil || h.Planned() {
		return false
	}
	from := h.World().Steps()
	if in := h.Inputs(); len(in) > 0 {
		from = max(from, in[len(in)-1].Step)
	}
	return h.Steps() >= from+MaxAhead
}

// Progress returns how many of the watch events and lists that are known have been run.
func (r *Run) Progress() (done, total int64) {
	if r.Resource == nil {
		return r.History().Steps(), 0
	}
	return int64(r.History().Samples().Received()), int64(r.Resource.Events + r.Resource.Lists)
}

// Stage returns the picture of the step that is shown.
func (r *Run) Stage(w link.Window) *picture.Stage {
	world := r.History().World()
	return picture.New(world, world.Informers[r.Informer], w, r.Keys)
}

// Frame draws the step at which the history stands.
func (r *Run) Frame(dir int, w link.Window) *link.Frame {
	before := r.stepsBefore(w)
	f := r.Brief(dir, w)
	f.Before, f.Brief = before, false
	return f
}

// Brief draws the step as Frame does, without the steps before it.
func (r *Run) Brief(dir int, w link.Window) *link.Frame {
	f := r.Stage(w).Frame()
	f.Brief = true
	f.Steps, f.Complete, f.End, f.Dir = r.History().Steps(), r.History().Complete(), r.History().End(), dir
	f.Starved = f.Step == f.Steps && !f.Complete
	f.Next, f.Notes = r.History().NextTime(), r.notes(f.Step)
	if dir == 0 {
		f.Moves = nil
	}
	return f
}

// SeekTo goes to a step, and draws it.
func (r *Run) SeekTo(step int64, w link.Window) *link.Frame {
	r.Goal = NoGoal
	r.History().SeekTo(step)
	return r.Frame(0, w)
}

// maxTold is how many micro-steps a unit may have. The moves of a longer one aren't
// shown.
const maxTold = 96

// maxRouted is how many micro-steps a unit may have, with the steps of other informers, for its sentence to be about the way of
// what came in.
const maxRouted = 2000

// Step goes n units forward, or back if n is negative. The frame of a single unit has
// the moves of all its micro-steps. By watch event, it says what became of the one before, and by operation what a
// goroutine has done.
func (r *Run) Step(unit link.Unit, n int64, brief bool, w link.Window) *link.Frame {
	var way picture.Route
	if n == 1 {
		way = r.route(unit, w)
	}
	return r.walk(r.Units(unit, n), n == 1 || n == -1, brief, w, &way)
}

// route returns the Route that begins with a unit behind the step shown.
func (r *Run) route(unit link.Unit, w link.Window) (route picture.Route) {
	if unit == link.WatchEvent {
		route.Begin(r.Stage(w))
	} else {
		route.Unit = unit
	}
	return route
}

// Units returns the step that is n units after the one shown, or before it if n is negative.
func (r *Run) Units(unit link.Unit, n int64) int64 {
	to := r.History().World().Steps()
	for i := int64(0); i < max(n, -n); i++ {
		next := r.next(unit, to, n > 0)
		if next == to {
			break
		}
		to = next
	}
	return to
}

// Walk goes to a step. If it is near, and the way is to be shown, the frame has the
// moves of all micro-steps on the way.
func (r *Run) Walk(to int64, shown, brief bool, w link.Window) *link.Frame {
	return r.walk(to, shown, brief, w, new(picture.Route))
}

// walk goes to a step as Walk does. If a watch event has gone its way meanwhile, the frame's sentence is about that.
func (r *Run) walk(to int64, shown, brief bool, w link.Window, way *picture.Route) *link.Frame {
	r.Goal = NoGoal
	h := r.History()
	from := h.World().Steps()
	dir := 0
	var moves []link.Move
	if steps := max(to-from, from-to); shown && steps > 0 && steps <= maxRouted {
		near := steps <= maxTold
		if near {
			dir = cmp.Compare(to, from)
		}
		for s := min(from, to) + 1; s <= max(from, to); s++ {
			h.SeekTo(s)
			if near {
				r.trail.add(h, r.Stage(w).Summary())
				stepped, _ := r.Stage(w).Moves()
				moves = picture.Chain(moves, stepped)
			}
			way.Add(r.Stage(w))
		}
	}
	f := r.arrive(from, to, dir, moves, brief, w)
	f.Route = way.Sentence(r.Stage(w))
	return f
}

// arrive goes to a step, and draws it with what moved on the way from another one.
func (r *Run) arrive(from, to int64, dir int, moves []link.Move, brief bool, w link.Window) *link.Frame {
	passed := r.telling(from, to, w)
	r.History().SeekTo(to)
	show := r.Frame
	if brief {
		show = r.Brief
	}
	f := show(dir, w)
	f.Moves, f.Passed = moves, passed
	return f
}

// PlayTo goes to the last step at or before a time that has not come yet. If few steps
// are on the way, the frame has their moves.
func (r *Run) PlayTo(t int64, brief bool, w link.Window) *link.Frame {
	r.Goal = NoGoal
	h := r.History()
	from := h.World().Steps()
	due := func() bool { next := h.NextTime(); return next >= 0 && next <= t }
	dir := 0
	var moves []link.Move
	for n := 0; due(); n++ {
		if n == maxTold {
			return r.arrive(from, h.StepOf(t), 0, nil, brief, w)
		}
		h.SeekTo(h.World().Steps() + 1)
		r.trail.add(h, r.Stage(w).Summary())
		stepped, _ := r.Stage(w).Moves()
		dir, moves = 1, picture.Chain(moves, stepped)
	}
	return r.arrive(from, h.World().Steps(), dir, moves, brief, w)
}

// next returns the step that lies one unit after another one, or before it. At
// either end of the run it returns the step itself.
func (r *Run) next(unit link.Unit, step int64, forward bool) int64 {
	h := r.History()
	if forward && step >= h.Steps() {
		h.Extend(ExtendBy)
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

// Timeline draws the timeline with so many columns.
func (r *Run) Timeline(axis link.Axis, columns int) *link.Timeline {
	var commands map[int64]string
	return timeline.Draw(r.History(), r.Informer, axis, columns, timeline.Texts{
		Note: r.note,
		Command: func(step int64) string {
			if commands == nil {
				commands = commandLines(r.History())
			}
			return commands[step]
		},
	})
}

// commandLines returns the lines of script for what was done from outside, by step.
func commandLines(h *history.History) map[int64]string {
	out := map[int64]string{}
	inputs, err := script.Inputs(h)
	if err != nil {
		return out // then no command has a text
	}
	for _, in := range inputs {
		out[in.Step] = Short(in.Line, maxNote)
	}
	return out
}

// note returns what the trace's note i says.
func (r *Run) note(i int) string {
	if r.trace == nil || i >= len(r.trace.Marks) {
		return ""
	}
	return Short(r.trace.Marks[i].Text, maxNote)
}

// maxNotes is how many notes of one moment are shown, and maxNote how long a text of a
// mark may be, in characters.
const (
	maxNotes = 4
	maxNote  = 200
)

// notes returns what the trace says of a step. What it says between two steps, it says of both.
func (r *Run) notes(step int64) (out []string) {
	s := r.History().Samples()
	for i := s.MarkAfter(step - 2); i < s.Marks() && s.Mark(i).Step <= step && len(out) < maxNotes; i++ {
		if m := s.Mark(i); m.Kind == 0 {
			out = append(out, r.note(int(m.N)))
		}
	}
	return out
}

// Short cuts a text to what there is room for, in characters.
func Short(text string, room int) string {
	text = strings.TrimSpace(text)
	if r := []rune(text); len(r) > room {
		return string(r[:room])
	}
	return text
}

// Concerning returns a Finder of the steps of r that concern a key, or nil if the key is
// unknown.
func (r *Run) Concerning(key string, from int64, back bool) *history.Finder {
	k, ok := r.Table().LookupKey(key)
	if !ok {
		return nil
	}
	return r.History().Find(from, back, func(w *world.World) bool { return picture.Concerns(w, r.Informer, k) })
}

// WithLane returns a run of the same informer that shows a lane, which need not be one of r's.
func (r *Run) WithLane(l *Lane) *Run {
	return &Run{Lanes: &Lanes{All: []*Lane{l}, Shown: l}, Informer: r.Informer, Goal: NoGoal, Keys: r.Keys, Resource: r.Resource, trace: r.trace}
}

// ExtendBy is how many steps the engine makes between two looks at the clock.
const ExtendBy = 4096

// trail remembers what was said of consecutive steps of a history. So going on
// step by step doesn't run the steps before the one shown again each time.
type trail struct {
	history *history.History
	entries []link.StepSummary

	units  []link.StepSummary // the list by operation or watch event that was made last
	unit   link.Unit
	source *history.History // the history of units
}

// maxTrail is how many steps a trail remembers.
const maxTrail = 1024

// add takes in a step of h. Steps that aren't next to it are forgotten.
func (t *trail) add(h *history.History, s link.StepSummary) {
	if s.Step == 0 || t.covers(h, s.Step, s.Step) {
		return
	}
	if n := len(t.entries); t.history != h || n == 0 || t.entries[n-1].Step+1 != s.Step {
		t.history, t.entries = h, nil
	} else if n == maxTrail {
		t.entries = append([]link.StepSummary(nil), t.entries[maxTrail/2:]...)
	}
	s.Reason = nil
	t.entries = append(t.entries, s)
}

// covers reports whether all steps of h from one up to another are remembered.
func (t *trail) covers(h *history.History, from, to int64) bool {
	n := len(t.entries)
	return t.history == h && n > 0 && t.entries[0].Step <= from && to <= t.entries[n-1].Step
}

// stepsBefore returns the steps before the one shown, the newest last.
func (r *Run) stepsBefore(w link.Window) []link.StepSummary {
	h, t := r.History(), &r.trail
	at := h.World().Steps()
	from := max(1, at-link.MaxBefore)
	if at <= 1 {
		return nil
	}
	if w.Unit == link.Operation || w.Unit == link.WatchEvent {
		return r.unitsBefore(w)
	}
	if !t.covers(h, from, at-1) {
		// A viewer who goes back step by step will need the steps before these.
		for s := max(1, from-2*link.MaxBefore); s < at; s++ {
			h.SeekTo(s)
			t.add(h, r.Stage(w).Summary())
		}
		h.SeekTo(at)
	}
	t.add(h, r.Stage(w).Summary())
	first := t.entries[0].Step
	return t.entries[from-first : at-first]
}

// unitsBefore returns the operations or the watch events before the step shown, the newest last, with the sentence that a viewer
// reads who goes from one to the next.
func (r *Run) unitsBefore(w link.Window) (all []link.StepSummary) {
	h, t := r.History(), &r.trail
	if t.source != h || t.unit != w.Unit {
		t.source, t.unit, t.units = h, w.Unit, nil
	}
	at := h.World().Steps()
	ends := []int64{r.next(w.Unit, at, false)} // the newest first, and one more than is listed
	for len(ends) <= link.MaxBefore && ends[len(ends)-1] > 0 {
		ends = append(ends, r.next(w.Unit, ends[len(ends)-1], false))
	}
	for i := len(ends) - 2; i >= 0; i-- {
		known := slices.IndexFunc(t.units, func(s link.StepSummary) bool { return s.Step == ends[i] })
		if known >= 0 {
			all = append(all, t.units[known])
			continue
		}
		all = append(all, r.unitUpTo(ends[i], ends[i+1], w))
	}
	h.SeekTo(at)
	t.units = all
	return all
}

// unitUpTo returns what is said of a unit that ends at a step, as the frame of that unit says it.
func (r *Run) unitUpTo(to, from int64, w link.Window) link.StepSummary {
	h := r.History()
	h.SeekTo(from)
	way := r.route(w.Unit, w)
	for s := from + 1; s <= to && to-from <= maxRouted; s++ {
		h.SeekTo(s)
		way.Add(r.Stage(w))
	}
	h.SeekTo(to)
	out := r.Stage(w).Summary()
	out.Reason = nil
	if said := way.Sentence(r.Stage(w)); said != nil && to-from <= maxRouted {
		out.Sentence = *said
	}
	return out
}

// telling returns the most telling of the steps after one up to another, or nil if none
// of them is.
func (r *Run) telling(from, to int64, w link.Window) *link.StepSummary {
	step, mark := timeline.Telling(r.History().Samples(), r.Informer, from, to)
	if mark == "" {
		return nil
	}
	r.History().SeekTo(step)
	summary := r.Stage(w).Summary()
	summary.Mark = mark
	return &summary
}
