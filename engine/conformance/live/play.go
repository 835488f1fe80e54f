// Package live plays the scripts of ../testdata on the real client-go, in the
// version that the importing module requires, and compares the results with what
// the engine's driver prints. Time is virtual: each script runs in a synctest
// bubble, and results are printed when every goroutine is blocked.
package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// HandledErrors counts the calls of utilruntime.HandleError. Each version's tests
// install a handler that adds to it.
var HandledErrors atomic.Int64

// Play runs a script and returns a line for each operation. It does so in a
// synctest bubble: time there is virtual, and time.Sleep lets it pass at once,
// when every goroutine of the library is blocked.
func Play(t *testing.T, v *Version, script []Op) []string {
	var out []string
	synctest.Test(t, func(t *testing.T) {
		if v.Begin != nil {
			v.Begin()
		}
		p := &player{v: v, inOrder: !v.delta(), end: make(chan struct{})}
		HandledErrors.Store(0)
		for i, op := range script {
			res := map[string]any{"i": i, "op": op.Op}
			p.play(&op, res)
			out = append(out, printed(t, res))
		}
		p.finish()
	})
	return out
}

// printed returns a result as the driver prints it, so that lines which are alike needn't be decoded to be compared.
func printed(t *testing.T, res map[string]any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(res); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

type player struct {
	v        *Version
	inf      cache.SharedIndexInformer
	inOrder  bool
	srv      *server
	gate     *gate
	stop     chan struct{}
	stopped  bool
	started  bool
	twice    bool // Run was called again
	resync   time.Duration
	handlers []*Handler
	end      chan struct{}  // closed to end everything
	metrics  *proof.Metrics // nil where the version has none

	determined []string // metrics about which a script leaves nothing to chance

	work  works
	queue queue
	pipe  pipe
	store cache.Indexer // of idx.*
}

func (p *player) finish() {
	if p.work.q != nil {
		p.work.finish()
	}
	close(p.end)
	if p.started && !p.stopped {
		if p.twice && p.v.EndTwice != nil {
			p.v.EndTwice(p.inf)
		}
		close(p.stop)
	}
	for _, h := range p.handlers {
		h.unblock()
	}
	proof.Pass(time.Hour) // some back-offs do not notice a stop
}

func (p *player) play(op *Op, res map[string]any) {
	if verb, ok := strings.CutPrefix(op.Op, "wq."); ok || op.Op == "advance" && p.work.q != nil {
		if p.work.play(verb, op, p.v.oldest(), res); !ok {
			proof.Advance(op.Ms)
		}
		synctest.Wait()
		p.work.print(res)
		return
	}
	if family, verb, _ := strings.Cut(op.Op, "."); p.part(family, verb, op, res) {
		return
	}
	switch op.Op {
	case "config":
		p.inOrder = !p.v.delta()
		if on, ok := op.Gates["InOrderInformers"]; ok && !p.v.delta() {
			p.inOrder = on
		}
		p.determined = determined(op.Gates)
		if p.v.Gates != nil {
			p.v.Gates(op.Gates)
		}
		res["version"] = p.v.Name
		return
	case "advance":
		proof.Advance(op.Ms)
	case "inf.new":
		p.open(op, res)
	case "inf.addHandler":
		p.addHandler(op, res)
	case "inf.metrics":
		if p.v.Measured == nil {
			res["unsupported"] = true
		} else {
			has := p.metrics.Print(p.determined...)
			if !p.metrics.Exports("storeResourceVersion") || !counted(p.v.StoreRV(p.inf.GetIndexer())) {
				delete(has, "storeResourceVersion")
			}
			res["metrics"] = has
		}
	case "inf.removeHandler":
		for _, h := range p.handlers {
			if h.id == op.ID && h.reg.remove != nil {
				if err := h.reg.remove(); err != nil {
					res["err"] = err.Error()
				}
			}
		}
		if !p.v.registrations() {
			res["unsupported"] = true
		}
	case "inf.start", "inf.run2":
		p.started, p.twice = true, p.started
		p.srv.several = p.twice
		go p.inf.Run(p.stop)
	case "inf.stop":
		p.stopped = true
		close(p.stop)
	case "inf.list", "inf.watch", "inf.events", "inf.watchClose":
		if err := p.srv.answer(op); err != "" {
			res["err"] = err
		}
	case "inf.stopAtWork":
		p.stopAtWork(op, res)
	case "inf.eventsAtWork":
		p.eventsAtWork(op, res)
	case "inf.release":
		for _, h := range p.handlers {
			if h.id == op.ID {
				h.release(max(op.N, 1))
			}
		}
	case "inf.unblock":
		for _, h := range p.handlers {
			if h.id == op.ID {
				h.unblock()
			}
		}
	case "inf.waitCall":
		synctest.Wait()
		for waited := int64(0); waited < op.Ms && len(p.srv.awaiting()) == 0; waited += 50 {
			proof.Pass(50 * time.Millisecond)
			synctest.Wait()
		}
		res["jitteredMs"] = 0
	case "inf.lister":
		res["ret"] = lister(p.inf.GetIndexer(), op)
	case "inf.mutate":
		mutate(p.inf.GetIndexer(), op)
	case "inf.addIndexers":
		fail(res, p.inf.AddIndexers(indexers(op.Indexers)))
	default:
		res["err"] = "unknown operation"
	}
	synctest.Wait()
	p.print(op, res)
}

func (p *player) open(op *Op, res map[string]any) {
	x := transform(op.Xform)
	if !p.v.transforms() && x != nil {
		res["err"] = "unsupported"
		x = nil
	}
	p.resync = 0
	if op.ResyncMs != nil {
		p.resync = time.Duration(*op.ResyncMs) * time.Millisecond
	}
	p.srv, p.stop, p.stopped, p.started, p.twice, p.handlers = &server{scriptEnd: p.end, kind: op.Kind}, make(chan struct{}), false, false, false, nil
	p.gate = &gate{open: make(chan struct{})}
	in := p.gate.behind(indexers(op.Indexers))
	lw := &cache.ListWatch{ListFunc: p.srv.list, WatchFunc: p.srv.watch}
	withContext(lw, p.srv)
	var expected runtime.Object = &metav1.PartialObjectMetadata{}
	if op.Kind != "" {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(group.WithKind(op.Kind))
		expected = u
	}
	if p.v.Measured != nil {
		p.metrics = proof.NewMetrics()
		p.inf = p.v.Measured(lw, expected, p.resync, in, p.metrics)
	} else {
		p.inf = cache.NewSharedIndexInformer(lw, expected, p.resync, in)
	}
	if x != nil {
		setTransform(p.inf, x)
	}
	if op.Shard == "" {
		return
	}
	p.srv.shardInfo = p.v.ShardInfo
	key, position, _ := strings.Cut(op.Shard, ":")
	var index, total int
	if _, err := fmt.Sscanf(position, "%d/%d", &index, &total); err != nil {
		panic(err)
	}
	if err := p.v.SetShard(p.inf, "object.metadata."+key, index, total); err != nil {
		res["err"] = err.Error()
	}
}

func (p *player) addHandler(op *Op, res map[string]any) {
	h := &Handler{id: op.ID, initial: p.v.initialList(), retransforms: p.v.syncTransforms(), late: p.started, gate: make(chan struct{})}
	h.open.Store(!op.Block)
	resync := p.resync
	if op.ResyncMs != nil {
		resync = time.Duration(*op.ResyncMs) * time.Millisecond
	}
	reg, err := register(p.inf, p.v.Handler(h), resync)
	if err != nil {
		res["err"] = "Stopped"
		if err == errDropped {
			res["untold"] = true
		}
		return
	}
	h.reg = reg
	p.handlers = append(p.handlers, h)
}

func (p *player) print(op *Op, res map[string]any) {
	if n := HandledErrors.Swap(0); n > 0 {
		res["handledErrors"] = n
	}
	if calls := p.srv.takeCalls(); len(calls) > 0 {
		res["calls"] = calls
	}
	res["awaiting"] = p.srv.awaiting()
	res["hasSynced"] = p.inf.HasSynced()
	res["lastSyncRV"] = p.inf.LastSyncResourceVersion()
	res["store"] = storeState(p.v, p.inOrder, p.inf.GetIndexer())
	snapshot := p.srv.snapshot.Swap(false)
	if len(p.handlers) == 0 {
		return
	}
	handlers := map[string]any{}
	for _, h := range p.handlers {
		handlers[h.id] = h.print(op, snapshot, p.twice && p.v.oldest())
	}
	res["handlers"] = handlers
}
