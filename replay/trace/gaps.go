package trace

import (
	"math/bits"
	"math/rand/v2"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// gaps finds events that a capture lacks although nothing in it is damaged. It
// knows what the API server never sends to a watch from the resourceVersion of
// a whole list, or to one with initial events: MODIFIED or DELETED of an object
// that isn't there, or that was created anew since. An event that came twice lacks
// nothing: a DELETED of the version that was deleted last is such an event.
type gaps struct {
	names names
	whole bool      // the objects that are alive are all that there are
	rv    object.RV // the resourceVersion up to which they are known
	order Order
	last  int // the Problem's place in the Trace's, counted from 1; 0 for none
}

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

// checkEvent looks whether a watch event can follow those before it. h is the hash of its object's namespace and name.
func (r *Resource) checkEvent(h uint64, rec *Record, offset int64) {
	g := &r.gaps
	uid := r.Table.UIDOf(rec.Obj)
	n := g.names.slot(h)
	there, deleted := n.state == alive, n.state == deletedState
	twice := rec.Type == TypeDeleted && deleted && n.uid == uid && n.rv == rec.RV
	if (rec.Type == TypeModified || rec.Type == TypeDeleted) && !twice && (!there && (g.whole || deleted) || there && n.uid != uid && r.Forgotten == 0) {
		r.reportMissing(rec, offset)
	}
	r.order(rec)
	g.rv = rec.RV
	switch rec.Type {
	case TypeAdded, TypeModified:
		g.names.set(n, name{hash: h, uid: uid, state: alive})
	case TypeDeleted:
		g.names.set(n, name{h, rec.RV, uid, deletedState})
	}
}

// reportMissing says that at least one event is reportMissing before the one at offset. For
// each resource this is said once, and then counted.
func (r *Resource) reportMissing(rec *Record, offset int64) {
	if r.trace.worked {
		return
	}
	rec.Missing = true
	if n := r.gaps.last; n > 0 {
		r.trace.Lost++
		if n <= len(r.trace.Problems) {
			r.trace.Problems[n-1].Lost++
		}
		return
	}
	r.trace.Report(Problem{Kind: Missing, Offset: offset, Lost: 1,
		Err: fault.New("eventsMissing resource type", r.Name(), rec.Type.String())})
	r.gaps.last = int(r.trace.ProblemCount)
}

// hash returns the FNV-1a hash of an object's key.
func (m *Metadata) hash() uint64 {
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

// names has the objects that a watch has told of, by the hashes of their namespaces and names. Each watch event looks
// here, and in WebAssembly a map takes several times as long as this table with linear probing.
type names struct {
	slots   []name // their number is a power of two
	used    int
	deleted int // how many of the used slots have an object that is gone
}

// name is what is known of the objects of one name.
type name struct {
	hash  uint64
	rv    object.RV // of what is gone
	uid   object.Sym
	state presence
}

type presence uint8

const (
	unknown presence = iota
	alive
	deletedState // a DELETED has told of it
)

// spread differs from process to process, so nobody can choose names that all want the same slot.
var spread = rand.Uint64() | 1

// maxGone is how many deleted objects are kept in mind.
const maxGone = 1 << 15

// slot returns the slot slot a hash, whose state is unknown if nothing is known. The slot is good until the next set.
func (t *names) slot(h uint64) *name {
	if len(t.slots) == 0 {
		t.slots = make([]name, 64)
	}
	mask := len(t.slots) - 1
	for i := int(h * spread >> bits.LeadingZeros64(uint64(mask))); ; i = (i + 1) & mask {
		if n := &t.slots[i]; n.state == unknown || n.hash == h {
			return n
		}
	}
}

// set puts n into its slot, which is at. If too many objects are gone, it forgets them first.
func (t *names) set(at *name, n name) {
	if n.state == deletedState && t.deleted >= maxGone {
		t.rebuild(len(t.slots), false)
		at = t.slot(n.hash)
	}
	if at.state == unknown {
		t.used++
	}
	if at.state == deletedState {
		t.deleted--
	}
	if n.state == deletedState {
		t.deleted++
	}
	*at = n
	if t.used*4 >= len(t.slots)*3 {
		t.rebuild(2*len(t.slots), true)
	}
}

// rebuild makes a table of another size. It takes over the objects that are gone only if keep is set.
func (t *names) rebuild(size int, keep bool) {
	old := t.slots
	*t = names{slots: make([]name, size)}
	for i := range old {
		n := &old[i]
		if n.state == unknown || n.state == deletedState && !keep {
			continue
		}
		*t.slot(n.hash) = *n
		t.used++
		if n.state == deletedState {
			t.deleted++
		}
	}
}

// The Remarks that are made without package convert, which has their sentences.
const (
	// VersionsBack: a watch sent resourceVersions that were lower than one before.
	VersionsBack = "versionsBack"
	// VersionsNotNumbers: there are resourceVersions that are not numbers as etcd counts.
	VersionsNotNumbers = "versionsNotNumbers"
	// LinesBetween: lines between objects that are none, such as a prompt or a warning.
	LinesBetween = "linesBetween"
	// PagesMissing: the last pages of a list are missing.
	PagesMissing = "pagesMissing"
	// BaseMade: the recording begins later than the watch of a resource, and the list before it is made.
	BaseMade = "baseMade"
	// MetadataAlone: of a resource's objects the recorder has kept the metadata and nothing else.
	MetadataAlone = "metadataAlone"
)

// Order checks that the resourceVersions of a watch go up, as the API server counts
// them. It ignores ADDED events, because the initial events of a watch are in
// no order.
type Order struct{ newest uint64 }

// Check returns the ID of the Remark to make about the resourceVersion of a
// watch event, "" for none. number is false where it is no number.
func (o *Order) Check(added bool, rv uint64, number bool) string {
	switch {
	case !number:
		return VersionsNotNumbers
	case added:
		return ""
	case rv < o.newest:
		return VersionsBack
	}
	o.newest = rv
	return ""
}

// order makes the Remark that there is to make about an event's resourceVersion.
func (r *Resource) order(rec *Record) {
	if rec.RV == 0 || r.trace.worked {
		return
	}
	n, number := rec.RV.Number()
	if id := r.gaps.order.Check(rec.Type == TypeAdded, n, number); id != "" {
		r.trace.AddRemark(Remark{ID: id, Count: 1, Detail: r.Resource})
		rec.Backwards = id == VersionsBack
	}
}

// listed makes the Remark that there is to make about the resourceVersion of a list, or
// of an item of one.
func (r *Resource) listed(rv object.RV) {
	if _, number := rv.Number(); !number && rv != 0 {
		r.trace.AddRemark(Remark{ID: VersionsNotNumbers, Count: 1, Detail: r.Resource})
	}
}
