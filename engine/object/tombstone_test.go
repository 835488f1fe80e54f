package object

import "testing"

func TestTombstone(t *testing.T) {
	tab := NewTable(nil)
	other := tab.Add(Meta{Name: tab.Sym("other")})
	live := tab.Live()
	tab.Sweep(live) // the next row is in the place of that one
	x := tab.Add(Meta{Name: tab.Sym("x"), RV: NumberRV(7)})
	k := tab.KeyOf(x)
	tombstone := tab.Tombstone(k, x)
	two := tab.Tombstone(k, tombstone)
	if x != other || !tab.IsTombstone(two) || tab.IsTombstone(x) || tab.IsTombstone(0) {
		t.Error("a row is taken for something else")
	}
	if tab.InTombstone(two) != tombstone || tab.InTombstone(tombstone) != x || tab.KeyOf(two) != k || tab.RVOf(tombstone) != 0 {
		t.Errorf("the tombstone of %d is %d, in %d", x, tombstone, two)
	}
	live = tab.Live()
	live.Ref(two)
	tab.Sweep(live)
	if tab.InTombstone(two) != tombstone || tab.InTombstone(tombstone) != x || tab.Text(tab.Meta(x).Name) != "x" || tab.LiveRows() != 3 {
		t.Error("what lies in a live tombstone was swept away")
	}
	live = tab.Live()
	live.Ref(x)
	if tab.Sweep(live); tab.LiveRows() != 1 {
		t.Error("tombstones that nobody refers to are held")
	}
}
