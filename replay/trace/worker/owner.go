package worker

import (
	"cmp"
	"slices"
)

// Order returns the reconciles whose beginnings are known, as indices of Reconciles, in the order in which
// they began.
func (l *Log) Order() (order []int) {
	for i := range l.Reconciles {
		if l.Reconciles[i].Controller != "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Reconciles[a].Began, l.Reconciles[b].Began) })
	return order
}

// Owners returns the reconcile that has sent each write, as an index of Reconciles, and -1 where nobody
// can tell. A write that was sent without the context of its reconcile belongs to the only
// reconcile under way, or else to the only one for the written object's key. A reconcile
// whose beginning was left out has no writes, and events and Leases are nobody's: client-go's
// recorder of events and its elector write them in goroutines of their own.
func (l *Log) Owners() []int {
	byID, order := map[int64]int{}, l.Order()
	for _, i := range order {
		byID[l.Reconciles[i].ID] = i
	}
	of := make([]int, len(l.Writes))
	var under []int // way, at the time of the write
	next := 0
	for i := range l.Writes {
		w := &l.Writes[i]
		for ; next < len(order) && l.Reconciles[order[next]].Began <= w.Sent; next++ {
			under = append(under, order[next])
		}
		under = slices.DeleteFunc(under, func(k int) bool { x := &l.Reconciles[k]; return x.Ended != 0 && x.Ended < w.Sent })
		k, known := byID[w.In]
		if w.In == 0 && !w.ByClientGo() {
			key, found := w.Key(), 0
			for _, u := range under {
				if len(under) == 1 || l.Reconciles[u].Key == key {
					k = u
					found++
				}
			}
			known = found == 1
		}
		if of[i] = k; !known {
			of[i] = -1
		}
	}
	return of
}

// ByClientGo reports whether client-go itself writes such objects beside the reconciles.
func (w *Write) ByClientGo() bool {
	switch w.Group {
	case "", "events.k8s.io":
		return w.Resource == "events"
	case "coordination.k8s.io":
		return w.Resource == "leases"
	}
	return false
}
