package machine

import (
	"slices"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
)

// Lanes are the futures of one run. Whatever the viewer does makes a new History,
// which branches off the one that was shown: nothing is ever changed, so that it
// can be taken back.
type Lanes struct {
	All   []*Lane
	Shown *Lane
	count int              // lanes so far
	Base  *history.History // the first lane's history before anything was done
	Fixed bool             // the first lane stays as it is, since a lesson is about it
	undo  []edit           // the newest last
	redo  []edit
}

// Lane is a future, which goes on from one History to the next as more is done at
// its end.
type Lane struct {
	ID      int
	Name    string
	parent  *Lane // that it has left, nil for the first
	leftAt  int64
	History *history.History
	lines   []string // that made it, since it left
}

// edit is something that the viewer did: it gave a lane another History, or made a
// lane.
type edit struct {
	lane             *Lane
	shownBefore      *Lane // that was shown before
	old, new         *history.History
	before, after    int64 // the steps at which the viewer was before it and after it
	line             string
	created, dropped bool // the lane was made, or dropped
}

func newLanes(h *history.History) *Lanes {
	first := &Lane{History: h}
	return &Lanes{All: []*Lane{first}, Shown: first, count: 1, Base: h}
}

// Extend takes in the history h, which the line has made of the one shown, and goes to its
// step to. At the end of a lane (or of one the viewer made), the line extends that lane,
// unless it is fixed. Anywhere else it starts a new lane.
func (l *Lanes) Extend(h *history.History, line string, to int64) {
	old := l.Shown
	_, left := h.Parent()
	d := edit{lane: old, shownBefore: old, old: old.History, new: h, before: left, after: to, line: line}
	after := InputsUpTo(old.History, left)
	mine := old.parent != nil && len(after) == len(old.History.Inputs())
	if atEnd := left == old.History.Steps() && old.History.Complete(); !mine && (!atEnd || l.Fixed && old.parent == nil) {
		d.lane = &Lane{ID: l.count, parent: old, leftAt: left, History: h}
		d.created = true
		l.count++
	}
	l.dropRedo()
	l.undo = append(l.undo, d)
	l.apply(d)
}

// apply makes the edit d, and goes to the step to which it led at first. By now its history
// may have run on far beyond that.
func (l *Lanes) apply(d edit) {
	switch {
	case d.dropped:
		l.remove(d.lane)
		if l.Shown == d.lane {
			l.Shown = d.shownBefore
		}
		return
	case d.created:
		l.All = append(l.All, d.lane)
	}
	d.lane.History = d.new
	d.lane.lines = append(d.lane.lines, d.line)
	l.Shown = d.lane
	l.Shown.History.SeekTo(d.after)
}

// Undo takes the last edit back. It reports whether
// there was one.
func (l *Lanes) Undo() bool {
	n := len(l.undo)
	if n == 0 {
		return false
	}
	d := l.undo[n-1]
	l.undo, l.redo = l.undo[:n-1], append(l.redo, d)
	switch {
	case d.dropped:
		at := len(l.All)
		for at > 0 && l.All[at-1].ID > d.lane.ID {
			at--
		}
		l.All = append(l.All[:at:at], append([]*Lane{d.lane}, l.All[at:]...)...)
		l.Shown = d.lane
		return true
	case d.created:
		l.remove(d.lane)
	default:
		d.lane.History = d.old
	}
	d.lane.lines = d.lane.lines[:len(d.lane.lines)-1]
	l.Shown = d.shownBefore
	l.Shown.History.SeekTo(d.before)
	return true
}

// Redo does again what Undo has taken back. It reports whether there was something.
func (l *Lanes) Redo() bool {
	n := len(l.redo)
	if n == 0 {
		return false
	}
	d := l.redo[n-1]
	l.redo, l.undo = l.redo[:n-1], append(l.undo, d)
	l.apply(d)
	return true
}

// dropRedo lets go of what was taken back: something else is done now.
func (l *Lanes) dropRedo() {
	for _, d := range l.redo {
		if d.new != nil && !d.dropped {
			d.new.Drop()
		}
	}
	l.redo = nil
}

// Drop takes a lane away. The first one stays, and so does one that others have
// left.
func (l *Lanes) Drop(x *Lane) bool {
	if x.parent == nil || slices.ContainsFunc(l.All, func(o *Lane) bool { return o.parent == x }) {
		return false
	}
	l.dropRedo()
	d := edit{lane: x, shownBefore: x.parent, dropped: true}
	l.undo = append(l.undo, d)
	l.apply(d)
	return true
}

func (l *Lanes) remove(x *Lane) {
	l.All = slices.DeleteFunc(l.All, func(o *Lane) bool { return o == x })
}

// Find returns the lane of an ID, or nil.
func (l *Lanes) Find(id int) *Lane {
	if i := slices.IndexFunc(l.All, func(x *Lane) bool { return x.ID == id }); i >= 0 {
		return l.All[i]
	}
	return nil
}

// Show puts a lane on the stage, at the moment at which the viewer is: at the same
// step while both are the same, and else at the same time.
func (l *Lanes) Show(x *Lane) {
	if x == l.Shown {
		return
	}
	now, same := l.Shown.History.World(), l.Shown.sharedSteps(x)
	l.Shown = x
	if now.Steps() <= same {
		x.History.SeekTo(now.Steps())
	} else {
		x.History.StepOf(now.Now())
	}
}

// sharedSteps returns how many steps two lanes share.
func (a *Lane) sharedSteps(b *Lane) int64 {
	shares := map[*Lane]int64{} // how many steps of each lane are a's
	n := int64(1) << 62
	for x := a; ; x = x.parent {
		shares[x] = n
		if x.parent == nil {
			break
		}
		n = min(n, x.leftAt)
	}
	n = int64(1) << 62
	for x := b; ; x = x.parent {
		if s, ok := shares[x]; ok {
			return min(n, s)
		}
		n = min(n, x.leftAt)
	}
}

// Link tells the page of them.
func (l *Lanes) Link() *link.Lanes {
	out := &link.Lanes{Shown: l.Shown.ID, Undo: len(l.undo) > 0, Redo: len(l.redo) > 0, Path: l.Brief(l.Shown)}
	for _, x := range l.All {
		v := link.Lane{ID: x.ID, Name: x.Name, Parent: -1, BranchStep: x.leftAt, Steps: x.History.Steps(), End: x.History.End(), Simulated: simulatedFrom(x.History), Lines: x.lines}
		if x.parent != nil {
			v.Parent = x.parent.ID
			v.LeftTime = x.History.TimeOf(x.leftAt)
		}
		out.List = append(out.List, v)
	}
	return out
}

// simulatedFrom returns the step from which a server goes on in the place of a
// recording, 0 for none.
func simulatedFrom(h *history.History) int64 {
	for _, in := range h.Inputs() {
		if in.Command != nil && in.Command.Kind.Simulates() {
			if h.Config().Informers[in.Command.Informer].Feed != nil {
				return in.Step
			}
		}
	}
	return 0
}

// InputsUpTo returns the inputs of a history's first n steps.
func InputsUpTo(h *history.History, n int64) []history.Input {
	all := h.Inputs()
	for len(all) > 0 && all[len(all)-1].Step > n {
		all = all[:len(all)-1]
	}
	return all
}

// A path leads to a lane: link.Linked says what it is.

// MaxTravel is how many steps are run for one way at most.
const MaxTravel = 2_000_000

// maxWay is how many lines a way has at most that the page keeps for itself.
const maxWay = 5000

// Path returns what leads to a lane. It calls at for each moment at which something is done.
func (l *Lanes) Path(to *Lane, at func(h *history.History, step int64) link.PathStep) (way []link.PathStep, err error) {
	h := to.History
	shared := l.sharedBy(h)
	if h == l.Base || shared == h.Steps() {
		return nil, nil
	}
	inputs, err := script.Inputs(h)
	if err != nil {
		return nil, err
	}
	way = append(way, at(h, shared)) // what the opened run does after it is left out
	made := shared
	for _, in := range inputs {
		if in.Step <= shared {
			continue
		}
		p := link.PathStep{Step: -1}
		if in.Step != made+1 {
			p = at(h, in.Step-1)
		}
		p.Line, made = in.Line, in.Step
		way = append(way, p)
	}
	return way, nil
}

// Brief returns the way to a lane for a page that is loaded again, which has the same machine.
func (l *Lanes) Brief(to *Lane) []link.PathStep {
	way, err := l.Path(to, func(_ *history.History, step int64) link.PathStep { return link.PathStep{Step: step} })
	if err != nil || len(way) > maxWay {
		return nil
	}
	return way
}

// LaneOf returns the first lane whose changes make the history h of what was opened, nil where there is none.
func (l *Lanes) LaneOf(h *history.History) *Lane {
	if h == nil {
		return nil
	}
	way := l.Brief(&Lane{History: h})
	for _, x := range l.All {
		if len(way) > 0 && slices.Equal(l.Brief(x), way) {
			return x
		}
	}
	return nil
}

// sharedBy returns how many steps h shares with what was opened.
func (l *Lanes) sharedBy(h *history.History) int64 {
	shared := h.Steps()
	for h != l.Base {
		parent, left := h.Parent()
		if parent == nil {
			return 0
		}
		h, shared = parent, min(shared, left)
	}
	return shared
}

// PathStep names the moment of a step.
func PathStep(h *history.History, step int64) link.PathStep {
	p := link.PathStep{Step: step}
	if m, ok := h.MomentAt(step); ok {
		p.Moment = m.String()
	}
	return p
}

// Locate returns the step of a waypoint's moment in h. Lost says that the
// moment isn't there. The step is then the one that the moment had where the
// link was made.
func Locate(h *history.History, p link.PathStep) (step int64, lost bool) {
	if p.Moment != "" {
		m, ok := history.ParseMoment(p.Moment)
		if step := h.FindMoment(m); ok && step >= 0 {
			return step, false
		}
	}
	for far := h.Steps() + MaxTravel; h.Steps() < min(p.Step, far) && h.Extend(ExtendBy) > 0; {
	}
	return min(max(p.Step, 0), h.Steps()), p.Moment != "" || p.Step > h.Steps()
}
