package test

import (
	"strings"
	"testing"
)

// Two versions of client-go stand at the same watch event, whichever way the first one
// goes. With and without resyncs, the first difference is a resync, and it is lit in both.
// Two futures stand beside each other as well. The second machine can be looked at and not be
// acted on.
func TestTwoMachines(t *testing.T) {
	b := open(t)
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
		t.Errorf("%d elements of the second stage stand for something", n)
	}

	b.chooses(".compare-with select", "resync")
	b.wait(`document.querySelectorAll('.differ').length > 5`)
	b.run(`document.activeElement.blur()`)
	b.key("d")
	b.wait(`document.querySelectorAll('.pane-name.differs').length === 2 && document.querySelectorAll('.lane.differs').length === 2`)
	b.wait(`document.querySelector('.differ.now').textContent.includes('OnUpdate') && document.querySelector('.differ.now').textContent.includes('no such call')`)
	b.wait(`document.querySelector('main .lane.differs').textContent.includes('OnUpdate') && !document.querySelector('.beside .lane.differs').textContent.includes('OnUpdate')`)
	b.shot("two machines")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds %v", found)
	}
	b.everySize("with two machines")
	first := b.step()
	b.key("d")
	b.stepMoves(first)
	b.wait(`document.querySelectorAll('.lane.differs').length === 2`)
	b.key("D")
	b.stepIs(first)
	b.wait(`document.querySelectorAll('.ruler li').length >= 6`)

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
