package test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// axeCore is axe-core, which make installs with the linters.
const axeCore = "../../build/lint/node_modules/axe-core/axe.min.js"

// violations returns what axe-core finds wrong with the page as it is now.
func (b *tab) violations() []string {
	b.t.Helper()
	if !eval[bool](b, `'axe' in window`) {
		script, err := os.ReadFile(axeCore)
		if err != nil {
			b.t.Fatalf("%v\nmake build/lint/installed fetches it", err)
		}
		b.run(string(script) + "; axe.configure({allowedOrigins: ['<same_origin>']})")
	}
	// What fades or travels has no colour of its own.
	b.run(`for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		await Promise.all(document.getAnimations().filter(a => a.effect.getComputedTiming().endTime < 2000).map(a => a.finished.catch(() => {})))`)
	return eval[[]string](b, `axe.run(document, {resultTypes: ['violations'], iframes: false, preload: false, rules: {'target-size': {enabled: true}}}).then(r => r.violations.flatMap(v =>
		v.nodes.map(n => v.id + ': ' + n.target.join(' ') + ' ' + n.html.slice(0, 120) + ' ' + [...n.any, ...n.all, ...n.none].map(c => c.message).join('; ').slice(0, 200))))`)
}

// axe-core finds nothing in any state of the page, in either theme and language.
func TestAxeFindsNothing(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	outer := b.t
	defer func() { b.t = outer }()
	check := func(t *testing.T, state string) {
		t.Helper()
		if found := b.violations(); len(found) != 0 {
			t.Errorf("%s:\n  %s", state, strings.Join(found, "\n  "))
		}
	}
	states := func(t *testing.T, combination int) {
		check := func(t *testing.T, state string) {
			t.Helper()
			if tried(state, combination) {
				check(t, state)
			}
		}
		b.click(`[data-act=start]`)
		b.stepIs(0)
		check(t, "first step")
		b.key("3")
		b.stepMoves(0)
		for _, tab := range []string{"actors", "gestures", "console", "setup", "search", "why", "cache", "object", "explain"} {
			b.opensTab(tab)
			check(t, "tab "+tab)
		}
		b.inspect()
		check(t, "an object")
		b.run(`document.querySelector('[data-act=inspectIndex]').click()`)
		b.wait(`document.querySelector('.answer-rows li')`)
		check(t, "an answer of the indexer")
		b.run(`document.querySelector('[data-station=server] [data-act=menu]').click()`)
		b.wait(`document.querySelector('.menu-list')`)
		check(t, "a menu")
		b.key("Escape")
		for _, dialog := range []string{"help", "about", "scripts", "live", "save", "link"} {
			b.opensDialog(dialog)
			b.wait(`document.querySelector('dialog[open]')`)
			check(t, "dialog "+dialog)
			if dialog == "save" {
				b.chooses(`[data-act=saveAs]`, "gif")
				check(t, "dialog save, a film")
				b.chooses(`[data-act=saveAs]`, "file")
			}
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]')`)
		}
	}
	b.goTo(env.site + "embed.html")
	b.wait(`document.getElementById('start')`)
	check(t, "the picture of a frame")
	b.goTo(env.site)
	b.ready()
	b.loaded()
	b.allow("404") // no cluster is beside the page
	for i, theme := range []string{"dark", "light"} {
		for j, lang := range languages {
			t.Run(theme+" "+lang, func(t *testing.T) {
				b.t = t
				b.media("prefers-color-scheme", theme)
				b.chooseLanguage(lang)
				b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
				states(t, i+j)
			})
		}
	}
	b.t = outer
	b.opensTab("explain") // a field that has scrolled halfway below the buttons would count as too small
	for _, s := range []struct{ w, h int64 }{{390, 844}, {360, 225}} {
		b.size(s.w, s.h)
		check(t, fmt.Sprintf("%d×%d", s.w, s.h))
	}
	b.size(1440, 900)
}

// axe-core finds nothing in what is beside the stage, over it and above the timeline,
// on a laptop and on a phone.
func TestAxeFindsNothingInEachState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		theme, lang string
		w, h        int64
	}{{"dark", "en", 1440, 900}, {"light", "zh", 1440, 900}, {"light", "en", 390, 844}} {
		t.Run(fmt.Sprintf("%s %s %d×%d", c.theme, c.lang, c.w, c.h), func(t *testing.T) {
			b := open(t)
			b.loaded()
			b.size(c.w, c.h)
			b.media("prefers-color-scheme", c.theme)
			b.chooseLanguage(c.lang)
			b.wait(`document.documentElement.lang.startsWith('` + c.lang + `')`)
			b.key("3")
			b.stepMoves(0)
			b.opensAll(func(state string) {
				t.Helper()
				if found := b.violations(); len(found) != 0 {
					t.Errorf("%s:\n  %s", state, strings.Join(found, "\n  "))
				}
			})
		})
	}
}

// axe-core finds nothing on the home and at a question of a lesson, plain and full, in windows of all sizes, in both
// themes and languages. Each size is tried with either theme, language and density, and each pair of these somewhere;
// make browser-all tries every combination.
func TestAxeFindsNothingInAnySize(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for _, state := range []string{"the home", "a question"} {
		b.size(1440, 900)
		if state == "the home" {
			b.key("3") // a station is at work
			b.stepMoves(0)
		} else {
			b.run(`location.hash = '#lesson=delta-fifo&at=added'`)
			b.lessonIs("delta-fifo", 1)
		}
		for i, s := range sizes {
			for j, theme := range []string{"dark", "light"} {
				for k, lang := range languages {
					for l, density := range []string{"plain", "full"} {
						if !*whole && ((i+j+k)%2 != 0 || (i/2+k+l)%2 != 0) {
							continue
						}
						b.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
						b.size(s.w, s.h)
						b.run(`const list = document.querySelector('[data-act=lang]'); list.value = ` + quote(lang) + `; list.dispatchEvent(new Event('change', {bubbles: true}))`)
						b.wait(`document.documentElement.lang.startsWith('` + lang + `') && document.documentElement.dataset.loading !== 'true'`)
						b.becomes(density)
						if state == "a question" {
							b.wait(`document.querySelectorAll('.lesson-stop[data-now] .option:enabled').length === 3`)
						}
						if found := b.violations(); len(found) != 0 {
							t.Errorf("%s, %s, %s, %s, at %d×%d:\n  %s", state, theme, lang, density, s.w, s.h, strings.Join(found, "\n  "))
							b.shot(fmt.Sprintf("%s %s %s %s %d", state, theme, lang, density, s.w))
						}
					}
				}
			}
		}
	}
}
