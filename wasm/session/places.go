package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
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

// places are the places that the viewer visited. Place i has the number first+i in the
// browser's history.
type places struct {
	all     []place // at least one
	at      int     // the place at which the viewer is; where exactly is known when it is left
	first   int
	astray  bool // the browser shows an entry of something that was open before, with the number stray
	stray   int
	jumping bool // the last jump has not been answered
	marking bool // the last move was to a mark
	dragged bool // the viewer drags the timeline, and that jump was noted
}

// visited is something that was open before, with the places that it has in the browser's
// history.
type visited struct {
	places
	stay  *address.Address
	files int
}

// maxVisits is how many visits are remembered.
const maxVisits = 30

// part remembers what is open as a visit, before something else is opened.
func (n *Navigation) part(m *Model) {
	stay := n.Stay(m)
	if stay == nil || !n.begun || m.Open.Source.lesson() != "" {
		return
	}
	v := visited{places: n.places, stay: stay, files: m.Open.Source.Files}
	if v.astray {
		v.forget()
	}
	v.all = append([]place(nil), v.all...)
	v.all[v.at] = standing(m)
	n.visits = append(n.visits[:len(n.visits):len(n.visits)], v)
	if drop := len(n.visits) - maxVisits; drop > 0 {
		n.visits = n.visits[drop:]
	}
}

// cutVisits forgets the places that a new entry of the browser's history has taken over.
func (n *Navigation) cutVisits(from int) {
	kept := n.visits[:0:0]
	for _, v := range n.visits {
		if v.first >= from {
			continue
		}
		v.all = v.all[:min(len(v.all), from-v.first)]
		v.at = min(v.at, len(v.all)-1)
		kept = append(kept, v)
	}
	n.visits = kept
}

// again opens what was open before at one of its places, if the place is known.
func (n *Navigation) again(m *Model, r Returned) (cmds []Cmd, ok bool) {
	p := &n.places
	if !p.astray && r.Place >= p.first && r.Place < p.first+len(p.all) {
		return nil, false
	}
	for i, v := range n.visits {
		at := r.Place - v.first
		if at < 0 || at >= len(v.all) {
			continue
		}
		stay := *v.stay
		if at != v.at {
			stay.Way = []link.Waypoint{{Step: v.all[at].step}}
		}
		n.visits = append(n.visits[:i:i], n.visits[i+1:]...)
		n.address = r.Fragment
		cmds = n.openAt(m, stay, r.Fragment, v.files)
		n.fresh, n.places = false, v.places
		n.places.at = at
		return cmds, true
	}
	return nil, false
}

// forget drops all places but the one at which the viewer is.
func (p *places) forget() {
	*p = places{all: []place{{}}, first: p.number()}
}

// number is what the entry has that the browser shows.
func (p *places) number() int {
	if p.astray {
		return p.stray
	}
	return p.first + p.at
}

// arrive notes that the viewer is at the place of an entry now, whatever place it was.
func (p *places) arrive(number int) {
	p.astray, p.stray = number < p.first || number >= p.first+len(p.all), number
	if p.astray {
		p.forget()
	}
	p.at = number - p.first
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

// leave notes that the viewer jumps to another place. Jumps that follow
// one another before the first is answered are one.
func (n *Navigation) leave(m *Model) []Cmd {
	if m.Stage.Frame == nil || n.places.jumping {
		return nil
	}
	if n.places.astray { // the entries after this one are gone
		n.places.forget()
	}
	p := n.places
	p.all = append(append([]place(nil), p.all[:p.at]...), standing(m), place{})
	p.at, p.jumping = p.at+1, true
	if drop := len(p.all) - maxPlaces; drop > 0 {
		p.all, p.at, p.first = p.all[drop:], p.at-drop, p.first+drop
	}
	n.places = p
	n.cutVisits(p.number())
	return []Cmd{Push{p.number(), n.address, false}}
}

// BackTo returns the step to which Back goes, or -1 if there is no place before.
func (n *Navigation) BackTo() int64 { return n.places.step(-1) }

// ForwardTo returns the step to which Forward goes, or -1 if there is no place after.
func (n *Navigation) ForwardTo() int64 { return n.places.step(1) }

func (p *places) step(by int) int64 {
	if i := p.at + by; i >= 0 && i < len(p.all) && !p.astray {
		return p.all[i].step
	}
	return -1
}

// visit asks the browser to go back or forward to another place. It answers with
// Returned.
func (n *Navigation) visit(by int) []Cmd {
	if n.places.step(by) < 0 {
		return nil
	}
	return []Cmd{Go{by}}
}

// revisit goes to the place that has a number in the browser's history. At an entry of
// something that was open before, nothing moves.
func (n *Navigation) revisit(m *Model, number int) []Cmd {
	p := n.places
	i := number - p.first
	n.places.astray, n.places.stray = i < 0 || i >= len(p.all), number
	if n.places.astray || i == p.at || m.Stage.Frame == nil {
		return nil
	}
	p.astray = false
	p.all = append([]place(nil), p.all...)
	if !p.jumping {
		p.all[p.at] = standing(m)
	}
	p.at, p.jumping = i, true
	n.places = p
	to := p.all[i]
	cmds := m.Transport.set(m, false)
	if to.lane != standing(m).lane && m.Hands.hasLane(to.lane) {
		return append(cmds, m.move(link.VisitLane{Lane: to.lane, Step: to.step})...)
	}
	return append(cmds, m.move(link.Seek{Step: to.step})...)
}

func (h *Hands) hasLane(id int) bool {
	for _, l := range h.Lanes.All {
		if l.ID == id {
			return true
		}
	}
	return false
}
