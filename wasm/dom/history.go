//go:build js && wasm

package dom

import "github.com/hack-pad/safejs"

// History is the browser's history of the page.
//
// In a frame of another page it has no entry but the one that is shown, because Back is that page's own.
type History struct {
	window   safejs.Value
	embedded bool
	place    int                              // the number of the entry that is shown
	shown    func(place int, fragment string) // Events.Return
}

// listen tells which entry is shown. A fragment that the viewer types makes an entry, too.
func (h *History) listen() {
	place := func() {
		number := -1
		if state := get(get(h.window, "history"), "state"); truthy(state) {
			number = integer(get(state, "place"))
		}
		h.shown(number, text(get(get(h.window, "location"), "hash")))
	}
	call(h.window, "addEventListener", "popstate", function(func([]safejs.Value) any { place(); return nil }).Value())
	place()
}

// Push adds an entry, or with instead changes the one that is shown. The fragment has its "#",
// or is "". A browser that finds there are too many changes refuses this one, and then Back
// skips the place.
func (h *History) Push(place int, fragment string, instead bool) {
	h.place = place
	if fragment == "" {
		at := get(h.window, "location")
		fragment = text(get(at, "pathname")) + text(get(at, "search"))
	}
	state := construct(h.window, "Object")
	set(state, "place", place)
	how := "pushState"
	if instead || h.embedded {
		how = "replaceState"
	}
	get(h.window, "history").Call(how, state, "", fragment)
}

// Go goes to another entry.
func (h *History) Go(by int) {
	if h.embedded {
		h.place += by
		h.shown(h.place, text(get(get(h.window, "location"), "hash")))
		return
	}
	call(get(h.window, "history"), "go", by)
}
