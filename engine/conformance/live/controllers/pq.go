package controllers

import (
	"cmp"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/measured"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

type pqOp struct {
	Op, Key string
	Keys    []string
	Ms      int64
	LimiterSpec
	RateLimited bool
	Prio        *int
}

type handedOut struct {
	Key      string `json:"key"`
	Prio     int    `json:"prio"`
	Shutdown bool   `json:"shutdown"`
}

// pqPlayer plays pq.* to controller-runtime's priority queue.
type pqPlayer struct {
	v       *Version
	q       PriorityQueue
	metrics *proof.Metrics
	began   time.Time

	mu       sync.Mutex
	blocked  int
	received []handedOut
}

var queues = measured.NewQueues()

func (v *Version) playPQ(t *testing.T, script []proof.Op) []string {
	p := &pqPlayer{v: v}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.play(op, res)
		p.print(res)
	}, func() {
		if p.q == nil {
			return
		}
		if !p.q.ShuttingDown() {
			p.q.ShutDown()
		}
		Release(p.q)
	})
}

func (p *pqPlayer) play(line proof.Op, res map[string]any) {
	var op pqOp
	proof.Fields(line, &op)
	after := time.Duration(op.Ms) * time.Millisecond
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "pq.new":
		p.began = time.Now()
		name := ""
		name, p.metrics = queues.Fresh()
		p.q = p.v.Queue(name, op.LimiterSpec, queues)
	case "pq.metrics":
		res["metrics"] = p.metrics.Print(measured.Names...)
	case "pq.add":
		p.q.Add(op.Key)
	case "pq.addAfter":
		p.q.AddAfter(op.Key, after)
	case "pq.addRateLimited":
		p.q.AddRateLimited(op.Key)
	case "pq.addWithOpts":
		keys := op.Keys
		if op.Key != "" {
			keys = append([]string{op.Key}, keys...)
		}
		addWithOpts(p.q, after, op.RateLimited, op.Prio, keys...)
	case "pq.get", "pq.getWithPriority":
		for range max(op.N, 1) {
			p.get(op.Op == "pq.getWithPriority")
			synctest.Wait()
		}
	case "pq.drain":
		res["order"] = p.drain()
	case "pq.done":
		p.q.Done(op.Key)
	case "pq.forget":
		p.q.Forget(op.Key)
	case "pq.numRequeues":
		res["ret"] = p.q.NumRequeues(op.Key)
	case "pq.len":
		res["ret"] = p.q.Len()
	case "pq.shuttingDown":
		res["ret"] = p.q.ShuttingDown()
	case "pq.shutdown":
		p.q.ShutDown()
	case "pq.shutdownDrain":
		p.q.ShutDownWithDrain()
	}
	synctest.Wait()
}

func (p *pqPlayer) get(withPriority bool) {
	p.mu.Lock()
	p.blocked++
	p.mu.Unlock()
	go func() {
		var (
			key      string
			prio     int
			shutdown bool
		)
		if withPriority {
			key, prio, shutdown = p.q.GetWithPriority()
		} else {
			key, shutdown = p.q.Get()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.blocked--
		p.received = append(p.received, handedOut{key, prio, shutdown})
	}()
}

// drain gets all keys that can be handed out, one by one.
func (p *pqPlayer) drain() (order []string) {
	for p.handsOut() {
		p.get(true)
		synctest.Wait()
		p.mu.Lock()
		last := len(p.received) - 1
		order = append(order, fmt.Sprintf("%s p%d", p.received[last].Key, p.received[last].Prio))
		p.received = p.received[:last]
		p.mu.Unlock()
	}
	return order
}

// handsOut reports whether a key is ready that no worker has.
func (p *pqPlayer) handsOut() bool {
	ready, _ := Queued(p.q)
	locked := lockedKeys(reflect.ValueOf(p.q).Elem())
	return !p.q.ShuttingDown() && slices.ContainsFunc(ready, func(text string) bool {
		key, _, _ := strings.Cut(text, " ")
		return !slices.Contains(locked, key)
	})
}

func (p *pqPlayer) print(res map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := reflect.ValueOf(p.q).Elem()
	res["ready"], res["waiting"] = Queued(p.q)
	res["locked"] = lockedKeys(q)
	res["waiters"], res["addedCounter"] = waiters(q), q.FieldByName("addedCounter").Uint()
	res["blockedGetters"] = p.blocked
	if len(p.received) > 0 {
		slices.SortFunc(p.received, func(a, b handedOut) int { return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Key, b.Key)) })
		res["got"], p.received = p.received, nil
	}
}

// pqScript makes a script up for the priority queue. Before v0.23, what the queue says of keys that become ready after
// ShutDown is not what it does with them, so nothing much comes after it.
func (v *Version) pqScript(r *rand.Rand) []proof.Op {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	prio := func() int { return []int{-100, -100, 0, 0, 1, 5}[r.Intn(6)] }
	script := []proof.Op{{"op": "pq.new", "limiter": pick("", "exp", "bucket", "fastslow", "workqueueDefault"),
		"baseMs": 1 + r.Intn(50), "maxMs": 100 + r.Intn(2000), "qps": 1 + r.Intn(20), "burst": 1 + r.Intn(5), "n": 1 + r.Intn(4)}}
	for range 20 + r.Intn(80) {
		key := pick("a", "b", "c", "d", "e")
		op := proof.Op{"op": "pq." + pick("add", "addAfter", "addRateLimited", "addWithOpts", "addWithOpts", "get", "getWithPriority", "get", "done", "done", "done", "forget", "numRequeues", "len", "metrics", "metrics"), "key": key}
		switch op["op"] {
		case "pq.metrics":
			if v.Minor == 22 { // it counts a key whose time comes while a worker has it only when the worker is done
				op["op"] = "pq.numRequeues"
			}
		case "pq.addAfter":
			op["ms"] = r.Intn(30)*10 - 10
		case "pq.addWithOpts":
			delete(op, "key")
			op["keys"] = []string{key, pick("a", "b", "c", "d", "e"), pick("a", "f")}[:1+r.Intn(3)]
			if r.Intn(2) == 0 {
				op["ms"] = r.Intn(20)*10 - 20
			}
			if r.Intn(2) == 0 {
				op["rateLimited"] = true
			}
			if r.Intn(3) > 0 {
				op["prio"] = prio()
			}
		case "pq.get":
			delete(op, "key")
			op["n"] = 1 + r.Intn(3)
		case "pq.getWithPriority", "pq.len":
			delete(op, "key")
		}
		switch {
		case r.Intn(5) == 0:
			op = proof.Op{"op": "advance", "ms": []int{1, 5, 10, 50, 100, 1000, 30000}[r.Intn(7)]}
		case r.Intn(150) == 0:
			op = proof.Op{"op": "pq." + pick("shutdown", "shutdownDrain", "shuttingDown")}
		}
		script = append(script, op)
		if v.Minor < 23 && strings.HasPrefix(op["op"].(string), "pq.shutdown") {
			return append(script, proof.Op{"op": "pq.get"}, proof.Op{"op": "pq.add", "key": "a"}, proof.Op{"op": "pq.len"})
		}
	}
	return script
}
