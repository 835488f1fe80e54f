package kamera

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// made is a dump as SaveInspectorDump writes it, step by step. No file that the program wrote was seen: the fields
// are those of pkg/analysis and pkg/tracecheck.
type made struct {
	objects []map[string]any
	steps   []map[string]any
	there   []map[string]any
	seq     map[string]int64
	last    int64
}

func (m *made) key(kind, name string) map[string]any {
	return map[string]any{"identityGroup": "x.io", "identityKind": kind, "objectId": kind + name, "resourceGroup": "x.io", "resourceKind": kind, "namespace": "default", "name": name}
}

// version is a version of an object, whose hash is its text.
func (m *made) version(kind, name, version, owner string) map[string]any {
	h := map[string]any{"Value": kind + name + version, "Strategy": "anonymized"}
	meta := map[string]any{"name": name, "namespace": "default"}
	if owner != "" {
		meta["ownerReferences"] = []any{map[string]any{"apiVersion": "x.io/v1", "kind": "Foo", "name": owner}}
	}
	m.objects = append(m.objects, map[string]any{"hash": h, "object": map[string]any{"apiVersion": "x.io/v1", "kind": kind, "metadata": meta}})
	return h
}

// exists is an object that is there before the first step.
func (m *made) exists(kind, name string) {
	m.there = append(m.there, map[string]any{"key": m.key(kind, name), "hash": m.version(kind, name, "1", "")})
	m.last++
	m.seq["x.io/"+kind] = m.last
}

type op struct{ op, kind, name, version, owner string }

// step adds a step. Old are kinds that it sees as they were at a write.
func (m *made) step(controller string, old map[string]int64, ops []op, pending ...string) {
	before := map[string]int64{}
	for k, n := range m.seq {
		before[k] = n
	}
	for k, n := range old {
		before["x.io/"+k] = n
	}
	s := map[string]any{"controllerId": controller, "frameId": "f", "frameType": "explore", "stateBefore": m.there, "kindSeqBefore": before}
	var effects, reads, versions []any
	for _, o := range ops {
		h := m.version(o.kind, o.name, o.version, o.owner)
		e := map[string]any{"OpType": o.op, "Key": m.key(o.kind, o.name), "Version": h, "Precondition": nil}
		if o.op == "GET" || o.op == "LIST" {
			reads = append(reads, e)
			continue
		}
		effects, versions = append(effects, e), append(versions, map[string]any{"key": m.key(o.kind, o.name), "hash": h})
		m.last++
		m.seq["x.io/"+o.kind] = m.last
	}
	s["changes"] = map[string]any{"objectVersions": versions, "effects": effects, "observations": reads}
	var all []any
	for _, p := range pending {
		w := strings.Fields(p)
		source := "State Change"
		if len(w) > 2 {
			source = w[2]
		}
		all = append(all, map[string]any{"reconcilerId": w[0], "namespace": "default", "name": w[1], "source": source})
	}
	s["pendingReconciles"] = all
	m.steps = append(m.steps, s)
}

func (m *made) text(t testing.TB) []byte {
	t.Helper()
	b, err := json.MarshalIndent(map[string]any{"objects": m.objects, "states": []any{map[string]any{"id": "s1", "divergencePoint": "", "paths": []any{m.steps}}}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (m *made) dump(t *testing.T) *Dump {
	t.Helper()
	b := m.text(t)
	if !Looks(b) {
		t.Errorf("a dump is not known by its beginning")
	}
	d, err := Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPaths(t *testing.T) {
	const own = "FooController a"
	foo := op{"GET", "Foo", "a", "1", ""}
	bar := op{"CREATE", "Bar", "a-1", "1", "a"}
	again := op{"CREATE", "Bar", "a-2", "1", "a"}
	for _, c := range []struct {
		name string
		make func(m *made)
		want Verdict
		step int
		why  string
	}{
		{"fresh", func(m *made) {
			m.step("FooController", nil, []op{foo, bar}, own)
			m.step("FooController", nil, []op{foo, {"LIST", "Bar", "a-1", "1", "a"}})
		}, Survives, 0, ""},
		// The key is in the queue because of the child, so the cache has the child.
		{"the event that queues the key is read", func(m *made) {
			m.step("FooController", nil, []op{foo, bar, {"GET", "Bar", "b", "1", ""}}, own)
			m.step("FooController", map[string]int64{"Bar": 0}, []op{foo, again}, own)
		}, Fails, 2, "only with newer versions"},
		// The key is in the queue because of its owner, whose event may come before the child.
		{"two are created", func(m *made) {
			m.step("FooController", nil, []op{foo, bar, {"GET", "Bar", "b", "1", ""}}, own)
			m.step("External User", nil, []op{{"UPDATE", "Foo", "a", "2", ""}}, own)
			m.step("FooController", map[string]int64{"Bar": 0}, []op{{"GET", "Foo", "a", "2", ""}, again}, own)
		}, Survives, 0, ""},
		{"two kinds are watched", func(m *made) {
			m.step("FooController", nil, []op{foo, bar, {"CREATE", "Baz", "a-1", "1", "a"}}, own)
			m.step("FooController", nil, []op{foo, {"GET", "Bar", "a-1", "1", "a"}, {"GET", "Baz", "a-1", "1", "a"}})
		}, Survives, 0, ""},
		{"a cache goes back", func(m *made) {
			m.step("External User", nil, []op{{"UPDATE", "Foo", "a", "2", ""}}, own)
			m.step("FooController", nil, []op{{"GET", "Foo", "a", "2", ""}, {"UPDATE", "Foo", "a", "3", ""}}, own)
			m.step("FooController", nil, []op{foo})
		}, Fails, 3, "a cache never goes back"},
		{"an object lives on without a finalizer", func(m *made) {
			m.step("External User", nil, []op{{"DELETE", "Foo", "a", "2", ""}}, own, "CleanupReconciler a")
			m.step("FooController", nil, []op{{"GET", "Foo", "a", "2", ""}}, "CleanupReconciler a")
		}, Fails, 2, "removes it at once"},
		{"nothing brings the key", func(m *made) {
			m.step("FooController", nil, []op{foo})
			m.step("FooController", nil, []op{foo, bar})
		}, Fails, 2, "nothing brings default/a into the queue"},
		{"nobody knows what brings the key", func(m *made) {
			m.step("FooController", nil, []op{foo}, own)
			m.step("FooController", nil, []op{foo, bar})
		}, Undecided, 0, "does not say what put default/a"},
		{"a failure comes back", func(m *made) {
			m.step("FooController", nil, []op{foo}, own+" Requeue")
			m.step("FooController", nil, []op{foo, bar}, own)
		}, Survives, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &made{seq: map[string]int64{}}
			m.exists("Foo", "a")
			c.make(m)
			a := m.dump(t).Ask(1, Options{})
			if a.Verdict != c.want || len(a.Parts) != 1 {
				t.Fatalf("%+v", a)
			}
			p := a.Parts[0]
			if p.Step != c.step || !strings.Contains(p.Why, c.why) {
				t.Errorf("step %d, %q", p.Step, p.Why)
			}
			if (p.Verdict == Survives) != (p.Script != "") {
				t.Errorf("the script is %q", p.Script)
			}
			if p.Script == "" {
				return
			}
			began := 0
			r := script.NewRunner(func(script.Entry) {})
			r.Hear(func(facts []string) {
				for _, f := range facts {
					if strings.HasPrefix(f, "ReconcileStarted") {
						began++
					}
				}
			})
			if err := r.Play(p.Script); err != nil {
				t.Errorf("%v in\n%s", err, p.Script)
			}
			if want := strings.Count(p.Script, ": reconciles "); began != want {
				t.Errorf("%d reconciles begin, and not %d, in\n%s", began, want, p.Script)
			}
		})
	}
}

var update = flag.Bool("update", false, "write the sample anew")

// TestSample holds the file that the command line's test asks about.
func TestSample(t *testing.T) {
	const name = "testdata/made-two-created.json"
	m := &made{seq: map[string]int64{}}
	m.exists("Foo", "a")
	bar := op{"CREATE", "Bar", "a-1", "1", "a"}
	m.step("FooController", nil, []op{{"GET", "Foo", "a", "1", ""}, bar}, "FooController a", "BarController a-1")
	m.step("BarController", nil, []op{{"GET", "Bar", "a-1", "1", "a"}}, "FooController a")
	m.step("External User", nil, []op{{"UPDATE", "Foo", "a", "2", ""}}, "FooController a")
	m.step("FooController", map[string]int64{"Bar": 0}, []op{{"GET", "Foo", "a", "2", ""}, {"CREATE", "Bar", "a-2", "1", "a"}}, "FooController a", "BarController a-2")
	m.step("FooController", nil, []op{{"GET", "Foo", "a", "2", ""}, {"LIST", "Bar", "a-1", "1", "a"}, {"LIST", "Bar", "a-2", "1", "a"}}, "BarController a-2")
	late := *m
	late.steps = slices.Clone(m.steps[:4])
	late.step("FooController", nil, []op{{"GET", "Foo", "a", "1", ""}})
	want, err := json.MarshalIndent(map[string]any{"objects": m.objects, "states": []any{
		map[string]any{"id": "two", "divergencePoint": "", "paths": []any{m.steps}},
		map[string]any{"id": "late", "divergencePoint": "", "paths": []any{late.steps}},
	}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what go test -update writes: %v", name, err)
	}
}

// With one worker, keys are reconciled in the order in which they came.
func TestOrderNeedsWorkers(t *testing.T) {
	m := &made{seq: map[string]int64{}}
	m.exists("Foo", "a")
	m.exists("Foo", "b")
	m.step("External User", nil, []op{{"UPDATE", "Foo", "a", "2", ""}}, "FooController a")
	m.step("External User", nil, []op{{"UPDATE", "Foo", "b", "2", ""}}, "FooController a", "FooController b")
	m.step("FooController", nil, []op{{"GET", "Foo", "b", "2", ""}}, "FooController a")
	m.step("FooController", nil, []op{{"GET", "Foo", "a", "2", ""}})
	d := m.dump(t)
	if a := d.Ask(1, Options{}); a.Verdict != Fails || a.Parts[0].Step != 3 {
		t.Errorf("with one worker: %+v", a)
	}
	if a := d.Ask(1, Options{Workers: 2}); a.Verdict != Survives {
		t.Errorf("with two workers: %+v", a)
	}
}

// Two processes may have two caches of a kind, and one process has one.
func TestOneProcess(t *testing.T) {
	m := &made{seq: map[string]int64{}}
	m.exists("Foo", "a")
	m.step("External User", nil, []op{{"UPDATE", "Foo", "a", "2", ""}}, "FooController a", "OtherController a")
	m.step("FooController", nil, []op{{"GET", "Foo", "a", "2", ""}}, "OtherController a")
	m.step("OtherController", nil, []op{{"GET", "Foo", "a", "1", ""}})
	a := m.dump(t).Ask(1, Options{})
	if a.Shared == nil || a.Shared.Step != 3 || !strings.Contains(a.Shared.Why, "a cache never goes back") {
		t.Errorf("%+v", a)
	}
	if a.Parts[0].Verdict != Survives || a.Parts[1].Step == 3 && strings.Contains(a.Parts[1].Why, "a cache never goes back") {
		t.Errorf("%+v", a)
	}
}

func FuzzRead(f *testing.F) {
	m := &made{seq: map[string]int64{}}
	m.exists("Foo", "a")
	m.step("FooController", nil, []op{{"GET", "Foo", "a", "1", ""}, {"CREATE", "Bar", "b", "1", "a"}}, "FooController a", "BarController b")
	m.step("External User", nil, []op{{"DELETE", "Foo", "a", "2", ""}}, "FooController a Requeue", "BarController b")
	m.step("BarController", map[string]int64{"Foo": 0}, []op{{"GET", "Bar", "b", "1", ""}, {"REMOVE", "Foo", "a", "2", ""}})
	f.Add(m.text(f))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for i := range min(d.Paths(), 3) {
			d.Ask(i+1, Options{Limits: world.Limits{States: 100}})
		}
	})
}
