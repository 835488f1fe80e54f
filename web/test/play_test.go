package test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOpensPausedAtTheFirstStep(t *testing.T) {
	t.Parallel()
	b := open(t)
	if n := b.step(); n != 0 {
		t.Errorf("the page opens at step %d", n)
	}
	if p := b.state(statePlaying); p == "true" {
		t.Error("the page plays by itself")
	}
	b.loaded()
	if s := b.stage(); !strings.Contains(s, "@") {
		t.Errorf("the stage is empty: %q", s)
	}
	b.shot("first")
}

func TestStepsForwardAndBackByKeys(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	walk(t, b, func() { b.key("ArrowRight") }, func() { b.key("ArrowLeft") })
	walk(t, b, func() { b.key(".") }, func() { b.key(",") })
}

func TestStepsForwardAndBackByButtons(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	walk(t, b, func() { b.click(onStep) }, func() { b.click(onBack) })
}

// Back and Forward of the page, of the keyboard and of the browser go between the places
// from which the viewer has jumped, however many steps were made there. The list before each
// place has the machine's steps.
func TestBackAndForward(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key(".")
	b.stepIs(1)
	entries := func() int { return eval[int](b, `history.length`) }
	first := entries()
	b.key("5")
	far := b.stepMoves(1)
	b.wait(`document.querySelector('.trail button').dataset.arg === ` + quote(num(far-1)))
	for range 3 {
		b.key(".")
		far = b.stepMoves(far)
	}
	b.key("2")
	near := b.stepMoves(far)
	if n := entries(); n != first+2 {
		t.Errorf("two jumps and four steps have made %d entries", n-first)
	}
	b.run(`history.back()`)
	b.stepIs(far)
	b.key("Backspace")
	b.stepIs(1)
	b.wait(`document.querySelector('[data-act=visitBack]').disabled`)
	b.click(`[data-act=visitForward]`)
	b.stepIs(far)
	b.key("Backspace", shift)
	b.stepIs(near)
	b.wait(`document.querySelector('.trail button').dataset.arg === ` + quote(num(near-1)))
}

// walk goes forward and back, and requires the same stage at each step on the
// way back.
func walk(t *testing.T, b *tab, on, back func()) {
	t.Helper()
	const far = 12
	steps := []int64{b.step()}
	seen := []string{b.stage()}
	for i := range far {
		on()
		steps = append(steps, b.stepMoves(steps[i]))
		seen = append(seen, b.stage())
	}
	if seen[0] == seen[far] {
		t.Errorf("%d steps on, the stage shows the same", far)
	}
	for i := far - 1; i >= 0; i-- {
		back()
		b.stepIs(steps[i])
		if now := b.stage(); now != seen[i] {
			t.Fatalf("step %d shows something else on the way back:\n%s", steps[i], differences(seen[i], now))
		}
	}
}

func differences(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out []string
	for i := range max(len(w), len(g)) {
		a, b := "(end)", "(end)"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			out = append(out, "  was "+a+", is "+b)
		}
		if len(out) > 20 {
			break
		}
	}
	return strings.Join(out, "\n")
}

func TestAWholeWatchEvent(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("ArrowRight", shift)
	first := b.stepMoves(0)
	b.key("ArrowRight", shift)
	second := b.stepMoves(first)
	if second < first+2 {
		t.Errorf("a watch event is %d micro-steps", second-first)
	}
	b.key("ArrowLeft", shift)
	if back := b.stepMoves(second); back >= second || back < first {
		t.Errorf("a watch event back from step %d is step %d, and step %d was before it", second, back, first)
	}
}

func TestHomeEndAndTenths(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("End")
	end := b.stepMoves(0)
	b.key("5")
	middle := b.stepMoves(end)
	if middle < end/3 || middle > end*2/3 {
		t.Errorf("the key 5 goes to step %d of %d", middle, end)
	}
	b.key("Home")
	b.stepIs(0)
	b.key("End")
	b.stepIs(end)
}

func TestPlaysAndPauses(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true' && +document.documentElement.dataset.step > 3`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	here := b.step()
	b.click(onPlay)
	b.wait(`+document.documentElement.dataset.step > ` + num(here+2))
	b.click(onPlay)
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
}

func TestKeysAreIgnoredWhileTyping(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.run(`const i = document.createElement('input'); i.id = 'typing'; document.body.append(i); i.focus()`)
	for _, k := range []string{"5", " ", ".", "?"} {
		b.key(k)
	}
	if got := eval[string](b, `document.getElementById('typing').value`); got != "5 .?" {
		t.Errorf("the field has %q", got)
	}
	if n := b.step(); n != 0 || b.state(statePlaying) == "true" {
		t.Errorf("typing moved the machine to step %d", n)
	}
}

// While a large trace is read, played and searched, nothing blocks the page's own thread.
func TestNeverBlocked(t *testing.T) {
	keepsFiles(t)
	file, _ := podsTrace(t, "busy.trace.jsonl.gz", 30_000, 3_000, 2_000)
	b := open(t)
	b.loaded()
	b.smooth("loading", func() {
		b.upload(onFile, file)
		b.wait(`document.documentElement.dataset.view === 'card' && document.querySelector('.card-facts').textContent.includes(` + quote(filepath.Base(file)) + `)`)
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
