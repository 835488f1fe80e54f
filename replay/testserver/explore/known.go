package explore

import (
	"strings"
	"testing"
)

// repeats is how often Known tries a seed. Go decides in which order ready goroutines run, so a seed may
// need several tries.
const repeats = 10

// Known is Find for a fault that is known and not mended yet, such as a race. It fails t if no run
// fails, if the failure's seed does not repeat it, or if the trace has no step at which it opens.
func Known(t *testing.T, o Options, test func(r *Run)) *Failure {
	t.Helper()
	f := Find(t, o, test)
	if f == nil {
		t.Fatal("no run fails")
	}
	t.Log(f)
	o.Runs, o.Seed = 1, f.Seed
	var again *Failure
	for n := 0; again == nil && n < repeats; n++ {
		again = Find(t, o, test)
	}
	if again == nil {
		t.Errorf("seed %d does not fail again", f.Seed)
	}
	if !strings.Contains(f.Link, "&step=") || strings.Contains(f.Link, "&step=0") {
		t.Errorf("the link is %q", f.Link)
	}
	return f
}
