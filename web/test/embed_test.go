package test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/informerscope/informerscope/wasm/session"
)

// pageAround serves a page that frames a page of the site, from another origin.
func pageAround(t *testing.T, address string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte(`<!doctype html><html lang="en"><title>around</title><link rel="icon" href="data:,"><h1>A page of somebody else</h1>
			<iframe id="f" src="` + env.site + address + `" style="width:98%;height:800px"></iframe>
			<script>
				window.heard = [];
				const f = document.getElementById('f');
				addEventListener('message', (e) => heard.push({origin: e.origin, ...e.data.informerscope}));
				window.say = (m, transfer = []) => f.contentWindow.postMessage(m, '*', transfer);
			</script></html>`))
	}))
	t.Cleanup(s.Close)
	return s
}

// inFrame evaluates an expression in the frame of the page, and returns its text; "" for a frame
// that the browser refuses.
func (b *tab) inFrame(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	tree, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
	b.check(err)
	if len(tree.FrameTree.ChildFrames) == 0 {
		return ""
	}
	world, err := chromedp.Call(ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
	b.check(err)
	yes := true
	got, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "String(" + expression + ")", ContextID: world.ExecutionContextID, ReturnByValue: &yes})
	b.check(err)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails.Text)
	}
	var text string
	b.check(json.Unmarshal(got.Result.Value, &text))
	return text
}

// frameWaits waits for a condition in the frame.
func (b *tab) frameWaits(condition string) {
	b.t.Helper()
	for end := time.Now().Add(patience); b.inFrame(condition) != "true"; {
		if time.Now().After(end) {
			b.t.Fatalf("in the frame it never came to this: %s", condition)
		}
		b.run(`await new Promise((done) => requestAnimationFrame(done))`)
	}
}

// heard waits until a condition holds for the last message of a type that the page around has heard.
func (b *tab) heard(kind, condition string) {
	b.t.Helper()
	b.wait(`((m) => m && (` + condition + `))(heard.filter((m) => m.type === '` + kind + `').at(-1))`)
}

// Another page can embed embed.html: until the viewer lets a trace in, it is a picture that has
// loaded no program. Messages of another shape, and from another window, do nothing.
func TestAFrameOfAnotherPage(t *testing.T) {
	t.Parallel()
	server := pageAround(t, "embed.html?theme=light&motion=none&lang=en")
	b := newTab(t)
	b.goTo(server.URL)
	b.wait(`typeof say === 'function'`)
	for _, m := range []string{`null`, `7`, `'ping'`, `{}`, `{type: 'ping'}`, `{informerscope: 'ping'}`, `{informerscope: {}}`, `{informerscope: {type: 'pong'}}`, `{informerscope: {type: 'ping', id: {}}}`,
		`{informerscope: {type: 'open', title: 'no bytes'}}`, `{informerscope: {type: 'open', title: 7, buffer: new ArrayBuffer(8)}}`, `{informerscope: {type: 'open', title: 'x', buffer: new ArrayBuffer(8), step: -1}}`,
		`{informerscope: {type: 'open', title: 'x'.repeat(300), buffer: new ArrayBuffer(8)}}`, `{informerscope: {type: 'open', title: 'x', buffer: 'text'}}`} {
		b.run(`say(` + m + `)`)
	}
	// A window that isn't around the frame.
	b.run(`const other = document.createElement('iframe'); other.srcdoc = '<script>parent.f.contentWindow.postMessage({informerscope: {type: "ping", id: 66}}, "*"); parent.asked = true</' + 'script>'; document.body.append(other)`)
	b.wait(`window.asked`)
	var released struct {
		To   map[string]json.RawMessage
		From map[string]map[string]any
	}
	if text, err := os.ReadFile("../../replay/testdata/releases/v0.1.0/messages.json"); err != nil || json.Unmarshal(text, &released) != nil {
		t.Fatal(err)
	}
	b.run(`window.ping = setInterval(() => say(` + string(released.To["ping"]) + `), 100)`)
	b.heard("pong", `m.id === 'first' && m.version === 1 && !m.started && m.origin === `+quote(strings.TrimSuffix(env.site, "/")))
	b.run(`clearInterval(ping)`)
	b.heard("size", `m.width > 200 && m.height > 200`)
	if n := eval[int](b, `heard.filter((m) => m.id !== 'first' && m.type !== 'size').length`); n != 0 {
		t.Errorf("it answers to messages that aren't ours: %s", eval[string](b, `JSON.stringify(heard)`))
	}
	if loaded := b.inFrame(`performance.getEntriesByType('resource').map((e) => e.name).join(' ')`); strings.Contains(loaded, ".wasm") || strings.Contains(loaded, "boot.js") || strings.Contains(loaded, "layout.css") {
		t.Errorf("before it is started it has loaded %s", loaded)
	}

	trace, err := os.ReadFile(bundled(t))
	if err != nil {
		t.Fatal(err)
	}
	b.run(`window.trace = Uint8Array.from(atob('` + base64.StdEncoding.EncodeToString(trace) + `'), (c) => c.charCodeAt(0))`)
	open := func(title string, more string) {
		b.run(`const buffer = trace.slice().buffer, stream = new Blob([trace]).stream(); const m = {title: ` + quote(title) + `, type: 'open', ` + more + `}; say({informerscope: m}, [m.buffer ?? m.stream])`)
	}
	if spoken := b.inFrame(`[...document.querySelectorAll('#start [lang]')].filter((e) => e.checkVisibility()).map((e) => e.lang).join()`); spoken != "en" {
		t.Errorf("the frame speaks %q", spoken)
	}
	open("no, thanks", `buffer, id: 1`)
	b.frameWaits(`document.getElementById('ask').open`)
	if says := b.inFrame(`document.querySelector('#ask [lang=en]').textContent`); !strings.Contains(says, server.URL) || !strings.Contains(says, "no, thanks") {
		t.Errorf("the dialog asks %q", says)
	}
	b.inFrame(`document.querySelector('#ask [value=no]').click()`)
	b.heard("refused", `m.id === 1 && m.why === 'viewer'`)
	open("night <b>shift</b>", `buffer, id: 2, step: 120`)
	b.frameWaits(`document.getElementById('ask').open`)
	b.inFrame(`document.querySelector('#ask [value=yes]').click()`)
	b.heard("ready", `m.title === 'night <b>shift</b>'`)
	b.heard("step", `m.step === 120`)
	state := b.inFrame(`[document.documentElement.dataset.theme, document.documentElement.lang, history.length, document.querySelectorAll('[data-act=live], [data-act=save], [data-act=open], .source b, #file').length,
		[...document.styleSheets].filter((s) => s.disabled).length].join(' ')`)
	if state != "light en "+eval[string](b, `String(history.length)`)+" 0 0" {
		t.Errorf("the frame is %q", state)
	}
	open("a stream", `stream, id: 3, when: '93.1.run/1.HandlerReturned'`) // its origin is known now
	b.heard("ready", `m.title === 'a stream'`)
	b.heard("step", `m.step === 2517`)
	if eval[int](b, `heard.filter((m) => m.origin !== `+quote(strings.TrimSuffix(env.site, "/"))+`).length`) != 0 {
		t.Error("the frame has answered somebody else")
	}
	for kind, fields := range released.From { // what others rely on since the first release
		last := eval[map[string]any](b, `heard.filter((m) => m.type === '`+kind+`').at(-1) ?? {}`)
		for name, value := range fields {
			if fmt.Sprintf("%T", last[name]) != fmt.Sprintf("%T", value) {
				t.Errorf("the message %s has no %s as it had in v0.1.0: %v", kind, name, last)
			}
		}
	}
	at := b.inFrame(`document.documentElement.dataset.step`)
	b.run(`const h = document.querySelector('h1'); h.tabIndex = -1; h.focus()`)
	b.key("ArrowRight")
	b.run(`document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))`)
	b.inFrame(`document.dispatchEvent(new DragEvent('drop', {dataTransfer: new DataTransfer(), bubbles: true}))`)
	if now := b.inFrame(`document.documentElement.dataset.step`); now != at {
		t.Errorf("a key of the page around moves it from %s to %s", at, now)
	}
}

// The page itself can't be framed: by the server's header, and by itself where there is none.
func TestThePageCannotBeFramed(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.allow("frame-ancestors")
	b.goTo(pageAround(t, "").URL)
	b.wait(`typeof say === 'function'`)
	b.run(`for (let i = 0; i < 20; i++) say({informerscope: {type: 'ping'}})`)
	if text := b.inFrame(`document.body?.innerText ?? ''`); strings.Contains(text, "DeltaFIFO") || eval[int](b, `heard.length`) != 0 {
		t.Errorf("the frame shows %.200q", text)
	}

	plain := httptest.NewServer(http.FileServer(http.Dir(*dist)))
	defer plain.Close()
	c := newTab(t)
	c.allow("favicon")
	c.goTo(plain.URL + "/version.json")
	c.run(`document.body.innerHTML = ''; const f = document.createElement('iframe'); f.src = '/'; document.body.append(f)`)
	c.wait(`document.querySelector('iframe').contentDocument?.documentElement?.dataset.framed === 'true'`)
	if loaded := c.inFrame(`performance.getEntriesByType('resource').filter((e) => e.initiatorType === 'fetch').map((e) => e.name).join(' ')`); strings.Contains(loaded, ".wasm") {
		t.Errorf("the page in the frame has fetched %s", loaded)
	}
}

// A frame gives its viewer no file: it has no button for what the command table refuses there, and an element
// that asks for it does nothing. Copying a link is left.
func TestAFrameSavesNoFile(t *testing.T) {
	b := newTab(t)
	_, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID, EventsEnabled: new(true),
	})
	b.check(err)
	var files atomic.Int64
	b.check(chromedp.ListenBrowser(b.ctx, func(ev any) {
		if _, is := ev.(*browser.EventDownloadWillBegin); is {
			files.Add(1)
		}
	}))
	b.goTo(pageAround(t, "embed.html?theme=light&motion=none&lang=en#trace=shop&search=depth%28%29&tab=search").URL)
	b.frameWaits(`!!document.querySelector('#start')`)
	b.inFrame(`document.querySelector('#start').click()`)
	b.frameWaits(`document.documentElement.dataset.loading === 'false' && !!document.querySelector('.watched')`)
	b.inFrame(`document.querySelector('[data-arg=share]').click()`)
	b.frameWaits(`!!document.querySelector('[role=menu]')`)
	b.inFrame(`document.querySelector('[role=menuitem][data-act=link]').click()`)
	b.frameWaits(`document.querySelector('dialog[open] .link-field')?.value.includes('#trace=shop')`)
	if n := b.inFrame(`document.querySelectorAll('[data-act=copyLink]').length`); n != "1" {
		t.Errorf("the dialog has %s buttons that copy the link", n)
	}
	for _, act := range session.NotInFrame() {
		if n := b.inFrame(`document.querySelectorAll('[data-act=` + act + `]').length`); n != "0" {
			t.Errorf("the frame has %s elements that do %s", n, act)
		}
		b.inFrame(`(() => { const e = document.createElement('button'); e.dataset.act = ` + quote(act) + `; document.body.append(e); e.click(); e.remove(); })()`)
	}
	b.frameWaits(`!!document.querySelector('dialog[open] .link-field')`) // no other dialog has taken its place
	b.inFrame(`document.querySelector('[data-act=close]').click()`)
	b.frameWaits(`!document.querySelector('dialog[open]')`)
	if n := files.Load(); n != 0 {
		t.Errorf("the frame gives %d files", n)
	}
}

// A frame shows the loop, from the part that its address names on. It opens no capture of the viewer's there, either.
func TestTheLoopInAFrame(t *testing.T) {
	t.Parallel()
	server := pageAround(t, "embed.html?motion=none&lang=en#loop=2")
	b := newTab(t)
	b.goTo(server.URL)
	b.wait(`typeof say === 'function'`)
	b.frameWaits(`document.readyState === 'complete'`)
	b.inFrame(`document.getElementById('start').click()`)
	b.frameWaits(`document.querySelector('.loop-says')?.textContent.includes('Delete web from the cluster')`)
	b.frameWaits(`document.documentElement.dataset.playing === 'false'`)
	b.shot("beginning")
	b.inFrame(`document.querySelector('.loop-bar [data-act=loopDelete]').click()`)
	b.frameWaits(`document.querySelectorAll('.part-cache [data-wrong]').length === 1`)
	b.frameWaits(`document.querySelectorAll('[data-differs]').length === 0`)
	b.inFrame(`document.querySelector('.loop-beats [data-arg="3"]').click()`)
	b.frameWaits(`document.documentElement.dataset.beat === '3'`)
	for b.inFrame(`document.documentElement.dataset.beat`) != "5" {
		at := b.inFrame(`document.documentElement.dataset.beat`)
		b.inFrame(`document.querySelector('.loop-beats button:last-child').click()`)
		b.frameWaits(`document.documentElement.dataset.beat !== ` + quote(at))
	}
	b.frameWaits(`document.querySelectorAll('.way-on').length > 2`)
	b.shot("doors")
	if open := b.inFrame(`document.querySelectorAll('[data-act=open], #file').length`); open != "0" {
		t.Errorf("in a frame, %s controls open a file", open)
	}
}
