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
		if q.Answer.Failure != NotFound && q.Answer.Came < came {
			came = q.Answer.Came
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
