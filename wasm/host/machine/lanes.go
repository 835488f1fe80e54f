package machine

import (
	"slices"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
)

// Lanes are the futures of one run. Whatever the viewer does makes a new History,
// which branches off the one that was shown: nothing is ever changed, so that it
// can be taken back.
type Lanes struct {
	All   []*Lane
	Shown *Lane
	made  int              // lanes so far
	Base  *history.History // the first lane's history before anything was done
	Fixed bool             // the first lane stays as it is, since a lesson is about it
	undo  []deed           // the newest last
	redo  []deed
}

// Lane is a future, which goes on from one History to the next as more is done at
// its end.
type Lane struct {
	ID      int
	Name    string
	of      *Lane // that it has left, nil for the first
	left    int64
	History *history.History
	lines   []string // that made it, since it left
}

// deed is something that the viewer did: it gave a lane another History, or made a
// lane.
type deed struct {
	lane        *Lane
	from        *Lane // that was shown before
	old, new    *history.History
	at, to      int64 // the steps at which the viewer was before it and after it
	line        string
	made, ended bool // the lane was made, or dropped
}

func newLanes(h *history.History) *Lanes {
	first := &Lane{History: h}
	return &Lanes{All: []*Lane{first}, Shown: first, made: 1, Base: h}
}

// GoOn takes in the history h, which the line has made of the one shown, and goes to its
// step to. At the end of a lane (or of one the viewer made), the line extends that lane,
// unless it is fixed. Anywhere else it starts a new lane.
func (l *Lanes) GoOn(h *history.History, line string, to int64) {
	old := l.Shown
	_, left := h.Parent()
	d := deed{lane: old, from: old, old: old.History, new: h, at: left, to: to, line: line}
	after := InputsUpTo(old.History, left)
	mine := old.of != nil && len(after) == len(old.History.Inputs())
	if atEnd := left == old.History.Steps() && old.History.Complete(); !mine && (!atEnd || l.Fixed && old.of == nil) {
		d.lane = &Lane{ID: l.made, of: old, left: left, History: h}
		d.made = true
		l.made++
	}
	l.forget()
	l.undo = append(l.undo, d)
	l.do(d)
}

// do makes the deed d, and goes to the step to which it led at first. By now its history
// may have run on far beyond that.
func (l *Lanes) do(d deed) {
	switch {
	case d.ended:
		l.remove(d.lane)
		if l.Shown == d.lane {
			l.Shown = d.from
		}
		return
	case d.made:
		l.All = append(l.All, d.lane)
	}
	d.lane.History = d.new
	d.lane.lines = append(d.lane.lines, d.line)
	l.Shown = d.lane
	l.Shown.History.SeekTo(d.to)
}

// Back takes the last deed back. It reports whether
// there was one.
func (l *Lanes) Back() bool {
	n := len(l.undo)
	if n == 0 {
		return false
	}
	d := l.undo[n-1]
	l.undo, l.redo = l.undo[:n-1], append(l.redo, d)
	switch {
	case d.ended:
		at := len(l.All)
		for at > 0 && l.All[at-1].ID > d.lane.ID {
			at--
		}
		l.All = append(l.All[:at:at], append([]*Lane{d.lane}, l.All[at:]...)...)
		l.Shown = d.lane
		return true
	case d.made:
		l.remove(d.lane)
	default:
		d.lane.History = d.old
	}
	d.lane.lines = d.lane.lines[:len(d.lane.lines)-1]
	l.Shown = d.from
	l.Shown.History.SeekTo(d.at)
	return true
}

// Forth does again what Back has taken back. It reports whether there was something.
func (l *Lanes) Forth() bool {
	n := len(l.redo)
	if n == 0 {
		return false
	}
	d := l.redo[n-1]
	l.redo, l.undo = l.redo[:n-1], append(l.undo, d)
	l.do(d)
	return true
}

// forget lets go of what was taken back: something else is done now.
func (l *Lanes) forget() {
	for _, d := range l.redo {
		if d.new != nil && !d.ended {
			d.new.Drop()
		}
	}
	l.redo = nil
}

// Drop takes a lane away. The first one stays, and so does one that others have
// left.
func (l *Lanes) Drop(x *Lane) bool {
	if x.of == nil || slices.ContainsFunc(l.All, func(o *Lane) bool { return o.of == x }) {
		return false
	}
	l.forget()
	d := deed{lane: x, from: x.of, ended: true}
	l.undo = append(l.undo, d)
	l.do(d)
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
	now, same := l.Shown.History.At(), l.Shown.common(x)
	l.Shown = x
	if now.Steps() <= same {
		x.History.SeekTo(now.Steps())
	} else {
		x.History.StepOf(now.Now())
	}
}

// common returns how many steps two lanes share.
func (a *Lane) common(b *Lane) int64 {
	shares := map[*Lane]int64{} // how many steps of each lane are a's
	n := int64(1) << 62
	for x := a; ; x = x.of {
		shares[x] = n
		if x.of == nil {
			break
		}
		n = min(n, x.left)
	}
	n = int64(1) << 62
	for x := b; ; x = x.of {
		if s, ok := shares[x]; ok {
			return min(n, s)
		}
		n = min(n, x.left)
	}
}

// Link tells the page of them.
func (l *Lanes) Link() *link.Lanes {
	out := &link.Lanes{Shown: l.Shown.ID, Undo: len(l.undo) > 0, Redo: len(l.redo) > 0, Way: l.Brief(l.Shown)}
	for _, x := range l.All {
		v := link.Lane{ID: x.ID, Name: x.Name, Of: -1, Left: x.left, Steps: x.History.Steps(), End: x.History.End(), Simulated: simulatedFrom(x.History), Lines: x.lines}
		if x.of != nil {
			v.Of = x.of.ID
			v.LeftTime = x.History.TimeOf(x.left)
		}
		out.All = append(out.All, v)
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
