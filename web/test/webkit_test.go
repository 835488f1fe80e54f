package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// webkit drives the only tab of a WebKit, the engine of Safari, by WebDriver (https://www.w3.org/TR/webdriver2). Each has a
// storage of its own.
type webkit struct {
	session string // the address of its commands
}

// theScreen is what WebKit draws on, which has no windows without one. The first test that needs it starts it.
var theScreen = sync.OnceValues(startScreen)

// stopScreen ends the screen that a test has started. It is nil where no test has.
var stopScreen func()

// startScreen starts an X server that nobody sees, and returns what DISPLAY is for it.
func startScreen() (string, error) {
	says, number, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer says.Close()
	c := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "2000x1600x24", "-nolisten", "tcp")
	c.ExtraFiles = []*os.File{number}
	err = c.Start()
	number.Close()
	if err != nil {
		return "", fmt.Errorf("no screen for WebKit: make webkit installs Debian's Xvfb: %w", err)
	}
	stopScreen = func() {
		c.Process.Kill()
		c.Wait()
	}
	line, err := bufio.NewReader(says).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("Xvfb opened no screen: %w", err)
	}
	return ":" + strings.TrimSpace(line), nil
}

// newWebKit opens an empty window of WebKit. Its page isn't told to leave the browser's storage alone, as those of Chromium and
// Firefox are, because WebDriver runs no script before those of a page.
func newWebKit(t testing.TB) *tab {
	t.Helper()
	display, err := theScreen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &tab{t: t, ctx: ctx}
	b.lines.L = &b.mu
	w, stop, err := startWebKit(ctx, display, t.TempDir())
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	b.driver = w
	b.begin(func() {
		stop()
		cancel()
	})
	t.Cleanup(func() { // before the console is checked
		lines, err := w.heard(context.Background())
		if err != nil {
			t.Errorf("WebKit doesn't tell what its console shows: %v", err)
		}
		for _, l := range lines {
			b.hears(l.Level, l.Text)
		}
	})
	return b
}

// listens keeps what the console shows from now on. WebDriver doesn't tell. An observer that sees a size change again with the
// next frame is an error in no console.
const listens = `
	window.__console = [];
	const keep = (level, text) => window.__console.push({level, text});
	for (const level of ['error', 'warn', 'log']) {
		const tell = console[level];
		console[level] = (...words) => { keep(level, words.join(' ')); tell.apply(console, words); };
	}
	addEventListener('error', (e) => { if (!e.message.startsWith('ResizeObserver loop')) keep('exception', e.message); });
	addEventListener('unhandledrejection', (e) => keep('exception', String(e.reason)));
`

// heard returns what the console has shown since the document was loaded.
func (w webkit) heard(ctx context.Context) (lines []struct{ Level, Text string }, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return lines, w.evaluate(ctx, `window.__console ?? []`, &lines)
}

// startDriver starts the driver of WebKit. It takes no port of its own choice, and ends where another program has the port: then
// another one is tried. No port is one of those that the system gives away.
func startDriver(ctx context.Context, environ []string) (driver webkit, stop func(), err error) {
	for {
		port := strconv.Itoa(20_000 + rand.IntN(10_000))
		c := exec.Command("WebKitWebDriver", "--port="+port)
		c.Env = environ
		if err := c.Start(); err != nil {
			return driver, nil, fmt.Errorf("no driver of WebKit: make webkit installs Debian's: %w", err)
		}
		ended := make(chan struct{})
		go func() {
			c.Wait()
			close(ended)
		}()
		stop = func() {
			c.Process.Kill()
			<-ended
		}
		driver = webkit{"http://127.0.0.1:" + port}
		tick := time.NewTicker(20 * time.Millisecond) // it doesn't say when it listens
		defer tick.Stop()
		for over := false; !over; {
			if err = driver.call(ctx, http.MethodGet, "/status", nil, nil); err == nil {
				return driver, stop, nil
			}
			select {
			case <-ended:
				over = true
			case <-tick.C:
			case <-ctx.Done():
				stop()
				return driver, nil, err
			}
		}
	}
}

// startWebKit starts a browser and its driver, which ends with it. home is where they may write.
func startWebKit(ctx context.Context, display, home string) (w webkit, stop func(), err error) {
	browsers, err := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	if err != nil || len(browsers) == 0 {
		return w, nil, fmt.Errorf("no WebKit: make webkit installs Debian's %v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	driver, end, err := startDriver(ctx, append(os.Environ(), "DISPLAY="+display, "HOME="+home, "XDG_RUNTIME_DIR="+home, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1",
		"GSETTINGS_BACKEND=memory", "LIBGL_ALWAYS_SOFTWARE=1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "LC_ALL=C.UTF-8", "LANGUAGE=en"))
	if err != nil {
		return w, nil, err
	}
	stop = func() {
		if w.session != "" {
			w.call(context.Background(), http.MethodDelete, "", nil, nil)
		}
		end()
	}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	if err := driver.call(ctx, http.MethodPost, "/session", m{"capabilities": m{"alwaysMatch": m{
		"timeouts":                 m{"script": patience.Milliseconds(), "pageLoad": patience.Milliseconds()},
		"webkitgtk:browserOptions": m{"binary": browsers[len(browsers)-1], "args": []string{"--automation"}},
	}}}, &made); err != nil {
		stop()
		return w, nil, fmt.Errorf("WebKit does not start: %w", err)
	}
	w.session = driver.session + "/session/" + made.SessionID
	return w, stop, nil
}

// call sends a command, and decodes its value unless into is nil.
func (w webkit) call(ctx context.Context, method, path string, params m, into any) error {
	var body io.Reader
	if method == http.MethodPost {
		text, err := json.Marshal(params)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, w.session+path, body)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var got struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, got.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got.Value, into)
}

func (w webkit) post(ctx context.Context, path string, params m, into any) error {
	return w.call(ctx, http.MethodPost, path, params, into)
}

func (w webkit) evaluate(ctx context.Context, expression string, into any) error {
	var text struct{ Value, Fault string }
	err := w.post(ctx, "/execute/async", m{"args": []any{}, "script": `
		const tell = arguments[arguments.length - 1];
		` + asText(expression) + `.then((value) => tell({value}), (e) => tell({fault: String(e)}));`}, &text)
	if err != nil {
		return err
	}
	if text.Fault != "" {
		return errors.New(text.Fault)
	}
	return decode(text.Value, into)
}

func (w webkit) navigate(ctx context.Context, url string) error {
	if err := w.post(ctx, "/url", m{"url": url}, nil); err != nil {
		return err
	}
	return w.post(ctx, "/execute/sync", m{"args": []any{}, "script": listens}, nil)
}

func (w webkit) reload(ctx context.Context) error {
	if err := w.post(ctx, "/refresh", m{}, nil); err != nil {
		return err
	}
	return w.post(ctx, "/execute/sync", m{"args": []any{}, "script": listens}, nil)
}

func (w webkit) press(ctx context.Context, key string, shifted bool) error {
	return w.act(ctx, m{"type": "key", "id": "keyboard", "actions": keyActions(key, shifted)})
}

func (w webkit) click(ctx context.Context, x, y float64) error {
	return w.act(ctx, m{"type": "pointer", "id": "mouse", "actions": clickActions(x, y)})
}

func (w webkit) act(ctx context.Context, source m) error {
	return w.post(ctx, "/actions", m{"actions": []m{source}}, nil)
}

func (w webkit) upload(ctx context.Context, selector string, files []string) error {
	element := map[string]string{}
	if err := w.post(ctx, "/element", m{"using": "css selector", "value": selector}, &element); err != nil {
		return err
	}
	for _, id := range element { // its only key is a constant of the protocol
		return w.post(ctx, "/element/"+id+"/value", m{"text": strings.Join(files, "\n")}, nil)
	}
	return errors.New("WebKit names no element")
}

// resize gives the window so much more than its content as it has around it.
func (w webkit) resize(ctx context.Context, width, height int64) error {
	for range 2 { // the first time, the window may only now come to its size
		var around []int64
		if err := w.evaluate(ctx, `[outerWidth - innerWidth, outerHeight - innerHeight]`, &around); err != nil {
			return err
		}
		if err := w.post(ctx, "/window/rect", m{"width": width + around[0], "height": height + around[1]}, nil); err != nil {
			return err
		}
		var is bool
		if err := w.evaluate(ctx, `new Promise((done) => {
			let frames = 0;
			const look = () => {
				const is = innerWidth === `+strconv.FormatInt(width, 10)+` && innerHeight === `+strconv.FormatInt(height, 10)+`;
				if (is || frames++ > 60) done(is); else requestAnimationFrame(look);
			};
			look();
		})`, &is); err != nil || is {
			return err
		}
	}
	return fmt.Errorf("the window doesn't become %d×%d", width, height)
}

func (w webkit) focused(context.Context, string, string) (bool, error) {
	return false, errors.New("WebDriver doesn't tell what the accessibility tree has")
}

func (w webkit) screenshot(ctx context.Context) ([]byte, error) {
	var png []byte // encoding/json reads base64 into bytes
	err := w.call(ctx, http.MethodGet, "/screenshot", nil, &png)
	return png, err
}

// A newcomer goes the same way in WebKit, where heads of wires have the colour of their wires, too.
func TestANewcomersWalkInWebKit(t *testing.T) {
	t.Parallel()
	b := walkAsNewcomer(t, newWebKit)
	if other := eval[[]string](b, `[...document.querySelectorAll('.wire')].filter((w) => getComputedStyle(w).display !== 'none' &&
		getComputedStyle(w.querySelector('.wire-head')).fill !== getComputedStyle(w.querySelector('.wire-line')).stroke).map((w) => w.getAttribute('class'))`); len(other) > 0 {
		t.Errorf("their heads have other colours: %q", other)
	}
}

// A fault of the page is heard in WebKit, too.
func TestTheWatchersHearWebKit(t *testing.T) {
	t.Parallel()
	site, _ := siteOf(t, map[string]string{"index.html": `<!doctype html><html lang="en"><title>bad</title><link rel="icon" href="data:,"></html>`})
	b := newWebKit(t)
	b.goTo(site)
	b.run(`console.error('something broke'); console.log('panic: in Go'); setTimeout(() => { throw new Error('later') }); await new Promise((done) => addEventListener('error', done))`)
	lines, err := b.driver.(webkit).heard(b.ctx)
	if err != nil || len(lines) != 3 || lines[0].Text != "something broke" || lines[1].Text != "panic: in Go" || !strings.Contains(lines[2].Text, "later") {
		t.Errorf("the console has %q, %v", lines, err)
	}
	for _, l := range lines {
		b.allow(l.Text)
	}
}
