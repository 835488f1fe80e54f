package test

import (
	"path/filepath"
	"strings"
	"testing"
)

// The log of a controller that is dropped on the page lies over the recording. Where the viewer is stays, each of
// its entries leads to a step, and what it says is text. A reload keeps both, whether the recording is the page's or
// the viewer's own.
func TestLogLiesOverTheRecording(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`)
	b.key("9")
	at := b.stepMoves(0)
	log, err := filepath.Abs("testdata/shop-controller.log")
	if err != nil {
		t.Fatal(err)
	}
	b.drop("main", log)
	b.wait(`document.querySelector('.tabpanel[data-view=log]')`)
	b.loaded()
	b.stepIs(at)
	if got := eval[int](b, `document.querySelectorAll('.log-entry').length`); got != 6 {
		t.Errorf("%d entries are shown", got)
	}
	if got := eval[string](b, `document.querySelector('.log-error .log-text').textContent`); !strings.HasSuffix(got, "<b>not markup</b>\n\ta second line of it") {
		t.Errorf("an entry is %q", got)
	}
	b.click(".log-warning button")
	b.stepMoves(at) // the entry may be the current one before, at a later step
	b.wait(`document.querySelector('.log-warning [aria-current=step]')`)
	b.key("ArrowLeft")
	b.wait(`document.querySelector('.log-entry.later.log-warning')`)
	outer := b.t
	defer func() { b.t = outer }()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		b.pairs(lang)("log")
		for _, theme := range []string{"dark", "light"} {
			b.media("prefers-color-scheme", theme)
			if faults := b.violations(); len(faults) > 0 {
				t.Errorf("%s, %s: %s", lang, theme, strings.Join(faults, "\n"))
			}
			b.shot("log " + lang + " " + theme)
			b.size(390, 844)
			b.shot("log narrow " + lang + " " + theme)
			b.size(1440, 900)
		}
	}
	b.t = outer
	for n := 6; n <= 12; n += 6 {
		at = b.step()
		b.within(b.reload)
		b.ready()
		b.stepIs(at)
		b.loaded()
		b.wait(`document.querySelectorAll('.tabpanel[data-view=log] .log-entry').length === ` + num(int64(n)))
		if n == 6 { // what is open now is the viewer's own
			b.drop("main", log)
			b.wait(`document.querySelectorAll('.tabpanel[data-view=log] .log-entry').length === 12`)
			b.loaded()
		}
	}
}
