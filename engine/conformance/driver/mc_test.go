package driver

import (
	"fmt"
	"slices"

	"github.com/informerscope/informerscope/engine/controller/mutation"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

type mcOp struct {
	Op, Kind, Key, Index, Value string
	TTLMs                       int64
	Max                         int
	IncludeAdds                 bool
	Indexers                    []string
	O                           *objectSpec
}

// mcPart plays mc.*: the mutation cache in front of a store.
type mcPart struct {
	c       *controllerPlay
	o       *objects
	x       *indexer.Indexer
	named   []indexer.Named
	m       *mutation.Cache
	indexed bool
	now     int64
}

func (p *mcPart) play(verb string, text []byte, out output) error {
	var op mcOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now = p.c.now
	if verb == "new" {
		p.o, p.indexed = newObjects(""), op.Kind != "noIndexer"
		p.named = p.o.indexers(op.Indexers)
		p.m = mutation.New(p.o.t, mutation.Options{TTL: op.TTLMs * 1e6, IncludeAdds: op.IncludeAdds, MaxSize: op.Max})
		var err error
		p.x, err = indexer.New(p.o.t, indexer.Gates{}, p.named...)
		return err
	}
	var obj object.Ref
	if op.O != nil {
		obj = p.o.ref(op.O)
	}
	var err error
	switch verb {
	case "storeSet":
		out.fail(p.x.Update(obj, nil))
	case "storeDelete":
		out.fail(p.delete(obj))
	case "informerSet":
		out.fail(p.x.Update(obj, nil))
		err = p.m.OnAddOrUpdate(obj, p.now)
	case "informerDelete":
		out.fail(p.delete(obj))
		err = p.m.OnDelete(obj, p.now)
	case "mutation":
		err = p.m.Mutation(obj, p.now)
	case "onAddOrUpdate":
		err = p.m.OnAddOrUpdate(obj, p.now)
	case "onDelete":
		err = p.m.OnDelete(obj, p.now)
	case "getByKey":
		var e mutation.Entry
		e, out["exists"], err = p.m.GetByKey(p.o.t.Key(op.Key), p.x, p.now)
		out["ret"] = p.text(e)
	case "byIndex":
		err = p.byIndex(&op, out)
	default:
		return unknown(verb)
	}
	if err != nil {
		return panicked(err.Error())
	}
	return nil
}

func (p *mcPart) delete(obj object.Ref) error {
	return p.x.Delete(p.o.t.KeyOf(obj), p.o.t.RVOf(obj), true, nil)
}

func (p *mcPart) byIndex(op *mcOp, out output) error {
	ret := []string{}
	defer func() { out["ret"] = ret }()
	if !p.indexed {
		out["err"] = "no indexer has been provided to the mutation cache"
		return nil
	}
	i := slices.IndexFunc(p.named, func(n indexer.Named) bool { return n.Name == op.Index })
	if i < 0 {
		out["err"] = fmt.Sprintf("Index with name %s does not exist", op.Index)
		return nil
	}
	entries, err := p.m.ByIndex(mcIndex{p.x, p.o.t, p.named[i]}, op.Value, p.x, p.now, nil)
	for _, e := range entries {
		ret = append(ret, p.text(e))
	}
	slices.Sort(ret)
	return err
}

// mcIndex is one index of the store.
type mcIndex struct {
	x *indexer.Indexer
	t *object.Table
	indexer.Named
}

// IndexKeys implements mutation.Index.
func (x mcIndex) IndexKeys(value string, dst []object.Key) []object.Key {
	dst, _ = x.x.IndexKeys(x.Name, value, dst) // the index exists
	return dst
}

// Has implements mutation.Index.
func (x mcIndex) Has(obj object.Ref, value string) bool {
	values, err := x.Func(x.t, obj, nil)
	return err == nil && slices.ContainsFunc(values, func(v object.Sym) bool { return x.t.Equals(v, value) })
}

func (p *mcPart) text(e mutation.Entry) string {
	if !e.Tombstone {
		return p.o.text(e.Obj)
	}
	m := p.o.t.Meta(e.Obj)
	return fmt.Sprintf("TOMBSTONE(%s@%s#%s)", p.o.t.KeyText(m.Key), p.o.t.RVText(m.RV), p.o.t.Text(m.UID))
}

func (p *mcPart) advance(to int64, _ output) { p.now = to }

func (p *mcPart) print(out output) {
	lru, backing := []string{}, []string{}
	for _, e := range p.m.LRU() {
		lru = append(lru, fmt.Sprintf("%s=%s ttl=%dms", p.o.t.KeyText(e.Key), p.text(e), (e.Expires-p.now)/1e6))
	}
	for _, r := range p.x.List(nil) {
		backing = append(backing, p.o.text(r))
	}
	slices.Sort(backing)
	out["lru"], out["backing"] = lru, backing
}
