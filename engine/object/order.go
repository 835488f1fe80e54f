package object

import (
	"bytes"
	"cmp"
	"slices"
)

// CompareKeys orders keys by their text. The engine uses this order where
// client-go ranges over a map of keys, whose order is random.
func (t *Table) CompareKeys(a, b Key) int {
	return bytes.Compare(t.keys.bytes(int32(a)), t.keys.bytes(int32(b)))
}

// CompareSyms orders strings by their text.
func (t *Table) CompareSyms(a, b Sym) int {
	return bytes.Compare(t.syms.bytes(int32(a)), t.syms.bytes(int32(b)))
}

// CompareResourceVersion orders two resourceVersions as apimachinery's
// resourceversion.CompareResourceVersion does. It reports false unless both are well
// formed: decimal numbers of any length, above 0 and without leading zeros.
func (t *Table) CompareResourceVersion(a, b RV) (order int, ok bool) {
	x, xNumber := a.Number()
	y, yNumber := b.Number()
	if xNumber && yNumber {
		return cmp.Compare(x, y), x > 0 && y > 0
	}
	m, n := t.RVText(a), t.RVText(b)
	if !wellFormed(m) || !wellFormed(n) {
		return 0, false
	}
	return cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)), true
}

func wellFormed(rv string) bool {
	for i := range len(rv) {
		if rv[i] < '0' || rv[i] > '9' {
			return false
		}
	}
	return rv != "" && rv[0] != '0'
}

// KeyOrder returns every key of the Table in the order of CompareKeys. The Table
// keeps the slice and merges in what is new since the last call, because a resync
// of a large store asks for it often and new keys are rare by then. The caller
// must not change it, and must not use it after an Add.
func (t *Table) KeyOrder() []Key {
	if t.keys.again != t.orderAgain { // a number in order has another text now
		t.order, t.orderAgain = nil, t.keys.again
	}
	sorted := len(t.order)
	if sorted == t.Keys()-1 {
		return t.order
	}
	for k := sorted + 1; k < t.Keys(); k++ {
		t.order = append(t.order, Key(k))
	}
	fresh := slices.Clone(t.order[sorted:])
	slices.SortFunc(fresh, t.CompareKeys)
	// From the back, so that the old part can stay where it is.
	i, j := sorted-1, len(fresh)-1
	for at := len(t.order) - 1; j >= 0; at-- {
		if i >= 0 && t.CompareKeys(t.order[i], fresh[j]) > 0 {
			t.order[at] = t.order[i]
			i--
		} else {
			t.order[at] = fresh[j]
			j--
		}
	}
	return t.order
}
