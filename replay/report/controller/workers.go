package controller

import (
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Undone is a key whose reconcile has returned, and whose worker hasn't called Done. The workqueue hands it out to nobody.
type Undone struct {
	Key   string
	Since int64 // when the reconcile returned
	Until int64 // when the recording ended, or the workqueue was shut down
}

// Unserved are the keys that no worker takes when the workqueue is shut down or the recording ends.
type Unserved struct {
	Until int64  // when that is
	Key   string // that has waited longest
	Since int64  // when a worker has last taken a key though another one waited, or when the first one was added
	Keys  int64
	Busy  int  // workers in a reconcile
	Never bool // no worker has taken any
}

// Unforgotten is a key whose reconciles succeed and that the rate limiter still counts as failing.
type Unforgotten struct {
	Key       string
	Successes int64 // since its last failure or Forget
	Failures  int64 // since the last Forget
	From, To  int64 // the first failure, and the last success
}

// patience is how long a worker may take from the end of a reconcile to Done, or from Done to the next Get, in nanoseconds. It has nothing to do
// in between. What waits for the first worker may wait for other things, such as the first lists.
const (
	patience      = 10_000_000_000
	firstPatience = minute / 2
)

// turns is what the calls of a workqueue say about a key.
type turns struct {
	takenAt   int64 // when a worker took the key and hasn't called Done, 0 for none
	limited   bool  // it was put off by the rate limiter since
	failures  int64 // since the last Forget: how often it was
	successes int64 // of reconciles, since the last failure
	from, to  int64
}

// ready reports whether a worker could take the key.
func (k *ofKey) ready() bool { return k.waits && k.turns.takenAt == 0 }

// turn takes in a call of a workqueue, after everything else has. was reports whether the key was ready before the call.
func (w *work) turn(k *ofKey, q *worker.Queued, was bool) {
	if q.Fn == "ShutDown" && !w.shut {
		w.findUndone(q.Time, &w.c)
		w.findUnserved(q.Time, &w.c)
		w.shut = true
	}
	if k == nil {
		return
	}
	t := &k.turns
	switch q.Fn {
	case "Get":
		t.takenAt, t.limited, w.taken = q.Time, false, q.Time
	case "Done":
		if x := k.last; t.takenAt != 0 && t.failures > 0 && !t.limited && x != nil && x.Began >= t.takenAt && x.Result == trace.ResultDone {
			t.successes++
			t.to = q.Time
		}
		t.takenAt = 0
	case "Forget":
		t.failures, t.successes = 0, 0
	case "AddRateLimited", "AddWithOpts":
		if q.Fn == "AddRateLimited" || q.RateLimited {
			if t.failures++; t.failures == 1 {
				t.from = q.Time
			}
			t.limited = true
		}
	}
	switch now := k.ready(); {
	case now && !was:
		if w.ready++; w.ready == 1 {
			w.taken = q.Time
		}
	case was && !now:
		w.ready--
	}
}

// returned reports whether the reconcile of a key that a worker has taken has returned.
func (k *ofKey) returned() bool {
	return k.last != nil && k.last.Began >= k.turns.takenAt && k.last.Ended != 0
}

// findUndone fills in for which keys Done isn't called.
func (w *work) findUndone(now int64, c *Controller) {
	for _, k := range w.keys {
		if k.turns.takenAt != 0 && k.returned() && now-k.last.Ended >= patience {
			c.Held = append(c.Held, Undone{k.name, k.last.Ended, now})
		}
	}
	c.Held = sorted(c.Held, 0, func(u *Undone) (int64, string) { return -u.Since, u.Key })
}

// findUnserved fills in which keys no worker takes.
func (w *work) findUnserved(now int64, c *Controller) {
	if c.Queue == nil {
		return
	}
	busy, first := 0, (*ofKey)(nil)
	for _, k := range w.keys {
		if k.turns.takenAt != 0 && !k.returned() {
			busy++
		}
		if k.ready() && (first == nil || k.since < first.since || k.since == first.since && k.name < first.name) {
			first = k
		}
	}
	never := c.Queue.Gets+c.Reconciles.Count == 0
	if first != nil && (busy < len(w.workers) || busy == 0) && (never && now-w.taken >= firstPatience || c.Queue.Gets > 0 && now-w.taken >= patience) {
		c.Unserved = &Unserved{now, first.name, w.taken, int64(w.ready), busy, never}
	}
}

// turnsBy fills in what the turns tell of the workers by now. Where something was left out, they tell nothing.
func (w *work) turnsBy(now int64, c *Controller, rows int) {
	if c.Queue == nil {
		return
	}
	if !w.shut {
		w.findUndone(now, c)
		w.findUnserved(now, c)
	}
	for _, k := range w.keys {
		if t := &k.turns; t.successes > 0 {
			c.Unforgotten = append(c.Unforgotten, Unforgotten{k.name, t.successes, t.failures, t.from, t.to})
		}
	}
	c.Unforgotten = sorted(c.Unforgotten, rows, func(u *Unforgotten) (int64, string) { return u.Successes, u.Key })
	if c.Helds = int64(len(c.Held)); rows > 0 {
		c.Held = c.Held[:min(rows, len(c.Held))]
	}
}
