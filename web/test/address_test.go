package test

import (
	"strings"
	"testing"
)

// addressIs waits until the page's address has a fragment.
func (b *tab) addressIs(fragment string) {
	b.t.Helper()
	b.wait(`location.hash === ` + quote(fragment) + ` && document.documentElement.dataset.playing !== 'true'`)
}

// lessonIs waits until a lesson is read at a stop.
func (b *tab) lessonIs(name string, stop int64) {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.lesson === ` + quote(name) + ` && document.documentElement.dataset.loading !== 'true'`)
	b.stopIs(stop)
}

// A link opens a lesson at a moment. The address goes along with the reader, and Reload, Back
// and Forward keep it, in both browsers.
func TestALinkOpensALessonAtAMoment(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, "#lesson=known-objects&at=replaced")
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && location.hash === '#lesson=known-objects&at=replaced' && Number(document.documentElement.dataset.stop) > 0`)
			linked := b.state("stop")
			stage := b.stage()
			b.key("k")
			b.wait(`document.documentElement.dataset.stop !== ` + quote(linked) + ` && document.documentElement.dataset.covered`)
			b.click(`[data-act=answer][data-arg="-1"]`) // Show me
			b.wait(`!document.documentElement.dataset.covered`)
			b.key("j")
			b.wait(`document.documentElement.dataset.stop === ` + quote(linked) + ` && document.documentElement.dataset.playing !== 'true'`)
			b.addressIs("#lesson=known-objects&at=replaced")
			if again := b.stage(); again != stage {
				t.Errorf("the stage that the link opens differs from the one that is read on to:\n%s", differences(again, stage))
			}
			b.within(b.reload)
			b.ready()
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && document.documentElement.dataset.stop === ` + quote(linked))
			b.addressIs("#lesson=known-objects&at=replaced")

			b.run(`location.hash = '#lesson=delta-fifo'`)
			b.lessonIs("delta-fifo", 0)
			b.key("j")
			b.stopIs(1)
			b.wait(`location.hash.startsWith('#lesson=delta-fifo&at=')`)
			b.run(`history.back()`)
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && document.documentElement.dataset.stop === ` + quote(linked))
			b.addressIs("#lesson=known-objects&at=replaced")
			b.run(`history.forward()`)
			b.lessonIs("delta-fifo", 1)

			b.run(`location.hash = '#lesson=listener&at=full&choose=handler+h+takes%3D1ms'`)
			b.wait(`document.documentElement.dataset.lesson === 'listener' && document.querySelector('.lesson-control [data-arg$=".1"]')?.getAttribute('aria-pressed') === 'true'`)
			b.addressIs("#lesson=listener&at=full&choose=handler+h+takes=1ms")
			b.run(`history.back()`)
			b.lessonIs("delta-fifo", 1)

			b.run(`location.hash = '#lesson=../../secret'`)
			b.wait(`document.querySelector('dialog .course-list button') && location.hash.startsWith('#lesson=delta-fifo&at=')`)
			b.key("Escape")
			b.wait(`document.querySelector('.notice').textContent.includes('../../secret') && document.documentElement.dataset.lesson === 'delta-fifo'`)
		})
	}
}

// Back leaves a lesson for the file that was open before, at the step where the viewer was,
// even when the page was loaded again meanwhile. Forward enters the lesson again.
func TestBackLeavesALesson(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`) // it holds the file over the reload
	b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
	b.wait(`document.querySelector('.source').textContent.includes('mine.trace')`)
	b.loaded()
	b.key("ArrowRight")
	b.stepIs(1)
	b.key("ArrowRight")
	b.stepIs(2)
	b.key("h")
	b.wait(`document.querySelector('.course-list [data-arg=delta-fifo]')`)
	b.click(`.course-list [data-arg=delta-fifo]`)
	b.lessonIs("delta-fifo", 0)
	b.addressIs("#lesson=delta-fifo")
	b.key("j")
	b.stopIs(1)
	b.wait(`location.hash.includes('&at=')`)
	b.within(b.reload)
	b.ready()
	b.lessonIs("delta-fifo", 1)
	b.run(`history.back()`)
	b.wait(`document.querySelector('.source').textContent.includes('mine.trace') && !document.documentElement.dataset.lesson`)
	b.stepIs(2)
	b.addressIs("")
	b.loaded()
	b.run(`history.forward()`)
	b.lessonIs("delta-fifo", 1)
}

// A name that the course doesn't have is said in words, and the course is shown beside the
// bundled recording.
func TestALinkToNoLesson(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.allow("404")
	for _, name := range []string{"nosuch", "../x"} {
		b.goTo("about:blank")
		b.goTo(env.site + "#lesson=" + name)
		b.ready()
		b.wait(`document.querySelector('dialog .course-list button') && document.querySelector('.source').textContent.includes('shop')`)
		b.loaded()
		b.key("Escape")
		b.wait(`document.querySelector('.notice .failure')`)
		if says := b.text(".notice .failure"); !strings.Contains(says, name) {
			t.Errorf("the page says %q", says)
		}
		b.addressIs("")
	}
}

// A link to a text that is no script is refused in words. It is the first
// request of the page, and is answered while the worker still starts.
func TestALinkToNoScript(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site + "#script=nonsense")
	b.wait(`document.body.textContent.includes('the link has a text that is no script')`)
}
