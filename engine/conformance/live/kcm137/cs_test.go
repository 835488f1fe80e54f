package kcm137

import (
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

type csOp struct {
	Op, Kind, Owner, UID, Resource, RV string
	Ms                                 int64
	Stores                             map[string]string
	Nil                                []string
}

// fakeStore is a cache that has come as far as a script says.
type fakeStore string

func (s *fakeStore) LastStoreSyncResourceVersion() string { return string(*s) }

// csPlayer plays cs.* to kube-controller-manager's consistency store.
type csPlayer struct {
	s      consistency.ConsistencyStore
	stores map[string]consistency.LastSyncRVGetter
}

func playCS(t *testing.T, script []proof.Op) []string {
	p := &csPlayer{}
	return proof.Play(t, script, p.play, func() {})
}

func groupResource(name string) schema.GroupResource {
	group, resource, ok := strings.Cut(name, "/")
	if !ok {
		group, resource = "", name
	}
	return schema.GroupResource{Group: group, Resource: resource}
}

func owner(text string) types.NamespacedName {
	ns, name, _ := strings.Cut(text, "/")
	return types.NamespacedName{Namespace: ns, Name: name}
}

func (p *csPlayer) play(line proof.Op, res map[string]any) {
	var op csOp
	proof.Fields(line, &op)
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "cs.new":
		p.open(&op)
	case "cs.store":
		switch s := p.stores[op.Resource].(type) {
		case *fakeStore:
			*s = fakeStore(op.RV)
		case cache.Store:
			s.Bookmark(op.RV)
		}
	case "cs.wroteAt":
		p.s.WroteAt(owner(op.Owner), types.UID(op.UID), groupResource(op.Resource), op.RV)
	case "cs.clear":
		p.s.Clear(owner(op.Owner), types.UID(op.UID))
	case "cs.ensureReady":
		p.ensureReady(owner(op.Owner), res)
	}
	p.print(res)
}

func (p *csPlayer) open(op *csOp) {
	p.stores = map[string]consistency.LastSyncRVGetter{}
	all := map[schema.GroupResource]consistency.LastSyncRVGetter{}
	for name, rv := range op.Stores {
		if op.Kind == "store" {
			s := cache.NewStore(cache.MetaNamespaceKeyFunc)
			s.Bookmark(rv)
			p.stores[name] = s
		} else {
			s := fakeStore(rv)
			p.stores[name] = &s
		}
		all[groupResource(name)] = p.stores[name]
	}
	for _, name := range op.Nil {
		all[groupResource(name)] = nil
	}
	if p.s = consistency.NewConsistencyStore(all); op.Kind == "noop" {
		p.s = consistency.NewNoopConsistencyStore()
	}
}

// staleOf names all caches that are behind. The real store names one of them.
func staleOf(s consistency.ConsistencyStore, stores map[string]consistency.LastSyncRVGetter, o types.NamespacedName) (stale []string) {
	records(s, func(of types.NamespacedName, _ string, versions map[schema.GroupResource]string) {
		for gr, wrote := range versions {
			name := resourceName(gr)
			if of != o || stores[name] == nil {
				continue
			}
			alone := consistency.NewConsistencyStore(map[schema.GroupResource]consistency.LastSyncRVGetter{gr: stores[name]})
			alone.WroteAt(o, "", gr, wrote)
			if behind := new(consistency.ConsistencyError); errors.As(alone.EnsureReady(o), &behind) {
				stale = append(stale, fmt.Sprintf("%s readRV=%s wroteRV=%s", name, behind.ReadRV, behind.WroteRV))
			}
		}
	})
	slices.Sort(stale)
	return stale
}

func (p *csPlayer) ensureReady(o types.NamespacedName, res map[string]any) {
	stale := staleOf(p.s, p.stores, o)
	err := p.s.EnsureReady(o)
	res["ready"] = err == nil
	if (err == nil) != (len(stale) == 0) {
		res["stale"] = "EnsureReady and its parts don't agree"
	}
	if len(stale) > 0 {
		res["staleAnyOf"] = stale
	}
	if len(stale) == 1 {
		res["message"] = err.Error()
	}
}

func resourceName(gr schema.GroupResource) string {
	if gr.Group == "" {
		return gr.Resource
	}
	return gr.Group + "/" + gr.Resource
}

// records are the real store's.
func records(s consistency.ConsistencyStore, see func(o types.NamespacedName, uid string, versions map[schema.GroupResource]string)) {
	if _, real := s.(*consistency.RealConsistencyStore); !real {
		return
	}
	writes := reach(reflect.ValueOf(s).Elem().FieldByName("writes"))
	for _, k := range writes.MapKeys() {
		record := writes.MapIndex(k).Elem()
		see(k.Interface().(types.NamespacedName), record.FieldByName("ownerUID").String(), reach(record.FieldByName("versions")).Interface().(map[schema.GroupResource]string))
	}
}

func recordsText(s consistency.ConsistencyStore) []string {
	writes := []string{}
	records(s, func(o types.NamespacedName, uid string, versions map[schema.GroupResource]string) {
		var of []string
		for gr, rv := range versions {
			of = append(of, resourceName(gr)+"="+rv)
		}
		slices.Sort(of)
		writes = append(writes, o.String()+"#"+uid+" "+strings.Join(of, " "))
	})
	slices.Sort(writes)
	return writes
}

func (p *csPlayer) print(res map[string]any) {
	stores := []string{}
	for name, s := range p.stores {
		stores = append(stores, name+"="+s.LastStoreSyncResourceVersion())
	}
	slices.Sort(stores)
	res["stores"], res["writes"] = stores, recordsText(p.s)
}

// csScript makes a script up for the consistency store.
func csScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	odd := r.Intn(4) == 0
	rv := func() string {
		if odd && r.Intn(5) == 0 {
			return pick("", "0", "07", "x", "-5", "4611686018427387904", "18446744073709551616", "99999999999999999999", "+3")
		}
		return fmt.Sprint(1 + r.Intn(120))
	}
	script := []proof.Op{{"op": "cs.new", "kind": pick("fake", "store", "store", "", "fake", "fake", "fake", "noop"), "stores": map[string]string{"pods": rv(), "apps/replicasets": rv()}}}
	if r.Intn(4) == 0 {
		script[0]["nil"] = []string{"apps/deployments"}
	}
	for range 20 + r.Intn(80) {
		op := proof.Op{"op": "cs." + pick("wroteAt", "wroteAt", "wroteAt", "store", "store", "clear", "ensureReady", "ensureReady", "ensureReady")}
		switch op["op"] {
		case "cs.wroteAt":
			op["owner"], op["uid"], op["resource"], op["rv"] = pick("ns/a", "ns/b"), pick("u1", "u1", "u2"), pick("pods", "apps/replicasets", "apps/deployments"), rv()
		case "cs.store":
			op["resource"], op["rv"] = pick("pods", "apps/replicasets"), rv()
		case "cs.clear":
			op["owner"], op["uid"] = pick("ns/a", "ns/b"), pick("u1", "u2", "")
		default:
			op["owner"] = pick("ns/a", "ns/b")
		}
		script = append(script, op)
	}
	return script
}
