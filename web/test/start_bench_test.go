package test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// emptyPage starts a Go program that does nothing.
var emptyPage = map[string]string{
	"index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>empty</title><link rel="icon" href="data:,"><script src="wasm_exec.js"></script><script src="run.js"></script></html>`,
	"run.js": `const go = new Go();
		WebAssembly.instantiateStreaming(fetch('empty.wasm'), go.importObject).then(({instance}) => go.run(instance))
			.then(() => requestAnimationFrame(() => { document.documentElement.dataset.started = 'true'; }));`,
	"go.mod":  "module empty\n\ngo 1.25\n",
	"main.go": "package main\n\nfunc main() {}\n",
}

// timesStart has a document of a first visit note when the first view is painted, and when the program has drawn it
// and can be used.
const timesStart = `
try { localStorage.removeItem('density'); } catch {}
const look = () => {
	if (document.querySelector('.tape-row, .loop-parts')?.checkVisibility()) setTimeout(() => { window.__seen = performance.now(); });
	else requestAnimationFrame(look);
};
requestAnimationFrame(look);
new MutationObserver((_, observer) => {
	const {ready, step} = document.documentElement.dataset;
	if (ready !== 'true' || step === undefined) return;
	window.__usable = performance.now();
	observer.disconnect();
}).observe(document, {attributes: true, subtree: true, attributeFilter: ['data-ready', 'data-step']});
`

// BenchmarkStart measures the time from the navigation until the first step is on the
// screen, and until the program has drawn it and can be used, and compares both with the
// time until an empty Go program has run: at the first visit, and when the page's files
// are kept for use offline.
func BenchmarkStart(b *testing.B) {
	site, dir := siteOf(b, emptyPage)
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "empty.wasm", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(string(goroot[:len(goroot)-1]), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o644); err != nil {
		b.Fatal(err)
	}

	const rounds = 5
	for b.Loop() {
		var seen, usable, empty [2][]float64
		for range rounds {
			b.Run("start", func(b *testing.B) { // closes its tabs at its end
				b.ReportMetric(0, "ns/op") // it says how long all of this took
				ours, other := newTab(b), newTab(b)
				ours.preload(timesStart)
				other.allow("Go program has already exited")
				for visit := range 2 {
					empty[visit] = append(empty[visit], other.starts(site, `document.documentElement.dataset.started`, `performance.now()`))
					usable[visit] = append(usable[visit], ours.starts(env.site, `window.__seen && window.__usable`, `window.__usable`))
					seen[visit] = append(seen[visit], eval[float64](ours, `window.__seen`))
					ours.wait(`navigator.serviceWorker.controller`)
				}
			})
			if b.Failed() {
				return
			}
		}
		for visit, name := range []string{"the first visit", "a later one"} {
			other := median(empty[visit])
			tell := func(what string, times []float64) {
				ours := median(times)
				fmt.Printf("from navigation to %-42s %9.0f ms = %.1f times an empty Go program (%.0f ms)\n", what+", "+name+":", ours, ours/other, other)
			}
			tell("first step", usable[visit])
			tell("the sight of it", seen[visit])
		}
	}
}

// starts goes to an address, waits until a condition holds, and returns a number of milliseconds.
func (b *tab) starts(url, condition, millis string) float64 {
	b.t.Helper()
	b.goTo("about:blank")
	b.goTo(url)
	b.wait(condition)
	return eval[float64](b, millis)
}

// BenchmarkStartTasks measures the longest task of the page's thread while the page
// starts. Compiling, instantiating, starting Go, building the page and drawing it have
// a task each. What counts is the time for which the thread had a core, because a busy
// machine takes the core away.
func BenchmarkStartTasks(b *testing.B) {
	for b.Loop() {
		var worst []float64
		for range 5 {
			b.Run("start", func(b *testing.B) { // closes its tab at its end
				t := newTab(b)
				took := t.longest(func() {
					t.goTo(env.site)
					t.ready()
					t.loaded()
				})
				if len(took) == 0 {
					b.Fatal("the trace of the browser has no task")
				}
				worst = append(worst, took[0])
			})
			if b.Failed() {
				return
			}
		}
		slices.Sort(worst)
		fmt.Printf("the longest task of a start has the core for %.0f ms (%.0f–%.0f in five starts)\n", worst[2], worst[0], worst[4])
	}
}

// longest returns how long, in milliseconds, the longest tasks of the page's
// thread have the core while something is done.
func (b *tab) longest(do func()) []float64 {
	b.t.Helper()
	var took []float64
	for _, e := range b.tasks(do) { // a task, or a part of one
		took = append(took, e.Tdur/1000)
	}
	slices.SortFunc(took, func(a, b float64) int { return int(1000 * (b - a)) })
	return took[:min(len(took), 8)]
}

// traced is an event of Chromium's trace. Tdur is the time for which its thread had the core, in microseconds.
type traced struct {
	Name, Ph string
	Pid, Tid int
	Tdur     float64
	Args     struct{ Name string }
}

// tasks returns the tasks of the page's thread, and their parts, while something is done.
func (b *tab) tasks(do func()) (tasks []traced) {
	b.t.Helper()
	var mu sync.Mutex
	var events []traced
	done := make(chan bool, 1)
	heard, stop := context.WithCancel(b.ctx)
	defer stop()
	b.check(chromedp.Listen(heard, func(ev any) {
		switch e := ev.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, v := range e.Value {
				var x traced
				if json.Unmarshal([]byte(v), &x) == nil {
					events = append(events, x)
				}
			}
		case *tracing.EventTracingComplete:
			done <- true
		}
	}))
	_, err := chromedp.Call(b.ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "scheduler", "blink", "v8", "devtools.timeline"}}})
	b.check(err)
	do()
	_, err = chromedp.Call(b.ctx, tracing.End, cdp.Empty{})
	b.check(err)
	select {
	case <-done:
	case <-b.ctx.Done():
	}
	mu.Lock()
	defer mu.Unlock()
	// The page's renderer is the one in which WebAssembly is called.
	type thread struct{ pid, tid int }
	main := map[thread]bool{}
	scripts := map[thread]int{}
	for _, e := range events {
		at := thread{e.Pid, e.Tid}
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[at] = true
		}
		if e.Name == "FireAnimationFrame" {
			scripts[at]++
		}
	}
	for _, e := range events {
		if at := (thread{e.Pid, e.Tid}); main[at] && scripts[at] > 0 && e.Ph == "X" {
			tasks = append(tasks, e)
		}
	}
	return tasks
}

// BenchmarkLoop measures how long the page's thread has the core for a frame of the loop, while something goes round and
// at rest, and how many frames a second are painted.
func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		b.Run("loop", func(b *testing.B) { // closes its tab at its end
			t := newTab(b)
			t.asNewcomer("#loop=2")
			t.wait(`document.documentElement.dataset.playing === 'false'`)
			t.faults() // waits until nothing fades
			measure := func(what, until string) {
				var took []float64 // from frame to frame, in milliseconds
				tasks := t.tasks(func() {
					took = eval[[]float64](t, `(async () => {
						const all = [];
						let was = await new Promise(requestAnimationFrame);
						while (all.length < 120 || !(`+until+`)) {
							const now = await new Promise(requestAnimationFrame);
							all.push(now - was);
							was = now;
						}
						return all;
					})()`)
				})
				worst, busy, sum := 0.0, 0.0, 0.0
				for _, e := range tasks {
					worst = max(worst, e.Tdur/1000)
					if e.Name == "ThreadControllerImpl::RunTask" {
						busy += e.Tdur / 1000
					}
				}
				for _, ms := range took {
					sum += ms
				}
				slices.Sort(took)
				fmt.Printf("the loop %-22s %5.1f frames/s, of 100 frames the 95th after %.0f ms; the thread has the core for %.1f ms a frame, and %.0f ms at a time\n",
					what+":", 1000*float64(len(took))/sum, took[len(took)*95/100], busy/float64(len(took)), worst)
			}
			measure("at rest", `true`)
			t.passes(`document.querySelector('main.loop').dataset.behind === 'true'`, func() { t.key("d") })
			measure("while web is deleted", `document.documentElement.dataset.playing === 'false'`)
			t.key("b")
			t.wait(`document.querySelector('.loop-stage').dataset.line === 'cut'`)
			measure("while the wire is cut", `document.documentElement.dataset.playing === 'false'`)
		})
	}
}
