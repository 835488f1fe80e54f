package test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for a state. It only ends a test that hangs, so it is long on any machine.
const patience = 3 * time.Minute

// driver does in a tab what a person does. Chromium and Firefox have one each.
type driver interface {
	// evaluate evaluates an expression in the page, waits for it where it is a
	// promise, and decodes its value.
	evaluate(ctx context.Context, expression string, into any) error
	navigate(ctx context.Context, url string) error
	reload(ctx context.Context) error
	// press presses a key, by its name in a KeyboardEvent.
	press(ctx context.Context, key string, shift bool) error
	click(ctx context.Context, x, y float64) error
	upload(ctx context.Context, selector string, files []string) error
	resize(ctx context.Context, width, height int64) error
	screenshot(ctx context.Context) ([]byte, error)
	// focused reports whether what has the focus is, in the accessibility tree, of a role and has a name.
	focused(ctx context.Context, role, name string) (bool, error)
}

// tab is one tab in a browser context of its own: no cookies, no storage, no
// service worker of another test.
type tab struct {
	t   testing.TB
	ctx context.Context // ends with the test; in Chromium it is the driver's, too
	driver

	passing int // counts what passes looks for

	mu      sync.Mutex
	lines   sync.Cond // there is another line in the console
	console []line
	allowed []string
}

// line is what the console shows of a tab or one of its workers.
type line struct {
	level string // "error", "warn" and others
	text  string
}

func (l line) String() string { return l.level + ": " + l.text }

// isFault reports whether a test that hasn't expected the line fails. Go tells of a panic without a
// level.
func (l line) isFault() bool {
	return slices.Contains([]string{"error", "exception", "warn", "warning"}, l.level) ||
		slices.ContainsFunc([]string{"panic:", "fatal error:", "exit code"}, func(s string) bool { return strings.Contains(l.text, s) })
}

// hears takes in a line of the console.
func (b *tab) hears(level, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.console = append(b.console, line{level, text})
	b.lines.Broadcast()
}

// waitHeard waits for a line of the console that contains text.
func (b *tab) waitHeard(text string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lines.Broadcast()
	})()
	b.mu.Lock()
	defer b.mu.Unlock()
	for !slices.ContainsFunc(b.console, func(l line) bool { return strings.Contains(l.text, text) }) {
		if ctx.Err() != nil {
			b.t.Fatalf("the console never showed %q", text)
		}
		b.lines.Wait()
	}
}

// newTab opens an empty tab of the size of a laptop.
func newTab(t testing.TB) *tab {
	t.Helper()
	inChromium.take(t)
	return tabOf(t, env.browser, chromedp.WithNewBrowserContext())
}

// secondTab opens a second tab beside b, with the same storage.
func (b *tab) secondTab() *tab {
	b.t.Helper()
	return tabOf(b.t, b.ctx)
}

func tabOf(t testing.TB, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	b := &tab{t: t, ctx: ctx, driver: chromium{}}
	b.lines.L = &b.mu
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.hears(string(m.Type), fmt.Sprintf("%s (%s:%d)", m.Text, m.URL, m.Line+1))
		}
	}()
	b.check(addCounters(ctx, t))
	b.begin(cancel)
	return b
}

// begin gives the tab the size of a laptop. When the test ends, it checks the
// console and closes the tab.
func (b *tab) begin(end func()) {
	b.size(1440, 900)
	b.allow("was preloaded using link preload but not used within a few seconds") // which a loaded machine may need
	b.t.Cleanup(func() {
		if left := b.complaints(); len(left) > 0 {
			b.t.Errorf("the console shows:\n  %s", strings.Join(left, "\n  "))
		}
		if b.t.Failed() {
			b.shot("failed")
			b.t.Logf("the console's last lines:\n%s", b.lastLines())
		}
		end()
	})
}

// open opens the built page and waits until it can be used.
func open(t testing.TB, query ...string) *tab {
	t.Helper()
	b := newTab(t)
	b.goTo(env.site + strings.Join(query, ""))
	b.ready()
	return b
}

// allow lets the console show errors that contain text.
func (b *tab) allow(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed = append(b.allowed, text)
}

// complaints are the faults in the console that the test didn't expect.
func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var left []string
	for _, l := range b.console {
		if l.isFault() && !slices.ContainsFunc(b.allowed, func(a string) bool { return strings.Contains(l.text, a) }) {
			left = append(left, l.String())
		}
	}
	return left
}

// lastLines are the console's last lines, of every level.
func (b *tab) lastLines() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var s strings.Builder
	for _, l := range b.console[max(0, len(b.console)-20):] {
		fmt.Fprintln(&s, " ", l)
	}
	return s.String()
}

func (b *tab) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) perform(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.check(chromedp.Do(ctx, steps...))
}

func (b *tab) goTo(url string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return b.navigate(ctx, url) })
}

// within does something for which a test waits no longer than its patience.
func (b *tab) within(do func(ctx context.Context) error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.check(do(ctx))
}

// eval evaluates an expression in the page. If that is a promise, eval waits
// for it.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	var v T
	if err := b.evaluate(ctx, expression, &v); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// runsOn has the element on which statements begin.
var runsOn = regexp.MustCompile("^(document\\.querySelector\\((?:'[^']*'|\"[^\"]*\"|`[^`]*`)\\))\\.")

// run runs statements in the page. If they begin with an element, it waits until that is there.
func (b *tab) run(statements string) {
	b.t.Helper()
	if element := runsOn.FindStringSubmatch(statements); element != nil {
		b.wait(element[1])
	}
	eval[bool](b, "(async () => {"+statements+"; return true})()")
}

// wait checks a condition at each frame until it holds, in the page and in one that takes its place
// meanwhile. (The driver's own Poll makes a function of a string, which the page's policy forbids.)
func (b *tab) wait(condition string) {
	b.t.Helper()
	expression := `new Promise(done => {
		const end = performance.now() + ` + inPage + `;
		const look = () => {
			let holds = false;
			try { holds = !!(` + condition + `) } catch (e) {}
			if (holds || performance.now() > end) done(holds); else requestAnimationFrame(look);
		};
		look();
	})`
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	var ok bool
	for {
		err := b.evaluate(ctx, expression, &ok)
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), pageGone) {
			b.t.Fatalf("%s: %v", condition, err)
		}
	}
	if !ok {
		b.t.Fatalf("it never came to this: %s\n%s", condition, b.pageState())
	}
}

// inPage is how many milliseconds the page itself waits, which then says in what state it is.
var inPage = strconv.FormatInt((patience - 5*time.Second).Milliseconds(), 10)

// passes does something, and waits until a condition has held since, if only for a moment: the page looks for it at each change
// and in each frame, while a wait that begins afterwards may come too late.
func (b *tab) passes(condition string, do func()) {
	b.t.Helper()
	b.passing++
	passed := fmt.Sprintf("window.__passed%d", b.passing)
	b.run(passed + ` = false;
		const look = () => { try { ` + passed + ` ||= !!(` + condition + `) } catch (e) {} };
		const changes = new MutationObserver(look);
		changes.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		const frame = () => { look(); if (` + passed + `) changes.disconnect(); else requestAnimationFrame(frame); };
		frame()`)
	do()
	b.wait(passed + ` && ` + quote(condition))
}

// pageGone is how Chromium says that another page has taken the place of the one that was asked.
const pageGone = "Inspected target navigated or closed"

// size sets the size of the window's content.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return b.resize(ctx, width, height) })
}

// media sets media features, such as "prefers-color-scheme", "dark".
func (b *tab) media(namesAndValues ...string) {
	b.t.Helper()
	var p emulation.SetEmulatedMediaParams
	for i := 0; i < len(namesAndValues); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: namesAndValues[i], Value: namesAndValues[i+1]})
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, p)
	b.check(err)
}

// key presses a key, by its name in a KeyboardEvent.
func (b *tab) key(name string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return b.press(ctx, name, slices.Contains(modifiers, shift)) })
}

// click clicks the middle of the first element of a selector, once it is there and rests. Where it has moved away before the click
// came, as a line moves when something comes to it, click clicks again, as a person does.
func (b *tab) click(selector string) {
	b.t.Helper()
	for range 5 {
		x, y := b.middle(selector)
		if _, scripted := b.driver.(chromium); !scripted {
			b.within(func(ctx context.Context) error { return b.driver.click(ctx, x, y) })
			return
		}
		b.run(`window.__clicked = undefined;
			removeEventListener('click', window.__clicks, {capture: true});
			window.__clicks = (e) => { window.__clicked ??= e.composedPath().includes(document.querySelector(` + quote(selector) + `)); };
			addEventListener('click', window.__clicks, {capture: true})`)
		b.within(func(ctx context.Context) error { return b.driver.click(ctx, x, y) })
		var missed bool
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		err := b.evaluate(ctx, fmt.Sprintf(`((r) => window.__clicked === false && !!r?.width && Math.hypot(r.x + r.width / 2 - %f, r.y + r.height / 2 - %f) > 2)(document.querySelector(%s)?.getBoundingClientRect())`, x, y, quote(selector)), &missed)
		cancel()
		if err != nil || !missed { // an error is of a page that the click has left
			return
		}
		b.t.Logf("%s has moved away from a click", selector)
	}
}

// middle returns where the middle of the first element of a selector is. It waits until there is one that is at the same
// place in two frames and isn't covered, since what comes to a line may move the rest of it, and a click that begins on one
// element and ends on another is none. What moves or is covered for a second, and for 60 frames, does so for long.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	at := eval[[]float64](b, `new Promise(done => {
		const end = performance.now() + `+inPage+`;
		let last = '', since = Infinity, frames = 0;
		const look = () => {
			const now = performance.now(), e = document.querySelector(`+quote(selector)+`);
			e?.scrollIntoView({block: 'nearest', inline: 'nearest'});
			const r = e?.getBoundingClientRect();
			if (r?.width && r.height) {
				const at = [r.x + r.width / 2, r.y + r.height / 2], on = document.elementFromPoint(...at);
				since = Math.min(since, now);
				if (String(at) === last && on && (e.contains(on) || on.contains(e)) || now - since > 1000 && frames++ > 60) return done(at);
				last = String(at);
			} else if (now > end) return done([]);
			requestAnimationFrame(look);
		};
		look();
	})`)
	if len(at) != 2 {
		b.t.Fatalf("%s never comes into sight\n%s", selector, b.pageState())
	}
	return at[0], at[1]
}

// pageState says in what state the page is.
func (b *tab) pageState() string {
	b.t.Helper()
	return "the page: " + eval[string](b, `location.hash + ' ' + JSON.stringify({...document.documentElement.dataset}) + ' ' + [...document.querySelectorAll('dialog[open], .notice, .strip')].map(e => e.innerText.slice(0, 300))`)
}

// text returns the text of the first element of a selector, or "" where there
// is none.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, `(document.querySelector(`+quote(selector)+`)?.textContent ?? '').trim()`)
}

// state returns a data- attribute of the root element.
func (b *tab) state(name string) string {
	b.t.Helper()
	return eval[string](b, `document.documentElement.getAttribute('data-`+name+`') ?? ''`)
}

// upload chooses files in a file input.
func (b *tab) upload(selector string, files ...string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return b.driver.upload(ctx, selector, files) })
}

// drop drops files from the desktop on the middle of an element.
func (b *tab) drop(selector string, files ...string) {
	b.t.Helper()
	x, y := b.middle(selector)
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		_, err := chromedp.Call(b.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind, X: x, Y: y, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1},
		})
		b.check(err)
	}
}

// longTasks returns the duration of each task of over 50 ms on the page's own
// thread, in milliseconds, since the document began or since the last call with
// reset.
func (b *tab) longTasks(reset bool) []int {
	b.t.Helper()
	// The observer hears of a task only after the task, so another task has to
	// pass.
	return eval[[]int](b, fmt.Sprintf(`new Promise(done => setTimeout(() => { const l = window.__long; if (%t) window.__long = []; done(l) }, 100))`, reset))
}

// shot takes a screenshot and puts it into the folder that INFORMERSCOPE_SHOTS
// names. Without that, it takes one only when the test has failed, and puts it
// into the temporary folder.
func (b *tab) shot(name string) {
	dir := os.Getenv("INFORMERSCOPE_SHOTS")
	if dir == "" {
		if !b.t.Failed() {
			return
		}
		dir = filepath.Join(os.TempDir(), "informerscope-shots")
	}
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	png, err := b.screenshot(ctx)
	if err != nil {
		b.t.Log("no screenshot:", err)
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.t.Log(err)
		return
	}
	file := filepath.Join(dir, strings.NewReplacer("/", "-", " ", "-").Replace(b.t.Name())+"-"+name+".png")
	if err := os.WriteFile(file, png, 0o644); err != nil {
		b.t.Log(err)
		return
	}
	b.t.Log("screenshot:", file)
}

// quote returns a string as a JavaScript literal. Markup in it stays as it is.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always marshal
	}
	return strings.TrimSpace(b.String())
}

// drag presses, moves and releases the mouse.
func (b *tab) drag(fromX, fromY, toX, toY float64) {
	b.t.Helper()
	b.perform(
		chromedp.MouseEvent(chromedp.MousePressed, fromX, fromY, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, (fromX+toX)/2, (fromY+toY)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, toX, toY, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, toX, toY, chromedp.ButtonLeft),
	)
}

// asText is an expression for the value of another as JSON, since drivers
// describe values in ways of their own.
func asText(expression string) string {
	return "(async () => JSON.stringify(await (" + expression + ")) ?? 'null')()"
}

func decode(text string, into any) error { return json.Unmarshal([]byte(text), into) }
