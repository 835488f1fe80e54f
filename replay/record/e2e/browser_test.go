package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// patience is how long a state of the page may take to come.
const patience = 30 * time.Second

// dist is the page, built once as "make dist" does, in a folder of its own.
var dist = sync.OnceValues(func() (string, error) {
	out := filepath.Join(filepath.Dir(built), "dist")
	c := exec.Command("go", "run", "./web/build", "-out", out)
	c.Dir = "../../.."
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the page cannot be built: %w: %s", err, said)
	}
	return out, nil
})

// chromium is the one Chromium of all tests, which TestMain ends.
var chromium = sync.OnceValues(func() (context.Context, error) {
	name := ""
	for _, n := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(n); err == nil && name == "" {
			name = found
		}
	}
	if name == "" {
		return nil, errors.New("no Chromium: make chromium installs Debian's, or let CHROMIUM name one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(name),
		chromedp.NoSandbox, // tests also run as root, in containers
		chromedp.DisableGPU,
		chromedp.Flag("lang", "en-US"),
		chromedp.WindowSize(1440, 900),
	)
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	endChromium = func() { stop(); cancel() }
	return ctx, chromedp.Do(ctx) // which starts it
})

var endChromium = func() {}

// tab is one tab with nothing of another test's in it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	console []string // exceptions and errors
}

// openPage opens the page at an address.
func openPage(t *testing.T, address string) *tab {
	t.Helper()
	parent, err := chromium()
	if err != nil {
		t.Fatal("Chromium does not start: ", err)
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				b.mu.Lock()
				b.console = append(b.console, m.Text)
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		defer cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, text := range b.console {
			// What Chromium says of each connection that is lost or refused, and of
			// answers that are errors.
			if !strings.Contains(text, "ERR_") && !strings.Contains(text, "the server responded") {
				t.Errorf("the console shows: %s", text)
			}
		}
	})
	b.perform(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(address))
	if at, key, ok := strings.Cut(address, "?"); ok && key != "" {
		// The page that gives the key leads to the real one by itself, but then a
		// script that waits in it would end with it.
		b.perform(chromedp.Navigate(at))
	}
	b.wait(`document.documentElement.dataset.ready === 'true' && document.documentElement.dataset.step !== undefined`)
	return b
}

func (b *tab) perform(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates an expression in the page; a promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience+5*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits, frame by frame, until a condition holds.
func (b *tab) wait(condition string) {
	b.t.Helper()
	if eval[bool](b, `new Promise(done => {
		const end = performance.now() + `+strconv.FormatInt(patience.Milliseconds(), 10)+`;
		const look = () => {
			let holds = false;
			try { holds = !!(`+condition+`) } catch (e) {}
			if (holds || performance.now() > end) done(holds); else requestAnimationFrame(look);
		};
		look();
	})`) {
		return
	}
	b.t.Fatalf("it never came to this: %s\nthe stage: %s\nwatching: %s", condition, eval[string](b, `[...document.querySelectorAll("main [data-place]")].map(e => e.dataset.place).join(", ")`), eval[string](b, `(document.querySelector("dialog[open]") ?? document.querySelector(".strip") ?? document.body).innerText.slice(0, 1000)`))
}

// waitForText waits until an element's text has something in it.
func (b *tab) waitForText(selector, text string) {
	b.t.Helper()
	b.wait(`document.querySelector(` + quote(selector) + `).textContent.includes(` + quote(text) + `)`)
}

// text is the text of the first element of a selector, "" where there is none.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, `(document.querySelector(`+quote(selector)+`)?.textContent ?? '').trim()`)
}

// click clicks the middle of the first element of a selector, when it is there
// and can be used.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.wait(`(e => e.getBoundingClientRect().width > 0 && !e.disabled)(document.querySelector(` + quote(selector) + `))`)
	at := eval[[]float64](b, `(() => {
		const e = document.querySelector(`+quote(selector)+`);
		e.scrollIntoView({block: 'nearest', inline: 'nearest'});
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	b.perform(chromedp.MouseClickXY(at[0], at[1]))
}

// keys are the named ones that tests press.
var keys = map[string]string{"ArrowLeft": "\u0302", "Home": "\u0306", "End": "\u0305", "Escape": "\u001b"}

// key presses one of them, or types a character.
func (b *tab) key(name string) {
	b.t.Helper()
	if code, ok := keys[name]; ok {
		name = code
	}
	b.perform(chromedp.KeyEvent(name))
}

// step is the number of the step that is shown.
func (b *tab) step() int {
	b.t.Helper()
	return eval[int](b, `+document.documentElement.dataset.step`)
}

// waitForKeys waits until the indexer has these keys, and no others.
func (b *tab) waitForKeys(keys ...string) {
	b.t.Helper()
	slices.Sort(keys)
	b.wait(`[...document.querySelectorAll('[data-place^="store/"]')].map(e => e.dataset.place.slice(6)).sort().join() === ` + quote(strings.Join(keys, ",")))
}

// download clicks what makes the browser save a file, and returns its name.
func (b *tab) download(selector string) string {
	b.t.Helper()
	dir, events := b.t.TempDir(), true
	if _, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID, DownloadPath: dir, EventsEnabled: &events,
	}); err != nil {
		b.t.Fatal(err)
	}
	done := make(chan string, 1)
	name := ""
	if err := chromedp.ListenBrowser(b.ctx, func(ev any) {
		switch e := ev.(type) {
		case *browser.EventDownloadWillBegin:
			name = e.SuggestedFilename
		case *browser.EventDownloadProgress:
			if e.State == browser.DownloadProgressStateCompleted {
				select {
				case done <- name:
				default:
				}
			}
		}
	}); err != nil {
		b.t.Fatal(err)
	}
	b.click(selector)
	select {
	case name := <-done:
		return filepath.Join(dir, name)
	case <-time.After(patience):
		b.t.Fatal("no file comes")
	}
	return ""
}

// quote writes a string as JavaScript does.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always marshal
	}
	return strings.TrimSpace(b.String())
}
