// Package expectations is what the controllers of kube-controller-manager remember
// of their own creates and deletes until the watch shows them: pkg/controller's
// ControllerExpectations and UIDTrackingControllerExpectations as pure data. Times
// are nanoseconds of virtual time.
package expectations

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Timeout is ExpectationsTimeout: expectations that are older no longer hold a
// controller back. No timer waits for it. It is noticed at the key's next sync.
const Timeout = int64(300e9)

// Entry is ControlleeExpectations: how many creates and deletes are still to be seen.
type Entry struct {
	Add, Del  int64
	Timestamp int64 // when they were set; nothing else restarts the clock
	exists    bool
}

// Fulfilled reports whether nothing is expected any more. The counters may be below 0.
func (e Entry) Fulfilled() bool { return e.Add <= 0 && e.Del <= 0 }

// Expired reports whether e is older than Timeout.
func (e Entry) Expired(now int64) bool { return now-e.Timestamp > Timeout }

// Answer says why expectations are satisfied, or that they are not.
type Answer uint8

// The answers of SatisfiedExpectations.
const (
	Unmet     Answer = iota // the controller waits for events
	None                    // there are no expectations
	Fulfilled               // everything was seen
	Expired                 // Timeout is over
)

// Satisfied reports whether the controller may manage its objects.
func (a Answer) Satisfied() bool { return a != Unmet }

// ControllerExpectations has an Entry for each controller key that ever expected
// something. An Entry that is satisfied stays.
type ControllerExpectations struct {
	entries []Entry // by controller key
}

// CopyFrom makes c equal to src.
func (c *ControllerExpectations) CopyFrom(src *ControllerExpectations) {
	c.entries = append(c.entries[:0], src.entries...)
}

// SetExpectations replaces what k expects, and starts its clock.
func (c *ControllerExpectations) SetExpectations(k object.Key, add, del, now int64) {
	c.entries = object.Grown(c.entries, k)
	c.entries[k] = Entry{add, del, now, true}
}

// ExpectCreations calls SetExpectations with n creates and no deletes.
func (c *ControllerExpectations) ExpectCreations(k object.Key, n, now int64) {
	c.SetExpectations(k, n, 0, now)
}

// ExpectDeletions calls SetExpectations with n deletes and no creates.
func (c *ControllerExpectations) ExpectDeletions(k object.Key, n, now int64) {
	c.SetExpectations(k, 0, n, now)
}

// RaiseExpectations adds to what k expects. If k expects nothing, it does nothing.
func (c *ControllerExpectations) RaiseExpectations(k object.Key, add, del int64) {
	if e := c.entry(k); e != nil {
		e.Add += add
		e.Del += del
	}
}

// LowerExpectations subtracts what RaiseExpectations adds.
func (c *ControllerExpectations) LowerExpectations(k object.Key, add, del int64) {
	c.RaiseExpectations(k, -add, -del)
}

// CreationObserved counts a create as seen, whoever made it.
func (c *ControllerExpectations) CreationObserved(k object.Key) { c.LowerExpectations(k, 1, 0) }

// DeletionObserved counts a delete as seen.
func (c *ControllerExpectations) DeletionObserved(k object.Key) { c.LowerExpectations(k, 0, 1) }

// SatisfiedExpectations reports whether k may manage its objects at the time now.
func (c *ControllerExpectations) SatisfiedExpectations(k object.Key, now int64) Answer {
	switch e := c.entry(k); {
	case e == nil:
		return None
	case e.Fulfilled():
		return Fulfilled
	case e.Expired(now):
		return Expired
	}
	return Unmet
}

// DeleteExpectations forgets what k expects.
func (c *ControllerExpectations) DeleteExpectations(k object.Key) {
	if e := c.entry(k); e != nil {
		*e = Entry{}
	}
}

// GetExpectations returns what k expects, and whether there is anything.
func (c *ControllerExpectations) GetExpectations(k object.Key) (Entry, bool) {
	if e := c.entry(k); e != nil {
		return *e, true
	}
	return Entry{}, false
}

// Keys appends the controller keys that have an Entry, in the order of their numbers.
func (c *ControllerExpectations) Keys(dst []object.Key) []object.Key {
	for k := range c.entries {
		if c.entries[k].exists {
			dst = append(dst, object.Key(k))
		}
	}
	return dst
}

func (c *ControllerExpectations) entry(k object.Key) *Entry {
	if int(k) >= len(c.entries) || !c.entries[k].exists {
		return nil
	}
	return &c.entries[k]
}

// Hash adds the expectations at the time now.
func (c *ControllerExpectations) Hash(h *actor.Hash, now int64) {
	for k := range c.entries {
		if e := &c.entries[k]; e.exists {
			h.Add(uint64(k))
			h.Add(uint64(e.Add))
			h.Add(uint64(e.Del))
			h.Since(e.Timestamp, now, Timeout+1)
		}
	}
	h.Add(0)
}

// UIDTrackingControllerExpectations also remembers which objects are expected to be
// deleted, so that an update with a deletionTimestamp and the delete after it count
// once. What is called UID there is the object's namespace and name.
type UIDTrackingControllerExpectations struct {
	ControllerExpectations
	uids [][]object.Key // UIDSet by controller key: objects, in the order of their numbers
}

// CopyFrom makes u equal to src.
func (u *UIDTrackingControllerExpectations) CopyFrom(src *UIDTrackingControllerExpectations) {
	u.ControllerExpectations.CopyFrom(&src.ControllerExpectations)
	u.uids = object.Resized(u.uids, len(src.uids))
	for k := range u.uids {
		u.uids[k] = append(u.uids[k][:0], src.uids[k]...)
	}
}

// ExpectDeletions lets k expect that the objects are deleted, each once. It reports
// false if k still expected other deletes ("Clobbering existing delete keys").
func (u *UIDTrackingControllerExpectations) ExpectDeletions(k object.Key, objects []object.Key, now int64) bool {
	u.uids = object.Grown(u.uids, k)
	free := len(u.uids[k]) == 0
	set := append(u.uids[k][:0], objects...)
	slices.SortFunc(set, cmp.Compare)
	u.uids[k] = slices.Compact(set)
	u.ControllerExpectations.ExpectDeletions(k, int64(len(u.uids[k])), now)
	return free
}

// DeletionObserved counts the delete of an object that k expects. It reports whether it
// did.
func (u *UIDTrackingControllerExpectations) DeletionObserved(k, obj object.Key) bool {
	if int(k) >= len(u.uids) {
		return false
	}
	i, expected := slices.BinarySearch(u.uids[k], obj)
	if expected {
		u.ControllerExpectations.DeletionObserved(k)
		u.uids[k] = slices.Delete(u.uids[k], i, i+1)
	}
	return expected
}

// DeleteExpectations forgets what k expects, and the objects whose deletions it expects.
func (u *UIDTrackingControllerExpectations) DeleteExpectations(k object.Key) {
	u.ControllerExpectations.DeleteExpectations(k)
	if int(k) < len(u.uids) {
		u.uids[k] = u.uids[k][:0]
	}
}

// GetUIDs returns the objects whose delete k expects, in the order of their numbers. The
// caller must not change them.
func (u *UIDTrackingControllerExpectations) GetUIDs(k object.Key) []object.Key {
	if int(k) >= len(u.uids) {
		return nil
	}
	return u.uids[k]
}

// Hash adds the expectations at the time now.
func (u *UIDTrackingControllerExpectations) Hash(h *actor.Hash, now int64) {
	u.ControllerExpectations.Hash(h, now)
	for k := range u.uids {
		if set := u.uids[k]; len(set) > 0 {
			h.Add(uint64(k))
			actor.HashAll(h, set)
		}
	}
}
