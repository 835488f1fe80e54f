package test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A picture of a step, and the last frame of a film, look like the stage, in either theme
// and in both browsers.
func TestPicturesLookLikeTheStage(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.loaded()
			b.choose([]byte(heldBack), "a&b<i>.txt")
			b.key("7")
			b.stepMoves(0)
			b.run(`for (const e of document.querySelectorAll('.menu')) e.style.visibility = 'hidden'`) // no picture has these
			for _, theme := range []string{"light", "dark"} {
				if b.dark() != (theme == "dark") {
					b.click(`[data-act=theme]`)
				}
				b.rests()
				stage := b.pictureOf("main")
				// The picture is taken while the page has the other theme.
				b.click(`[data-act=theme]`)
				b.wait(`document.documentElement.dataset.theme !== ` + quote(theme))
				b.key("s")
				b.wait(`document.documentElement.dataset.dialog === 'save'`)
				b.chooses(`[data-act=saveAs]`, "png")
				b.chooses(`[data-act=shot][data-arg=theme]`, theme)
				if eval[bool](b, `document.querySelector('[data-act=shot][data-arg=says]').checked`) {
					b.click(`[data-act=shot][data-arg=says]`)
				}
				picture, err := png.Decode(bytes.NewReader(b.downloaded()))
				b.check(err)
				b.shot("png-" + theme)
				if part := difference(stage, picture); part > .02 {
					t.Errorf("%s: %.1f %% of the picture differs from the stage", theme, 100*part)
				}
				b.key("Escape")
			}

			b.key("s")
			b.wait(`document.documentElement.dataset.dialog === 'save'`)
			b.chooses(`[data-act=saveAs]`, "svg")
			b.click(`[data-act=shot][data-arg=says]`)
			drawing := b.downloaded()
			said := texts(t, drawing)
			for _, want := range []string{"DeltaFIFO", "Indexer", "audit<&>", "default/", strings.TrimSpace(b.text(`.said`))} {
				if !strings.Contains(said, want) {
					t.Errorf("the drawing lacks %q: %s", want, said)
				}
			}
			if bytes.Contains(drawing, []byte("foreignObject")) {
				t.Error("there is HTML in the drawing")
			}

			at := b.step()
			b.chooses(`[data-act=saveAs]`, "gif")
			b.click(`[data-act=shot][data-arg=says]`)
			b.chooses(`[data-act=shot][data-arg=theme]`, "dark")
			b.chooses(`[data-act=shot][data-arg=from]`, num(at-3))
			b.chooses(`[data-act=shot][data-arg=to]`, num(at))
			film, err := gif.DecodeAll(bytes.NewReader(b.downloaded()))
			b.check(err)
			if len(film.Image) != 4 || film.Delay[0] != 80 {
				t.Fatalf("the film has %d frames, the first for %d hundredths of a second", len(film.Image), film.Delay[0])
			}
			frame := image.NewRGBA(image.Rect(0, 0, film.Config.Width, film.Config.Height))
			for _, change := range film.Image {
				draw.Draw(frame, change.Bounds(), change, change.Bounds().Min, draw.Over)
			}
			b.stepIs(at)
			b.chooses(`[data-act=saveAs]`, "session")
			if session := string(b.downloaded()); !strings.Contains(session, "\nexpect calls controller 5\n") {
				t.Errorf("the session is\n%s", session)
			}
			b.key("Escape")
			b.wait(`!document.documentElement.dataset.dialog`)
			if !b.dark() {
				b.click(`[data-act=theme]`)
			}
			b.rests()
			if part := difference(b.pictureOf("main"), frame); part > .02 {
				t.Errorf("%.1f %% of the film's last frame differs from the stage", 100*part)
			}
			if eval[bool](b, `!!document.querySelector('.darkroom')`) {
				t.Error("a copy of the stage is still on the page")
			}
		})
	}
}

// "informerscope open --picture" draws what the dialog draws.
func TestTheCommandTakesAPicture(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "step.svg")
	at := []string{"open", "../traces/shop.trace.jsonl.gz", "--at", "700"}
	said, err := exec.Command(*program, append(at, "--port", "0", "--picture", name)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	picture, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	address, _ := informerscope(t, nil, at...)
	b.goTo(address)
	b.ready()
	b.stepIs(700)
	b.key("s")
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
	b.chooses(`[data-act=saveAs]`, "svg")
	b.chooses(`[data-act=shot][data-arg=theme]`, "light")
	if got, want := texts(t, picture), texts(t, b.downloaded()); got != want {
		t.Errorf("the command draws\n%s\nand the dialog\n%s", got, want)
	}
}

// heldBack has a slow handler whose name has to be escaped, locks, and a tombstone.
const heldBack = `profile classic
informer pods index=app
handler audit<&> takes=50ms
handler controller workqueue
exists pod default/web-a-name-that-is-much-too-long-for-its-place-on-the-stage app=web
exists pod default/b app=web
run until synced
create pod default/c app=api
update pod default/b app=api
break watch
delete pod default/b
run
`

// dark tells whether the page is dark.
func (b *tab) dark() bool { return b.brightness() < 128 }

// pictureOf is an element as it is on the screen.
func (b *tab) pictureOf(selector string) image.Image {
	b.t.Helper()
	shot, err := b.screenshot(b.ctx)
	b.check(err)
	whole, err := png.Decode(bytes.NewReader(shot))
	b.check(err)
	r := eval[[]int](b, `(() => { const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round) })()`)
	return whole.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(r[0], r[1], r[2], r[3]))
}

// difference is the part of a screen that differs from a picture of it, which may be
// larger. It compares small squares by their mean colours, since each program smooths
// the edges of letters as it likes.
func difference(screen, picture image.Image) float64 {
	const side = 6
	s, p := screen.Bounds(), picture.Bounds()
	scale := float64(p.Dx()) / float64(s.Dx())
	mean := func(m image.Image, r image.Rectangle) (c [3]float64) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				red, green, blue, _ := m.At(x, y).RGBA()
				for i, v := range []uint32{red, green, blue} {
					c[i] += float64(v>>8) / float64(r.Dx()*r.Dy())
				}
			}
		}
		return c
	}
	all, differ := 0, 0
	for y := 0; y+side <= s.Dy(); y += side {
		for x := 0; x+side <= s.Dx(); x += side {
			at := func(v int) int { return int(float64(v) * scale) }
			a := mean(screen, image.Rect(x, y, x+side, y+side).Add(s.Min))
			b := mean(picture, image.Rect(at(x), at(y), at(x+side), at(y+side)).Add(p.Min))
			all++
			for i := range a {
				if a[i]-b[i] > 40 || b[i]-a[i] > 40 {
					differ++
					break
				}
			}
		}
	}
	return float64(differ) / float64(all)
}

// texts are the texts of a drawing, which must be XML.
func texts(t *testing.T, drawing []byte) string {
	t.Helper()
	var all []string
	d := xml.NewDecoder(bytes.NewReader(drawing))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(all, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) > 0 {
			all = append(all, string(text))
		}
	}
}

// downloaded presses Save and returns what is in the file.
func (b *tab) downloaded() []byte {
	b.t.Helper()
	file := ""
	if f, ok := b.driver.(firefox); ok {
		files := f.downloads()
		b.wait(`document.querySelector("dialog[open] [data-act=saveNow]:not([disabled])")`)
		b.click(`dialog[open] [data-act=saveNow]`)
		b.wait(`document.querySelector('dialog[open] .saved')`)
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		select {
		case file = <-files:
			defer os.Remove(file)
		case <-ctx.Done():
			b.t.Fatal("no file came")
		}
	} else {
		file = b.saved()
	}
	content, err := os.ReadFile(file)
	b.check(err)
	return content
}
