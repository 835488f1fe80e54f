package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// lanes are the futures of one run. Whatever the viewer does makes a new History,
// which branches off the one that was shown: nothing is ever changed, so that it
// can be taken back.
type lanes struct {
	all   []*lane
	shown *lane
	made  int            // lanes so far
	base  *world.History // the first lane's history before anything was done
	fixed bool           // the first lane stays as it is, since a lesson is about it
	undo  []deed         // the newest last
	redo  []deed
}

// lane is a future, which goes on from one History to the next as more is done at
// its end.
type lane struct {
	id    int
	name  string
	of    *lane // that it has left, nil for the first
	left  int64
	h     *world.History
	lines []string // that made it, since it left
}

// deed is something that the viewer did: it gave a lane another History, or made a
// lane.
type deed struct {
	lane        *lane
	from        *lane // that was shown before
	old, new    *world.History
	at          int64 // the step at which the viewer was
	line        string
	made, ended bool // the lane was made, or dropped
}

func newLanes(h *world.History) *lanes {
	first := &lane{h: h}
	return &lanes{all: []*lane{first}, shown: first, made: 1, base: h}
}

// goOn takes in the history h, which the line has made of the one shown. At the end of a
// lane (or of one the viewer made), the line extends that lane, unless it is fixed.
// Anywhere else it starts a new lane.
func (l *lanes) goOn(h *world.History, line string) {
	old := l.shown
	_, left := h.Parent()
	d := deed{lane: old, from: old, old: old.h, new: h, at: left, line: line}
	after := inputsUpTo(old.h, left)
	mine := old.of != nil && len(after) == len(old.h.Inputs())
	if atEnd := left == old.h.Steps() && old.h.Complete(); !mine && (!atEnd || l.fixed && old.of == nil) {
		d.lane = &lane{id: l.made, of: old, left: left, h: h}
		d.made = true
		l.made++
	}
	l.forget()
	l.undo = append(l.undo, d)
	l.do(d)
}

func (l *lanes) do(d deed) {
	switch {
	case d.ended:
		l.remove(d.lane)
		if l.shown == d.lane {
			l.shown = d.from
		}
		return
	case d.made:
		l.all = append(l.all, d.lane)
	}
	d.lane.h = d.new
	d.lane.lines = append(d.lane.lines, d.line)
	l.shown = d.lane
}

// back takes the last deed back, and forth does it again. They report whether
// there was one.
func (l *lanes) back() bool {
	n := len(l.undo)
	if n == 0 {
		return false
	}
	d := l.undo[n-1]
	l.undo, l.redo = l.undo[:n-1], append(l.redo, d)
	switch {
	case d.ended:
		at := len(l.all)
		for at > 0 && l.all[at-1].id > d.lane.id {
			at--
		}
		l.all = append(l.all[:at:at], append([]*lane{d.lane}, l.all[at:]...)...)
		l.shown = d.lane
		return true
	case d.made:
		l.remove(d.lane)
	default:
		d.lane.h = d.old
	}
	d.lane.lines = d.lane.lines[:len(d.lane.lines)-1]
	l.shown = d.from
	l.shown.h.SeekTo(d.at)
	return true
}

func (l *lanes) forth() bool {
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
func (l *lanes) forget() {
	for _, d := range l.redo {
		if d.new != nil && !d.ended {
			d.new.Drop()
		}
	}
	l.redo = nil
}

// drop takes a lane away. The first one stays, and so does one that others have
// left.
func (l *lanes) drop(x *lane) bool {
	if x.of == nil || slices.ContainsFunc(l.all, func(o *lane) bool { return o.of == x }) {
		return false
	}
	l.forget()
	d := deed{lane: x, from: x.of, ended: true}
	l.undo = append(l.undo, d)
	l.do(d)
	return true
}

func (l *lanes) remove(x *lane) {
	l.all = slices.DeleteFunc(l.all, func(o *lane) bool { return o == x })
}

func (l *lanes) find(id int) *lane {
	if i := slices.IndexFunc(l.all, func(x *lane) bool { return x.id == id }); i >= 0 {
		return l.all[i]
	}
	return nil
}

// show puts a lane on the stage, at the moment at which the viewer is: at the same
// step while both are the same, and else at the same time.
func (l *lanes) show(x *lane) {
	if x == l.shown {
		return
	}
	now, same := l.shown.h.At(), common(l.shown, x)
	l.shown = x
	if now.Steps() <= same {
		x.h.SeekTo(now.Steps())
	} else {
		x.h.StepOf(now.Now())
	}
}

// common is how many steps two lanes share.
func common(a, b *lane) int64 {
	shares := map[*lane]int64{} // how many steps of each lane are a's
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

// link tells the page of them.
func (l *lanes) link() *link.Lanes {
	out := &link.Lanes{Shown: l.shown.id, Undo: len(l.undo) > 0, Redo: len(l.redo) > 0, Way: l.brief(l.shown)}
	for _, x := range l.all {
		v := link.Lane{ID: x.id, Name: x.name, Of: -1, Left: x.left, Steps: x.h.Steps(), End: x.h.End(), Simulated: simulatedFrom(x.h), Lines: x.lines}
		if x.of != nil {
			v.Of = x.of.id
			v.LeftTime = x.h.TimeOf(x.left)
		}
		out.All = append(out.All, v)
	}
	return out
}

// simulatedFrom is the step from which a server goes on in the place of a
// recording, 0 for none.
func simulatedFrom(h *world.History) int64 {
	for _, in := range h.Inputs() {
		if in.Command != nil && in.Command.Kind.Simulates() {
			if h.Config().Informers[in.Command.Informer].Feed != nil {
				return in.Step
			}
		}
	}
	return 0
}
