package ask

import (
	"math"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
)

// TestKindsHoldsEveryKind checks that a set has room for as many kinds as an event.Kind
// can tell apart, so that a fact that is added to the engine needs no change here.
func TestKindsHoldsEveryKind(t *testing.T) {
	for k := event.Kind(0); ; k++ {
		var one kinds
		one.add(k)
		for o := event.Kind(0); ; o++ {
			var other kinds
			if other.add(o); one.meets(&other) != (k == o) {
				t.Errorf("the sets of the kinds %d and %d meet: %v", k, o, k != o)
			}
			if o == math.MaxUint8 {
				break
			}
		}
		if k == math.MaxUint8 {
			break
		}
	}
}
