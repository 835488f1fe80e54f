package test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// lessonOfAllKinds is a lesson with values to choose, a comparison, an exercise, a hint
// and a solution.
const lessonOfAllKinds = `---
minutes: 5
---

# Mine

A lesson of my own.

` + "```script\nprofile classic\ninformer pods\nhandler audit takes=20ms\nexists pod a/x\ncreate pod a/y\nrun\n```" + `

Slower.

` + "```control\nhandler audit takes={0s 20ms 3s}\n```" + `

` + "```compare\nprofile current\nexpect calls audit 2\n```" + `

Lose the other one.

` + "```exercise\nexpect store [a/x@1]\n```" + `

> [!TIP]
> Delete it at the server.

` + "```solution\ndelete pod a/y\nrun\n```" + `
`

// opensAll opens what is beside the stage, over it and above the timeline, one after the
// other, and calls look in each state. The bundled recording is open before, and a
// lesson and a notice after.
func (b *tab) opensAll(look func(state string)) {
	b.t.Helper()
	closes := func() {
		b.key("Escape")
		b.wait(`!document.querySelector('dialog[open]')`)
	}
	b.run(`document.activeElement.blur()`)
	b.run(`document.querySelector('[data-act=help]').click()`)
	b.wait(`document.querySelector('[data-act=editKeys]')`)
	b.run(`document.querySelector('[data-act=editKeys]').click()`)
	b.wait(`document.querySelector('[data-act=addKey]')`)
	look("the keys while they can be changed")
	b.run(`document.querySelector('.dialog-foot [data-act=palette]').click()`)
	b.wait(`document.querySelectorAll('.offer').length > 30`)
	look("the palette")
	closes()
	b.run(`document.activeElement.blur()`)
	b.key("g")
	b.wait(`document.documentElement.dataset.dialog === 'goTo' && document.querySelector('.found-key')`)
	look("the dialog that goes to a key")
	closes()

	b.run(`document.querySelector('[data-act=inspectIndex]').click()`)
	b.wait(`document.querySelector('.answer-rows li')`)
	look("an answer of the indexer")

	b.run(`document.querySelector('.tile').focus({preventScroll: true})`)
	b.key("y")
	b.wait(`document.querySelectorAll('.chain-part').length > 1 && document.querySelector('.spent')`)
	look("a chain of causes")

	b.run(`document.activeElement.blur()`)
	b.key("C")
	b.wait(`document.querySelector('#code[data-state=shown] .code-line[aria-current]')`)
	look("the source")
	b.key("C")
	b.wait(`!document.getElementById('code')`)

	b.run(`document.activeElement.blur()`)
	b.key("h")
	b.wait(`document.querySelectorAll('.course-list button').length > 30`)
	look("the course")
	b.run(`document.querySelector('.course-list [data-arg="delta-fifo"]').click()`)
	b.stopIs(0)
	b.wait(`document.documentElement.dataset.covered === 'true' && document.querySelectorAll('.option').length === 3`)
	look("an open question")
	b.key("3")
	b.wait(`document.querySelector('.option[data-wrong]') && !document.documentElement.dataset.covered`)
	look("an answered question")
	b.key("j")
	b.stopIs(1)
	b.key("c")
	b.write("queue add other")
	b.wait(futures + `.endsWith(' | [queue add other]')`)
	look("two futures")
	b.run(`document.querySelector('#tab-lesson').click()`)
	b.wait(`document.querySelector('.lesson-off')`)
	look("a lesson that was left")

	b.choose([]byte(lessonOfAllKinds), "mine.md")
	b.wait(`document.documentElement.dataset.lesson === 'mine'`)
	b.stopIs(0)
	b.run(`document.querySelector('[data-act=check]').click()`)
	b.wait(`document.querySelector('.lesson-exercise [role=status]')`)
	for _, until := range []string{`.lesson-hint`, `[data-act=solve]`} {
		b.run(`document.querySelector('[data-act=hint]').click()`)
		b.wait(`document.querySelector('` + until + `')`)
	}
	look("an exercise")

	b.opensScript("30-guard-consistency")
	b.goUntil(`document.querySelector('.gate[data-shut] .unseen')`)
	look("a controller that waits")

	damaged := filepath.Join(b.t.TempDir(), "damaged.ndjson")
	b.check(os.WriteFile(damaged, append(watchStream(4), "{\"type\":\n"...), 0o600))
	b.upload(onFile, damaged)
	b.opened("damaged.ndjson")
	b.wait(`document.querySelector('.notice [data-act=notice]')`)
	look("a notice")
}

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

// axe-core finds nothing on the home and at a question of a lesson, in windows of all sizes, in both themes and languages,
// and with the lesson's stations alone or all of them. Each size is tried with either of these, and each pair somewhere;
// make browser-all tries every combination.
func TestAxeFindsNothingInAnySize(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	stages := []bool{false}
	for _, state := range []string{"the home", "a question"} {
		b.size(1440, 900)
		if state == "the home" {
			b.key("3") // a station is at work
			b.stepMoves(0)
		} else {
			b.run(`location.hash = '#lesson=delta-fifo&at=added'`)
			b.lessonIs("delta-fifo", 0)
			stages = []bool{true, false}
		}
		for i, s := range sizes {
			for j, theme := range []string{"dark", "light"} {
				for k, lang := range languages {
					for l, alone := range stages {
						if !*whole && ((i+j+k)%2 != 0 || (i/2+k+l)%2 != 0) {
							continue
						}
						b.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
						b.size(s.w, s.h)
						b.run(`const list = document.querySelector('[data-act=lang]'); list.value = ` + quote(lang) + `; list.dispatchEvent(new Event('change', {bubbles: true}))`)
						b.wait(`document.documentElement.lang.startsWith('` + lang + `') && document.documentElement.dataset.loading !== 'true'`)
						if state == "a question" {
							b.ofLesson(alone)
							b.wait(`document.querySelectorAll('.lesson-stop[data-now] .option:enabled').length === 3`)
						}
						if found := b.violations(); len(found) != 0 {
							t.Errorf("%s, %s, %s, alone %t, at %d×%d:\n  %s", state, theme, lang, alone, s.w, s.h, strings.Join(found, "\n  "))
							b.shot(fmt.Sprintf("%s %s %s %t %d", state, theme, lang, alone, s.w))
						}
					}
				}
			}
		}
	}
}

// unproven are the texts for which axe-core can't tell the contrast, since something lies behind or
// across them: their letters' boxes in the window, and how much contrast they need.
type unproven struct {
	Text          string
	Left, Top     float64
	Width, Height float64
	Needs         float64
}

// findUnproven lists them. A text that is cut counts with the part that is seen, and one that is
// wholly out of sight, or can't be used now, doesn't count.
const findUnproven = `axe.run(document, {runOnly: ['color-contrast'], resultTypes: ['incomplete'], iframes: false}).then(r => r.incomplete.flatMap(v => v.nodes).flatMap(({target}) => {
	const e = document.querySelector(target.at(-1)), out = [];
	if (!e || e.closest(':disabled, .aside, [aria-hidden=true], option, select')) return out;
	const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		if (n.parentElement !== e || !n.textContent.trim()) continue;
		const range = document.createRange(), style = getComputedStyle(e), size = parseFloat(style.fontSize);
		range.selectNodeContents(n);
		const r = range.getClientRects()[0];
		if (!r) continue;
		let [left, top, right, bottom] = [r.left, r.top, r.right, r.bottom];
		for (let p = e; p; p = p.parentElement) {
			if (getComputedStyle(p).overflow === 'visible') continue;
			const box = p.getBoundingClientRect();
			[left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
		}
		const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		if (right - left < 6 || bottom - top < 8 || !middle || !(e.contains(middle) || middle.contains(e))) continue;
		out.push({Text: n.textContent.trim().slice(0, 40) + ' of ' + (e.className || e.localName), Left: left, Top: top, Width: right - left, Height: bottom - top,
			Needs: size >= 24 || size >= 18.66 && +style.fontWeight >= 700 ? 3 : 4.5});
	}
	return out;
}))`

// luminance is a colour's, as WCAG defines it.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*linear(r) + .7152*linear(g) + .0722*linear(b)
}

// contrast is the largest one between the ground of a part of a picture, which is the colour that most
// of its pixels have, and any other pixel. Letters are drawn with soft edges, so their ink has at
// least that contrast.
func contrast(m image.Image, r image.Rectangle) float64 {
	count := map[color.Color]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			count[m.At(x, y)]++
		}
	}
	var ground color.Color = color.White
	for c, n := range count {
		if n > count[ground] {
			ground = c
		}
	}
	most, at := 1.0, luminance(ground)
	for c := range count {
		l := luminance(c)
		most = max(most, (max(l, at)+.05)/(min(l, at)+.05))
	}
	return most
}

// faint returns the texts whose contrast axe-core can't tell and whose pixels don't have it.
func (b *tab) faint() (texts []string, looked int) {
	b.t.Helper()
	b.violations() // loads axe-core, and waits until nothing fades
	all := eval[[]unproven](b, findUnproven)
	const scale = 3
	shot, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{
		Width: eval[float64](b, `innerWidth`), Height: eval[float64](b, `innerHeight`), Scale: scale}})
	b.check(err)
	m, err := png.Decode(bytes.NewReader(shot.Data))
	b.check(err)
	for _, u := range all {
		r := image.Rect(int(u.Left*scale), int(u.Top*scale), int((u.Left+u.Width)*scale), int((u.Top+u.Height)*scale)).Intersect(m.Bounds())
		if r.Empty() {
			continue
		}
		looked++
		if c := contrast(m, r); c < u.Needs {
			texts = append(texts, fmt.Sprintf("%s has a contrast of %.2f, and needs %.1f", u.Text, c, u.Needs))
		}
	}
	return texts, looked
}

// Where axe-core can't tell the contrast of a text, the pixels have it.
func TestContrastIsProven(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"dark", "light"} {
		t.Run(theme, func(t *testing.T) {
			b := open(t)
			b.media("prefers-color-scheme", theme)
			b.loaded()
			looked := 0
			look := func(state string) {
				t.Helper()
				faint, n := b.faint()
				if looked += n; len(faint) != 0 {
					t.Errorf("%s:\n  %s", state, strings.Join(faint, "\n  "))
					b.shot("faint " + theme + " " + state)
				}
			}
			look("first step")
			for _, key := range []string{"3", "7", "9"} {
				at := b.step()
				b.key(key)
				b.stepMoves(at)
				look(key)
			}
			for _, tab := range []string{"actors", "gestures", "console", "setup", "compare", "search"} {
				b.opensTab(tab)
				look(tab)
			}
			if looked < 100 {
				t.Errorf("only %d texts were looked at", looked)
			}
		})
	}
}
