package controller

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGatesHaveModules holds that a module compares the engine with the real controller-runtime at both sides of
// each gate, and that make conformance runs it.
func TestGatesHaveModules(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	run := strings.Join(regexp.MustCompile(`(?m)^(?:CONTROLLERS|RUNTIMES) .*$`).FindAllString(string(makefile), -1), " ") + " "
	modules := map[int]bool{OldestRuntime: true, NewestRuntime: true}
	for minor := OldestRuntime + 1; minor <= NewestRuntime; minor++ {
		before, _ := RuntimeOf(minor - 1)
		if after, _ := RuntimeOf(minor); before != after {
			modules[minor-1], modules[minor] = true, true
		}
	}
	for minor := range modules {
		name := fmt.Sprintf("cr%03d", minor)
		mod, err := os.ReadFile("../conformance/live/" + name + "/go.mod")
		if err != nil || !strings.Contains(string(mod), fmt.Sprintf("sigs.k8s.io/controller-runtime v0.%d.", minor)) {
			t.Errorf("%s is no module of controller-runtime v0.%d: %v", name, minor, err)
		}
		if !strings.Contains(run, " "+name+" ") {
			t.Errorf("make conformance doesn't run %s", name)
		}
	}
}
