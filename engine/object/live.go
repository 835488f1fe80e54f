package object

// Live is which rows and keys of a Table somebody still refers to, as the mark
// phase of a garbage collector finds it out.
type Live struct {
	rows, keys bits
	everyKey   bool
}

// Live returns the set of no row and no key, to be filled and given to Sweep
// before anything is added to t.
func (t *Table) Live() *Live { return &Live{rows: make(bits, len(t.rows)/64+1)} }

// Ref adds r.
func (l *Live) Ref(r Ref) { l.rows[r/64] |= 1 << (r % 64) }

// Refs adds all of list.
func (l *Live) Refs(list []Ref) {
	for _, r := range list {
		l.Ref(r)
	}
}

// Key adds k, of which there may be no row.
func (l *Live) Key(k Key) { l.keys.add(int32(k)) }

// EveryKey adds all keys.
func (l *Live) EveryKey() { l.everyKey = true }

// Sweep lets go of the rows that are not live, and of the strings and label sets
// that no other row has. Their numbers are used again. Keys stay until SweepKeys, and texts of
// resourceVersions. A Table can be swept only where all who hold Refs, Labels or
// Syms of it can be asked: of other Refs than those of live, and of the Syms and
// Labels that are not in their rows, nobody may hold any.
func (t *Table) Sweep(live *Live) {
	t.markTombstones(live)
	syms, sets := make(bits, t.syms.len()/64+1), make(bits, len(t.sets)/64+1)
	t.free = t.free[:0]
	for r := Ref(len(t.rows)) - 1; r > 0; r-- {
		m := &t.rows[r]
		if !live.rows.has(int32(r)) {
			*m, t.free = Meta{}, append(t.free, r)
			continue
		}
		syms.add(int32(m.Namespace))
		syms.add(int32(m.Name))
		syms.add(int32(m.UID))
		sets.add(int32(m.Labels))
	}
	t.sweepSets(sets, syms)
	for i, word := range t.rvTexts {
		syms[i] |= word
	}
	t.syms.sweep(syms)
}

// sweepSets lets go of the label sets that are not live, and adds the strings of
// the others to syms. Who holds a set's labels keeps them: they are copied.
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

// SweepKeys lets go of the keys that are not live, and that no row has which is.
// It calls gone, if that is set, with each of them, while it still has its text.
// Their numbers are used again. It comes after Sweep, with what that was given.
func (t *Table) SweepKeys(live *Live, gone func(Key)) {
	if live.everyKey {
		return
	}
	for r := range t.rows {
		live.Key(t.rows[r].Key)
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

// HeldKeys is how many keys there are that SweepKeys has not let go.
func (t *Table) HeldKeys() int { return t.keys.len() - 1 - len(t.keys.free) }

// Held is how many rows there are that Sweep has not let go.
func (t *Table) Held() int { return len(t.rows) - 1 - len(t.free) }

// bits is a set of small integers.
type bits []uint64

func (b bits) has(i int32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b *bits) add(i int32) {
	for int(i/64) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}
