package picture

import (
	"github.com/informerscope/informerscope/wasm/link"
)

// replicas returns the processes, if there are several.
func (s *Stage) replicas() (all []link.Replica) {
	e := s.w.Election
	if e == nil {
		return nil
	}
	now := s.w.Now()
	for i := range e.Replicas {
		r := &e.Replicas[i]
		out := link.Replica{
			Name: string(rune('a' + i)), State: link.ReplicaWaits, Remaining: max(r.Expires()-now, 0),
			Leads: r.ID != 0 && e.Lease.Holder == r.ID, Cut: r.Cut, Shown: s.w.Replica(s.x.Index()) == i, Shard: s.w.Shard(i).Name(),
		}
		switch {
		case !s.w.Alive(i):
			out.State, out.Remaining = link.ReplicaDown, 0
		case r.Paused > now:
			out.State, out.Remaining = link.ReplicaPaused, r.Paused-now
		case e.Sharded:
			out.State, out.Remaining = link.ReplicaWorks, 0
		case r.Leads:
			out.State, out.Remaining = link.ReplicaLeads, 0
		}
		all = append(all, out)
	}
	return all
}
