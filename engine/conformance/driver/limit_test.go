package driver

import (
	"cmp"
	"fmt"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

type limitOp struct {
	Op, Key                  string
	UsePQ, MgrUsePQ, Recover *bool
	Managed                  bool
	Workers                  int
	TimeoutMs, Ms            int64
	limiterSpec              // its N is also how often When is called
	RateLimited              bool
	Prio                     *int
	Results                  []limitResult
}

// limitResult is what a reconciler of the script does and returns.
type limitResult struct {
	Err, Terminal, Wrapped, Panic bool
	Requeue, AddDuring            bool
	AfterMs, SleepMs              int64
	Prio                          *int
}

// String writes the result as the transcripts do.
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
		text += fmt.Sprintf(" RequeueAfter=%s", time.Duration(r.AfterMs*1e6))
	}
	if r.Requeue {
		text += " Requeue"
	}
	if r.Prio != nil {
		text += fmt.Sprintf(" Priority=%d", *r.Prio)
	}
	return text
}

// result returns what the reconcile loop sees of it. A panic returns nothing.
func (r *limitResult) result() *controller.Result {
	if r.Panic {
		return &controller.Result{Failure: controller.Failed}
	}
	out := &controller.Result{RequeueAfter: r.AfterMs * 1e6, Requeue: r.Requeue}
	switch {
	case r.Terminal:
		out.Failure = controller.TerminalError
	case r.Err:
		out.Failure = controller.Failed
	}
	if r.Prio != nil {
		out.HasPriority, out.Priority = true, *r.Prio
	}
	return out
}

// limitWorker is a worker of the controller.
type limitWorker struct {
	waits bool // in GetWithPriority
	busy  bool // in a reconcile
	ended bool

	key     object.Key
	prio    int
	run     int // of its key
	result  limitResult
	until   int64
	expires int64 // when the reconcile's context ends: actor.Never without a timeout
}

// limitQueue is a controller's queue: the priority queue, or client-go's workqueue in
// priorityQueueWrapper, which gives all keys the priority 0. One of the two is in use.
type limitQueue struct {
	prioritises bool
	priority    priorityqueue.Queue
	work        workqueue.RateLimiting
}

// limiter returns the rate limiter of the queue in use.
func (q *limitQueue) limiter() *workqueue.Limiter {
	if q.prioritises {
		return &q.priority.Limiter
	}
	return &q.work.Limiter
}

// add adds k, as sources and the reconcile loop do. Without the priority queue, a rate limit counts and the delay
// beside it doesn't.
func (q *limitQueue) add(o priorityqueue.AddOpts, k object.Key, now int64) {
	switch {
	case q.prioritises:
		q.priority.AddWithOpts(o, k)
	case o.RateLimited:
		q.work.AddRateLimited(k, now, nil)
	case o.After > 0:
		q.work.AddAfter(k, o.After, now, nil)
	default:
		q.work.Add(k, nil)
	}
}

// limitPart plays limit.*: a controller of controller-runtime, whose reconciler does
// what the script says.
type limitPart struct {
	c        *controllerPlay
	t        *object.Table
	q        limitQueue
	workers  []limitWorker
	programs map[object.Key][]limitResult
	runs     map[object.Key]int
	timeout  int64
	stopped  bool
	trace    []string
	now      int64
}

// anyKey is the key of the program for keys that have none.
const anyKey = "*"

func (p *limitPart) play(verb string, text []byte, out output) error {
	var op limitOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now, p.trace = p.c.now, nil
	if verb == "new" {
		p.begin(&op, out)
		return nil
	}
	k := p.t.Key(op.Key)
	switch verb {
	case "program":
		p.programs[k] = op.Results
	case "add":
		p.add(priorityqueue.AddOpts{}, k)
	case "addAfter":
		if p.q.prioritises {
			p.q.priority.AddAfter(k, op.Ms*1e6)
		} else {
			p.q.work.AddAfter(k, op.Ms*1e6, p.now, nil)
		}
	case "addRateLimited":
		p.add(priorityqueue.AddOpts{RateLimited: true}, k)
	case "addWithOpts":
		o := priorityqueue.AddOpts{After: op.Ms * 1e6, RateLimited: op.RateLimited}
		if op.Prio != nil {
			o.Priority = *op.Prio
		}
		p.add(o, k)
	case "when":
		ret := []string{}
		for range max(op.N, 1) {
			ret = append(ret, time.Duration(p.q.limiter().When(k, p.now)).String())
		}
		out["ret"] = ret
	case "forget":
		p.q.limiter().Forget(k)
	case "numRequeues":
		out["ret"] = p.q.limiter().NumRequeues(k)
	case "stop":
		p.stop()
	default:
		return unknown(verb)
	}
	p.settle()
	if verb == "stop" && !(p.q.prioritises && p.q.priority.Deaf) {
		p.trace = append(p.trace, p.clock()+"Start returned <nil>")
	}
	return nil
}

func (p *limitPart) add(o priorityqueue.AddOpts, k object.Key) { p.q.add(o, k, p.now) }

func (p *limitPart) begin(op *limitOp, out output) {
	use := op.UsePQ
	if op.Managed {
		use = cmp.Or(use, op.MgrUsePQ)
		out["managerAdds"] = 1
	}
	pq := p.c.gates.UsesPriorities
	if use != nil {
		pq = *use
	}
	p.t, p.programs, p.runs = object.NewTable(nil), map[object.Key][]limitResult{}, map[object.Key]int{}
	p.timeout = op.TimeoutMs * 1e6
	p.q = limitQueue{prioritises: pq, priority: *priorityqueue.New(workqueue.Limiter{}, p.c.gates.Order)}
	if pq { // a limiter of its own, and without the priority queue client-go's, in which all keys share a bucket
		p.q.priority.Limiter = op.limiter(priorityqueue.DefaultLimiter())
	} else {
		p.q.work.Limiter = op.limiter(workqueue.DefaultController())
	}
	p.q.priority.Deaf = !p.c.gates.HeedsStop
	p.workers = make([]limitWorker, max(op.Workers, 1))
	out["queueType"] = "*controller.priorityQueueWrapper"
	if pq {
		out["queueType"] = "*priorityqueue.priorityqueue"
	}
	out["limiter"] = op.text(pq)
	p.settle()
}

// text names the limiter with its Go types.
func (s *limiterSpec) text(pq bool) string {
	exp := func(base, limit int64) string {
		return fmt.Sprintf("*workqueue.TypedItemExponentialFailureRateLimiter base=%s max=%s", time.Duration(base*1e6), time.Duration(limit*1e6))
	}
	bucket := func(qps float64, burst int) string {
		return fmt.Sprintf("*workqueue.TypedBucketRateLimiter qps=%v burst=%d", qps, burst)
	}
	switch {
	case s.Limiter == "exp":
		return exp(s.BaseMs, s.MaxMs)
	case s.Limiter == "bucket":
		return bucket(s.QPS, s.Burst)
	case s.Limiter == "fastslow":
		return "*workqueue.TypedItemFastSlowRateLimiter"
	case s.Limiter == "" && pq:
		return exp(5, 1000_000)
	}
	return "*workqueue.TypedMaxOfRateLimiter (" + exp(5, 1000_000) + "; " + bucket(10, 100) + ")"
}

func (p *limitPart) clock() string { return fmt.Sprintf("t=%s ", time.Duration(p.now)) }

// stop ends the controller's context, and with it the reconciles that run.
func (p *limitPart) stop() {
	p.stopped = true
	if p.q.prioritises {
		p.q.priority.ShutDown()
	} else {
		p.q.work.ShutDown(nil)
	}
	for i := range p.workers {
		if w := &p.workers[i]; w.busy {
			p.trace = append(p.trace, fmt.Sprintf("%sctx %s #%d: context canceled cause=context canceled", p.clock(), p.t.KeyText(w.key), w.run))
			p.end(w)
		}
	}
}

// settle runs the queue's goroutines and the workers until all are blocked.
func (p *limitPart) settle() {
	for p.turn() || p.work() {
	}
}

// turn lets a goroutine of the queue move.
func (p *limitPart) turn() bool {
	q := &p.q.priority
	switch {
	case !p.q.prioritises:
		return p.q.work.LoopTurn(p.now, nil)
	case q.AddBufferReady():
		q.HandleAddBuffer(p.now, nil)
	case q.WaitingItemsReady(p.now):
		q.HandleWaitingItems(p.now, nil)
	case q.ReadyItemsReady():
		for _, it := range q.HandleReadyItems(p.now, nil, nil) {
			for i := range p.workers {
				if w := &p.workers[i]; w.waits {
					p.reconcile(w, it.Key, it.Priority)
					break
				}
			}
		}
	default:
		return false
	}
	return true
}

// work lets a worker move.
func (p *limitPart) work() bool {
	for i := range p.workers {
		w := &p.workers[i]
		switch {
		case w.ended:
		case w.busy && p.now >= w.expires:
			cause := "reconciliation timeout"
			if p.c.runtime < 23 {
				cause = "context deadline exceeded"
			}
			p.trace = append(p.trace, fmt.Sprintf("%sctx %s #%d: context deadline exceeded cause=%s", p.clock(), p.t.KeyText(w.key), w.run, cause))
			p.end(w)
			return true
		case w.busy && p.now >= w.until:
			p.end(w)
			return true
		case w.busy:
		case p.q.prioritises && !w.waits:
			w.waits = true
			w.ended = p.q.priority.GetWithPriority()
			return true
		case p.q.prioritises && p.q.priority.ShuttingDown() && !p.q.priority.Deaf:
			w.ended = true
			return true
		case !p.q.prioritises && p.q.work.CanGet():
			k, got := p.q.work.Get(int16(i), nil)
			if w.ended = got == workqueue.ShutDown; !w.ended {
				p.reconcile(w, k, 0)
			}
			return true
		}
	}
	return false
}

// reconcile begins a reconcile of k.
func (p *limitPart) reconcile(w *limitWorker, k object.Key, prio int) {
	p.runs[k]++
	program := k
	if _, has := p.programs[k]; !has {
		program = p.t.Key(anyKey)
	}
	*w = limitWorker{busy: true, key: k, prio: prio, run: p.runs[k], expires: actor.Never}
	if results := p.programs[program]; len(results) > 0 {
		w.result, p.programs[program] = results[0], results[1:]
	}
	p.trace = append(p.trace, fmt.Sprintf("%sbegin %s #%d requeues=%d", p.clock(), p.t.KeyText(k), w.run, p.q.limiter().NumRequeues(k)))
	if w.result.AddDuring {
		p.add(priorityqueue.AddOpts{}, k)
	}
	if w.until = p.now + w.result.SleepMs*1e6; p.timeout > 0 {
		w.expires = p.now + p.timeout
	}
}

// end ends a worker's reconcile.
func (p *limitPart) end(w *limitWorker) {
	p.trace = append(p.trace, fmt.Sprintf("%send %s #%d %s", p.clock(), p.t.KeyText(w.key), w.run, &w.result))
	o, forgets, again := w.result.result().RequeueOptions(w.prio)
	if forgets {
		p.q.limiter().Forget(w.key)
	}
	if again {
		p.q.add(o, w.key, p.now)
	}
	if p.q.prioritises {
		p.q.priority.Done(w.key)
	} else {
		p.q.work.Done(w.key, 0, nil)
	}
	w.busy = false
}

// next returns when something happens without the script.
func (p *limitPart) next() int64 {
	next := actor.Never
	if at, ok := p.q.priority.NextReady(); ok {
		next = at
	}
	if at, ok := p.q.work.NextReady(); ok {
		next = min(next, at)
	}
	for i := range p.workers {
		if w := &p.workers[i]; w.busy {
			next = min(next, w.until, w.expires)
		}
	}
	return next
}

func (p *limitPart) advance(to int64, _ output) {
	p.trace = nil
	for p.now < to {
		p.now = min(p.next(), to)
		p.settle()
	}
}

func (p *limitPart) print(out output) {
	if len(p.trace) > 0 {
		out["trace"] = p.trace
	}
	if p.stopped {
		return
	}
	requeues := output{}
	for k := range p.runs {
		if n := p.q.limiter().NumRequeues(k); n > 0 {
			requeues[p.t.KeyText(k)] = n
		}
	}
	out["numRequeues"] = requeues
	if !p.q.prioritises {
		out["len"] = p.q.work.Len()
		return
	}
	ready, waiting := queued(p.t, &p.q.priority, p.now)
	out["queue"] = output{"ready": ready, "waiting": waiting, "locked": lockedKeys(p.t, &p.q.priority), "waiters": p.q.priority.Waiters()}
}
