package controllers

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

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

type limitOp struct {
	Op, Key                  string
	UsePQ, MgrUsePQ, Recover *bool
	Managed                  bool
	Workers                  int
	TimeoutMs, Ms            int64
	LimiterSpec
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
	v       *Version
	c       *Controller
	stop    context.CancelFunc
	began   time.Time
	stopped bool

	mu       sync.Mutex
	trace    []string
	programs map[string][]limitResult
	runs     map[string]int
}

func (v *Version) playLimit(t *testing.T, script []proof.Op) []string {
	p := &limitPlayer{v: v, programs: map[string][]limitResult{}, runs: map[string]int{}}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.play(op, res)
		p.print(res)
	}, func() {
		if p.stop != nil {
			p.stop()
			synctest.Wait()
			Release(p.c.Queue.Real())
		}
	})
}

func (p *limitPlayer) play(line proof.Op, res map[string]any) {
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
		p.c.Queue.Add(op.Key)
	case "limit.addAfter":
		p.c.Queue.AddAfter(op.Key, after)
	case "limit.addRateLimited":
		p.c.Queue.AddRateLimited(op.Key)
	case "limit.addWithOpts":
		addWithOpts(p.c.Queue.Real(), after, op.RateLimited, op.Prio, op.Key)
	case "limit.when":
		ret := []string{}
		for range max(op.N, 1) {
			ret = append(ret, p.c.Limit.When(op.Key).String())
		}
		res["ret"] = ret
	case "limit.forget":
		p.c.Limit.Forget(op.Key)
	case "limit.numRequeues":
		res["ret"] = p.c.Limit.NumRequeues(op.Key)
	case "limit.stop":
		p.stopped = true
		p.stop()
	}
	synctest.Wait()
}

func (p *limitPlayer) open(op *limitOp, res map[string]any) {
	var err error
	p.c, err = p.v.Controller(&Options{
		Managed: op.Managed, UsePriorityQueue: op.UsePQ, ByMgr: op.MgrUsePQ, Limiter: op.LimiterSpec, Workers: op.Workers,
		Timeout: time.Duration(op.TimeoutMs) * time.Millisecond, RecoverPanic: op.Recover, Reconcile: p.reconcile,
	})
	if err != nil {
		panic(err)
	}
	if op.Managed {
		res["managerAdds"] = p.c.Adds
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.stop, p.began = cancel, time.Now()
	go func() {
		err := p.c.Start(ctx)
		p.record("Start returned %v", err)
	}()
	synctest.Wait()
	res["limiter"] = limiterText(reflect.ValueOf(p.c.Limit.Real()))
	res["queueType"] = "*controller.priorityQueueWrapper"
	if IsPriorityQueue(p.c.Queue.Real()) {
		res["queueType"] = "*priorityqueue.priorityqueue"
	}
}

// queue returns the struct of the controller's queue.
func (p *limitPlayer) queue() reflect.Value { return reflect.ValueOf(p.c.Queue.Real()).Elem() }

// record adds a line to the trace.
func (p *limitPlayer) record(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trace = append(p.trace, fmt.Sprintf("t=%s ", time.Since(p.began))+fmt.Sprintf(format, args...))
}

func (p *limitPlayer) reconcile(ctx context.Context, key string) (Result, error) {
	p.mu.Lock()
	p.runs[key]++
	run, program := p.runs[key], key
	if _, has := p.programs[key]; !has {
		program = "*"
	}
	var r limitResult
	if results := p.programs[program]; len(results) > 0 {
		r, p.programs[program] = results[0], results[1:]
	}
	p.mu.Unlock()
	p.record("begin %s #%d requeues=%d", key, run, p.c.Limit.NumRequeues(key))
	if r.AddDuring {
		p.c.Queue.Add(key)
	}
	if r.SleepMs > 0 {
		select {
		case <-time.After(time.Duration(r.SleepMs) * time.Millisecond):
		case <-ctx.Done():
			p.record("ctx %s #%d: %v cause=%v", key, run, ctx.Err(), context.Cause(ctx))
		}
	}
	p.record("end %s #%d %s", key, run, &r)
	if r.Panic {
		panic("as the script says")
	}
	result := Result{RequeueAfter: time.Duration(r.AfterMs) * time.Millisecond, Requeue: r.Requeue, Priority: r.Prio}
	switch err := errors.New("as the script says"); {
	case r.Terminal && r.Wrapped:
		return result, fmt.Errorf("wrapped: %w", p.v.Terminal(err))
	case r.Terminal:
		return result, p.v.Terminal(err)
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
		if n := p.c.Limit.NumRequeues(k); n > 0 {
			requeues[k] = n
		}
	}
	res["numRequeues"] = requeues
	if q := p.queue(); IsPriorityQueue(p.c.Queue.Real()) {
		ready, waiting := Queued(p.c.Queue.Real())
		res["queue"] = map[string]any{"ready": ready, "waiting": waiting, "locked": lockedKeys(q), "waiters": waiters(q)}
	} else {
		res["len"] = p.c.Queue.Len()
	}
}

// limitScript makes a script up for a controller with one worker. If a reconcile ends when
// a key becomes ready, chance decides which of them is first. So one reconcile at most
// takes time, and until its end all other times are multiples of 5 ms.
func (v *Version) limitScript(r *rand.Rand) []proof.Op {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	priorities := v.Queue != nil
	script := []proof.Op{{"op": "limit.new", "usePQ": r.Intn(2) == 0 && priorities, "limiter": pick("", "", "", "exp", "bucket", "fastslow"),
		"baseMs": 5 * (1 + r.Intn(10)), "maxMs": 100 + 5*r.Intn(400), "qps": 10, "burst": 1 + r.Intn(5), "n": 1 + r.Intn(4)}}
	if r.Intn(4) == 0 {
		script[0]["managed"], script[0]["mgrUsePQ"] = true, r.Intn(2) == 0 && priorities
		if r.Intn(2) == 0 {
			delete(script[0], "usePQ")
		}
	}
	if v.Minor < 19 { // a panic would end the process
		script[0]["recover"] = true
	}
	if r.Intn(6) == 0 && v.Minor >= 22 {
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
		if r.Intn(4) == 0 && v.Minor >= 23 {
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
		if op["op"] == "limit.addWithOpts" && !priorities {
			op["op"] = "limit.add"
		}
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
