package trace

import (
	"github.com/informerscope/informerscope/engine/object"

	"github.com/informerscope/informerscope/engine/fault"
)

// gaps finds events that a capture lacks although nothing in it is damaged. It
// knows what the API server never sends to a watch from the resourceVersion of
// a whole list, or to one with initial events: MODIFIED or DELETED of an object
// that isn't there, or that was created anew since. An event that came twice lacks
// nothing: a DELETED of the version that was deleted last is such an event.
type gaps struct {
	alive map[uint64]object.Sym // by hash of namespace and name: the UID
	gone  map[uint64]deletion   // those that were deleted
	whole bool                  // alive is all that there is
	rv    object.RV             // the resourceVersion up to which alive is known
	order Order
	last  int // the Problem's place in the Trace's, counted from 1; 0 for none
}

// deletion is the version of an object that a DELETED has told of.
type deletion struct {
	uid object.Sym
	rv  object.RV
}

// mostGone is how many deleted objects are kept in mind.
const mostGone = 1 << 16

// follow takes note of a record that isn't of an object.
func (r *Resource) follow(rec *Record) {
	g := &r.gaps
	if rec.Failure == OtherKind { // client-go takes no notice of it
		return
	}
	switch rec.Kind {
	case ListBegin:
		*g = gaps{last: g.last}
	case ListEnd:
		r.listed(rec.RV)
		g.whole, g.rv = rec.Request != 0, rec.RV // otherwise the watch after it may be of another namespace
	case WatchOpen:
		if rec.Streaming || rec.RV == 0 || rec.RV != g.rv {
			*g = gaps{last: g.last}
		}
	case InitialEnd:
		g.whole, g.rv = true, rec.RV
	case WatchBookmark:
		r.order(rec)
		g.rv = rec.RV
	}
}

// there takes note of an object of a list.
func (g *gaps) there(h uint64, uid object.Sym) {
	if g.alive == nil {
		g.alive = map[uint64]object.Sym{}
	}
	g.alive[h] = uid
}

// check looks whether a watch event can follow those before it.
func (r *Resource) check(o *Object, rec *Record, offset int64) {
	g := &r.gaps
	if o.Metadata.Name == "" { // nothing is known of it, so nothing follows from it
		return
	}
	h := hashOf(&o.Metadata)
	m := r.Table.Meta(rec.Obj)
	uid := m.UID
	old, alive := g.alive[h]
	last, gone := g.gone[h]
	twice := rec.Type == TypeDeleted && gone && last == deletion{uid, m.RV}
	if (rec.Type == TypeModified || rec.Type == TypeDeleted) && !twice && (!alive && (g.whole || gone) || alive && old != uid && r.Forgotten == 0) {
		r.missing(rec.Type, offset)
	}
	r.order(rec)
	g.rv = rec.RV
	switch rec.Type {
	case TypeAdded, TypeModified:
		if gone {
			delete(g.gone, h)
		}
		if old != uid || !alive {
			g.there(h, uid)
		}
	case TypeDeleted:
		delete(g.alive, h)
		if g.gone == nil || len(g.gone) >= mostGone {
			g.gone = map[uint64]deletion{}
		}
		g.gone[h] = deletion{uid, m.RV}
	}
}

// missing says that at least one event is missing before the one at offset. For
// each resource this is said once, and then counted.
func (r *Resource) missing(t Type, offset int64) {
	if r.trace.worked {
		return
	}
	if n := r.gaps.last; n > 0 {
		r.trace.Lost++
		if n <= len(r.trace.Problems) {
			r.trace.Problems[n-1].Lost++
		}
		return
	}
	r.trace.Report(Problem{Kind: Missing, Offset: offset, Lost: 1,
		Why: fault.New("eventsMissing resource type", r.Name(), t.String())})
	r.gaps.last = int(r.trace.ProblemCount)
}

// hashOf is FNV-1a of an object's key.
func hashOf(m *Metadata) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for i := range len(m.Namespace) {
		h = (h ^ uint64(m.Namespace[i])) * prime
	}
	h = (h ^ '/') * prime
	for i := range len(m.Name) {
		h = (h ^ uint64(m.Name[i])) * prime
	}
	return h
}
