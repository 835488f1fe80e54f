package live

import (
	"fmt"
	"math/rand"
	"testing"

	"k8s.io/client-go/tools/cache"
)

// pipe plays pipe.*: queue, process function, store and handler of an informer,
// with no goroutine between them.
type pipe struct {
	q       queue
	store   cache.Indexer
	handler *Handler
}

func (p *pipe) play(v *Version, inOrder bool, verb string, op *Op, res map[string]any) {
	switch verb {
	case "new":
		p.open(v, op, res)
	case "add", "update", "delete", "replace", "resync", "bookmark", "pop", "hasSynced", "close":
		p.q.play(v, verb, op, res)
	default:
		onStore(p.store, verb, op, res)
	}
	if verb != "new" {
		res["notify"] = p.handler.print(op, false, false)["notified"]
	}
	res["state"] = p.q.state()
	res["store"] = storeState(v, inOrder, p.store)
}

func (p *pipe) open(v *Version, op *Op, res map[string]any) {
	x := transform(op.Xform)
	if v.oldest() && x != nil {
		res["err"] = "unsupported"
		x = nil
	}
	p.handler = &Handler{retransforms: v.syncTransforms(), reg: registration{pending: func() int { return 0 }}}
	p.handler.open.Store(true)
	store, controller := v.NewPipe(p.handler, indexers(op.Indexers), x)
	config := hidden[cache.Config](controller, "config")
	p.store = store
	p.q = queue{Queue: config.Queue, piped: func(o any, initial, batch bool) error { return v.Process(config, o, initial, batch) }}
	res["queueType"] = fmt.Sprintf("%T", config.Queue)
}

// pipes compares on random scripts for the parts of an informer that stand between
// its reflector and its handlers.
func (c *comparison) pipes(t *testing.T) {
	for _, k := range []kind{
		{name: "pipe", gates: gates()},
		{name: "pipe-stamp", gates: gates(), xform: "stamp"},
		{name: "pipe-fail", gates: gates(), xform: "fail"},
		{name: "pipe-types", gates: gates(), xform: "types"},
		{name: "pipe-nonatomic", gates: gates("AtomicFIFO")},
		{name: "pipe-nonatomic-fail", gates: gates("AtomicFIFO"), xform: "fail"},
		{name: "pipe-locked", gates: gates("UnlockWhileProcessingFIFO")},
		{name: "pipe-deltaqueue", gates: gates("InOrderInformers")},
		{name: "pipe-deltaqueue-types", gates: gates("InOrderInformers"), xform: "types"},
		{name: "pipe-deltaqueue-fail", gates: gates("InOrderInformers"), xform: "fail"},
	} {
		has := func(writer *Version) bool {
			return (!writer.delta() || len(k.gates) == 0) && (!writer.oldest() || k.xform == "")
		}
		t.Run(k.name, func(t *testing.T) {
			c.run(t, has, func(_ *Version, seed int64) ([]Op, []string) { return pipeScript(seeded(seed), k), nil })
		})
	}
}

// pipeScript makes a script up for such parts.
func pipeScript(r *rand.Rand, k kind) []Op {
	w := newWriter(r, k.xform)
	open := Op{Op: "pipe.new", Xform: k.xform, Indexers: []string{"namespace", "label:app", "labels"}[:w.Intn(4)]}
	w.tombs = w.odd && len(open.Indexers) == 0 // no index function takes a tombstone
	script := []Op{{Op: "config", Gates: k.gates}, open}
	for range 20 + w.Intn(80) {
		op := Op{Op: w.pick("add", "add", "update", "update", "delete", "delete", "replace", "resync", "bookmark", "pop", "pop", "pop", "pop", "pop", "pop", "hasSynced",
			"get", "byIndex", "indexKeys", "indexValues", "list", "mutate")}
		switch op.Op {
		case "add", "update":
			op.O = w.changed()
		case "delete":
			op.O = w.deleted()
		case "replace":
			w.gap()
			op.Items, op.RV = w.heldObjects(), w.next()
			if len(op.Items) > 0 && w.Intn(10) == 0 { // one that is listed twice
				o := op.Items[w.Intn(len(op.Items))]
				o.RV = w.next()
				op.Items = append(op.Items, o)
			}
		case "bookmark":
			op.RV = w.next()
		case "pop":
			op.Batch = w.Intn(2) == 0
		case "get":
			op.Value = w.change().O.K
		case "byIndex", "indexKeys", "indexValues":
			op.Index, op.Value = w.pick("namespace", "label:app", "labels", "nope"), w.pick("a", "b", "web", "db", "app=web")
		case "list":
			if w.tombs {
				continue
			}
			op.NS, op.Sel = w.pick("", "a", "b"), w.pick("", "app=web", "!app")
		case "mutate":
			script = w.mutate(script, "pipe")
			continue
		}
		if w.Intn(150) == 0 {
			op = Op{Op: "close"}
		}
		op.Op = "pipe." + op.Op
		script = append(script, op)
	}
	return script
}
