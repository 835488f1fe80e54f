package controller

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Waiting is something that had not ended when the recording did. In a dump of a controller that is
// stuck, it is what the controller waits for.
type Waiting struct {
	Kind     string `json:"kind"` // one of the constants below
	Resource string `json:"resource,omitempty"`
	Since    int64  `json:"since"`
	For      int64  `json:"for"`
	Events   int64  `json:"events,omitempty"` // objects of a list, events of a watch
	Last     int64  `json:"last,omitempty"`   // when a watch has last sent anything
	Handler  string `json:"handler,omitempty"`
	Fn       string `json:"fn,omitempty"`
	Key      string `json:"key,omitempty"`
	Behind   int64  `json:"behind,omitempty"` // events that came while a handler's call ran
	Unseen   *Back  `json:"unseen,omitempty"` // the oldest own write that a watch should have sent
	// Unknown is set where the recorder had no room for some ends, so that a call or a reconcile may have returned.
	Unknown bool `json:"unknown,omitempty"`
}

// The kinds of Waiting.
const (
	AList          = "list"          // a list whose answer has not ended
	AStreamingList = "streamingList" // a watch without the bookmark that ends its initial events
	AWatch         = "watch"         // a watch that is open, and does not send an own write, or nothing at all
	ACall          = "call"          // a handler's call that has not returned
	AReconcile     = "reconcile"     // a reconcile that has not returned
)

// An own write comes back within milliseconds, and a bookmark comes each minute. A list or a reconcile that has just begun
// is nothing that anybody waits for: a process ends in the middle of something.
const (
	lateWrite   = 1_000_000_000
	lateAnswer  = 250_000_000
	silentWatch = 300_000_000_000
)

// waiting says what had not ended.
func waiting(t *trace.Trace, log *worker.Log, controllers []Controller) (out []Waiting) {
	for _, r := range t.Resources {
		w, ok := open(r, t.Now)
		if ok = ok && w.For >= lateAnswer; w.Kind == AWatch {
			ok = ok && w.stuck(r, t.Now, controllers)
		}
		if ok {
			out = append(out, w)
		}
	}
	latest := map[string]worker.Calling{}
	for _, c := range log.Calling {
		latest[c.Handler] = c
	}
	for _, c := range log.Calling {
		if latest[c.Handler] != c || returned(t, &c) {
			continue
		}
		since := max(c.At-c.Took, 0)
		out = append(out, Waiting{Kind: ACall, Handler: c.Handler, Fn: c.Fn.String(), Key: c.Key, Since: since, For: t.Now - since, Behind: eventsSince(t, c.Handler, since), Unknown: log.LeftOut.Calls > 0})
	}
	for _, x := range underWay(log) {
		if t.Now-x.Began >= lateAnswer {
			out = append(out, Waiting{Kind: AReconcile, Handler: x.Controller, Key: x.Key, Since: x.Began, For: t.Now - x.Began, Unknown: log.LeftOut.Reconciles > 0})
		}
	}
	return out
}

// underWay returns the reconciles that had not returned when the recording ended, in the order in which they began. A
// worker has one at a time, and so has a key. So where a later one of either is there, the recorder had no room for the end.
func underWay(log *worker.Log) (out []*worker.Reconcile) {
	type of struct {
		controller, key string
		worker          int
	}
	later := map[of]bool{}
	for _, i := range slices.Backward(log.Order()) {
		x := &log.Reconciles[i]
		key, by := of{x.Controller, x.Key, 0}, of{x.Controller, "", x.Worker}
		if x.Ended == 0 && !later[key] && (x.Worker == 0 || !later[by]) {
			out = append(out, x)
		}
		later[key], later[by] = true, true
	}
	slices.Reverse(out)
	return out
}

// open returns a resource's list or watch that has not ended.
func open(r *trace.Resource, now int64) (w Waiting, ok bool) {
	w.Resource = r.Name()
	begin := func(kind string, at int64) { w.Kind, w.Since, w.Last, w.Events, ok = kind, at, at, 0, true }
	for i := range r.Records {
		rec := &r.Records[i]
		switch rec.Kind {
		case trace.ListBegin:
			begin(AList, rec.At)
		case trace.WatchOpen:
			if begin(AWatch, rec.At); rec.Streaming {
				w.Kind = AStreamingList
			}
		case trace.ListItem, trace.WatchEvent:
			w.Events++
			w.Last = rec.At
		case trace.WatchBookmark:
			w.Last = rec.At
		case trace.InitialEnd:
			w.Kind, w.Last = AWatch, rec.At
		case trace.ListEnd, trace.ListError, trace.WatchError, trace.WatchEnd:
			ok = false
		}
	}
	w.For = now - w.Since
	return w, ok
}

// stuck reports whether a watch should have sent something.
func (w *Waiting) stuck(r *trace.Resource, now int64, controllers []Controller) bool {
	for i := range controllers {
		for j := range controllers[i].Writes.Back {
			b := &controllers[i].Writes.Back[j]
			covered := b.group == r.Group && b.kind == r.Resource && (r.Namespace == "" || r.Namespace == b.namespace)
			if covered && b.Seen == 0 && now-b.Answered > lateWrite && (w.Unseen == nil || b.Answered < w.Unseen.Answered) {
				w.Unseen = b
			}
		}
	}
	return w.Unseen != nil || now-w.Last > silentWatch
}

// returned reports whether a call that had not returned did so later.
func returned(t *trace.Trace, c *worker.Calling) bool {
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			if h.Name != c.Handler {
				continue
			}
			for i := range h.Calls {
				if h.Calls[i].At >= c.At {
					return true
				}
			}
		}
	}
	return false
}

// eventsSince returns how many events have come since a time to the resource that a handler is of, or to
// all resources if the recording doesn't tell which one that is.
func eventsSince(t *trace.Trace, handler string, since int64) (n int64) {
	var of *trace.Resource
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			if h.Name == handler {
				of = r
			}
		}
	}
	for _, r := range t.Resources {
		if of != nil && r != of {
			continue
		}
		for i := range r.Records {
			if rec := &r.Records[i]; rec.Kind == trace.WatchEvent && rec.At > since {
				n++
			}
		}
	}
	return n
}

// PutOff is a key that was to be reconciled again, but later.
type PutOff struct {
	Key string `json:"key"`
	At  int64  `json:"at"`
	// By is the class of the error that the reconcile returned; requeue or requeueAfter; or the
	// workqueue's method, if the controller has called it itself.
	By    string `json:"by"`
	Delay int64  `json:"delay"` // that was asked for, or that the rate limiter gave; 0 where nobody recorded it
	Until int64  `json:"until"` // when the key was reconciled again, 0 for never
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

// putOff finds the keys that were put off: after reconciles that asked for it, and by the
// controller's own calls of the workqueue.
func (c *Controller) putOff(all []*run, queued []worker.Queued) {
	byKey := map[string][]*run{}
	for _, x := range all {
		byKey[x.Key] = append(byKey[x.Key], x)
	}
	calls := map[string][]*worker.Queued{}
	for i := range queued {
		if q := &queued[i]; q.Queue == c.Name && (delays(q) || q.Fn == "When") {
			calls[q.Key] = append(calls[q.Key], q)
		}
	}
	for key, runs := range byKey {
		mine := calls[key]
		for i, x := range runs {
			next := int64(0)
			if i+1 < len(runs) {
				next = runs[i+1].Began
			}
			var during []*worker.Queued
			for len(mine) > 0 && (next == 0 || mine[0].At < next) {
				during, mine = append(during, mine[0]), mine[1:]
			}
			c.PutOff = append(c.PutOff, putOffBy(x, next, during)...)
		}
	}
	slices.SortStableFunc(c.PutOff, func(a, b PutOff) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Key, b.Key)) })
}

// putOffBy returns what a reconcile and the calls of the workqueue up to the next reconcile of the key
// have put off. The first calls after a reconcile that asked to be called again are what came of
// that.
func putOffBy(x *run, next int64, calls []*worker.Queued) (out []PutOff) {
	asked := PutOff{Key: x.Key, At: x.Ended, Until: next, Delay: x.After}
	switch x.Result {
	case trace.ResultError:
		asked.By = x.Error
	case trace.ResultRequeue, trace.ResultRequeueAfter:
		asked.By = x.Result
	}
	given := int64(0) // by the rate limiter
	fresh := false    // and by a call of When that comes before its own call's line
	for _, q := range calls {
		if q.Fn == "When" {
			if given, fresh = q.After, true; len(out) > 0 && out[len(out)-1].Delay == 0 {
				out[len(out)-1].Delay, fresh = given, false
			} else if asked.By != "" && asked.Delay == 0 && q.At >= x.Ended {
				asked.Delay, fresh = given, false
			}
			continue
		}
		p := PutOff{Key: x.Key, At: q.At, By: q.Fn, Until: next, Delay: q.After}
		if p.Delay == 0 && fresh {
			p.Delay, fresh = given, false
		}
		if asked.By != "" && q.At >= x.Ended {
			if asked.Delay == 0 {
				asked.Delay = p.Delay
			}
			out = append(out, asked)
			asked.By = ""
			continue
		}
		out = append(out, p)
	}
	if asked.By != "" {
		out = append(out, asked)
	}
	return out
}

// queueOf sums up the calls of a workqueue.
func queueOf(name string, queued []worker.Queued) *Queue {
	var out *Queue
	waits := map[string]int64{} // since when each key is waiting to be got
	for i := range queued {
		q := &queued[i]
		if q.Queue != name {
			continue
		}
		if out == nil {
			out = &Queue{}
		}
		since, waiting := waits[q.Key]
		switch {
		case delays(q):
			out.Adds++
		case q.Fn == "Add" || q.Fn == "AddWithOpts":
			out.Adds++
			if waiting {
				out.Deduplicated++
			} else {
				waits[q.Key] = q.At
			}
		case q.Fn == "Get" && q.Key != "":
			out.Gets++
			if waiting && q.At-since > out.Longest {
				out.Longest, out.LongestKey = q.At-since, q.Key
			}
			delete(waits, q.Key)
		}
	}
	return out
}
