package test

import (
	"strings"
	"testing"
)

// The page of changes shows what differs between the two releases in its address, in two languages,
// and each change leads to a lesson that shows both releases.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site + "changes.html#v0.32-v0.34")
	shownThere := `[...document.querySelectorAll('article:not([hidden])')].map((e) => e.id).join()`
	b.wait(shownThere + ` === 'in-order,stops-at-once,stop-ends-requests,stream-transforms,release-reads'`)
	b.click(`#langs [value=zh]`)
	b.wait(`document.querySelector('#in-order [lang=zh]').checkVisibility() && !document.querySelector('#in-order [lang=en]').checkVisibility()`)
	b.run(`document.getElementById('to').value = 'v0.32'; document.getElementById('to').dispatchEvent(new Event('change'))`)
	b.wait(`location.hash === '#v0.32-v0.32' && !document.querySelector('article:not([hidden])') && document.getElementById('none').checkVisibility()`)
	b.run(`location.hash = '#v0.26.3-v0.26.4'`)
	b.wait(shownThere + ` === 'deletes-queued,transforms-early' && document.getElementById('to-patch').selectedOptions[0].text === '.4'`)
	b.run(`document.getElementById('from-patch').value = '.4'; document.getElementById('from-patch').dispatchEvent(new Event('change'))`)
	b.wait(`location.hash === '#v0.26.4-v0.26.4' && document.getElementById('none').checkVisibility()`)
	b.run(`location.hash = '#v0.32.1-v0.32.9'`)
	b.wait(`document.getElementById('none').checkVisibility() && document.getElementById('from-patch').value === '.1' && document.getElementById('to-patch').value === '.9'`)
	b.shot("patch releases")
	b.run(`location.hash = '#v0.32-v0.33.99'`)
	b.wait(shownThere + ` === 'in-order,stop-ends-requests' && document.getElementById('to-patch').value === '.13'`)
	b.run(`location.hash = '#v0.37-v0.38'`)
	b.wait(shownThere + ` === 'repeated-keys,sharded,pausable,keeps-same-index,late-version-metric,adds-missing,release-looks'`)
	b.wait(`document.getElementById('to').selectedOptions[0].text === 'v0.38 beta' && document.getElementById('to-patch').value === '.0-beta.0'`)
	b.shot("the beta")
	b.click(`#langs [value=en]`)
	b.click(`#repeated-keys .button[lang=en]`)
	b.standsAside("repeated-keys", "v0.36.0–v0.37.2", "v0.38 beta")
	b.wait(`location.hash.includes('v0.38.0-beta.0')`)
	for _, gate := range []string{"sharded", "pausable", "late-version-metric", "release-looks"} { // the others say why no script shows them
		b.goTo(env.site + "changes.html#v0.37-v0.38")
		b.wait(`document.querySelectorAll('article:not([hidden]) .button[lang=en]').length === 5`)
		b.click(`#` + gate + ` .button[lang=en]`)
		b.standsAside(gate, "v0.36.0–v0.37.2", "v0.38 beta")
	}

	b.goTo(env.site + "changes.html#v0.32-v0.33.99")
	b.wait(shownThere + ` === 'in-order,stop-ends-requests'`)
	b.click(`#in-order .button[lang=en]`)
	b.standsAside("in-order", "v0.32.0–v0.32.13", "v0.33.0")

	// The page has the same in a dialog, beside the choice of versions. What could not be fetched can be
	// fetched again, and what is on its way is given up where the viewer closes the dialog.
	b.opensTab("compare")
	b.chooses(`[data-act=compareWith]`, "profile:classic")
	b.wait(`document.querySelector('.pane-2')?.textContent.includes('v0.22')`)
	b.run(`window.given = 0; window.real = window.fetch;
		window.fetch = (url, {signal}) => new Promise((_, lost) => { window.lose = lost; signal.addEventListener('abort', () => { window.given++; lost(signal.reason); }); })`)
	b.click(`.compare-choice [data-act=changes]`)
	b.wait(`document.querySelector('.changes-fetching').checkVisibility()`)
	b.key("Escape")
	b.wait(`window.given === 1 && !document.querySelector('dialog[open]')`)
	b.click(`.compare-choice [data-act=changes]`)
	b.wait(`document.querySelector('.changes-fetching').checkVisibility()`)
	b.run(`window.lose(new Error('the server is away')); window.fetch = window.real`)
	b.wait(`document.querySelector('.changes-failed').checkVisibility() && document.querySelector('.changes-failed').textContent.includes('the server is away')`)
	b.click(`.changes-failed button`)
	shown := `[...document.querySelectorAll('.changes-shown article')].filter((e) => e.checkVisibility()).map((e) => e.dataset.gate).join()`
	b.wait(`document.querySelector('.changes-shown select').value === 'v0.32' && document.querySelectorAll('.changes-shown select')[2].value === 'v0.22' && ` + shown + `.startsWith('runs-once,keeps-index,')`)
	b.run(`const to = document.querySelectorAll('.changes-shown select')[2]; to.value = 'v0.34'; to.dispatchEvent(new Event('change'))`)
	b.wait(shown + ` === 'in-order,stops-at-once,stop-ends-requests,stream-transforms,release-reads' && document.getElementById('changes-page').href.endsWith('changes.html#v0.32.0-v0.34')`)
	b.run(`const patch = document.querySelectorAll('.changes-shown select')[3]; patch.value = '.0'; patch.dispatchEvent(new Event('change'))`)
	b.wait(shown + ` === 'in-order,stops-at-once,stop-ends-requests,stream-transforms,release-reads' && document.getElementById('changes-page').href.endsWith('changes.html#v0.32.0-v0.34.0')`)
	b.shot("dialog")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the dialog:\n  %s", strings.Join(found, "\n  "))
	}
	b.everySize("with the changes between two releases")
	b.click(`[data-gate=stops-at-once] .button`)
	b.standsAside("stops-at-once", "v0.33.13", "v0.34.0")
	b.shot("side by side")
}

// standsAside waits until the lesson of a change is open, with a machine of each release, at the step where
// the two differ.
func (b *tab) standsAside(name, before, after string) {
	b.t.Helper()
	b.loaded()
	b.wait(`document.querySelectorAll('.stage').length === 2 && document.querySelector('.pane-1').textContent.includes('client-go ` + before + `') && document.querySelector('.pane-2').textContent.includes('client-go ` + after + `')`)
	b.wait(`document.querySelector('.lesson-text h1, .lesson-text h2')?.textContent === '` + name + `'`)
}
