package navigation

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/address"
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

// place is a step of a future.
type place struct {
	lane int
	step int64
}

// places are the places that the viewer visited in something. Place i has the number first+i in the
// browser's history.
type places struct {
	all   []place // at least one
	now   int     // the place at which the viewer is; where exactly is known when it is left
	first int
}

// placesFrom returns those of something that has one entry, with a number.
func placesFrom(number int) places { return places{all: []place{{}}, first: number} }

// has reports whether one of the places has a number.
func (p *places) has(number int) bool { return number >= p.first && number < p.first+len(p.all) }

// number returns that of the place at which the viewer is.
func (p *places) number() int { return p.first + p.now }

// step returns the step of the place that is so many places after the viewer's, -1 if there is none.
func (p *places) step(by int) int64 {
	if i := p.now + by; i >= 0 && i < len(p.all) {
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
	p.all = append(p.all[:p.now], left, place{})
	p.now++
	if drop := len(p.all) - MaxPlaces; drop > 0 {
		p.all, p.now, p.first = p.all[drop:], p.now-drop, p.first+drop
	}
}

// visited is something that was open before, with the places that it has in the browser's
// history.
type visited struct {
	places
	stay  *address.Address // what would bring the viewer back to it
	files int              // the number of the choice of files that stay needs
}

// history is the browser's history: the entries of what is open, and of what was open before.
type history struct {
	stray  int       // while astray or unpacking: the number of the entry that the browser shows
	places places    // of what is open
	visits []visited // what was open before
}

// remember adds something that was open to the visits.
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
		v.now = min(v.now, len(v.all)-1)
		kept = append(kept, v)
	}
	h.visits = kept
}
