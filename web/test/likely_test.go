package test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// How likely something is shows as a curve on the timeline and as a list of steps, which
// lead there.
func TestHowLikely(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("/")
	b.wait(`document.activeElement.id === 'expr'`)
	b.do(chromedp.KeyEvent(`call("audit")`))
	b.wait(`!document.querySelector('[data-act=likelyExpr]').disabled`)
	b.click(`[data-act=likelyExpr]`)
	b.wait(`document.querySelectorAll('.odds li').length >= 20`)
	b.wait(`document.querySelector('.odds li .n').textContent.startsWith('100')`)
	b.wait(`document.querySelector('.track-names[data-plot]')`)
	b.click(`.odds li:nth-child(3) button`)
	b.stepMoves(0)
	b.shot("likely")
}
