package test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// siteOf writes files into dir and serves them below a path.
func siteOf(t testing.TB, files map[string]string) (site, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	site, err := serveFolder(t.Context(), dir, "/below/here")
	if err != nil {
		t.Fatal(err)
	}
	return site, dir
}

// A test that looks for a fault must be able to see the fault. This page has
// all the faults that ours must not have.
func TestTheWatchersSee(t *testing.T) {
	site, dir := siteOf(t, map[string]string{
		"index.html": `<!doctype html><html lang="en"><title>bad</title><link rel="icon" href="data:,"><p id="key"></p><p id="said">text</p>
			<input type="file" id="file"><div id="drop">here</div><script src="bad.js"></script></html>`,
		"bad.js": `
			document.documentElement.dataset.ready = 'true';
			console.error('something broke');
			addEventListener('keydown', e => { document.getElementById('key').textContent += (e.shiftKey ? 'Shift+' : '') + e.key + ' ' });
			addEventListener('click', e => { if (e.target.id === 'said') e.target.textContent = 'clicked' });
			document.getElementById('file').addEventListener('change', e => { document.getElementById('said').textContent = e.target.files[0].name });
			addEventListener('dragover', e => e.preventDefault());
			addEventListener('drop', e => { e.preventDefault(); document.getElementById('said').textContent = 'dropped ' + e.dataTransfer.files[0].name });
			const end = performance.now() + 120; while (performance.now() < end);
			new Worker(trustedTypes.createPolicy('informerscope', {createScriptURL: (name) => name}).createScriptURL('worker.js'));`,
		"worker.js": `fetch('http://elsewhere.example/from-worker', {mode: 'no-cors'}).catch(() => {})`,
	})
	b := newTab(t)
	b.goTo(site)
	b.ready()

	b.run(`fetch('http://elsewhere.example/from-page').catch(() => {})`)
	b.wait(`window.__refused.some(r => r.includes('elsewhere.example/from-page'))`)
	b.allow("something broke")
	b.allow("elsewhere.example")
	if long := b.longTasks(true); !slices.ContainsFunc(long, func(ms int) bool { return ms >= 100 }) {
		t.Errorf("a task of 120 ms was not counted: %v", long)
	}
	if long := b.longTasks(false); len(long) != 0 {
		t.Errorf("the task was counted again after the reset: %v", long)
	}

	b.key("ArrowRight")
	b.key("ArrowLeft", shift)
	b.key("?")
	b.key("Home")
	b.key("End")
	b.key("5")
	b.key(" ")
	if got := b.text("#key"); got != "ArrowRight Shift+ArrowLeft Shift+? Home End 5" {
		t.Errorf("keys arrive as %q", got)
	}
	b.click("#said")
	if got := b.text("#said"); got != "clicked" {
		t.Errorf("the clicked element says %q", got)
	}
	file := filepath.Join(dir, "worker.js")
	b.upload("#file", file)
	b.wait(`document.getElementById('said').textContent === 'worker.js'`)
	b.drop("#drop", file)
	b.wait(`document.getElementById('said').textContent === 'dropped worker.js'`)
	if seen := b.complaints(); len(seen) != 0 {
		t.Errorf("more complaints than were provoked: %q", seen)
	}
	if seen := b.lastLines(); !strings.Contains(seen, "error: something broke") {
		t.Errorf("console.error was not seen:\n%s", seen)
	}
}

// A panic of a Go program fails the test, on the page and in a worker, and the console's lines of every
// level are kept for a test that fails.
func TestTheWatchersHearAPanic(t *testing.T) {
	t.Parallel()
	site, _ := siteOf(t, map[string]string{
		"index.html": `<!doctype html><html lang="en"><title>bad</title><link rel="icon" href="data:,"><script src="bad.js"></script></html>`,
		"bad.js": `
			console.debug('quiet');
			console.log('goroutine 1 [running]');
			console.log('fatal error: on the page');
			const policy = globalThis.trustedTypes?.createPolicy('informerscope', {createScriptURL: (name) => name});
			new Worker(policy ? policy.createScriptURL('worker.js') : 'worker.js').onmessage = () => { document.documentElement.dataset.ready = 'true'; };`,
		"worker.js": `console.log('panic: in the worker'); console.log('all of it'); postMessage(0);`,
	})
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.goTo(site)
			b.ready()
			b.waitHeard("all of it") // a worker's lines come by another way than the page's
			seen := b.complaints()
			for i, want := range []string{"fatal error: on the page", "panic: in the worker"} {
				if len(seen) != 2 || !strings.Contains(seen[i], want) {
					t.Errorf("the complaints are %q", seen)
				}
				b.allow(want)
			}
			for _, want := range []string{"quiet", "goroutine 1 [running]", "all of it"} {
				if !strings.Contains(b.lastLines(), want) {
					t.Errorf("the console lacks %q:\n%s", want, b.lastLines())
				}
			}
		})
	}
}

// The proxy sees requests to other machines where no policy stops them first.
func TestTheProxySeesTheOutside(t *testing.T) {
	b := newTab(t)
	b.allow("elsewhere.example")
	b.goTo("data:text/html,<title>no policy</title>")
	b.run(`await fetch('http://elsewhere.example/seen', {mode: 'no-cors'}).catch(() => {})`)
	if seen := env.outside.requests("elsewhere.example/seen"); len(seen) != 1 {
		t.Errorf("the proxy saw %q", seen)
	}
}
