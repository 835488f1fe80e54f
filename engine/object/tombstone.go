package object

// tombstoneItem is the Source.Item of a tombstone's row, whose Offset is the
// Ref of the object in it.
const tombstoneItem = -3

// Tombstone takes in cache.DeletedFinalStateUnknown{Key: k, Obj: obj} as a value
// of its own, for who stores one where an object should be. Its row has the key
// and no metadata. obj may be 0, or a tombstone again.
func (t *Table) Tombstone(k Key, obj Ref) Ref {
	t.tombstones = true
	return t.add(Meta{Key: k, Source: Source{Offset: int64(obj), Item: tombstoneItem}})
}

// IsTombstone reports whether r is one of those. Nearly every Table has none, and is asked
// for each delta: then the row is not read.
func (t *Table) IsTombstone(r Ref) bool {
	return t.tombstones && t.sources[r].Item == tombstoneItem
}

// InTombstone returns the object in the tombstone r.
func (t *Table) InTombstone(r Ref) Ref { return Ref(t.sources[r].Offset) }

// markTombstones adds what lies in live tombstones, and in those in them.
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
