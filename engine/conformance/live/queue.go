package live

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// queue plays fifo.*: a queue alone, and a store of what was popped from it.
type queue struct {
	cache.Queue
	indexer cache.Indexer // nil where the queue has no knownObjects

	// piped is the process function, if it is an informer's.
	piped func(o any, initial, batch bool) error
}

func (q *queue) open(v *Version, op *Op, res map[string]any) {
	*q = queue{}
	x := transform(op.Xform)
	if !v.hasQueue(op.Kind, op.Xform) {
		res["err"] = "unsupported"
		return
	}
	key := keyFunc(op.Keyfn)
	if (op.Known == nil || *op.Known) && op.Kind != "real-atomic" {
		q.indexer = cache.NewIndexer(key, cache.Indexers{})
	}
	if q.indexer == nil {
		q.Queue = v.NewQueue(op.Kind, key, nil, op.Replaced, x)
	} else {
		q.Queue = v.NewQueue(op.Kind, key, q.indexer, op.Replaced, x)
	}
	res["state"] = q.state()
}

// keyFunc returns the key function with the given name. It handles tombstones, because
// the store gets them, too.
func keyFunc(name string) cache.KeyFunc {
	if name != "uid" {
		return cache.DeletionHandlingMetaNamespaceKeyFunc
	}
	return func(o any) (string, error) {
		if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
			return d.Key, nil
		}
		m, ok := o.(metav1.Object)
		if !ok {
			return "", errors.New("no metadata")
		}
		return string(m.GetUID()), nil
	}
}

func (q *queue) play(v *Version, verb string, op *Op, res map[string]any) {
	switch verb {
	case "add":
		fail(res, q.Add(item(op.O)))
	case "update":
		fail(res, q.Update(item(op.O)))
	case "delete":
		fail(res, q.Delete(item(op.O)))
	case "replace":
		q.inOrder(op, func() error { return q.Replace(items(op.Items), op.RV) }, res)
	case "resync":
		q.inOrder(op, q.Resync, res)
	case "bookmark":
		if b, ok := q.Queue.(interface{ Bookmark(string) error }); ok {
			fail(res, b.Bookmark(op.RV))
		} else {
			res["unsupported"] = true
		}
	case "addIfNotPresent":
		a, ok := q.Queue.(interface{ AddIfNotPresent(any) error })
		if !ok {
			res["unsupported"] = true
		} else if op.Kind == "" {
			fail(res, a.AddIfNotPresent(item(op.O)))
		} else {
			fail(res, a.AddIfNotPresent(cache.Deltas{{Type: cache.DeltaType(op.Kind), Object: item(op.O)}}))
		}
	case "pop":
		q.pop(v, op, res)
	case "hasSynced":
		res["ret"] = q.HasSynced()
	case "close":
		q.Close()
	default:
		res["err"] = "unknown operation"
	}
}

func (q *queue) print(res map[string]any) {
	res["state"] = q.state()
	if q.indexer != nil {
		res["known"] = stored(q.indexer)
	}
}

// pop calls Pop, or finds that Pop would wait.
func (q *queue) pop(v *Version, op *Op, res map[string]any) {
	popped := make(chan error, 1)
	go func() {
		popped <- v.Pop(q.Queue, op.Batch, func(o any, initial, batch bool) error {
			return q.process(v, op, res, o, initial, batch)
		})
	}()
	synctest.Wait()
	select {
	case err := <-popped:
		fail(res, err)
	default: // it waits: close the queue so that Pop returns nothing, and open it again
		res["ret"] = "would-block"
		q.Close()
		<-popped
		*hidden[bool](q.Queue, "closed") = false
	}
}

// process returns the process function of Pop and of PopBatch.
func (q *queue) process(v *Version, op *Op, res map[string]any, o any, initial, batch bool) error {
	if v.initialList() {
		res["initial"] = initial
	}
	deltas, ok := o.(cache.Deltas)
	switch {
	case batch && len(deltas) > 1: // v0.35 calls the same function for one alone
		res["batch"] = deltaTexts(deltas)
	case ok:
		res["popped"] = deltaTexts(deltas)
	default:
		res["popped"] = text(o)
	}
	if q.piped != nil {
		return q.piped(o, initial, batch)
	}
	if op.Ret == "requeue" && v.Requeue != nil {
		return v.Requeue(errors.New("requeue me"))
	} else if op.Ret != "" {
		return errors.New("process failed")
	} else if q.indexer == nil {
		return nil
	}
	return apply(q.indexer, deltas)
}

// apply writes popped deltas to the known objects, as an informer does.
func apply(known cache.Indexer, deltas cache.Deltas) error {
	for _, d := range deltas {
		var err error
		if d.Type == cache.Deleted {
			err = known.Delete(d.Object)
		} else {
			err = known.Update(d.Object)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inOrder calls something that appends to the queue in the order of a Go map, and
// sorts the appended part in the queue itself.
func (q *queue) inOrder(op *Op, do func() error, res map[string]any) {
	if deltas, real := q.deltas(); real {
		before, queued := len(*deltas), map[string]bool{}
		for _, d := range *deltas {
			queued[keyOf(d)] = true
		}
		fail(res, do())
		// Tombstones of queued objects come first, in the queue's order.
		from := before
		for from < len(*deltas) && queued[keyOf((*deltas)[from])] && (*deltas)[from].Type == cache.Deleted {
			from++
		}
		to := from
		for to < len(*deltas) && (*deltas)[to].Type == (*deltas)[from].Type && (*deltas)[to].Type != cache.Replaced {
			to++
		}
		slices.SortFunc((*deltas)[from:to], func(a, b cache.Delta) int { return cmp.Compare(keyOf(a), keyOf(b)) })
		return
	}
	keys := hidden[[]string](q.Queue, "queue")
	from := len(*keys)
	fail(res, do())
	for from < len(*keys) && listed(op, (*keys)[from]) {
		from++
	}
	slices.Sort((*keys)[from:])
}

// listed reports whether a Replace names the key, by name or by UID.
func listed(op *Op, key string) bool {
	return slices.ContainsFunc(op.Items, func(o Object) bool { return o.K == key || o.UID == key })
}

// keyOf returns the key of a delta for one object, and "" for any other delta.
func keyOf(d cache.Delta) string {
	key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(d.Object)
	return key
}

func (q *queue) deltas() (deltas *[]cache.Delta, real bool) {
	if reflect.TypeOf(q.Queue).Elem().Name() != "RealFIFO" {
		return nil, false
	}
	return hidden[[]cache.Delta](q.Queue, "items"), true
}

// hidden returns an unexported field of the struct that x points to.
func hidden[T any](x any, name string) *T {
	f := reflect.ValueOf(x).Elem().FieldByName(name)
	return (*T)(f.Addr().UnsafePointer())
}

func (q *queue) state() map[string]any {
	out := map[string]any{"closed": *hidden[bool](q.Queue, "closed"), "hasSynced": q.HasSynced(),
		"populated": *hidden[bool](q.Queue, "populated"), "initialPopulationCount": *hidden[int](q.Queue, "initialPopulationCount")}
	if deltas, real := q.deltas(); real {
		out["items"] = deltaTexts(*deltas)
		return out
	}
	texts := map[string]any{}
	for k, d := range *hidden[map[string]cache.Deltas](q.Queue, "items") {
		texts[k] = deltaTexts(d)
	}
	out["items"], out["queue"] = texts, append([]string{}, *hidden[[]string](q.Queue, "queue")...)
	return out
}

func deltaTexts(deltas []cache.Delta) []string {
	out := []string{}
	for _, d := range deltas {
		// The infos of atomic events are of types that old versions do not have.
		object := reflect.ValueOf(d.Object)
		switch s := string(d.Type) + " "; d.Type {
		case "ReplacedAll":
			var all []string
			for _, o := range object.FieldByName("Objects").Interface().([]any) {
				all = append(all, text(o))
			}
			out = append(out, s+"rv="+object.FieldByName("ResourceVersion").String()+" ["+strings.Join(all, " ")+"]")
		case "SyncAll":
			out = append(out, s+"*")
		case "Bookmark":
			out = append(out, s+"rv="+object.FieldByName("ResourceVersion").String())
		default:
			out = append(out, s+text(d.Object))
		}
	}
	return out
}
