// Package object holds what the machine reads of a Kubernetes object: key,
// namespace, name, uid, resourceVersion and labels. Each version of an object
// is one immutable row of a Table, and everywhere else in the engine an object
// is a Ref: the row's number. Refs stand for client-go's shared pointers: equal
// Refs are the same pointer. The raw JSON stays where it was read from; a row
// only says where that is.
package object

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sort"
	"strconv"
)

// Sym is an interned string of one Table. 0 is the empty string.
type Sym int32

// Key is an interned store key (client-go's "namespace/name" strings, or what a
// custom KeyFunc made). Keys are small and dense, so that stations index slices
// by them. 0 is no key: the KeyFunc failed.
type Key int32

// Ref is one version of one object. 0 is nil.
type Ref int32

// Grown returns s with room for element k: a slice that is indexed by keys, or by other small numbers.
func Grown[T any, K ~int | ~int32](s []T, k K) []T {
	if int(k) < len(s) {
		return s
	}
	return append(s, make([]T, int(k)+1-len(s))...)
}

// Resized returns s with n elements. It keeps the memory of those that it leaves out.
func Resized[T any](s []T, n int) []T { return Grown(s, n-1)[:n] }

// RV is a resourceVersion. Clients may compare it for equality only. 0 is the
// empty string; Table.RVText returns the text.
type RV uint64

// textRV marks resourceVersions that are not canonical decimal numbers; the
// low bits are then a Sym.
const textRV RV = 1 << 63

// Number returns rv as the number that the API server made it of, and whether it
// is a number. Clients up to v0.35 must not use it.
func (rv RV) Number() (uint64, bool) {
	if rv == 0 || rv&textRV != 0 {
		return 0, false
	}
	return uint64(rv) - 1, true
}

// NumberRV returns the resourceVersion whose text is the decimal n.
func NumberRV(n uint64) RV { return RV(n) + 1 }

// Labels is an interned label set of one Table. 0 is the empty set.
type Labels int32

// Label is one label.
type Label struct{ Name, Value Sym }

// Source says where a version's raw JSON is in the input.
type Source struct {
	Offset int64 // of the line or value that holds the object, in bytes
	Length int32 // of that line or value, in bytes; 0 when there is no raw JSON
	Item   int32 // -1: the line is a watch event; -2: the value is the object itself; -3: there is none, see Table.Tombstone; else the object's index in the list's items
}

// Meta is a row of the Table.
type Meta struct {
	Key       Key
	Namespace Sym
	Name      Sym
	UID       Sym
	RV        RV
	Labels    Labels
	Source    Source
}

// KeyFunc makes the key's text from a row, as cache.KeyFunc does. ok is false if
// client-go's would return an error ("object has no meta").
type KeyFunc func(t *Table, m Meta) (key string, ok bool)

// ErrNoKey is the error of a store or a queue that can make no key of an object: cache.KeyError.
var ErrNoKey = errors.New("couldn't create key for object: object has no meta")

// MetaNamespaceKeyFunc returns what cache.MetaNamespaceKeyFunc does: "namespace/name", or "name"
// for an object without a namespace.
func MetaNamespaceKeyFunc(t *Table, m Meta) (string, bool) {
	if m.Namespace == 0 {
		return t.Text(m.Name), true
	}
	return t.Text(m.Namespace) + "/" + t.Text(m.Name), true
}

// Table holds every object version of one resource, with its strings. Worlds and
// their clones share it, because rows never change and stay until Sweep is called.
// It is not safe for concurrent use.
type Table struct {
	syms    interner
	keys    interner
	keyFunc KeyFunc
	rows    []row
	sources []Source // of the rows: the machine reads rows in every step, and never these
	free    []Ref    // rows that Sweep has freed
	labels  []Label  // all sets, end to end
	sets    []labelRange
	setHash hashIndex
	setFree []Labels // sets that Sweep has freed
	rvTexts bits     // the Syms of resourceVersions, which are never freed
	keyBuf  []byte
	order   []Key // see KeyOrder

	orderAgain int // keys.again when order was made

	tombstones bool // there may be rows of tombstones
}

// row is a Meta without its Source. Two rows fill a line of a processor's cache.
type row struct {
	key                  Key
	namespace, name, uid Sym
	rv                   RV
	labels               Labels
}

type labelRange struct{ from, to int32 }

// NewTable returns an empty Table. A nil keyFunc is MetaNamespaceKeyFunc.
func NewTable(keyFunc KeyFunc) *Table {
	t := &Table{keyFunc: keyFunc, rows: make([]row, 1), sources: make([]Source, 1), sets: make([]labelRange, 1)}
	t.syms.init()
	t.keys.init()
	return t
}

// Add adds a version and returns its Ref, which Sweep may have freed before. Otherwise it is the
// next Ref. The Table sets m.Key.
func (t *Table) Add(m Meta) Ref {
	m.Key = t.makeKey(&m)
	return t.add(m)
}

// AddVersion does what Add does, for another version of old's object. It must have old's
// namespace and name, and so usually gets its key without looking it up.
func (t *Table) AddVersion(old Ref, m Meta) Ref {
	if t.keyFunc != nil { // which may look at other things, too
		return t.Add(m)
	}
	m.Key = t.rows[old].key
	return t.add(m)
}

func (t *Table) add(m Meta) Ref {
	return t.put(&row{key: m.Key, namespace: m.Namespace, name: m.Name, uid: m.UID, rv: m.RV, labels: m.Labels}, &m.Source)
}

func (t *Table) put(to *row, src *Source) Ref {
	if last := len(t.free) - 1; last >= 0 {
		r := t.free[last]
		t.free, t.rows[r], t.sources[r] = t.free[:last], *to, *src
		return r
	}
	t.rows, t.sources = append(t.rows, *to), append(t.sources, *src)
	return Ref(len(t.rows) - 1)
}

// AddAgain adds a version to t that differs from old in its resourceVersion and its Source.
func (t *Table) AddAgain(old Ref, rv RV, src Source) Ref {
	if t.keyFunc != nil {
		m := t.Meta(old)
		m.RV, m.Source = rv, src
		return t.Add(m)
	}
	to := t.rows[old]
	to.rv = rv
	return t.put(&to, &src)
}

// Grow makes room in a Table for n more versions, so that it need not be copied while they are added.
func (t *Table) Grow(n int) {
	n += len(t.rows)
	t.rows, t.sources = append(make([]row, 0, n), t.rows...), append(make([]Source, 0, n), t.sources...)
}

// MakeKey returns the key of an object with the content m, 0 if the KeyFunc fails.
func (t *Table) MakeKey(m Meta) Key { return t.makeKey(&m) }

func (t *Table) makeKey(m *Meta) Key {
	if t.keyFunc != nil {
		text, ok := t.keyFunc(t, *m)
		if !ok {
			return 0
		}
		return t.Key(text)
	}
	t.keyBuf = t.keyBuf[:0]
	if m.Namespace != 0 {
		t.keyBuf = append(t.keyBuf, t.syms.bytes(int32(m.Namespace))...)
		t.keyBuf = append(t.keyBuf, '/')
	}
	t.keyBuf = append(t.keyBuf, t.syms.bytes(int32(m.Name))...)
	return Key(t.keys.intern(t.keyBuf))
}

// Meta returns the row of r. The zero Ref has the zero row.
func (t *Table) Meta(r Ref) Meta {
	m := &t.rows[r]
	return Meta{m.key, m.namespace, m.name, m.uid, m.rv, m.labels, t.sources[r]}
}

// KeyOf returns the key of the row of r. The machine calls it and its neighbours in every
// step, where copying a whole row would cost too much.
func (t *Table) KeyOf(r Ref) Key { return t.rows[r].key }

// RVOf returns the resourceVersion of the row of r.
func (t *Table) RVOf(r Ref) RV { return t.rows[r].rv }

// NamespaceOf returns the namespace of the row of r.
func (t *Table) NamespaceOf(r Ref) Sym { return t.rows[r].namespace }

// LabelSetOf returns the labels of the row of r.
func (t *Table) LabelSetOf(r Ref) Labels { return t.rows[r].labels }

// UIDOf returns the uid of the row of r in t.
func (t *Table) UIDOf(r Ref) Sym { return t.rows[r].uid }

// Len returns one more than the highest Ref.
func (t *Table) Len() int { return len(t.rows) }

// Keys returns one more than the highest Key.
func (t *Table) Keys() int { return t.keys.len() }

// Sym interns s.
func (t *Table) Sym(s string) Sym {
	if s == "" {
		return 0
	}
	return Sym(t.syms.internString(s))
}

// Equals reports whether the string of s is text.
func (t *Table) Equals(s Sym, text string) bool { return string(t.syms.bytes(int32(s))) == text }

// Begins reports whether the string of a Sym of t begins with the byte b.
func (t *Table) Begins(s Sym, b byte) bool {
	text := t.syms.bytes(int32(s))
	return len(text) > 0 && text[0] == b
}

// LookupSym finds a string's number without interning it.
func (t *Table) LookupSym(s string) (Sym, bool) {
	if s == "" {
		return 0, true
	}
	i, ok := t.syms.lookup(s)
	return Sym(i), ok
}

// Text returns the string of s.
func (t *Table) Text(s Sym) string { return string(t.syms.bytes(int32(s))) }

// Key interns a key's text. The empty text is a valid key other than 0.
func (t *Table) Key(text string) Key { return Key(t.keys.internString(text)) }

// KeyText returns the text of k, "" for 0.
func (t *Table) KeyText(k Key) string { return string(t.keys.bytes(int32(k))) }

// KeyIs reports whether the text of k is text.
func (t *Table) KeyIs(k Key, text string) bool { return string(t.keys.bytes(int32(k))) == text }

// LookupKey finds a key's number without interning its text.
func (t *Table) LookupKey(text string) (Key, bool) {
	i, ok := t.keys.lookup(text)
	return Key(i), ok
}

// RV interns a resourceVersion.
func (t *Table) RV(text string) RV {
	if rv, ok := ParseRV(text); ok {
		return rv
	}
	s := t.Sym(text)
	t.rvTexts.add(int32(s))
	return textRV | RV(s)
}

// ParseRV returns the resourceVersion with that text, unless only a Table can say which one it is.
func ParseRV(text string) (rv RV, ok bool) {
	if text == "" {
		return 0, true
	}
	if n, err := strconv.ParseUint(text, 10, 62); err == nil && (text[0] != '0' || len(text) == 1) && text[0] != '+' {
		return NumberRV(n), true
	}
	return 0, false
}

// RVText returns the text of rv.
func (t *Table) RVText(rv RV) string {
	if rv == 0 {
		return ""
	}
	if n, ok := rv.Number(); ok {
		return strconv.FormatUint(n, 10)
	}
	return t.Text(Sym(rv &^ textRV))
}

// LabelSet interns a label set. The order of set matters: sort it by name.
func (t *Table) LabelSet(set []Label) Labels {
	if len(set) == 0 {
		return 0
	}
	h := uint64(len(set))
	for _, l := range set {
		h = mix(h, uint64(uint32(l.Name))<<32|uint64(uint32(l.Value)))
	}
	slot := t.setHash.find(h, func(i int32) bool { return slices.Equal(t.LabelsOf(Labels(i)), set) })
	if i := t.setHash.at(slot); i != 0 {
		return Labels(i)
	}
	from := int32(len(t.labels))
	t.labels = append(t.labels, set...)
	to := labelRange{from, int32(len(t.labels))}
	id := Labels(len(t.sets))
	if last := len(t.setFree) - 1; last >= 0 {
		id, t.setFree = t.setFree[last], t.setFree[:last]
		t.sets[id] = to
	} else {
		t.sets = append(t.sets, to)
	}
	t.setHash.put(slot, h, int32(id))
	return id
}

// LabelsOf returns the labels of a set, which the caller must not change.
func (t *Table) LabelsOf(l Labels) []Label {
	r := t.sets[l]
	return t.labels[r.from:r.to:r.to]
}

// Field returns the text of the label name in l, or of a field that is kept among the labels: "" if there is none.
func (t *Table) Field(l Labels, name string) string {
	if n, known := t.LookupSym(name); known {
		v, _ := t.LabelValue(l, n)
		return t.Text(v)
	}
	return ""
}

// FieldOf returns the text of a label or field of the row of r, "" if there is none.
func (t *Table) FieldOf(r Ref, name string) string { return t.Field(t.LabelSetOf(r), name) }

// Singleton returns a label set with one entry.
func (t *Table) Singleton(name, value string) Labels {
	return t.LabelSet([]Label{{Name: t.Sym(name), Value: t.Sym(value)}})
}

// Merge returns labels or fields after a patch. An empty value in the patch removes one.
func (t *Table) Merge(l, patch Labels) Labels {
	set := slices.Clone(t.LabelsOf(l))
	for _, x := range t.LabelsOf(patch) {
		set = slices.DeleteFunc(set, func(old Label) bool { return old.Name == x.Name })
		if t.Text(x.Value) != "" {
			set = append(set, x)
		}
	}
	sort.Slice(set, func(i, j int) bool { return t.CompareSyms(set[i].Name, set[j].Name) < 0 })
	return t.LabelSet(set)
}

// LabelValue returns the value of the label name in l.
func (t *Table) LabelValue(l Labels, name Sym) (Sym, bool) {
	for _, x := range t.LabelsOf(l) {
		if x.Name == name {
			return x.Value, true
		}
	}
	return 0, false
}

// Tombstone adds cache.DeletedFinalStateUnknown{Key: k, Obj: obj} as a row of its
// own, for a store that is given one in the place of an object. The row has the key
// and no metadata. obj may be 0, or a tombstone again.
func (t *Table) Tombstone(k Key, obj Ref) Ref {
	t.tombstones = true
	return t.add(Meta{Key: k, Source: Source{Offset: int64(obj), Item: tombstoneItem}})
}

// IsTombstone reports whether r is the row of a tombstone. Nearly every Table has none, and is asked
// for each delta: then the row is not read.
func (t *Table) IsTombstone(r Ref) bool {
	return t.tombstones && t.sources[r].Item == tombstoneItem
}

// InTombstone returns the object in the tombstone r.
func (t *Table) InTombstone(r Ref) Ref { return Ref(t.sources[r].Offset) }

// CompareKeys orders keys by their text. The engine uses this order where
// client-go ranges over a map of keys, whose order is random.
func (t *Table) CompareKeys(a, b Key) int {
	return bytes.Compare(t.keys.bytes(int32(a)), t.keys.bytes(int32(b)))
}

// CompareSyms orders strings by their text.
func (t *Table) CompareSyms(a, b Sym) int {
	return bytes.Compare(t.syms.bytes(int32(a)), t.syms.bytes(int32(b)))
}

// CompareResourceVersion orders two resourceVersions as apimachinery's
// resourceversion.CompareResourceVersion does. It reports false unless both are well
// formed: decimal numbers of any length, above 0 and without leading zeros.
func (t *Table) CompareResourceVersion(a, b RV) (order int, ok bool) {
	x, xNumber := a.Number()
	y, yNumber := b.Number()
	if xNumber && yNumber {
		return cmp.Compare(x, y), x > 0 && y > 0
	}
	m, n := t.RVText(a), t.RVText(b)
	if !wellFormed(m) || !wellFormed(n) {
		return 0, false
	}
	return cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)), true
}

func wellFormed(rv string) bool {
	for i := range len(rv) {
		if rv[i] < '0' || rv[i] > '9' {
			return false
		}
	}
	return rv != "" && rv[0] != '0'
}

// KeyOrder returns every key of the Table in the order of CompareKeys. The Table
// keeps the slice and merges in what is new since the last call, because a resync
// of a large store asks for it often and new keys are rare by then. The caller
// must not change it, and must not use it after an Add.
func (t *Table) KeyOrder() []Key {
	if t.keys.reused != t.orderAgain { // a number in order has another text now
		t.order, t.orderAgain = nil, t.keys.reused
	}
	sorted := len(t.order)
	if sorted == t.Keys()-1 {
		return t.order
	}
	for k := sorted + 1; k < t.Keys(); k++ {
		t.order = append(t.order, Key(k))
	}
	fresh := slices.Clone(t.order[sorted:])
	slices.SortFunc(fresh, t.CompareKeys)
	// From the back, so that the old part can stay where it is.
	i, j := sorted-1, len(fresh)-1
	for at := len(t.order) - 1; j >= 0; at-- {
		if i >= 0 && t.CompareKeys(t.order[i], fresh[j]) > 0 {
			t.order[at] = t.order[i]
			i--
		} else {
			t.order[at] = fresh[j]
			j--
		}
	}
	return t.order
}

// ListOptions is what a client asks the API server for: metav1.ListOptions, as
// far as a reflector uses it.
type ListOptions struct {
	RV                RV    // resourceVersion
	Match             Match // resourceVersionMatch
	Limit             int64 // of objects in one page, 0 for none
	Continue          Sym   // the token of the page before, 0 for the first
	SendInitialEvents bool  // a watch: a streaming list
	Bookmarks         bool  // allowWatchBookmarks
	Timeout           int64 // nanoseconds, whole seconds; 0 for none
	Shard             Shard // shardSelector
}

// Match is a resourceVersionMatch.
type Match uint8

const (
	AnyMatch Match = iota // not given
	NotOlderThan
	Exact
)

func (m Match) String() string { return [...]string{"", "NotOlderThan", "Exact"}[m] }
