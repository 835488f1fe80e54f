package test

import (
	"strconv"

	"github.com/chromedp/chromedp"
)

const shift = chromedp.ModifierShift

// The page says its state in attributes of its root element.
const (
	stateReady   = "ready"   // "true" when the page can be used: a trace is shown, or there is none to show
	stateStep    = "step"    // the number of the step that is shown
	stateLoading = "loading" // "true" while a trace is read
	statePlaying = "playing" // "true" while it plays
)

// Selectors of what the tests use.
const (
	onFile     = `input[type=file]`
	onPlay     = `[data-act=play]`
	onStep     = `[data-act=step]`
	onBack     = `[data-act=back]`
	onCancel   = `[data-act=cancel]`
	onStage    = `main`
	onTimeline = `[role=slider]`
)

// ready waits until the page can be used.
func (b *tab) ready() {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.ready === 'true'`)
	b.machine()
}

// machine leads from the report card of a capture to the machine.
func (b *tab) machine() {
	b.t.Helper()
	if b.state("view") == "card" {
		b.click(".top [data-act=card]")
		b.wait(`document.documentElement.dataset.view !== 'card' && document.querySelector('.stage')`)
	}
}

// step returns the number of the step that is shown.
func (b *tab) step() int64 {
	b.t.Helper()
	n, err := strconv.ParseInt(b.state(stateStep), 10, 64)
	if err != nil {
		b.t.Fatalf("the page tells no step: %v", err)
	}
	return n
}

// stepIs waits until step n is shown.
func (b *tab) stepIs(n int64) {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.step === '` + strconv.FormatInt(n, 10) + `'`)
}

// stepMoves waits until a step other than n is shown, and returns it.
func (b *tab) stepMoves(n int64) int64 {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.step !== '` + strconv.FormatInt(n, 10) + `'`)
	return b.step()
}

// toEnd goes to the last step, and returns it. Unlike stepMoves, it takes no step for it that was still
// on its way, as after a pause.
func (b *tab) toEnd() int64 {
	b.t.Helper()
	b.key("End")
	b.wait(`document.documentElement.dataset.step === document.querySelector('` + onTimeline + `').getAttribute('aria-valuemax')`)
	return b.step()
}

// caughtUp waits until all that a live trace has brought has run, and has been shown for half a second.
func (b *tab) caughtUp() {
	b.t.Helper()
	b.wait(`(() => {
		const {step} = document.documentElement.dataset, last = document.querySelector('` + onTimeline + `').getAttribute('aria-valuemax');
		if (step !== last || step !== window.__step) window.__frames = 0;
		window.__step = step;
		return window.__frames++ > 30;
	})()`)
}

// loaded waits until a file is read to its end.
func (b *tab) loaded() {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.loading !== 'true' && document.documentElement.dataset.step !== undefined`)
	b.machine()
}

// pressOnSight does something, and presses an element as soon as there is one since. It may move, or be gone before a mouse is
// there.
func (b *tab) pressOnSight(selector string, do func()) {
	b.t.Helper()
	b.passes(`((e) => e && (e.click(), true))(document.querySelector(`+quote(selector)+`))`, do)
}

// reopens chooses a value in one of the header's lists, after which the page reads or runs the trace
// again, and waits until that is done. It may be done before a wait could see it begin.
func (b *tab) reopens(act, value string) {
	b.t.Helper()
	b.run(`await new Promise((done) => {
		const root = document.documentElement;
		const seen = new MutationObserver((all) => {
			if (root.dataset.loading === 'true' || !all.some((m) => m.oldValue === 'true')) return;
			seen.disconnect();
			done();
		});
		seen.observe(root, {attributeFilter: ['data-loading'], attributeOldValue: true});
		const list = document.querySelector('.top [data-act=` + act + `]');
		list.value = ` + quote(value) + `;
		list.dispatchEvent(new Event('change', {bubbles: true}));
	})`)
	b.loaded()
}

// stage returns the texts and places of the stage, without things on their way.
func (b *tab) stage() string {
	b.t.Helper()
	return eval[string](b, `(() => {
		const out = [];
		const walk = (n, depth) => {
			if (n.nodeType === 3) { const s = n.textContent.trim(); if (s) out.push(s); return }
			if (n.nodeType !== 1 || n.closest('[data-transient]')) return;
			const place = n.getAttribute('data-place');
			if (place) out.push('@' + place);
			for (const c of n.childNodes) walk(c);
		};
		walk(document.querySelector('`+onStage+`'));
		return out.join('\n');
	})()`)
}

// chooseLanguage switches the page to a language, "en" or "zh".
func (b *tab) chooseLanguage(lang string) {
	b.t.Helper()
	b.chooses(`[data-act=lang]`, lang)
}

// inBar gives a command of a menu in the bar.
func (b *tab) inBar(menu, command string) {
	b.t.Helper()
	b.run(`document.querySelector('[data-act=menu][data-arg=` + menu + `]').click()`)
	item := `.bar-menu [role=menuitem][data-act=` + command + `]`
	b.wait(`document.querySelector('` + item + `')`)
	b.run(`document.querySelector('` + item + `').click()`)
}

// opensDialog opens a dialog by what the bar has for it: a button, or an entry of a menu.
func (b *tab) opensDialog(name string) {
	b.t.Helper()
	switch name {
	case "scripts", "live":
		b.inBar("open", name)
	case "save", "link":
		b.inBar("share", name)
	default:
		b.run(`document.querySelector('.top [data-act=` + name + `]').click()`)
	}
}

// inspect opens the first object on the stage, and shows all of it.
func (b *tab) inspect() {
	b.t.Helper()
	b.wait(`(() => {
		const seen = (e, r = e.getBoundingClientRect()) => e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		const all = [...document.querySelectorAll('main [data-act=inspect]')];
		const first = all.find((e) => seen(e)) ?? all[0]; // a low station hides some, and a click scrolls to others
		first?.setAttribute('data-seen', '');
		return Boolean(first);
	})()`)
	b.click(`main [data-act=inspect][data-seen]`)
	b.wait(`document.body.innerText.includes('"resourceVersion"')`)
	b.run(`document.querySelector('[data-act=unfold]')?.click()`)
}
