package test

import "testing"

// inTheMiddle has the page do something while it loads a file of this name.
func (b *tab) inTheMiddle(name, does string) {
	b.t.Helper()
	b.run(`const look = () => {
		const d = document.documentElement.dataset;
		if (d.loading === 'true' && d.step !== undefined && document.querySelector('.source').textContent.includes(` + quote(name) + `)) { ` + does + ` }
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look)`)
}

// allOf is what About says of a recording that is large enough for something to happen while it loads.
const allOf = "a trace of informerscope: pods v1, events 40\u202f000, lists 1; times true; remarks 0, problems 0"

func (b *tab) hasAllOf(name string) {
	b.t.Helper()
	b.opened(name)
	if said := b.about(); said != allOf {
		b.t.Errorf("About says %s", said)
	}
}

// A page that is reloaded while it reads a file reads all of it then.
func TestAReloadInTheMiddle(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	file, _ := podsTrace(t, "reloaded.trace.jsonl", 40_000, 2_000, 700)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`) // it holds the file meanwhile
	b.inTheMiddle("reloaded", `window.__before = true; location.reload()`)
	b.upload(onFile, file)
	b.wait(`!window.__before && document.documentElement.dataset.ready === 'true'`)
	b.hasAllOf("reloaded")
}

// Two tabs that read a file at the same time take nothing from each other.
func TestTwoTabsReadAtOnce(t *testing.T) {
	t.Parallel()
	file, _ := podsTrace(t, "shared.trace.jsonl", 40_000, 2_000, 700)
	a := open(t)
	a.loaded()
	b := a.another()
	b.goTo(env.site)
	b.ready()
	b.loaded()
	a.upload(onFile, file)
	b.upload(onFile, file)
	a.hasAllOf("shared")
	b.hasAllOf("shared")
}
