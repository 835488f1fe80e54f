package test

import "testing"

// While a large trace is read, played and searched, the page's own thread must
// never be busy for more than 50 ms at a time.
func TestNeverBlocked(t *testing.T) {
	file, _ := podsTrace(t, "busy.trace.jsonl.gz", 30_000, 3_000, 2_000)
	b := open(t)
	b.loaded()
	b.longTasks(true)
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes('busy.trace.jsonl.gz')`)
	b.loaded()
	check(t, b, "loading")

	b.key(" ")
	at := b.stepMoves(0)
	b.wait(`+document.documentElement.dataset.step > ` + num(at+20))
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	check(t, b, "playing")

	for _, k := range []string{"9", "1", "5", "End", "3", "Home", "7"} {
		at := b.step()
		b.key(k)
		b.stepMoves(at)
	}
	check(t, b, "seeking")
}

func check(t *testing.T, b *tab, while string) {
	t.Helper()
	if long := b.longTasks(true); len(long) != 0 {
		t.Errorf("while %s, tasks of %v ms on the page's own thread", while, long)
	}
}
