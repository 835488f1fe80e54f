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
	b.goTo(env.site + "?again#lesson=keys&path=debug")
	b.ready()
	b.lessonIs("keys", 0)
	b.readOn()
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')?.dataset.arg === 'tombstone'`)
}

// readOn goes on to the last stop of a lesson. A question is answered with its first option.
func (b *tab) readOn() {
	b.t.Helper()
	for !eval[bool](b, `!document.querySelector('.lesson-foot [data-act=nextStop]')`) {
		at := eval[int64](b, `+document.documentElement.dataset.stop`)
		if eval[bool](b, `document.querySelector('.option:enabled') !== null`) {
			b.key("1")
			b.wait(`!document.querySelector('.option:enabled') && document.querySelector('.lesson-foot [data-goes-on=true]')`)
		} else {
			b.click(`.lesson-foot [data-act=nextStop]`)
			b.stopIs(at + 1)
		}
	}
}
