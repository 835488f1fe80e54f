package test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Parts of a file that several workers read come in order, and none twice or never, whatever the workers do. No worker is
// given more than it should have. When one fails or the reading is stopped, all are ended. Node plays the browser.
func TestPartsComeInOrder(t *testing.T) {
	t.Parallel()
	run := inNode(t, "spread.js", "spread", "start")
	for _, seed := range []string{"1", num(time.Now().Unix() % 1e6)} {
		out, err := run(seed, "60")
		if err != nil || strings.Contains(out, " 0 failed") || strings.Contains(out, " 0 readings") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}

// largeStream writes 69 MB of watch events, 5 MB when they are gzipped. Five are damaged.
func largeStream(w io.Writer) {
	padding, random := strings.Repeat("x", 26_000), rand.New(rand.NewPCG(1, 2))
	for n := range 2_300 {
		kind, end := "MODIFIED", "\n"
		if n < 100 {
			kind = "ADDED"
		}
		switch n % 500 {
		case 99:
			end = "}\n" // damaged
		case 299:
			end = "\r\n"
		}
		noise := make([]byte, 0, 4000)
		for len(noise) < cap(noise) {
			noise = fmt.Appendf(noise, "%016x", random.Uint64())
		}
		fmt.Fprintf(w, `{"type":"%s","object":%s}%s`, kind, pod(n%100, 1000+n, padding+string(noise)), end)
	}
}

// A large file is read by several workers, and is the same as read by one. It is read by one where the others don't start,
// too. A small file has one, and so has any file where there is one core.
func TestALargeFileHasSeveralReaders(t *testing.T) {
	t.Parallel()
	large := writeFile(t, "large.watch.ndjson", largeStream)
	small := writeFile(t, "small.watch.ndjson", func(w io.Writer) { w.Write(watchStream(50)) })
	const counts = `(() => {
		const real = Worker;
		globalThis.digesting = 0;
		globalThis.Worker = class extends real {
			constructor(name, how) {
				super(name, how);
				if (!String(name).endsWith('digest.js')) return;
				globalThis.digesting++;
				if (!globalThis.broken) return;
				this.terminate();
				setTimeout(() => this.onerror?.(new ErrorEvent('error', {message: 'it does not start', cancelable: true})));
			}
		};
	})()`
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.goTo(env.site)
			b.ready()
			several := eval[float64](b, `navigator.hardwareConcurrency`) > 1
			b.loaded()
			b.run(counts)
			said := map[string]string{}
			for _, broken := range []string{"true", "false"} {
				b.run(`globalThis.digesting = 0, globalThis.broken = ` + broken)
				b.upload(onFile, small)
				b.opened("small.watch")
				if n := eval[float64](b, `globalThis.digesting`); n != 0 {
					t.Errorf("a small file has %v more readers", n)
				}
				b.upload(onFile, large)
				b.opened("large.watch")
				if n := eval[float64](b, `globalThis.digesting`); (n > 0) != several {
					t.Errorf("a large file has %v more readers", n)
				}
				if several && broken == "false" {
					b.waitHeard("several workers read on")
				}
				said[broken] = num(b.toEnd()) + " " + b.text(`.notice`)
			}
			if said["true"] != said["false"] || !strings.Contains(said["true"], "could not be read: 5.") {
				t.Errorf("by one reader, the page says %q, and by several %q", said["true"], said["false"])
			}
		})
	}
}
