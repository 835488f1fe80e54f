package bench

import "testing"

func TestTheEngineHandlesTheWholeStream(t *testing.T) {
	r, err := Engine(Make(20_000, 500))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f events/s, %d steps, %d facts, %.3f allocations and %d bytes an event",
		r.EventsPerSecond(), r.Steps, r.Facts, r.AllocsPerEvent(), r.Bytes/uint64(r.Events/2))
	if a := r.AllocsPerEvent(); a > 0.1 {
		t.Errorf("%.3f allocations an event in steady state, want at most 0.1", a)
	}
}
