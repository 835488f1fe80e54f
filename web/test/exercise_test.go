package test

import (
	"strings"
	"testing"
)

// The goals of an exercise are ticked as lines are typed beside them. A line that the exercise forbids stays to be
// mended, with the reason. Three hints lead to a solution.
func TestAnExerciseTicksItsGoals(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=build-b-before-a")
	b.media("prefers-reduced-motion", "reduce")
	b.lessonIs("build-b-before-a", 0)
	goals := func(want string) {
		b.wait(`[...document.querySelectorAll('.lesson-exercise .goal')].map(g => g.dataset.reached === 'true' ? 'x' : '-').join('') === ` + quote(want))
	}
	goals("-xx")
	b.key("c")
	b.wait(`document.activeElement?.id === 'console-line' && document.activeElement.closest('.lesson-foot[data-type]')`)
	b.write("update pod default/a")
	b.wait(`document.querySelector('.lesson-foot .wrong')?.innerText.includes('does without update: Choose only which goroutine moves') && document.getElementById('console-line').value === 'update pod default/a'`)
	b.shot("refused")
	b.run(`const f = document.getElementById('console-line'); f.select()`)
	b.key("Backspace")
	b.size(390, 844)
	b.write("step 9 reflector")
	b.wait(`document.querySelector('.lesson-line .transcript')?.innerText.includes('step 9 reflector') && !document.querySelector('.wrong')`)
	// On a phone the line and what was typed take the room of the goals, which come into sight again.
	b.wait(`(() => { const g = document.querySelector('.goal').getBoundingClientRect(), foot = document.querySelector('.lesson-foot').getBoundingClientRect(); return g.top >= 0 && g.bottom <= foot.top + 1 })()`)
	b.shot("on a phone")
	b.size(1440, 900)
	b.write("run until call h")
	b.write("run until call h")
	goals("xxx")
	b.wait(`document.querySelector('.lesson-exercise[data-solved] .verdict-text')`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the exercise:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("solved")
	for n := range 3 {
		b.wait(`document.querySelector('[data-act=hint]').innerText === 'Hint ` + num(int64(n+1)) + ` of 3'`)
		b.click(`[data-act=hint]`)
		b.wait(`(hints => hints.length === ` + num(int64(n+1)) + ` && hints[` + num(int64(n)) + `].getBoundingClientRect().bottom <= document.querySelector('.lesson-foot').getBoundingClientRect().top)(document.querySelectorAll('.lesson-hint'))`)
	}
	b.click(`[data-act=hint]`)
	b.wait(`document.querySelector('.lesson-solution') && document.querySelector('[data-act=hint]').disabled`)
}
