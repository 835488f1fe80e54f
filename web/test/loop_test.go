package test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// newcomersControls are what somebody who sees the loop can press.
const newcomersControls = `[...document.querySelectorAll('#app :is(button, a[href], select, input)')].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => e.title || e.textContent)`

// whereControls says where each of them is; what the end card has comes with it.
const whereControls = `[...document.querySelectorAll('#app button')].filter((e) => !e.closest('.loop-card')).map((e) => {
	const r = e.getBoundingClientRect();
	return [e.dataset.act, e.className, Math.round(r.x), Math.round(r.y), Math.round(r.width), Math.round(r.height)].join(' ').replace('primary', '');
})`

// headlines keeps what the loop's headline has said, "" where there is no loop, and whether the page has played.
const headlines = `window.__said = [];
new MutationObserver(() => {
	const says = document.querySelector('.loop-says')?.textContent ?? '';
	if (says !== window.__said.last) window.__said.push(window.__said.last = says);
	window.__played ||= document.documentElement.dataset.playing === 'true';
}).observe(document, {subtree: true, childList: true, characterData: true, attributeFilter: ['data-playing']});`

// loopSays waits until the loop's headline has a text, or has had it since it had the text that was waited for last: the story
// goes on meanwhile.
func (b *tab) loopSays(text string) {
	b.t.Helper()
	b.wait(`((has, all) => {
		const at = all.findIndex(has);
		all.splice(0, at + 1);
		return at >= 0 || has(document.querySelector('.loop-says')?.textContent ?? '');
	})((says) => says.includes(` + quote(text) + `), window.__said ?? [])`)
}

// chipsOverTexts has the page note each text that the chip under way lies on while it is painted. What has a layer above the
// chip isn't covered by it.
const chipsOverTexts = `window.overTexts = new Set();
const look = () => {
	const chip = document.querySelector('.traveller .chip')?.getBoundingClientRect();
	const stage = document.querySelector('.loop-stage');
	if (chip?.width && stage && getComputedStyle(stage.querySelector('.traveller')).visibility === 'visible') {
		const texts = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
		for (let t; (t = texts.nextNode());) {
			if (!t.data.trim() || t.parentElement.closest('.traveller, .visually-hidden') || !t.parentElement.checkVisibility({visibilityProperty: true})) continue;
			const above = t.parentElement.closest('.part-cluster, .part-queue, .part-cache, .part-code');
			if (above && Number(getComputedStyle(above).zIndex) > Number(getComputedStyle(stage.querySelector('.traveller')).zIndex)) continue;
			const range = document.createRange();
			range.selectNodeContents(t);
			for (const r of range.getClientRects()) {
				const wide = Math.min(r.right, chip.right) - Math.max(r.left, chip.left), high = Math.min(r.bottom, chip.bottom) - Math.max(r.top, chip.top);
				if (wide > 1 && high > 4) window.overTexts.add(t.data.trim());
			}
		}
	}
	requestAnimationFrame(look);
};
look()`

// A first visit plays the loop once and waits. What is deleted in the cluster differs for as long as the event is under
// way, in red. When the wire is cut until the server forgets, the page counts what that has cost. There are at most twelve
// controls, and none moves meanwhile.
func TestTheLoop(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.preload(`new MutationObserver(() => { window.__late ||= !!document.querySelector('.traveller .chip-U') && !!document.querySelector('.part-cache [data-wrong]') })
				.observe(document, {subtree: true, childList: true, attributes: true})`)
			b.asNewcomer("?loop")
			b.loopSays("It looks at a copy, and the copy runs late.")
			b.run(chipsOverTexts)
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
			b.wait(`window.__late`)
			still("while the loop plays")
			b.wait(`document.documentElement.dataset.playing === 'false'`)
			if red := eval[int](b, `document.querySelectorAll('[data-differs]').length`); red != 0 {
				t.Errorf("when it waits, %d places differ", red)
			}

			b.passes(`document.querySelector('.part-code [data-busy]')?.textContent.includes('OnDelete(web)')`, func() {
				b.passes(`document.querySelector('.part-cache [data-wrong]')?.textContent.startsWith('web') && document.querySelector('.part-cluster [data-differs] .vacant')`, func() {
					b.click(`.loop-bar [data-act=loopDelete]`)
					b.loopSays("is gone from the cluster. Your code still sees it.")
				})
				still("while web differs")
				b.wait(`document.querySelector('main.loop').dataset.behind === 'false' && !document.querySelector('[data-differs]')`)
			})
			b.addressIs("#loop=2")

			b.passes(`document.querySelector('.loop-stage').dataset.line === 'cut' && document.querySelector('.loop-cut').checkVisibility({visibilityProperty: true})`, func() {
				b.click(`.on-wire`)
				b.loopSays("and nobody hears it.")
			})
			still("while the wire is cut")
			b.loopSays("The server has forgotten the deletion.")
			b.loopSays("This is what the cut cost.")
			b.wait(`document.querySelectorAll('.loop-card .cost li').length === 4 && document.querySelector('.part-code .tomb')`)
			still("at the end")
			b.click(`.loop-card [data-act=loopLink]`)
			b.addressIs("#loop=3")

			if covered := eval[[]string](b, `[...window.overTexts]`); len(covered) > 0 {
				t.Errorf("what was under way has covered %q", covered)
			}

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

// pulls sets the slider as a hand does that still holds it.
func (b *tab) pulls(ms string) {
	b.t.Helper()
	b.run(`const s = document.querySelector('.slow input'); s.value = ` + ms + `; s.dispatchEvent(new Event('input', {bubbles: true}))`)
}

// The fourth part asks whether a slow handler holds up the others. The machine judges the answer, and then a slider says how
// long the handler takes while the objects change. The fifth part leads on: to a lesson, to a way through the course, to a
// capture.
func TestTheLoopAsks(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.asNewcomer("#loop=4")
			b.loopSays("Does it hold up the others?")
			b.wait(`document.documentElement.dataset.playing === 'false' && document.querySelectorAll('.way-on').length === 3 && document.querySelector('.slow input').disabled`)
			few := func(when string) {
				t.Helper()
				if all := eval[[]string](b, newcomersControls); len(all) > 12 {
					t.Errorf("%s there are %d controls: %s", when, len(all), strings.Join(all, ", "))
				}
			}
			few("at the question")
			b.click(`.way-on[data-arg="1"]`)
			b.loopSays("Watch the copy, and your code.")
			b.loopSays("The machine did something else.")
			b.wait(`document.querySelector('.you-said').textContent.includes('the copy gets late') && document.querySelectorAll('.loop-card .cost li').length === 3`)
			if told := eval[string](b, `[...document.querySelectorAll('.loop-card .n')].map((e) => e.textContent).join(', ')`); told != "0.0 s, 2.0 s, 3" {
				t.Errorf("the machine says %s", told)
			}
			few("at the verdict")
			b.pulls("900")
			b.loopSays("pile up for your code")
			b.pulls("0")
			b.loopSays("Your code keeps up")
			few("with the slider")
			b.key(" ")
			b.addressIs("#loop=4")

			b.click(`.loop-beats [data-arg="5"]`)
			b.loopSays("What brings you here?")
			b.wait(`document.querySelectorAll('.way-on').length === 4`)
			few("at the doors")
			b.click(`.way-on[data-act=path]`)
			b.lessonIs("whole-loop", 0)
			b.addressIs("#lesson=whole-loop&path=debug")
			b.run(`history.back()`)
			b.loopSays("What brings you here?")
			if complaints := b.complaints(); len(complaints) > 0 {
				t.Errorf("the console says %q", complaints)
			}
		})
	}
}

// On a phone the ring is a map, and one part is large. There are at most twelve controls, one bar, and nothing that is
// too small for a finger. Nothing is wider than a small phone, in either language.
func TestTheLoopOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	at := ""
	look := func(when string) {
		t.Helper()
		when = at + " " + when
		if wide := eval[int64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s %d px are beyond the right edge", when, wide)
		}
		if all := eval[[]string](b, newcomersControls); len(all) > 12 {
			t.Errorf("%s there are %d controls: %s", when, len(all), strings.Join(all, ", "))
		}
		if small := eval[[]string](b, `[...document.querySelectorAll('#app :is(button, input)')].filter((e) => e.checkVisibility({visibilityProperty: true})).filter((e) => {
			const r = e.getBoundingClientRect();
			return r.width < 44 || r.height < 44;
		}).map((e) => e.title || e.textContent)`); len(small) > 0 {
			t.Errorf("%s these are small: %s", when, strings.Join(small, ", "))
		}
		if bar := eval[float64](b, `document.querySelector('.loop-bar').getBoundingClientRect().height`); bar > 120 {
			t.Errorf("%s the bar is %v px high", when, bar)
		}
		if !eval[bool](b, `document.querySelector('.loop-top [data-act=lang]').checkVisibility() && document.querySelector('.loop-bar').getBoundingClientRect().bottom <= innerHeight`) {
			t.Errorf("%s the language or the bar is out of sight", when)
		}
		b.fine(when)
	}
	for _, phone := range []struct {
		w, h int64
		lang string
	}{{390, 844, "en"}, {360, 640, "en"}, {360, 640, "zh"}} {
		at = fmt.Sprintf("%s at %d×%d", phone.lang, phone.w, phone.h)
		b.size(phone.w, phone.h)
		b.asNewcomer("?phone-" + phone.lang + num(phone.h) + "#loop=2&lang=" + phone.lang)
		b.wait(`document.documentElement.dataset.beat === '2' && document.documentElement.dataset.playing === 'false' && !document.querySelector('.loop-bar [data-act=loopDelete]').disabled`)
		look("at the beginning")
		for _, part := range []string{"watcher", "queue", "code"} {
			b.click(`.place-` + part)
			b.wait(`document.querySelector('.part-` + part + `').checkVisibility() && !document.querySelector('.part-cluster').checkVisibility()`)
			look("with " + part)
		}
		b.run(`document.querySelector('.at-cache').click()`)
		b.wait(`document.querySelector('.part-cluster').checkVisibility()`)
		b.click(`.loop-bar [data-act=loopDelete]`)
		b.wait(`document.querySelector('main.loop').dataset.behind === 'true'`)
		look("while web differs")
		for _, beat := range []string{"3", "4", "5"} {
			b.click(`.loop-beats [data-arg="` + beat + `"]`)
			b.wait(`document.documentElement.dataset.beat === ` + quote(beat))
			look("part " + beat)
			if beat == "3" {
				b.wait(`document.querySelector('.line-of')`)
				b.click(`.line-of`)
				b.wait(`document.querySelector('.loop-stage').dataset.line === 'cut'`)
			}
		}
	}
}

// A link opens a part of the story, and Back and Next lead to the others. A frame of another page shows it, too.
func TestLinksIntoTheLoop(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("#loop=3")
	b.loopSays("Now cut the wire until the server has forgotten")
	b.click(`.loop-beats [data-arg="2"]`)
	b.loopSays("Delete web from the cluster, and watch the copy.")
	b.addressIs("#loop=2")
	b.key("d")
	b.loopSays("is gone from the cluster.")
	b.wait(`document.querySelector('.line-of')`)
	b.click(`.line-of`)
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
	b.passes(`document.querySelector('.traveller').dataset.to === 'watcher'`, func() {
		b.key("d")
		b.loopSays("is gone from the cluster.")
	})
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
	b.key("4")
	b.loopSays("Does it hold up the others?")
	look("the question")
	b.click(`.way-on[data-arg="2"]`)
	b.loopSays("You were right.")
	look("the verdict")
	b.key("5")
	b.loopSays("What brings you here?")
	look("the doors")
}

// crowded is a function of the page, in JavaScript, that lists the headlines of the loop that have no room, and the controls
// that lie on one another.
const crowded = `() => {
	const says = document.querySelector('.loop-says'), was = [...says.childNodes], faults = [];
	for (const text of HEADLINES) {
		says.textContent = text.replace(/{\\w+}/g, 'web');
		if (says.scrollHeight > says.clientHeight + 1) faults.push(says.scrollHeight + ' px, and room for ' + says.clientHeight + ': ' + text);
	}
	says.replaceChildren(...was);
	const all = [...document.querySelectorAll('.loop-bar > *, .loop-beats > *, .loop-note, .on-wire, .loop-top .button, .brand, .part-says, .figure b')].filter((e) => e.checkVisibility());
	all.forEach((e, i) => {
		const a = e.getBoundingClientRect();
		for (const other of all.slice(i + 1)) {
			const b = other.getBoundingClientRect();
			if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) faults.push(e.textContent + ' lies on ' + other.textContent);
		}
	});
	const [heard, behind] = ['.part-watcher .part-says', '.figure b'].map((at) => document.querySelector(at)?.getBoundingClientRect());
	if (heard?.width && behind && behind.left - heard.right < 8 && behind.top < heard.bottom - 4) faults.push('the figure stands ' + (behind.left - heard.right) + ' px beside what the watcher says');
	const eye = document.querySelector('.eye').getBoundingClientRect(), chip = document.querySelector('.traveller[data-to=watcher] .chip')?.getBoundingClientRect();
	if (eye.width && chip && chip.right > eye.left) faults.push('the chip covers the eye');
	const code = document.querySelector('.part-code').getBoundingClientRect(), told = document.querySelector('.traveller[data-to=code] .chip')?.getBoundingClientRect();
	if (innerWidth > 1180 && told && told.left < code.right) faults.push('the code covers ' + (code.right - told.left) + ' px of the chip');
	return faults;
}`

// Each headline has room in each language and size, controls stay apart, and what has come to the watcher stops before its
// eye, and what has come to the code beside it.
func TestTheLoopHasRoom(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	for _, lang := range languages {
		file, err := os.ReadFile("../locales/" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var catalogue map[string]string
		if err := json.Unmarshal(file, &catalogue); err != nil {
			t.Fatal(err)
		}
		var headlines []string
		for id, text := range catalogue {
			if strings.HasPrefix(id, "loop.says.") {
				headlines = append(headlines, text)
			}
		}
		texts, err := json.Marshal(headlines)
		if err != nil {
			t.Fatal(err)
		}
		b.asNewcomer("?room#lang=" + lang)
		look := func(state string) {
			t.Helper()
			for _, s := range append(sizes, struct{ w, h int64 }{1280, 720}, struct{ w, h int64 }{360, 640}) {
				b.size(s.w, s.h)
				if faults := b.measures(strings.Replace(crowded, "HEADLINES", string(texts), 1)); len(faults) > 0 {
					t.Errorf("%s, %s, at %d×%d:\n  %s", lang, state, s.w, s.h, strings.Join(faults, "\n  "))
				}
			}
		}
		b.wait(`document.querySelector('.loop-stage')`)
		look("the beginning")
		b.passes(`document.querySelector('.traveller[data-to=watcher] .chip') && (document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true})), true)`, func() { b.key("d") })
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		look("what comes to the watcher")
		b.passes(`document.querySelector('.traveller[data-to=code] .chip') && (document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true})), true)`, func() { b.key(" ") })
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		look("what comes to the code")
		b.key("3")
		b.wait(`document.documentElement.dataset.beat === '3' && document.documentElement.dataset.playing === 'false'`)
		b.passes(`document.querySelector('.backoff') && (document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true})), true)`, func() { b.key("b") })
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		look("the cut wire")
		b.key("4")
		b.wait(`document.querySelectorAll('.way-on').length === 3`)
		look("the question")
	}
}

// work returns how many times the browser has computed layout and styles.
func (b *tab) work() (layouts, styles int) {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, performance.GetMetrics, chromedp.Void{})
	b.check(err)
	for _, m := range result.Metrics {
		switch m.Name {
		case "LayoutCount":
			layouts = int(m.Value)
		case "RecalcStyleCount":
			styles = int(m.Value)
		}
	}
	return layouts, styles
}

// frames has the page paint so many frames, and returns how often something of the loop has changed beside what is under way,
// and which properties were animated meanwhile.
const frames = `(async (n) => {
	let changes = 0;
	const animated = new Set();
	const watch = new MutationObserver((all) => { if (all.some((m) => !m.target.closest?.('.loop-trail, .traveller'))) changes++ });
	watch.observe(document.querySelector('.loop'), {subtree: true, childList: true, characterData: true, attributes: true});
	for (let i = 0; i < n; i++) {
		await new Promise(requestAnimationFrame);
		for (const a of document.getAnimations()) for (const k of a.effect.getKeyframes()) for (const p of Object.keys(k)) animated.add(p);
	}
	watch.disconnect();
	return {changes, animated: [...animated].filter((p) => !['offset', 'computedOffset', 'easing', 'composite'].includes(p))};
})`

// While something is under way, a frame computes no layout unless a text changes, and styles once. What is animated moves
// nothing else. While the loop waits, nothing is computed at all.
func TestAFrameOfTheLoopIsCheap(t *testing.T) {
	b := newTab(t)
	b.asNewcomer("#loop=2")
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	b.faults() // waits until nothing fades
	_, err := chromedp.Call(b.ctx, performance.Enable, performance.EnableParams{})
	b.check(err)
	type seen struct {
		Changes  int
		Animated []string
	}
	count := func(n int) (layouts, styles int, s seen) {
		t.Helper()
		l, st := b.work()
		s = eval[seen](b, frames+`(`+num(int64(n))+`)`)
		layouts, styles = b.work()
		return layouts - l, styles - st, s
	}
	if layouts, styles, s := count(60); layouts+styles+s.Changes != 0 {
		t.Errorf("at rest there are %d layouts, %d computations of styles and %d changes", layouts, styles, s.Changes)
	}
	b.passes(`document.querySelector('.traveller[data-to=watcher] .chip')`, func() { b.key("d") })
	const n, slack = 150, 4 // a change may come while the page is painted, and then counts twice
	layouts, styles, s := count(n)
	t.Logf("%d frames: %d layouts, %d computations of styles, %d changes, animated: %v", n, layouts, styles, s.Changes, s.Animated)
	if layouts > 2*s.Changes+slack || styles > n+2*s.Changes+slack || s.Changes > n/2 {
		t.Errorf("in %d frames there are %d layouts and %d computations of styles for %d changes", n, layouts, styles, s.Changes)
	}
	for _, p := range s.Animated {
		if !slices.Contains([]string{"transform", "opacity", "outlineColor"}, p) {
			t.Errorf("%s is animated", p)
		}
	}
}
