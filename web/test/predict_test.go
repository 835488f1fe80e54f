package test

import (
	"strings"
	"testing"
)

// On any recording the viewer guesses what comes next, by key and by button.
// Whatever would give the answer away is covered until the machine is played
// on, and the score stays on the device.
func TestGuessingWhatComesNext(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	all := 0
	for _, byKey := range []bool{true, false, true} {
		step := b.step()
		b.run(`document.activeElement.blur()`)
		b.key("q")
		b.wait(`document.querySelectorAll('.prediction .option:enabled').length > 1 && document.documentElement.dataset.covered === 'true'`)
		if !eval[bool](b, `!!document.querySelector('.track-box .covered') && document.querySelectorAll('.tape .coming').length > 0 && [...document.querySelectorAll('.tape .coming')].every(e => getComputedStyle(e).visibility === 'hidden')`) {
			t.Error("what comes next can be seen")
		}
		if all == 0 {
			if found := b.violations(); len(found) != 0 {
				t.Errorf("axe finds in a guess:\n  %s", strings.Join(found, "\n  "))
			}
			b.shot("guess")
		}
		if byKey {
			b.key("1")
		} else {
			b.click(`.prediction .option`)
		}
		b.stepMoves(step)
		b.wait(`document.querySelectorAll('.prediction .option[data-right]').length === 1 && !document.documentElement.dataset.covered`)
		all++
		b.wait(`document.querySelector('.prediction-foot').innerText.includes('of ` + num(int64(all)) + `')`)
	}
	b.shot("guessed")
	b.within(b.reload)
	b.loaded()
	b.key("q")
	b.wait(`document.querySelector('.prediction')`)
	b.run(`document.querySelector('.prediction [data-act=guess][data-arg="-1"]').click()`)
	b.wait(`document.querySelector('.prediction-foot')?.innerText.includes('of 3')`)
	b.click(`[data-act=forgetScore]`)
	b.wait(`!document.querySelector('[data-act=forgetScore]') && localStorage.score === ''`)
}
