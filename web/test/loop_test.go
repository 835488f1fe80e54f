package test

import (
	"slices"
	"strings"
	"testing"
)

// newcomersControls are what somebody who sees the loop can press.
const newcomersControls = `[...document.querySelectorAll('#app :is(button, a[href], select, input)')].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => e.title || e.textContent)`

// whereControls says where each of them is; what the end card has comes with it.
const whereControls = `[...document.querySelectorAll('#app button')].filter((e) => !e.closest('.loop-card')).map((e) => {
	const r = e.getBoundingClientRect();
	return [e.dataset.act, e.className, Math.round(r.x), Math.round(r.y), Math.round(r.width), Math.round(r.height)].join(' ').replace('primary', '');
})`

// loopSays waits until the loop's headline has a text.
func (b *tab) loopSays(text string) {
	b.t.Helper()
	b.wait(`document.querySelector('.loop-says')?.textContent.includes(` + quote(text) + `)`)
}

// A first visit plays the loop once and waits. What is deleted in the cluster differs for as long as the event is under
// way, in red. When the wire is cut until the server forgets, the page counts what that has cost. There are at most twelve
// controls, and none moves meanwhile.
func TestTheLoop(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.asNewcomer("?loop")
			b.loopSays("It looks at a copy, and the copy runs late.")
			was := eval[[]string](b, whereControls)
			still := func(when string) {
				t.Helper()
				if all := eval[[]string](b, newcomersControls); len(all) > 12 {
					t.Errorf("%s there are %d controls: %s", when, len(all), strings.Join(all, ", "))
				}
				for _, is := range eval[[]string](b, whereControls) {
					if !slices.Contains(was, is) {
						t.Errorf("%s a control is where none was: %s\n%s", when, is, strings.Join(was, "\n"))
					}
				}
			}
			b.wait(`document.querySelector('.traveller .chip-U') && document.querySelector('.part-cache [data-wrong]')`)
			still("while the loop plays")
			b.wait(`document.documentElement.dataset.playing === 'false'`)
			if red := eval[int](b, `document.querySelectorAll('[data-differs]').length`); red != 0 {
				t.Errorf("when it waits, %d places differ", red)
			}

			b.click(`.loop-bar [data-act=loopDelete]`)
			b.loopSays("is gone from the cluster. Your code still sees it.")
			b.wait(`document.querySelector('.part-cache [data-wrong]')?.textContent.startsWith('web') && document.querySelector('.part-cluster [data-differs] .vacant')`)
			still("while web differs")
			b.wait(`document.documentElement.dataset.behind !== 'true' && !document.querySelector('[data-differs]')`)
			b.wait(`document.querySelector('.part-code [data-busy]')?.textContent.includes('OnDelete(web)')`)
			b.addressIs("#loop=2")

			b.click(`.on-wire`)
			b.loopSays("and nobody hears it.")
			b.wait(`document.querySelector('.loop-stage').dataset.line === 'cut' && document.querySelector('.loop-cut').checkVisibility({visibilityProperty: true})`)
			still("while the wire is cut")
			b.loopSays("The server has forgotten")
			b.loopSays("This is what the cut cost.")
			b.wait(`document.querySelectorAll('.loop-card .cost li').length === 4 && document.querySelector('.part-code .tomb')`)
			still("at the end")
			b.click(`.loop-card [data-act=loopLink]`)
			b.addressIs("#loop=3")

			b.key("1")
			b.wait(`document.documentElement.dataset.beat === '1' && !document.querySelector('.part-cluster .vacant')`)
			b.key("z")
			b.wait(`document.querySelector('.stage [data-station=queue]')?.textContent.includes('RealFIFO')`)
			b.addressIs("#library=loop")
			b.key("z")
			b.wait(`document.querySelector('.loop-stage')`)
			if complaints := b.complaints(); len(complaints) > 0 {
				t.Errorf("the console says %q", complaints)
			}
		})
	}
}

// A link opens a part of the story, and Back and Next lead to the others. A frame of another page shows it, too.
func TestLinksIntoTheLoop(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("#loop=3")
	b.loopSays("Now cut the wire until the server has forgotten")
	b.click(`.loop-beats [data-arg="2"]`)
	b.loopSays("from the cluster, and watch the copy.")
	b.addressIs("#loop=2")
	b.key("d")
	b.loopSays("is gone from the cluster.")
	b.key("b")
	b.loopSays("The copy is right again. This is what the cut cost.")
	b.click(`.loop-card [data-act=lesson]`)
	b.lessonIs("tombstone", 0)
}

// Whoever wants nothing to move sees the same in the same order, without flights.
func TestTheLoopStandsStill(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("?still")
	b.loopSays("It looks at a copy")
	if b.state("playing") == "true" {
		t.Error("it plays by itself")
	}
	b.key("d")
	b.loopSays("is gone from the cluster.")
	b.wait(`document.querySelector('.traveller').dataset.to === 'watcher'`)
	b.loopSays("The copy is right")
}

// axe-core finds nothing in the loop, at its beginning, while something differs and at its end, in both themes, in windows
// of all sizes, and nothing is cut there.
func TestAxeFindsNothingInTheLoop(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("?axe")
	b.loopSays("It looks at a copy")
	look := func(state string) {
		t.Helper()
		for i, s := range sizes {
			b.media("prefers-color-scheme", []string{"dark", "light"}[i%2], "prefers-reduced-motion", "reduce")
			b.size(s.w, s.h)
			if found := b.violations(); len(found) != 0 {
				t.Errorf("%s, at %d×%d:\n  %s", state, s.w, s.h, strings.Join(found, "\n  "))
			}
			b.fine(state)
		}
	}
	look("the beginning")
	b.key("d")
	b.loopSays("is gone from the cluster.")
	b.key(" ")
	look("a difference")
	b.key(" ")
	b.key("b")
	b.loopSays("This is what the cut cost.")
	look("the end")
}
