package test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// inGo is a script that has Go's next look at the clock do something. Go looks at it in the middle of
// its work, and expects no event there.
func inGo(do string) string {
	return `const now = performance.now;
	performance.now = () => {
		if (/nanotime/.test(new Error().stack)) {
			performance.now = now;
			` + do + `;
		}
		return now.call(performance);
	}`
}

// Go chooses a tab and focuses it. An event that the focus causes comes while Go is in that call, and Go
// takes it in.
func TestAnEventComesInACallOfGo(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.loaded()
			at := b.step()
			b.run(`document.querySelector('[role=tab][aria-selected=true]').focus();
				addEventListener('focusin', () => { document.querySelector('` + onStep + `').click(); window.__nested = new Error().stack }, {once: true})`)
			before := b.text(`[role=tab][aria-selected=true]`)
			b.key("ArrowRight")
			b.stepMoves(at)
			b.wait(`document.querySelector('[role=tab][aria-selected=true]').textContent.trim() !== ` + quote(before))
			if stack := eval[string](b, `window.__nested`); !strings.Contains(stack, "wasm") {
				t.Errorf("the event did not come in a call of Go:\n%s", stack)
			}
			b.key("5")
			b.stepMoves(at + 1)
		})
	}
}

// An event that finds the page's program in the middle of its work ends the program. The page says so,
// and another program goes on where the viewer was. If that ends soon, too, the page starts no third one.
func TestAnotherProgramFollowsOneThatWasCutOff(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.allow("the program of the page ended: the browser stopped it in the middle of its work")
			at := b.isSomewhere()
			stage := b.stage()
			b.run(inGo(`document.querySelector('` + onStep + `').click()`))
			b.key("ArrowRight")
			b.goesOn(at, stage)

			// A function that Go waits for calls it without an argument, which is a panic.
			b.allow("the program of the page ended: exit code 2")
			b.allow("panic: runtime error: index out of range")
			b.inBar("share", "link")
			b.wait(`document.querySelector('#link')?.value`)
			b.run(`window.__delays = [];
				const {setTimeout} = window;
				window.setTimeout = (f, ms) => { window.__delays.push(ms); return setTimeout(f, ms) };
				informerscope.share = {...informerscope.share, copy: (text, done) => setTimeout(done)}`)
			b.click(`[data-act=copyLink]`)
			b.wait(`document.getElementById('boot-ended').checkVisibility() && document.getElementById('boot-says').textContent === 'exit code 2'`)
			b.waitHeard("/informerscope/wasm/dom/") // what Go tells of the panic has files and lines
			if delays := eval[[]int](b, `window.__delays`); slices.Contains(delays, 2000) {
				t.Error("the page starts a program for a third time")
			}
		})
	}
}

// The same, and the browser really stops the script. No script of the page sees that.
func TestAnotherProgramFollowsOneThatTheBrowserStopped(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.allow("the program of the page ended: the browser stopped it in the middle of its work")
	at := b.isSomewhere()
	stage := b.stage()
	// The page does not answer while the script runs, so the tab hears of it in another way.
	running := b.secondTab()
	running.goTo(env.site + "embed.html")
	running.run(`window.__heard = new Promise((done) => { new BroadcastChannel('running').onmessage = done })`)
	b.run(inGo(`new BroadcastChannel('running').postMessage(0); for (;;) ;`) +
		`; setTimeout(() => { document.dispatchEvent(new Event('visibilitychange')) })`)
	running.run(`await window.__heard`)
	_, err := chromedp.Call(b.ctx, runtime.TerminateExecution, cdp.Empty{})
	b.check(err)
	b.key("ArrowRight")
	b.goesOn(at, stage)
}

// isSomewhere goes to a step that is not the first one, and waits until the program has noted that step.
func (b *tab) isSomewhere() (at int64) {
	b.t.Helper()
	b.loaded()
	at = b.step()
	b.run(`const {note} = informerscope;
		informerscope.note = (...all) => { note(...all); window.__noted = all[0] }`)
	b.key("4")
	at = b.stepMoves(at)
	b.wait(`new URLSearchParams(window.__noted).get('step') === '` + strconv.FormatInt(at, 10) + `'`)
	return at
}

// goesOn waits until another program shows the same stage.
func (b *tab) goesOn(at int64, stage string) {
	b.t.Helper()
	b.wait(`document.querySelector('.notice')?.textContent.includes('another one was started')`)
	b.ready()
	b.stepIs(at)
	b.loaded()
	if again := b.stage(); again != stage {
		b.t.Errorf("the other program shows another stage:\n%s", differences(stage, again))
	}
	b.key("ArrowRight")
	b.stepMoves(at)
}

// Where the program of a worker is cut off, the page says so. It starts another engine, and its
// converting program opens the next file.
func TestAWorkerWhoseProgramEnds(t *testing.T) {
	t.Parallel()
	site, dir, _ := copyOf(t, "", ".")
	for name, plant := range map[string]string{
		"engine.js":  `{ const c = globalThis.__engine = new BroadcastChannel('engine'); c.onmessage = () => { ` + inGo(`throw new RangeError('planted')`) + `; c.postMessage(0) } }`,
		"convert.js": inGo(`throw new RangeError('planted')`) + `;`,
	} {
		name = filepath.Join(dir, version(t, dir), "worker", name)
		text, err := os.ReadFile(name)
		if err == nil {
			os.Remove(name + ".gz")
			err = os.WriteFile(name, append(text, plant...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.allow("the program of the engine ended: planted")
			b.allow("the program of the convert ended: planted")
			b.goTo(site)
			b.ready()
			b.loaded()
			b.upload(onFile, testdata(t, "format/testdata/kubectl-get-pods-w-noevents.json.gz"))
			b.wait(`document.querySelector('.notice')?.textContent.includes('the converting program ended: planted')`)
			// What the page asks of the worker may overtake a message of the channel, so the worker answers that.
			b.run(`const c = window.__engine = new BroadcastChannel('engine'), heard = new Promise((done) => { c.onmessage = done });
				c.postMessage(0);
				await heard`)
			b.key("End")
			b.wait(`document.querySelector('.notice')?.textContent.includes('planted') && document.querySelector('.notice [data-act=restart]')`)
			b.click(`.notice [data-act=restart]`)
			b.wait(`!document.querySelector('.notice')`)
			b.loaded()
			at := b.step()
			b.key("End")
			b.stepMoves(at)
		})
	}
}

// A browser that gives the page too little memory for a capture is told from a fault of the program. The page says so,
// and goes on with another program.
func TestTooLittleMemory(t *testing.T) {
	t.Parallel()
	inChromium.take(t)
	chromium, err := findChromium(false)
	if err != nil {
		t.Fatal(err)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), chromiumOptions(chromium, "--liftoff-only", "--wasm-max-mem-pages=1024")...)
	t.Cleanup(cancel)
	b := tabOf(t, allocator)
	b.allow("out of memory")
	b.allow("cannot allocate memory") // which the runtime says instead, where it is short for itself
	b.allow("the browser gives no more memory")
	b.goTo(env.site)
	b.ready()
	file, _ := podsTrace(t, "large.trace.jsonl", 200_000, 100_000, 0)
	b.upload(onFile, file)
	b.wait(`/no more than 6\d(\.\d)?.MB of memory, and large\.trace\.jsonl needs more/.test(document.querySelector('.notice')?.textContent)`)
	b.shot("memory")
	b.click(`[data-act=restart]`)
	b.loaded()
	b.key("End")
	b.stepMoves(0)
	b.inspect()
}

// What the browser has lost of what a worker unpacked is no fault of the viewer's file.
func TestLostBytes(t *testing.T) {
	t.Parallel()
	out, err := inNode(t, "kept.js", "kept")()
	if want := "read\nbytesLost\nfileChanged\n"; err != nil || out != want {
		t.Errorf("%v, %s\nwant %s", err, out, want)
	}
}
