package live

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/releases"
)

// flips are mutants of the engine: in each, one gate of engine/changes is turned over in which the version differs
// from one that is next to it. Each must differ from client-go on one of the scripts, or the comparison would not
// see it if the engine had the gate wrong.
type flips struct {
	left []string // not told from client-go yet
	told []string // by which script each of the others was
}

// untold are the gates that no script tells, because they need two goroutines at one moment: listeners that start
// late, and a store that loses an object while its index is asked. LateListeners and since36.ByIndexOfATornStore test
// the two, on both sides of each gate.
var untold = []string{"awaits-listeners", "adds-missing"}

// newFlips returns the mutants of v.
func newFlips(t *testing.T, bin string, v *Version) *flips {
	t.Helper()
	f := &flips{left: releases.Gates(t, bin, v.Name)}
	f.left = slices.DeleteFunc(f.left, func(gate string) bool {
		return slices.Contains(untold, gate) || (gate == "sharded" || gate == "pausable") && !v.since38() // no script of such a version has a shard, or pauses
	})
	return f
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
