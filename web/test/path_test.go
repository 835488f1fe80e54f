package test

import (
	"strings"
	"testing"
)

// A path of the course leads from its card to its lessons, one after the other, over a reload and by a link. Who is
// beside it is led back.
func TestAPath(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("h")
	b.wait(`document.querySelectorAll('.paths .path').length === 3 && document.querySelectorAll('.course .chapter-says').length > 6`)
	b.wait(`document.querySelector('.path').innerText.includes('20 min') && document.querySelector('.path:nth-child(2)').innerText.includes('90 min')`)
	b.click(`.path:nth-child(2) summary`)
	b.wait(`(at => at.length === 15 && at[0] === '0:00' && at.every((x, i) => i === 0 || x > at[i - 1]) && at[14] < '1:30')([...document.querySelectorAll('.path:nth-child(2) .path-lessons .minutes')].map(e => e.innerText))`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the paths:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("paths")
	b.click(`[data-act=path][data-arg=debug]`)
	b.lessonIs("whole-loop", 0)
	b.wait(`location.hash === '#lesson=whole-loop&path=debug' && document.querySelector('.lesson-path').innerText.includes('lesson 1 of 5')`)
	b.readOn()
	b.within(b.reload)
	b.ready()
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')?.dataset.arg === 'tombstone'`)
	b.click(`.lesson-foot [data-act=lesson]`)
	b.lessonIs("tombstone", 0)
	b.wait(`location.hash === '#lesson=tombstone&path=debug'`)
	b.shot("on-path")

	b.key("h")
	b.wait(`document.querySelector('.path').innerText.includes('1 of 5 read') && document.querySelector('.path [data-act=path][data-arg=debug]').innerText === 'Go on'`)
	b.wait(`document.querySelector('.course-list [data-arg=whole-loop] .course-done').innerText.includes('1 answered')`)
	b.shot("done")
	b.key("Escape")
	b.goTo(env.site + "?last#lesson=stale-read&path=debug")
	b.ready()
	b.lessonIs("stale-read", 0)
	b.readOn()
	b.click(`.lesson-foot [data-act=record][data-arg=debug]`)
	b.wait(`document.querySelectorAll('.record tbody tr').length === 5`)
	b.goTo(env.site + "?again#lesson=keys&path=debug")
	b.ready()
	b.lessonIs("keys", 0)
	b.readOn()
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')?.dataset.arg === 'tombstone'`)
}

// At the end of a path stands a page to be printed: what was read, answered and solved, and the name that the reader has
// typed. The name is not kept, and nothing is sent.
func TestTheRecordOfAPath(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.run(`localStorage.setItem('lessons', 'whole-loop=5/6/a:1 tombstone=1/4')`)
	b.goTo(env.site + "?record#lesson=slow-handler&path=debug")
	b.ready()
	b.wait(`document.documentElement.dataset.lesson`)
	b.loaded()
	b.key("h")
	b.wait(`document.querySelector('.path [data-act=record][data-arg=debug]')`)
	b.click(`.path [data-act=record][data-arg=debug]`)
	b.wait(`document.documentElement.dataset.handout && document.querySelectorAll('.record tbody tr').length === 5`)
	b.wait(`[...document.querySelector('.record tbody tr').children].map((e) => e.innerText).join('|') === 'The whole loop in five steps|read|1|' && document.querySelector('.record tfoot').innerText.includes('1/5')`)
	before := len(env.outside.requests(""))
	b.run(`const f = document.querySelector('.record-field input'); f.value = 'Ada <b>L</b>'; f.dispatchEvent(new Event('change', {bubbles: true}))`)
	b.wait(`document.querySelector('.record-name')?.innerText === 'Ada <b>L</b>' && !document.querySelector('.record-name b')`)
	if kept := eval[string](b, `JSON.stringify({...localStorage}) + location.href`); strings.Contains(kept, "Ada") || len(env.outside.requests("")) > before {
		t.Errorf("the name is kept: %s", kept)
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("record")
	b.size(390, 844)
	b.wait(`innerWidth === 390 && document.documentElement.scrollWidth <= 390 && document.querySelector('.handout').scrollWidth <= 390`)
	b.shot("record on a phone")
	b.size(1440, 900)
	b.run(`window.print = () => { window.printed = true }`)
	b.click(`.handout [data-act=print]`)
	b.wait(`window.printed`)
	b.run(`document.querySelector('.handout').focus()`)
	b.key("Escape")
	b.wait(`!document.querySelector('.handout') && document.querySelector('.stage').checkVisibility()`)
}

// Lessons are found by words of their titles and of their texts, by functions and by numbers of issues, with the place
// where a text has them. Without a hit the list says so.
func TestLessonsAreFound(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		b.key("h")
		b.wait(`document.querySelectorAll('.course-list button').length > 30`)
		for words, lesson := range map[string]string{"pendingNotifications": "listener", "86015": "updates-without-change", "zzzz": ""} {
			b.run(`const f = document.querySelector('.course-find input'); f.value = ` + quote(words) + `; f.dispatchEvent(new Event('input', {bubbles: true}))`)
			if lesson == "" {
				b.wait(`document.querySelectorAll('.course-list button').length === 0 && document.querySelector('.course-find [role=status]').innerText.length > 3`)
				continue
			}
			b.wait(`(e => e && e.querySelector('.course-found mark').innerText === ` + quote(words) + `)(document.querySelector('.course-texts [data-arg=` + lesson + `]'))`)
		}
		b.run(`const f = document.querySelector('.course-find input'); f.value = 'Replace'; f.dispatchEvent(new Event('input', {bubbles: true}))`)
		b.wait(`document.querySelectorAll('.course-texts button').length > 5`)
		b.shot("found " + lang)
		if found := b.violations(); len(found) != 0 {
			t.Errorf("axe finds in %s:\n  %s", lang, strings.Join(found, "\n  "))
		}
		b.key("Escape")
		b.wait(`!document.querySelector('dialog[open]')`)
	}
}

// readOn goes on to the last stop of a lesson. A question is answered with its first option.
func (b *tab) readOn() {
	b.t.Helper()
	for !eval[bool](b, `!document.querySelector('.lesson-foot [data-act=nextStop]')`) {
		at := eval[int64](b, `+document.documentElement.dataset.stop`)
		if eval[bool](b, `document.querySelector('.lesson-question .option:enabled') !== null`) {
			b.key("1")
			b.wait(`!document.querySelector('.lesson-question .option:enabled') && document.querySelector('.lesson-foot [data-goes-on=true]')`)
		} else {
			b.click(`.lesson-foot [data-act=nextStop]`)
			b.stopIs(at + 1)
		}
	}
}
