package view

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// served returns the text of all files with an extension that the browser is served.
func served(t *testing.T, ext string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir("../../web", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "test" || d.Name() == "node_modules" || d.Name() == "lint") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if filepath.Ext(name) == ext {
			text, err := os.ReadFile(name)
			b.Write(text)
			return err
		}
		return nil
	})
	if err != nil || b.Len() == 0 {
		t.Fatalf("no file with the extension %s was read: %v", ext, err)
	}
	return b.String()
}

// named returns the names that a pattern finds in a text.
func named(text, pattern string) []string {
	var all []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// listed returns the words of a list or an object in JavaScript, such as ['a', 'b'].
func listed(t *testing.T, js, name string) []string {
	t.Helper()
	m := regexp.MustCompile(name + ` = [\[{]([^\]}]*)[\]}]`).FindStringSubmatch(js)
	if m == nil {
		t.Fatalf("JavaScript has no list %s", name)
	}
	return strings.FieldsFunc(strings.ReplaceAll(m[1], "'", ""), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// Go, styles and JavaScript have the same names for stations, states, letters and
// moves.
func TestStylesAndScriptsKnowTheNames(t *testing.T) {
	css, js := served(t, ".css"), served(t, ".js")
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
	all("stations in styles", named(css, `\.st-(\w+)`), link.Stations)
	known("stations that wires join", named(js, `(?:watch|enqueue|pop|store|distribute|work|writeback): \['(\w+)'`), link.Stations)
	all("letters in styles", named(css, `\.chip-(\w)\b`), append(slices.Sorted(maps.Keys(link.DeltaNames)), link.LetterUnknown))
	var hows []string
	for _, h := range link.Hows {
		hows = append(hows, string(h))
	}
	all("moves", named(js, `m\.how === '(\w+)'`), hows)
	states := []string{link.StreamWaiting, link.StreamListing, link.StreamWatching, link.StreamEnded, "about", "live", "save", "help", "goTo", "palette", "handout", "link", "expected"}
	for _, s := range link.States {
		states = append(states, s...)
	}
	known("states in styles", named(css, `\.is-(\w+)`), states)
	known("the watch in styles", named(css, `data-watch="?(\w+)`), link.Wires)
	known("the wire in styles", named(css, `data-wire="?(\w+)`), link.Wires)
}

// Go and JavaScript agree on what the timeline's numbers mean, and each kind of mark has
// a shape and a colour of its own.
func TestTheTimelineIsDrawnAsItIsMeant(t *testing.T) {
	js, css := served(t, ".js"), served(t, ".css")
	shapes := map[string]link.MarkKind{}
	for _, m := range link.Marks {
		shape := markShapes[m]
		if other, ok := shapes[shape]; ok || shape == "" {
			t.Errorf("a mark %s looks like a mark %s: %q", m, other, shape)
		}
		shapes[shape] = m
		if !strings.Contains(css, ".mark-"+string(m)) {
			t.Errorf("a mark %s has no colour", m)
		}
	}
	if len(markShapes) != len(link.Marks) {
		t.Errorf("%d marks have %d shapes", len(link.Marks), len(markShapes))
	}
	for i := range numLanes {
		if lane := "lane" + strconv.Itoa(i); !strings.Contains(css, "."+lane+" { color: var(--"+lane+"); }") {
			t.Errorf("nothing has the colour of %s", lane)
		}
	}
	if !strings.Contains(js, "'--lane' + l % "+strconv.Itoa(numLanes)) {
		t.Errorf("the timeline doesn't draw %d colours of listeners", numLanes)
	}
	if rows := listed(t, js, "fills"); len(rows) != link.NumRows {
		t.Errorf("%d rows of events are written, and drawn as %s", link.NumRows, rows)
	}
}
