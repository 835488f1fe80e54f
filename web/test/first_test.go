package test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// asFirst makes the tab's next documents a first visit's, whose program starts when __go is called. What moves
// by itself meanwhile is summed up in __shifts.
const asFirst = `
try { localStorage.removeItem('density'); } catch {}
window.__shifts = [];
const called = ({node, previousRect: from, currentRect: to}) => (node ? node.nodeName + '.' + (node.getAttribute?.('class') ?? '') + ' in ' + node.parentElement?.className : 'gone') +
	' from ' + [from.x, from.y, from.width, from.height] + ' to ' + [to.x, to.y, to.width, to.height];
const said = (shift) => ({at: shift.startTime, what: shift.value + ' at ' + shift.startTime + ': ' + shift.sources.map(called).join('; ')});
try { new PerformanceObserver((list) => window.__shifts.push(...list.getEntries().map(said))).observe({type: 'layout-shift', buffered: true}); } catch {}
const compile = WebAssembly.compileStreaming;
WebAssembly.compileStreaming = async (response) => {
	const module = await compile.call(WebAssembly, response);
	await new Promise((go) => { window.__go = go; });
	return module;
};
// Everything in the page, as it is and where it is. What the document can't have the program sets: which option of a
// list is chosen, and where the playhead stands.
window.__look = () => [...document.querySelectorAll('#app *')].map((e) => {
	const r = e.getBoundingClientRect();
	const attributes = e.getAttributeNames().filter((name) => name !== 'selected' && name !== 'style').map((name) => name + '=' + e.getAttribute(name)).sort();
	return [e.tagName, ...attributes, e.children.length ? '' : e.textContent, e.value ?? '', r.x, r.y, r.width, r.height].join(' ');
});
`

// allOrNone reports whether the first view is shown where all of it has come, and only there. It takes what follows the
// view out of the document, as if that had not come yet, and puts it back.
const allOrNone = `(() => {
	const app = document.getElementById('app'), rest = document.createRange();
	rest.setStartAfter(app);
	rest.setEndAfter(document.body.lastChild);
	const part = rest.extractContents(), early = app.checkVisibility();
	document.body.append(part);
	return !early && app.checkVisibility();
})()`

// preload runs a script before the first one of each document that the tab opens from now on.
func (b *tab) preload(script string) {
	b.t.Helper()
	if f, is := b.driver.(firefox); is {
		b.check(f.call(b.ctx, "script.addPreloadScript", m{"functionDeclaration": "() => {" + script + "}", "contexts": []string{f.context}}, nil))
		return
	}
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "{" + script + "}"})
	b.check(err)
}

// The first view, which the build makes, is what the program draws in its place, element for element, and nothing
// moves when it does.
func TestTheFirstViewIsWhatTheProgramDraws(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.preload(asFirst)
			for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
				b.size(size[0], size[1])
				b.goTo("about:blank")
				b.goTo(env.site)
				b.wait(`window.__go && document.querySelector('.loop-stage')`)
				const words = `performance.getEntriesByType('resource').filter(({name}) => name.includes('/locales/')).map(({name}) => name.split('/').pop())`
				b.wait(words + `.length > 0`) // they don't wait for the program
				if b.state("ready") != "" || b.state("first") != "zh" {
					t.Fatal("the document doesn't show the first view, or the program runs already")
				}
				if !eval[bool](b, allOrNone) {
					t.Errorf("%v: a part of the first view is shown when the rest has not come, or the whole is not shown", size)
				}
				got := eval[[2][]string](b, `new Promise((done) => {
					const before = __look();
					new MutationObserver((_, observer) => {
						if (document.documentElement.dataset.ready !== 'true') return;
						observer.disconnect();
						window.__after = __look();
						requestAnimationFrame((painted) => requestAnimationFrame(() => {
							window.__shifted = window.__shifts.filter((s) => s.at <= painted).map((s) => s.what);
							done([before, window.__after]);
						}));
					}).observe(document.documentElement, {attributes: true});
					__go();
				})`)
				if len(got[0]) < 100 || len(got[0]) != len(got[1]) {
					t.Errorf("the document has %d elements, and the program draws %d", len(got[0]), len(got[1]))
				}
				for i := range min(len(got[0]), len(got[1])) {
					if got[0][i] != got[1][i] {
						t.Errorf("%v: the document has\n  %s\nand the program draws\n  %s", size, got[0][i], got[1][i])
					}
				}
				if shifted := eval[[]string](b, `window.__shifted`); len(shifted) > 0 {
					t.Errorf("%v: something moves: %q", size, shifted)
				}
				if got := eval[[]string](b, words); len(got) != 1 || got[0] != "en.json" {
					t.Errorf("%v: the words come as %q", size, got)
				}
				if b.state("first") != "" {
					t.Error("the root element still says that the document shows the first view")
				}
			}
		})
	}
}

// What is pressed before the program runs is done when it does, in its order.
func TestPressesBeforeTheProgram(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.preload(asFirst)
			b.goTo(env.site)
			b.wait(`window.__go`)
			b.click(`.loop-bar [data-act=loopDelete]`)
			b.key("?")
			b.run(`__go()`)
			b.wait(`document.querySelector('dialog[open]')`)
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]') && document.documentElement.dataset.beat === '2'`)
		})
	}
}

// A visit that begins with another view never shows the first one, nor does a page whose program can't start or that
// runs no scripts.
func TestVisitsWithAnotherFirstView(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, at string }{
		"a link":            {``, "#s=5"},
		"another language":  {`Object.defineProperty(navigator, 'language', {get: () => 'zh-CN'});`, ""},
		"an old density":    {`localStorage.setItem('density', 'home=full');`, ""},
		"a full lesson":     {`localStorage.setItem('whole', 'true');`, ""},
		"a kept speed":      {`localStorage.setItem('speed', '1');`, ""},
		"after a reload":    {`sessionStorage.setItem('stay', '{"text": "s=5", "id": "1"}'); Object.defineProperty(PerformanceNavigationTiming.prototype, 'type', {get: () => 'reload'});`, ""},
		"after a panic":     {`sessionStorage.setItem('ended', 'it ended');`, ""},
		"no such program":   {`WebAssembly.compileStreaming = async () => { throw new Error('no program'); }; window.__go = true;`, ""},
		"without a storage": {`Object.defineProperty(window, 'localStorage', {get: () => { throw new Error('forbidden'); }});`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.preload(asFirst + c.script)
			b.goTo(env.site + c.at)
			b.wait(`window.__go`)
			switch name {
			case "no such program":
				b.wait(`document.getElementById('boot-broken').checkVisibility() && !document.getElementById('app').checkVisibility()`)
			case "without a storage":
				b.wait(`document.querySelector('.loop-stage').checkVisibility() && document.documentElement.dataset.first === 'zh'`)
			default:
				b.wait(`document.getElementById('boot-says').checkVisibility() && !document.querySelector('#app *') && document.documentElement.dataset.view === undefined`)
			}
		})
	}
	t.Run("no scripts", func(t *testing.T) {
		t.Parallel()
		b := newTab(t)
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		b.check(err)
		b.goTo(env.site)
		b.wait(`!document.getElementById('app').checkVisibility() && document.querySelector('noscript').checkVisibility()`)
		if says := b.text("noscript"); !strings.Contains(says, "needs JavaScript") {
			t.Errorf("the page says %q", says)
		}
	})
}
