package bench

import (
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/world"
)

func TestTheEngineHandlesTheWholeStream(t *testing.T) {
	for _, p := range world.Profiles() {
		t.Run(p.Name, func(t *testing.T) { whole(t, p) })
	}
}

func whole(t *testing.T, p world.Profile) {
	r, err := Engine(NewWorkload(20_000, 500), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f events/s, %d steps, %d facts, %.3f allocations and %d bytes an event",
		r.EventsPerSecond(), r.Steps, r.Facts, r.AllocsPerEvent(), r.Bytes/uint64(r.Events/2))
	if a := r.AllocsPerEvent(); a > 0.1 {
		t.Errorf("%.3f allocations an event in steady state, want at most 0.1", a)
	}
}

// BenchmarkEngine and BenchmarkHistory give make profile its profile.
func BenchmarkEngine(b *testing.B) {
	for _, p := range world.Profiles() {
		b.Run(p.Name, func(b *testing.B) {
			w := NewWorkload(200_000, 5_000)
			var took time.Duration
			for b.Loop() {
				r, err := Engine(w, p)
				if err != nil {
					b.Fatal(err)
				}
				took += r.Duration
			}
			b.ReportMetric(float64(b.N*len(w.Events))/took.Seconds(), "events/s")
		})
	}
}
