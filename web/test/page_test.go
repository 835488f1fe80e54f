package test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

func num(n int64) string { return strconv.FormatInt(n, 10) }

func TestNothingLeavesTheOrigin(t *testing.T) {
	keepsFiles(t)
	before := len(env.outside.requests(""))
	b := newTab(t)
	foreign := make(chan string, 1000)
	b.check(chromedp.Listen(b.ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok {
			if u := e.Request.URL; !strings.HasPrefix(u, env.site) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+env.site) {
				foreign <- u
			}
		}
	}))
	b.goTo(env.site)
	b.ready()
	b.loaded()
	b.upload(onFile, bundled(t))
	b.loaded()
	b.key("End")
	b.stepMoves(0)
	close(foreign)
	for u := range foreign {
		t.Errorf("the page has asked for %s", u)
	}
	if now := env.outside.requests(""); len(now) > before {
		t.Errorf("these requests left the machine: %q", now[before:])
	}
}

// The server sends the programs and the words gzipped.
func TestWhatIsServedIsCompressed(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	sizes := eval[map[string][]float64](b, `Object.fromEntries(performance.getEntriesByType('resource').map(e => [e.name.split('/').at(-1), [e.encodedBodySize, e.decodedBodySize]]))`)
	for _, name := range []string{"informerscope.wasm", "boot.js", "page.css", "en.json"} {
		if s := sizes[name]; len(s) != 2 || s[0] == 0 || s[0] > s[1]/2 {
			t.Errorf("%s comes in %v bytes", name, s)
		}
	}
}

func TestThePolicyIsInThePage(t *testing.T) {
	t.Parallel()
	b := open(t)
	const want = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types informerscope"
	got := eval[string](b, `document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? ''`)
	if strings.TrimSuffix(strings.TrimSpace(got), ";") != want {
		t.Errorf("the policy is %q", got)
	}
	// The server's header makes the policy hold for the workers, too.
	if got := eval[string](b, `fetch(location.href).then(r => r.headers.get('Content-Security-Policy'))`); got != want+"; frame-ancestors 'none'" {
		t.Errorf("the server's policy is %q", got)
	}
	if refused := eval[[]string](b, `window.__refused`); len(refused) != 0 {
		t.Errorf("the page breaks its own policy: %q", refused)
	}
}

// No string becomes a script or markup, and no other Trusted Types policy can
// be created.
func TestNoStringBecomesAScript(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.allow("TrustedHTML")
	b.allow("TrustedScript")
	b.allow("TrustedTypePolicy")
	for _, sink := range []string{
		`document.body.innerHTML = '<b>x</b>'`,
		`document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`,
		`document.write('<b>x</b>')`,
		`document.createElement('iframe').srcdoc = 'x'`,
		`document.createElement('script').text = '1'`,
		`document.createElement('script').src = 'site.js'`,
		`document.body.setAttribute('onclick', '1')`,
		`new DOMParser().parseFromString('<b>x</b>', 'text/html')`,
		`eval('1')`,
		`new Function('1')`,
		`setTimeout('1')`,
		`new Worker('worker/engine.js')`,
		`trustedTypes.createPolicy('another', {})`,
		`trustedTypes.createPolicy('informerscope', {createScriptURL: (name) => name})`,
	} {
		// The driver's own expressions may use eval, so a timer runs this.
		said := eval[string](b, `new Promise(done => setTimeout(() => { try { `+sink+`; done('') } catch (e) { done(String(e)) } }))`)
		if !strings.Contains(said, "Error") {
			t.Errorf("%s takes a string, or says %q", sink, said)
		}
	}
	b.key("ArrowRight")
	b.stepMoves(0)
}

// A page that can't get its files says what to do.
func TestAPageWithoutItsFiles(t *testing.T) {
	t.Parallel()
	site, dir, _ := copyOf(t, "", ".")
	if err := os.RemoveAll(filepath.Join(dir, version(t, dir))); err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.allow("Failed to load resource")
	b.allow("MIME type")
	b.goTo(site)
	b.wait(`/reload the page/.test(document.body.innerText) && document.getElementById('boot-late').checkVisibility({visibilityProperty: true})`)
}

// A page whose program is no program says so, and why.
func TestAPageWithoutItsProgram(t *testing.T) {
	t.Parallel()
	site, dir, _ := copyOf(t, "", ".")
	if err := os.WriteFile(filepath.Join(dir, version(t, dir), "informerscope.wasm"), []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.goTo(site)
	b.wait(`document.getElementById('boot-broken').checkVisibility() && !document.getElementById('boot-late').checkVisibility()`)
	if says := eval[string](b, `document.getElementById('boot-says').textContent`); !strings.Contains(says, "magic") {
		t.Errorf("the page says %q", says)
	}
}

func TestSpeaksChinese(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	if lang := eval[string](b, `document.documentElement.lang`); !strings.HasPrefix(lang, "en") {
		t.Fatalf("the page begins in %q", lang)
	}
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh') && /[\u4e00-\u9fff]{2}/.test(document.body.innerText)`)
	b.key("ArrowRight", shift)
	b.stepMoves(0)
	b.wait(`/[\u4e00-\u9fff]{2}/.test(document.querySelector('[aria-live]').textContent)`)
	b.shot("zh")
	b.chooseLanguage("en")
	b.wait(`document.documentElement.lang.startsWith('en') && !/[\u4e00-\u9fff]{2}/.test(document.querySelector('[aria-live]').textContent)`)
}

func TestLightAndDark(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-color-scheme", "dark")
	b.goTo(env.site)
	b.ready()
	dark := b.brightness()
	b.media("prefers-color-scheme", "light")
	b.wait(`document.readyState === 'complete'`)
	light := b.brightness()
	if dark > 80 || light < 180 {
		t.Errorf("the page's brightness is %d in the dark and %d in the light", dark, light)
	}
	b.click(`[data-act=theme]`)
	b.run(`await new Promise(requestAnimationFrame)`)
	if now := b.brightness(); now > 80 {
		t.Errorf("the toggle leaves the brightness at %d", now)
	}
}

// brightness returns the brightness of the page's ground, from 0 to 255.
func (b *tab) brightness() int {
	b.t.Helper()
	return eval[int](b, `(() => {
		for (const e of [document.body, document.documentElement]) {
			const c = getComputedStyle(e).backgroundColor.match(/[\d.]+/g)?.map(Number);
			if (c && !(c.length === 4 && c[3] === 0)) return Math.round((c[0] + c[1] + c[2]) / 3);
		}
		return 255;
	})()`)
}

func TestHelpListsTheKeys(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.key("?")
	b.wait(`document.querySelector('dialog[open]')`)
	text := eval[string](b, `document.querySelector('dialog[open]').innerText`)
	for _, key := range []string{"Space", "Home", "End", "Shift", "?"} {
		if !strings.Contains(text, key) {
			t.Errorf("the help doesn't tell of %s:\n%s", key, text)
		}
	}
	b.shot("help")
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
}

func TestEverythingHasAName(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	nameless := eval[[]string](b, `[...document.querySelectorAll('button, input, select, a, [role=slider], [role=tab]')]
		.filter(e => e.checkVisibility() && !(e.ariaLabel || e.innerText?.trim() || e.title || e.labels?.length || e.getAttribute('aria-labelledby')))
		.map(e => e.outerHTML.slice(0, 120))`)
	if len(nameless) != 0 {
		t.Errorf("these have no name for a screen reader:\n%s", strings.Join(nameless, "\n"))
	}
	if !eval[bool](b, `!!document.querySelector('main') && !!document.querySelector('header') && !!document.querySelector('[aria-live=polite]')`) {
		t.Error("there are no landmarks, or there is no live region that says the step")
	}
	if n := eval[int](b, `document.querySelectorAll('table').length`); n == 0 {
		t.Error("no drawing has a table beside it")
	}
}

func TestFitsEveryScreen(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int64 }{{390, 844}, {1440, 900}, {1920, 1080}} {
		for _, theme := range []string{"dark", "light"} {
			t.Run(num(size.w)+"x"+num(size.h)+" "+theme, func(t *testing.T) {
				b := newTab(t)
				b.size(size.w, size.h)
				b.media("prefers-color-scheme", theme)
				b.goTo(env.site)
				b.ready()
				b.loaded()
				b.key("3")
				b.stepMoves(0)
				if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("the page is %d pixels too wide", over)
				}
				if over := eval[int](b, `document.documentElement.scrollHeight - innerHeight`); size.w > 1000 && over > 0 {
					t.Errorf("the stage is %d pixels too high", over)
				}
				for _, control := range []string{onPlay, onStep, onBack} {
					if !eval[bool](b, `(() => { const r = document.querySelector('`+control+`').getBoundingClientRect();
						return r.width > 0 && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight })()`) {
						t.Errorf("%s is out of sight", control)
					}
				}
				b.shot("")
			})
		}
	}
}

func TestReducedMotionDoesNotTravel(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.goTo(env.site)
	b.ready()
	b.loaded()
	if moving := b.movements(); moving != 0 {
		t.Errorf("%d elements travelled", moving)
	}
}

func TestThingsTravel(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	if moving := b.movements(); moving == 0 {
		t.Error("forty steps on, nothing has moved")
	}
}

// movements goes forty steps forward and counts the animations that move
// something.
func (b *tab) movements() int {
	b.t.Helper()
	b.run(`window.__moves = 0;
		const animate = Element.prototype.animate;
		Element.prototype.animate = function (frames, options) {
			if (/transform|translate|offset|left|top/.test(JSON.stringify(frames))) window.__moves++;
			return animate.call(this, frames, options);
		}`)
	for range 40 {
		at := b.step()
		b.key("ArrowRight")
		b.stepMoves(at)
	}
	return eval[int](b, `window.__moves`)
}
