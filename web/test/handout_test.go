package test

import (
	"strings"
	"testing"
)

// A lesson becomes a handout: its text, a picture with its sentence for each moment, its questions,
// and at the end what the machine answers. A machine in which nothing has happened has no picture. On paper there is nothing to press.
func TestAHandout(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=delta-fifo")
	b.lessonIs("delta-fifo", 0)
	b.click(`.lesson-head [data-act=handout]`)
	b.wait(`document.documentElement.dataset.handout && document.querySelectorAll('.handout figure').length === 4`)
	b.wait(`[...document.querySelectorAll('.handout img')].every(e => e.complete && e.naturalWidth > 600 && e.alt.length > 10)`)
	text := b.text(`.handout`)
	for _, want := range []string{"One pod through a DeltaFIFO", "Question 1", "What does Pop hand", "[Added pod1@1 value=1]", "Answers", "so Pop has something to hand out"} {
		if !strings.Contains(text, want) {
			t.Errorf("the handout lacks %q", want)
		}
	}
	if strings.Contains(text, "Ask the class") {
		t.Error("the speaker's notes are in the handout")
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in a handout:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("handout")
	b.run(`window.print = () => { window.printed = true }`)
	b.click(`.handout [data-act=print]`)
	b.wait(`window.printed`)
	b.size(390, 844)
	b.wait(`innerWidth === 390 && document.documentElement.scrollWidth <= 390 && document.querySelector('.handout').scrollWidth <= 390`)
	b.size(1440, 900)
	b.run(`document.querySelector('.handout').focus()`)
	b.key("Escape")
	b.wait(`!document.querySelector('.handout') && document.querySelector('.stage').checkVisibility()`)
	b.lessonIs("delta-fifo", 0)
}
