package test

import (
	"strings"
	"testing"
)

// A newcomer follows README's first steps, reads the first lessons, solves an exercise, changes what
// happens, and opens a link to that in another tab, in both browsers. On the way nothing is cut or out of
// reach, no text is missing, and what is said about the step is in view.
func TestANewcomersWalk(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			walkAsNewcomer(t, tabOf)
		})
	}
}

// walkAsNewcomer goes a newcomer's way in a browser, and returns the tab.
func walkAsNewcomer(t *testing.T, tabOf func(testing.TB) *tab) *tab {
	t.Helper()
	b := tabOf(t)
	b.asNewcomer("?newcomer")
	b.firstSteps()
	b.click(`.door [data-act=lesson]`)
	read := 0
	for _, lesson := range []string{"whole-loop", "delta-fifo", "deltas-pile-up", "two-deletes", "keys", "list-then-watch"} {
		b.lessonIs(lesson, 0)
		b.loaded()
		read += b.reads()
		b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')`)
		b.fine("the end of " + lesson)
		b.click(`.lesson-foot [data-act=lesson]`)
	}
	b.lessonIs("lost-delete", 0)
	if read < 25 {
		t.Errorf("the six lessons have %d stops", read)
	}
	b.solvesOne()
	b.cutsTheWatch()

	at, stage, link := b.step(), b.stage(), b.shared()
	colleague := tabOf(t)
	colleague.asNewcomer(strings.TrimPrefix(link, env.site))
	colleague.stepIs(at)
	colleague.loaded()
	if there := colleague.stage(); there != stage {
		t.Errorf("the link shows another stage:\n%s", differences(stage, there))
	}
	colleague.fine("the link")
	return b
}

// asNewcomer opens an address of the page as somebody does who has never been here. What one document writes into the
// storage a busy Firefox may not show to the next one, so each document begins without a choice.
func (b *tab) asNewcomer(at string) {
	b.t.Helper()
	if _, is := b.driver.(webkit); !is { // nothing runs before its documents, which choose nothing then
		b.preload(nothing)
	}
	b.goTo("about:blank")
	b.goTo(env.site + at)
	b.ready()
	b.loaded()
}

// fine checks what holds wherever a newcomer is.
func (b *tab) fine(where string) {
	b.t.Helper()
	faults := append(b.faults(), eval[[]string](b, `(() => {
		const faults = [];
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let n = walker.nextNode(); n; n = walker.nextNode()) {
			if (/\b(ui|step|why|fail|error|remark|gesture|ask|script|profile)\.[a-z]\w*(\.\w+)*\b/.test(n.textContent) && !n.parentElement.closest('code, pre, #boot')) faults.push('a text is missing: ' + n.textContent);
		}
		const inView = (e) => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= -1 && r.bottom <= innerHeight + 1 };
		const says = [...document.querySelectorAll('.explain .said, .chain-say, .lesson-stop[data-now] > p, .lesson-stop[data-now] .verdict-text')].filter((e) => e.checkVisibility());
		if (!document.querySelector('dialog[open]') && !says.some(inView)) faults.push('what is said is out of sight');
		if (document.querySelector('.notice.failure')) faults.push('it failed: ' + document.querySelector('.notice.failure').textContent);
		return faults;
	})()`)...)
	if len(faults) != 0 {
		b.t.Errorf("%s has these faults:\n  %s", where, strings.Join(faults, "\n  "))
		b.shot(where)
	}
}

// firstSteps does at the home what README's table of keys begins with.
func (b *tab) firstSteps() {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.playing === 'true' && document.querySelectorAll('.home .door').length === 4`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	b.fine("the home")
	at := b.step()
	for _, key := range []struct {
		name  string
		shift bool
	}{{"ArrowRight", false}, {"ArrowRight", true}, {"ArrowLeft", false}, {"m", false}} {
		if key.shift {
			b.key(key.name, shift)
		} else {
			b.key(key.name)
		}
		at = b.stepMoves(at)
		b.fine("the home after " + key.name)
	}
	for _, density := range []string{"", "plain"} {
		b.key("z")
		b.wait(`(document.documentElement.dataset.density ?? '') === '` + density + `'`)
		b.fine("the home, density " + density)
	}
	b.key("?")
	b.wait(`document.querySelector('dialog[open] [data-act=editKeys]')`)
	b.fine("the list of keys")
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
}

// reads reads a lesson to its end: it presses Next, and answers each question with its first option.
func (b *tab) reads() (stops int) {
	b.t.Helper()
	for {
		stop := b.state("stop")
		b.wait(`document.documentElement.dataset.playing !== 'true'`)
		b.fine("lesson " + b.state("lesson") + " at " + stop)
		if eval[bool](b, `document.querySelector('.lesson-stop[data-now] .lesson-question .option:enabled') !== null`) {
			b.click(`.lesson-stop[data-now] .lesson-question .option:enabled`)
			b.wait(`document.querySelector('.lesson-stop[data-now] .verdict-text')`)
			b.fine("the answer of " + b.state("lesson") + " at " + stop)
		}
		stops++
		if eval[bool](b, `document.querySelector('.lesson-foot [data-act=nextStop]') === null`) {
			return stops
		}
		b.click(`.lesson-foot [data-act=nextStop]`)
		b.wait(`document.documentElement.dataset.stop !== '` + stop + `'`)
	}
}

// solvesOne finds an exercise in the list of lessons, and solves it.
func (b *tab) solvesOne() {
	b.t.Helper()
	b.click(`.course-button`)
	b.wait(`document.querySelectorAll('.course-list button').length > 30`)
	b.fine("the list of lessons")
	b.click(`.course-list [data-arg="build-b-before-a"]`)
	b.lessonIs("build-b-before-a", 0)
	b.loaded()
	b.wait(`document.documentElement.dataset.playing !== 'true' && document.querySelector('.lesson-exercise .goal')`)
	b.fine("the exercise")
	for _, line := range []string{"step 9 reflector", "run until call h", "run until call h"} {
		n := eval[int](b, `document.querySelectorAll('.lesson-line .transcript li').length`)
		b.click(`#console-line`)
		b.write(line)
		b.wait(`document.querySelectorAll('.lesson-line .transcript li').length > ` + num(int64(n)))
	}
	b.wait(`document.querySelector('.lesson-exercise[data-solved] .verdict-text')`)
	b.fine("the solved exercise")
}

// cutsTheWatch opens the recording again, and cuts the watch at its server.
func (b *tab) cutsTheWatch() {
	b.t.Helper()
	b.inBar("open", "bundled")
	b.wait(`!document.documentElement.dataset.lesson && document.querySelector('.source').textContent.includes('shop')`)
	b.loaded()
	at := b.step()
	b.key("4")
	at = b.stepMoves(at)
	b.click(`[data-station=server] [data-act=menu]`)
	b.wait(`document.querySelector('[data-station=server] [role=menuitem]')`)
	b.run(`[...document.querySelectorAll('[data-station=server] [role=menuitem]')].find((e) => e.textContent.includes('Cut the watch')).click()`)
	b.stepMoves(at)
	b.wait(`document.querySelectorAll('.future').length === 2`)
	b.loaded()
	b.fine("the other future")
}
