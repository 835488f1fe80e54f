package triggers

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Managers knows which field manager has made a version of an object, as far as the object's managedFields tell: see trace.WrittenBy.
type Managers struct {
	// Bytes returns a part of the capture, or nil for what is not at hand.
	Bytes func(offset int64, length int) []byte
	// Seen is called for each version with its JSON. It may be nil.
	Seen func(r *trace.Resource, o object.Ref, raw []byte)

	items      trace.Cursor
	byResource map[*trace.Resource]*managed
}

// managed is what is known of a resource's objects.
type managed struct {
	records int // that were read
	listing bool
	last    map[object.Key][]trace.FieldManager // of the last version
	made    map[version]*trace.FieldManager
}

// Read takes in the records that have come since the last call.
func (m *Managers) Read(t *trace.Trace) {
	if m.byResource == nil {
		m.byResource = map[*trace.Resource]*managed{}
	}
	for _, r := range t.Resources {
		x := m.byResource[r]
		if x == nil {
			x = &managed{last: map[object.Key][]trace.FieldManager{}, made: map[version]*trace.FieldManager{}}
			m.byResource[r] = x
		}
		for all := r.Forgotten + len(r.Records); x.records < all; x.records++ {
			m.record(x, r, &r.Records[x.records-r.Forgotten])
		}
	}
}

func (m *Managers) record(x *managed, r *trace.Resource, rec *trace.Record) {
	switch rec.Kind {
	case trace.WatchOpen:
		x.listing = rec.Streaming
	case trace.InitialEnd, trace.WatchEnd:
		x.listing = false
	case trace.ListItem, trace.WatchEvent:
		if rec.Obj == 0 {
			return
		}
		v := version{r.Table.KeyOf(rec.Obj), r.Table.RVOf(rec.Obj)}
		was, known := x.last[v.key]
		if rec.Type == trace.TypeDeleted && rec.Kind == trace.WatchEvent {
			delete(x.last, v.key)
			return
		}
		now := m.entries(r, rec)
		x.last[v.key] = now
		if rec.Kind == trace.ListItem || x.listing || rec.Missing || now == nil || (was == nil) == known {
			return // somebody else may have written before, or the version before isn't known
		}
		x.made[v] = trace.WrittenBy(was, now)
	}
}

// entries returns an object's managedFields; nil for none.
func (m *Managers) entries(r *trace.Resource, rec *trace.Record) []trace.FieldManager {
	src := r.Table.Meta(rec.Obj).Source
	line := m.Bytes(src.Offset, int(src.Length))
	if line == nil {
		return nil
	}
	raw, err := m.items.Raw(line, src)
	if err != nil {
		return nil
	}
	if m.Seen != nil {
		m.Seen(r, rec.Obj, raw)
	}
	return trace.FieldManagers(raw)
}

// Name names the field managers of changes that no recorded write has made.
func (m *Managers) Name(gets []Get) {
	for i := range gets {
		for j := range gets[i].Causes {
			c := &gets[i].Causes[j]
			if x := m.byResource[c.Resource]; c.Class == Event && x != nil {
				if by := x.made[c.version]; by != nil {
					c.Manager, c.subresource = by.Name, by.Subresource
				}
			}
		}
	}
}
