package history

import (
	"runtime"
	"testing"

	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// A checkpoint is counted with what it takes, or with up to twice of it and some more: a budget
// that is hardly used makes seeks in a long run slow.
func TestSizeOfACheckpoint(t *testing.T) {
	f := manyEvents(benchKeys, benchKeys)
	cfg := manyConfig(f)
	all := cfg.Informers[0].Indexers
	for _, p := range world.Profiles() {
		for n := range len(all) + 1 {
			cfg.Informers[0].Profile, cfg.Informers[0].Indexers = p, all[:n]
			w, err := newPoint(cfg)
			if err != nil {
				t.Fatal(err)
			}
			w.run(1 << 30)
			checkSize(t, p.Name, n, w)
			w.Do(&world.Command{Kind: world.Create, Object: object.Meta{Namespace: 1, Name: f.t.Sym("made")}}) // the server is simulated from here on
			w.run(1 << 30)
			checkSize(t, p.Name+", simulated", n, w)
		}
	}
	cfg.Informers[0].Handlers = append(cfg.Informers[0].Handlers, informer.Handler{Name: "slow", Duration: informer.Forever, Workqueue: true})
	cfg.Informers[0].Indexers = []indexer.Named{all[0]}
	w, err := newPoint(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.run(1 << 30)
	checkSize(t, "a slow handler", 1, w)
}

// A run of 10 GB of pods has 80 million steps. A seek plays at most as many as lie between two
// checkpoints.
func TestCheckpointsOfTenGigabytes(t *testing.T) {
	cfg := manyConfig(manyEvents(4500, 4500))
	cfg.Informers[0].Profile = world.Current
	h, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(1<<20) > 0 {
	}
	for step := h.Steps(); step < 80e6; {
		step = step/minEvery*minEvery + minEvery
		if step%h.runs.interval == 0 {
			h.runs.add(h.front, step)
		}
	}
	if h.runs.interval > 1<<19 {
		t.Errorf("%d checkpoints are %d steps apart", len(h.runs.worlds), h.runs.interval)
	}
	if real := len(h.runs.worlds) * h.front.size(); real > 64<<20 {
		t.Errorf("%d checkpoints take %d bytes", len(h.runs.worlds), real)
	}
}

func checkSize(t *testing.T, name string, indices int, w *point) {
	t.Helper()
	const copies = 40
	kept := make([]*point, copies)
	before := liveBytes()
	for i := range kept {
		kept[i] = w.clone()
	}
	real := int(liveBytes()-before) / copies
	runtime.KeepAlive(kept)
	if counted := w.size(); counted < real || counted > 2*real+48<<10 {
		t.Errorf("%s, %d indices: a copy is counted with %d bytes and takes %d", name, indices, counted, real)
	}
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
