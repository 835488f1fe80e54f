package navigation

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// The places between which Back and Forward go are those from which the viewer has jumped
// elsewhere, as in an editor. Single steps and playing only move the viewer's place.
// Each place has an entry in the browser's history, so the browser's own buttons and keys
// go between them, too.

// MaxPlaces is how many places are remembered, and MaxVisits how many things that were open before.
const (
	MaxPlaces = 100
	MaxVisits = 30
)

// place is a step of a future, and how it was looked at.
type place struct {
	lane int
	step int64
	view View
}

// places are the places that the viewer visited in something. Place i has the number first+i in the
// browser's history.
type places struct {
	all     []place // at least one
	current int     // the place at which the viewer is; where exactly is known when it is left
	first   int
}

// placesFrom returns the places of something that has one entry, with a number.
func placesFrom(number int) places { return places{all: []place{{}}, first: number} }

func (p *places) has(number int) bool { return number >= p.first && number < p.first+len(p.all) }

// number returns the number of the viewer's place.
func (p *places) number() int { return p.first + p.current }

// step returns the step of the place that is so many places after the viewer's, -1 if there is none.
func (p *places) step(by int) int64 {
	if i := p.current + by; i >= 0 && i < len(p.all) {
		return p.all[i].step
	}
	return -1
}

// add adds a place after the one with a number, which the viewer leaves from where it is left. The places after
// that are gone.
func (p *places) add(number int, left place) {
	if !p.has(number) { // the entries after this one are gone
		*p = placesFrom(number)
	}
	p.all = append(p.all[:p.current], left, place{})
	p.current++
	if drop := len(p.all) - MaxPlaces; drop > 0 {
		p.all, p.current, p.first = p.all[drop:], p.current-drop, p.first+drop
	}
}

// visited is something that was open before, with the places that it has in the browser's
// history.
type visited struct {
	places
	address *address.Address // what would bring the viewer back to it
	files   int              // the number of the choice of files that address needs
}

// history is the browser's history: the entries of what is open, and of what was open before.
type history struct {
	stray  int       // while astray or unpacking: the number of the entry that the browser shows
	places places    // of what is open
	visits []visited // what was open before
}

func (h *history) remember(v visited) {
	h.visits = append(h.visits, v)
	h.visits = h.visits[max(0, len(h.visits)-MaxVisits):]
}

// recall takes what has a place with a number out of the visits. It reports false if nothing has.
func (h *history) recall(number int) (v visited, ok bool) {
	for i, v := range h.visits {
		if v.has(number) {
			h.visits = slices.Delete(h.visits, i, i+1)
			return v, true
		}
	}
	return visited{}, false
}

// cut forgets the places of visits that a new entry of the browser's history has taken over.
func (h *history) cut(from int) {
	kept := h.visits[:0]
	for _, v := range h.visits {
		if v.first >= from {
			continue
		}
		v.all = v.all[:min(len(v.all), from-v.first)]
		v.current = min(v.current, len(v.all)-1)
		kept = append(kept, v)
	}
	h.visits = kept
}

// Push adds an entry to the browser's history, or with Instead changes the one that is
// shown. Fragment becomes the address's fragment.
type Push struct {
	Place    int
	Fragment string
	Instead  bool
}

// Traverse goes to another entry of the browser's history, back if Delta is negative.
type Traverse struct{ Delta int }

func (Push) Cmd()     {}
func (Traverse) Cmd() {}

// Number returns what the entry has that the browser shows.
func (n *Model) Number() int {
	if n.Entry == Astray || n.Entry == Unpacking {
		return n.history.stray
	}
	return n.history.places.number()
}

// Size returns how many places and visits are remembered.
func (n *Model) Size() (places, visits int) { return len(n.history.places.all), len(n.history.visits) }

func (n *Model) currentPlace() place {
	p, r := place{view: n.doc.View}, n.desk.Surroundings()
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
	n.Goal, n.Notice, n.Expected, n.fromFile = nil, nil, nil, false
	if n.doc.Source.Lesson() != "" {
		return
	}
	n.beforeCourse, n.beforeFiles = stay, n.doc.Source.Files
	if stay == nil {
		return
	}
	v := visited{places: n.history.places, address: stay, files: n.doc.Source.Files}
	if n.Entry == Astray {
		v.places = placesFrom(n.history.stray)
	}
	v.all[v.current] = n.currentPlace()
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
	stay := *v.address
	if now := r.Place - v.first; now != v.current {
		v.current = now
		stay.Steps = []link.PathStep{{Step: v.all[now].step}}
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

// PreviousStep returns the step to which Back goes, or -1 if there is no place before.
func (n *Model) PreviousStep() int64 { return n.step(-1) }

// ForwardTo returns the step to which Forward goes, or -1 if there is no place after.
func (n *Model) ForwardTo() int64 { return n.step(1) }

// step returns the step of the place that is so many places after the viewer's, -1 if there is none.
func (n *Model) step(by int) int64 {
	if n.Entry != CurrentEntry {
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
	return []desk.Cmd{Traverse{by}}
}

// goToEntry goes to the place that has a number in the browser's history. At an entry of
// something that was open before, nothing moves.
func (n *Model) goToEntry(number int) []desk.Cmd {
	if !n.history.places.has(number) {
		return n.enter(OnAstray, occasion{place: number})
	}
	return n.enter(OnPopState, occasion{place: number})
}

func (n *Model) goToPlace(number int) []desk.Cmd {
	p := &n.history.places
	if number == p.number() {
		return nil
	}
	if n.desk.Surroundings().Frame == nil { // there is nothing to move yet
		p.current = number - p.first
		return nil
	}
	n.leap(OnVisit)
	p.current = number - p.first
	to := p.all[p.current]
	n.doc.View = cmp.Or(to.view, n.doc.View)
	cmds := n.desk.Pause()
	if lanes := n.desk.Surroundings().Lanes; to.lane != n.currentPlace().lane && lanes != nil {
		for i := range lanes.List {
			if lanes.List[i].ID == to.lane {
				return append(cmds, n.desk.Move(link.VisitLane{Lane: to.lane, Step: to.step})...)
			}
		}
	}
	return append(cmds, n.desk.Move(link.Seek{Step: to.step})...)
}
