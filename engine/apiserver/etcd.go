package apiserver

import (
	"sort"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// change is one write, as etcd keeps it.
type change struct {
	rev     int64
	written int64      // when it was written, ns
	visible int64      // when the watch cache has it: actor.Never while that is stuck
	obj     object.Ref // the new version; of a deletion the last content at the deletion's revision
	old     object.Ref // the version before, 0 if there was none
	typ     event.Delta
}

// history is what etcd holds of one resource: the objects that live, and what
// was written since the oldest revision that anybody may still ask for. The
// revisions count the writes to all resources together, so they come from
// outside.
type history struct {
	live     []object.Ref // by key
	n        int          // how many live
	log      []change
	base     int   // how many changes were dropped before log[0]; positions count them
	before   int64 // the revision of the last one dropped
	revision int64
	compact  int64 // the oldest revision that can be read

	scratch []object.Ref
}

// end returns the position after the last change.
func (h *history) end() int { return h.base + len(h.log) }

func (h *history) change(pos int) *change { return &h.log[pos-h.base] }

// revBefore returns the revision of the change before a position.
func (h *history) revBefore(pos int) int64 {
	if pos == h.base {
		return h.before
	}
	return h.change(pos - 1).rev
}

// after returns the position of the first change later than a revision.
func (h *history) after(rev int64) int {
	return h.base + sort.Search(len(h.log), func(i int) bool { return h.log[i].rev > rev })
}

// writtenAt returns the position and the revision that etcd had reached at a
// time.
func (h *history) writtenAt(t int64) (pos int, rev int64) {
	pos = h.end()
	for pos > h.base && h.change(pos-1).written > t {
		pos--
	}
	if pos < h.end() {
		return pos, h.change(pos).rev - 1
	}
	return pos, h.revision
}

// cachePosition returns the position that the watch cache had reached at a time.
func (h *history) cachePosition(t int64) int {
	pos := h.end()
	for pos > h.base && h.change(pos-1).visible > t {
		pos--
	}
	return pos
}

// write appends a change and makes it live.
func (h *history) write(t *object.Table, c change) {
	k := t.KeyOf(c.obj)
	h.live = object.Grown(h.live, k)
	switch c.typ {
	case event.Added:
		h.n++
		h.live[k] = c.obj
	case event.Updated:
		h.live[k] = c.obj
	default:
		h.n--
		h.live[k] = 0
	}
	h.log = append(h.log, c)
	h.revision = c.rev
}

// get returns the version of k that lives, or 0.
func (h *history) get(k object.Key) object.Ref {
	if int(k) >= len(h.live) {
		return 0
	}
	return h.live[k]
}

// trim drops the changes before a position, if that leaves much less.
func (h *history) trim(pos int) {
	n := min(pos, h.end()) - h.base
	if n < 64 || 2*n < len(h.log) {
		return
	}
	h.before = h.log[n-1].rev
	h.log = h.log[:copy(h.log, h.log[n:])]
	h.base += n
}

// undo takes back every change later than a revision, as an etcd does that is
// restored from a backup.
func (h *history) undo(t *object.Table, rev int64) {
	for i := h.end() - 1; i >= h.base && h.change(i).rev > rev; i-- {
		c := h.change(i)
		switch c.typ {
		case event.Added:
			h.n--
		case event.Deleted:
			h.n++
		}
		h.live[t.KeyOf(c.obj)] = c.old
		h.log = h.log[:len(h.log)-1]
	}
	h.revision = rev
	h.compact = min(h.compact, rev)
}

// objects appends what lived at a position, in the order of the keys.
func (h *history) objects(t *object.Table, pos int, dst []object.Ref) []object.Ref {
	live := h.live
	if pos < h.end() {
		live = append(h.scratch[:0], h.live...)
		for i := h.end() - 1; i >= pos; i-- {
			c := h.change(i)
			live[t.KeyOf(c.obj)] = c.old
		}
		h.scratch = live
	}
	for _, k := range t.KeyOrder() {
		if int(k) < len(live) && live[k] != 0 {
			dst = append(dst, live[k])
		}
	}
	return dst
}

func (h *history) copyFrom(src *history) {
	live, log, held := h.live, h.log, h.scratch
	*h = *src
	h.live = append(live[:0], src.live...)
	h.log = append(log[:0], src.log...)
	h.scratch = held
}

// hold takes in an object from before the beginning.
func (h *history) hold(t *object.Table, r object.Ref) {
	k := t.KeyOf(r)
	h.live = object.Grown(h.live, k)
	h.live[k] = r
	h.n++
}

// Versions finds the rows of object versions that a simulated server writes:
// the same content at the same resourceVersion is the same row, whichever copy
// of the world writes it. The copies share the Versions.
type Versions struct {
	t    *object.Table
	rows map[object.Meta]object.Ref
}

// NewVersions returns the versions of a table.
func NewVersions(t *object.Table) *Versions {
	return &Versions{t, map[object.Meta]object.Ref{}}
}

// RowAt returns the row of content m at a revision.
func (v *Versions) RowAt(m object.Meta, rev int64) object.Ref {
	m.Key, m.RV = 0, object.NumberRV(uint64(rev))
	if r, ok := v.rows[m]; ok {
		return r
	}
	r := v.t.Add(m)
	v.rows[m] = r
	return r
}
