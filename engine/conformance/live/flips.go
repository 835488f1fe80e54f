package live

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// flips are mutants of the engine: in each, one gate of engine/changes is turned over in which the version differs
// from one that is next to it. Each must differ from client-go on one of the scripts, or the comparison would not
// see it if the engine had the gate wrong.
type flips struct {
	left []string // not told from client-go yet
	told []string // by which script each of the others was
}

// schedules is a gate that no script tells, because only the scheduler can make the goroutines of listeners start late.
// LateListeners does so, on both sides of the gate.
const schedules = "awaits-listeners"

// newFlips are the mutants of v, where all are the versions there are, the oldest first.
func newFlips(t *testing.T, bin string, v *Version, all []*Version) *flips {
	t.Helper()
	f := &flips{}
	for _, beside := range besides(t, v, all) {
		out, err := exec.Command(bin, "-client-go", v.Name, "-gates", beside.Name).Output()
		if err != nil {
			t.Fatalf("the driver: %v", err)
		}
		for gate := range strings.FieldsSeq(string(out)) {
			if gate != schedules && !slices.Contains(f.left, gate) {
				f.left = append(f.left, gate)
			}
		}
	}
	return f
}

// besides are the next older and the next newer version.
func besides(t *testing.T, v *Version, all []*Version) []*Version {
	t.Helper()
	i := slices.IndexFunc(all, func(of *Version) bool { return of.Name == v.Name })
	if i < 0 {
		t.Fatalf("no module requires client-go %s", v.Name)
	}
	return slices.Concat(all[max(i-1, 0):i], all[i+1:min(i+2, len(all))])
}

// try lets the mutants play a script on which the engine is like client-go. Apart reports whether the engine with a gate
// turned over differs from the engine on it.
func (f *flips) try(script string, apart func(gate string) bool) {
	f.left = slices.DeleteFunc(f.left, func(gate string) bool {
		told := apart(gate)
		if told {
			f.told = append(f.told, gate+" by "+script)
		}
		return told
	})
}
