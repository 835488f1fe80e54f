package host

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// BenchmarkBallast opens the bundled recording, takes 500 steps, and counts the
// collections: 5 with the ballast, and 60 without it.
func BenchmarkBallast(b *testing.B) {
	data := shop(b).data
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, c := range []struct {
		name  string
		bound func() []byte
	}{{"with ballast", browser.BoundHeap}, {"without", func() []byte { browser.BoundHeap(); return nil }}} {
		b.Run(c.name, func(b *testing.B) {
			kept := c.bound()
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				p := newPage(b)
				p.ask(link.Open{}, &file{data: data, piece: 1 << 16})
				for range 500 {
					p.frame(link.Step{N: 1})
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.NumGC-before.NumGC)/float64(b.N), "collections/op")
			runtime.KeepAlive(kept)
		})
	}
}
