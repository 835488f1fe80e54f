package test

import (
	"strings"
	"testing"
)

// A version that asks for streaming lists gets an ordinary list of the recording as one. The setup
// offers to convert it, and the list then says that it was converted. A link says how lists are played.
func TestOrdinaryListsStayOrdinary(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.reopens("profile", "current")
	list := func(begins, says string) {
		t.Helper()
		b.run(`document.activeElement.blur()`)
		b.key("Home")
		b.stepIs(0)
		for step := int64(1); ; step++ {
			b.key("ArrowRight")
			b.stepIs(step)
			if said := eval[string](b, `[...document.querySelectorAll('.said, .why')].map(e => e.textContent).join(' ')`); strings.Contains(said, begins) {
				if !strings.Contains(said, says) || strings.Contains(said, "converted") != strings.Contains(says, "converted") {
					t.Errorf("of the list the page says %s", said)
				}
				return
			}
			if step > 40 {
				t.Fatal("there is no list")
			}
		}
	}
	list("The list arrives", "The list arrives")
	if link := b.shared(); !strings.Contains(link, "&lists=recorded&when=") {
		t.Errorf("the link is %s", link)
	}
	b.opensTab("setup")
	b.wait(`document.querySelector('[data-act=setup][data-arg=listed]')?.checked`)
	b.click(`.check:has([data-arg=listed])`)
	b.wait(`!document.querySelector('[data-act=applySetup]').disabled`)
	b.click(`[data-act=applySetup]`)
	b.wait(`document.querySelector('[data-act=applySetup]').disabled`)
	b.loaded()
	b.opensTab("explain")
	list("The watch is open", "converted to initial events")
	if link := b.shared(); strings.Contains(link, "&lists=") {
		t.Errorf("the link is %s", link)
	}
}
