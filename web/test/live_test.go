package test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Where the page's server has no API server beside it, the page says how to get
// one.
func TestNoClusterIsFound(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.allow("404") // where a cluster could have been
	b.key("l")
	b.wait(`document.documentElement.dataset.dialog === 'live' && document.querySelector('dialog[open] [data-act=discover]')`)
	text := eval[string](b, `document.querySelector('dialog[open]').innerText`)
	for _, way := range []string{"kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/", "http://127.0.0.1:8001/static/", "informerscope serve"} {
		if !strings.Contains(text, way) {
			t.Errorf("the dialog doesn't tell of %s:\n%s", way, text)
		}
	}
	b.shot("none")
	b.click(`dialog[open] [data-act=discover]`)
	b.wait(`document.querySelector('dialog[open] .ways')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && !document.documentElement.dataset.dialog`)
	b.key("ArrowRight") // what was open before still is
	b.stepMoves(0)
}

// beside opens the page that a cluster serves, and the dialog in which the
// viewer chooses what to watch.
func (c *cluster) beside(t *testing.T) *tab {
	t.Helper()
	b := newTab(t)
	b.allow("404")                 // no informerscope serve is in front of it
	b.allow("ERR_")                // what Chromium says of each connection that ends early
	b.allow("the server responds") // what Chromium says of answers that are errors
	b.goTo(c.site())
	b.ready()
	b.loaded()
	b.inBar("open", "live")
	b.wait(`document.querySelector('dialog[open] [data-act=want][data-arg=pods]')`)
	return b
}

// follows starts to watch the chosen resources.
func (b *tab) follows() {
	b.t.Helper()
	b.click(`dialog[open] [data-act=follow]`)
	b.wait(`document.documentElement.dataset.live === 'following' && !document.querySelector('dialog[open]')`)
}

// sees waits until the indexer has a key, or until it doesn't.
func (b *tab) sees(key string, there bool) {
	b.t.Helper()
	b.wait(`!!document.querySelector('[data-place="store/` + key + `"]') === ` + strconv.FormatBool(there))
}

func TestWatchesACluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := c.beside(t)
	if text := b.text(`dialog[open] .facts`); !strings.Contains(text, "v1.36.3") || !strings.Contains(text, "kubectl proxy") {
		t.Errorf("the dialog says of the cluster: %s", text)
	}
	if on := eval[[]string](b, `[...document.querySelectorAll('dialog[open] [data-act=want]:checked')].map(e => e.dataset.arg)`); len(on) != 1 || on[0] != "pods" {
		t.Errorf("the resources chosen at first are %q", on)
	}
	b.shot("found")
	b.follows()
	b.sees("shop/first", true)
	c.set("pods", "ADDED", "second", "")
	b.sees("shop/second", true)
	b.wait(`document.querySelector('.strip .is-watching') && document.querySelector('.strip .live-chip.on')`)
	b.wait(`document.querySelector('.streams').textContent.includes('1 event')`)
	b.shot("following")

	b.caughtUp()

	// A step back pauses. The page receives later events and doesn't show them.
	at := b.step()
	b.key("ArrowLeft")
	before := b.stepMoves(at)
	if before >= at {
		t.Fatalf("a step back leads from %d to %d", at, before)
	}
	b.wait(`document.querySelector('.strip [data-act=end]')`)
	c.set("pods", "DELETED", "first", "")
	c.set("pods", "ADDED", "third", "")
	b.wait(`document.querySelector('.streams').textContent.includes('3 events')`)
	b.wait(`/\d{2} steps behind/.test(document.querySelector('.live-chip').textContent)`)
	if b.step() != before {
		t.Errorf("paused at step %d, the page shows step %d", before, b.step())
	}
	b.shot("paused")
	b.click(`.strip [data-act=end]`)
	b.sees("shop/third", true)
	b.sees("shop/first", false)
	b.wait(`document.querySelector('.strip .live-chip.on')`)
	c.set("pods", "ADDED", "fourth", "")
	b.sees("shop/fourth", true)

	b.click(`.strip [data-act=unfollow]`)
	b.wait(`document.documentElement.dataset.live === 'stopped' && document.querySelector('.live-chip.over')`)
	c.set("pods", "ADDED", "fifth", "")
	b.key("Home")
	b.stepIs(0)
	b.key("End")
	b.sees("shop/fourth", true)
	if eval[bool](b, `document.querySelector('main').textContent.includes('fifth')`) {
		t.Error("the page still watches after it was stopped")
	}
	// The viewer starts again from the dialog.
	b.key("l")
	b.wait(`document.querySelector('dialog[open] .followed') && document.querySelector('dialog[open] [data-act=follow]')`)
	b.shot("stopped")
	b.follows()
	b.sees("shop/fifth", true)
}

// Everything can be done without a mouse.
func TestWatchesByKeyboard(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := newTab(t)
	b.allow("404")
	b.goTo(c.site())
	b.ready()
	b.loaded()
	b.key("l")
	b.wait(`document.querySelector('dialog[open] [data-act=follow]')`)
	const focused = `(e => (e.dataset.act ?? e.tagName) + ' ' + (e.dataset.arg ?? ''))(document.activeElement)`
	to := func(want string) {
		t.Helper()
		var seen []string
		for range 30 {
			now := strings.TrimSpace(eval[string](b, focused))
			if now == want {
				return
			}
			seen = append(seen, now)
			b.key("Tab")
		}
		t.Fatalf("Tab doesn't lead to %s, but to %q", want, seen)
	}
	for _, control := range []string{"close", "editWant filter", "want pods", "want secrets", "editWant namespace", "editWant selector", "editWant streaming", "follow", "discover"} {
		to(control)
	}
	to("want secrets")
	b.key(" ")
	b.wait(`document.querySelectorAll('dialog[open] [data-act=want]:checked').length === 2`)
	to("editWant namespace")
	b.do(chromedp.KeyEvent("shop"))
	to("follow")
	b.key("Enter")
	b.wait(`document.documentElement.dataset.live === 'following'`)
	if asked := c.requests("secrets"); len(asked) == 0 || !strings.HasPrefix(asked[0], "/api/v1/namespaces/shop/secrets") {
		t.Errorf("the page asked the API server for %q", asked)
	}
	b.sees("shop/first", true)
}

// Everything can be reached on a telephone.
func TestDialogsFitANarrowScreen(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := newTab(t)
	b.allow("404")
	b.size(390, 844)
	b.goTo(c.site())
	b.ready()
	b.loaded()
	fits := func(what string, controls ...string) {
		t.Helper()
		b.shot(what)
		if over := eval[int](b, `Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('dialog[open], dialog[open] .dialog-body, .top, .strip')].map(e => e.scrollWidth - e.clientWidth))`); over > 0 {
			t.Errorf("%s: %d pixels too wide", what, over)
		}
		for _, control := range controls {
			if !eval[bool](b, `(() => { const r = document.querySelector('`+control+`').getBoundingClientRect();
				return r.width >= 20 && r.height >= 20 && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight })()`) {
				t.Errorf("%s: %s is out of reach", what, control)
			}
		}
	}
	fits("page", `header [data-arg=open]`, `header [data-arg=share]`, `header [data-act=about]`)
	for _, dialog := range []string{"about", "save", "live"} {
		b.opensDialog(dialog)
		b.wait(`document.documentElement.dataset.dialog === '` + dialog + `' && document.querySelector('dialog[open] footer')`)
		fits(dialog, `dialog[open] [data-act=close]`, `dialog[open] footer button`)
		if dialog != "live" {
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]')`)
		}
	}
	b.follows()
	b.sees("shop/first", true)
	b.wait(`document.querySelector('.strip .is-watching')`)
	fits("following", `.strip .live-chip`, `.strip [data-act=live]`, `.strip [data-act=unfollow]`, onPlay)
	b.click(`.strip [data-act=live]`)
	b.wait(`document.querySelector('dialog[open] .followed')`)
	fits("how it goes", `dialog[open] [data-act=unfollow]`)
}

// Each way in which a watch can fail is shown by its name.
func TestBrokenWatches(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := c.beside(t)
	b.follows()
	b.sees("shop/first", true)

	// After a watch has ended, the next one goes on from the same version.
	c.set("pods", "ADDED", "second", "")
	b.sees("shop/second", true)
	watches := len(c.requests("watch="))
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.end()
	c.set("pods", "ADDED", "third", "")
	b.sees("shop/third", true)
	if now := c.requests("watch="); len(now) <= watches || !strings.Contains(now[len(now)-1], "resourceVersion=102") {
		t.Errorf("after the watch ended: %q", now)
	}
	b.wait(`document.querySelector('main').dataset.watch === 'open'`)

	// After a 410 the page says so, and a list follows.
	lists := len(c.requests("limit="))
	c.compact()
	b.wait(`/410/.test(document.querySelector('.streams').textContent)`)
	b.shot("410")
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.set("pods", "ADDED", "fourth", "")
	b.sees("shop/fourth", true)
	if now := len(c.requests("limit=")); now != lists+1 {
		t.Errorf("the page made %d lists after the 410, and %d before", now, lists)
	}
	b.click(`.strip [data-act=live]`)
	b.wait(`document.querySelector('dialog[open] .followed tbody tr td:last-child')?.textContent === '1'`)
	b.key("Escape")

	// The server goes away and comes back.
	c.leave()
	b.wait(`/connection/.test(document.querySelector('.streams').textContent) && /again in/.test(document.querySelector('.streams').textContent)`)
	b.wait(`/connection lost/.test(document.querySelector('.streams').textContent)`)
	b.wait(`document.querySelector('.strip .live-chip.stalled')`)
	b.wait(`[...document.querySelectorAll('[aria-live]')].some(e => /pods: connection lost/.test(e.textContent))`)
	b.shot("lost")
	if eval[string](b, `document.documentElement.dataset.live`) != "following" {
		t.Error("a lost connection ends the following")
	}
	c.arrive()
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.set("pods", "ADDED", "fifth", "")
	b.sees("shop/fifth", true)
}
