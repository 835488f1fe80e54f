package controller

import (
	"cmp"
	"slices"
	"sort"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Failing is a key whose last reconciles have all failed.
type Failing struct {
	Key     string `json:"key"`
	Times   int64  `json:"times"` // in a row
	Error   string `json:"error"` // the class of the last error
	Message string `json:"message,omitempty"`
	From    int64  `json:"from"`           // when the first of them ended
	Last    int64  `json:"at"`             // and the last
	Next    int64  `json:"next,omitempty"` // when it is to be tried next; 0 where nobody recorded it, or where it isn't
	Final   bool   `json:"final,omitempty"`
}

// Hot is a key in the minute in which it was reconciled most often.
type Hot struct {
	Key        string `json:"key"`
	Reconciles int64  `json:"reconciles"`
	From       int64  `json:"from"` // when the first began
	To         int64  `json:"to"`   // and the last
	Cause      string `json:"by"`   // what made most of them: one of the feeders
	Fed        int64  `json:"fed"`  // how many
}

// The feeders: what has made a key be reconciled again.
const (
	ByRequeueAfter = "requeueAfter" // the result of the reconcile before
	ByRequeue      = "requeue"      // likewise
	ByError        = "error"        // the reconcile before had failed, and the rate limiter's time was over
	ByAddAfter     = "addAfter"     // a call of AddAfter or AddRateLimited
	ByWrite        = "write"        // it was added after the reconcile before had changed something, and the informer had got that
	ByAdd          = "add"          // it was added by nobody knows whom
	ByUnknown      = "unknown"      // the workqueue wasn't recorded
)

var feeders = [...]string{ByRequeueAfter, ByRequeue, ByError, ByAddAfter, ByWrite, ByAdd, ByUnknown}

// Conflicts are the writes for a key that the API server has refused since their objects had changed.
type Conflicts struct {
	Key      string `json:"key"`
	Object   string `json:"object"` // of the last one
	Resource string `json:"of"`     // its resource
	Span
}

// Panic is a reconcile that panicked.
type Panic struct {
	Key  string `json:"key"`
	Time int64  `json:"at"`
}

// minuteOf counts the reconciles of a key in a minute that begins with one of them.
type minuteOf struct {
	from, n int64
	feeders [len(feeders)]int64
}

const minute = 60_000_000_000

// timer is what was asked for of a key: to be added when a time is over.
type timer struct {
	due    int64 // 0 for none
	source string
}

// failed takes in how a reconcile ended.
func (k *ofKey) failed(x *run) {
	k.timer = timer{}
	switch x.Result {
	case trace.ResultError, trace.ResultTerminal, trace.ResultPanic:
		if k.failing == nil {
			k.failing = &Failing{Key: k.name, From: x.Ended}
		}
		f := k.failing
		f.Times++
		f.Last, f.Next, f.Error, f.Message, f.Final = x.Ended, 0, cmp.Or(x.Error, x.Result), x.Message, x.Result == trace.ResultTerminal
	case trace.ResultRequeueAfter:
		k.failing, k.timer = nil, timer{x.Ended + x.After, ByRequeueAfter}
	default:
		k.failing = nil
	}
}

// delayed takes in a call of a workqueue that puts a key off, or what a rate limiter says.
func (k *ofKey) delayed(q *worker.Queued) {
	due, by := q.Time+q.After, ByAddAfter
	if x := k.last; x != nil && x.Ended != 0 && x.Ended <= q.Time {
		switch x.Result {
		case trace.ResultError:
			by = ByError
		case trace.ResultRequeue:
			by = ByRequeue
		case trace.ResultRequeueAfter:
			by = ByRequeueAfter
		}
	}
	if q.After == 0 && q.Fn != "When" {
		return // the rate limiter says for how long
	}
	if k.timer.due == 0 || due < k.timer.due {
		k.timer = timer{due, by}
	}
	if k.failing != nil && (k.failing.Next == 0 || due < k.failing.Next) {
		k.failing.Next = due
	}
}

// fed returns what has made a reconcile begin.
func (k *ofKey) fed(x *run, queue bool) string {
	before := k.last
	switch {
	case k.timer.due != 0 && x.Began >= k.timer.due:
		return k.timer.source
	case before == nil || !queue && before.Result != trace.ResultDone:
		return ByUnknown
	case before.changed != nil && before.changed.Received > before.Began && before.changed.Received <= x.Began:
		return ByWrite
	case !queue:
		return ByUnknown
	}
	return ByAdd
}

// countReconcile counts a reconcile.
func (k *ofKey) countReconcile(x *run, queue bool) {
	m := &k.minute
	if m.n == 0 || x.Began-m.from > minute {
		*m = minuteOf{from: x.Began}
	}
	m.n++
	m.feeders[slices.Index(feeders[:], k.fed(x, queue))]++
	if m.n > k.hot.Reconciles {
		k.hot = Hot{Key: k.name, Reconciles: m.n, From: m.from, To: x.Began}
		for i, n := range m.feeders {
			if n > k.hot.Fed {
				k.hot.Cause, k.hot.Fed = feeders[i], n
			}
		}
	}
	k.timer = timer{}
	if k.failing != nil {
		k.failing.Next = 0
	}
}

// refused takes in a write that was refused.
func (k *ofKey) refused(s *sent) {
	if s.Answer.Reason != "Conflict" {
		return
	}
	if k.refusals.add(s.Answered) {
		k.conflicts = Conflicts{k.name, s.Key(), s.Target(), k.refusals.busiest}
	}
}

// Span says how often something happened, and from when to when.
type Span struct {
	Times int64 `json:"times"` // within ten minutes that begin with one of them, at most
	From  int64 `json:"from"`
	To    int64 `json:"to"`
}

// often finds the ten minutes in which something happened most often.
type often struct{ now, busiest Span }

// add counts one more. It reports whether there were never more.
func (o *often) add(at int64) bool {
	if o.now.Times == 0 || at-o.now.From > 10*minute {
		o.now = Span{From: at}
	}
	o.now.Times++
	o.now.To = at
	if o.now.Times < o.busiest.Times {
		return false
	}
	o.busiest = o.now
	return true
}

// loops fills in which keys fail, are reconciled most often, and meet conflicts.
func (w *work) loops(c *Controller, rows int) {
	for _, k := range w.keys {
		if k.failing != nil {
			c.Failing = append(c.Failing, *k.failing)
		}
		if k.hot.Reconciles > 1 {
			c.Hot = append(c.Hot, k.hot)
		}
		if k.conflicts.Times > 0 {
			c.Conflicts = append(c.Conflicts, k.conflicts)
		}
		if k.loops.busiest.Times > 0 {
			c.OwnWrites = append(c.OwnWrites, OwnWrites{k.name, k.wrote, k.loops.busiest})
		}
	}
	c.Fails = len(c.Failing)
	c.Failing = sorted(c.Failing, rows, func(f *Failing) (int64, string) { return f.Times, f.Key })
	c.Hot = sorted(c.Hot, rows, func(h *Hot) (int64, string) { return h.Reconciles, h.Key })
	c.Conflicts = sorted(c.Conflicts, rows, func(f *Conflicts) (int64, string) { return f.Times, f.Key })
	c.OwnWrites = sorted(c.OwnWrites, rows, func(w *OwnWrites) (int64, string) { return w.Times, w.Key })
}

// sorted sorts all by the number that by returns, the largest first, and equal ones by the key. It keeps the first of them, as many as rows says; 0 keeps all.
func sorted[T any](all []T, rows int, by func(row *T) (n int64, key string)) []T {
	sort.Slice(all, func(i, j int) bool {
		n, key := by(&all[i])
		m, other := by(&all[j])
		return n > m || n == m && key < other
	})
	if rows > 0 {
		all = all[:min(rows, len(all))]
	}
	return all
}
