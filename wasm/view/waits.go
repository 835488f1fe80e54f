package view

import "github.com/informerscope/informerscope/wasm/dom/tree"

// lockBadges tell who holds a station's lock, and who waits for it. The process
// loop's own station needn't name it: there, the lock is named.
func (p *page) lockBadges(lock string) []*tree.Node {
	var out []*tree.Node
	for _, a := range p.f.Actors {
		for _, held := range a.Holds {
			if held == lock {
				text := p.actorName(a.ID)
				if lock == "blockDeltas" && a.ID == "loop" {
					text = lock
				}
				out = append(out, tree.El("span", "badge held", icon("lock"), tree.Text("span", "", text)).
					Attr("title", p.tn("ui.holds", "actor", p.actorName(a.ID), "lock", lock)))
			}
		}
	}
	for _, a := range p.f.Actors {
		// The others have a station of their own, which says so.
		if a.Waits == "lock" && a.On == lock && (a.ID == "resync" || a.ID == "user") {
			out = append(out, badge("waits", p.tn("ui.waitsForLock", "actor", p.actorName(a.ID))))
		}
	}
	return out
}

// waitBadge is the badge of an actor's state, or, while it waits for a lock, one
// that says so.
func (p *page) waitBadge(id string, state *tree.Node) []*tree.Node {
	for _, a := range p.f.Actors {
		if a.ID == id && a.Waits == "lock" {
			return []*tree.Node{badge("waits", p.tn("ui.waitsShort", "lock", a.On, "holder", p.actorName(a.Holder))).
				Attr("title", p.tn("ui.waitsHolder", "lock", a.On, "holder", p.actorName(a.Holder)))}
		}
	}
	return []*tree.Node{state}
}

// waits returns whether an actor waits for something.
func (p *page) waits(id, on string) bool {
	for _, a := range p.f.Actors {
		if a.ID == id {
			return a.On == on
		}
	}
	return false
}

// blocked returns whether an actor of a kind waits for a lock, or to hand
// something on: what somebody else must end.
func (p *page) blocked(kinds ...string) bool {
	for _, a := range p.f.Actors {
		for _, k := range kinds {
			if kind(a.ID) == k && (a.Waits == "lock") {
				return true
			}
		}
	}
	return false
}
