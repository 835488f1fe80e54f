package main

import (
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
	if status, out, _ = play(t, script+"can store [a/y]\n", "explore", "--states", "10"); status != 0 || !strings.Contains(out, "not within 10 states, in none of 10 states\n\nNo goroutine moved more than 100ms later than it could. --patience") {
		t.Errorf("status %d:\n%s", status, out)
	}
	const come = script + "run\ncan two OnUpdate a/x before one OnAdd a/x\n"
	if status, out, errs = play(t, come, "explore"); status != 0 || !strings.Contains(out, "\n  no, one OnAdd a/x has come already\n") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	if status, _, errs = play(t, script, "explore"); status != 1 || !strings.Contains(errs, "no can line") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}
