package test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// bidi is a connection to a browser that speaks WebDriver BiDi, a message of
// JSON for each command and for each event (https://w3c.github.io/webdriver-bidi).
type bidi struct {
	conn *websocket.Conn

	mu      sync.Mutex
	id      int
	waiting map[int]chan reply
	hear    map[string][]func(params json.RawMessage) // by the name of an event
	broken  error
}

type reply struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

// preferences keep Firefox from asking the viewer or the network for anything,
// and let it download without a question, and without its panel, which would take
// the keys of the next tab. All that isn't on this machine goes to a port at which
// nobody listens.
const preferences = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.download.alwaysOpenPanel", false);
user_pref("browser.download.always_ask_before_handling_new_types", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.locale.requested", "en-US");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.no_proxies_on", "127.0.0.1");
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
`

// stopFirefox ends the Firefox that a test has started, and removes its profile. It
// is nil where no test has.
var stopFirefox func()

// startFirefox starts a Firefox without windows, with an empty profile.
func startFirefox() (*bidi, error) {
	program, err := findFirefox()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "informerscope-firefox-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		return nil, err
	}
	c := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
	c.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "MOZ_DATA_REPORTING=0", "HOME="+profile)
	says, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		c.Process.Kill()
		c.Wait()
		os.RemoveAll(profile)
	}
	stopFirefox = stop
	var heard strings.Builder
	lines := bufio.NewScanner(says)
	for lines.Scan() {
		fmt.Fprintln(&heard, lines.Text())
		if address, ok := strings.CutPrefix(lines.Text(), "WebDriver BiDi listening on "); ok {
			go io.Copy(io.Discard, says)
			return dial(address + "/session")
		}
	}
	return nil, fmt.Errorf("%s opened no port:\n%s", program, heard.String())
}

func findFirefox() (string, error) {
	for _, name := range []string{os.Getenv("FIREFOX"), "firefox-esr", "firefox"} {
		if name == "" {
			continue
		}
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("no Firefox: make firefox installs Debian's, or let FIREFOX name one")
}

func dial(address string) (*bidi, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience) // a browser takes longer to start than a page
	defer cancel()
	conn, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(256 << 20)
	b := &bidi{conn: conn, waiting: map[int]chan reply{}, hear: map[string][]func(json.RawMessage){}}
	go b.listen()
	if err := b.call(ctx, "session.new", m{"capabilities": m{}}, nil); err != nil {
		return nil, err
	}
	return b, b.call(ctx, "session.subscribe", m{"events": []string{"log.entryAdded", "browsingContext.downloadEnd"}}, nil)
}

// m is an object of JSON.
type m = map[string]any

func (b *bidi) listen() {
	for {
		var r reply
		if err := wsjson.Read(context.Background(), b.conn, &r); err != nil {
			b.mu.Lock()
			b.broken = err
			for _, w := range b.waiting {
				close(w)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		b.mu.Lock()
		hear, answer := b.hear[r.Method], b.waiting[r.ID]
		if r.Type == "event" {
			answer = nil
		} else {
			delete(b.waiting, r.ID)
		}
		b.mu.Unlock()
		for _, h := range hear {
			h(r.Params)
		}
		if answer != nil {
			answer <- r
		}
	}
}

// handle calls f with each event of a name from now on.
func (b *bidi) handle(event string, f func(params json.RawMessage)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hear[event] = append(b.hear[event], f)
}

// call sends a command, and decodes its result unless into is nil.
func (b *bidi) call(ctx context.Context, method string, params m, into any) error {
	b.mu.Lock()
	if b.broken != nil {
		b.mu.Unlock()
		return fmt.Errorf("the connection to Firefox is gone: %w", b.broken)
	}
	b.id++
	id, answer := b.id, make(chan reply, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	if err := wsjson.Write(ctx, b.conn, m{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: Firefox is gone", method)
		case r.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, r.Error, r.Message)
		case into == nil:
			return nil
		}
		return json.Unmarshal(r.Result, into)
	}
}

// theFirefox is started by the first test that needs it.
var theFirefox = sync.OnceValues(startFirefox)

// firefox drives a tab of Firefox.
type firefox struct {
	*bidi
	context string // what BiDi calls a tab
}

// newFox opens an empty tab of Firefox, with storage of its own.
func newFox(t testing.TB) *tab {
	t.Helper()
	inFirefox.take(t)
	browser, err := theFirefox()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &tab{t: t, ctx: ctx}
	b.lines.L = &b.mu
	var user struct {
		UserContext string `json:"userContext"`
	}
	b.check(browser.call(ctx, "browser.createUserContext", m{}, &user))
	var made struct {
		Context string `json:"context"`
	}
	b.check(browser.call(ctx, "browsingContext.create", m{"type": "tab", "userContext": user.UserContext}, &made))
	b.check(browser.call(ctx, "script.addPreloadScript", m{"functionDeclaration": "() => {" + preloaded(t) + "}", "contexts": []string{made.Context}}, nil))
	b.driver = firefox{browser, made.Context}
	browser.handle("log.entryAdded", func(params json.RawMessage) {
		var e struct {
			Level  string `json:"level"`
			Text   string `json:"text"`
			Source struct {
				Context string `json:"context"`
			} `json:"source"`
		}
		if json.Unmarshal(params, &e) == nil && e.Source.Context == made.Context {
			b.hears(e.Level, e.Text)
		}
	})
	b.begin(func() {
		browser.call(ctx, "browsingContext.close", m{"context": made.Context}, nil)
		browser.call(ctx, "browser.removeUserContext", m{"userContext": user.UserContext}, nil)
		cancel()
	})
	return b
}

// front waits until keys come to the page. Firefox brings a new tab to the front some time after it was asked for, and the
// field for the address may have the focus in it.
func (b *tab) front() {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		for {
			if f, is := b.driver.(firefox); is {
				if err := f.call(ctx, "browsingContext.activate", m{"context": f.context}, nil); err != nil {
					return err
				}
			}
			if eval[bool](b, `document.hasFocus()`) {
				return nil
			}
			if ctx.Err() != nil {
				return fmt.Errorf("the page has no focus: %w", ctx.Err())
			}
			b.run(`await new Promise(requestAnimationFrame)`)
		}
	})
}

// reduceMotion makes the tab's next pages see prefers-reduced-motion.
func (b *tab) reduceMotion() {
	b.t.Helper()
	f, is := b.driver.(firefox)
	if !is {
		b.media("prefers-reduced-motion", "reduce")
		return
	}
	b.check(f.call(b.ctx, "script.addPreloadScript", m{"contexts": []string{f.context}, "functionDeclaration": `() => {
		const real = window.matchMedia.bind(window);
		window.matchMedia = (query) => query.includes('reduced-motion') ? Object.assign(new EventTarget(), {matches: true}) : real(query);
	}`}, nil))
}

// openFox opens the built page in Firefox and waits until it can be used.
func openFox(t testing.TB, query ...string) *tab {
	t.Helper()
	b := newFox(t)
	b.goTo(env.site + strings.Join(query, ""))
	b.ready()
	return b
}

func (f firefox) script(ctx context.Context, expression string, into any) error {
	var got struct {
		Result           json.RawMessage `json:"result"`
		ExceptionDetails *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	if err := f.call(ctx, "script.evaluate", m{"expression": expression, "target": m{"context": f.context}, "awaitPromise": true}, &got); err != nil {
		return err
	}
	if got.ExceptionDetails != nil {
		return errors.New(got.ExceptionDetails.Text)
	}
	return json.Unmarshal(got.Result, into)
}

func (f firefox) evaluate(ctx context.Context, expression string, into any) error {
	var text struct {
		Value string `json:"value"`
	}
	if err := f.script(ctx, asText(expression), &text); err != nil {
		return err
	}
	return decode(text.Value, into)
}

func (f firefox) navigate(ctx context.Context, url string) error {
	return f.call(ctx, "browsingContext.navigate", m{"context": f.context, "url": url, "wait": "complete"}, nil)
}

func (f firefox) reload(ctx context.Context) error {
	return f.call(ctx, "browsingContext.reload", m{"context": f.context, "wait": "complete"}, nil)
}

// The codes that WebDriver gives to keys that type nothing.
var webDriverKeys = map[string]string{
	"Backspace": "\ue003", "Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007", "End": "\ue010", "Home": "\ue011",
	"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}

// keyActions are those that press a key, by its name in a KeyboardEvent.
func keyActions(key string, shifted bool) []m {
	if code, ok := webDriverKeys[key]; ok {
		key = code
	}
	actions := []m{{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}}
	if shifted {
		const code = "\ue008"
		actions = slices.Concat([]m{{"type": "keyDown", "value": code}}, actions, []m{{"type": "keyUp", "value": code}})
	}
	return actions
}

// clickActions are those that click a point of the window.
func clickActions(x, y float64) []m {
	return []m{{"type": "pointerMove", "x": int(x), "y": int(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}}
}

func (f firefox) press(ctx context.Context, key string, shifted bool) error {
	return f.act(ctx, m{"type": "key", "id": "keyboard", "actions": keyActions(key, shifted)})
}

func (f firefox) click(ctx context.Context, x, y float64) error {
	return f.act(ctx, m{"type": "pointer", "id": "mouse", "actions": clickActions(x, y)})
}

func (f firefox) act(ctx context.Context, source m) error {
	return f.call(ctx, "input.performActions", m{"context": f.context, "actions": []m{source}}, nil)
}

func (f firefox) upload(ctx context.Context, selector string, files []string) error {
	var element struct {
		SharedID string `json:"sharedId"`
	}
	if err := f.script(ctx, `document.querySelector(`+quote(selector)+`)`, &element); err != nil {
		return err
	}
	return f.call(ctx, "input.setFiles", m{"context": f.context, "element": m{"sharedId": element.SharedID}, "files": files}, nil)
}

func (f firefox) resize(ctx context.Context, width, height int64) error {
	return f.call(ctx, "browsingContext.setViewport", m{"context": f.context, "viewport": m{"width": width, "height": height}}, nil)
}

// Firefox looks for a role and a name only below the element that has the focus, and at that element. In the
// whole document it takes seconds.
func (f firefox) focused(ctx context.Context, role, name string) (bool, error) {
	var active struct {
		Result struct {
			SharedID string `json:"sharedId"`
		} `json:"result"`
	}
	err := f.call(ctx, "script.evaluate", m{"expression": "document.activeElement", "target": m{"context": f.context}, "awaitPromise": false}, &active)
	if err != nil {
		return false, err
	}
	id := active.Result.SharedID
	var found struct {
		Nodes []struct {
			SharedID string `json:"sharedId"`
		} `json:"nodes"`
	}
	err = f.call(ctx, "browsingContext.locateNodes", m{"context": f.context, "startNodes": []m{{"sharedId": id}}, "maxNodeCount": 1,
		"locator": m{"type": "accessibility", "value": m{"role": role, "name": name}}}, &found)
	return len(found.Nodes) > 0 && found.Nodes[0].SharedID == id, err
}

func (f firefox) screenshot(ctx context.Context) ([]byte, error) {
	var shot struct {
		Data []byte `json:"data"` // encoding/json reads base64 into bytes
	}
	err := f.call(ctx, "browsingContext.captureScreenshot", m{"context": f.context}, &shot)
	return shot.Data, err
}

// downloads returns a channel of the files that the tab downloads from now on.
func (f firefox) downloads() <-chan string {
	files := make(chan string, 10)
	f.handle("browsingContext.downloadEnd", func(params json.RawMessage) {
		var e struct{ Context, Status, Filepath string }
		if json.Unmarshal(params, &e) == nil && e.Context == f.context {
			files <- e.Filepath
		}
	})
	return files
}

func TestFirefoxOpensAndSteps(t *testing.T) {
	t.Parallel()
	b := openFox(t)
	b.loaded()
	if n := b.step(); n != 0 {
		t.Errorf("the page opens at step %d", n)
	}
	walk(t, b, func() { b.key("ArrowRight") }, func() { b.key("ArrowLeft") })
	walk(t, b, func() { b.click(onStep) }, func() { b.click(onBack) })
	at := b.step()
	b.key("ArrowRight", shift)
	if on := b.stepMoves(at); on < at+2 {
		t.Errorf("a watch event is %d micro-steps", on-at)
	}
	b.shot("stepped")
}

func TestFirefoxPlaysAndSeeks(t *testing.T) {
	t.Parallel()
	b := openFox(t)
	b.loaded()
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true' && +document.documentElement.dataset.step > 3`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	end := b.toEnd()
	b.key("5")
	if middle := b.stepMoves(end); middle < end/3 || middle > end*2/3 {
		t.Errorf("the key 5 goes to step %d of %d", middle, end)
	}
	b.click(onTimeline)
	b.wait(`+document.documentElement.dataset.step > ` + num(end/3))
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	b.key("Home")
	b.stepIs(0)
}

func TestFirefoxReadsALargeTrace(t *testing.T) {
	t.Parallel()
	file, _ := podsTrace(t, "large.trace.jsonl.gz", 8_000, 2_000, 1_000)
	b := openFox(t)
	b.loaded()
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes(` + quote(filepath.Base(file)) + `)`)
	b.loaded()
	b.key("End")
	end := b.stepMoves(0)
	if end < 40_000 {
		t.Errorf("the trace has only %d steps", end)
	}
	for _, k := range []string{"9", "1", "5"} {
		at := b.step()
		b.key(k)
		b.stepMoves(at)
	}
	b.shot("large")
}

func TestFirefoxWatchesAndSaves(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := newFox(t)
	b.goTo(c.site())
	b.ready()
	b.loaded()
	b.inBar("open", "live")
	b.wait(`document.querySelector('dialog[open] [data-act=want][data-arg=pods]')`)
	b.follows()
	b.waitForKey("shop/first", true)
	c.set("pods", "ADDED", "second", "")
	b.waitForKey("shop/second", true)
	b.click(`.strip [data-act=unfollow]`)
	b.wait(`document.documentElement.dataset.live === 'stopped'`)
	b.key("s")
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
	files := b.driver.(firefox).downloads()
	b.wait(`document.querySelector("dialog[open] [data-act=saveNow]:not([disabled])")`)
	b.click(`dialog[open] [data-act=saveNow]`)
	b.wait(`document.querySelector('dialog[open] .saved')`)
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	select {
	case file := <-files:
		if trace := string(unzip(t, file)); !strings.Contains(trace, `"name":"second"`) {
			t.Errorf("the saved trace lacks the second pod: %.300s", trace)
		}
		os.Remove(file)
	case <-ctx.Done():
		t.Fatal("no file came")
	}
}

// Elements that only a screen reader should find aren't painted. Firefox paints
// the caption of a table that is clipped itself.
func TestFirefoxPaintsNoHiddenCaptions(t *testing.T) {
	t.Parallel()
	b := openFox(t)
	b.loaded()
	shot := func() string {
		b.rests()
		png, err := b.screenshot(b.ctx)
		b.check(err)
		return string(png)
	}
	before := shot()
	for again := shot(); again != before; again = shot() {
		before = again
	}
	b.run(`for (const e of document.querySelectorAll('.visually-hidden')) e.style.visibility = 'hidden'`)
	for range 20 { // the page may be painted once more
		if shot() == before {
			return
		}
	}
	t.Error("the page looks different without its hidden elements")
}

// BenchmarkFirefoxFrames plays at the highest speed, and counts the frames.
func BenchmarkFirefoxFrames(b *testing.B) {
	file, _ := podsTrace(b, "fast.trace.jsonl.gz", 60_000, 3_000, 500)
	f := openFox(b)
	f.loaded()
	f.upload(onFile, file)
	f.wait(`document.body.textContent.includes(` + quote(filepath.Base(file)) + `)`)
	f.loaded()
	f.run(`const speed = document.querySelector('[data-act=speed]');
		speed.value = [...speed.options].at(-1).value;
		speed.dispatchEvent(new Event('change', {bubbles: true}));`)
	frames := func() float64 {
		return eval[float64](f, `new Promise(done => {
			let n = 0, begun = 0;
			const count = (now) => {
				begun ||= now;
				if (now - begun > 1500) done(1000 * n / (now - begun));
				else { n++; requestAnimationFrame(count) }
			};
			requestAnimationFrame(count);
		})`)
	}
	still := frames()
	f.key(" ")
	f.wait(`document.documentElement.dataset.playing === 'true'`)
	fmt.Printf("Firefox: %.0f frames/s at the highest speed, %.0f frames/s while nothing plays\n", frames(), still)
}
