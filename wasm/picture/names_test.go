package picture

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
)

// The engine and the page have the same names for the same things.
func TestTheEnginesNamesAreThePages(t *testing.T) {
	same := func(what string, engine, page []string) {
		t.Helper()
		a, b := slices.Sorted(slices.Values(engine)), slices.Sorted(slices.Values(page))
		if a, b = slices.Compact(a), slices.Compact(b); !slices.Equal(a, b) {
			t.Errorf("%s: the engine has %s, and the page %s", what, a, b)
		}
	}
	kinds := []string{link.ActorNobody}
	for k := actor.User; k <= actor.LastKind; k++ {
		kinds = append(kinds, k.String())
	}
	same("goroutines", kinds, link.ActorKinds)
	var locks []string
	for l := range actor.NumLocks {
		locks = append(locks, l.String())
	}
	same("locks", locks, []string{link.LockFIFO, link.LockBlockDeltas, link.LockListeners})
	var reflector, loop []string
	for _, s := range reflectorStates {
		reflector = append(reflector, s)
	}
	for _, s := range loopStates {
		loop = append(loop, s)
	}
	same("the reflector's states", append(reflector, link.StateStopped, link.StateCrashed), link.States[link.StationReflector])
	same("the process loop's states", append(loop, link.LoopWaiting, link.StateStart, link.StateStopped, link.StateCrashed), link.States[link.StationLoop])
	if actor.OnLock.String() != link.WaitsForLock {
		t.Errorf("the engine calls the wait for a lock %s", actor.OnLock)
	}
	for d := event.Added; d <= event.Unknown; d++ {
		if l := deltaLetter(d); l != link.LetterUnknown && link.DeltaNames[l] == "" {
			t.Errorf("%s has the letter %q", d, l)
		}
	}
}
