package test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// turned has the page's clock stand until turn moves it on and the worker has answered, so that a film is as smooth on a busy machine
// as on another one.
const turned = `let now = 0, calls = [], asks = false;
const {postMessage} = MessagePort.prototype, heard = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
MessagePort.prototype.postMessage = function (...all) { asks = true; return postMessage.apply(this, all); };
Object.defineProperty(MessagePort.prototype, 'onmessage', {...heard, set(f) { heard.set.call(this, f && ((e) => { asks = false; f.call(this, e); })); }});
const paint = requestAnimationFrame;
performance.now = () => now;
window.requestAnimationFrame = (f) => calls.push(f);
window.turn = async (ms) => {
	now += ms;
	const due = calls;
	calls = [];
	for (const f of due) f(now);
	for (let n = 0; n < 600 && (asks || n < 2); n++) await new Promise(paint); // not everything is answered
	return document.documentElement.dataset.playing === 'true';
};`

// The loop's own film: web is deleted from the cluster, and the copy is late. It is README's picture, which
// INFORMERSCOPE_SHOTS makes (README.md). Whatever the machine does, the film tells the same: web differs for about two
// seconds, while the event is on the wire.
func TestFilmOfTheLoop(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.preload(turned)
	b.size(1440, 900)
	b.goTo(env.site + "?film#loop=2")
	turns := func(until string) {
		t.Helper()
		for end := time.Now().Add(patience); time.Now().Before(end); {
			if eval[bool](b, `turn(80).then(() => `+until+`)`) {
				return
			}
		}
		t.Fatalf("the film never comes to %s", until)
	}
	turns(`document.documentElement.dataset.ready === 'true' && document.querySelector('.loop-says')?.textContent.startsWith('Delete')`)
	f := film{b: b}
	f.shoot(12)
	b.run(`document.querySelector('.loop-bar [data-act=loopDelete]').click()`) // a click waits for a frame, and the clock stands
	late := 0
	for range 200 {
		playing := eval[bool](b, `turn(80)`)
		if eval[bool](b, `!!document.querySelector('.part-cache [data-wrong]')`) {
			late++
		}
		f.shoot(1)
		if !playing && late > 0 {
			break
		}
	}
	if seconds := float64(late) * .08; seconds < 2 || seconds > 6 {
		t.Errorf("web differs for %v s", seconds)
	}
	f.shoot(20)
	f.save("loop")
}

// film is what was seen of a page.
type film struct {
	b      *tab
	shots  []image.Image
	delays []int // in hundredths of a second
}

// shoot takes a picture that is seen for some turns. It takes none where nobody wants the film.
func (f *film) shoot(turns int) {
	if os.Getenv("INFORMERSCOPE_SHOTS") == "" {
		return
	}
	shot, err := chromedp.Call(f.b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{Width: 1440, Height: 900, Scale: .6}})
	f.b.check(err)
	m, err := png.Decode(bytes.NewReader(shot.Data))
	f.b.check(err)
	f.shots, f.delays = append(f.shots, m), append(f.delays, 8*turns)
}

// distance returns how far two colours are from one another, from 0 to 442.
func distance(a, b color.Color) float64 {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return math.Hypot(math.Hypot(float64(r>>8)-float64(r2>>8), float64(g>>8)-float64(g2>>8)), float64(bl>>8)-float64(b2>>8))
}

// save writes the film, in those colours that are most of it and can be told from one another. Each picture after the first one has what differs.
func (f *film) save(name string) {
	if len(f.shots) == 0 {
		return
	}
	seen := map[color.Color]int{}
	for _, m := range f.shots {
		for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
			for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
				seen[m.At(x, y)]++
			}
		}
	}
	var palette color.Palette
	for _, c := range slices.SortedFunc(maps.Keys(seen), func(a, b color.Color) int { return cmp.Compare(seen[b], seen[a]) }) {
		if len(palette) < 256 && (len(palette) < 2 || distance(c, palette.Convert(c)) > 14) {
			palette = append(palette, c)
		}
	}
	nearest := map[color.Color]uint8{}
	out := gif.GIF{}
	var before *image.Paletted
	for i, m := range f.shots {
		whole := image.NewPaletted(m.Bounds(), palette)
		changed := image.Rectangle{}
		for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
			for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
				c := m.At(x, y)
				n, known := nearest[c]
				if !known {
					n = uint8(palette.Index(c))
					nearest[c] = n
				}
				whole.SetColorIndex(x, y, n)
				if before == nil || before.ColorIndexAt(x, y) != n {
					changed = changed.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if changed.Empty() {
			out.Delay[len(out.Delay)-1] += f.delays[i]
			continue
		}
		out.Image, out.Delay = append(out.Image, whole.SubImage(changed).(*image.Paletted)), append(out.Delay, f.delays[i])
		before = whole
	}
	var b bytes.Buffer
	f.b.check(gif.EncodeAll(&b, &out))
	f.b.check(os.WriteFile(filepath.Join(os.Getenv("INFORMERSCOPE_SHOTS"), name+".gif"), b.Bytes(), 0o644))
}
