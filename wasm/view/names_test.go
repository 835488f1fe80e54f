package view

import (
	"maps"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Go, styles and JavaScript have the same names for stations, states, letters and
// moves.
func TestStylesAndScriptsKnowTheNames(t *testing.T) {
	css, js := viewtest.Served(t, ".css"), viewtest.Served(t, ".js")
	known := func(what string, found, names []string) {
		t.Helper()
		if len(found) == 0 {
			t.Errorf("%s: no name was found", what)
		}
		for _, name := range found {
			if !slices.Contains(names, name) {
				t.Errorf("%s: Go has no %q, only %s", what, name, names)
			}
		}
	}
	all := func(what string, found, names []string) {
		t.Helper()
		known(what, found, names)
		for _, name := range names {
			if !slices.Contains(found, name) {
				t.Errorf("%s: %q is unknown: %s", what, name, found)
			}
		}
	}
	all("stations in styles", viewtest.Named(css, `\.st-(\w+)`), link.Stations)
	known("stations that wires join", viewtest.Named(js, `(?:watch|enqueue|pop|store|distribute|work|writeback): \['(\w+)'`), link.Stations)
	all("letters in styles", viewtest.Named(css, `\.chip-(\w)\b`), append(slices.Sorted(maps.Keys(link.DeltaNames)), link.LetterUnknown))
	var hows []string
	for _, h := range link.Motions {
		hows = append(hows, string(h))
	}
	all("moves", viewtest.Named(js, `m\.how === '(\w+)'`), hows)
	states := []string{link.StreamWaiting, link.StreamListing, link.StreamWatching, link.StreamEnded, "about", "live", "save", "help", "goTo", "palette", "handout", "link", "expected", "guards", "changes"}
	for _, s := range link.States {
		states = append(states, s...)
	}
	known("states in styles", viewtest.Named(css, `\.is-(\w+)`), states)
	known("the watch in styles", viewtest.Named(css, `data-watch="?(\w+)`), link.Wires)
	known("the wire in styles", viewtest.Named(css, `data-wire="?(\w+)`), link.Wires)
}
