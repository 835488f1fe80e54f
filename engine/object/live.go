package object

// Live is the set of rows and keys of a Table that are still in use, as the mark
// phase of a garbage collector finds them.
type Live struct {
	rows, keys bits
	everyKey   bool
}

// Live returns an empty set. It must be filled and given to Sweep before anything
// is added to t.
func (t *Table) Live() *Live { return &Live{rows: make(bits, len(t.rows)/64+1)} }

// Ref adds r.
func (l *Live) Ref(r Ref) { l.rows[r/64] |= 1 << (r % 64) }

// Refs adds all of list.
func (l *Live) Refs(list []Ref) {
	for _, r := range list {
		l.Ref(r)
	}
}

// Key adds k, which may be the key of no row.
func (l *Live) Key(k Key) { l.keys.add(int32(k)) }

// EveryKey adds all keys.
func (l *Live) EveryKey() { l.everyKey = true }

// Sweep frees the rows that are not in live, and the strings and label sets that
// only those rows have. Their numbers are used again. Keys stay until SweepKeys is
// called, and the texts of resourceVersions stay for ever. The caller must be sure
// that nobody keeps a Ref that is not in live, or a Sym or Labels that no live row
// has.
func (t *Table) Sweep(live *Live) {
	t.markTombstones(live)
	syms, sets := make(bits, t.syms.len()/64+1), make(bits, len(t.sets)/64+1)
	t.free = t.free[:0]
	for r := Ref(len(t.rows)) - 1; r > 0; r-- {
		m := &t.rows[r]
		if !live.rows.has(int32(r)) {
			*m, t.sources[r], t.free = row{}, Source{}, append(t.free, r)
			continue
		}
		syms.add(int32(m.namespace))
		syms.add(int32(m.name))
		syms.add(int32(m.uid))
		sets.add(int32(m.labels))
	}
	t.sweepSets(sets, syms)
	for i, word := range t.rvTexts {
		syms[i] |= word
	}
	t.syms.sweep(syms)
}

// sweepSets frees the label sets that are not live, and adds the strings of the
// others to syms. It copies the live sets, so that slices returned by LabelsOf
// stay as they are.
func (t *Table) sweepSets(live, syms bits) {
	old := t.labels
	t.labels, t.setFree = nil, t.setFree[:0]
	for i := Labels(len(t.sets)) - 1; i > 0; i-- {
		at := &t.sets[i]
		if !live.has(int32(i)) {
			*at, t.setFree = labelRange{}, append(t.setFree, i)
			continue
		}
		set := old[at.from:at.to]
		for _, l := range set {
			syms.add(int32(l.Name))
			syms.add(int32(l.Value))
		}
		at.from = int32(len(t.labels))
		t.labels = append(t.labels, set...)
		at.to = int32(len(t.labels))
	}
	t.setHash.sweep(live)
}

// SweepKeys frees the keys that are not in live and that no row has. Their numbers
// are used again. If gone is not nil, SweepKeys calls it with each of these keys
// before the key's text is freed. It must be called after Sweep, with the same
// live.
func (t *Table) SweepKeys(live *Live, gone func(Key)) {
	if live.everyKey {
		return
	}
	for r := range t.rows {
		live.Key(t.rows[r].key)
	}
	if gone != nil {
		var free bits
		for _, k := range t.keys.free {
			free.add(k)
		}
		for k := int32(1); int(k) < t.keys.len(); k++ {
			if !live.keys.has(k) && !free.has(k) {
				gone(Key(k))
			}
		}
	}
	t.keys.sweep(live.keys)
	t.order = nil
}

// HeldKeys returns the number of keys without those that SweepKeys has freed.
func (t *Table) HeldKeys() int { return t.keys.len() - 1 - len(t.keys.free) }

// LiveRows returns the number of rows without those that Sweep has freed.
func (t *Table) LiveRows() int { return len(t.rows) - 1 - len(t.free) }

// bits is a set of small integers.
type bits []uint64

func (b bits) has(i int32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b *bits) add(i int32) {
	for int(i/64) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

// tombstoneItem is the Source.Item of a tombstone's row, whose Offset is the
// Ref of the object in it.
const tombstoneItem = -3

// markTombstones adds the objects in live tombstones, and the tombstones that are such objects.
func (t *Table) markTombstones(live *Live) {
	for again := t.tombstones; again; {
		again = false
		for r := range Ref(len(t.rows)) {
			if !live.rows.has(int32(r)) || !t.IsTombstone(r) {
				continue
			}
			if in := t.InTombstone(r); !live.rows.has(int32(in)) {
				live.Ref(in)
				again = true
			}
		}
	}
}
