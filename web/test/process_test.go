package test

import (
	"strings"
	"testing"
)

// boxes are where the stations and the small informers stand.
const boxes = `[...document.querySelectorAll('main .station, main .small-informer')].map((e) => {
	const r = e.getBoundingClientRect(), y = r.y + document.querySelector('main').scrollTop; // the stage of a phone scrolls
	return [e.dataset.station ?? e.dataset.place, ...[r.x, y, r.width, r.height].map(Math.round)].join(' ');
}).join('\n')`

// apart are the pairs of stations and small informers that lie on each other.
const apart = `(() => {
	const all = [...document.querySelectorAll('main .station, main .small-informer, main .wire-state')], found = [];
	for (const a of all) for (const b of all) {
		const r = a.getBoundingClientRect(), s = b.getBoundingClientRect();
		if (a !== b && Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 1) found.push(a.className + ' on ' + b.className);
	}
	return found;
})()`

// Where a process has several informers, one is large and all are small and alive. A click
// makes another one large, the stations stay where they are while it plays, and nothing
// covers anything.
func TestSeveralInformersShareTheStage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	b.opensScript("30-guard-consistency")
	const small = `.small-informer[data-place="informer/1"]`
	seen := map[string]bool{}
	for _, density := range []string{"plain", "full"} {
		b.becomes(density)
		for _, at := range []struct{ w, h int64 }{{1440, 900}, {390, 844}} {
			b.size(at.w, at.h)
			b.key("Home")
			b.stepIs(0)
			first := eval[string](b, boxes)
			for range 9 {
				was := b.step()
				b.key("]")
				for range 12 {
					b.key("ArrowRight")
				}
				b.stepMoves(was)
				if now := eval[string](b, boxes); now != first {
					t.Errorf("%s, %d×%d: at step %d the stations stand at\n%s\nand at the beginning at\n%s", density, at.w, at.h, b.step(), now, first)
				}
				seen[b.text(small+" .small-facts")] = true
			}
			if found := eval[[]string](b, apart); len(found) > 0 {
				t.Errorf("%s, %d×%d: %s", density, at.w, at.h, strings.Join(found, ", "))
			}
			if faults := b.faults(); len(faults) > 0 {
				t.Errorf("%s, %d×%d: %s", density, at.w, at.h, strings.Join(faults, "\n  "))
			}
		}
	}
	b.opensScript("29-two-are-created")
	if len(seen) < 3 {
		t.Errorf("the small informer of pods shows only %v", seen)
	}
	b.size(1440, 900)
	b.goUntil(`document.querySelector('` + small + `').textContent.includes('2 of 3')`)
	b.click(small)
	b.wait(`document.querySelector('` + small + `').ariaPressed === 'true' && document.querySelector('.st-store').textContent.includes('web-2')`)
	b.focus(`.small-informer`)
	b.key("Enter")
	b.wait(`document.querySelector('` + small + `').ariaPressed === 'false' && !document.querySelector('.st-store').textContent.includes('web-2')`)
}
