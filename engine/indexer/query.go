package indexer

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// NoIndexError says that there is no index of that name.
type NoIndexError struct{ Name string }

func (e NoIndexError) Error() string { return e.Fault().Error() }

// Fault returns the error in any language.
func (e NoIndexError) Fault() error {
	return fault.Named("noIndex name", e.Name)
}

// ConflictError says that indexers of that name exist.
type ConflictError struct{ Name string }

func (e ConflictError) Error() string { return "indexer conflict: " + e.Name }

// ErrRunning is what AddIndexers returns up to v0.29 if something is stored.
var ErrRunning = errors.New("cannot add indexers to running index")

// AddIndexers adds indices, or none if it fails. With IndexLate, it indexes the
// stored objects at once.
func (x *Indexer) AddIndexers(indexers []Named, log *event.Log) error {
	if x.n > 0 && !x.gates.IndexLate {
		return ErrRunning
	}
	for i, in := range indexers {
		if _, taken := x.index(in.Name); taken || slices.ContainsFunc(indexers[:i], func(o Named) bool { return o.Name == in.Name }) {
			return ConflictError{in.Name}
		}
	}
	for _, in := range indexers {
		n := index{name: in.Name, fn: in.Func}
		n.clear()
		x.indices = append(x.indices, n)
	}
	// sort.Slice is used for short lists that are rarely sorted: each type with
	// which slices.SortFunc is used adds 3 kB to the page's program.
	sort.Slice(x.indices, func(i, j int) bool { return x.indices[i].name < x.indices[j].name })
	if x.n == 0 {
		return nil
	}
	for _, k := range x.ListKeys(nil) {
		for _, in := range indexers {
			i, _ := x.index(in.Name)
			if err := x.unfileAndFile(i, k, 0, x.items[k], log); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *Indexer) index(name string) (int, bool) {
	return slices.BinarySearchFunc(x.indices, name, func(i index, name string) int { return strings.Compare(i.name, name) })
}

// Indices returns the number of indices; the Listener of IndexAdded and IndexRemoved
// counts them.
func (x *Indexer) Indices() int { return len(x.indices) }

// IndexName returns the name of an index. They are in the order of their names.
func (x *Indexer) IndexName(i int) string { return x.indices[i].name }

// Values returns how many values of index i have a key.
func (x *Indexer) Values(i int) int { return x.indices[i].used }

// ValueCount is a value of an index with the number of keys filed under it.
type ValueCount struct {
	Value object.Sym
	Count int
}

// ValueCounts appends the values of index i that have a key, in an order that is
// the same in every run.
func (x *Indexer) ValueCounts(i int, dst []ValueCount) []ValueCount {
	for _, v := range x.indices[i].values {
		if v.count > 0 {
			dst = append(dst, ValueCount{v.sym, int(v.count)})
		}
	}
	return dst
}

// Count returns how many keys are filed under the value v of index i, whose name is IndexName(i).
func (x *Indexer) Count(i int, v object.Sym) int {
	return int(x.indices[i].values[x.indices[i].find(v)].count)
}

// IndexKeys appends the keys filed under value, sorted. A value that no object has
// gives none.
func (x *Indexer) IndexKeys(name, value string, dst []object.Key) ([]object.Key, error) {
	i, ok := x.index(name)
	if !ok {
		return dst, NoIndexError{name}
	}
	sym, ok := x.t.LookupSym(value)
	if !ok {
		return dst, nil
	}
	from := len(dst)
	dst = x.indices[i].keys(sym, dst)
	x.sortKeys(dst[from:])
	return dst, nil
}

// ByIndex appends the objects filed under value, in the order of their keys.
// client-go's order is random.
func (x *Indexer) ByIndex(name, value string, dst []object.Ref) ([]object.Ref, error) {
	keys, err := x.IndexKeys(name, value, nil)
	for _, k := range keys {
		dst = append(dst, x.items[k])
	}
	return dst, err
}

// Index appends the objects that share a value of the index with obj, each once,
// in the order of their keys. An [IndexFunc] that fails is an error here and not a
// panic, as it is elsewhere.
func (x *Indexer) Index(name string, obj object.Ref, dst []object.Ref) ([]object.Ref, error) {
	i, ok := x.index(name)
	if !ok {
		return dst, NoIndexError{name}
	}
	values, err := x.indices[i].fn(x.t, x.Read(obj), nil)
	if err != nil {
		return dst, err
	}
	var keys []object.Key
	for _, v := range values {
		keys = x.indices[i].keys(v, keys)
	}
	x.sortKeys(keys)
	for _, k := range slices.Compact(keys) {
		dst = append(dst, x.items[k])
	}
	return dst, nil
}

// ListIndexFuncValues appends the values that have a key, sorted; none for an
// unknown name.
func (x *Indexer) ListIndexFuncValues(name string, dst []object.Sym) []object.Sym {
	i, ok := x.index(name)
	if !ok {
		return dst
	}
	from := len(dst)
	for _, v := range x.indices[i].values {
		if v.count > 0 {
			dst = append(dst, v.sym)
		}
	}
	slices.SortFunc(dst[from:], x.t.CompareSyms)
	return dst
}
