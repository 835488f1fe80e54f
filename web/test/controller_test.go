package test

import (
	"strings"
	"testing"
)

// station is what the station of the controller shows.
const station = `(() => {
	const at = (s) => document.querySelector('.st-work ' + s);
	const rows = [...document.querySelectorAll('.belief tr')].map((r) => r.querySelector('.n').textContent + (r.hasAttribute('data-differs') ? '!' : ''));
	return (at('.gate').hasAttribute('data-shut') ? 'shut' : 'open') + ' ' + rows.join(' ') + ' ' + (at('.program-lines [aria-current] code')?.textContent ?? '-');
})()`

// Two pods are created in the place of one, and it is seen why: what the controller
// believes differs from what is true, and the line that creates is lit.
func TestTwoAreCreatedIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensScript("29-two-are-created")
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
