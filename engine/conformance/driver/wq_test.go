package driver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// maxBlocked is how many workers may wait in Get at a time.
const maxBlocked = 3

// wqFamily plays wq.*: a rate limiting queue with the goroutines around it.
type wqFamily struct {
	d        *driver
	t        *object.Table
	q        *workqueue.RateLimiting
	m        *metrics.Queue
	log      event.Log // what m has not looked at
	now      int64
	blocked  int  // workers in Get
	drains   int  // callers in ShutDownWithDrain
	shutDown bool // ShutDown was called: only the first does anything
	wakes    int  // of them that are woken: Done wakes one, a shutdown all
}

func (f *wqFamily) run(verb string, l *line, out output) {
	if verb == "new" {
		f.t, f.q, f.blocked, f.drains = object.NewTable(nil), workqueue.NewRateLimiting(l.Limits.limiter(l.N)), 0, 0
		f.m = metrics.NewQueue(f.now)
		f.wakes, f.shutDown = 0, false
		f.print(nil, out)
		return
	}
	if !f.ready() {
		out["err"] = "no queue"
		return
	}
	item := f.t.Key(l.Item)
	switch verb {
	case "add":
		f.q.Add(item, &f.log)
	case "addAfter":
		f.q.AddAfter(item, l.Ms*1e6, f.now, &f.log)
	case "addRateLimited":
		f.q.AddRateLimited(item, f.now, &f.log)
	case "forget":
		f.q.Forget(item, &f.log)
	case "numRequeues":
		out["ret"] = f.q.NumRequeues(item)
	case "get":
		if f.blocked == maxBlocked {
			out["err"] = "3 workers already blocked"
		} else {
			f.blocked++
		}
	case "done":
		f.q.Done(item, 0, &f.log)
		f.wakes = 1
	case "shutdown":
		if f.q.ShutDown(&f.log); !f.shutDown {
			f.wakes, f.shutDown = f.drains, true
		}
	case "shutdownDrain":
		if f.d.version < "v0.23" {
			out["unsupported"] = true
		} else {
			f.q.ShutDownWithDrain(&f.log)
			f.drains++
			f.wakes = f.drains
		}
	case "pause", "resume":
		switch {
		case !f.d.profile.Pausable:
			out["unsupported"] = true
		case verb == "pause":
			f.q.Pause(&f.log)
		case f.q.Paused():
			f.q.Resume(&f.log)
			f.wakes = f.drains
		}
	case "len":
		out["ret"] = f.q.Len()
	case "metrics":
		out["metrics"] = measuredQueue(f.m, f.q.Counters().Retried)
	default:
		out["err"] = "unknown operation"
	}
	f.print(f.settle(nil), out)
}

// limiter makes the rate limiter that wq.new asks for. Of fastslow, fast is how many quick tries come first.
func (l limits) limiter(fast int) workqueue.Limiter {
	exp := workqueue.Exponential(l.BaseMs*1e6, l.MaxMs*1e6)
	switch l.Limiter {
	case "exp":
		return exp
	case "bucket":
		return workqueue.Bucket(l.QPS, l.Burst)
	case "fastslow":
		return workqueue.FastSlow(l.BaseMs*1e6, l.MaxMs*1e6, fast)
	case "max":
		return workqueue.MaxOf(exp, workqueue.Bucket(l.QPS, l.Burst))
	}
	return workqueue.DefaultController()
}

// settle runs the queue's loop and the workers until all are blocked.
func (f *wqFamily) settle(got []string) []string {
	for f.q.LoopTurn(f.now, &f.log) {
	}
	for f.blocked > 0 && f.q.CanGet() {
		f.blocked--
		if k, res := f.q.Get(0, &f.log); res == workqueue.ShutDown {
			got = append(got, "shutdown")
		} else {
			got = append(got, f.t.KeyText(k))
		}
	}
	for ; f.drains > 0 && f.wakes > 0 && f.q.Drained(); f.drains-- {
		got = append(got, "drained")
		f.wakes--
	}
	f.wakes = 0
	for i := range f.log.Events {
		f.m.Look(&f.log.Events[i], f.now)
	}
	f.log.Events = f.log.Events[:0]
	f.m.Tick(f.now) // nothing more comes at this time without an operation, and the ticker is quicker
	return got
}

// measuredQueue prints the metrics of a queue, with times in ms. Limiters make halves and thirds of a
// millisecond, and the library sums floats: so none of those is where the rounding changes.
func measuredQueue(m *metrics.Queue, retries int64) output {
	ms := func(ns int64) int64 { return (ns + 3e5) / 1e6 }
	return output{
		"depth": m.Depth, "adds": m.Adds, "retries": retries,
		"queueDuration.count": m.QueueDuration.Count, "queueDuration.sum": ms(m.QueueDuration.Sum),
		"workDuration.count": m.WorkDuration.Count, "workDuration.sum": ms(m.WorkDuration.Sum),
		"unfinishedWorkSeconds": ms(m.UnfinishedWork), "longestRunningSeconds": ms(m.LongestRunning),
	}
}

func (f *wqFamily) ready() bool { return f.q != nil }

func (f *wqFamily) advance(by int64, out output) {
	var got []string
	for end := f.now + by; f.now < end; {
		f.now = end
		if at, ok := f.q.NextReady(); ok && at < end {
			f.now = at
		}
		got = f.settle(got)
	}
	f.print(got, out)
}

func (f *wqFamily) print(got []string, out output) {
	texts := func(keys []object.Key) []string {
		out := []string{}
		for _, k := range keys {
			out = append(out, f.t.KeyText(k))
		}
		return out
	}
	queue := []string{}
	for i := range f.q.Len() {
		queue = append(queue, f.t.KeyText(f.q.At(i)))
	}
	dirty, processing := texts(f.q.Dirty(nil, f.q.DirtyLen())), texts(f.q.Processing(nil, f.q.ProcessingLen()))
	slices.Sort(dirty)
	slices.Sort(processing)
	slices.Sort(got)
	out["got"] = append([]string{}, got...)
	out["wq"] = output{"queue": queue, "dirty": dirty, "processing": processing, "blockedWorkers": f.blocked, "shuttingDown": f.q.ShuttingDown(), "tMs": f.now / 1e6}
}
