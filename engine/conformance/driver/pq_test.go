package driver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// limiterSpec says which rate limiter a queue gets.
type limiterSpec struct {
	Limiter       string
	BaseMs, MaxMs int64
	QPS           float64
	Burst, N      int
}

// limiter returns the limiter, or own if the script names none.
func (s *limiterSpec) limiter(limiter workqueue.Limiter) workqueue.Limiter {
	switch s.Limiter {
	case "exp":
		return workqueue.Exponential(s.BaseMs*1e6, s.MaxMs*1e6)
	case "bucket":
		return workqueue.Bucket(s.QPS, s.Burst)
	case "fastslow":
		return workqueue.FastSlow(s.BaseMs*1e6, s.MaxMs*1e6, s.N)
	case "workqueueDefault":
		return workqueue.DefaultController()
	}
	return limiter
}

type pqOp struct {
	Op, Key string
	Keys    []string
	Ms      int64
	limiterSpec
	RateLimited bool
	Prio        *int
}

// pqPart plays pq.*: controller-runtime's priority queue, and getters that wait for
// it.
type pqPart struct {
	c        *controllerPlay
	t        *object.Table
	q        *priorityqueue.Queue
	m        *metrics.Queue
	blocked  []bool // the getters that wait: whether each asked for the priority, too
	received []pqGot
	now      int64
}

type pqGot struct {
	Key      string `json:"key"`
	Prio     int    `json:"prio"`
	Shutdown bool   `json:"shutdown"`
}

func (p *pqPart) play(verb string, text []byte, out output) error {
	var op pqOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now, p.received = p.c.now, nil
	if verb == "new" {
		p.t, p.q, p.m = object.NewTable(nil), priorityqueue.New(op.limiter(priorityqueue.DefaultLimiter()), p.c.gates.Order), metrics.NewQueue(p.now)
		p.q.Deaf = !p.c.gates.HeedsStop
		return nil
	}
	var k object.Key
	if op.Key != "" {
		k = p.t.Key(op.Key)
	}
	switch verb {
	case "add":
		p.q.Add(k)
	case "addAfter":
		p.q.AddAfter(k, op.Ms*1e6)
	case "addRateLimited":
		p.q.AddRateLimited(k)
	case "addWithOpts":
		o := priorityqueue.AddOpts{After: op.Ms * 1e6, RateLimited: op.RateLimited}
		if op.Prio != nil {
			o.Priority = *op.Prio
		}
		p.q.AddWithOpts(o, p.keys(&op)...)
	case "get", "getWithPriority":
		for range max(op.N, 1) {
			p.get(verb == "getWithPriority")
			p.settle()
		}
	case "drain":
		p.drain(out)
	case "done":
		p.q.Done(k)
		p.m.Look(&event.Event{Kind: event.WorkUnlocked, Key: k}, p.now)
	case "metrics":
		out["metrics"] = measuredQueue(p.m, p.q.Retried())
	case "forget":
		p.q.Forget(k)
	case "numRequeues":
		out["ret"] = p.q.NumRequeues(k)
	case "len":
		var log event.Log
		out["ret"] = p.q.Len(p.now, &log)
		p.look(&log)
	case "shuttingDown":
		out["ret"] = p.q.ShuttingDown()
	case "shutdown", "shutdownDrain":
		if !p.q.ShutDown() {
			return panicked("close of closed channel")
		}
		p.m.Look(&event.Event{Kind: event.WorkShutDown}, p.now)
	default:
		return unknown(verb)
	}
	p.settle()
	return nil
}

func (p *pqPart) keys(op *pqOp) []object.Key {
	names := op.Keys
	if op.Key != "" {
		names = append([]string{op.Key}, names...)
	}
	keys := make([]object.Key, 0, len(names))
	for _, name := range names {
		keys = append(keys, p.t.Key(name))
	}
	return keys
}

// get starts a getter.
func (p *pqPart) get(prio bool) {
	p.blocked = append(p.blocked, prio)
	p.q.GetWithPriority()
}

// settle runs the queue's goroutines and the getters until all are blocked.
func (p *pqPart) settle() {
	for {
		var log event.Log
		switch {
		case p.q.AddBufferReady():
			p.q.HandleAddBuffer(p.now, &log)
			p.look(&log)
		case p.q.WaitingItemsReady(p.now):
			p.q.HandleWaitingItems(p.now, &log)
			p.look(&log)
		case p.q.ReadyItemsReady():
			items := p.q.HandleReadyItems(p.now, nil, &log)
			p.look(&log)
			for _, it := range items {
				p.m.Look(&event.Event{Kind: event.WorkGot, Key: it.Key}, p.now)
				if !p.blocked[0] {
					it.Priority = 0
				}
				p.blocked = p.blocked[1:]
				p.received = append(p.received, pqGot{p.t.KeyText(it.Key), it.Priority, false})
			}
		default:
			for p.q.ShuttingDown() && !p.q.Deaf && len(p.blocked) > 0 {
				p.blocked = p.blocked[1:]
				p.received = append(p.received, pqGot{Shutdown: true})
			}
			p.m.Tick(p.now) // nothing more comes at this time without an operation, and the ticker is quicker
			return
		}
	}
}

// look tells the metrics of the facts of a turn.
func (p *pqPart) look(log *event.Log) {
	for i := range log.Events {
		p.m.Look(&log.Events[i], p.now)
	}
}

// drain gets everything that can be handed out.
func (p *pqPart) drain(out output) {
	before := p.received
	var order []string
	for p.received = nil; p.canHandOut(); p.received = nil {
		p.get(true)
		p.settle()
		order = append(order, fmt.Sprintf("%s p%d", p.received[0].Key, p.received[0].Prio))
	}
	p.received = before
	out["order"] = order
}

func (p *pqPart) canHandOut() bool {
	if p.q.ShuttingDown() {
		return false
	}
	locked := p.q.Locked(nil)
	for i := range p.q.ReadyLen() {
		if !slices.Contains(locked, p.q.ReadyAt(i).Key) {
			return true
		}
	}
	return false
}

func (p *pqPart) advance(to int64, out output) {
	p.received = nil
	for p.now < to {
		next := to
		if at, ok := p.q.NextReady(); ok {
			next = min(at, to)
		}
		p.now = next
		p.settle()
	}
}

func (p *pqPart) print(out output) {
	ready, waiting := queued(p.t, p.q, p.now)
	out["ready"], out["waiting"], out["locked"] = ready, waiting, lockedKeys(p.t, p.q)
	out["waiters"], out["addedCounter"], out["blockedGetters"] = p.q.Waiters(), p.q.AddedCounter(), len(p.blocked)
	if len(p.received) > 0 {
		slices.SortFunc(p.received, func(a, b pqGot) int { return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Key, b.Key)) })
		out["got"] = p.received
	}
}

// queued writes the two sets of a priority queue.
func queued(t *object.Table, q *priorityqueue.Queue, now int64) (ready, waiting []string) {
	ready, waiting = []string{}, []string{}
	for i := range q.ReadyLen() {
		it := q.ReadyAt(i)
		ready = append(ready, fmt.Sprintf("%s p%d c%d", t.KeyText(it.Key), it.Priority, it.AddedCounter))
	}
	for i := range q.WaitingLen() {
		it := q.WaitingAt(i)
		waiting = append(waiting, fmt.Sprintf("%s p%d c%d in %s", t.KeyText(it.Key), it.Priority, it.AddedCounter, time.Duration(it.ReadyAt-now)))
	}
	return ready, waiting
}

// lockedKeys returns the keys that workers have.
func lockedKeys(t *object.Table, q *priorityqueue.Queue) []string {
	locked := []string{}
	for _, k := range q.Locked(nil) {
		locked = append(locked, t.KeyText(k))
	}
	slices.Sort(locked)
	return locked
}
