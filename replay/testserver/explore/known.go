package explore

import (
	"strings"
	"testing"
)

// repeats is how often Known tries a seed, because in which order goroutines run that are ready is
// up to Go.
const repeats = 10

// Known is Find for a test that shows a fault that is known, such as a race that isn't mended yet. It
// fails t where no run fails, where the seed of the failure does not repeat it, and where the trace
// has no step at which it opens.
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
