package cr025

import (
	"cmp"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/informerscope/informerscope/engine/conformance/live/measured"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// limiterSpec says which rate limiter a queue gets.
type limiterSpec struct {
	Limiter       string
	BaseMs, MaxMs int64
	QPS           float64
	Burst, N      int
}

// make returns the limiter, or nil if the script names none.
func (s *limiterSpec) make() workqueue.TypedRateLimiter[string] {
	base, longest := time.Duration(s.BaseMs)*time.Millisecond, time.Duration(s.MaxMs)*time.Millisecond
	switch s.Limiter {
	case "exp":
		return workqueue.NewTypedItemExponentialFailureRateLimiter[string](base, longest)
	case "bucket":
		return &workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(s.QPS), s.Burst)}
	case "fastslow":
		return workqueue.NewTypedItemFastSlowRateLimiter[string](base, longest, s.N)
	case "workqueueDefault":
		return workqueue.DefaultTypedControllerRateLimiter[string]()
	}
	return nil
}

type pqOp struct {
	Op, Key string
	Keys    []string
	Ms      int64
	limiterSpec
	RateLimited bool
	Prio        *int
}

type got struct {
	Key      string `json:"key"`
	Prio     int    `json:"prio"`
	Shutdown bool   `json:"shutdown"`
}

// pqPlayer plays pq.* to controller-runtime's priority queue.
type pqPlayer struct {
	q     priorityqueue.PriorityQueue[string]
	has   *proof.Metrics
	began time.Time

	mu      sync.Mutex
	blocked int
	got     []got
}

var queues = measured.NewQueues()

func playPQ(t *testing.T, script []proof.Op) []string {
	p := &pqPlayer{}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.do(op, res)
		p.print(res)
	}, func() {
		if p.q != nil && !p.q.ShuttingDown() {
			p.q.ShutDown()
		}
	})
}

func (p *pqPlayer) do(line proof.Op, res map[string]any) {
	var op pqOp
	proof.Fields(line, &op)
	after := time.Duration(op.Ms) * time.Millisecond
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "pq.new":
		p.began = time.Now()
		name := ""
		name, p.has = queues.Fresh()
		p.q = priorityqueue.New(name, func(o *priorityqueue.Opts[string]) { o.RateLimiter, o.MetricProvider = op.make(), queues })
	case "pq.metrics":
		res["metrics"] = p.has.Print(measured.Names...)
	case "pq.add":
		p.q.Add(op.Key)
	case "pq.addAfter":
		p.q.AddAfter(op.Key, after)
	case "pq.addRateLimited":
		p.q.AddRateLimited(op.Key)
	case "pq.addWithOpts":
		p.q.AddWithOpts(priorityqueue.AddOpts{After: after, RateLimited: op.RateLimited, Priority: op.Prio}, op.Keys...)
	case "pq.get", "pq.getWithPriority":
		for range max(op.N, 1) {
			p.get(op.Op == "pq.getWithPriority")
			synctest.Wait()
		}
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
		p.got = append(p.got, got{key, prio, shutdown})
	}()
}

func (p *pqPlayer) print(res map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := reflect.ValueOf(p.q).Elem()
	res["ready"], res["waiting"] = tree(q.FieldByName("ready")), tree(q.FieldByName("waiting"))
	res["locked"] = lockedKeys(q)
	res["waiters"], res["addedCounter"] = q.FieldByName("waiters").Int(), q.FieldByName("addedCounter").Uint()
	res["blockedGetters"] = p.blocked
	if len(p.got) > 0 {
		slices.SortFunc(p.got, func(a, b got) int { return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Key, b.Key)) })
		res["got"], p.got = p.got, nil
	}
}

// lockedKeys are the keys that workers have.
func lockedKeys(q reflect.Value) []string {
	out := []string{}
	for _, k := range q.FieldByName("locked").MapKeys() {
		out = append(out, k.String())
	}
	slices.Sort(out)
	return out
}

// tree writes the items of one of the queue's two ordered sets, in its order.
func tree(field reflect.Value) []string {
	ascend := reach(field).Elem().MethodByName("Ascend")
	out := []string{}
	ascend.Call([]reflect.Value{reflect.MakeFunc(ascend.Type().In(0), func(args []reflect.Value) []reflect.Value {
		it := args[0].Elem()
		text := fmt.Sprintf("%s p%d c%d", it.FieldByName("Key"), it.FieldByName("Priority").Int(), it.FieldByName("AddedCounter").Uint())
		if at, ok := it.FieldByName("ReadyAt").Interface().(*time.Time); ok && at != nil {
			text += " in " + time.Until(*at).String()
		}
		out = append(out, text)
		return []reflect.Value{reflect.ValueOf(true)}
	})})
	return out
}

// reach makes a field that isn't exported readable.
func reach(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// pqScript makes a script up for the priority queue.
func pqScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	prio := func() int { return []int{-100, -100, 0, 0, 1, 5}[r.Intn(6)] }
	script := []proof.Op{{"op": "pq.new", "limiter": pick("", "exp", "bucket", "fastslow", "workqueueDefault"),
		"baseMs": 1 + r.Intn(50), "maxMs": 100 + r.Intn(2000), "qps": 1 + r.Intn(20), "burst": 1 + r.Intn(5), "n": 1 + r.Intn(4)}}
	for range 20 + r.Intn(80) {
		key := pick("a", "b", "c", "d", "e")
		op := proof.Op{"op": "pq." + pick("add", "addAfter", "addRateLimited", "addWithOpts", "addWithOpts", "get", "getWithPriority", "get", "done", "done", "done", "forget", "numRequeues", "len", "metrics", "metrics"), "key": key}
		switch op["op"] {
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
	}
	return script
}
