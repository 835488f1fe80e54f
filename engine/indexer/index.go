package indexer

import (
	"errors"
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// index is one of cache.Indices: for each value the set of keys filed under it. A
// key may be filed under any number of values, and these may differ from the
// values that its object has now.
type index struct {
	name   string
	fn     IndexFunc
	values []value  // values[0] is none
	slots  []int32  // open-addressing table from Sym to a number of values
	byKey  []int32  // the first of a key's members
	member []member // member[0] is none
	free   int32    // head of the freelist, linked by nextOfKey
	used   int      // values with a count
}

// value is a set of keys. It keeps its number when it becomes empty.
type value struct {
	sym   object.Sym
	first int32
	count int32
}

// member is one key in one set. It stands in two lists: its value's, doubly
// linked, and its key's.
type member struct {
	key        object.Key
	value      int32
	next, prev int32 // of the value
	nextOfKey  int32
}

func (x *index) copyFrom(src *index) {
	values, slots, byKey, members := x.values, x.slots, x.byKey, x.member
	*x = *src
	x.values = append(values[:0], src.values...)
	x.slots = append(slots[:0], src.slots...)
	x.byKey = append(byKey[:0], src.byKey...)
	x.member = append(members[:0], src.member...)
}

func (x *index) clear() {
	x.values = append(x.values[:0], value{})
	x.member = append(x.member[:0], member{})
	clear(x.slots)
	clear(x.byKey)
	x.free, x.used = 0, 0
}

// find returns the number of the value sym, or 0.
func (x *index) find(sym object.Sym) int32 {
	if len(x.slots) == 0 {
		return 0
	}
	return x.slots[x.slot(sym)]
}

func (x *index) slot(sym object.Sym) int {
	mask := len(x.slots) - 1
	i := int(uint32(sym)*2654435769>>7) & mask
	for x.slots[i] != 0 && x.values[x.slots[i]].sym != sym {
		i = (i + 1) & mask
	}
	return i
}

func (x *index) intern(sym object.Sym) int32 {
	if 4*(len(x.values)+1) > 3*len(x.slots) {
		x.slots = make([]int32, max(16, 2*len(x.slots)))
		for i := 1; i < len(x.values); i++ {
			x.slots[x.slot(x.values[i].sym)] = int32(i)
		}
	}
	i := x.slot(sym)
	if x.slots[i] == 0 {
		x.values = append(x.values, value{sym: sym})
		x.slots[i] = int32(len(x.values) - 1)
	}
	return x.slots[i]
}

// insert files k under sym, and reports whether it was not.
func (x *index) insert(k object.Key, sym object.Sym) bool {
	v := x.intern(sym)
	if int(k) >= len(x.byKey) {
		x.byKey = append(x.byKey, make([]int32, int(k)+1-len(x.byKey))...)
	}
	for at := x.byKey[k]; at != 0; at = x.member[at].nextOfKey {
		if x.member[at].value == v {
			return false
		}
	}
	m := member{key: k, value: v, next: x.values[v].first, nextOfKey: x.byKey[k]}
	at := x.free
	if at != 0 {
		x.free = x.member[at].nextOfKey
		x.member[at] = m
	} else {
		at = int32(len(x.member))
		x.member = append(x.member, m)
	}
	if m.next != 0 {
		x.member[m.next].prev = at
	}
	x.byKey[k] = at
	x.values[v].first = at
	if x.values[v].count++; x.values[v].count == 1 {
		x.used++
	}
	return true
}

// remove takes k out of the set of sym, and reports whether it was there.
func (x *index) remove(k object.Key, sym object.Sym) bool {
	v := x.find(sym)
	if v == 0 || int(k) >= len(x.byKey) {
		return false
	}
	link := &x.byKey[k]
	for *link != 0 && x.member[*link].value != v {
		link = &x.member[*link].nextOfKey
	}
	at := *link
	if at == 0 {
		return false
	}
	m := x.member[at]
	*link = m.nextOfKey
	if m.prev != 0 {
		x.member[m.prev].next = m.next
	} else {
		x.values[v].first = m.next
	}
	if m.next != 0 {
		x.member[m.next].prev = m.prev
	}
	x.member[at] = member{nextOfKey: x.free}
	x.free = at
	if x.values[v].count--; x.values[v].count == 0 {
		x.used--
	}
	return true
}

func (x *index) keys(sym object.Sym, dst []object.Key) []object.Key {
	if v := x.find(sym); v != 0 {
		for at := x.values[v].first; at != 0; at = x.member[at].next {
			dst = append(dst, x.member[at].key)
		}
	}
	return dst
}

// unfile removes k from the sets of values, except those that are in kept, where
// it would be filed again at once. i is the number of the index, which the log has.
func (x *index) unfile(i int, k object.Key, values, kept []object.Sym, log *event.Log) {
	for _, v := range values {
		if !slices.Contains(kept, v) && x.remove(k, v) {
			e := log.Add(event.IndexRemoved)
			e.Listener, e.Key, e.N = int16(i), k, int64(v)
		}
	}
}

func (x *index) file(i int, k object.Key, values []object.Sym, log *event.Log) {
	for _, v := range values {
		if x.insert(k, v) {
			e := log.Add(event.IndexAdded)
			e.Listener, e.Key, e.N = int16(i), k, int64(v)
		}
	}
}

// reindex follows threadSafeMap.updateIndices (of storeIndex from v0.26), and v0.22's
// deleteFromIndices where new is 0: it removes k from the values of old and files it under
// the values of new. Either may be 0.
func (x *Indexer) reindex(k object.Key, old, new object.Ref, log *event.Log) error {
	if x.gates.KeepUnchanged {
		for i := range x.indices {
			if err := x.unfileAndFile(i, k, old, new, log); err != nil {
				return err
			}
		}
		return nil
	}
	// All IndexFuncs are called before any index changes, so that a failure can
	// be replayed as it happens in client-go.
	x.old, x.new, x.cuts = x.old[:0], x.new[:0], x.cuts[:0]
	for i := range x.indices {
		var err error
		if old != 0 {
			if x.old, err = x.valuesOf(i, k, old, x.old); err != nil {
				return x.reindexUntilFailure(k, old, new, log)
			}
		}
		if new != 0 {
			if x.new, err = x.valuesOf(i, k, new, x.new); err != nil {
				return x.reindexUntilFailure(k, old, new, log)
			}
		}
		x.cuts = append(x.cuts, cut{len(x.old), len(x.new)})
	}
	var from cut
	for i, to := range x.cuts {
		values := x.new[from.new:to.new]
		x.indices[i].unfile(i, k, x.old[from.old:to.old], values, log)
		x.indices[i].file(i, k, values, log)
		from = to
	}
	return nil
}

// cut is where the values of one index end in old and new.
type cut struct{ old, new int }

// reindexUntilFailure does what v0.22 does: it removes k from its old
// values in all indices, and then files it under the new ones, until an IndexFunc
// fails.
func (x *Indexer) reindexUntilFailure(k object.Key, old, new object.Ref, log *event.Log) error {
	if old != 0 {
		for i := range x.indices {
			values, err := x.valuesOf(i, k, old, x.old[:0])
			if err != nil {
				return err
			}
			x.indices[i].unfile(i, k, values, nil, log)
		}
	}
	for i := range x.indices {
		if new == 0 {
			break
		}
		values, err := x.valuesOf(i, k, new, x.new[:0])
		if err != nil {
			return err
		}
		x.indices[i].file(i, k, values, log)
	}
	return nil
}

// unfileAndFile follows storeIndex.updateSingleIndex (v0.30), the body of updateIndices'
// loop in v0.23 to v0.29: one index at a time.
func (x *Indexer) unfileAndFile(i int, k object.Key, old, new object.Ref, log *event.Log) (err error) {
	x.old, x.new = x.old[:0], x.new[:0]
	if old != 0 {
		if x.old, err = x.valuesOf(i, k, old, x.old); err != nil {
			return err
		}
	}
	if new != 0 {
		if x.new, err = x.valuesOf(i, k, new, x.new); err != nil {
			return err
		}
	}
	if (len(x.old) == 1 || x.gates.KeepSame) && slices.Equal(x.old, x.new) {
		return nil
	}
	x.indices[i].unfile(i, k, x.old, x.new, log)
	x.indices[i].file(i, k, x.new, log)
	if x.gates.LosesKept && len(x.old) == 1 && slices.Contains(x.new, x.old[0]) {
		x.indices[i].unfile(i, k, x.old, nil, log)
	}
	return nil
}

// errNoMeta is what an IndexFunc says about a tombstone.
var errNoMeta = errors.New("object has no meta")

// valuesOf calls an IndexFunc with the object's present content. An object that
// was mutated is therefore looked for under values where it was never filed.
func (x *Indexer) valuesOf(i int, k object.Key, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
	err := errNoMeta
	if !x.t.IsTombstone(r) {
		var values []object.Sym
		if values, err = x.indices[i].fn(x.t, x.Read(r), dst); err == nil {
			return values, nil
		}
	}
	return dst, Panicked{x.indices[i].name, k, err}
}

// sortKeys sorts keys in place, in the engine's order.
func (x *Indexer) sortKeys(keys []object.Key) { slices.SortFunc(keys, x.t.CompareKeys) }

// NamespaceIndex is the name under which informers keep the namespace index,
// cache.NamespaceIndex.
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc files an object under its namespace,
// cache.MetaNamespaceIndexFunc.
func MetaNamespaceIndexFunc(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
	return append(dst, t.NamespaceOf(r)), nil
}

// LabelIndexFunc files an object under its value of the label name. Objects
// without that label are not filed.
func LabelIndexFunc(name object.Sym) IndexFunc {
	return func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
		if v, ok := t.LabelValue(t.LabelSetOf(r), name); ok {
			dst = append(dst, v)
		}
		return dst, nil
	}
}
