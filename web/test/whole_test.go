package test

import (
	_ "embed"
	"fmt"
	"io"
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
		{"#trace=shop", []string{"Home", "3", "7"}}, {"#library=11-resync", []string{"Home", "5"}}, {"#library=12-expired", []string{"5"}}, {"#library=29-two-are-created", []string{"5"}},
		{"#library=17-run-twice-classic", []string{"End"}}, {"#lesson=known-objects", []string{"Home"}},
	} {
		t.Run(state.at, func(t *testing.T) {
			b := open(t, state.at)
			b.media("prefers-reduced-motion", "reduce")
			b.loaded()
			lang := ""
			look := func(what string, w, h int64) {
				t.Helper()
				b.size(w, h)
				if cut := b.cutTexts(); len(cut) != 0 {
					t.Errorf("%s, %s at %d×%d:\n  %s", lang, what, w, h, strings.Join(cut, "\n  "))
					b.shot(fmt.Sprintf("%s %s %s %d", state.at[1:], lang, what, w))
				}
			}
			for _, lang = range languages {
				b.chooseLanguage(lang)
				b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
				for _, key := range state.keys {
					b.key(key)
					look(key, 1440, 900)
					if printed := eval[bool](b, `document.querySelector('.printed').checkVisibility()`); printed == (state.at == "#library=29-two-are-created") {
						t.Errorf("%s, %s at 1440×900: what handlers print is shown: %t", lang, key, printed) // a controller below several informers has its room
					}
					look(key, 1920, 1080)
					b.key("p")
					b.wait(`document.documentElement.dataset.presenting === 'true'`)
					look(key+", presented", 1440, 900)
					look(key+", presented", 1280, 720)
					b.key("Escape")
					b.wait(`!document.documentElement.dataset.presenting`)
				}
				if state.at != "#trace=shop" {
					continue
				}
				b.key("=")
				b.wait(`+document.documentElement.dataset.beside >= 0 && document.querySelector('.beside .station')`)
				for _, key := range state.keys {
					b.key(key)
					look(key+", two machines", 1440, 900)
					look(key+", two machines", 1920, 1080)
				}
				b.key("=")
				b.wait(`!document.documentElement.dataset.beside`)
			}
		})
	}
}

// A large capture without times has the longest row of controls: all of it is in the window, and so
// is how far a slow handler is behind.
func TestMadeUpTimesAreSaidInFull(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.upload(onFile, writeFile(t, "watch.ndjson", func(w io.Writer) { w.Write(watchStream(60_000)) }))
	b.wait(`document.querySelector('.made-up')`)
	b.loaded()
	b.key("7")
	b.stepMoves(0)
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		for _, size := range [][2]int64{{390, 844}, {1366, 768}, {1440, 900}, {1600, 900}, {1920, 1080}} {
			b.size(size[0], size[1])
			faults := b.faults()
			if over := eval[float64](b, `document.querySelector('.made-up').getBoundingClientRect().bottom - document.querySelector('.track').getBoundingClientRect().top`); over > 0 && size[0] == 390 {
				faults = append(faults, fmt.Sprintf("the mark covers %.0f px of the timeline", over))
			}
			if right := eval[float64](b, `innerWidth - document.querySelector('.made-up').getBoundingClientRect().right`); right < 0 {
				faults = append(faults, fmt.Sprintf("the mark is %.0f px out of the window", -right))
			}
			if len(faults) != 0 {
				t.Errorf("%s at %d×%d: %q", lang, size[0], size[1], faults)
				b.shot("made up")
			}
		}
	}
}

// In the console, what a step did has the panel's width, whoever made the step.
func TestTheConsoleHasRoomForFacts(t *testing.T) {
	t.Parallel()
	b := open(t, "#library=17-run-twice-classic")
	b.loaded()
	b.opensTab("console")
	b.wait(`document.querySelectorAll('.transcript .facts').length > 10`)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		b.size(size[0], size[1])
		if narrow := eval[[]string](b, `[...document.querySelectorAll('.transcript .facts')].filter(f => f.clientWidth < .85 * f.closest('li').clientWidth && f.getClientRects().length)
			.map(f => f.parentElement.textContent + ' has ' + f.getBoundingClientRect().width + ' px')`); len(narrow) != 0 {
			t.Errorf("at %d×%d: %q", size[0], size[1], narrow)
		}
	}
}

// In a window of 1280×720, as of a projector, the stage is whole: it doesn't scroll. A listener that is
// as far behind as on a large trace says so in whole.
func TestNothingScrollsOnAProjector(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.size(1280, 720)
	for _, what := range []string{"", "#library=11-resync", "#library=20-rate-limited"} {
		b.goTo(env.site + what)
		b.ready()
		b.loaded()
		b.key("5")
		for _, lang := range languages {
			b.chooseLanguage(lang)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			b.wait(`innerHeight === 720 && document.querySelector('main').clientHeight > 500`)
			if over := eval[float64](b, `(m => m.scrollHeight - m.clientHeight)(document.querySelector('main'))`); over > 0 {
				t.Errorf("%s in %s: %.0f px of the stage are out of sight", what, lang, over)
			}
			cut := eval[float64](b, `(says => {
				const catalogue = {en: '22 343 behind', zh: '落后 22 343'}[document.documentElement.lang.slice(0, 2)];
				says.firstChild.className = 'behind';
				says.firstChild.textContent = catalogue;
				return says.firstChild.getBoundingClientRect().width - says.clientWidth;
			})(document.querySelector('.lane-says'))`)
			if cut > 0 {
				t.Errorf("%s in %s: %.1f px of how far a listener is behind are cut", what, lang, cut)
			}
		}
	}
}
