package replicaset

import (
	"cmp"
	"math"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
)

// create asks for n pods at once.
func (s *Sync) create(n int) {
	requests := make([]Request, n)
	for i := range requests {
		requests[i] = Request{Verb: CreatePod, Owner: s.rs}
	}
	s.ask(creating, requests...)
}

// created ends a batch. If one failed, the rest is not tried, and is no longer
// expected. A namespace that is being terminated counts as success.
func (c *Controller) created(s *Sync, requests []Request, now int64) {
	for i := range requests {
		a := &requests[i].Answer
		switch a.Failure {
		case OK:
			c.wrote(&a.Pod)
		case NamespaceTerminating:
		default:
			if !s.manageErr {
				s.manageErr, s.failed = true, Problem{Err: a.Err}
			}
		}
		s.slow.CreateReturned(a.Failure == OK || a.Failure == NamespaceTerminating)
	}
	if n := s.slow.Next(); n > 0 {
		s.create(n)
		return
	}
	for range s.slow.Rest {
		if !c.NoExpectations {
			c.Expectations.CreationObserved(s.Key)
		}
	}
	c.updateStatus(s, now)
}

// delete expects the deletes, and asks for all at once.
func (c *Controller) delete(s *Sync, now int64) {
	var keys []object.Key
	var requests []Request
	for _, p := range choose(s.active, s.deletes, now, c.t) {
		keys = append(keys, p.Key)
		requests = append(requests, Request{Verb: DeletePod, Pod: p})
	}
	if !c.NoExpectations {
		c.Expectations.ExpectDeletions(s.Key, keys, now)
	}
	s.ask(deleting, requests...)
}

// deleted ends the deletes. A delete that failed is no longer expected. The sync returns the error of the delete that
// failed first.
func (c *Controller) deleted(s *Sync, requests []Request, now int64) {
	came := int32(math.MaxInt32)
	for i := range requests {
		q := &requests[i]
		if q.Answer.Failure == OK {
			continue
		}
		if !c.NoExpectations {
			c.Expectations.DeletionObserved(s.Key, q.Pod.Key)
		}
		if q.Answer.Failure != NotFound && q.Answer.Order < came {
			came = q.Answer.Order
			s.manageErr, s.failed = true, Problem{Wrap: UnableToDelete, Err: q.Answer.Err, Pod: q.Pod}
		}
	}
	c.updateStatus(s, now)
}

// choose follows getPodsToDelete. It orders the pods only if some stay. Pods that are equal in
// everything stay as they are among up to twelve; sort.Sort moves them where there are
// more, and so it is used here, too.
func choose(pods []Pod, n int, now int64, t *object.Table) []Pod {
	if n < len(pods) {
		sort.Sort(&ActivePodsWithRanks{pods, now, t})
	}
	return pods[:n]
}

// ActivePodsWithRanks is the type of that name in pkg/controller: what is deleted first
// comes first.
type ActivePodsWithRanks struct {
	Pods  []Pod
	Now   int64
	Table *object.Table
}

// Len returns how many pods there are.
func (b *ActivePodsWithRanks) Len() int { return len(b.Pods) }

// Swap swaps two pods.
func (b *ActivePodsWithRanks) Swap(i, j int) { b.Pods[i], b.Pods[j] = b.Pods[j], b.Pods[i] }

// Less reports whether the pod i is deleted before the pod j.
func (b *ActivePodsWithRanks) Less(i, j int) bool {
	x, y := &b.Pods[i], &b.Pods[j]
	switch {
	case x.Phase != y.Phase:
		return x.Phase < y.Phase
	case x.Ready != y.Ready:
		return !x.Ready
	case x.Ready && x.ReadySince != y.ReadySince:
		return b.later(x, y, x.ReadySince, y.ReadySince)
	case x.Created != y.Created:
		return b.later(x, y, x.Created, y.Created)
	}
	return false
}

// later reports whether x's time is the later one, on a logarithmic scale. If they are
// equal on it, the UIDs decide.
func (b *ActivePodsWithRanks) later(x, y *Pod, xSeconds, ySeconds int64) bool {
	rank := func(seconds int64) int64 {
		if age := b.Now - seconds*second; age > 0 {
			return int64(math.Log2(float64(age)))
		}
		return -1
	}
	return cmp.Or(cmp.Compare(rank(xSeconds), rank(ySeconds)), b.Table.CompareSyms(x.UID, y.UID)) < 0
}

// Claim decides what an owner does with each object that it owns or could adopt, as
// ClaimPods of PodControllerRefManager does (pkg/controller/controller_ref_manager.go).
// The Sync of this package and the statement claim of a controller's program follow it.
type Claim struct {
	Deleting  bool // the owner is being deleted, as the cache has it
	Rechecked Recheck
}

// Recheck is what RecheckDeletionTimestamp has found. A claim asks once.
type Recheck uint8

// What the API server says of the owner.
const (
	NotRechecked Recheck = iota
	MayAdopt
	MayNotAdopt // it is gone, another one of the same name, or being deleted; or the request failed
)

// Action is what a Claim does with an object.
type Action uint8

// The actions of a Claim.
const (
	Ignore  Action = iota // it is nobody's, or the owner is being deleted
	Keep                  // it is owned, and the selector matches it
	Release               // PATCH: it is owned, and the selector doesn't match it
	Ask                   // GET of the owner, before the first adoption
	Refuse                // an error: the owner may not adopt
	Adopt                 // PATCH
)

// Decide returns what is to be done next with an object. After Ask, the caller sets
// Rechecked and decides anew.
func (c Claim) Decide(owned, matches bool) Action {
	switch {
	case owned && matches:
		return Keep
	case c.Deleting || !owned && !matches:
		return Ignore
	case owned:
		return Release
	case c.Rechecked == NotRechecked:
		return Ask
	case c.Rechecked == MayNotAdopt:
		return Refuse
	}
	return Adopt
}

// SlowStart is where slowStartBatch stands: it creates in batches of 1, 2, 4 and so on,
// and ends after a batch with a failure.
type SlowStart struct {
	Rest   int  // objects that are not created yet
	Size   int  // of the batch at work; 0 before the first
	Failed bool // a create of the batch has failed
}

// Next begins the next batch and returns its size. It returns 0 at the end: when nothing
// is left, or when a create has failed and Rest was skipped.
func (s *SlowStart) Next() int {
	if s.Failed {
		return 0
	}
	s.Size = min(max(1, 2*s.Size), s.Rest)
	return s.Size
}

// CreateReturned notes how a create of the batch has ended.
func (s *SlowStart) CreateReturned(created bool) {
	if created {
		s.Rest--
	} else {
		s.Failed = true
	}
}
