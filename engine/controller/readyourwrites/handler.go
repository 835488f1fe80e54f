// Package readyourwrites is controller-runtime's client with
// EnableReadYourWritesConsistency (pkg/client/consistency.go and the packages
// consistencyhandler and writebarrier below it) as pure data: what a client remembers of
// its own writes to the objects of one kind, and what a read waits for.
package readyourwrites

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Handler is ConsistencyHandler: what the informer has shown, and what it has still to
// show. resourceVersions are numbers here, as in the real one. Its zero value is ready to
// be used.
type Handler struct {
	observedRV int64
	minimums   []Minimum       // by key
	deletes    []PendingDelete // by key and uid
}

// Minimum is the resourceVersion of a write that no event has shown yet.
type Minimum struct {
	Key object.Key
	RV  int64
}

// PendingDelete is a delete that no event has shown yet.
type PendingDelete struct {
	Key object.Key
	UID object.Sym
}

func (h *Handler) copyFrom(src *Handler) {
	h.observedRV = src.observedRV
	h.minimums, h.deletes = append(h.minimums[:0], src.minimums...), append(h.deletes[:0], src.deletes...)
}

// ObservedRV returns the highest resourceVersion of an event. Bookmarks don't count.
func (h *Handler) ObservedRV() int64 { return h.observedRV }

// Minimums returns the versions that reads may have to wait for. The caller must not change them.
func (h *Handler) Minimums() []Minimum { return h.minimums }

// PendingDeletes returns the deletes that reads may have to wait for. The caller must not change them.
func (h *Handler) PendingDeletes() []PendingDelete { return h.deletes }

func (h *Handler) minimum(k object.Key) (int, bool) {
	return slices.BinarySearchFunc(h.minimums, k, func(m Minimum, k object.Key) int { return int(m.Key) - int(k) })
}

// SetMinimumRV notes a write, unless a later one is noted or was seen already.
func (h *Handler) SetMinimumRV(k object.Key, rv int64) {
	switch i, known := h.minimum(k); {
	case rv <= h.observedRV || known && rv <= h.minimums[i].RV:
	case known:
		h.minimums[i].RV = rv
	default:
		h.minimums = slices.Insert(h.minimums, i, Minimum{k, rv})
	}
}

// Observe follows observeResourceVersion for an event of any object: writes up to rv count as
// seen.
func (h *Handler) Observe(rv int64) {
	if rv > h.observedRV {
		h.observedRV = rv
		h.minimums = slices.DeleteFunc(h.minimums, func(m Minimum) bool { return m.RV <= rv })
	}
}

// AddPendingDelete notes a delete before it is requested.
func (h *Handler) AddPendingDelete(k object.Key, uid object.Sym) {
	d := PendingDelete{k, uid}
	i, known := slices.BinarySearchFunc(h.deletes, d, func(a, b PendingDelete) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.UID, b.UID))
	})
	if !known {
		h.deletes = slices.Insert(h.deletes, i, d)
	}
}

// RemovePendingDelete forgets a delete, because an event has shown it or because it
// failed.
func (h *Handler) RemovePendingDelete(k object.Key, uid object.Sym) {
	h.deletes = slices.DeleteFunc(h.deletes, func(d PendingDelete) bool { return d == PendingDelete{k, uid} })
}

// allDeleted reports whether none of the objects is pending, under any key.
func (h *Handler) allDeleted(uids []object.Sym) bool {
	return !slices.ContainsFunc(h.deletes, func(d PendingDelete) bool { return slices.Contains(uids, d.UID) })
}

// Hash adds what the handler knows.
func (h *Handler) Hash(sum *actor.Hash) {
	sum.Add(uint64(h.observedRV))
	sum.Add(uint64(len(h.minimums)) | uint64(len(h.deletes))<<32)
	for _, m := range h.minimums {
		sum.Add(uint64(m.Key))
		sum.Add(uint64(m.RV))
	}
	for _, d := range h.deletes {
		sum.Add(uint64(d.Key) | uint64(d.UID)<<32)
	}
}
