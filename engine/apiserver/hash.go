package apiserver

import "github.com/informerscope/informerscope/engine/actor"

// longAgo is how far back a request may be to make a difference. A request from
// before that has given up waiting.
const longAgo = 2 * freshWait

// Hash adds what is still to come of the recording at the time now.
func (p *Playback) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(p.pos))
	h.Add(uint64(p.newest))
	h.Bools(p.began, p.cut)
	h.Add(uint64(p.state))
	if p.state == Listing || p.state == Opening {
		h.Since(p.asked, now, longAgo)
	}
}

// Hash adds the server's state at the time now.
func (s *Simulated) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(s.state) | uint64(s.fault)<<8 | uint64(uint32(s.faults))<<16)
	if s.faults != 0 {
		h.Add(uint64(s.faultAfter))
	}
	h.Add(uint64(s.rand))
	h.Add(uint64(s.Storage.etcd.revision))
	h.Add(uint64(s.Storage.etcd.compact))
	h.Due(s.up, now)
	for i := len(s.Storage.etcd.log) - 1; i >= 0; i-- {
		c := &s.Storage.etcd.log[i]
		if i == len(s.Storage.etcd.log)-1 {
			h.Add(uint64(c.rev))
		}
		if s.cfg.Uncached && c.at <= now-hop || !s.cfg.Uncached && c.seen <= now-hop {
			break // everything before it is as old
		}
		h.Due(c.at+hop, now)
		h.Due(c.seen, now-hop)
	}
	w := &s.Storage.cache
	h.Add(uint64(w.from))
	h.Add(uint64(w.window))
	h.Add(uint64(w.listed))
	h.Add(uint64(w.progress))
	h.Add(uint64(w.lag))
	h.Bools(w.dropped, w.stuck)
	h.Due(w.ready, now)
	switch s.state {
	case Listing, Opening:
		h.Since(s.asked, now, longAgo)
		h.Add(uint64(s.opts.RV))
		h.Add(uint64(s.opts.Limit) | uint64(s.opts.Match)<<32)
		h.Add(uint64(s.opts.Continue))
		h.Bools(s.opts.SendInitialEvents, s.opts.Bookmarks)
		s.refusal.hash(h)
	case Open:
		s.stream.hash(h, now)
	}
}

func (r *refusal) hash(h *actor.Hash) {
	h.Add(uint64(r.failure) | uint64(uint32(r.code))<<8)
}

func (st *stream) hash(h *actor.Hash, now int64) {
	h.Add(uint64(st.from))
	h.Add(uint64(st.next))
	h.Add(uint64(st.waiting))
	h.Add(uint64(st.killed))
	h.Add(uint64(len(st.initial) - st.at))
	h.Add(uint64(st.rev))
	h.Bools(st.end, st.broken, st.silent)
	st.refusal.hash(h)
	h.Due(st.opened, now)
	h.Due(st.deadline, now)
	h.Due(st.bookmark, now)
	if st.silent {
		h.Due(st.lost, now)
	}
}
