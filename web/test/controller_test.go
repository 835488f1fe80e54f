package test

import (
	"fmt"
	"strings"
	"testing"
)

// station is what the station of the controller shows.
const station = `(() => {
	const at = (s) => document.querySelector('.st-work ' + s);
	const rows = [...document.querySelectorAll('main .belief tr')].map((r) => r.querySelector('.n').textContent + (r.hasAttribute('data-differs') ? '!' : ''));
	return (at('.gate').hasAttribute('data-shut') ? 'shut' : 'open') + ' ' + rows.join(' ') + ' ' + (at('.program-lines [aria-current] code')?.textContent ?? '-');
})()`

// Two pods are created in the place of one, and it is seen why: what the controller
// believes differs from what is true, and the line that creates is lit.
func TestTwoAreCreatedIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("29-two-are-created")
	if gate, worker := b.text(".gate"), b.text(".worker"); !strings.Contains(gate, "workers start once these caches have synced: replicasets, pods") || !strings.Contains(worker, "not started") {
		t.Errorf("before anything runs, the gate says %q and the worker %q", gate, worker)
	}
	b.goUntil(`document.querySelector('.gate').textContent.includes('nothing to wait for') && document.querySelector('.worker').textContent.includes('idle')`)
	b.goUntil(`document.querySelector('.small-informer[data-place="informer/1"]').textContent.includes('2 of 3')`)
	b.goUntil(station + ` === 'open 3 2! 2! list'`)
	b.goUntil(station + ` === 'open 4 2! 3! while children < .spec.replicas generate'`)
	if foot := b.text(".belief-foot"); !strings.Contains(foot, "web-6") || !strings.Contains(foot, "web-8") {
		t.Errorf("of what the cache lacks, it says %q", foot)
	}
	b.goUntil(`document.querySelector('.st-work .unseen')?.textContent.includes('pods: wrote 8, cache at 3')`)
	b.key("End")
	b.wait(`!document.querySelector('.st-work .unseen') && !document.querySelector('.belief[data-differs]')`)
}

// A guard shuts while it waits, and says for what. Meanwhile a key that failed climbs the
// ladder of its back-off.
func TestTheGuardsGateIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("30-guard-consistency")
	b.goUntil(`document.querySelector('.gate[data-shut] .unseen')`)
	b.goUntil(`document.querySelectorAll('.set-delayed .ladder [data-has]').length === 5`)
	if left := b.text(".set-delayed .left"); !strings.Contains(left, "ms") {
		t.Errorf("the key that is put off has the time %q", left)
	}
	if cut := b.cutTexts(); len(cut) > 0 {
		t.Errorf("of the texts, some are cut: %s", strings.Join(cut, "\n  "))
	}
	b.key("p") // a room sees all of the controller
	b.wait(`document.documentElement.dataset.presenting === 'true'`)
	if cut := b.cutTexts(); len(cut) > 0 {
		t.Errorf("of the texts that a room sees, some are cut: %s", strings.Join(cut, "\n  "))
	}
	b.key("Escape")
	b.wait(`!document.documentElement.dataset.presenting`)
	b.key("End")
	b.wait(`document.querySelector('.gate:not([data-shut])') && !document.querySelector('.st-work .unseen')`)
	b.opensScript("30-guard-expectations")
	b.goUntil(`document.querySelector('.gate[data-shut]')?.textContent.includes('+1 −0 · 5\u202fmin left')`)
	b.opensScript("30-guard-readyourwrites")
	b.goUntil(`document.querySelector('.gate[data-shut]') && document.querySelector('.worker[data-waits]')`)
	b.focus(`.holds`) // it scrolls by the keyboard
	b.size(390, 844)
	b.wait(`document.querySelector('.gate[data-shut]')`)
	if faults := b.faults(); len(faults) > 0 {
		t.Errorf("on a phone: %s", strings.Join(faults, "\n  "))
	}
}

// The question of the day in a few actions: the same script with another guard stands beside
// it, from the menu of the controller, and there is one pod less.
func TestAnotherGuardStandsBeside(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("29-two-are-created")
	b.click(`.st-work [data-act=menu]`)
	b.wait(`document.querySelector('.menu-list [data-arg="guard:expectations"]')`)
	b.focus(`.menu-list [data-arg="guard:expectations"]`)
	b.key("Enter")
	b.wait(`document.documentElement.dataset.beside && !document.querySelector('.menu-list')`)
	b.goUntil(station + ` === 'open 4 2! 3! while children < .spec.replicas generate'`)
	if says := eval[string](b, `document.querySelector('.beside .gate').hasAttribute('data-shut') + ' ' + document.querySelector('.beside .belief .n').textContent`); says != "true 3" {
		t.Errorf("beside it, the gate and the number of pods are %s", says)
	}
	for _, at := range []struct{ w, h int64 }{{1440, 900}, {1920, 1080}, {390, 844}} {
		b.size(at.w, at.h)
		if faults := b.faults(); len(faults) > 0 {
			t.Errorf("%d×%d: %s", at.w, at.h, strings.Join(faults, "\n  "))
		}
	}
	b.size(1440, 900)
	b.reload(b.ctx)
	b.wait(`document.documentElement.dataset.beside && document.querySelector('.beside .gate[data-shut]')`)
}

// What can be done at a controller is in its menu: the cache of what its objects own lags, and
// the belief parts from the truth.
func TestAControllersGestures(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("30-guard-live")
	b.key("End")
	b.pickEntry("work", "lag server 5s pods", false)
	b.opensTab("console")
	b.run(`document.getElementById('console-line').focus()`)
	b.write("update replicaset default/web .spec.replicas=5")
	b.write("advance 100ms")
	b.wait(`document.querySelector('main .belief[data-differs]') && document.querySelector('main .belief-foot').textContent.includes('wants 5')`)
	b.pickEntry("work", "lag server 0s pods", true)
	b.opensTab("console")
	b.run(`document.getElementById('console-line').focus()`)
	b.write("run")
	b.wait(`!document.querySelector('main .belief[data-differs]')`)
}

// A table over all guards, from the menu of the controller: which of them makes no duplicate, and what
// each of them costs.
func TestTheTableOverGuards(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("29-two-are-created")
	b.click(`.st-work [data-act=menu]`)
	b.wait(`document.querySelector('.menu-list [data-act=countGuards]')`)
	b.focus(`.menu-list [data-act=countGuards]`)
	b.key("Enter")
	b.wait(`document.querySelectorAll('.tally tbody tr').length >= 7 && document.querySelector('.is-guards [role=status]').textContent.startsWith('All of this')`)
	duplicates := eval[[]string](b, `[...document.querySelectorAll('.tally tbody tr')].map((r) => r.cells[0].textContent + ' ' + r.cells[1].textContent)`)
	for _, row := range duplicates {
		if none := strings.HasPrefix(row, "no guard"); none == strings.HasSuffix(row, " 0") {
			t.Errorf("of duplicates, a row says %q", row)
		}
	}
	if n := eval[int](b, `document.querySelector('.tally [data-own] .lag-plot').children.length`); n != 6 {
		t.Errorf("the plot has %d lags", n)
	}
	for _, at := range []struct{ w, h int64 }{{1440, 900}, {390, 844}} {
		b.size(at.w, at.h)
		if faults := b.faults(); len(faults) > 0 {
			t.Errorf("%d×%d: %s", at.w, at.h, strings.Join(faults, "\n  "))
		}
		b.shot(fmt.Sprintf("table %d", at.w))
	}
}

// A recording from within a controller is played with its workers as they were. The station and the
// setup say so, and there they can be given a time of their own instead. What the controller did itself
// is asked for in the search, and each row leads to its moment.
func TestARecordedController(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, testdata(t, "report/controller/testdata/client-go-late.stale27.duplicates6.trace.jsonl.gz"))
	b.wait(`document.querySelector('.source').textContent.includes('late')`)
	b.loaded()
	badge := func(is bool) {
		t.Helper()
		b.wait(fmt.Sprintf(`document.querySelector('.st-work').innerText.includes('web, as recorded') === %t`, is))
	}
	badge(true)
	const follows = `[data-act=setup][data-arg=follows]`
	for _, on := range []bool{false, true} {
		b.opensTab("setup")
		b.wait(fmt.Sprintf(`document.querySelector('%s')?.checked === %t`, follows, !on))
		b.click(follows)
		b.wait(`document.querySelector('[data-act=applySetup]:enabled')`)
		b.click(`[data-act=applySetup]`)
		b.loaded()
		badge(on)
	}

	b.opensTab("search")
	b.click(`[data-act=askOwn]`)
	b.wait(`document.querySelectorAll('.own details').length === 4`)
	b.click(`.own details:first-of-type summary`)
	b.wait(`document.querySelectorAll('.own details:first-of-type .hits button').length === 27`)
	at := b.step()
	b.click(`.own details:first-of-type .hits li:nth-child(3) button`)
	b.stepMoves(at)
	b.opensTab("explain")
	b.wait(`document.querySelector('.explain .said').innerText.includes('As recorded, worker')`)
	b.opensTab("search")
	b.click(`.own details:first-of-type summary`)
	for _, theme := range []string{"light", "dark"} {
		b.media("prefers-color-scheme", theme)
		if found := b.violations(); len(found) != 0 {
			t.Errorf("axe finds, %s:\n  %s", theme, strings.Join(found, "\n  "))
		}
		b.shot("own " + theme)
	}
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	b.everySize("what a controller did itself")
	b.shot("own zh")
	b.size(390, 844)
	b.run(`document.querySelector('.own .hits').scrollIntoView()`)
	b.shot("own narrow")
	b.click(`[data-act=askOwn]`)
	b.wait(`!document.querySelector('.own details')`)
}

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
				t.Errorf("%d×%d: at step %d the stations stand at\n%s\nand at the beginning at\n%s", at.w, at.h, b.step(), now, first)
			}
			seen[b.text(small+" .small-facts")] = true
		}
		if found := eval[[]string](b, apart); len(found) > 0 {
			t.Errorf("%d×%d: %s", at.w, at.h, strings.Join(found, ", "))
		}
		if faults := b.faults(); len(faults) > 0 {
			t.Errorf("%d×%d: %s", at.w, at.h, strings.Join(faults, "\n  "))
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
