package test

import "testing"

// A lesson fills the screen for a room: the stage at 16:9 with large type, what happens as a
// caption under it, the question there too, and nothing else. The stage keeps its size.
func TestPresentingALesson(t *testing.T) {
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
	if ratio := first[0] / first[1]; ratio < 1.75 || ratio > 1.8 || first[1] < 900 {
		t.Errorf("the stage has %v px", first)
	}
	for _, gone := range []string{".top", ".inspector", ".transport"} {
		if eval[bool](b, `document.querySelector('`+gone+`').checkVisibility()`) {
			t.Errorf("%s is still there", gone)
		}
	}
	b.key("j")
	b.stopIs(1)
	b.wait(`document.querySelectorAll('.caption .option').length === 3`)
	b.key("2")
	b.wait(`document.querySelector('.caption .option[data-right]') && document.querySelector('.caption .verdict-text')`)
	b.shot("presented")
	b.key("j")
	b.stopIs(2)
	b.wait(`!document.querySelector('.caption .option') && document.querySelector('.caption-says').textContent.length > 10`)
	if now := stage(); now[0] != first[0] || now[1] != first[1] {
		t.Errorf("the stage had %v px and has %v px", first, now)
	}
	b.key(".")
	b.wait(`getComputedStyle(document.querySelector('.page'), '::after').backgroundColor === 'rgb(0, 0, 0)'`)
	b.key("k")
	b.wait(`!document.documentElement.dataset.blank`)
	b.stopIs(2)
	b.key("k")
	b.stopIs(1)
	b.key("Escape")
	b.wait(`!document.documentElement.dataset.presenting && !document.querySelector('.caption') && document.querySelector('.inspector').checkVisibility()`)
	b.addressIs("#lesson=delta-fifo&at=added")
}
