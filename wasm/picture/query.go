package picture

import (
	"strings"

	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// Query asks the indexer as it stands, or its lister.
func (s *Stage) Query(q link.Query) *link.Answer {
	a := &link.Answer{Query: q, Step: s.w.Steps()}
	var refs []object.Ref
	var err error
	switch q.Func {
	case link.FuncGetByKey:
		if k, ok := s.t.LookupKey(strings.TrimSpace(q.Value)); ok {
			if r, ok := s.x.Indexer.GetByKey(k); ok {
				refs = append(refs, r)
			}
		}
	case link.FuncByIndex:
		refs, err = s.x.Indexer.ByIndex(q.Index, q.Value, nil)
	case link.FuncIndexKeys:
		var keys []object.Key
		keys, err = s.x.Indexer.IndexKeys(q.Index, q.Value, nil)
		refs = cached(s.x.Indexer, keys)
	case link.FuncListIndexFuncValues:
		values(s.x.Indexer, s.t, a)
		return a
	case link.FuncListKeys:
		refs = s.inCell(q.Cell)
	case link.FuncList:
		refs, err = listed(s.x.Indexer, strings.TrimSpace(q.Namespace), q.Value)
	case link.FuncGet:
		var r object.Ref
		resource, _, _ := strings.Cut(s.x.Config().Name, " ") // what follows the space sets the informer apart from others
		if r, err = s.x.Indexer.GetNamed(strings.TrimSuffix(resource, ","), strings.TrimSpace(q.Namespace), strings.TrimSpace(q.Value)); r != 0 {
			refs = append(refs, r)
		}
	}
	a.Error = link.Fault(err)
	a.Total = len(refs)
	from, to := page(a)
	for _, r := range refs[from:to] {
		m := s.t.Meta(r)
		a.Rows = append(a.Rows, link.AnswerRow{Text: s.t.KeyText(m.Key), RV: s.t.RVText(m.RV), Ref: int32(r)})
	}
	return a
}

// values returns the values of an index that have a key, with the number of their keys.
// For an index that doesn't exist, client-go returns no values and no error, and so
// does this.
func values(x *indexer.Indexer, t *object.Table, a *link.Answer) {
	all := x.ListIndexFuncValues(a.Query.Index, nil)
	a.Total = len(all)
	from, to := page(a)
	for i := range x.Indices() {
		if x.IndexName(i) != a.Query.Index {
			continue
		}
		for _, v := range all[from:to] {
			a.Rows = append(a.Rows, link.AnswerRow{Text: t.Text(v), Keys: x.Count(i, v)})
		}
	}
}

// page returns the part of the answer that was asked for.
func page(a *link.Answer) (from, to int) {
	a.From = min(max(a.Query.From, 0), max(a.Total-1, 0)/link.MaxAnswer*link.MaxAnswer)
	return a.From, min(a.Total, a.From+link.MaxAnswer)
}

func listed(x *indexer.Indexer, ns, selector string) ([]object.Ref, error) {
	sel, err := indexer.ParseSelector(selector)
	if err != nil {
		return nil, err
	}
	return x.ListSelected(ns, sel, nil), nil
}

// inCell returns the objects in a cell of the density map, in the order of their keys.
func (s *Stage) inCell(cell int) []object.Ref {
	var keys []object.Key
	for _, k := range s.x.Indexer.ListKeys(nil) {
		if s.cell(k) == cell {
			keys = append(keys, k)
		}
	}
	return cached(s.x.Indexer, keys)
}

func cached(x *indexer.Indexer, keys []object.Key) (refs []object.Ref) {
	for _, k := range keys {
		if r, ok := x.GetByKey(k); ok {
			refs = append(refs, r)
		}
	}
	return refs
}
