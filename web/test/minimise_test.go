package test

import (
	"strings"
	"testing"
)

// From a search the page looks for the smallest recording in which the expression still comes
// about, tells what is left, and saves that. Opened, the small recording shows the same.
func TestMinimises(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	searches := func() {
		b.t.Helper()
		b.writes("tombstone()")
		b.presses("watchExpr")
		if says := b.hits("tombstone()"); !strings.HasPrefix(says, "1 hit") {
			t.Fatalf("the search says %q", says)
		}
	}
	searches()
	b.run(`document.querySelector('[data-act=minimise]').focus()`)
	b.key("Enter")
	b.wait(`document.querySelector('.least')?.innerText.includes('with 1 of 102 watch events, and 1 object')`)
	b.shot("minimised")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds: %q", found)
	}
	b.click(`[data-act=saveLeast]`)
	b.wait(`document.querySelector('dialog[open] select[data-act=saveAs]')?.value === 'least'`)
	file := b.saved()
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)

	b.upload(onFile, file)
	b.wait(`document.querySelector('.source').textContent.includes('small')`)
	b.loaded()
	searches()
	b.click(`.hits button`)
	b.wait(`document.querySelector('.st-server .station-foot').innerText.includes('1 of 1 event sent') && document.querySelectorAll('.rows .chip').length === 1`)
}
