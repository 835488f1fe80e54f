package replicaset

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
