package test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// unproven are the texts for which axe-core can't tell the contrast, since something lies behind or
// across them: their letters' boxes in the window, and how much contrast they need.
type unproven struct {
	Text          string
	Left, Top     float64
	Width, Height float64
	Needs         float64
}

// findUnproven lists them. A text that is cut counts with the part that is seen, and one that is
// wholly out of sight, or can't be used now, doesn't count.
const findUnproven = `axe.run(document, {runOnly: ['color-contrast'], resultTypes: ['incomplete'], iframes: false}).then(r => r.incomplete.flatMap(v => v.nodes).flatMap(({target}) => {
	const e = document.querySelector(target.at(-1)), out = [];
	if (!e || e.closest(':disabled, .aside, [aria-hidden=true], option, select')) return out;
	const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		if (n.parentElement !== e || !n.textContent.trim()) continue;
		const range = document.createRange(), style = getComputedStyle(e), size = parseFloat(style.fontSize);
		range.selectNodeContents(n);
		const r = range.getClientRects()[0];
		if (!r) continue;
		let [left, top, right, bottom] = [r.left, r.top, r.right, r.bottom];
		for (let p = e; p; p = p.parentElement) {
			if (getComputedStyle(p).overflow === 'visible') continue;
			const box = p.getBoundingClientRect();
			[left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
		}
		const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		if (right - left < 6 || bottom - top < 8 || !middle || !(e.contains(middle) || middle.contains(e))) continue;
		out.push({Text: n.textContent.trim().slice(0, 40) + ' of ' + (e.className || e.localName), Left: left, Top: top, Width: right - left, Height: bottom - top,
			Needs: size >= 24 || size >= 18.66 && +style.fontWeight >= 700 ? 3 : 4.5});
	}
	return out;
}))`

// luminance is a colour's, as WCAG defines it.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*linear(r) + .7152*linear(g) + .0722*linear(b)
}

// contrast is the largest one between the ground of a part of a picture, which is the colour that most
// of its pixels have, and any other pixel. Letters are drawn with soft edges, so their ink has at
// least that contrast.
func contrast(m image.Image, r image.Rectangle) float64 {
	count := map[color.Color]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			count[m.At(x, y)]++
		}
	}
	var ground color.Color = color.White
	for c, n := range count {
		if n > count[ground] {
			ground = c
		}
	}
	most, at := 1.0, luminance(ground)
	for c := range count {
		l := luminance(c)
		most = max(most, (max(l, at)+.05)/(min(l, at)+.05))
	}
	return most
}

// faint returns the texts whose contrast axe-core can't tell and whose pixels don't have it.
func (b *tab) faint() (texts []string, looked int) {
	b.t.Helper()
	b.violations() // loads axe-core, and waits until nothing fades
	all := eval[[]unproven](b, findUnproven)
	const scale = 3
	shot, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{
		Width: eval[float64](b, `innerWidth`), Height: eval[float64](b, `innerHeight`), Scale: scale}})
	b.must(err)
	m, err := png.Decode(bytes.NewReader(shot.Data))
	b.must(err)
	for _, u := range all {
		r := image.Rect(int(u.Left*scale), int(u.Top*scale), int((u.Left+u.Width)*scale), int((u.Top+u.Height)*scale)).Intersect(m.Bounds())
		if r.Empty() {
			continue
		}
		looked++
		if c := contrast(m, r); c < u.Needs {
			texts = append(texts, fmt.Sprintf("%s has a contrast of %.2f, and needs %.1f", u.Text, c, u.Needs))
		}
	}
	return texts, looked
}

// Where axe-core can't tell the contrast of a text, the pixels have it.
func TestContrastIsProven(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"dark", "light"} {
		t.Run(theme, func(t *testing.T) {
			b := open(t)
			b.media("prefers-color-scheme", theme)
			b.loaded()
			looked := 0
			look := func(state string) {
				t.Helper()
				faint, n := b.faint()
				if looked += n; len(faint) != 0 {
					t.Errorf("%s:\n  %s", state, strings.Join(faint, "\n  "))
					b.shot("faint " + theme + " " + state)
				}
			}
			look("first step")
			for _, key := range []string{"3", "7", "9"} {
				at := b.step()
				b.key(key)
				b.stepMoves(at)
				look(key)
			}
			for _, tab := range []string{"actors", "gestures", "console", "setup", "compare", "search"} {
				b.opensTab(tab)
				look(tab)
			}
			if looked < 100 {
				t.Errorf("only %d texts were looked at", looked)
			}
		})
	}
}
