package event

import (
	"math"
	"testing"
)

// A Set has room for as many kinds as a Kind can tell apart, so that a fact that is added to the
// engine needs no change here.
func TestASetHoldsEveryKind(t *testing.T) {
	var all Set
	for k := range math.MaxUint8 + 1 {
		var single Set
		if single.Add(Kind(k)); all.Has(Kind(k)) || all.Meets(&single) {
			t.Errorf("%d is in the set of all kinds before it", k)
		}
		if all.Join(&single); !all.Has(Kind(k)) || !all.Meets(&single) || !single.Meets(&all) {
			t.Errorf("%d was added to the set, and is not in it", k)
		}
	}
}
