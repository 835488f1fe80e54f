package trace

import (
	"cmp"

	"github.com/informerscope/informerscope/engine/object"
)

// Sweeper lets the Table of a resource forget what nobody refers to, while a recording passes that is larger than memory.
type Sweeper struct {
	// MinVersions is how many versions of objects are swept at once at least: 0 for as many as make it cheap.
	MinVersions int
	// Keys is how many keys the Table may hold before it forgets those that nobody refers to: 0 for any number. Deleted is called
	// with each before.
	Keys    int
	Deleted func(object.Key)

	Remaining int // how many versions the last sweep has left
}

// sweepBy is how many versions are swept at once, because it takes a look at all that are left.
const sweepBy = 1 << 16

// Sweep lets the Table of r forget the versions of objects that are no longer referred to, when that is worth it. mark adds what is
// referred to beside the records that r has, and reports false where it cannot say: then all is kept.
func (s *Sweeper) Sweep(r *Resource, mark func(*object.Live) bool) {
	t := r.Table
	if t.LiveRows()-s.Remaining < max(cmp.Or(s.MinVersions, sweepBy), s.Remaining) {
		return
	}
	live := t.Live()
	if !mark(live) {
		return
	}
	for i := range r.Records {
		live.Ref(r.Records[i].Obj)
	}
	t.Sweep(live)
	s.Remaining = t.LiveRows()
	if s.Keys > 0 && t.HeldKeys() > s.Keys {
		for _, h := range r.Handlers {
			for _, c := range h.Calls {
				live.Key(c.Key)
			}
		}
		t.SweepKeys(live, s.Deleted)
	}
}
