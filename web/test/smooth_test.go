package test

import (
	"path/filepath"
	"testing"
)

// While a large trace is read, played and searched, the page's own thread must
// never be busy for more than 50 ms at a time.
func TestNeverBlocked(t *testing.T) {
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

// smooth does something that must not block the page. A task is timed by the
// clock, so on a busy machine a short task may seem long. Only a task that is
// long in three runs in a row counts.
func (b *tab) smooth(what string, do func()) {
	b.t.Helper()
	var long []int
	for range 3 {
		b.longTasks(true)
		do()
		if long = b.longTasks(true); len(long) == 0 {
			return
		}
		b.t.Logf("while %s, tasks of %v ms on the page's own thread", what, long)
	}
	b.t.Errorf("while %s, three times running, tasks of over 50 ms on the page's own thread: %v", what, long)
}
