package replicaset

// updateStatus follows calculateStatus and the first try of updateReplicaSetStatus. The status
// is held against the cached one: a wrong one at the server is not noticed.
func (c *Controller) updateStatus(s *Sync, now int64) {
	s.status = c.calculate(s, now)
	old := s.rs.Status
	if same := old; same == s.status && s.rs.Generation == old.ObservedGeneration {
		c.finish(s, &s.rs, now)
		return
	}
	s.status.ObservedGeneration = s.rs.Generation
	s.writeStatus(writing, s.rs)
}

func (s *Sync) writeStatus(at stage, rs ReplicaSet) {
	rs.Status = s.status
	s.ask(at, Request{Verb: UpdateStatus, Owner: rs})
}

func (c *Controller) calculate(s *Sync, now int64) Status {
	n := Status{ObservedGeneration: s.rs.Status.ObservedGeneration, Failure: s.rs.Status.Failure}
	for i := range s.active {
		p := &s.active[i]
		if c.matches(s.rs.Template, p.Labels) {
			n.FullyLabeled++
		}
		if p.Ready {
			n.Ready++
			if s.rs.MinReadySeconds == 0 || p.available(s.rs.MinReadySeconds) <= now {
				n.Available++
			}
		}
	}
	n.Replicas = int32(len(s.active))
	if n.CountsTerminating = c.CountsTerminating; c.CountsTerminating {
		n.Terminating = s.ending
	}
	switch {
	case !s.manageErr:
		n.Failure = Condition{}
	case n.Failure.Reason == NoFailure:
		n.Failure = Condition{Reason: NoReason, Message: s.failed.Err, Since: now / second}
		if diff := len(s.active) - int(s.rs.Replicas); diff < 0 {
			n.Failure.Reason = FailedCreate
		} else if diff > 0 {
			n.Failure.Reason = FailedDelete
		}
	}
	return n
}

// available returns when a ready pod has been so for long enough.
func (p *Pod) available(minReadySeconds int32) int64 {
	return (p.ReadySince + int64(minReadySeconds)) * second
}

// written does what follows on an answer for the status: after a failure the ReplicaSet is
// read once, and the same status is written once more.
func (c *Controller) written(s *Sync, a *Answer, now int64) {
	switch {
	case a.Failure == OK && s.stage == rereading:
		s.writeStatus(rewriting, a.Owner)
	case a.Failure == OK:
		c.finish(s, &a.Owner, now)
	case s.stage == writing:
		s.ask(rereading, Request{Verb: GetOwner, Owner: s.rs})
	default:
		s.Problems = []Problem{{Err: a.Err}}
		s.stage = done
	}
}

// finish models the end of syncReplicaSet: the version is noted even if nothing was written.
func (c *Controller) finish(s *Sync, updated *ReplicaSet, now int64) {
	s.stage = done
	if !c.NoConsistency {
		c.Consistency.WroteAt(s.Key, s.rs.UID, ReplicaSets, updated.RV)
	}
	if s.manageErr {
		s.Problems = []Problem{s.failed}
		return
	}
	if updated.MinReadySeconds > 0 && updated.Status.Ready != updated.Status.Available {
		s.Requeue, s.After = true, int64(updated.MinReadySeconds)*second
		if next, ok := s.nextAvailable(updated.MinReadySeconds, now); ok {
			s.After = next
		}
	}
}

// nextAvailable returns what FindMinNextPodAvailabilityCheck does: how long until the next of the ready
// pods becomes available.
func (s *Sync) nextAvailable(minReadySeconds int32, now int64) (after int64, ok bool) {
	for i := range s.active {
		p := &s.active[i]
		if at := p.available(minReadySeconds) - now; p.Ready && at > 0 && (!ok || at < after) {
			after, ok = at, true
		}
	}
	return after, ok
}
