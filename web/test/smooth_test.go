package test

import (
	"path/filepath"
	"slices"
	"testing"
)

// While a large trace is read, played and searched, nothing blocks the page's own thread.
func TestNeverBlocked(t *testing.T) {
	keepsFiles(t)
	file, _ := podsTrace(t, "busy.trace.jsonl.gz", 30_000, 3_000, 2_000)
	b := open(t)
	b.loaded()
	b.smooth("loading", func() {
		b.upload(onFile, file)
		b.wait(`document.body.textContent.includes(` + quote(filepath.Base(file)) + `)`)
		b.loaded()
		b.stepIs(0)
	})
	plays := func(steps int64) func() {
		return func() {
			at := b.step()
			b.key(" ")
			b.wait(`+document.documentElement.dataset.step > ` + num(at+steps))
			b.key(" ")
			b.wait(`document.documentElement.dataset.playing !== 'true'`)
		}
	}
	b.smooth("playing", plays(20))
	b.key("C")
	b.wait(`document.getElementById('code')`)
	b.smooth("playing beside the source", plays(60))
	b.key("C")
	b.smooth("asking why", func() {
		at := b.step()
		b.key("9")
		b.stepMoves(at)
		b.run(`document.querySelector('[data-act=inspect]').focus({preventScroll: true})`)
		b.key("y")
		b.wait(`document.querySelector('.chain-part') && !document.querySelector('.chain-seeks')`)
		at = b.step()
		b.key("1")
		b.stepMoves(at)
	})
	b.smooth("seeking", func() {
		for _, k := range []string{"9", "1", "5", "End", "3", "Home", "7"} {
			at := b.step()
			b.key(k)
			b.stepMoves(at)
		}
	})
}

// blocks is how many ms a task may take before smooth fails. The page has none of over 50 ms on a machine at
// rest, which make bench measures. A test holds on any machine, so it looks for what blocks.
const blocks = 150

// smooth does something that must not block the page. The page times a task by the clock, which goes
// on while the machine gives the core to others. So where a task seems long, it is done twice more, and
// only the time that the page's thread had a core counts. A core that is shared with others is slower,
// too, so that time is compared with what sorting takes just then.
func (b *tab) smooth(what string, do func()) {
	b.t.Helper()
	b.longTasks(true)
	do()
	long := b.longTasks(true)
	if len(long) == 0 || slices.Max(long) <= blocks {
		return
	}
	b.t.Logf("while %s, tasks of %v ms by the clock", what, long)
	var took, sorting []float64
	for range 2 {
		if took, sorting = b.longest(do), b.longest(b.sorts); len(took) == 0 || len(sorting) == 0 {
			b.t.Fatal("the trace of the browser has no task")
		}
		if took[0] <= blocks*max(1, sorting[0]/sortingAtRest) {
			return
		}
	}
	b.t.Errorf("while %s, twice running, the page's thread has the core for over %d ms: %.0f, where sorting takes %.0f and not %d", what, blocks, took, sorting[:1], sortingAtRest)
}

// sortingAtRest is how many ms sorts takes on a machine that has nothing else to do.
const sortingAtRest = 55

// sorts has the page's thread sort for a while, in one task.
func (b *tab) sorts() {
	b.t.Helper()
	b.run(`delete document.body.dataset.sorted; requestAnimationFrame(() => {
		const sorted = Array.from({length: 60000}, (_, i) => ({name: String(i * 7919 % 60000)})).sort((a, b) => a.name < b.name ? -1 : 1);
		document.body.dataset.sorted = sorted.length;
	})`)
	b.wait(`document.body.dataset.sorted`)
}
