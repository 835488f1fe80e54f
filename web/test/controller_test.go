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
	b.becomes("plain")
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
	for _, density := range []string{"plain", "full"} {
		b.becomes(density)
		for _, at := range []struct{ w, h int64 }{{1440, 900}, {1920, 1080}, {390, 844}} {
			b.size(at.w, at.h)
			if faults := b.faults(); len(faults) > 0 {
				t.Errorf("%s, %d×%d: %s", density, at.w, at.h, strings.Join(faults, "\n  "))
			}
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
	b.does("work", "lag server 5s pods", false)
	b.opensTab("console")
	b.run(`document.getElementById('console-line').focus()`)
	b.write("update replicaset default/web .spec.replicas=5")
	b.write("advance 100ms")
	b.wait(`document.querySelector('main .belief[data-differs]') && document.querySelector('main .belief-foot').textContent.includes('wants 5')`)
	b.does("work", "lag server 0s pods", true)
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
