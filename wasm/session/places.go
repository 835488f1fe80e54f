package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// The places between which Back and Forward go are those from which the viewer has jumped
// elsewhere, as in an editor. Single steps and playing only move the viewer's place.
// Each place has an entry in the browser's history, so the browser's own buttons and keys
// go between them, too.

// maxPlaces is how many places are remembered.
const maxPlaces = 100

// place is a step of a future.
type place struct {
	lane int
	step int64
}

// History is the browser's history: the entries of what is open, and of what was open before. What
// can happen to the entry that the browser shows, and whether a move makes another one, are two
// tables.
type History struct {
	entry   navigation.State
	jump    navigation.State
	address string    // the fragment that the page's address has
	packed  string    // while unpacking: the fragment
	stray   int       // while astray or unpacking: the number of the entry that the browser shows
	places  places    // of what is open
	visits  []visited // what was open before
}

// places are the places that the viewer visited. Place i has the number first+i in the
// browser's history.
type places struct {
	all   []place // at least one
	at    int     // the place at which the viewer is; where exactly is known when it is left
	first int
}

// placesFrom are those of something that has one entry, with a number.
func placesFrom(number int) places { return places{all: []place{{}}, first: number} }

// visited is something that was open before, with the places that it has in the browser's
// history.
type visited struct {
	places
	stay  *address.Address
	files int
}

// maxVisits is how many visits are remembered.
const maxVisits = 30

// part remembers what is open as a visit, before something else is opened. Stay would bring the
// viewer back to it, and is nil where nothing can.
func (n *Navigation) part(m *Model, stay *address.Address) {
	n.back, n.otherwise, n.Expected, n.carried = nil, nil, nil, false
	if m.Open.Source.lesson() != "" {
		return
	}
	n.left, n.leftFiles = stay, m.Open.Source.Files
	if stay == nil {
		return
	}
	v := visited{places: n.History.places, stay: stay, files: m.Open.Source.Files}
	if n.History.entry == navigation.Astray {
		v.places = placesFrom(n.History.stray)
	}
	v.all = append([]place(nil), v.all...)
	v.all[v.at] = standing(m)
	n.History.visits = append(n.History.visits[:len(n.History.visits):len(n.History.visits)], v)
	if drop := len(n.History.visits) - maxVisits; drop > 0 {
		n.History.visits = n.History.visits[drop:]
	}
}

// again opens what was open before at one of its places, if the place is known.
func (n *Navigation) again(m *Model, r Returned) (cmds []Cmd, ok bool) {
	if n.History.entry != navigation.Astray && n.History.places.has(r.Place) {
		return nil, false
	}
	for i, v := range n.History.visits {
		at := r.Place - v.first
		if at < 0 || at >= len(v.all) {
			continue
		}
		stay := *v.stay
		if at != v.at {
			stay.Way = []link.Waypoint{{Step: v.all[at].step}}
		}
		n.History.visits = append(n.History.visits[:i:i], n.History.visits[i+1:]...)
		n.History.address = r.Fragment
		cmds = n.openAt(m, stay, r.Fragment, v.files)
		n.History.replaced(m)
		n.History.places = v.places
		n.History.places.at = at
		return cmds, true
	}
	return nil, false
}

// enter moves the entry.
func (h *History) enter(m *Model, on navigation.Event, o *occasion) []Cmd {
	return m.Nav.happen(m, &h.entry, on, o)
}

// leap moves the jump.
func (h *History) leap(m *Model, on navigation.Event) []Cmd {
	return m.Nav.happen(m, &h.jump, on, nil)
}

// has reports whether one of the places has a number.
func (p *places) has(number int) bool { return number >= p.first && number < p.first+len(p.all) }

// number is what the entry has that the browser shows.
func (h *History) number() int {
	if h.entry == navigation.Astray || h.entry == navigation.Unpacking {
		return h.stray
	}
	return h.places.first + h.places.at
}

// forget drops all places but the one at which the viewer is.
func (h *History) forget(m *Model) { h.restart(m, h.places.first+h.places.at) }

// restart goes on from one place, which has a number.
func (h *History) restart(m *Model, number int) {
	h.places = placesFrom(number)
	h.leap(m, navigation.OnForgotten)
}

// arrive notes that the viewer is at the place of an entry now, whatever place it was.
func (h *History) arrive(m *Model, number int) {
	if !h.places.has(number) {
		h.restart(m, number)
	}
	h.places.at = number - h.places.first
}

// replaced makes what was opened a part of the entry that the browser shows.
func (h *History) replaced(m *Model) { h.enter(m, navigation.OnReplaced, nil) }

// cutVisits forgets the places that a new entry of the browser's history has taken over.
func (h *History) cutVisits(from int) {
	kept := h.visits[:0:0]
	for _, v := range h.visits {
		if v.first >= from {
			continue
		}
		v.all = v.all[:min(len(v.all), from-v.first)]
		v.at = min(v.at, len(v.all)-1)
		kept = append(kept, v)
	}
	h.visits = kept
}

// standing is the place at which the viewer is.
func standing(m *Model) place {
	out := place{}
	if m.Hands.Lanes != nil {
		out.lane = m.Hands.Lanes.Shown
	}
	if m.Stage.Frame != nil {
		out.step = m.Stage.Frame.Step
	}
	return out
}

// leave notes that the viewer jumps to another place: by OnJump, by OnMark to a mark or a hit, or
// by OnHeld and OnLetGo of the timeline. What follows before a jump is answered is a part of it.
func (h *History) leave(m *Model, how navigation.Event) []Cmd {
	if m.Stage.Frame == nil {
		return nil
	}
	return h.leap(m, how)
}

// note makes an entry for the place to which the viewer jumps from the one with a number.
func (h *History) note(m *Model, number int) []Cmd {
	p := h.places
	if !p.has(number) { // the entries after this one are gone
		p = placesFrom(number)
	}
	p.all = append(append([]place(nil), p.all[:p.at]...), standing(m), place{})
	p.at++
	if drop := len(p.all) - maxPlaces; drop > 0 {
		p.all, p.at, p.first = p.all[drop:], p.at-drop, p.first+drop
	}
	h.places = p
	h.cutVisits(h.number())
	return []Cmd{Push{h.number(), h.address, false}}
}

// tell keeps the address right. Fresh makes an entry of the browser's history for what was opened.
func (h *History) tell(m *Model, fresh bool) []Cmd {
	now := m.Nav.fragment(m)
	switch {
	case fresh:
		h.places.first++
		h.cutVisits(h.places.first)
	case now == h.address:
		return nil
	}
	h.address = now
	return []Cmd{Push{h.number(), now, !fresh}}
}

// BackTo returns the step to which Back goes, or -1 if there is no place before.
func (n *Navigation) BackTo() int64 { return n.History.step(-1) }

// ForwardTo returns the step to which Forward goes, or -1 if there is no place after.
func (n *Navigation) ForwardTo() int64 { return n.History.step(1) }

func (h *History) step(by int) int64 {
	if i := h.places.at + by; i >= 0 && i < len(h.places.all) && h.entry == navigation.Own {
		return h.places.all[i].step
	}
	return -1
}

// visit asks the browser to go back or forward to another place. It answers with
// Returned.
func (h *History) visit(by int) []Cmd {
	if h.step(by) < 0 {
		return nil
	}
	return []Cmd{Go{by}}
}

// revisit goes to the place that has a number in the browser's history. At an entry of
// something that was open before, nothing moves.
func (h *History) revisit(m *Model, number int) []Cmd {
	if !h.places.has(number) {
		return h.enter(m, navigation.OnAstray, &occasion{place: number})
	}
	return h.enter(m, navigation.OnOwn, &occasion{place: number})
}

// see goes to the place with a number.
func (h *History) see(m *Model, number int) []Cmd {
	i := number - h.places.first
	if i == h.places.at {
		return nil
	}
	if m.Stage.Frame == nil { // there is nothing to move yet
		h.places.at = i
		return nil
	}
	h.leap(m, navigation.OnVisit)
	h.places.at = i
	to := h.places.all[i]
	cmds := m.Transport.set(m, false)
	if to.lane != standing(m).lane && m.Hands.HasLane(to.lane) {
		return append(cmds, m.move(link.VisitLane{Lane: to.lane, Step: to.step})...)
	}
	return append(cmds, m.move(link.Seek{Step: to.step})...)
}

// remember takes in where the viewer is.
func (p *places) remember(at place) {
	p.all = append([]place(nil), p.all...)
	p.all[p.at] = at
}
