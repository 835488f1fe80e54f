//go:build !js

package says

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/web/build/code"
)

var update = flag.Bool("update", false, "rewrite testdata/clientgo.txt")

// notClientGo are the program counters without a function of client-go's, and why.
var notClientGo = map[actor.PC]string{
	actor.None:             "a command is the outside world's",
	actor.WorkerReconcile:  "the reconcile is the program's own",
	actor.WorkerReconciled: "the reconcile is the program's own",
	actor.RunEnqueue:       "the handler is the controller's own",
	actor.PriorityAdd:      "the priority queue is controller-runtime's",
	actor.PriorityReady:    "the priority queue is controller-runtime's",
	actor.PriorityWaiting:  "the priority queue is controller-runtime's",
	actor.WorkerReceive:    "the priority queue is controller-runtime's",
	actor.CollectorLook:    "the garbage collector is another process",
	actor.WorkerProgram:    "the reconcile is the program's own",
	actor.RecordedAct:      "it may be anything that was recorded",
}

func TestEachProgramCounterHasItsFunction(t *testing.T) {
	for pc := range actor.NumPC {
		for _, p := range runtest.Profiles(t) {
			name := AtWork(pc, &p)
			if why := notClientGo[pc]; (name == "") != (why != "") {
				t.Errorf("%s: %v has the function %q, and it has none because %q", p.Name, pc, name, why)
			}
		}
	}
}

// What the page names as client-go's in a version must be there. Testdata/clientgo.txt has
// it, and the modules of engine/conformance/live look it up in the real source.
func TestFunctionsOfClientGo(t *testing.T) {
	found := map[string]bool{}
	note := func(version, name string) {
		minor := code.Minor(version)
		file, ok := code.Place(name, minor)
		if !ok {
			t.Errorf("no function of client-go was found for %s in %s", name, version)
		}
		if file != "" {
			found[fmt.Sprintf("v0.%d %s %s", minor, file, name[code.Package(name):])] = true
		}
	}
	compared := map[int]bool{}
	for _, p := range runtest.Profiles(t) {
		version := p.Release()
		compared[code.Minor(version)] = true
		for pc := range actor.NumPC {
			if name := AtWork(pc, &p); name != "" {
				note(version, name)
			}
		}
	}
	runtest.All(t, func(r runtest.Run) {
		r.Each(t, func(_, w *world.World) {
			version := strings.Fields(Code(w))[4]
			if _, _, name := Explain(w); name != "" && compared[code.Minor(version)] {
				note(version, name)
			}
		})
	})
	const name = "testdata/clientgo.txt"
	got := strings.Join(slices.Sorted(maps.Keys(found)), "\n") + "\n"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got) {
		if !strings.Contains("\n"+string(want), "\n"+line) {
			t.Errorf("%s lacks a function that the page names: %s", name, line)
		}
	}
	if got != string(want) {
		t.Errorf("%s has other functions than those that the page names; go test -update writes them", name)
	}
}
