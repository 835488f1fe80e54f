package test

import (
	"fmt"
	"strings"
	"testing"
)

// A recording from within a controller is played with its workers as they were. The station and the
// setup say so, and there they can be given a time of their own instead. What the controller did itself
// is asked for in the search, and each row leads to its moment.
func TestARecordedController(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, testdata(t, "report/controller/testdata/client-go-late.stale27.duplicates6.trace.jsonl.gz"))
	b.wait(`document.querySelector('.source').textContent.includes('late')`)
	b.loaded()
	badge := func(is bool) {
		t.Helper()
		b.wait(fmt.Sprintf(`document.querySelector('.st-work').innerText.includes('web, as recorded') === %t`, is))
	}
	badge(true)
	const follows = `[data-act=setup][data-arg=follows]`
	for _, on := range []bool{false, true} {
		b.opensTab("setup")
		b.wait(fmt.Sprintf(`document.querySelector('%s')?.checked === %t`, follows, !on))
		b.click(follows)
		b.wait(`document.querySelector('[data-act=applySetup]:enabled')`)
		b.click(`[data-act=applySetup]`)
		b.loaded()
		badge(on)
	}

	b.opensTab("search")
	b.click(`[data-act=askOwn]`)
	b.wait(`document.querySelectorAll('.own details').length === 4`)
	b.click(`.own details:first-of-type summary`)
	b.wait(`document.querySelectorAll('.own details:first-of-type .hits button').length === 27`)
	at := b.step()
	b.click(`.own details:first-of-type .hits li:nth-child(3) button`)
	b.stepMoves(at)
	b.opensTab("explain")
	b.wait(`document.querySelector('.explain .said').innerText.includes('As recorded, worker')`)
	b.opensTab("search")
	b.click(`.own details:first-of-type summary`)
	for _, theme := range []string{"light", "dark"} {
		b.media("prefers-color-scheme", theme)
		if found := b.violations(); len(found) != 0 {
			t.Errorf("axe finds, %s:\n  %s", theme, strings.Join(found, "\n  "))
		}
		b.shot("own " + theme)
	}
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	b.everySize("what a controller did itself")
	b.shot("own zh")
	b.size(390, 844)
	b.run(`document.querySelector('.own .hits').scrollIntoView()`)
	b.shot("own narrow")
	b.click(`[data-act=askOwn]`)
	b.wait(`!document.querySelector('.own details')`)
}
