package navigation

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Push adds an entry to the browser's history, or with Instead changes the one that is
// shown. Fragment becomes the address's fragment.
type Push struct {
	Place    int
	Fragment string
	Instead  bool
}

// Go goes to another entry of the browser's history, back if By is negative.
type Go struct{ By int }

// Cmd marks a command.
func (Push) Cmd() {}

// Cmd marks a command.
func (Go) Cmd() {}

// Number returns what the entry has that the browser shows.
func (n *Model) Number() int {
	if n.Entry == Astray || n.Entry == Unpacking {
		return n.history.stray
	}
	return n.history.places.number()
}

// Size returns how many places and visits are remembered.
func (n *Model) Size() (places, visits int) { return len(n.history.places.all), len(n.history.visits) }

// currentPlace returns the place at which the viewer is.
func (n *Model) currentPlace() (p place) {
	r := n.desk.Rest()
	if r.Lanes != nil {
		p.lane = r.Lanes.Shown
	}
	if r.Frame != nil {
		p.step = r.Frame.Step
	}
	return p
}

// rememberVisit remembers what is open as a visit, before something else is opened. Stay would bring the
// viewer back to it, and is nil where nothing can.
func (n *Model) rememberVisit(stay *address.Address) {
	n.Goal, n.Notice, n.Expected, n.carried = nil, nil, nil, false
	if n.doc.Source.Lesson() != "" {
		return
	}
	n.left, n.files = stay, n.doc.Source.Files
	if stay == nil {
		return
	}
	v := visited{places: n.history.places, stay: stay, files: n.doc.Source.Files}
	if n.Entry == Astray {
		v.places = placesFrom(n.history.stray)
	}
	v.all[v.now] = n.currentPlace()
	n.history.remember(v)
}

// recall opens what was open before at one of its places, if the place is known.
func (n *Model) recall(r Returned) (cmds []desk.Cmd, ok bool) {
	if n.Entry != Astray && n.history.places.has(r.Place) {
		return nil, false
	}
	v, ok := n.history.recall(r.Place)
	if !ok {
		return nil, false
	}
	stay := *v.stay
	if now := r.Place - v.first; now != v.now {
		v.now = now
		stay.Way = []link.Waypoint{{Step: v.all[now].step}}
	}
	n.Address = r.Fragment
	cmds = n.openAt(stay, r.Fragment, v.files)
	n.Replaced()
	n.history.places = v.places
	return cmds, true
}

// Forget drops all places but the one at which the viewer is.
func (n *Model) Forget() { n.restart(n.history.places.number()) }

// restart goes on from one place, which has a number.
func (n *Model) restart(number int) {
	n.history.places = placesFrom(number)
	n.leap(OnForgotten)
}

// BackTo returns the step to which Back goes, or -1 if there is no place before.
func (n *Model) BackTo() int64 { return n.step(-1) }

// ForwardTo returns the step to which Forward goes, or -1 if there is no place after.
func (n *Model) ForwardTo() int64 { return n.step(1) }

// step returns the step of the place that is so many places after the viewer's, -1 if there is none.
func (n *Model) step(by int) int64 {
	if n.Entry != Own {
		return -1
	}
	return n.history.places.step(by)
}

// Visit asks the browser to go back or forward to another place. It answers with
// Returned.
func (n *Model) Visit(by int) []desk.Cmd {
	if n.step(by) < 0 {
		return nil
	}
	return []desk.Cmd{Go{by}}
}

// goToEntry goes to the place that has a number in the browser's history. At an entry of
// something that was open before, nothing moves.
func (n *Model) goToEntry(number int) []desk.Cmd {
	if !n.history.places.has(number) {
		return n.enter(OnAstray, occasion{place: number})
	}
	return n.enter(OnOwn, occasion{place: number})
}

// goToPlace goes to the place with a number.
func (n *Model) goToPlace(number int) []desk.Cmd {
	p := &n.history.places
	if number == p.number() {
		return nil
	}
	if n.desk.Rest().Frame == nil { // there is nothing to move yet
		p.now = number - p.first
		return nil
	}
	n.leap(OnVisit)
	p.now = number - p.first
	to := p.all[p.now]
	cmds := n.desk.Pause()
	if lanes := n.desk.Rest().Lanes; to.lane != n.currentPlace().lane && lanes != nil {
		for i := range lanes.All {
			if lanes.All[i].ID == to.lane {
				return append(cmds, n.desk.Move(link.VisitLane{Lane: to.lane, Step: to.step})...)
			}
		}
	}
	return append(cmds, n.desk.Move(link.Seek{Step: to.step})...)
}
