// Package consistency is kube-controller-manager's consistency store
// (pkg/controller/util/consistency) as pure data. A controller notes in it what it
// wrote, and before each sync it asks whether its caches have come that far.
package consistency

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Resource is the number of a GroupResource, which the Store's owner gives.
type Resource int16

// Reader is LastSyncRVGetter for all resources.
type Reader interface {
	// LastStoreSyncResourceVersion returns how far the cache of a resource has come. It
	// reports false if the controller has no such cache. 0 means that the cache doesn't
	// say.
	LastStoreSyncResourceVersion(Resource) (object.RV, bool)
}

// Version is the newest resourceVersion that an owner's controller wrote of a resource.
type Version struct {
	Resource Resource
	RV       object.RV
}

// Error is ConsistencyError: a cache that has not come to what was written.
type Error struct {
	Resource        Resource
	ReadRV, WroteRV object.RV
}

// record is ownerRecord.
type record struct {
	uid      object.Sym
	exists   bool
	versions []Version // by resource
}

// Store is RealConsistencyStore.
type Store struct {
	t       *object.Table
	records []record // by owner
}

// New returns an empty Store. The owners' keys and the resourceVersions are t's.
func New(t *object.Table) *Store { return &Store{t: t} }

// CopyFrom makes s equal to src.
func (s *Store) CopyFrom(src *Store) {
	s.t = src.t
	s.records = object.Resized(s.records, len(src.records))
	for k := range s.records {
		versions := append(s.records[k].versions[:0], src.records[k].versions...)
		s.records[k] = src.records[k]
		s.records[k].versions = versions
	}
}

// Clone returns a copy that changes on its own.
func (s *Store) Clone() *Store {
	c := new(Store)
	c.CopyFrom(s)
	return c
}

// WroteAt notes that rv was written for an owner. What was noted for an owner of
// another uid is forgotten, even if that one is the newer. A smaller rv changes
// nothing. One that can't be compared replaces what is there.
func (s *Store) WroteAt(owner object.Key, uid object.Sym, r Resource, rv object.RV) {
	s.records = object.Grown(s.records, owner)
	w := &s.records[owner]
	if !w.exists || w.uid != uid {
		*w = record{uid: uid, exists: true, versions: w.versions[:0]}
	}
	i, known := slices.BinarySearchFunc(w.versions, r, func(v Version, r Resource) int { return int(v.Resource) - int(r) })
	if !known {
		w.versions = slices.Insert(w.versions, i, Version{r, rv})
		return
	}
	if order, ok := s.t.CompareResourceVersion(w.versions[i].RV, rv); ok && order >= 0 {
		return
	}
	w.versions[i].RV = rv
}

// Clear forgets an owner if it has that uid. With uid 0 it forgets the owner anyway.
func (s *Store) Clear(owner object.Key, uid object.Sym) {
	if int(owner) >= len(s.records) {
		return
	}
	if w := &s.records[owner]; uid == 0 || w.uid == uid {
		*w = record{versions: w.versions[:0]}
	}
}

// EnsureReady appends the caches that have not come to what was written for an owner.
// The real one returns the first in the order of a map. If there are none, all that
// was noted for the owner is forgotten: a cache that goes back later is not noticed.
// What can't be compared never holds a controller back.
func (s *Store) EnsureReady(owner object.Key, caches Reader, dst []Error) []Error {
	if int(owner) >= len(s.records) || !s.records[owner].exists {
		return dst
	}
	w, from := &s.records[owner], len(dst)
	for _, v := range w.versions {
		read, known := caches.LastStoreSyncResourceVersion(v.Resource)
		if !known || read == 0 {
			continue
		}
		if order, ok := s.t.CompareResourceVersion(v.RV, read); ok && order > 0 {
			dst = append(dst, Error{v.Resource, read, v.RV})
		}
	}
	if len(dst) == from {
		s.Clear(owner, w.uid)
	}
	return dst
}

// Owners appends the owners for which something is noted, in the order of their numbers.
func (s *Store) Owners(dst []object.Key) []object.Key {
	for k := range s.records {
		if s.records[k].exists {
			dst = append(dst, object.Key(k))
		}
	}
	return dst
}

// Written returns what is noted for an owner, by resource, and the owner's uid. The
// caller must not change it.
func (s *Store) Written(owner object.Key) (object.Sym, []Version) {
	if int(owner) >= len(s.records) {
		return 0, nil
	}
	return s.records[owner].uid, s.records[owner].versions
}

// Hash adds what is noted.
func (s *Store) Hash(h *actor.Hash) {
	for k := range s.records {
		if w := &s.records[k]; w.exists {
			h.Add(uint64(k) | uint64(len(w.versions))<<32)
			h.Add(uint64(w.uid))
			for _, v := range w.versions {
				h.Add(uint64(v.Resource))
				h.Add(uint64(v.RV))
			}
		}
	}
	h.Add(0)
}
