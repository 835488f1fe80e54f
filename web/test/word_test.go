package test

import (
	"strings"
	"testing"
)

// A word of the glossary opens in place: what it means stands below its paragraph, with a link to the lesson about it. A second
// click closes it, and only one is open at a time.
func TestAWordOpensInPlace(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=workqueue")
	b.media("prefers-reduced-motion", "reduce")
	b.wait(`document.querySelectorAll('.lesson-text .word').length >= 2 && !document.querySelector('.word-says')`)
	b.click(`.lesson-text .word`)
	b.wait(`document.querySelectorAll('.word-says').length === 1 && document.querySelector('.word[aria-expanded=true]')`)
	b.shot("open")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the lesson:\n  %s", strings.Join(found, "\n  "))
	}
	b.click(`.word[aria-expanded=true]`)
	b.wait(`!document.querySelector('.word-says')`)
	b.click(`.lesson-text .word`)
	b.wait(`document.querySelector('.word-says .inline-link')`)
	b.click(`.word-says .inline-link`)
	b.wait(`!document.querySelector('.word-says')`)
}
