package test

import (
	"strconv"
	"strings"
	"testing"
)

// A lesson fills the screen for a room: the stage with large type, what happens as a
// caption under it, the question there too, and nothing else. The stage keeps its size.
func TestPresentingALesson(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=delta-fifo")
	b.size(1920, 1080)
	b.lessonIs("delta-fifo", 0)
	size := func() float64 {
		return eval[float64](b, `parseFloat(getComputedStyle(document.querySelector('.st-queue h2')).fontSize)`)
	}
	stage := func() []float64 {
		return eval[[]float64](b, `(r => [r.width, r.height])(document.querySelector('.stage').getBoundingClientRect())`)
	}
	usual := size()
	b.click(`.lesson-head [data-act=present]`)
	b.wait(`document.documentElement.dataset.presenting === 'true' && document.querySelector('.caption')`)
	if large := size(); large < 1.4*usual {
		t.Errorf("the type has %.1f px instead of %.1f px", large, usual)
	}
	first := stage()
	if first[0] != 1920 || first[1] < 880 {
		t.Errorf("the stage has %v px of 1920×1080", first)
	}
	for _, gone := range []string{".top", ".inspector", ".transport"} {
		if eval[bool](b, `document.querySelector('`+gone+`').checkVisibility()`) {
			t.Errorf("%s is still on the screen", gone)
		}
	}
	b.wait(`document.querySelectorAll('.caption .option').length === 3`)
	b.key("2")
	b.wait(`document.querySelector('.caption .option[data-right]') && document.querySelector('.caption .verdict-text')`)
	b.shot("presented")
	b.key("j")
	b.stopIs(1)
	b.wait(`!document.querySelector('.caption .option') && document.querySelector('.caption-says').textContent.length > 10`)
	if now := stage(); now[0] != first[0] || now[1] != first[1] {
		t.Errorf("the stage had %v px and has %v px", first, now)
	}
	b.key(".")
	b.wait(`getComputedStyle(document.querySelector('.page'), '::after').backgroundColor === 'rgb(0, 0, 0)'`)
	b.key("k")
	b.wait(`!document.documentElement.dataset.blank`)
	b.stopIs(1)
	b.key("k")
	b.stopIs(0)
	b.key("Escape")
	b.wait(`!document.documentElement.dataset.presenting && !document.querySelector('.caption') && document.querySelector('.inspector').checkVisibility()`)
	b.addressIs("#lesson=delta-fifo")
}

// Before a room, a question and what is said of a wrong answer cover nothing that the lesson's stations say, on the smallest
// projectors, too. The options of the one lesson are short, and the other's take two lines each.
func TestAQuestionCoversNothingThatIsSaid(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("?projector")
	for _, lesson := range []string{"workqueue", "gone"} {
		b.size(1440, 900)
		b.goTo(env.site + "?" + lesson + "#lesson=" + lesson)
		b.ready()
		b.lessonIs(lesson, 0)
		b.loaded()
		b.click(`.lesson-head [data-act=present]`)
		b.wait(`document.querySelector('.caption')`)
		b.wait(`document.querySelector('.caption .option:enabled')`)
		for _, answered := range []bool{false, true} {
			if answered {
				b.key("1")
				b.wait(`document.querySelector('.caption .option[data-wrong]') && document.querySelector('.caption .lesson-because')`)
			}
			for _, s := range []struct{ w, h int64 }{{1920, 1080}, {1280, 720}, {1024, 768}} {
				b.size(s.w, s.h)
				b.wait(`innerWidth === ` + num(s.w) + ` && innerHeight === ` + num(s.h))
				if covered := eval[[]string](b, `((top) => [...document.querySelectorAll('main .station:not(.aside) *')].filter((e) => e.checkVisibility({visibilityProperty: true}) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.getBoundingClientRect().bottom > top + 1).map((e) => e.textContent))(document.querySelector('.caption').getBoundingClientRect().top)`); len(covered) != 0 {
					t.Errorf("%s at %d×%d, answered: %t, covers %q", lesson, s.w, s.h, answered, covered)
					b.shot(lesson + " covers")
				}
			}
		}
		b.key("Escape")
	}
}

// The room's votes are typed as they come: the first field is ready to be overwritten, and Tab leads
// from field to field. Whatever is typed beside a field answers nothing. At a moment that has no
// question, the room reads what the lesson says.
func TestVotesAreTyped(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=delta-fifo")
	b.size(1280, 720)
	b.lessonIs("delta-fifo", 0)
	b.click(`.lesson-head [data-act=present]`)
	b.wait(`document.querySelector('.caption')`)
	b.key("v")
	b.wait(`document.activeElement.matches('.caption .vote')`)
	for _, n := range []string{"7", "1", "4"} {
		b.key(n)
		b.key("Tab")
	}
	b.wait(`[...document.querySelectorAll('.caption .vote')].map(e => e.value).join() === '7,1,4'`)
	b.run(`document.querySelector('.caption .vote').focus()`) // a letter is no part of a number
	b.key("s")
	b.wait(`document.querySelector('.station.spot') && document.activeElement.matches('.caption .vote')`)
	b.key("Escape")
	b.wait(`!document.querySelector('.station.spot') && document.documentElement.dataset.presenting`)
	b.run(`document.activeElement.blur()`)
	b.key("2")
	b.key("j")
	b.wait(`document.querySelector('.caption .lesson-covered[data-urged=true]').checkVisibility()`)
	if eval[bool](b, `document.querySelector('.caption .verdict-text') !== null`) {
		t.Fatal("the question is answered before the room has voted")
	}
	b.shot("typed")
	b.click(`.caption-foot [data-act=answer]`)
	b.wait(`[...document.querySelectorAll('.caption .vote-bar')].map(e => e.innerText.split(' ')[0]).join() === '7,1,4'`)
	b.key("j")
	b.stopIs(1)
	said := `document.querySelector('.caption-says').innerText`
	b.wait(said + `.includes('takes the first key out of')`)
	b.key("ArrowLeft")
	b.wait(`!` + said + `.includes('takes the first key out of')`)
}

// The speaker has a second window: with the paragraph, what comes next, the notes and the time.
// What the speaker does there is done on the page, which shows the room's votes, throws light
// on one station, and hides the sentence until it is revealed.
func TestTheSpeakersWindow(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=delta-fifo")
	b.size(1440, 900)
	b.lessonIs("delta-fifo", 0)
	b.run(`const open = window.open; window.open = (...how) => (window.speaker = open(...how))`)
	b.run(`document.querySelector('.lesson-head [data-act=present]').click()`)
	b.wait(`document.querySelector('.caption')`)
	b.key("n")
	there := func(condition string) {
		b.t.Helper()
		b.wait(`((document) => ` + condition + `)(window.speaker.document)`)
	}
	there(`document.querySelector('.notes-controls') && document.querySelector('[data-time=elapsed]').textContent.startsWith('0:') && document.querySelector('[data-time=now]').textContent`)
	there(`document.title.includes('notes') && document.documentElement.lang === 'en'`)
	there(`/About \d:\d\d for this moment. It begins at 0:00, and the lesson takes \d min/.test(document.querySelector('.notes-notes').innerText) && document.querySelector('.notes-say p').innerText.length > 20`)
	press := func(selector string) {
		b.t.Helper()
		there(`document.querySelector('` + selector + `:enabled')`)
		b.run(`window.speaker.document.querySelector('` + selector + `').click()`)
	}
	there(`document.querySelectorAll('.notes-now .option').length === 3 && document.querySelector('.notes-next').innerText.includes('The process loop pops')`)

	there(`document.querySelector('.notes-notes').innerText.includes('so Pop has something to hand out')`) // what to say of an option
	press(`[data-act=votes]`)
	b.wait(`document.activeElement.matches('.caption .vote')`)
	b.run(`const fields = document.querySelectorAll('.caption .vote'); fields[0].value = '5'; fields[0].dispatchEvent(new Event('change', {bubbles: true}))`)
	there(`document.querySelectorAll('.vote')[0].value === '5'`)
	b.run(`const field = window.speaker.document.querySelectorAll('.vote')[1]; field.value = '15'; field.dispatchEvent(new window.speaker.Event('change', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.caption .vote')[1].value === '15'`)
	for _, s := range []struct{ w, h int64 }{{1920, 1080}, {1280, 800}, {768, 1024}, {390, 844}, {1440, 900}} {
		b.size(s.w, s.h)
		b.wait(`innerWidth === ` + num(s.w) + ` && innerHeight === ` + num(s.h))
		cut := eval[[]string](b, `(says => [...document.querySelectorAll('.caption button, .caption input')].filter(e => {
			if (!e.checkVisibility()) return false;
			const r = e.getBoundingClientRect();
			return r.left < 0 || r.right > innerWidth || r.top < 0 || r.bottom > innerHeight || !r.width || e.scrollWidth > e.clientWidth + 1 || says.scrollWidth > says.clientWidth + 1;
		}).map(e => e.outerHTML.slice(0, 90)))(document.querySelector('.caption-says'))`)
		if len(cut) > 0 {
			t.Errorf("at %d×%d these are cut:\n%s", s.w, s.h, strings.Join(cut, "\n"))
		}
	}
	press(`[data-act=answer][data-arg="-1"]`)
	b.wait(`[...document.querySelectorAll('.caption .vote-bar')].map(e => e.innerText).join() === '5 · 25 %,15 · 75 %,0 · 0 %'`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds while votes are shown:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("votes")

	b.run(`document.activeElement.blur()`)
	b.key("s")
	b.wait(`document.querySelector('.station.spot').dataset.station === 'queue' && getComputedStyle(document.querySelector('.st-server')).opacity < .3`)
	b.click(`.st-store h2`)
	b.wait(`document.querySelector('.station.spot').dataset.station === 'store'`)
	there(`document.querySelector('[data-act=spot][data-arg=store]').ariaPressed === 'true'`)
	b.media("forced-colors", "active")
	b.wait(`parseFloat(getComputedStyle(document.querySelector('.spot')).borderTopWidth) >= 4`)
	b.media("forced-colors", "none")
	b.run(`window.speaker.document.body.dispatchEvent(new window.speaker.KeyboardEvent('keydown', {key: 'PageDown', bubbles: true}))`)
	b.stopIs(1)
	b.key("c")
	b.wait(`!document.querySelector('.caption-says p') && document.querySelector('.caption-says [data-act=caption]')`)
	b.click(`.caption-says [data-act=caption]`)
	b.wait(`document.querySelector('.caption-says p').textContent.length > 10`)
	b.key("Escape")
	b.wait(`!document.querySelector('.spot') && document.documentElement.dataset.presenting`)

	press(`[data-act=nextStop]`)
	b.stopIs(2)
	press(`[data-act=answer][data-arg="-1"]`)
	b.wait(`document.querySelector('.caption [data-right]')`) // Next asks once before it gives an answer away
	press(`[data-act=nextStop]`)
	b.stopIs(3)
	there(`document.querySelector('.notes-notes').innerText.includes('Ask the class')`)
	b.within(b.reload) // the window finds the page again
	b.ready()
	b.wait(`document.querySelector('#speaker .notes-notes')`)
}

// With the two keys of a remote control, a teacher goes through a whole lesson and back. At each moment a room sees
// all of the stage, with the lesson's stations alone and with all of them, on a projector of 16:9 and on one of 4:3, and reads the lesson's point with the machine's
// sentence below it.
func TestARemoteIsEnough(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("#lesson=list-then-watch")
	b.lessonIs("list-then-watch", 0)
	b.run(`document.querySelector('.lesson-head [data-act=present]').click()`)
	b.wait(`document.querySelector('.caption')`)
	const open = `!!document.querySelector('.caption .option:enabled')`
	last, answered := int64(0), 0
	for stop := int64(0); ; stop++ {
		b.stopIs(stop)
		asks := eval[bool](b, open)
		for i, s := range [][2]int64{{1280, 720}, {1024, 768}, {1280, 720}, {1024, 768}} {
			b.size(s[0], s[1])
			b.wait(`innerHeight === ` + num(s[1]))
			if (i < 2) != eval[bool](b, `document.querySelectorAll('.taught .station').length > 4`) {
				b.key("z")
			}
			b.wait(`document.querySelectorAll('.taught .station').length > 4 === ` + strconv.FormatBool(i < 2))
			if cut := b.cutTexts(); len(cut) != 0 {
				t.Errorf("stop %d at %d×%d:\n  %s", stop, s[0], s[1], strings.Join(cut, "\n  "))
			}
			if out := eval[[]string](b, `(() => {
				const stage = document.querySelector('main'), caption = document.querySelector('.caption').getBoundingClientRect();
				const out = [...stage.querySelectorAll('.station')].filter((e) => { const r = e.getBoundingClientRect(); return r.top < 0 || r.bottom > caption.top + 1 || r.left < 0 || r.right > innerWidth }).map((e) => e.dataset.station);
				if (stage.scrollHeight > stage.clientHeight + 1) out.push('the stage scrolls');
				const says = document.querySelector('.caption-says');
				if (says.scrollHeight > says.clientHeight + 1) out.push('the caption scrolls');
				return out;
			})()`); len(out) != 0 {
				t.Errorf("stop %d at %d×%d: not in sight: %q", stop, s[0], s[1], out)
				b.shot("out of sight")
			}
		}
		if !asks {
			b.wait(`document.querySelector('.caption-says > p + .caption-machine').textContent.length > 10`)
		}
		if eval[bool](b, `!document.querySelector('.caption [data-act=nextStop]')`) {
			last = stop
			break
		}
		if asks {
			b.key("PageDown")
			b.wait(`document.querySelector('.caption .lesson-covered[data-urged=true]')`)
			b.run(`window.__urged = performance.now()`)
			b.wait(`performance.now() > window.__urged + 1100`) // whoever presses twice by mistake is shown nothing
			b.key("PageDown")
			b.wait(`document.querySelector('.caption .verdict-text')`)
			answered++
		}
		b.key("PageDown")
	}
	if last < 3 || answered == 0 {
		t.Errorf("the lesson has %d stops, and %d questions", last+1, answered)
	}
	for stop := last - 1; stop >= 0; stop-- {
		b.key("PageUp")
		b.stopIs(stop)
	}
}

// projectors are windows from which a room reads.
var projectors = []struct{ w, h int64 }{{1280, 720}, {1920, 1080}}

// under24 lists the texts that a room sees and whose type has less than 24 px.
const under24 = `(() => {
	const out = [], texts = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT);
	for (let n; (n = texts.nextNode());) {
		const e = n.parentElement;
		if (!n.data.trim() || e.closest('.visually-hidden, #speaker, .loop-map') || !e.checkVisibility({visibilityProperty: true})) continue;
		let zoom = 1;
		for (let p = e; p; p = p.parentElement) zoom *= parseFloat(getComputedStyle(p).zoom) || 1;
		const size = parseFloat(getComputedStyle(e).fontSize) * zoom;
		if (size < 23.9) out.push(Math.round(size) + ' px: ' + n.data.trim());
	}
	return out;
})()`

// From the last row of a room, all of the stage and of the caption can be read: no text has less than 24 px, whether a lesson is
// about one station or about all.
func TestARoomReadsEveryText(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("?room")
	for _, lesson := range []string{"slow-handler", "rate-limit", "list-then-watch", "batches", "expectations", "gone", "small-informer", "whole-loop", "adoption", "deadlock-at-start", "one-log-line", "level", "two-leaders", "warm-up"} {
		b.size(1440, 900)
		b.goTo(env.site + "?" + lesson + "#lesson=" + lesson)
		b.ready()
		b.lessonIs(lesson, 0)
		b.loaded()
		b.click(`.lesson-head [data-act=present]`)
		for _, s := range projectors {
			b.size(s.w, s.h)
			b.wait(`innerWidth === ` + num(s.w) + ` && document.querySelector('.caption') && document.querySelector('main[data-taught]') && document.documentElement.dataset.playing === 'false'`)
			if small := eval[[]string](b, under24); len(small) != 0 {
				t.Errorf("%s at %d×%d: %q", lesson, s.w, s.h, small)
				b.shot(lesson + " small")
			}
			if cut := b.cutTexts(); len(cut) != 0 {
				t.Errorf("%s at %d×%d: %q", lesson, s.w, s.h, cut)
				b.shot(lesson + " cut")
			}
		}
		b.key("Escape")
		b.wait(`!document.querySelector('.caption')`)
	}
}

// So is the loop in each of its beats, in both languages, and the card of a capture. The keys of the loop do the same there, and
// Escape ends it.
func TestARoomReadsTheLoopAndTheCard(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("?wall")
	presents := func() {
		t.Helper()
		b.key("p")
		b.wait(`document.documentElement.dataset.presenting === 'true'`)
	}
	reads := func(what string) {
		t.Helper()
		for _, s := range projectors {
			b.size(s.w, s.h)
			b.wait(`innerWidth === ` + num(s.w) + ` && innerHeight === ` + num(s.h))
			bad := eval[[]string](b, under24)
			if !strings.Contains(what, "card of a capture") { // which scrolls
				bad = append(bad, b.faults()...)
			}
			if wide := eval[int64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				bad = append(bad, num(wide)+" px are beyond the right edge")
			}
			if len(bad) != 0 {
				t.Errorf("%s at %d×%d:\n  %s", what, s.w, s.h, strings.Join(bad, "\n  "))
				b.shot(what)
			}
		}
	}
	const waits = ` && document.documentElement.dataset.playing === 'false'`
	for _, lang := range languages {
		if lang != "en" {
			b.goTo(env.site + "?wall-" + lang + "#loop&lang=" + lang)
			b.ready()
		}
		presents()
		b.key("2")
		b.wait(`document.documentElement.lang.startsWith('` + lang + `') && document.documentElement.dataset.beat === '2'` + waits)
		reads(lang + ", the copy")
		b.key("d")
		b.wait(`document.querySelector('.part-cache [data-wrong]')`)
		b.key(" ")
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		reads(lang + ", gone")
		b.key("3")
		b.wait(`document.documentElement.dataset.beat === '3'` + waits)
		b.key("b")
		b.wait(`document.querySelectorAll('.loop-card .cost li').length === 4`)
		reads(lang + ", what the cut cost")
		b.key("4")
		b.wait(`document.querySelectorAll('.way-on').length === 3`)
		reads(lang + ", the question")
		b.click(`.way-on[data-arg="2"]`)
		b.wait(`document.querySelectorAll('.loop-card .cost li').length === 3`)
		reads(lang + ", the verdict")
		b.pulls("900")
		b.wait(`parseInt(document.querySelector('.waiting b')?.textContent) > 3`)
		b.key(" ")
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		reads(lang + ", what waits")
		b.key("5")
		b.wait(`document.querySelectorAll('.way-on').length === 4`)
		reads(lang + ", the doors")
		b.key("Escape")
		b.wait(`!document.documentElement.dataset.presenting && document.querySelector('.loop-top').checkVisibility()`)
	}
	b.key("z")
	b.size(1440, 900)
	b.loaded()
	b.opensCard(trouble(), "trouble.trace.jsonl")
	presents()
	b.wait(`document.querySelector('.card') && !document.querySelector('.top').checkVisibility()`)
	reads("the card of a capture")
}
