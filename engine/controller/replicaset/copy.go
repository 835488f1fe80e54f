package replicaset

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
)

// Hash adds what the controller remembers, at the time now.
func (c *Controller) Hash(h *actor.Hash, now int64) {
	h.Bool(c.Ambiguous)
	c.Expectations.Hash(h, now)
	c.Consistency.Hash(h)
}

// Clone returns a copy that goes on by itself.
func (s *Sync) Clone() *Sync {
	c := *s
	c.Requests, c.Stale, c.Problems = slices.Clone(s.Requests), slices.Clone(s.Stale), slices.Clone(s.Problems)
	c.candidate, c.active = slices.Clone(s.candidate), slices.Clone(s.active)
	return &c
}

// Hash adds where the sync stands. What it read is part of that: it doesn't read twice.
func (s *Sync) Hash(h *actor.Hash) {
	h.Add(uint64(s.Key) | uint64(s.stage)<<32)
	h.Bools(s.Pauses, s.satisfied, s.slow.Failed, s.manageErr)
	s.rs.hash(h)
	s.status.hash(h)
	h.Add(uint64(s.slow.Rest) | uint64(s.slow.Size)<<32)
	h.Add(uint64(s.deletes) | uint64(s.claims.Rechecked)<<32)
	h.Add(uint64(uint32(s.ending)) | uint64(s.recheck.Wrap)<<32 | uint64(s.failed.Err)<<40)
	for _, pods := range [...][]Pod{s.candidate, s.active} {
		h.Add(uint64(len(pods)))
		for i := range pods {
			pods[i].hash(h)
		}
	}
	h.Add(uint64(len(s.Requests)))
	for i := range s.Requests {
		q := &s.Requests[i]
		h.Add(uint64(q.Verb) | uint64(q.Answer.Failure)<<8 | uint64(q.Pod.Key)<<32)
		h.Add(uint64(q.Answer.Owner.RV))
		h.Add(uint64(q.Answer.Pod.RV))
	}
}

func (p *Pod) hash(h *actor.Hash) {
	h.Add(uint64(p.Key) | uint64(p.Phase)<<32)
	h.Add(uint64(p.RV))
	h.Bools(p.Ready, p.Deleting)
}

func (rs *ReplicaSet) hash(h *actor.Hash) {
	h.Add(uint64(rs.Key))
	h.Add(uint64(rs.UID))
	h.Add(uint64(rs.RV))
}

func (s *Status) hash(h *actor.Hash) {
	for _, n := range [...]int32{s.Replicas, s.FullyLabeled, s.Ready, s.Available, s.Terminating, s.Failure.Message} {
		h.Add(uint64(uint32(n)))
	}
	h.Add(uint64(s.ObservedGeneration))
	h.Add(uint64(s.Failure.Reason))
}
