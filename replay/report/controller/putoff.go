package controller

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// PutOff is a key that was to be reconciled again, but later.
type PutOff struct {
	Key  string `json:"key"`
	Time int64  `json:"at"`
	// Method is the class of the error that the reconcile returned; requeue or requeueAfter; or the
	// workqueue's method, if the controller has called it itself.
	Method string `json:"by"`
	Delay  int64  `json:"delay"` // that was asked for, or that the rate limiter gave; 0 where nobody recorded it
	Until  int64  `json:"until"` // when the key was reconciled again, 0 for never
}

// Queue says what a controller's workqueue was asked for.
type Queue struct {
	Adds         int64  `json:"adds"`         // calls of Add and its like, with a delay or without
	Deduplicated int64  `json:"deduplicated"` // calls of Add for a key that was waiting already, at least
	Gets         int64  `json:"gets"`
	Longest      int64  `json:"longest"` // the longest time from an Add to the Get of its key
	LongestKey   string `json:"longestKey,omitempty"`
}

// delays reports whether a call of a workqueue puts its key off.
func delays(q *worker.Queued) bool {
	switch q.Fn {
	case "AddAfter", "AddRateLimited":
		return true
	case "AddWithOpts":
		return q.After > 0 || q.RateLimited
	}
	return false
}

// tables is what informerscope controller prints beside what rules look at.
type tables interface {
	addRun(x *run)
	addPutOff(w *work, k *ofKey, next int64) // what the last reconcile of a key has put off, when the next one begins
	addEcho(w *work, b *Echo)                // a write that is on its way back
	fill(w *work, c *Controller)
	waiting(r *Reading) []Waiting
}

// full are the tables.
type full struct {
	backs  map[*work][]*Echo
	putOff map[*work][]PutOff
	runs   map[*work][]*run // for Report.Guards
}

func (f *full) addRun(x *run) { f.runs[x.work] = append(f.runs[x.work], x) }

func (f *full) addPutOff(w *work, k *ofKey, next int64) {
	f.putOff[w] = append(f.putOff[w], k.putOff(next)...)
}

func (f *full) addEcho(w *work, b *Echo) { f.backs[w] = append(f.backs[w], b) }

func (f *full) fill(w *work, c *Controller) {
	c.Writes.Echoes, c.Stale, c.PutOff = []Echo{}, []StaleReconcile{}, []PutOff{}
	c.runs = f.runs[w]
	slices.SortStableFunc(f.backs[w], func(a, b *Echo) int { return cmp.Compare(a.Sent, b.Sent) })
	for _, b := range f.backs[w] {
		c.Writes.Echoes = append(c.Writes.Echoes, *b)
	}
	for _, s := range w.stale {
		c.Stale = append(c.Stale, s.now())
	}
	c.PutOff = append(c.PutOff, f.putOff[w]...)
	for _, k := range w.keys {
		c.PutOff = append(c.PutOff, k.putOff(0)...)
	}
	slices.SortStableFunc(c.PutOff, func(a, b PutOff) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Key, b.Key)) })
}

// putOff returns what the last reconcile of a key, and the calls of the workqueue up to the next one, have put off. The first calls
// after a reconcile that asked to be called again are what came of that.
func (k *ofKey) putOff(next int64) (out []PutOff) {
	x := k.last
	if x == nil {
		return nil
	}
	asked := PutOff{Key: x.Key, Time: x.Ended, Until: next, Delay: x.After}
	switch x.Result {
	case trace.ResultError:
		asked.Method = x.Error
	case trace.ResultRequeue, trace.ResultRequeueAfter:
		asked.Method = x.Result
	}
	given := int64(0) // by the rate limiter
	fresh := false    // and by a call of When that comes before its own call's line
	for _, q := range k.calls {
		if q.Fn == "When" {
			if given, fresh = q.After, true; len(out) > 0 && out[len(out)-1].Delay == 0 {
				out[len(out)-1].Delay, fresh = given, false
			} else if asked.Method != "" && asked.Delay == 0 && q.Time >= x.Ended {
				asked.Delay, fresh = given, false
			}
			continue
		}
		p := PutOff{Key: x.Key, Time: q.Time, Method: q.Fn, Until: next, Delay: q.After}
		if p.Delay == 0 && fresh {
			p.Delay, fresh = given, false
		}
		if asked.Method != "" && q.Time >= x.Ended {
			if asked.Delay == 0 {
				asked.Delay = p.Delay
			}
			out = append(out, asked)
			asked.Method = ""
			continue
		}
		out = append(out, p)
	}
	if asked.Method != "" {
		out = append(out, asked)
	}
	return out
}

// queued takes in a call of a workqueue.
func (r *Reading) queued(w *work, q *worker.Queued) {
	if w.c.Queue == nil {
		w.c.Queue = &Queue{}
	}
	out, k := w.c.Queue, (*ofKey)(nil)
	ready := false
	if q.Key != "" {
		k = r.key(w, q.Key)
		ready = k.ready()
	}
	defer func() { w.turn(k, q, ready) }()
	switch {
	case k == nil:
	case delays(q) || q.Fn == "When":
		k.delayed(q)
		if k.calls = append(k.calls, *q); len(k.calls) > mostCalls {
			k.calls = slices.Delete(k.calls, 0, 1)
		}
		if q.Fn != "When" {
			out.Adds++
		}
	case q.Fn == "Add" || q.Fn == "AddWithOpts":
		out.Adds++
		r.origins.added(r, k, q)
		if k.waits {
			out.Deduplicated++
		} else {
			k.waits, k.since = true, q.Time
		}
	case q.Fn == "Get":
		out.Gets++
		if k.waits && q.Time-k.since > out.Longest {
			out.Longest, out.LongestKey = q.Time-k.since, q.Key
		}
		w.serve(k, q, r.rows)
		k.waits = false
	case q.Fn == "Done":
		k.done = q.Time
	}
}

// mostCalls is how many calls of a workqueue are remembered between two reconciles of a key.
const mostCalls = 1 << 10
