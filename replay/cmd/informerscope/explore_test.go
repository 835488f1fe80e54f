package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestExplore(t *testing.T) {
	const script = "informer pods\nhandler one\nhandler two\ncreate pod a/x\nupdate pod a/x\n"
	status, out, errs := play(t, script+"can two OnUpdate a/x before one OnAdd a/x\ncan one OnUpdate a/x before one OnAdd a/x\n", "explore")
	if status != 0 || !strings.Contains(out, "can two OnUpdate a/x before one OnAdd a/x\n  yes, in ") || !strings.Contains(out, "before one OnAdd a/x\n  no, in none of ") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	status, out, _ = play(t, script+"can lock blockDeltas loop\n", "explore", "--json", "--states", "1000")
	if status != 0 || !strings.Contains(out, `"question":"can lock blockDeltas loop","answer":"yes, in 3 steps: reflector ×2, loop","schedule":["reflector","reflector","loop"]`) {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, out, _ = play(t, script+"can store [a/y]\n", "explore", "--states", "10"); status != 0 || !strings.Contains(out, "not within 10 states, in none of 10 states") {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, _, errs = play(t, script, "explore"); status != 1 || !strings.Contains(errs, "no can line") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}

// A dump of kamera is answered path by path, and the script of a controller goes its part.
func TestExploreKamera(t *testing.T) {
	const dump = "../../kamera/testdata/made-two-created.json"
	explore := func(args ...string) (status int, stdout, stderr string) {
		var out, errs bytes.Buffer
		status = run(t.Context(), append([]string{"explore", dump}, args...), &out, &errs)
		return status, out.String(), errs.String()
	}
	status, out, errs := explore()
	if status != 0 || !strings.Contains(out, "path 1, to state two in 5 steps: survives\n  FooController: survives (") ||
		!strings.Contains(out, "path 2, to state late in 5 steps: does not survive\n  FooController: does not survive step 5: it reads Foo.x.io as it was before step 4 read it") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	status, out, errs = explore("--path", "1", "--script", "FooController")
	if status != 0 || !strings.HasPrefix(out, "# what FooController does") {
		t.Fatalf("status %d:\n%s%s", status, out, errs)
	}
	if status, played, errs := play(t, out, "run"); status != 0 || strings.Count(played, "ReconcileStarted") != 3 {
		t.Errorf("status %d:\n%s%s", status, played, errs)
	}
	for _, wrong := range [][]string{{"--path", "3"}, {"--workers", "0"}, {"--script", "FooController"}, {"--path", "2", "--script", "FooController"}, {"--path", "1", "--script", "x"}} {
		if status, out, _ := explore(wrong...); status == 0 {
			t.Errorf("%v: %s", wrong, out)
		}
	}
}
