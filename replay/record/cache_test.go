package record

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

// faults returns what a recording says of the cache.
func faults(t *testing.T, b []byte) (all []string) {
	t.Helper()
	for _, f := range logOf(t, b).Faults {
		all = append(all, fmt.Sprint(f.Kind, " ", f.Name, " ", f.Fn, " ", f.Key, " ", f.RV, " ", f.Times))
	}
	return all
}

// cachedPod is an object of the cache.
type cachedPod struct{ Namespace, Name, ResourceVersion, Phase string }

func (p *cachedPod) GetNamespace() string       { return p.Namespace }
func (p *cachedPod) GetName() string            { return p.Name }
func (p *cachedPod) GetResourceVersion() string { return p.ResourceVersion }

// A panic of a function of the cache goes on, and is recorded before.
func TestFunctionsThatPanic(t *testing.T) {
	var out bytes.Buffer
	rec, err := New(&out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bad := &cachedPod{"shop", "web", "7", ""}
	panics := func(f func()) {
		t.Helper()
		defer func() {
			if p := recover(); p != "planted" {
				t.Errorf("the panic is %v", p)
			}
		}()
		f()
	}
	index := Indexers(rec, map[string]func(any) ([]string, error){
		"bad":  func(any) ([]string, error) { panic("planted") },
		"good": func(any) ([]string, error) { return []string{"x"}, nil },
	})
	panics(func() { index["bad"](bad) })
	panics(func() { index["bad"](nil) })
	panics(func() { IndexerFunc(rec, ".spec.node", func(*cachedPod) []string { panic("planted") })(bad) })
	panics(func() { Transform(rec, "trim", func(any) (any, error) { panic("planted") })(bad) })
	if values, err := index["good"](bad); len(values) != 1 || values[0] != "x" || err != nil {
		t.Error(values, err)
	}
	if Transform[func(any) (any, error)](rec, "none", nil) != nil {
		t.Error("a transform function was made of none")
	}
	var none *Recorder
	panics(func() {
		Indexers(none, map[string]func(any) ([]string, error){"bad": func(any) ([]string, error) { panic("planted") }})["bad"](bad)
	})
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(faults(t, out.Bytes())); got != "[index bad  shop/web 7 2 index .spec.node  shop/web 7 1 transform trim  shop/web 7 1]" {
		t.Error(got)
	}
}

// changer is a handler that changes what it gets.
type changer struct{ change func(obj any) }

func (c changer) OnAdd(obj any, _ bool) { c.change(obj) }
func (c changer) OnUpdate(_, obj any)   { c.change(obj) }
func (c changer) OnDelete(obj any)      {}

// An object that is changed in the cache is told of once for each change: with the method in whose call it was, or at its next event.
func TestObjectsThatAreChanged(t *testing.T) {
	for _, c := range []struct {
		every  int
		in     bool // the handler changes it
		before bool // or somebody else does
		want   string
	}{
		{1, true, false, "[changed web OnAdd shop/web 1 2 changed web OnUpdate shop/web 2 2]"},
		{1, false, true, "[changed web  shop/web 1 2]"},
		{1, false, false, "[]"},
		{0, true, true, "[]"},
	} {
		var out bytes.Buffer
		rec, err := New(&out, Options{CheckObjects: c.every})
		if err != nil {
			t.Fatal(err)
		}
		h := rec.Handler("web", changer{func(obj any) {
			if p, ok := obj.(*cachedPod); ok && c.in {
				p.Phase += "+"
			}
		}})
		first, second := &cachedPod{"shop", "web", "1", ""}, &cachedPod{"shop", "web", "2", ""}
		later := func(p *cachedPod) {
			if c.before {
				p.Phase += "-"
			}
		}
		h.OnAdd(first, true)
		later(first)
		h.OnUpdate(first, second)
		later(second)
		h.OnDelete(second)
		h.OnAdd(&cachedPod{"shop", "other", "3", strings.Repeat("x", 1<<10)}, false)
		h.OnUpdate(&cachedPod{"shop", "other", "3", ""}, &cachedPod{"shop", "other", "4", ""}) // the first one isn't what was told
		h.OnAdd(nil, false)
		h.OnDelete("neither an object nor a tombstone")
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		got := faults(t, out.Bytes())
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Handlers are called at the same time, and each has its objects.
func TestObjectsOfManyHandlers(t *testing.T) {
	var out bytes.Buffer
	rec, err := New(&out, Options{CheckObjects: 2})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 4 {
		h := rec.Handler(fmt.Sprint("h", i), changer{func(any) {}})
		all.Go(func() {
			last := map[int]*cachedPod{}
			for n := range 2000 {
				p := &cachedPod{"shop", fmt.Sprint("p", n%50), fmt.Sprint(n), ""}
				if old := last[n%50]; old == nil {
					h.OnAdd(p, false)
				} else {
					h.OnUpdate(old, p)
				}
				last[n%50] = p
			}
		})
	}
	all.Wait()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if got := faults(t, out.Bytes()); len(got) > 0 {
		t.Error(got)
	}
}

// BenchmarkHandlerObjects compares a recorded handler whose objects are checked with one whose objects aren't.
func BenchmarkHandlerObjects(b *testing.B) {
	for _, every := range []int{0, 100, 1} {
		b.Run(fmt.Sprint("one in ", every), func(b *testing.B) {
			rec, err := New(io.Discard, Options{CheckObjects: every, KeepSecrets: true})
			if err != nil {
				b.Fatal(err)
			}
			h := rec.Handler("web", changer{func(any) {}})
			old := &cachedPod{"shop", "web", "1", strings.Repeat("x", 2000)}
			b.ReportAllocs()
			for n := range b.N {
				p := &cachedPod{"shop", fmt.Sprint("p", n%1000), "2", old.Phase}
				h.OnUpdate(old, p)
			}
			rec.Close()
		})
	}
}
