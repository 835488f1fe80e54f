package test

import (
	"strings"
	"testing"
)

func TestInspectsAnObject(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("5")
	b.stepMoves(0)
	b.inspect()
	b.wait(`document.body.innerText.includes('"metadata"') && document.body.innerText.includes('"resourceVersion"')`)
	b.shot("object")
}

func TestHandlersAreSetUpInThePage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensTab("setup")
	b.wait(`document.querySelector('[data-act=addHandler]')`)
	if text := strings.ToLower(eval[string](b, `document.body.innerText`)); !strings.Contains(text, "simulated") {
		t.Error("nothing says that the handlers are simulated")
	}
	b.shot("setup")
	b.click(`[data-act=addHandler]`)
	b.wait(`[...document.querySelectorAll('input')].some(i => i.value === 'handler-4')`)
	b.click(`[data-act=applySetup]`)
	b.wait(`document.querySelector('main').textContent.includes('handler-4')`)
	b.loaded()
	at := b.step()
	b.key("ArrowRight", shift)
	b.stepMoves(at)
}

func TestAnInformerForEachResource(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	names := eval[[]string](b, `[...document.querySelectorAll('select[data-act=informer] option')].map(o => o.textContent)`)
	if len(names) != 12 {
		t.Errorf("the bundled trace has %d informers: %q", len(names), names)
	}
	before := eval[string](b, `document.querySelector('select[data-act=informer]').value`)
	b.key("i")
	b.wait(`document.querySelector('select[data-act=informer]').value !== ` + quote(before))
	b.loaded()
	at := b.step()
	b.key("End")
	b.stepMoves(at)
}

func TestScrubsOnTheTimeline(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("End")
	end := b.stepMoves(0)
	b.key("Home")
	b.stepIs(0)
	r := eval[[]float64](b, `(() => { const r = document.querySelector('`+onTimeline+`').getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	b.drag(r[0]+r[2]*0.2, r[1]+r[3]/2, r[0]+r[2]*0.75, r[1]+r[3]/2)
	b.wait(`Math.abs(+document.documentElement.dataset.step / ` + num(end) + ` - 0.75) < 0.05`)
	at := b.step()
	b.key("ArrowLeft")
	b.stepMoves(at)
}
