package live

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

// part plays an operation of a part of an informer, without goroutines. It
// reports false for every other family.
func (p *player) part(family, verb string, op *Op, res map[string]any) bool {
	switch family {
	case "fifo":
		if verb == "new" {
			p.queue.open(p.v, op, res)
		} else if p.queue.Queue == nil {
			res["err"] = "no queue"
		} else {
			p.queue.play(p.v, verb, op, res)
			p.queue.print(res)
		}
	case "pipe":
		p.pipe.play(p.v, p.inOrder, verb, op, res)
	case "known":
		if p.queue.indexer == nil {
			res["err"] = "no store"
		} else {
			onStore(p.queue.indexer, verb, op, res)
			p.queue.print(res)
		}
	case "idx":
		if verb == "new" {
			p.store = cache.NewIndexer(keyFunc(""), indexers(op.Indexers))
		} else if p.store == nil {
			res["err"] = "no store"
			return true
		} else {
			onStore(p.store, verb, op, res)
		}
		res["store"] = storeState(p.v, p.inOrder, p.store)
	default:
		return false
	}
	return true
}

func onStore(x cache.Indexer, verb string, op *Op, res map[string]any) {
	defer func() {
		if r := recover(); r != nil {
			if !strings.Contains(fmt.Sprint(r), "unable to calculate an index entry") {
				panic(r)
			}
			res["panic"] = "unable to calculate an index entry"
		}
	}()
	switch verb {
	case "add":
		fail(res, x.Add(item(op.O)))
	case "update":
		fail(res, x.Update(item(op.O)))
	case "delete":
		fail(res, x.Delete(item(op.O)))
	case "replace":
		fail(res, x.Replace(items(op.Items), op.RV))
	case "get":
		o, ok, err := x.GetByKey(op.Value)
		fail(res, err)
		res["ret"], res["exists"] = text(o), ok
	case "byIndex":
		found, err := x.ByIndex(op.Index, op.Value)
		fail(res, err)
		res["ret"] = sortedTexts(found)
	case "index":
		found, err := x.Index(op.Index, item(op.O))
		fail(res, err)
		res["ret"] = sortedTexts(found)
	case "indexKeys":
		keys, err := x.IndexKeys(op.Index, op.Value)
		fail(res, err)
		slices.Sort(keys)
		res["ret"] = keys
	case "indexValues":
		values := append([]string{}, x.ListIndexFuncValues(op.Index)...)
		slices.Sort(values)
		res["ret"] = values
	case "addIndexers":
		fail(res, x.AddIndexers(indexers(op.Indexers)))
	case "list":
		res["ret"] = lister(x, op)
	case "mutate":
		mutate(x, op)
	default:
		res["err"] = "unknown operation"
	}
}

func sortedTexts(objects []any) []string {
	out := []string{}
	for _, o := range objects {
		out = append(out, text(o))
	}
	slices.Sort(out)
	return out
}

func lister(x cache.Indexer, op *Op) []string {
	sel, err := labels.Parse(op.Sel)
	if err != nil {
		return nil
	}
	return sortedTexts(slices.DeleteFunc(x.List(), func(o any) bool {
		m := o.(*metav1.PartialObjectMetadata)
		return op.NS != "" && m.Namespace != op.NS || !sel.Matches(labels.Set(m.Labels))
	}))
}

// mutate gives the stored object other labels, in place.
func mutate(x cache.Indexer, op *Op) {
	o, _, _ := x.GetByKey(op.Value)
	if m, ok := o.(*metav1.PartialObjectMetadata); ok {
		m.Labels = op.L
	}
}

// stored lists what is in a store as "key => object".
func stored(x cache.Indexer) []string {
	out := []string{}
	for _, k := range x.ListKeys() {
		o, _, _ := x.GetByKey(k)
		out = append(out, k+" => "+text(o))
	}
	slices.Sort(out)
	return out
}

func storeState(v *Version, inOrder bool, x cache.Indexer) map[string]any {
	out := map[string]any{"items": stored(x)}
	if in := x.GetIndexers(); len(in) > 0 {
		index := map[string]any{}
		for name := range in {
			values := map[string]any{}
			for _, v := range x.ListIndexFuncValues(name) {
				keys, _ := x.IndexKeys(name, v)
				slices.Sort(keys)
				if len(keys) > 0 {
					values[v] = keys
				}
			}
			index[name] = values
		}
		out["index"] = index
	}
	if v.StoreRV != nil && inOrder {
		out["storeRV"] = v.StoreRV(x)
	}
	return out
}

// item returns an object as a script gives it to a queue or a store.
func item(o *Object) any {
	switch o.T {
	case "bad":
		return &bare{}
	case "tomb":
		return cache.DeletedFinalStateUnknown{Key: o.K, Obj: object(o)}
	case "tombkey":
		return cache.DeletedFinalStateUnknown{Key: o.K}
	}
	return object(o)
}

func items(list []Object) []any {
	out := []any{}
	for i := range list {
		out = append(out, item(&list[i]))
	}
	return out
}

// fail puts the class of err into res, if there is one: its text differs by
// version.
func fail(res map[string]any, err error) {
	if err == nil {
		return
	}
	var key cache.KeyError
	has := func(s string) bool { return strings.Contains(err.Error(), s) }
	switch {
	case errors.As(err, &key):
		res["err"] = "KeyError"
	case err == cache.ErrFIFOClosed:
		res["err"] = "ErrFIFOClosed"
	case has("transform failed"):
		res["err"] = "TransformError"
	case has("must be of type deltas"):
		res["err"] = "NotDeltas"
	case has("does not exist"):
		res["err"] = "NoSuchIndex"
	case has("stopped"):
		res["err"] = "Stopped"
	case has("started"):
		res["err"] = "AlreadyStarted"
	case has("conflict"):
		res["err"] = "IndexerConflict"
	case has("running index"), has("cannot add indexers"):
		res["err"] = "IndexerRunning"
	default:
		res["err"] = err.Error()
	}
}
