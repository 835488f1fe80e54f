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
		var one Set
		if one.Add(Kind(k)); all.Has(Kind(k)) || all.Meets(&one) {
			t.Errorf("%d is in the set of all kinds before it", k)
		}
		if all.Join(&one); !all.Has(Kind(k)) || !all.Meets(&one) || !one.Meets(&all) {
			t.Errorf("%d was added to the set, and is not in it", k)
		}
	}
}
