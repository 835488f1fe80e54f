package test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// saved presses Save and returns the file.
func (b *tab) saved() (file string) {
	b.t.Helper()
	return b.download(func() {
		b.wait(`document.querySelector("dialog[open] [data-act=saveNow]:not([disabled])")`)
		b.click(`dialog[open] [data-act=saveNow]`)
		b.wait(`document.querySelector('dialog[open] .saved')`)
		b.shot("saved")
	})
}

// download does something for which the page gives a file, and returns the file.
func (b *tab) download(do func()) (file string) {
	b.t.Helper()
	dir := b.t.TempDir()
	events, done := true, make(chan string, 1)
	_, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID, DownloadPath: dir, EventsEnabled: &events,
	})
	b.check(err)
	// The browser tells of the downloads of all tabs. This tab's come from its main frame,
	// which has the ID of the tab.
	frame := string(chromedp.FromContext(b.ctx).Target.TargetID)
	var name, guid string
	b.check(chromedp.ListenBrowser(b.ctx, func(ev any) {
		switch e := ev.(type) {
		case *browser.EventDownloadWillBegin:
			if string(e.FrameID) == frame {
				name, guid = e.SuggestedFilename, e.GUID
			}
		case *browser.EventDownloadProgress:
			if e.GUID == guid && e.State == browser.DownloadProgressStateCompleted {
				select {
				case done <- name:
				default:
				}
			}
		}
	}))
	do()
	select {
	case name := <-done:
		return filepath.Join(dir, name)
	case <-b.ctx.Done():
		b.t.Fatal("no file came")
	}
	return ""
}

// A saved trace has no secrets in it, and opens to the same steps.
func TestSavesWhatWasWatched(t *testing.T) {
	t.Parallel()
	const secret = "bm90IGZvciB5b3U="
	c := newCluster(t)
	c.set("pods", "ADDED", "first", `,"spec":{"containers":[{"name":"web","env":[{"name":"PASSWORD","value":"open-sesame"}]}]}`)
	c.set("secrets", "ADDED", "token", `,"data":{"password":"`+secret+`"}`)
	b := c.openChooser(t)
	b.click(`dialog[open] [data-act=want][data-arg=secrets]`)
	b.wait(`document.querySelectorAll('dialog[open] [data-act=want]:checked').length === 2`)
	b.follows()
	c.set("pods", "ADDED", "second", "")
	b.waitForKey("shop/second", true)
	c.end()
	c.set("pods", "DELETED", "first", "")
	b.waitForKey("shop/first", false)
	b.wait(`document.querySelectorAll('.strip .is-watching').length === 2`)
	b.click(`.strip [data-act=unfollow]`)
	b.wait(`document.documentElement.dataset.live === 'stopped'`)
	b.key("Home")
	b.stepIs(0)
	b.key("End")
	steps, stage := b.stepMoves(0), b.stage()

	b.key("s")
	b.wait(`document.documentElement.dataset.dialog === 'save' && document.querySelector('dialog[open] [data-act=redact][value=share]').checked`)
	// What leaves is shown first, with what stays, by path.
	b.wait(`/metadata.name/.test(document.querySelector('dialog[open] .kept')?.textContent)`)
	b.shot("save")
	if text := b.text(`dialog[open] .leaves`); !strings.Contains(text, "secrets: events and lists, 1 in all") || strings.Contains(text, secret) || strings.Contains(text, "open-sesame") {
		t.Errorf("the dialog says that this leaves: %q", text)
	}
	shared := unzip(t, b.saved())
	for _, gone := range []string{secret, "open-sesame", "PASSWORD", `"password"`} {
		if bytes.Contains(shared, []byte(gone)) {
			t.Errorf("%s is in the trace that is to be shared", gone)
		}
	}
	if head, _, _ := bytes.Cut(shared, []byte("\n")); !bytes.Contains(head, []byte(`"redacted":["shape"]`)) || !bytes.Contains(shared, []byte("shop")) {
		t.Errorf("the first line is %s", head)
	}
	// To go on later, values stay, and the file says so. Secrets don't.
	b.click(`dialog[open] [data-act=redact][value=later]`)
	b.wait(`document.querySelector('dialog[open] [data-act=redact][value=later]').checked && !document.querySelector('dialog[open] .leaves[data-stale], dialog[open] .kept') && /data of Secrets: 1/.test(document.querySelector('dialog[open] .leaves').textContent)`)
	b.shot("later")
	file := b.saved()
	if text := b.text(`dialog[open] .saved`); !strings.Contains(text, filepath.Base(file)) {
		t.Errorf("the trace was saved as %s, and the page says %q", file, text)
	}
	trace := unzip(t, file)
	for _, gone := range []string{secret, "open-sesame"} {
		if bytes.Contains(trace, []byte(gone)) {
			t.Errorf("%s is still in the saved trace", gone)
		}
	}
	if head, _, _ := bytes.Cut(trace, []byte("\n")); !bytes.Contains(head, []byte(`"redacted":["values kept: redact before you share"`)) || !bytes.Contains(trace, []byte(`"PASSWORD"`)) {
		t.Errorf("the first line is %s", head)
	}

	b.key("Escape")
	b.upload(onFile, file)
	b.wait(`!document.documentElement.dataset.live && document.querySelector('.source').textContent.includes(` + quote(filepath.Base(file)) + `)`)
	b.loaded()
	b.stepIs(0)
	b.key("End")
	if again := b.stepMoves(0); again != steps {
		t.Errorf("the saved trace has %d steps, and had %d when it was watched", again, steps)
	}
	if again := b.stage(); again != stage {
		t.Errorf("at the end the stage is\n%s\nand when it was watched:\n%s", again, stage)
	}
	b.key("a")
	b.wait(`document.documentElement.dataset.dialog === 'about' && /data of Secrets/.test(document.querySelector('dialog[open] .about-facts').textContent) && /The file is for its owner/.test(document.querySelector('dialog[open]').textContent)`)
	b.shot("about")
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What was done to a recording is in the saved file, and is there again when the file is opened.
func TestSavesAFuture(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("5")
	at := b.stepMoves(0)
	b.opensTab("console")
	b.focus(`#console-line`)
	b.write("break watch")
	step := b.stepMoves(at)
	b.wait(`document.querySelectorAll('.future').length === 2`)
	stage := b.stage()
	b.inBar("share", "save")
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
	file := b.saved()
	b.key("Escape")
	b.upload(onFile, file)
	b.wait(`document.querySelector('.source').textContent.includes(` + quote(filepath.Base(file)) + `)`)
	b.loaded()
	b.wait(`document.querySelectorAll('.future').length === 2`)
	b.stepIs(step)
	if again := b.stage(); again != stage {
		t.Errorf("the stage is\n%s\nand when it was saved:\n%s", again, stage)
	}
}

// What the viewer did is put on the clipboard as a test in Go.
func TestCopiesAGoTest(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler h", "create pod a/web", "run")
	b.run(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`)
	b.inBar("share", "save")
	b.wait(`document.querySelector('dialog[open] [data-act=saveAs]')`)
	b.chooses(`[data-act=saveAs]`, "gotest")
	b.wait(`document.querySelector("dialog[open] [data-act=copyText]")`)
	b.click(`dialog[open] [data-act=copyText]`)
	b.wait(`document.querySelector('dialog[open] .saved')?.innerText.includes('on the clipboard') && /func Test/.test(window.copied) && window.copied.includes('informer pods')`)
	b.run(`navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError'); }`)
	b.click(`dialog[open] [data-act=copyText]`)
	b.wait(`document.querySelector('dialog[open] .save-says')?.innerText.includes('Save it as a file')`)
}

// What the viewer did is put on the clipboard as a test of the viewer's own controller.
func TestCopiesATestOfAController(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile current", "informer pods", "handler h", "exists pod a/web", "run", "break watch", "advance 2s", "update pod a/web app=x", "run")
	b.run(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`)
	b.inBar("share", "save")
	b.wait(`document.querySelector('dialog[open] [data-act=saveAs]')`)
	b.chooses(`[data-act=saveAs]`, "controllertest")
	b.wait(`document.querySelector("dialog[open] [data-act=copyText]")`)
	b.click(`dialog[open] [data-act=copyText]`)
	b.wait(`/func Test/.test(window.copied) && window.copied.includes('whatif.New(server)') && /break watch\nadvance to 2\.\d+s\nupdate pods? a\/web app=x/.test(window.copied)`)
	b.wait(`document.querySelector('dialog[open]').innerText.includes('A test of my controller')`)
}
