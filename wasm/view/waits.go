package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// lockBadges say who holds a station's lock, and who waits for it. The process loop's
// own station names the lock instead of the process loop.
func (p *page) lockBadges(lock string) []*tree.Node {
	var out []*tree.Node
	for _, a := range p.f.Actors {
		for _, held := range a.Holds {
			if held == lock {
				text := p.w.Actor(a.ID)
				if lock == link.LockBlockDeltas && a.ID == link.ActorLoop {
					text = p.w.Lock(lock)
				}
				out = append(out, tree.El("span", "badge held spoken", icon("lock"), tree.Text("span", "", text).Attr("aria-hidden", "true")).
					Attr("title", p.w.Tn("ui.holds", "actor", p.w.Actor(a.ID), "lock", p.w.Lock(lock))))
			}
		}
	}
	for _, a := range p.f.Actors {
		// Other actors have a station of their own, which says that they wait.
		if a.Waits == link.WaitsForLock && a.On == lock && (a.ID == link.ActorResync || a.ID == link.ActorUser) {
			out = append(out, badge("waits", p.w.Tn("ui.waitsForLock", "actor", p.w.Actor(a.ID))))
		}
	}
	return out
}

// waitBadge is the badge of an actor's state. While the actor waits for a lock, it is
// a badge that says so.
func (p *page) waitBadge(id string, state *tree.Node) []*tree.Node {
	for _, a := range p.f.Actors {
		if a.ID == id && a.Waits == link.WaitsForLock {
			return []*tree.Node{tree.Text("span", "badge waits", p.w.Tn("ui.waitsShort", "holder", p.w.Actor(a.Holder))).
				Attr("title", p.w.Tn("ui.waitsHolder", "lock", p.w.Lock(a.On), "holder", p.w.Actor(a.Holder)))}
		}
	}
	return []*tree.Node{state}
}

// waits reports whether an actor waits for something: a lock, a channel or a place.
func (p *page) waits(id, on string) bool {
	for _, a := range p.f.Actors {
		if a.ID == id {
			return a.On == on
		}
	}
	return false
}

// blocked reports whether an actor of one of the kinds waits for a lock.
func (p *page) blocked(kinds ...string) bool {
	for _, a := range p.f.Actors {
		for _, k := range kinds {
			if words.Kind(a.ID) == k && a.Waits == link.WaitsForLock {
				return true
			}
		}
	}
	return false
}
