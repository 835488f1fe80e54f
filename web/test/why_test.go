package test

import (
	"strings"
	"testing"
)

// badge is where the number of the chain's link is drawn, and where the place's element is.
const badge = `(place => {
	const at = document.querySelector('#chain-line rect')?.getBoundingClientRect(), e = document.querySelector('[data-place="' + place + '"]')?.getBoundingClientRect();
	return !!at && !!e && at.left < e.right + 20 && at.right > e.left - 20 && at.top < e.bottom + 20 && at.bottom > e.top - 20;
})`

// Asking why, by mouse and by keyboard: the chain is listed, its links lead to their
// steps, and numbers over the stage show where its members are.
func TestWhyIsAThingThere(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	at := b.step()

	// By mouse, the viewer asks about an object of the cache that a watch event
	// brought, and by the button beside its JSON.
	place := eval[string](b, `[...document.querySelectorAll('.tile')].at(-1).dataset.place`)
	b.click(`.tile[data-place="` + place + `"]`)
	b.wait(`document.querySelector('.object-head [data-act=whyAt]')`)
	b.click(`.object-head [data-act=whyAt]`)
	b.wait(`document.querySelectorAll('.chain-part').length > 1`)
	if key := eval[string](b, `document.querySelector('.chain-head .key').textContent`); "store/"+key != place {
		t.Errorf("asked at %s, the page answers about %s", place, key)
	}
	first := eval[string](b, `document.querySelector('.chain-say').textContent`)
	if !strings.HasPrefix(first, "The reflector") && !strings.HasPrefix(first, "The resync") {
		t.Errorf("the chain begins with %q", first)
	}
	b.wait(badge + `(` + quote(place) + `)`)
	b.shot("why")

	// A link leads to its step, and the numbers on the stage follow.
	stations := `JSON.stringify([...document.querySelectorAll('[data-station]')].map(s => { const r = s.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }))`
	before := eval[string](b, stations)
	b.click(`.chain-link:nth-child(2) button`)
	b.stepMoves(at)
	b.wait(`document.querySelector('.chain-link [aria-current]')`)
	b.wait(`document.querySelector('main').dataset.chain.includes('queue/')`)
	b.wait(badge + `(document.querySelector('main').dataset.chain.trim().split(' ')[1])`)
	if after := eval[string](b, stations); after != before {
		t.Errorf("the stations have moved from %s to %s", before, after)
	}
	b.shot("why a link")
	b.click(`.chain-at`)
	b.stepIs(at)

	// By the keyboard alone, the viewer asks about a key in the workqueue and the reconcile that it becomes.
	b.run(`document.activeElement.blur()`)
	b.goUntil(`document.querySelector('.worker .asks')`)
	b.run(`document.querySelector('.worker .asks').focus({preventScroll: true})`)
	b.key("y")
	b.wait(`[...document.querySelectorAll('.chain-say')].some(s => s.textContent.includes('Worker'))`)
	b.wait(`document.querySelector('.chain-things [aria-pressed=true]').textContent === 'Reconcile'`)
	b.chooseLanguage("zh")
	b.wait(`document.querySelector('.chain-part h3').textContent === '由此而来'`)
	b.chooseLanguage("en")
	b.wait(`document.querySelector('.chain-part h3').textContent === 'It came of this'`)

	// Another tab shows no numbers. The chain is closed by its button, and another informer
	// has none.
	b.opensTab("object")
	b.wait(`!document.querySelector('#chain-line rect')`)
	b.opensTab("why")
	b.wait(`document.querySelector('#chain-line rect')`)
	b.click(`[data-act=closeWhy]`)
	b.wait(`!document.querySelector('#chain-line rect') && document.querySelector('.said')`)
	b.key("i")
	b.loaded()
	b.wait(`!document.querySelector('.chain')`)
}
