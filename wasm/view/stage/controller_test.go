package stage

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// controlled is a frame with a controller.
func controlled() *link.Frame {
	f := viewtest.Frame()
	f.Work.Controller = &link.Controller{
		Name: "replicasets", Owns: "pods", Program: []string{"list", "set .status.replicas children"}, Guard: "expectations", Shut: true,
		Holds:  []link.Hold{{Kind: link.HoldExpects, Key: "default/web", N: 1, Remaining: 240e9}, {Kind: link.HoldExpects, Key: "default/api", Expired: true}},
		Unseen: []link.Unseen{{Key: "default/web", Resource: "pods", RV: "8", Seen: "3"}},
		Belief: &link.Belief{Key: "default/web", Wants: "3", Cached: 1, Actual: 2, Count: 2, Asked: true, Created: 1, Children: []link.Child{{Name: "web-2", Exists: true, Cached: true, Read: true}, {Name: "web-8", Exists: true}}},
	}
	f.Work.Workers = []link.Worker{{ID: 0, State: "reconciling", Key: "default/web", RV: "5", Line: 2, Waits: true}, {ID: 1, State: "waiting"}}
	return f
}

// The guard is a gate that is open or shut, with all that it waits for.
func TestTheGuardIsAGate(t *testing.T) {
	f := controlled()
	n := shown(t, "en", f, "gate")
	if _, shut := n.Value("data-shut"); !shut {
		t.Error("the gate isn't shut")
	}
	text := n.TextContent()
	for _, want := range []string{"expectations", "shut", "to be seen: +1 −0 · 4 min left", "its time is over", "pods: wrote 8, cache at 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the gate says %q, and not %q", text, want)
		}
	}
	f.Work.Controller = &link.Controller{Guard: "none"}
	n = shown(t, "en", f, "gate")
	if text := n.TextContent(); text != "no guardnothing to wait for" {
		t.Errorf("a controller without a guard has the gate %q", text)
	}
	for _, lang := range viewtest.Languages(t) {
		for _, name := range guard.Names() {
			if viewtest.Catalogue(t, lang)["ui.guard."+name] == "" {
				t.Errorf("%s has no words for the guard %s", lang, name)
			}
		}
		for _, k := range link.HoldKinds {
			if viewtest.Catalogue(t, lang)["ui.hold."+string(k)] == "" {
				t.Errorf("%s has no words for what a guard waits for: %s", lang, k)
			}
		}
	}
}

// The line that a worker is at is lit, and has the worker's number.
func TestTheProgramHasItsWorkers(t *testing.T) {
	n := shown(t, "en", controlled(), "program-lines")
	var lines, lit []string
	n.Find(func(n *tree.Node) bool {
		if place, _ := n.Value("data-place"); strings.HasPrefix(place, "line/") {
			lines = append(lines, n.TextContent())
			if now, _ := n.Value("aria-current"); now != "" {
				lit = append(lit, place)
			}
		}
		return false
	})
	if got := strings.Join(lines, "|"); got != "get|list1|set .status.replicas children" {
		t.Errorf("the program is %s", got)
	}
	if strings.Join(lit, " ") != link.PlaceLine(2) {
		t.Errorf("lit are %q", lit)
	}
	if text := shown(t, "en", controlled(), "workers").TextContent(); !strings.Contains(text, "its read waits") {
		t.Errorf("the workers say %q", text)
	}
}

// What is believed stands beside what is true, and each row that differs is marked.
func TestBeliefAndTruthStandSideBySide(t *testing.T) {
	n := shown(t, "en", controlled(), "belief")
	rows := map[string]bool{}
	n.Find(func(n *tree.Node) bool {
		if _, differs := n.Value("data-differs"); n.Find(func(k *tree.Node) bool { return k.HasClass("children") }) != nil && !n.HasClass("belief") {
			if text := n.TextContent(); !strings.HasPrefix(text, "API server2cache") {
				rows[text] = differs
			}
		}
		return false
	})
	for row, differs := range map[string]bool{"API server2": false, "cache1": true, "controller2+1 made": false} {
		if got, is := rows[row]; !is || got != differs {
			t.Errorf("the row %q is marked: %v, of the rows %v", row, got, rows)
		}
	}
	if text := n.TextContent(); !strings.Contains(text, "wants 3 · the cache lacks web-8") {
		t.Errorf("the foot says %q", text)
	}
}

// Each failure is a rung of the ladder, and what waits for a timer has none.
func TestTheLadderHasARungForEachFailure(t *testing.T) {
	f := controlled()
	f.Work.Delayed = []link.Delayed{{Key: "a/b", Remaining: 40e6, Retries: 4}, {Key: "a/c", Remaining: 1e9}}
	full, ladders, timers := 0, 0, 0
	shown(t, "en", f, "set-delayed").Find(func(n *tree.Node) bool {
		if n.HasClass("ladder") {
			if title, _ := n.Value("title"); strings.HasPrefix(title, "RequeueAfter") {
				timers++
			} else {
				ladders++
			}
		}
		if _, has := n.Value("data-has"); has {
			full++
		}
		return false
	})
	if full != 4 || ladders != 1 || timers != 1 {
		t.Errorf("there are %d full rungs, %d ladders and %d timers", full, ladders, timers)
	}
}

// A priority queue has its own names, no dirty set, and the priority of each ready key.
func TestPrioritiesAreShown(t *testing.T) {
	f := controlled()
	f.Work.Queue, f.Work.Queued = []string{"default/new", "default/old"}, 2
	f.Work.Priorities = &link.Priorities{Buffered: 1, Ready: []link.Rank{{}, {Priority: -100, Behind: "default/new"}}}
	n := shown(t, "en", f, "sets")
	text := n.TextContent()
	for _, want := range []string{"ready2default/new0default/old−100behind new", "addBuffer1", "locked", "waiting"} {
		if !strings.Contains(text, want) {
			t.Errorf("the queue says %q, and not %q", text, want)
		}
	}
	if strings.Contains(text, "dirty") {
		t.Error("a priority queue has a dirty set")
	}
}
