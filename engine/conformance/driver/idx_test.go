package driver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// store is an Indexer with the objects that it holds.
type store struct {
	*objects
	x *indexer.Indexer
}

func (d *driver) newStore(o *objects, indexers []string) store {
	gates := d.profile.Indexer
	gates.TrackRV = d.gate("AtomicFIFO")
	x, err := indexer.New(o.t, gates, o.indexers(indexers)...)
	if err != nil {
		panic(err) // an empty store takes any indexers
	}
	o.read = x.Read
	return store{o, x}
}

// items lists what is stored as "key => object".
func (s store) items() []string {
	out := []string{}
	for _, k := range s.x.ListKeys(nil) {
		r, _ := s.x.GetByKey(k)
		out = append(out, s.t.KeyText(k)+" => "+s.text(r))
	}
	slices.Sort(out)
	return out
}

// state returns the whole store. rv says whether its resourceVersion is printed.
func (s store) state(rv bool) output {
	out := output{"items": s.items()}
	if s.x.Indices() > 0 {
		indices := output{}
		for i := range s.x.Indices() {
			values := output{}
			for _, v := range s.x.ListIndexFuncValues(s.x.IndexName(i), nil) {
				values[s.t.Text(v)], _ = s.keys(s.x.IndexName(i), s.t.Text(v))
			}
			indices[s.x.IndexName(i)] = values
		}
		out["index"] = indices
	}
	if rv {
		out["storeRV"] = s.t.RVText(s.x.LastStoreSyncResourceVersion())
	}
	return out
}

func (s store) keys(index, value string) ([]string, error) {
	keys, err := s.x.IndexKeys(index, value, nil)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, k := range keys {
		out = append(out, s.t.KeyText(k))
	}
	return out, nil
}

// sorted writes objects as they read now.
func (s store) sorted(refs []object.Ref) []string {
	out := []string{}
	for _, r := range refs {
		out = append(out, s.text(r))
	}
	slices.Sort(out)
	return out
}

func (s store) run(verb string, l *line, out output) {
	switch verb {
	case "add", "update":
		out.fail(s.x.Update(s.item(l.O).Stored(s.t), nil))
	case "delete":
		it := s.item(l.O)
		k, m := it.Key, s.t.Meta(it.Obj)
		if it.Tomb == 0 {
			k = m.Key
		}
		out.fail(s.x.Delete(k, m.RV, it.Tomb == 0, nil))
	case "replace":
		out.fail(s.x.Replace(s.list(l.Items), s.t.RV(l.RV), nil))
	case "get":
		r, ok := object.Ref(0), false
		if k, known := s.t.LookupKey(l.Asked.Value); known {
			r, ok = s.x.GetByKey(k)
		}
		out["ret"], out["exists"] = s.text(r), ok
	case "byIndex":
		refs, err := s.x.ByIndex(l.Asked.Index, l.Asked.Value, nil)
		out.fail(err)
		out["ret"] = s.sorted(refs)
	case "index":
		refs, err := s.x.Index(l.Asked.Index, s.item(l.O).Obj, nil)
		out.fail(err)
		out["ret"] = s.sorted(refs)
	case "indexKeys":
		keys, err := s.keys(l.Asked.Index, l.Asked.Value)
		out.fail(err)
		out["ret"] = keys
	case "indexValues":
		values := []string{}
		for _, v := range s.x.ListIndexFuncValues(l.Asked.Index, nil) {
			values = append(values, s.t.Text(v))
		}
		out["ret"] = values
	case "addIndexers":
		out.fail(s.x.AddIndexers(s.indexers(l.Indexers), nil))
	case "list":
		out["ret"] = s.selected(l.Asked.NS, l.Asked.Sel)
	case "mutate":
		s.mutate(l.Asked.Value, l.L)
	default:
		out["err"] = "unknown operation"
	}
}

// selected returns what a lister answers.
func (s store) selected(ns, selector string) []string {
	sel, err := indexer.ParseSelector(selector)
	if err != nil {
		return nil
	}
	return s.sorted(s.x.ListSelected(ns, sel, nil))
}

// mutate gives the stored object other labels, in place.
func (s store) mutate(key string, labels map[string]string) {
	k, known := s.t.LookupKey(key)
	if !known {
		return
	}
	if r, ok := s.x.GetByKey(k); ok && !s.t.IsTombstone(r) {
		m := s.t.Meta(s.x.Read(r))
		m.Labels = s.labels(labels)
		c := s.t.Add(m)
		s.stamps[c] = s.stamps[r]
		s.x.Mutate(r, c)
	}
}

// idxFamily plays idx.*: an Indexer alone.
type idxFamily struct {
	d *driver
	s store
}

func (f *idxFamily) run(verb string, l *line, out output) {
	if verb == "new" {
		f.s = f.d.newStore(newObjects(""), l.Indexers)
	} else if !f.ready() {
		out["err"] = "no store"
		return
	} else {
		f.s.run(verb, l, out)
	}
	f.print(out)
}

func (f *idxFamily) ready() bool { return f.s.x != nil }

func (f *idxFamily) advance(by int64, out output) { f.print(out) }

func (f *idxFamily) print(out output) { out["store"] = f.s.state(f.d.storeRV()) }
