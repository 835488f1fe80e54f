package script

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTakeovers holds what a process does first, second and third, when it leads, against what the manager of controller-runtime
// does: the tests of engine/conformance/live/controllers/managed compare it with the same lines. A list takes longer here
// than to get a lease that is free, too. The second process is the one for which the first holds the lease.
func TestTakeovers(t *testing.T) {
	text, err := os.ReadFile("../conformance/testdata/takeovers.txt")
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for line := range strings.Lines(string(text)) {
		name, want, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || name[0] == '#' {
			continue
		}
		played++
		lease, warmup, _ := strings.Cut(name, " ")
		lines := []string{
			"profile current", "informer shops", "controller shops program=return runtime=v0.25 " + warmup, "replicas 2", "exists shop default/a", "run",
		}
		if lease == "held" {
			lines = append(lines, "kill replica down=forever", "run")
		}
		does, order := map[string]string{"LeadershipGained": "leads", "HandlerCalled": "hears", "ReconcileStarted": "reconciles"}, []string(nil)
		for line := range strings.Lines(transcript(strings.Join(lines, "\n"))) {
			words := strings.Fields(line)
			if line[0] == '!' {
				t.Fatal(name, line)
			}
			if len(words) < 3 || line[0] == '>' || strings.HasPrefix(words[1], "b/") != (lease == "held") {
				continue
			}
			if what := does[words[2]]; what != "" && !slices.Contains(order, what) {
				order = append(order, what)
			}
		}
		if got := strings.Join(order, " "); got != want {
			t.Errorf("%s: a process %s, and the manager of controller-runtime %s", name, got, want)
		}
	}
	if played == 0 {
		t.Error("no takeovers")
	}
}
