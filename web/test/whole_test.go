package test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
)

// findCut is a function of the page, in JavaScript, that lists the texts of the stage that aren't
// whole.
//
//go:embed whole.js
var findCut string

// cutTexts are the texts of the stage that aren't whole, once nothing travels.
func (b *tab) cutTexts() []string {
	b.t.Helper()
	return b.measures(findCut)
}

// Every text of the stage is whole in a window of a usual size, alone, presented, and with two
// machines: nothing is cut, nothing lies on a border, and the workqueue is in sight.
func TestTextsAreWhole(t *testing.T) {
	t.Parallel()
	for _, state := range []struct {
		at   string
		keys []string // of the moments that are looked at
	}{
		{"#trace=shop", []string{"Home", "3", "7"}}, {"#library=11-resync", []string{"Home", "5"}}, {"#library=12-expired", []string{"5"}},
		{"#library=17-run-twice-classic", []string{"End"}}, {"#lesson=known-objects", []string{"Home"}},
	} {
		for _, lang := range languages {
			t.Run(state.at+" "+lang, func(t *testing.T) {
				b := open(t, state.at)
				b.loaded()
				b.chooseLanguage(lang)
				b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
				look := func(what string, w, h int64) {
					t.Helper()
					b.size(w, h)
					if cut := b.cutTexts(); len(cut) != 0 {
						t.Errorf("%s at %d×%d:\n  %s", what, w, h, strings.Join(cut, "\n  "))
						b.shot(fmt.Sprintf("%s %s %s %d", state.at[1:], lang, what, w))
					}
				}
				for _, key := range state.keys {
					b.key(key)
					look(key, 1440, 900)
					look(key, 1920, 1080)
					b.key("p")
					b.wait(`document.documentElement.dataset.presenting === 'true'`)
					look(key+", presented", 1440, 900)
					look(key+", presented", 1280, 720)
					b.key("Escape")
					b.wait(`!document.documentElement.dataset.presenting`)
				}
				if state.at != "#trace=shop" {
					return
				}
				b.key("=")
				b.wait(`+document.documentElement.dataset.beside >= 0 && document.querySelector('.beside .station')`)
				for _, key := range state.keys {
					b.key(key)
					look(key+", two machines", 1440, 900)
					look(key+", two machines", 1920, 1080)
				}
			})
		}
	}
}
