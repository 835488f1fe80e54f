package test

import (
	"strings"
	"testing"
)

// recorded is a tab with a recording of a real client-go informer that has everything: a
// streaming list, a late handler, resets, a 410, a relist, a tombstone, and notes.
func recorded(t *testing.T) *tab {
	t.Helper()
	b := open(t)
	b.loaded()
	b.upload(onFile, testdata(t, "trace/testdata/cg036-watchlist.trace.jsonl.gz"))
	b.opened("cg036-watchlist")
	b.wait(`document.querySelectorAll('.mark').length > 5`)
	return b
}

// The marks are flags with a label, by mouse and by keys; the dialog leads to each kind.
func TestMarksAreGoneToByMouseAndKeys(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	labels := strings.Join(eval[[]string](b, `[...document.querySelectorAll('.mark')].map(m => m.getAttribute('aria-label'))`), "\n")
	for _, want := range []string{"note in the trace: 2 label change in and out", "410", "relist", "tombstone", "handler joined: h4-late", "first list"} {
		if !strings.Contains(labels, want) {
			t.Errorf("no mark says %q:\n%s", want, labels)
		}
	}
	at := eval[string](b, `document.querySelectorAll('.mark')[3].dataset.arg`)
	b.run(`document.querySelectorAll('.mark')[3].id = 'third'`)
	b.click(`#third`)
	b.wait(`document.documentElement.dataset.step === ` + quote(at))

	b.key("Home")
	b.stepIs(0)
	b.key("T")
	tombstone := b.stepMoves(0)
	if said := b.text(".said"); !strings.Contains(said, "DeletedFinalStateUnknown") {
		t.Errorf("at the tombstone, step %d, the page says %q", tombstone, said)
	}
	b.key("T")
	b.wait(`document.querySelector('.missed')?.textContent.includes('tombstone')`)
	b.key("M")
	before := b.stepMoves(tombstone)
	b.key("m")
	b.stepIs(tombstone)
	if before >= tombstone {
		t.Errorf("the mark before step %d is at %d", tombstone, before)
	}
	b.key("Home")
	b.stepIs(0)
	b.key("g")
	b.wait(`document.documentElement.dataset.dialog === 'goTo'`)
	b.click(`[data-act=markStep][data-arg=note]`)
	b.stepMoves(0)
	b.wait(`document.querySelector('.explain .note')?.textContent.length > 3`)
	b.shot("marks")
}

// A key is found by a part of it, its steps are visited, and following it can be ended
// in plain sight.
func TestAKeyIsFollowed(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	b.click(`[data-act=goTo]`) // the key for it would leave a letter in the field
	b.wait(`document.activeElement?.dataset.act === 'findKey' && document.querySelectorAll('.found-key').length === 10`)
	for _, c := range "hot" {
		b.key(string(c))
	}
	b.wait(`document.querySelectorAll('.found-key').length === 1`)
	b.key("Enter")
	first := b.stepMoves(0)
	b.wait(`document.documentElement.dataset.dialog === undefined`)
	if said := b.text(".said"); !strings.Contains(said, "gt/hot") {
		t.Errorf("step %d says %q", first, said)
	}
	b.key("f")
	b.wait(`document.querySelector('.following')?.textContent.includes('gt/hot')`)
	at := first
	for range 12 {
		b.key("ArrowRight")
		at = b.stepMoves(at)
		if said := b.text(".said"); !strings.Contains(said, "hot") && !strings.Contains(said, "handler returns") { // with the handler's call for the key
			t.Errorf("step %d says %q", at, said)
		}
	}
	b.shot("following")
	b.key("ArrowLeft")
	b.stepMoves(at)
	b.click(`.following [data-act=keyFollow]`)
	b.wait(`document.querySelector('.units [data-act=unit]')`)
}

// The page can play by the recording's clock: a quiet second takes a second. At the end,
// playing begins anew.
func TestPlaysByRecordedTime(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	b.key("w")
	b.wait(`document.querySelector('.speed select').selectedOptions[0].textContent === '1× recorded'`)
	b.key(" ")
	b.wait(`document.querySelector('.clock').textContent >= '00:00:02'`)
	if ms := eval[float64](b, `(async () => {
		const clock = () => Number(document.querySelector('.clock').textContent.replace(/[^0-9]/g, '').slice(4)) / 1e3;
		const from = clock(), began = performance.now();
		await new Promise((done) => { const look = () => clock() - from >= 2000 ? done() : requestAnimationFrame(look); look(); });
		return performance.now() - began;
	})()`); ms < 1500 {
		t.Errorf("two recorded seconds take %.0f ms", ms)
	}
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	end := b.toEnd()
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true' && +document.documentElement.dataset.step < ` + num(end))
	b.key(" ")
}
