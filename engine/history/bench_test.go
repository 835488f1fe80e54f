package history

import (
	"fmt"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// manyEvents is a list with as many objects as keys says, and then one update every
// 40 µs.
func manyEvents(keys, events int) *feed {
	f := newFeed()
	app := f.t.Sym("app")
	meta := make([]object.Meta, keys)
	f.add(apiserver.Record{Kind: apiserver.ListBegin})
	for i := range meta {
		labels := f.t.LabelSet([]object.Label{{Name: app, Value: f.t.Sym(fmt.Sprint("app", i%200))}})
		meta[i] = object.Meta{Namespace: f.t.Sym(fmt.Sprint("ns", i%20)), Name: f.t.Sym(fmt.Sprint("pod-", i)), RV: object.NumberRV(uint64(i + 1)), Labels: labels}
		f.add(apiserver.Record{Kind: apiserver.ListItem, Obj: f.t.Add(meta[i])})
	}
	f.add(apiserver.Record{Kind: apiserver.ListEnd, RV: object.NumberRV(uint64(keys))}).wait(ms).open().wait(50 * ms)
	for i := range events {
		m := &meta[i*7919%keys]
		m.RV = object.NumberRV(uint64(keys + i + 1))
		f.add(apiserver.Record{Kind: apiserver.WatchEvent, Delta: event.Updated, Obj: f.t.Add(*m), RV: m.RV})
		f.wait(40_000)
	}
	return f
}

func manyConfig(f *feed) *world.Config {
	cfg := f.config(informer.Handler{Name: "first"}, informer.Handler{Name: "second"})
	cfg.Informers[0].Indexers = append(cfg.Informers[0].Indexers, indexer.Named{Name: "app", Func: indexer.LabelIndexFunc(f.t.Sym("app"))})
	return cfg
}

const (
	benchKeys   = 5_000
	benchEvents = 200_000
)

func BenchmarkWorld(b *testing.B) {
	cfg := manyConfig(manyEvents(benchKeys, benchEvents))
	b.ReportAllocs()
	var steps int64
	for b.Loop() {
		w, err := newPoint(cfg)
		if err != nil {
			b.Fatal(err)
		}
		steps += w.run(1 << 40)
	}
	b.ReportMetric(float64(benchEvents)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

func BenchmarkHistory(b *testing.B) {
	cfg := manyConfig(manyEvents(benchKeys, benchEvents))
	b.ReportAllocs()
	for b.Loop() {
		h, err := New(cfg, nil)
		if err != nil {
			b.Fatal(err)
		}
		for h.Extend(1<<20) > 0 {
		}
	}
	b.ReportMetric(float64(benchEvents)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkSeek goes to steps everywhere in the run, and through the steps before each of them, as the page does.
func BenchmarkSeek(b *testing.B) {
	h, err := New(manyConfig(manyEvents(benchKeys, benchEvents)), nil)
	if err != nil {
		b.Fatal(err)
	}
	for h.Extend(1<<20) > 0 {
	}
	b.ReportMetric(float64(len(h.runs.worlds)), "checkpoints")
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		i += 7_654_321
		to := i % h.Steps()
		h.SeekTo(to)
		for step := max(to-48, 0); step <= to; step++ {
			h.SeekTo(step)
		}
	}
}

func BenchmarkClone(b *testing.B) {
	w, err := newPoint(manyConfig(manyEvents(10_000, 1000)))
	if err != nil {
		b.Fatal(err)
	}
	w.run(1 << 40)
	b.ReportAllocs()
	for b.Loop() {
		w.clone()
	}
}

// BenchmarkProfiles is BenchmarkWorld under each profile.
func BenchmarkProfiles(b *testing.B) {
	cfg := manyConfig(manyEvents(benchKeys, benchEvents))
	for _, p := range world.Profiles() {
		cfg.Informers[0].Profile = p
		b.Run(p.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, err := newPoint(cfg)
				if err != nil {
					b.Fatal(err)
				}
				w.run(1 << 40)
			}
			b.ReportMetric(float64(benchEvents)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkBranch leaves a long run at steps everywhere in it.
func BenchmarkBranch(b *testing.B) {
	h, err := New(manyConfig(manyEvents(benchKeys, benchEvents)), nil)
	if err != nil {
		b.Fatal(err)
	}
	for h.Extend(1<<20) > 0 {
	}
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		i += 7_654_321
		n := h.Branch(i % h.Steps())
		n.Do(world.Command{Kind: world.BreakWatch})
		n.Drop()
	}
}
