package replicaset

import "github.com/informerscope/informerscope/engine/object"

// Enqueue is a key that a handler puts into the queue: at once, or by AddAfter.
type Enqueue struct {
	Key     object.Key
	Delayed bool
	After   int64 // nanoseconds
}

// AddRS handles a new ReplicaSet.
func (c *Controller) AddRS(rs *ReplicaSet, dst []Enqueue) []Enqueue {
	return append(dst, Enqueue{Key: rs.Key})
}

// UpdateRS handles a changed one. If it has another UID, the old one counts as
// deleted first.
func (c *Controller) UpdateRS(old, cur *ReplicaSet, dst []Enqueue) []Enqueue {
	if old.UID != cur.UID {
		dst = c.DeleteRS(old, dst)
	}
	return append(dst, Enqueue{Key: cur.Key})
}

// DeleteRS handles a deleted one.
func (c *Controller) DeleteRS(rs *ReplicaSet, dst []Enqueue) []Enqueue {
	c.Consistency.Clear(rs.Key, rs.UID)
	c.Expectations.DeleteExpectations(rs.Key)
	return append(dst, Enqueue{Key: rs.Key})
}

// AddPod handles a new pod.
func (c *Controller) AddPod(p *Pod, caches Caches, dst []Enqueue) []Enqueue {
	switch {
	case p.Deleting:
		return c.DeletePod(p, caches, dst)
	case p.OwnerUID == 0:
		return c.orphan(p, caches, dst)
	}
	if rs, ok := c.owner(p, caches); ok {
		if !c.NoExpectations {
			c.Expectations.CreationObserved(rs.Key)
		}
		dst = append(dst, Enqueue{Key: rs.Key})
	}
	return dst
}

// UpdatePod handles a changed pod. A resync has equal resourceVersions.
func (c *Controller) UpdatePod(old, cur *Pod, caches Caches, dst []Enqueue) []Enqueue {
	if old.RV == cur.RV {
		return dst
	}
	relabelled := old.Labels != cur.Labels
	if cur.Deleting {
		dst = c.DeletePod(cur, caches, dst)
		if relabelled {
			dst = c.DeletePod(old, caches, dst)
		}
		return dst
	}
	moved := old.OwnerUID != cur.OwnerUID || old.OwnerName != cur.OwnerName
	if moved && old.OwnerUID != 0 {
		if rs, ok := c.owner(old, caches); ok {
			dst = append(dst, Enqueue{Key: rs.Key})
		}
	}
	if cur.OwnerUID == 0 {
		if relabelled || moved {
			dst = c.orphan(cur, caches, dst)
		}
		return dst
	}
	if rs, ok := c.owner(cur, caches); ok {
		dst = append(dst, Enqueue{Key: rs.Key})
		if !old.Ready && cur.Ready && rs.MinReadySeconds > 0 {
			dst = append(dst, Enqueue{Key: rs.Key, Delayed: true, After: int64(rs.MinReadySeconds) * second})
		}
	}
	return dst
}

// DeletePod handles a deleted pod, and one that is being deleted.
func (c *Controller) DeletePod(p *Pod, caches Caches, dst []Enqueue) []Enqueue {
	if p.OwnerUID == 0 {
		return dst
	}
	if rs, ok := c.owner(p, caches); ok {
		if !c.NoExpectations {
			c.Expectations.DeletionObserved(rs.Key, p.Key)
		}
		dst = append(dst, Enqueue{Key: rs.Key})
	}
	return dst
}

// owner follows resolveControllerRef: it returns the owner by its name, if it still has the UID.
func (c *Controller) owner(p *Pod, caches Caches) (owner ReplicaSet, ok bool) {
	caches.EachReplicaSet(func(rs ReplicaSet) {
		if rs.Name == p.OwnerName && rs.UID == p.OwnerUID {
			owner, ok = rs, true
		}
	})
	return owner, ok
}

// orphan wakes every ReplicaSet that might adopt p. That there are several is an error of
// the user's, which getPodReplicaSets gives to HandleError first.
func (c *Controller) orphan(p *Pod, caches Caches, dst []Enqueue) []Enqueue {
	if p.Labels == 0 {
		return dst
	}
	from := len(dst)
	caches.EachReplicaSet(func(rs ReplicaSet) {
		if rs.Selector != 0 && c.matches(rs.Selector, p.Labels) {
			dst = append(dst, Enqueue{Key: rs.Key})
		}
	})
	c.Ambiguous = c.Ambiguous || len(dst) > from+1
	return dst
}
