package test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two versions of client-go stand at the same watch event, whichever way the first one
// goes. With and without resyncs, the first difference is a resync, and it is lit in both.
// Two futures stand beside each other as well. The second machine can be looked at, and
// nothing can be done to it.
func TestTwoMachines(t *testing.T) {
	t.Parallel()
	b := open(t, "#profile=classic")
	b.loaded()
	// A recording of some minutes, in which there are resyncs and no relist.
	b.choose(unpacked(t, "format/testdata/shop.trace.jsonl.gz"), "minutes.trace.jsonl")
	b.key("=")
	b.wait(`document.documentElement.dataset.beside === '0'`)
	b.wait(`document.querySelectorAll('.stage').length === 2`)
	const sent = `[...document.querySelectorAll('.st-server .station-foot span:first-child')].map(e => e.textContent)`
	same := sent + `.every((s, i, all) => s === all[0])`
	b.wait(`document.querySelector('.beside .st-queue h2').textContent === 'RealFIFO' && document.querySelector('main .st-queue h2').textContent === 'DeltaFIFO'`)
	for _, key := range []string{"Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "ArrowRight", "ArrowRight", "]", "Shift+ArrowLeft", "ArrowLeft"} {
		at := b.step()
		if unshifted, held := strings.CutPrefix(key, "Shift+"); held {
			b.key(unshifted, shift)
		} else {
			b.key(key)
		}
		b.stepMoves(at)
		b.wait(same)
	}
	b.key("End")
	b.wait(`+document.documentElement.dataset.beside > 1000 && ` + same)
	b.wait(`document.querySelector('.differences-head').textContent.includes('the same calls')`)
	b.wait(`[...document.querySelectorAll('.beside .tile, main .tile')].length === 0`)
	if n := eval[int](b, `document.querySelectorAll('.beside [data-place], .beside [id], .beside [data-act]:not([data-act=inspect])').length`); n != 0 {
		t.Errorf("%d elements of the second stage send a command or are places", n)
	}

	b.chooses(".compare-with select", "resync")
	b.wait(`document.querySelectorAll('.differ').length > 5`)
	b.run(`document.activeElement.blur()`)
	b.key("d")
	b.wait(`document.querySelectorAll('.pane-name.differs').length === 2 && document.querySelectorAll('.lane.differs').length === 2`)
	b.wait(`document.querySelector('.differ.now').textContent.includes('OnUpdate') && document.querySelector('.differ.now').textContent.includes('no such call')`)
	b.wait(`!document.querySelector('main .lane.differs').textContent.includes('OnUpdate') && document.querySelector('.beside .lane.differs').textContent.includes('OnUpdate')`)
	b.shot("two machines")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds %v", found)
	}
	b.everySize("with two machines")
	other := func(from string) string {
		b.wait(`document.documentElement.dataset.beside !== ` + quote(from))
		return b.state("beside")
	}
	start := b.state("beside")
	b.key("d")
	first := other(start)
	b.wait(`document.querySelectorAll('.lane.differs').length === 2`)
	b.key("d")
	other(first)
	b.key("D")
	b.wait(`document.documentElement.dataset.beside === ` + quote(first))
	b.wait(`document.querySelectorAll('.ruler li').length >= 3`)

	b.click(`main .st-server .menu > button`)
	b.wait(`document.querySelector('main .st-server [role=menu]')?.innerText.includes('compact')`)
	b.click(`main .st-server [role=menuitem][data-arg="compact"]`)
	b.futuresAre("As recorded | [compact]")
	b.opensTab("compare")
	b.chooses(".compare-with select", "lane:0")
	b.wait(`document.querySelector('.pane-2').textContent.includes('As recorded') && document.querySelector('main').matches('[data-simulated]') && !document.querySelector('.beside > .stage').matches('[data-simulated]')`)
	for _, s := range sizes {
		b.size(s.w, s.h)
		for _, fault := range b.faults() {
			if strings.Contains(fault, "station") || strings.Contains(fault, "server") {
				t.Errorf("%d×%d, with two futures: %s", s.w, s.h, fault)
			}
		}
	}
	b.size(1440, 900)
	b.run(`document.activeElement.blur()`)
	b.key("=")
	b.wait(`!document.documentElement.dataset.beside && document.querySelectorAll('.stage').length === 1`)
}

// In a window of a laptop, all stations of both machines are in sight, and nothing is cut. The wires
// lead from station to station in either.
func TestBothMachinesAreInSight(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("=")
	b.wait(`+document.documentElement.dataset.beside >= 0 && document.querySelector('.beside .station')`)
	b.run(`document.activeElement.blur()`)
	b.key("5")
	b.stepMoves(0)
	const ends = `(() => {
		const stray = [];
		for (const stage of document.querySelectorAll('.stage')) {
			const rects = [...stage.querySelectorAll('.station')].map((e) => e.getBoundingClientRect());
			const drawn = [...stage.querySelectorAll('.wire-line')].filter((wire) => wire.getAttribute('d'));
			if (drawn.length < 6) stray.push('there are ' + drawn.length);
			for (const wire of drawn) {
				const m = wire.getScreenCTM(), from = wire.getPointAtLength(0).matrixTransform(m), to = wire.getPointAtLength(wire.getTotalLength()).matrixTransform(m);
				for (const p of [from, to]) if (!rects.some((r) => p.x > r.left - 4 && p.x < r.right + 4 && p.y > r.top - 4 && p.y < r.bottom + 4)) stray.push(wire.parentElement.getAttribute('class'));
			}
		}
		return stray;
	})()`
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		for _, s := range [][2]int64{{1280, 800}, {1440, 900}, {1920, 1080}} {
			b.size(s[0], s[1])
			b.wait(`innerWidth === ` + num(s[0]))
			state := fmt.Sprintf("%s, at %d×%d", lang, s[0], s[1])
			if cut := b.cutTexts(); len(cut) != 0 {
				t.Errorf("%s:\n  %s", state, strings.Join(cut, "\n  "))
			}
			for _, stage := range []string{"main", ".beside > .stage"} {
				if out := eval[[]string](b, `((stage) => {
					const all = [...stage.querySelectorAll('.station')], seen = stage.getBoundingClientRect();
					const out = all.filter((e) => { const r = e.getBoundingClientRect(); return r.top < seen.top || r.bottom > seen.bottom || r.left < seen.left || r.right > seen.right });
					const over = all.filter((e) => e.scrollHeight > e.clientHeight + 4);
					return [...out, ...over].map((e) => e.dataset.station).concat(all.length === 7 ? [] : ['there are ' + all.length]);
				})(document.querySelector(`+quote(stage)+`))`); len(out) != 0 {
					t.Errorf("%s, in %s: out of sight: %q", state, stage, out)
					b.shot(state)
				}
			}
			if off := eval[[]string](b, `[...document.querySelectorAll('main .station')].filter((e) => {
				const of = (stage) => { const s = document.querySelector(stage).getBoundingClientRect(), r = document.querySelector(stage + ' [data-station=' + e.dataset.station + ']').getBoundingClientRect(); return [r.left - s.left, r.width] };
				const [a, b] = ['main', '.beside > .stage'].map(of);
				return a.some((v, i) => Math.abs(v - b[i]) > 1);
			}).map((e) => e.dataset.station)`); len(off) != 0 {
				t.Errorf("%s: %q stand in other columns in the second machine", state, off)
			}
			if stray := eval[[]string](b, ends); len(stray) != 0 {
				t.Errorf("%s: these wires end beside the stations: %q", state, stray)
			}
		}
	}
}

// With an informer for each handler, all handlers are called as before, and what the server sends is
// decoded and cached as often as there are handlers. The second machine shows the informer that is
// chosen. A reload and a link keep that, and Back opens it again.
func TestAnInformerForEachHandler(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("=")
	b.wait(`document.documentElement.dataset.beside === '0'`)
	b.chooses(".compare-with select", "apart")
	b.wait(`document.querySelector('.pane-2').textContent.includes('An informer for each handler: metrics')`)
	b.wait(`document.querySelector('.differences-head').textContent.includes('the same calls')`)
	const cost = `(name => [...document.querySelectorAll('.pair tr')].filter(r => r.firstChild.textContent === name).map(r => [...r.children].slice(1).map(c => +c.textContent.replace(/\D/g, '')))[0])`
	for _, name := range []string{"lists decoded", "requests for a watch", "objects decoded"} {
		if n := eval[[]int](b, cost+`(`+quote(name)+`)`); n[0] == 0 || n[1] != 3*n[0] {
			t.Errorf("%s costs the two machines %v", name, n)
		}
	}
	b.run(`document.activeElement.blur()`)
	b.key("5")
	b.wait(`+document.documentElement.dataset.step > 0`)
	b.chooses("[data-arg='apart:']", "audit")
	shown := func() {
		t.Helper()
		b.wait(`document.querySelector('.pane-2')?.textContent.includes('An informer for each handler: audit')`)
		b.wait(`[...document.querySelectorAll('.beside .lane')].map(l => l.querySelector('.lane-name, b')?.textContent ?? l.textContent).join().includes('audit')`)
	}
	shown()
	b.shot("an informer for each handler")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds %v", found)
	}
	b.everySize("with an informer for each handler")
	at := b.step()
	b.within(b.reload)
	b.ready()
	b.loaded()
	shown()
	b.stepIs(at)

	b.run(`document.activeElement.blur()`)
	b.key("L")
	b.wait(`document.querySelector('.link-field')?.value.includes('beside=apart&informer=audit')`)
	b.wait(`document.querySelector('.link-list').textContent.includes('what it is compared with: An informer for each handler: audit')`)
	link := eval[string](b, `new URL(document.querySelector('.link-field').value).hash`)
	b.key("Escape")
	b.run(`location.hash = '#library=10-one-shared'`)
	b.wait(`document.querySelector('.source').textContent.includes('10-one-shared') && !document.documentElement.dataset.beside`)
	b.loaded()
	b.run(`history.back()`)
	b.wait(`document.querySelector('.source').textContent.includes('shop')`)
	b.loaded()
	shown()
	b.stepIs(at)

	other := open(t, link)
	other.loaded()
	other.wait(`document.querySelector('.pane-2')?.textContent.includes('An informer for each handler: audit')`)
	other.stepIs(at)
}

// Two futures that stand beside each other are kept over a reload, and a link makes both again.
func TestTwoFuturesAreKept(t *testing.T) {
	t.Parallel()
	b := open(t, "#library=02-list-then-watch")
	b.loaded()
	b.key("3")
	b.wait(`+document.documentElement.dataset.step > 0`)
	b.click(`main .st-server .menu > button`)
	b.wait(`document.querySelector('main .st-server [role=menu]')?.innerText.includes('compact')`)
	b.click(`main .st-server [role=menuitem][data-arg="compact"]`)
	b.futuresAre("As written | [compact]")
	b.key("=")
	b.wait(`document.querySelector('.pane-1')?.textContent.includes('compact') && document.querySelector('.pane-2')?.textContent.includes('As written')`)
	names := eval[string](b, `[...document.querySelectorAll('.pane-name b:nth-child(2)')].map(e => e.textContent).join(' | ')`)
	at := b.step()
	b.within(b.reload)
	b.ready()
	b.loaded()
	b.wait(`[...document.querySelectorAll('.pane-name b:nth-child(2)')].map(e => e.textContent).join(' | ') === ` + quote(names))
	b.stepIs(at)
	b.run(`document.activeElement.blur()`)
	b.key("L")
	b.wait(`document.querySelector('.link-field')?.value.includes('beside=future')`)
	link := eval[string](b, `new URL(document.querySelector('.link-field').value).hash`)
	other := open(t, link)
	other.loaded()
	other.wait(`[...document.querySelectorAll('.pane-name b:nth-child(2)')].map(e => e.textContent).join(' | ') === ` + quote(names))
	other.stepIs(at)
}

// Another capture stands beside the one shown: the page's own recording, a file that is chosen, or one
// that is dropped while the page asks for it. Both stand at the same resourceVersion, the first
// difference is lit in both, and an object that is inspected in the second one is its own. A reload
// keeps both files. A link has the first one, and asks for both.
func TestTwoCaptures(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	whole := unpacked(t, "format/testdata/shop.trace.jsonl.gz")
	var cut []byte
	for line := range bytes.Lines(whole) {
		if !bytes.Contains(line, []byte(`"type":"DELETED"`)) {
			cut = append(cut, line...)
		}
	}
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`)
	b.choose(whole, "whole.trace.jsonl")
	b.loaded()
	b.opensTab("compare")
	asks := func() {
		b.click(`.compare-choice > button`)
		b.wait(`document.documentElement.dataset.dialog === 'second'`)
	}
	asks()
	b.shot("the page asks for another capture")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds %v", found)
	}
	b.click(`.dialog-foot [data-arg=sample]`)
	b.wait(`document.querySelector('.pane-1')?.textContent.includes('whole.trace') && document.querySelector('.pane-2')?.textContent.includes('shop.trace')`)
	b.wait(`document.querySelector('.panel.compare').innerText.includes('In step by the time since each beginning')`)
	b.wait(`document.querySelector('.differences-head').textContent.includes('Handlers are called differently')`)

	asks()
	file := filepath.Join(t.TempDir(), "cut.trace.jsonl")
	b.check(os.WriteFile(file, cut, 0o600))
	b.drop("dialog", file)
	both := func() {
		t.Helper()
		b.wait(`document.querySelector('.pane-1')?.textContent.includes('whole.trace') && document.querySelector('.pane-2')?.textContent.includes('cut.trace')`)
	}
	both()
	b.wait(`document.querySelector('.panel.compare').innerText.includes('In step by resourceVersion')`)
	b.wait(`document.querySelector('.differences-head').textContent.includes('Handlers are called differently')`)
	b.run(`document.activeElement.blur()`)
	b.key("Home")
	b.key("d")
	b.wait(`document.querySelectorAll('.pane-name.differs').length === 2 && document.querySelector('.differ.now').textContent.includes('OnDelete') && document.querySelector('.differ.now').textContent.includes('no such call')`)
	at := b.step()
	b.shot("two captures")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds %v", found)
	}
	b.everySize("with two captures")
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	b.click(`[data-act=theme]`)
	b.everySize("with two captures, in Chinese")
	asks()
	b.everySize("the page asks for another capture, in Chinese")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("in Chinese, axe finds %v", found)
	}
	b.shot("two captures, in Chinese")
	b.key("Escape")
	b.click(`[data-act=theme]`)
	b.chooseLanguage("en")
	b.wait(`document.documentElement.lang.startsWith('en')`)
	tile := eval[string](b, `document.querySelector('.beside .tile').textContent`)
	b.run(`document.querySelector('.beside .tile').click()`)
	b.wait(`document.querySelector('.object-version .rv') && ` + quote(tile) + `.includes(document.querySelector('.object-version .rv').textContent)`)
	b.opensTab("compare")

	b.within(b.reload)
	b.ready()
	b.loaded()
	both()
	b.stepIs(at)
	b.run(`document.activeElement.blur()`)
	b.key("L")
	b.wait(`document.querySelector('.link-field')?.value.includes('beside=capture&file=cut.trace.jsonl')`)
	link := eval[string](b, `new URL(document.querySelector('.link-field').value).hash`)

	b = open(t, link)
	b.wait(`document.documentElement.dataset.dialog === 'expected' && document.querySelector('dialog').textContent.includes('whole.trace.jsonl')`)
	b.choose(whole, "whole.trace.jsonl")
	b.wait(`document.documentElement.dataset.dialog === 'expected' && document.querySelector('dialog').textContent.includes('cut.trace.jsonl')`)
	b.choose(cut, "cut.trace.jsonl")
	both()
	b.stepIs(at)
	b.run(`document.activeElement.blur()`)
	b.key("=")
	b.wait(`!document.documentElement.dataset.beside && document.querySelectorAll('.stage').length === 1`)
}
