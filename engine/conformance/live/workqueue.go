package live

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/measured"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
)

// works plays wq.*: a rate limiting queue, and workers that get from it.
type works struct {
	q       workqueue.RateLimitingInterface
	began   time.Time
	metrics *proof.Metrics

	mu      sync.Mutex
	blocked int
	events  []string
}

var queues = measured.NewQueues()

func init() { workqueue.SetProvider(queues) }

func limiter(op *Op) workqueue.RateLimiter {
	base, longest := time.Duration(op.BaseMs)*time.Millisecond, time.Duration(op.MaxMs)*time.Millisecond
	bucket := func() workqueue.RateLimiter {
		return &workqueue.BucketRateLimiter{Limiter: rate.NewLimiter(rate.Limit(op.QPS), op.Burst)}
	}
	switch op.Limiter {
	case "exp":
		return workqueue.NewItemExponentialFailureRateLimiter(base, longest)
	case "bucket":
		return bucket()
	case "fastslow":
		return workqueue.NewItemFastSlowRateLimiter(base, longest, op.N)
	case "max":
		return workqueue.NewMaxOfRateLimiter(workqueue.NewItemExponentialFailureRateLimiter(base, longest), bucket())
	}
	return workqueue.DefaultControllerRateLimiter()
}

func (w *works) play(verb string, op *Op, oldest bool, res map[string]any) {
	switch verb {
	case "new":
		name, has := queues.Fresh()
		w.q, w.began, w.blocked, w.events, w.metrics = workqueue.NewNamedRateLimitingQueue(limiter(op), name), time.Now(), 0, nil, has
	case "metrics":
		res["metrics"] = w.metrics.Print(measured.Names...)
	case "add":
		w.q.Add(op.Item)
	case "addAfter":
		w.q.AddAfter(op.Item, time.Duration(op.Ms)*time.Millisecond)
	case "addRateLimited":
		w.q.AddRateLimited(op.Item)
	case "forget":
		w.q.Forget(op.Item)
	case "numRequeues":
		res["ret"] = w.q.NumRequeues(op.Item)
	case "len":
		res["ret"] = w.q.Len()
	case "done":
		w.q.Done(op.Item)
	case "pause", "resume":
		q, ok := w.q.(interface {
			Pause()
			Resume()
		}) // workqueue.Pausable
		switch {
		case !ok:
			res["unsupported"] = true
		case verb == "pause":
			q.Pause()
		default:
			q.Resume()
		}
	case "get":
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.blocked == 3 {
			res["err"] = "3 workers already blocked"
			return
		}
		w.blocked++
		go func() {
			item, shutdown := w.q.Get()
			text := "shutdown"
			if !shutdown {
				text = item.(string)
			}
			w.record(text, 1)
		}()
	case "shutdown":
		w.q.ShutDown()
	case "shutdownDrain":
		d, ok := w.q.(interface{ ShutDownWithDrain() })
		if oldest || !ok {
			res["unsupported"] = true
			return
		}
		go func() {
			d.ShutDownWithDrain()
			w.record("drained", 0)
		}()
	}
}

func (w *works) record(what string, workers int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, what)
	w.blocked -= workers
}

func (w *works) print(res map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.events)
	res["got"] = append([]string{}, w.events...)
	w.events = nil
	q := inner(reflect.ValueOf(w.q))
	res["wq"] = map[string]any{
		"queue": texts(q.FieldByName("queue"), false), "dirty": texts(q.FieldByName("dirty"), true), "processing": texts(q.FieldByName("processing"), true),
		"blockedWorkers": w.blocked, "shuttingDown": w.q.ShuttingDown(), "tMs": time.Since(w.began).Milliseconds(),
	}
}

// finish ends all goroutines.
func (w *works) finish() {
	w.q.ShutDown()
	for synctest.Wait(); ; synctest.Wait() {
		items := texts(inner(reflect.ValueOf(w.q)).FieldByName("processing"), true)
		if len(items) == 0 {
			for range 100 { // each Done wakes one of the goroutines that drain
				w.q.Done("nobody")
			}
			return
		}
		for _, item := range items {
			w.q.Done(item)
		}
	}
}

// inner finds the struct with the dirty set inside the structs that wrap it.
func inner(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.FieldByName("dirty").IsValid() {
		return inner(v.Field(0))
	}
	return v
}

// texts returns the strings in a slice, or in the keys of a map.
func texts(v reflect.Value, sorted bool) []string {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	out := []string{}
	if v.Kind() == reflect.Map {
		for _, k := range v.MapKeys() {
			out = append(out, k.Elem().String())
		}
	} else {
		for i := range v.Len() {
			out = append(out, v.Index(i).Elem().String())
		}
	}
	if sorted {
		slices.Sort(out)
	}
	return out
}

// work compares on random scripts for workqueues.
func (c *comparison) work(t *testing.T) {
	c.run(t, allVersions, func(v *Version, seed int64) ([]Op, []string) { return workScript(seeded(seed), v.since38()), nil })
}

// workScript makes a script up for a workqueue, which may be paused in it.
func workScript(r *rand.Rand, pausable bool) []Op {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	script := []Op{{Op: "config"}, {Op: "wq.new", Limiter: pick("default", "exp", "bucket", "fastslow", "max"),
		BaseMs: int64(1 + r.Intn(50)), MaxMs: int64(100 + r.Intn(2000)), QPS: float64(1 + r.Intn(20)), Burst: 1 + r.Intn(5), N: 1 + r.Intn(4)}}
	for range 20 + r.Intn(80) {
		op := Op{Op: "wq." + pick("add", "add", "addAfter", "addAfter", "addRateLimited", "addRateLimited", "forget", "numRequeues", "get", "get", "get", "done", "done", "done", "len", "metrics", "metrics"), Item: fmt.Sprint("i", r.Intn(5))}
		switch {
		case op.Op == "wq.addAfter":
			if op.Ms = int64(r.Intn(30)*10 - 10); r.Intn(15) == 0 {
				op.Ms = []int64{longest, longest - 1, longest / 2, -longest}[r.Intn(4)]
			}
		case r.Intn(5) == 0:
			op = Op{Op: "advance", Ms: []int64{1, 5, 10, 100, 1000, 30000, 3600_000}[r.Intn(7)]}
		case pausable && r.Intn(8) == 0:
			op = Op{Op: "wq." + pick("pause", "resume")}
		case r.Intn(80) == 0:
			op = Op{Op: "wq." + pick("shutdown", "shutdownDrain")}
		}
		script = append(script, op)
	}
	return script
}
