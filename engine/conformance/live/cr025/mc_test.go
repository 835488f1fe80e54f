package cr025

import (
	"container/list"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

type objectSpec struct {
	K, RV, UID, T string
	L             map[string]string
}

func (s *objectSpec) object() *metav1.PartialObjectMetadata {
	ns, name, ok := strings.Cut(s.K, "/")
	if !ok {
		ns, name = "", s.K
	}
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, ResourceVersion: s.RV, UID: types.UID(s.UID), Labels: s.L}}
}

type mcOp struct {
	Op, Kind, Key, Index, Value string
	TTLMs, Ms                   int64
	Max                         int
	IncludeAdds                 bool
	Indexers                    []string
	O                           *objectSpec
}

// mcPlayer plays mc.* to client-go's mutation cache.
type mcPlayer struct {
	store cache.Indexer
	c     cache.MutationCache
}

func playMC(t *testing.T, script []proof.Op) []string {
	p := &mcPlayer{}
	return proof.Play(t, script, p.play, func() {})
}

func indexers(names []string) cache.Indexers {
	out := cache.Indexers{}
	for _, name := range names {
		if label, ok := strings.CutPrefix(name, "label:"); ok {
			out[name] = func(o any) ([]string, error) {
				if v, ok := o.(metav1.Object).GetLabels()[label]; ok {
					return []string{v}, nil
				}
				return nil, nil
			}
		} else {
			out[name] = cache.MetaNamespaceIndexFunc
		}
	}
	return out
}

func (p *mcPlayer) play(line proof.Op, res map[string]any) {
	var op mcOp
	proof.Fields(line, &op)
	var obj *metav1.PartialObjectMetadata
	if op.O != nil {
		obj = op.O.object()
	}
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "mc.new":
		p.store = cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers(op.Indexers))
		o := cache.MutationCacheOptions{Indexer: p.store, TTL: time.Duration(op.TTLMs) * time.Millisecond, IncludeAdds: op.IncludeAdds, MaxCacheSize: op.Max}
		if op.Kind == "noIndexer" {
			o.Indexer = nil
		}
		p.c = cache.NewIntegerResourceVersionMutationCacheWithOptions(klog.Background(), p.store, o)
	case "mc.storeSet":
		p.store.Update(obj)
	case "mc.storeDelete":
		p.store.Delete(obj)
	case "mc.informerSet":
		p.store.Update(obj)
		p.c.OnAddOrUpdate(obj)
	case "mc.informerDelete":
		p.store.Delete(obj)
		p.c.OnDelete(obj)
	case "mc.mutation":
		p.c.Mutation(obj)
	case "mc.onAddOrUpdate":
		p.c.OnAddOrUpdate(obj)
	case "mc.onDelete":
		p.c.OnDelete(obj)
	case "mc.getByKey":
		o, exists, err := p.c.GetByKey(op.Key)
		if err != nil {
			panic(err)
		}
		res["ret"], res["exists"] = objectText(o), exists
	case "mc.byIndex":
		all, err := p.c.ByIndex(op.Index, op.Value)
		if err != nil {
			res["err"] = err.Error()
		}
		ret := []string{}
		for _, o := range all {
			ret = append(ret, objectText(o))
		}
		slices.Sort(ret)
		res["ret"] = ret
	}
	p.print(res)
}

// objectText writes an object, or the mutation cache's tombstone of one.
func objectText(o any) string {
	if o == nil {
		return "nil"
	}
	m := o.(metav1.Object)
	text := m.GetName() + "@" + m.GetResourceVersion()
	if m.GetNamespace() != "" {
		text = m.GetNamespace() + "/" + text
	}
	if _, real := o.(*metav1.PartialObjectMetadata); !real {
		return "TOMBSTONE(" + text + "#" + string(m.GetUID()) + ")"
	}
	if m.GetUID() != "" {
		text += "#" + string(m.GetUID())
	}
	if l := m.GetLabels(); len(l) > 0 {
		text += "{"
		for i, k := range slices.Sorted(keysOf(l)) {
			if i > 0 {
				text += ","
			}
			text += k + "=" + l[k]
		}
		text += "}"
	}
	return text
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (p *mcPlayer) print(res map[string]any) {
	lru, backing := []string{}, []string{}
	l := controllers.Reach(reflect.ValueOf(p.c).Elem().FieldByName("mutationCache")).Elem().FieldByName("evictionList")
	entries := controllers.Reach(l).Addr().Interface().(*list.List)
	for e := entries.Back(); e != nil; e = e.Prev() {
		entry := reflect.ValueOf(e.Value).Elem()
		value, expires := controllers.Reach(entry.FieldByName("value")).Interface(), controllers.Reach(entry.FieldByName("expireTime")).Interface().(time.Time)
		lru = append(lru, fmt.Sprintf("%s=%s ttl=%dms", controllers.Reach(entry.FieldByName("key")).Interface(), objectText(value), time.Until(expires).Milliseconds()))
	}
	for _, o := range p.store.List() {
		backing = append(backing, objectText(o.(runtime.Object)))
	}
	slices.Sort(backing)
	res["lru"], res["backing"] = lru, backing
}

// mcScript makes a script up for the mutation cache. ByIndex touches entries
// in the order of a map, so each namespace has one key.
func mcScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	script := []proof.Op{{"op": "mc.new", "ttlMs": []int{0, 1000, 5000}[r.Intn(3)], "max": []int{0, 2, 3}[r.Intn(3)], "includeAdds": r.Intn(2) == 0,
		"indexers": []string{"namespace", "label:app"}, "kind": pick("", "", "", "", "", "noIndexer")}}
	odd := r.Intn(6) == 0
	rv := 1
	for range 20 + r.Intn(80) {
		rv += r.Intn(3)
		op := proof.Op{"op": "mc." + pick("storeSet", "storeDelete", "informerSet", "informerSet", "informerDelete", "mutation", "mutation", "mutation", "onAddOrUpdate", "onDelete", "getByKey", "getByKey", "byIndex")}
		switch op["op"] {
		case "mc.getByKey":
			op["key"] = pick("ns/a", "ms/b", "os/c", "x")
		case "mc.byIndex":
			op["index"] = "namespace"
			op["value"] = pick("ns", "ms", "os", "")
		default:
			o := map[string]any{"k": pick("ns/a", "ms/b", "os/c", "x"), "rv": fmt.Sprint(max(1, rv-r.Intn(8))), "uid": pick("u1", "u2")}
			if odd && r.Intn(8) == 0 {
				o["rv"] = pick("", "x", "007", "18446744073709551615", "18446744073709551616", "-1")
			}
			if r.Intn(2) == 0 {
				o["l"] = map[string]string{"app": pick("x", "y")}
			}
			op["o"] = o
		}
		if r.Intn(6) == 0 {
			op = proof.Op{"op": "advance", "ms": []int{1, 100, 999, 1000, 1001, 5000, 300_001}[r.Intn(7)]}
		}
		script = append(script, op)
	}
	return script
}
