package test

import (
	"os"
	"path/filepath"
	"testing"
)

// A reload keeps the file, the version, the informer, the unit, the axis and the
// step, in both browsers.
func TestAReloadKeepsWhereTheViewerIs(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.loaded()
			b.wait(`navigator.serviceWorker.controller`) // it holds the file meanwhile
			b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
			b.wait(`document.querySelector('.source').textContent.includes('mine.trace')`)
			b.loaded()
			b.reopens("profile", "classic")
			b.reopens("informer", "2")
			b.click(`[data-act=unit][data-arg=event]`)
			b.click(`[data-act=axis][data-arg=time]`)
			at := b.step()
			b.key("End")
			at = b.stepMoves(at)
			for range 3 {
				b.key("ArrowLeft")
				at = b.stepMoves(at)
			}
			stage := b.stage()
			b.within(b.reload)
			b.ready()
			b.stepIs(at)
			b.loaded()
			state := eval[[]string](b, `[document.querySelector('.source-name').textContent, document.querySelector('.top [data-act=profile]').value, document.querySelector('.top [data-act=informer]').value,
				document.querySelector('[data-act=unit][aria-pressed=true]').dataset.arg, document.querySelector('[data-act=axis][aria-pressed=true]').dataset.arg]`)
			for i, want := range []string{"mine.trace.jsonl.gz", "classic", "2", "event", "time"} {
				if state[i] != want {
					t.Errorf("after the reload the page has %q and not %q", state[i], want)
				}
			}
			if again := b.stage(); again != stage {
				t.Errorf("the stage differs after the reload:\n%s", differences(stage, again))
			}
		})
	}
}

// bundledAs returns the bundled recording as a file of a name.
func bundledAs(t testing.TB, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	content, err := os.ReadFile(bundled(t))
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Reloads that don't wait for the page, each at another time of its loading, leave a page that works.
// Firefox tells of each request that it cancels while a service worker answers it, whatever that does:
// a service worker that only fetches what is asked for brings the same line.
func TestQuickReloads(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.allow("A ServiceWorker intercepted the request and encountered an unexpected error.")
			b.loaded()
			b.isStored()
			b.wait(`navigator.serviceWorker.controller`)
			for _, files := range []int{1, 3, 6, 9, 10, 12} {
				b.wait(`window.__again !== ` + num(int64(files)) + ` && performance.getEntriesByType('resource').length >= ` + num(int64(files)) + ` && (window.__again = ` + num(int64(files)) + `, location.reload(), true)`)
			}
			b.wait(`!window.__again`)
			b.ready()
			b.loaded()
			at := b.step()
			b.key("ArrowRight")
			b.stepMoves(at)
		})
	}
}
