package replicaset

import (
	"cmp"
	"math"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
)

// create asks for the next batch of slowStartBatch.
func (c *Controller) create(s *Sync) {
	s.batch = min(s.batch, s.left)
	requests := make([]Request, s.batch)
	for i := range requests {
		requests[i] = Request{Verb: CreatePod, Owner: s.rs}
	}
	s.ask(creating, requests...)
}

// created is the end of a batch. If one failed, the rest is not tried, and is no longer
// expected. A namespace that is being terminated counts as success.
func (c *Controller) created(s *Sync, requests []Request, now int64) {
	successes := 0
	for i := range requests {
		a := &requests[i].Answer
		switch a.Failure {
		case OK:
			c.wrote(&a.Pod)
			successes++
		case NamespaceTerminating:
			successes++
		default:
			if !s.manageErr {
				s.manageErr, s.failed = true, Problem{Err: a.Err}
			}
		}
	}
	s.left -= successes
	if s.manageErr || s.left == 0 {
		for range s.left {
			if !c.NoExpectations {
				c.Expectations.CreationObserved(s.Key)
			}
		}
		c.updateStatus(s, now)
		return
	}
	s.batch *= 2
	c.create(s)
}

// delete expects the deletes, and asks for all at once.
func (c *Controller) delete(s *Sync, now int64) {
	var keys []object.Key
	var requests []Request
	for _, p := range choose(s.active, s.left, now, c.t) {
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

// choose is getPodsToDelete. It orders the pods only if some stay.
func choose(pods []Pod, n int, now int64, t *object.Table) []Pod {
	if n < len(pods) {
		sort.Sort(&byRank{pods, now, t})
	}
	return pods[:n]
}

// byRank is ActivePodsWithRanks. Pods that are equal in everything stay as they are among
// up to twelve; sort.Sort moves them where there are more, and so it is used here, too.
type byRank struct {
	pods []Pod
	now  int64
	t    *object.Table
}

func (b *byRank) Len() int      { return len(b.pods) }
func (b *byRank) Swap(i, j int) { b.pods[i], b.pods[j] = b.pods[j], b.pods[i] }

func (b *byRank) Less(i, j int) bool {
	x, y := &b.pods[i], &b.pods[j]
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
func (b *byRank) later(x, y *Pod, xSeconds, ySeconds int64) bool {
	rank := func(seconds int64) int64 {
		if age := b.now - seconds*second; age > 0 {
			return int64(math.Log2(float64(age)))
		}
		return -1
	}
	return cmp.Or(cmp.Compare(rank(xSeconds), rank(ySeconds)), b.t.CompareSyms(x.UID, y.UID)) < 0
}
