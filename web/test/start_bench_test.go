package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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

// BenchmarkStart measures the time from the navigation until the first step is shown,
// and compares it with the time until an empty Go program has run: at the first
// visit, and when the browser has compiled both before.
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

	const shown = `document.documentElement.dataset.ready === 'true' && document.documentElement.dataset.step === '0'`
	const rounds = 7
	for b.Loop() {
		var page, empty [2][]float64
		for range rounds {
			b.Run("start", func(b *testing.B) { // closes its tabs at its end
				ours, other := newTab(b), newTab(b)
				other.allow("Go program has already exited")
				for visit := range 2 {
					empty[visit] = append(empty[visit], other.starts(site, `document.documentElement.dataset.started`))
					page[visit] = append(page[visit], ours.starts(env.site, shown))
				}
			})
			if b.Failed() {
				return
			}
		}
		for visit, name := range []string{"the first visit", "a later one"} {
			ours, other := median(page[visit]), median(empty[visit])
			fmt.Printf("from navigation to first step, %-16s %9.0f ms = %.1f times an empty Go program (%.0f ms)\n", name+":", ours, ours/other, other)
		}
	}
}

// starts goes to an address, and returns after how many milliseconds a condition
// holds.
func (b *tab) starts(url, condition string) float64 {
	b.t.Helper()
	b.goTo("about:blank")
	b.goTo(url)
	b.wait(condition)
	return eval[float64](b, `performance.now()`)
}
