// Package replicaset is what the ReplicaSet controller of kube-controller-manager decides
// (pkg/controller/replicaset), as pure data: which pods it claims, in which order it deletes them, and in
// which batches it creates them. The program replicaset plays it. Times are nanoseconds of virtual time.
package replicaset

import (
	"cmp"
	"math"

	"github.com/informerscope/informerscope/engine/object"
)

// Phase is a pod's phase.
type Phase uint8

// The phases of a pod. Those that end it are the last.
const (
	Pending Phase = iota
	Unknown
	Running
	Succeeded
	Failed
)

// Pod is what the controller reads of a pod.
type Pod struct {
	UID        object.Sym
	Phase      Phase
	Ready      bool
	ReadySince int64 // in whole seconds
	Created    int64 // in whole seconds
	Deleting   bool  // it has a deletionTimestamp
}

// Active reports whether a pod counts, as IsPodActive of pkg/controller does.
func (p *Pod) Active() bool { return p.Phase < Succeeded && !p.Deleting }

// Terminating reports whether a pod ends gracefully, as IsPodTerminating of pkg/controller does.
func (p *Pod) Terminating() bool { return p.Phase < Succeeded && p.Deleting }

// Compare returns less than 0 if p is deleted before q, and more if after it, as Less of ActivePodsWithRanks in
// pkg/controller says of pods that have no node: pods that aren't ready come first, then pods that are ready for
// a shorter time, then younger pods, on a logarithmic scale. If their times are equal on it, the UIDs decide.
func (p *Pod) Compare(q *Pod, now int64, t *object.Table) int {
	since, other := p.Created, q.Created
	switch {
	case p.Phase != q.Phase:
		return cmp.Compare(p.Phase, q.Phase)
	case p.Ready && !q.Ready:
		return 1
	case !p.Ready && q.Ready:
		return -1
	case p.Ready && p.ReadySince != q.ReadySince:
		since, other = p.ReadySince, q.ReadySince
	}
	if since == other {
		return 0
	}
	rank := func(seconds int64) int64 {
		if age := now - seconds*1e9; age > 0 {
			return int64(math.Log2(float64(age)))
		}
		return -1
	}
	return cmp.Or(cmp.Compare(rank(since), rank(other)), t.CompareSyms(p.UID, q.UID))
}

// Counts are the numbers of a ReplicaSet's status. FullyLabeledReplicas isn't among them: the template has the labels
// of the selector, so that each replica has all of them.
type Counts struct{ Replicas, Ready, Available int }

// Calculate follows calculateStatus. It also returns how long until the next pod that is ready becomes available, as
// FindMinNextPodAvailabilityCheck does, and 0 if none does.
func Calculate(active []Pod, minReadySeconds, now int64) (c Counts, next int64) {
	c.Replicas = len(active)
	for i := range active {
		if p := &active[i]; p.Ready {
			c.Ready++
			switch after := (p.ReadySince+minReadySeconds)*1e9 - now; {
			case minReadySeconds == 0 || after <= 0:
				c.Available++
			case next == 0 || after < next:
				next = after
			}
		}
	}
	return c, next
}

// Claim decides what an owner does with each object that it owns or could adopt, as
// ClaimPods of PodControllerRefManager does (pkg/controller/controller_ref_manager.go).
// The statement claim of a controller's program follows it.
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
