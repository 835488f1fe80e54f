package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// lockBadges returns badges that say who holds a station's lock, and who waits for it. The process loop's
// own station names the lock instead of the process loop.
func (st *Stage) lockBadges(lock string) []*tree.Node {
	var out []*tree.Node
	for _, a := range st.Frame.Actors {
		for _, held := range a.Holds {
			if held == lock {
				text := st.Words.Actor(a.ID)
				if lock == link.LockBlockDeltas && a.ID == link.ActorLoop {
					text = st.Words.Lock(lock)
				}
				out = append(out, tree.El("span", "badge held spoken", widget.Icon("lock"), tree.Text("span", "", text).Attr("aria-hidden", "true")).
					Attr("title", st.Words.Tn("ui.holds", "actor", st.Words.Actor(a.ID), "lock", st.Words.Lock(lock))))
			}
		}
	}
	for _, a := range st.Frame.Actors {
		// Other actors have a station of their own, which says that they wait.
		if a.Waits == link.WaitsForLock && a.On == lock && (a.ID == link.ActorResync || a.ID == link.ActorUser || a.ID == link.ActorProcessor) {
			out = append(out, widget.Badge("waits", st.Words.Tn("ui.waitsForLock", "actor", st.Words.Actor(a.ID))))
		}
	}
	return out
}

// waitBadge returns the badge of an actor's state. While the actor waits for a lock, it is
// a badge that says so.
func (st *Stage) waitBadge(id string, state *tree.Node) []*tree.Node {
	for _, a := range st.Frame.Actors {
		if a.ID == id && a.Waits == link.WaitsForLock {
			return []*tree.Node{tree.Text("span", "badge waits", st.Words.Tn("ui.waitsShort", "holder", st.Words.Actor(a.Holder))).
				Attr("title", st.Words.Tn("ui.waitsHolder", "lock", st.Words.Lock(a.On), "holder", st.Words.Actor(a.Holder)))}
		}
	}
	return []*tree.Node{state}
}

// waits reports whether an actor waits for something: a lock, a channel or a place.
func waits(f *link.Frame, id, on string) bool {
	for _, a := range f.Actors {
		if a.ID == id {
			return a.On == on
		}
	}
	return false
}

// blocked reports whether an actor of one of the kinds waits for a lock.
func blocked(f *link.Frame, kinds ...string) bool {
	for _, a := range f.Actors {
		for _, k := range kinds {
			if words.Kind(a.ID) == k && a.Waits == link.WaitsForLock {
				return true
			}
		}
	}
	return false
}
