package cr025

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type limitOp struct {
	Op, Key                  string
	UsePQ, MgrUsePQ, Recover *bool
	Managed                  bool
	Workers                  int
	TimeoutMs, Ms            int64
	limiterSpec
	RateLimited bool
	Prio        *int
	Results     []limitResult
}

type limitResult struct {
	Err, Terminal, Wrapped, Panic bool
	Requeue, AddDuring            bool
	AfterMs, SleepMs              int64
	Prio                          *int
}

// limitPlayer plays limit.* to a controller of controller-runtime.
type limitPlayer struct {
	c       controller.TypedController[string]
	q       workqueue.TypedRateLimitingInterface[string]
	limiter workqueue.TypedRateLimiter[string]
	stop    context.CancelFunc
	began   time.Time
	stopped bool
	adds    int

	mu       sync.Mutex
	trace    []string
	programs map[string][]limitResult
	runs     map[string]int
}

func playLimit(t *testing.T, script []proof.Op) []string {
	p := &limitPlayer{programs: map[string][]limitResult{}, runs: map[string]int{}}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.do(op, res)
		p.print(res)
	}, func() {
		if p.stop != nil {
			p.stop()
		}
	})
}

// fakeManager is as much of a manager as NewTyped asks.
type fakeManager struct {
	manager.Manager
	use  *bool
	adds *int
}

func (m fakeManager) GetControllerOptions() config.Controller {
	return config.Controller{UsePriorityQueue: m.use}
}

func (m fakeManager) Add(manager.Runnable) error {
	*m.adds++
	return nil
}

func (p *limitPlayer) do(line proof.Op, res map[string]any) {
	var op limitOp
	proof.Fields(line, &op)
	after := time.Duration(op.Ms) * time.Millisecond
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "limit.new":
		p.open(&op, res)
	case "limit.program":
		p.mu.Lock()
		p.programs[op.Key] = op.Results
		p.mu.Unlock()
	case "limit.add":
		p.q.Add(op.Key)
	case "limit.addAfter":
		p.q.AddAfter(op.Key, after)
	case "limit.addRateLimited":
		p.q.AddRateLimited(op.Key)
	case "limit.addWithOpts":
		p.q.(priorityqueue.PriorityQueue[string]).AddWithOpts(priorityqueue.AddOpts{After: after, RateLimited: op.RateLimited, Priority: op.Prio}, op.Key)
	case "limit.when":
		ret := []string{}
		for range max(op.N, 1) {
			ret = append(ret, p.limiter.When(op.Key).String())
		}
		res["ret"] = ret
	case "limit.forget":
		p.limiter.Forget(op.Key)
	case "limit.numRequeues":
		res["ret"] = p.limiter.NumRequeues(op.Key)
	case "limit.stop":
		p.stopped = true
		p.stop()
	}
	synctest.Wait()
}

func (p *limitPlayer) open(op *limitOp, res map[string]any) {
	skip := true
	o := controller.TypedOptions[string]{
		SkipNameValidation: &skip, UsePriorityQueue: op.UsePQ, RateLimiter: op.make(), MaxConcurrentReconciles: op.Workers,
		ReconciliationTimeout: time.Duration(op.TimeoutMs) * time.Millisecond, RecoverPanic: op.Recover,
		Reconciler: reconcile.TypedFunc[string](p.reconcile), Logger: logr.Discard(), LogConstructor: func(*string) logr.Logger { return logr.Discard() },
	}
	var err error
	if op.Managed {
		p.c, err = controller.NewTyped("c", fakeManager{use: op.MgrUsePQ, adds: &p.adds}, o)
		res["managerAdds"] = p.adds
	} else {
		p.c, err = controller.NewTypedUnmanaged("c", o)
	}
	if err == nil {
		err = p.c.Watch(source.TypedFunc[string](func(_ context.Context, q workqueue.TypedRateLimitingInterface[string]) error {
			p.q = q
			return nil
		}))
	}
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.stop, p.began = cancel, time.Now()
	go func() {
		err := p.c.Start(ctx)
		p.say("Start returned %v", err)
	}()
	synctest.Wait()
	p.limiter = reflect.ValueOf(p.c).Elem().FieldByName("RateLimiter").Interface().(workqueue.TypedRateLimiter[string])
	res["limiter"] = limiterText(p.limiter)
	if _, wrapped := reflect.TypeOf(p.q).Elem().FieldByName("TypedRateLimitingInterface"); wrapped {
		res["queueType"] = "*controller.priorityQueueWrapper"
	} else {
		res["queueType"] = "*priorityqueue.priorityqueue"
	}
}

func limiterText(l workqueue.TypedRateLimiter[string]) string {
	v := reflect.ValueOf(l).Elem()
	switch x := l.(type) {
	case *workqueue.TypedItemExponentialFailureRateLimiter[string]:
		return fmt.Sprintf("*workqueue.TypedItemExponentialFailureRateLimiter base=%s max=%s", time.Duration(v.FieldByName("baseDelay").Int()), time.Duration(v.FieldByName("maxDelay").Int()))
	case *workqueue.TypedBucketRateLimiter[string]:
		return fmt.Sprintf("*workqueue.TypedBucketRateLimiter qps=%v burst=%d", x.Limit(), x.Burst())
	case *workqueue.TypedItemFastSlowRateLimiter[string]:
		return "*workqueue.TypedItemFastSlowRateLimiter"
	case *workqueue.TypedMaxOfRateLimiter[string]:
		text := ""
		for _, inner := range reach(v.FieldByName("limiters")).Interface().([]workqueue.TypedRateLimiter[string]) {
			text += "; " + limiterText(inner)
		}
		return "*workqueue.TypedMaxOfRateLimiter (" + text[2:] + ")"
	}
	return fmt.Sprintf("%T", l)
}

// say adds a line to the trace.
func (p *limitPlayer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trace = append(p.trace, fmt.Sprintf("t=%s ", time.Since(p.began))+fmt.Sprintf(format, args...))
}

func (p *limitPlayer) reconcile(ctx context.Context, key string) (reconcile.Result, error) {
	p.mu.Lock()
	p.runs[key]++
	run, program := p.runs[key], key
	if _, has := p.programs[key]; !has {
		program = "*"
	}
	var r limitResult
	if of := p.programs[program]; len(of) > 0 {
		r, p.programs[program] = of[0], of[1:]
	}
	p.mu.Unlock()
	p.say("begin %s #%d requeues=%d", key, run, p.limiter.NumRequeues(key))
	if r.AddDuring {
		p.q.Add(key)
	}
	if r.SleepMs > 0 {
		select {
		case <-time.After(time.Duration(r.SleepMs) * time.Millisecond):
		case <-ctx.Done():
			p.say("ctx %s #%d: %v cause=%v", key, run, ctx.Err(), context.Cause(ctx))
		}
	}
	p.say("end %s #%d %s", key, run, &r)
	if r.Panic {
		panic("as the script says")
	}
	//lint:ignore SA1019 Requeue is handled until it is removed
	result := reconcile.Result{RequeueAfter: time.Duration(r.AfterMs) * time.Millisecond, Requeue: r.Requeue, Priority: r.Prio}
	switch err := errors.New("as the script says"); {
	case r.Terminal && r.Wrapped:
		return result, fmt.Errorf("wrapped: %w", reconcile.TerminalError(err))
	case r.Terminal:
		return result, reconcile.TerminalError(err)
	case r.Err:
		return result, err
	}
	return result, nil
}

// String writes the result as the driver does.
func (r *limitResult) String() string {
	text := "ok"
	switch {
	case r.Panic:
		return "panic"
	case r.Terminal && r.Wrapped:
		text = "wrapped TerminalError"
	case r.Terminal:
		text = "TerminalError"
	case r.Err:
		text = "error"
	}
	if r.AfterMs != 0 {
		text += " RequeueAfter=" + (time.Duration(r.AfterMs) * time.Millisecond).String()
	}
	if r.Requeue {
		text += " Requeue"
	}
	if r.Prio != nil {
		text += fmt.Sprintf(" Priority=%d", *r.Prio)
	}
	return text
}

func (p *limitPlayer) print(res map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.trace) > 0 {
		res["trace"], p.trace = p.trace, nil
	}
	if p.stopped {
		return
	}
	requeues := map[string]int{}
	for _, k := range slices.Sorted(maps.Keys(p.runs)) {
		if n := p.limiter.NumRequeues(k); n > 0 {
			requeues[k] = n
		}
	}
	res["numRequeues"] = requeues
	if pq := reflect.ValueOf(p.q).Elem(); pq.FieldByName("ready").IsValid() {
		res["queue"] = map[string]any{"ready": tree(pq.FieldByName("ready")), "waiting": tree(pq.FieldByName("waiting")), "locked": lockedKeys(pq), "waiters": pq.FieldByName("waiters").Int()}
	} else {
		res["len"] = p.q.Len()
	}
}

// limitScript makes a script up for a controller with one worker. If a reconcile ends when
// a key becomes ready, chance decides which of them is first. So one reconcile at most
// takes time, and until its end all other times are multiples of 5 ms.
func limitScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	script := []proof.Op{{"op": "limit.new", "usePQ": r.Intn(2) == 0, "limiter": pick("", "", "", "exp", "bucket", "fastslow"),
		"baseMs": 5 * (1 + r.Intn(10)), "maxMs": 100 + 5*r.Intn(400), "qps": 10, "burst": 1 + r.Intn(5), "n": 1 + r.Intn(4)}}
	if r.Intn(4) == 0 {
		script[0]["managed"], script[0]["mgrUsePQ"] = true, r.Intn(2) == 0
		if r.Intn(2) == 0 {
			delete(script[0], "usePQ")
		}
	}
	if r.Intn(6) == 0 {
		script[0]["timeoutMs"] = 8
	}
	// If a reconcile runs when the controller is stopped, its result and the queue's
	// ShutDown race. So nothing sleeps where there is a stop.
	stops := r.Intn(3) == 0
	sleeps := 0
	result := func() map[string]any {
		x := map[string]any{}
		for _, name := range []string{"err", "terminal", "wrapped", "requeue", "addDuring", "panic"} {
			if r.Intn(6) == 0 {
				x[name] = true
			}
		}
		if r.Intn(4) == 0 {
			x["afterMs"] = []int{-5, 10, 30, 100}[r.Intn(4)]
		}
		if r.Intn(4) == 0 {
			x["prio"] = []int{-5, 0, 7}[r.Intn(3)]
		}
		if r.Intn(3) == 0 && sleeps == 0 && !stops {
			x["sleepMs"] = []int{3, 17}[r.Intn(2)]
			sleeps++
		}
		return x
	}
	for range 20 + r.Intn(60) {
		key := pick("a", "b", "c")
		op := proof.Op{"op": "limit." + pick("add", "add", "add", "addAfter", "addRateLimited", "addWithOpts", "program", "program", "numRequeues", "forget", "when"), "key": key}
		switch op["op"] {
		case "limit.addAfter":
			op["ms"] = []int{-5, 0, 5, 20, 100}[r.Intn(5)]
		case "limit.addWithOpts":
			op["ms"], op["rateLimited"], op["prio"] = 20*r.Intn(3), r.Intn(2) == 0, []int{-100, 0, 5}[r.Intn(3)]
		case "limit.program":
			var results []any
			for range 1 + r.Intn(3) {
				results = append(results, result())
			}
			if op["results"] = results; r.Intn(6) == 0 {
				op["key"] = "*"
			}
		case "limit.when":
			op["n"] = 1 + r.Intn(3)
		}
		if r.Intn(4) == 0 {
			op = proof.Op{"op": "advance", "ms": []int{5, 10, 15, 50, 200, 1000}[r.Intn(6)]}
		}
		script = append(script, op)
	}
	if stops {
		script = append(script, proof.Op{"op": "limit.stop"}, proof.Op{"op": "advance", "ms": 1000})
	}
	return script
}
