package indexer

import (
	"errors"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

type fixture struct {
	t   *object.Table
	app object.Sym
	rv  uint64
}

func newFixture() *fixture {
	t := object.NewTable(nil)
	return &fixture{t: t, app: t.Sym("app")}
}

func (f *fixture) obj(name, app string) object.Ref {
	f.rv++
	m := object.Meta{Namespace: f.t.Sym("ns" + name[len(name)-1:]), Name: f.t.Sym(name), RV: object.NumberRV(f.rv)}
	if app != "" {
		m.Labels = f.t.LabelSet([]object.Label{{Name: f.app, Value: f.t.Sym(app)}})
	}
	return f.t.Add(m)
}

func (f *fixture) indexers() []Named {
	return []Named{{"app", LabelIndexFunc(f.app)}, {NamespaceIndex, MetaNamespaceIndexFunc}, {"both", func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
		m := t.Meta(r)
		dst = append(dst, m.Namespace, m.Namespace)
		for _, l := range t.LabelsOf(m.Labels) {
			dst = append(dst, l.Value)
		}
		return dst, nil
	}}}
}

func (f *fixture) new(t *testing.T, g Gates) *Indexer {
	t.Helper()
	x, err := New(f.t, g, f.indexers()...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestAgainstMaps plays random operations and compares the store with plain maps.
func TestAgainstMaps(t *testing.T) {
	seeds := int64(20)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewSource(seed))
		f := newFixture()
		x := f.new(t, Gates{KeepUnchanged: seed%2 == 0})
		model := map[object.Key]object.Ref{}
		random := func() object.Ref {
			return f.obj("p"+strconv.Itoa(rnd.Intn(30)), []string{"", "web", "db", "x"}[rnd.Intn(4)])
		}
		for range 400 {
			var log event.Log
			c := new(Indexer)
			c.CopyFrom(x)
			before := dump(f, c)
			switch r := random(); rnd.Intn(8) {
			case 0:
				var list []object.Ref
				clear(model)
				for range rnd.Intn(20) {
					r := random()
					list = append(list, r)
					model[f.t.KeyOf(r)] = r
				}
				x.Replace(list, 7, &log)
				c.Replace(list, 7, nil)
			case 1, 2:
				k := f.t.KeyOf(r)
				delete(model, k)
				x.Delete(k, 0, true, &log)
				c.Delete(k, 0, true, nil)
			default:
				model[f.t.KeyOf(r)] = r
				x.Add(r, &log)
				c.Update(r, nil)
			}
			if got, same := dump(f, x), dump(f, c); !reflect.DeepEqual(got, same) {
				t.Fatalf("seed %d: the clone went another way:\n%v\n%v\nfrom %v", seed, got, same, before)
			}
			check(t, f, x, model)
		}
	}
}

func check(t *testing.T, f *fixture, x *Indexer, model map[object.Key]object.Ref) {
	t.Helper()
	if x.Len() != len(model) || len(x.List(nil)) != len(model) {
		t.Fatalf("the store has %d objects (%d listed), want %d", x.Len(), len(x.List(nil)), len(model))
	}
	for i, in := range f.indexers() {
		want := map[object.Sym][]object.Key{}
		for _, k := range x.ListKeys(nil) {
			if got, _ := x.GetByKey(k); got != model[k] {
				t.Fatalf("under the key %s is %d, want %d", f.t.KeyText(k), got, model[k])
			}
			values, _ := in.Func(f.t, model[k], nil)
			slices.Sort(values)
			for _, v := range slices.Compact(values) {
				want[v] = append(want[v], k)
			}
		}
		i, _ = x.index(in.Name)
		if x.Values(i) != len(want) || len(x.ListIndexFuncValues(in.Name, nil)) != len(want) {
			t.Fatalf("index %s has %d values, want %d", in.Name, x.Values(i), len(want))
		}
		for v, keys := range want {
			got, err := x.IndexKeys(in.Name, f.t.Text(v), nil)
			if err != nil || !slices.Equal(got, keys) || x.Count(i, v) != len(keys) {
				t.Fatalf("index %s has under %q the keys %v (count %d), want %v", in.Name, f.t.Text(v), got, x.Count(i, v), keys)
			}
		}
	}
}

func dump(f *fixture, x *Indexer) map[string]any {
	d := map[string]any{"": x.List(nil)}
	for i := range x.Indices() {
		for _, v := range x.ListIndexFuncValues(x.IndexName(i), nil) {
			keys, _ := x.IndexKeys(x.IndexName(i), f.t.Text(v), nil)
			d[x.IndexName(i)+"="+f.t.Text(v)] = keys
		}
	}
	return d
}

func TestMutatedObject(t *testing.T) {
	for _, keep := range []bool{false, true} {
		f := newFixture()
		x := f.new(t, Gates{KeepUnchanged: keep})
		pod := f.obj("p1", "web")
		x.Add(pod, nil)
		x.Mutate(pod, f.obj("p1", "db"))
		x.Add(f.obj("p1", "db"), nil)
		web, _ := x.IndexKeys("app", "web", nil)
		db, _ := x.IndexKeys("app", "db", nil)
		if len(web) != 1 || (len(db) == 1) == keep {
			t.Errorf("with KeepUnchanged %v, the keys under web are %v, and under db %v", keep, web, db)
		}
	}
}

func TestIndexFuncFails(t *testing.T) {
	f := newFixture()
	broken := errors.New("broken")
	x, _ := New(f.t, Gates{}, Named{"failing", func(*object.Table, object.Ref, []object.Sym) ([]object.Sym, error) { return nil, broken }})
	r := f.obj("p1", "web")
	err := x.Add(r, nil)
	var p Panicked
	if !errors.As(err, &p) || p.Index != "failing" || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got, _ := x.GetByKey(f.t.KeyOf(r)); got != r {
		t.Error("the object was not written before the index failed")
	}
}

// TestFailureLeavesOldValuesGone checks what happens to an object whose new
// version can't be indexed: in v0.22 no index has it any more, and in v0.37 the
// index that fails keeps it.
func TestFailureLeavesOldValuesGone(t *testing.T) {
	for _, keep := range []bool{false, true} {
		f := newFixture()
		x, _ := New(f.t, Gates{KeepUnchanged: keep}, f.indexers()[0], Named{"failing", func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
			if v, _ := t.LabelValue(t.LabelSetOf(r), f.app); t.Text(v) == "bad" {
				return nil, errors.New("broken")
			}
			return append(dst, f.app), nil
		}})
		x.Add(f.obj("p1", "web"), nil)
		if err := x.Add(f.obj("p1", "bad"), nil); err == nil {
			t.Fatal("indexing doesn't fail")
		}
		apps, _ := x.IndexKeys("app", "web", nil)
		filed, _ := x.IndexKeys("failing", "app", nil)
		if len(apps) != 0 || (len(filed) == 1) != keep {
			t.Errorf("with KeepUnchanged %v, the keys under app=web are %v, and those of the failing index %v", keep, apps, filed)
		}
	}
}

func TestUpdateOfUnchangedValuesIsQuiet(t *testing.T) {
	for _, keep := range []bool{false, true} {
		f := newFixture()
		x := f.new(t, Gates{KeepUnchanged: keep})
		x.Add(f.obj("p1", "web"), nil)
		var log event.Log
		x.Update(f.obj("p1", "web"), &log)
		if len(log.Events) != 1 || log.Events[0].Kind != event.StoreUpdated {
			t.Errorf("with KeepUnchanged %v, the update emits %+v", keep, log.Events)
		}
	}
}

func TestAddIndexers(t *testing.T) {
	f := newFixture()
	late := []Named{{"late", LabelIndexFunc(f.app)}}
	x := f.new(t, Gates{})
	x.Add(f.obj("p1", "web"), nil)
	if err := x.AddIndexers(late, nil); err != ErrRunning {
		t.Errorf("got %v", err)
	}
	x = f.new(t, Gates{IndexLate: true})
	x.Add(f.obj("p1", "web"), nil)
	if err := x.AddIndexers(append(f.indexers()[:1], late...), nil); err != (ConflictError{"app"}) || x.Indices() != 3 {
		t.Errorf("got %v", err)
	}
	if err := x.AddIndexers(late, nil); err != nil {
		t.Error(err)
	}
	if got, err := x.ByIndex("late", "web", nil); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	f := newFixture()
	x := f.new(t, Gates{})
	var refs []object.Ref
	for i := range 200 {
		refs = append(refs, f.obj("p"+strconv.Itoa(i%50), []string{"web", "db", "x"}[i%3]))
	}
	var log event.Log
	run := func() {
		log.Reset()
		for _, r := range refs {
			x.Update(r, &log)
		}
		x.Delete(f.t.KeyOf(refs[0]), 0, true, &log)
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("an update allocates %v times", n)
	}
	c := new(Indexer)
	c.CopyFrom(x)
	if n := testing.AllocsPerRun(20, func() { c.CopyFrom(x) }); n != 0 {
		t.Errorf("CopyFrom allocates %v times", n)
	}
}

// TestStoredTombstone: a store takes a tombstone like any object. It has no
// resourceVersion, and no index function can read it.
func TestStoredTombstone(t *testing.T) {
	f := newFixture()
	x, err := New(f.t, Gates{TrackRV: true})
	if err != nil {
		t.Fatal(err)
	}
	r := f.obj("x", "web")
	tomb := f.t.Tombstone(f.t.KeyOf(r), r)
	if err := errors.Join(x.Update(r, nil), x.Update(tomb, nil)); err != nil {
		t.Fatal(err)
	}
	if got, _ := x.GetByKey(f.t.KeyOf(r)); got != tomb || x.LastStoreSyncResourceVersion() != f.t.RVOf(r) {
		t.Errorf("stored is %d, want %d; the store's resourceVersion is %s", got, tomb, f.t.RVText(x.LastStoreSyncResourceVersion()))
	}
	x = f.new(t, Gates{})
	if err := x.Update(tomb, nil); err == nil || x.Len() != 1 {
		t.Errorf("an index function took a tombstone for an object: %v", err)
	}
}
