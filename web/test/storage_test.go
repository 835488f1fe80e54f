package test

import (
	"strings"
	"testing"
)

// forbidden is a browser that forbids storage: even to ask for it throws, and locks are refused.
const forbidden = `
	for (const name of ['localStorage', 'sessionStorage']) {
		Object.defineProperty(window, name, {get: () => { throw new DOMException('The operation is insecure.', 'SecurityError') }});
	}
	const refuse = () => Promise.reject(new DOMException('refused', 'SecurityError'));
	if (isSecureContext) LockManager.prototype.request = CacheStorage.prototype.has = ServiceWorkerContainer.prototype.register = refuse;`

// The page starts where the browser forbids storage, and says once what is then not kept.
func TestTheBrowserForbidsStorage(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.preload(forbidden)
			b.goTo(env.site + "#trace=shop")
			b.ready()
			b.wait(`document.querySelector('.notice')?.textContent.includes('keeps nothing for the page')`)
			b.shot("forbidden")
			b.click(`.notice [data-act=unkept]`)
			b.wait(`!document.querySelector('.notice')`)
			b.run(`document.querySelector('[data-act=theme]').click()`)
			b.wait(`document.documentElement.dataset.theme`)
			b.key("End")
			b.stepMoves(0)
			if eval[bool](b, `Boolean(document.querySelector('.notice'))`) {
				t.Error("it says so again")
			}
			b.within(b.reload)
			b.ready()
			b.wait(`document.querySelector('.notice [data-act=unkept]')`)
		})
	}
}

// A draft that the browser has no room for is said to be lost on a reload, and is offered as a file.
func TestADraftWithoutRoom(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.preload(`const set = Storage.prototype.setItem;
		Storage.prototype.setItem = function (name, value) {
			if (this === sessionStorage && value.includes('draft=')) throw new DOMException('full', 'QuotaExceededError');
			set.call(this, name, value);
		};`)
	b.goTo(env.site)
	b.ready()
	b.choose([]byte(lessonOfAllKinds), "mine.md")
	b.lessonIs("mine", 0)
	b.click(`.lesson-head [data-act=edit]`)
	b.wait(`document.activeElement.matches('.write-text')`)
	if eval[bool](b, `Boolean(document.querySelector('.write-lost'))`) {
		t.Error("it says that a text is lost which nobody has changed")
	}
	b.run(`const field = document.querySelector('.write-text');
		field.value = field.value.replace('A lesson of my own.', 'One of mine.');
		field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelector('.write-lost')?.textContent.includes('keeps no draft')`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("draft")
	b.click(`.write-lost [data-act=save]`)
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
}
