package test

import "testing"

// The page of changes shows what differs between the two releases in its address, in two languages,
// and each change leads to a lesson that shows both releases.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site + "changes.html#v0.32-v0.34")
	b.wait(`[...document.querySelectorAll('article:not([hidden])')].map((e) => e.id).join() === 'in-order,stops-at-once,stop-ends-requests'`)
	b.click(`#langs [value=zh]`)
	b.wait(`document.querySelector('#in-order [lang=zh]').checkVisibility() && !document.querySelector('#in-order [lang=en]').checkVisibility()`)
	b.run(`document.getElementById('to').value = 'v0.32'; document.getElementById('to').dispatchEvent(new Event('change'))`)
	b.wait(`location.hash === '#v0.32-v0.32' && !document.querySelector('article:not([hidden])') && document.getElementById('none').checkVisibility()`)
	b.run(`location.hash = '#v0.32-v0.33'`)
	b.click(`#langs [value=en]`)
	b.click(`#in-order .button[lang=en]`)
	b.loaded()
	b.click(`.lesson-compare [data-act=compare]`)
	b.shot("changes")
}
