package replicaset

import (
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/object"
)

const second = int64(1e9)

// Verb says what a Request asks for.
type Verb uint8

// The requests of a sync.
const (
	GetOwner     Verb = iota // the ReplicaSet itself
	AdoptPod                 // a PATCH that makes the ReplicaSet the pod's controller
	ReleasePod               // a PATCH that takes it away
	CreatePod                // a POST with generateName
	DeletePod                //
	UpdateStatus             // a PUT of the ReplicaSet's status
)

// Request is what a sync asks the API server for.
type Request struct {
	Verb   Verb
	Pod    Pod        // of those for a pod
	Owner  ReplicaSet // of CreatePod, AdoptPod and ReleasePod; of UpdateStatus, with the new status
	Answer Answer     // what the server said: the caller fills it in
}

// Answer is what came of a Request.
type Answer struct {
	Failure Failure
	Err     int32      // the caller's number of the error's text
	Order   int32      // of requests that are sent together: which one was answered first
	Owner   ReplicaSet // of GetOwner and UpdateStatus
	Pod     Pod        // of AdoptPod, ReleasePod and CreatePod: as it was written
}

// Failure says how a request failed.
type Failure uint8

// How a request fails.
const (
	OK Failure = iota
	NotFound
	NamespaceTerminating // HasStatusCause(err, NamespaceTerminatingCause)
	OtherFailure
)

// Wrap says what the controller writes around the text of an error.
type Wrap uint8

// What stands around an error's text.
const (
	Plain          Wrap = iota
	UnableToDelete      // "unable to delete pods: "
	CannotPatch         // the text alone: the errors of several pods are one
	CannotRecheck       // "can't adopt Pod …: can't recheck DeletionTimestamp: "
	OtherOwner          // the same, and "original ReplicaSet … is gone: got uid …, wanted …"
	OwnerDeleted        // "can't adopt Pod …: … has just been deleted at …"
)

// Problem is an error with which a sync ends.
type Problem struct {
	Wrap   Wrap
	Err    int32
	Pod    Pod
	Owner  ReplicaSet // as it is at the server
	Wanted object.Sym // the UID that it had in the cache
}

// stage is where a sync stands.
type stage uint8

const (
	claiming stage = iota
	rechecking
	patching
	pausing
	creating
	deleting
	writing
	rereading
	rewriting
	done
)

// Sync is a run of syncReplicaSet. After Begin and after each Continue it is Done, or it
// waits: until all of Requests are answered, or, if Pauses is set, until HandleError
// returns.
type Sync struct {
	Key      object.Key
	Requests []Request
	Pauses   bool
	Stale    []consistency.Error // it ended at once, because these caches are behind
	Problems []Problem           // with which it ended
	Requeue  bool                // it ends with AddAfter(Key, After)
	After    int64               // nanoseconds

	stage     stage
	rs        ReplicaSet
	satisfied bool
	candidate []Pod // that claimPods still looks at
	active    []Pod
	ending    int32 // terminating pods
	claims    Claim
	recheck   Problem   // why claims may not adopt
	slow      SlowStart // of the pods that are created
	deletes   int       // how many pods are to be deleted
	failed    Problem   // of manageReplicas
	manageErr bool
	status    Status
}

// Done reports whether the sync has ended.
func (s *Sync) Done() bool { return s.stage == done }

// Begin begins the sync of k.
func (c *Controller) Begin(k object.Key, caches Caches, now int64) *Sync {
	s := &Sync{Key: k}
	if !c.NoConsistency {
		if s.Stale = c.Consistency.EnsureReady(k, caches, nil); len(s.Stale) > 0 {
			s.stage = done
			return s
		}
	}
	var exists bool
	if s.rs, exists = caches.ReplicaSet(k); !exists {
		c.Consistency.Clear(k, 0)
		c.Expectations.DeleteExpectations(k)
		s.stage = done
		return s
	}
	s.claims.Deleting = s.rs.Deleting
	s.satisfied = c.NoExpectations || c.Expectations.SatisfiedExpectations(k, now).Satisfied()
	var orphans []Pod
	caches.EachPod(func(p Pod) {
		owned := p.OwnerUID == s.rs.UID && p.OwnerName == s.rs.Name
		switch {
		case owned && p.Active():
			s.candidate = append(s.candidate, p)
		case owned && p.Deleting && p.Phase < Succeeded && c.matches(s.rs.Selector, p.Labels):
			s.ending++
		case p.OwnerUID == 0 && p.Active():
			orphans = append(orphans, p)
		}
	})
	s.candidate = append(s.candidate, orphans...)
	c.claim(s, now)
	return s
}

// Continue goes on after all answers, or after the pause.
func (c *Controller) Continue(s *Sync, now int64) {
	requests := s.Requests
	s.Requests, s.Pauses = nil, false
	switch s.stage {
	case rechecking:
		c.rechecked(s, &requests[0].Answer, now)
	case patching:
		c.patched(s, &requests[0], now)
	case pausing:
		c.delete(s, now)
	case creating:
		c.created(s, requests, now)
	case deleting:
		c.deleted(s, requests, now)
	case writing, rereading, rewriting:
		c.written(s, &requests[0].Answer, now)
	}
}

// ask lets the sync wait for requests.
func (s *Sync) ask(at stage, requests ...Request) { s.stage, s.Requests = at, requests }

// claim follows claimPods: it goes through the pods one by one, adopts and releases.
func (c *Controller) claim(s *Sync, now int64) {
	for len(s.candidate) > 0 {
		p := s.candidate[0]
		switch s.claims.Decide(p.OwnerUID != 0, c.matches(s.rs.Selector, p.Labels)) {
		case Keep:
			s.active = append(s.active, p)
		case Release:
			s.ask(patching, Request{Verb: ReleasePod, Pod: p, Owner: s.rs})
			return
		case Ask:
			s.ask(rechecking, Request{Verb: GetOwner, Owner: s.rs})
			return
		case Refuse:
			s.problem(s.recheck, p)
		case Adopt:
			s.ask(patching, Request{Verb: AdoptPod, Pod: p, Owner: s.rs})
			return
		}
		s.candidate = s.candidate[1:]
	}
	if len(s.Problems) > 0 {
		s.stage = done
		return
	}
	if s.satisfied && !s.rs.Deleting {
		c.manage(s, now)
	} else {
		c.updateStatus(s, now)
	}
}

func (s *Sync) problem(of Problem, p Pod) {
	of.Pod = p
	s.Problems = append(s.Problems, of)
}

// rechecked models the end of RecheckDeletionTimestamp, which each sync does once.
func (c *Controller) rechecked(s *Sync, a *Answer, now int64) {
	s.claims.Rechecked = MayNotAdopt
	switch {
	case a.Failure != OK:
		s.recheck = Problem{Wrap: CannotRecheck, Err: a.Err}
	case a.Owner.UID != s.rs.UID:
		s.recheck = Problem{Wrap: OtherOwner, Owner: a.Owner, Wanted: s.rs.UID}
	case a.Owner.Deleting:
		s.recheck = Problem{Wrap: OwnerDeleted, Owner: a.Owner}
	default:
		s.claims.Rechecked = MayAdopt
	}
	c.claim(s, now)
}

// patched models the end of AdoptPod and ReleasePod. A pod that is gone is nobody's.
func (c *Controller) patched(s *Sync, q *Request, now int64) {
	a := &q.Answer
	switch {
	case a.Failure == OK:
		c.wrote(&a.Pod)
		if q.Verb == AdoptPod {
			s.active = append(s.active, q.Pod)
		}
	case a.Failure != NotFound:
		s.problem(Problem{Wrap: CannotPatch, Err: a.Err}, q.Pod)
	}
	s.candidate = s.candidate[1:]
	c.claim(s, now)
}

// wrote follows OnWrite of the pod control: it notes the version of a pod for its controller.
// Nobody notes deletes.
func (c *Controller) wrote(p *Pod) {
	if p.OwnerUID == 0 || c.NoConsistency {
		return
	}
	if owner, ok := c.t.LookupKey(c.namespace(p.Key) + c.t.Text(p.OwnerName)); ok {
		c.Consistency.WroteAt(owner, p.OwnerUID, Pods, p.RV)
	}
}

// namespace returns the part of a key before the name.
func (c *Controller) namespace(k object.Key) string {
	text := c.t.KeyText(k)
	for i := range len(text) {
		if text[i] == '/' {
			return text[:i+1]
		}
	}
	return ""
}

// manage follows manageReplicas.
func (c *Controller) manage(s *Sync, now int64) {
	switch diff := len(s.active) - int(s.rs.Replicas); {
	case diff < 0:
		s.slow.Rest = min(-diff, c.Burst)
		if !c.NoExpectations {
			c.Expectations.ExpectCreations(s.Key, int64(s.slow.Rest), now)
		}
		s.create(s.slow.Next())
	case diff > 0:
		s.deletes = min(diff, c.Burst)
		if s.Pauses = !s.rs.Owned; s.Pauses { // "ReplicaSet has no controller"
			s.stage = pausing
		} else {
			c.delete(s, now)
		}
	default:
		c.updateStatus(s, now)
	}
}
