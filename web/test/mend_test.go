package test

import (
	"strings"
	"testing"
)

// Who chooses other lines of Go in a lesson sees what they do: the machine plays the scene with them, the goals are ticked that
// hold then, and what comes of it is said. What was mended stays solved, and is known at the next visit.
func TestGoIsMendedByChoosingLines(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=tombstone&at=old-handler")
	b.media("prefers-reduced-motion", "reduce")
	b.wait(`document.querySelectorAll('.lesson-stop[data-now] .mend-choices .option').length === 4`)
	chosen := func(k string, says, goals string) {
		t.Helper()
		b.key(k)
		b.wait(`document.querySelector('.mend-choices .option:nth-of-type(` + k + `)').ariaPressed === 'true' && document.querySelector('.option[aria-pressed=true] + .lesson-because').innerText.includes(` + quote(says) + `)`)
		b.wait(`[...document.querySelectorAll('.lesson-mend .goal')].map(g => g.dataset.reached === 'true' ? 'x' : '-').join('') === ` + quote(goals))
	}
	chosen("2", "the tombstone is passed over", "x-")
	b.shot("wrong")
	chosen("3", "by value", "x-")
	chosen("4", "alike", "xx")
	b.wait(`document.querySelector('.lesson-mend[data-solved] .verdict-text')`)
	b.shot("mended")
	b.size(390, 844)
	b.shot("narrow")
	b.media("prefers-color-scheme", "dark", "prefers-reduced-motion", "reduce")
	b.size(1440, 900)
	b.shot("dark")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the mend:\n  %s", strings.Join(found, "\n  "))
	}
	chosen("1", "The assertion panics", "--")
	const before = `!document.querySelector('.lesson-mend[data-solved]') && document.querySelector('.lesson-mend')?.innerText.includes('mended it before')`
	b.wait(before)
	b.within(b.reload)
	b.wait(before)
	b.click(`.lesson-head [data-act=handout]`)
	b.wait(`document.documentElement.dataset.handout && ['Mend it', 'alike', 'The assertion panics'].every(t => document.querySelector('.handout').innerText.includes(t))`)
	b.shot("handout")
}
