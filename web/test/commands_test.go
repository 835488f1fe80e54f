package test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hold presses a key while Ctrl is held.
func (b *tab) hold(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// Any command is found by typing a part of its title in either language, and done by Enter. The
// focus comes back to where it was.
func TestThePalette(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	offers := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll('.offer')].map(e => e.innerText)`)
	}
	b.focus(onTimeline)
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input') && document.querySelectorAll('.offer').length > 30`)
	for _, o := range offers() {
		if strings.Contains(o, "Undo") {
			t.Error("the palette offers to undo although nothing was done")
		}
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the palette:\n  %s", strings.Join(found, "\n  "))
	}
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && document.activeElement.matches('[role=slider]')`)

	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('.dialog-foot [data-act=palette]')`)
	b.click(`.dialog-foot [data-act=palette]`)
	b.wait(`document.activeElement.matches('.is-palette input')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && document.activeElement.matches('.top [data-act=help]')`)
	b.focus(onTimeline) // the driver's Enter would press a button that gets the focus
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input')`)
	b.run(`const field = document.activeElement; field.value = 'undo'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	if o := offers(); !strings.Contains(o[0], "nothing to undo") || !strings.Contains(o[0], "u") {
		t.Errorf("of undo the palette says %q", o)
	}
	b.run(`const field = document.activeElement; field.value = '设置'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1 && document.querySelector('.offer').innerText.includes('Setup')`)
	b.shot("palette")
	b.key("Enter")
	b.wait(`!document.querySelector('dialog[open]') && document.querySelector('.tabpanel[data-view=setup]') && document.activeElement.matches('[role=slider]')`)

	b.hold("k")
	b.wait(`document.querySelectorAll('.offer').length > 30`)
	for range 12 {
		b.key("ArrowDown")
	}
	b.wait(`(() => { const chosen = document.querySelector('.offer[aria-selected=true]'), list = chosen.parentElement.getBoundingClientRect(), r = chosen.getBoundingClientRect();
		return chosen.id === 'offer-12' && document.activeElement.getAttribute('aria-activedescendant') === 'offer-12' && r.top >= list.top - 1 && r.bottom <= list.bottom + 1; })()`)

	// What releases change opens at the versions that are shown.
	b.run(`const field = document.activeElement; field.value = 'what changes between releases'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	b.key("Enter")
	b.wait(`document.querySelector('.changes-shown select')?.value === 'v0.22' && /changes\.html#v0\.22\.0-v0\.37$/.test(document.getElementById('changes-page').href)`)
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input')`)

	// The report of a problem is shown, and saved when the viewer wants that. No secret and no
	// name that the console has told is in it.
	b.allow("GET https://admin")
	b.run(`console.warn('GET https://admin:hunter2@prod.example.com/api?token=abcdef0123456789 failed', {toString: () => 'Authorization: Bearer opensesame12345'})`)
	b.run(`const field = document.activeElement; field.value = 'report a problem'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	b.key("Enter")
	b.wait(`document.querySelector('.is-report pre')`)
	b.shot("report")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the report:\n  %s", strings.Join(found, "\n  "))
	}
	file := b.given(func() { b.click(`[data-act=saveReport]`) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report := string(text)
	for _, has := range []string{`{"informerscope":"report","version":"`, `"redacted":["`, `Chrome/`, `palette`, `Arrived Own Still`, `warn: GET https://`, `"step":"0"`, `debug: life of 1: opening `, `running onRan resting`} {
		if !strings.Contains(report, has) {
			t.Errorf("the report lacks %s:\n%s", has, report)
		}
	}
	for _, has := range []string{"hunter2", "prod.example.com", "abcdef0123456789", "opensesame"} {
		if strings.Contains(report, has) {
			t.Errorf("the report has %s:\n%s", has, report)
		}
	}
}

// In the list of keys the viewer gives a command another key, which works at once and after a
// reload, and switches single characters off.
func TestKeysAreChanged(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('dialog[open] [data-act=editKeys]')`)
	b.click(`[data-act=editKeys]`)
	b.wait(`document.querySelector('[data-act=addKey][data-arg=step]')`)
	b.click(`[data-act=addKey][data-arg=step]`)
	b.wait(`document.querySelector('[data-listens]') === document.activeElement`)
	b.key("s")
	b.wait(`document.querySelector('.key-says')?.innerText.includes('Save')`)
	b.shot("keys")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the list of keys:\n  %s", strings.Join(found, "\n  "))
	}
	b.click(`[data-act=takeKey]`)
	b.wait(`!document.querySelector('[data-act=takeKey]') && document.querySelector('[data-act=resetKeys][data-arg=save]')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.run(`document.activeElement.blur()`)
	b.key("s")
	b.stepIs(1)
	b.within(b.reload)
	b.loaded()
	b.stepIs(1)
	b.key("s")
	b.stepIs(2)

	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('[data-act=singleKeys]')`)
	b.click(`[data-act=singleKeys]`)
	b.wait(`localStorage.keys.startsWith('-')`)
	b.key("Escape")
	b.run(`document.activeElement.blur()`)
	b.key("s")
	b.key("ArrowRight")
	b.stepIs(3)
	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('.dialog-foot [data-act=resetKeys]:enabled')`)
	b.click(`.dialog-foot [data-act=resetKeys]`)
	b.wait(`localStorage.keys === ''`)
}
