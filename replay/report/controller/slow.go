package controller

import (
	"math/bits"
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// SlowReconcile is a reconcile that took long while other keys waited on the workqueue, since each worker was in such a reconcile.
type SlowReconcile struct {
	Key    string // that was reconciled
	Began  int64
	Took   int64
	Behind string // the key that waited longest meanwhile
	Since  int64  // since then
	Waited int64
	Keys   int64 // that waited
}

// A reconcile is slow, and a key waits long, from waitsLong nanoseconds on. Of a controller whose reconciles mostly take that long, none is slow:
// it must take slowerThan times as long as most.
const (
	waitsLong  = 5_000_000_000
	slowerThan = 10
)

// mostSlow is how many slow reconciles are remembered.
const mostSlow = 1 << 8

// slowness is what is known of a controller's slow reconciles.
type slowness struct {
	ended    []*run // the last slow ones
	blocking []*run // those that keys have waited for
	took     [64]int64
}

// end takes in a reconcile that has returned.
func (s *slowness) end(x *run) {
	took := max(x.Ended-x.Began, 0)
	if s.took[bits.Len64(uint64(took))]++; took < waitsLong {
		return
	}
	if s.ended = append(s.ended, x); len(s.ended) > mostSlow {
		s.ended = s.ended[:copy(s.ended, s.ended[mostSlow/2:])]
	}
}

// get takes in a Get of a key that has waited for long. It has waited for slow reconciles if each worker was in them for most of that time.
func (w *work) get(k *ofKey, s served) {
	var longest *run
	most, least := int64(0), s.time-s.since
	for i, last := range w.workers {
		sum := int64(0)
		all := w.slow.ended
		if last != nil && last.Ended == 0 {
			all = append(slices.Clip(all), last)
		}
		for _, x := range all {
			if x.Worker != i+1 {
				continue
			}
			until := s.time
			if x.Ended != 0 {
				until = min(until, x.Ended)
			}
			meanwhile := until - max(x.Began, s.since)
			if meanwhile <= 0 || until-x.Began < waitsLong {
				continue
			}
			if sum += meanwhile; meanwhile > most {
				longest, most = x, meanwhile
			}
		}
		least = min(least, sum)
	}
	if longest == nil || least < max(waitsLong, (s.time-s.since)/2) {
		return
	}
	b := &longest.behind
	if b.Keys++; b.Keys == 1 {
		w.slow.blocking = append(w.slow.blocking, longest)
	}
	if s.time-s.since > b.Waited {
		b.Behind, b.Since, b.Waited = k.name, s.since, s.time-s.since
	}
	if all := w.slow.blocking; len(all) > mostSlow {
		w.slow.blocking = sorted(all, mostSlow/2, func(x **run) (int64, string) { return (*x).behind.Waited, (*x).Key })
	}
}

// rowsBy fills in the slow reconciles that have returned.
func (s *slowness) rowsBy(c *Controller, rows int) {
	ended, usual, n := int64(0), int64(1), int64(0)
	for _, took := range s.took {
		ended += took
	}
	for i := range s.took { // at least half of them took less than that
		if n += s.took[i]; n*2 >= ended {
			usual = 1 << i
			break
		}
	}
	for _, x := range s.blocking {
		if row := x.behind; x.Ended-x.Began >= slowerThan*usual {
			row.Key, row.Began, row.Took = x.Key, x.Began, x.Ended-x.Began
			c.Slow = append(c.Slow, row)
		}
	}
	c.Slow = sorted(c.Slow, rows, func(r *SlowReconcile) (int64, string) { return r.Waited, r.Behind })
}

// Starved is a key that has waited on a workqueue while keys that were added later were taken. Only a priority queue lets them pass.
type Starved struct {
	Key    string `json:"key"`
	Since  int64  `json:"since"` // when it was added, or the worker had called Done
	Until  int64  `json:"until"` // when a worker took it, 0 for never
	Passed int64  `json:"passed"`
}

// What makes a key a starved one: how long it has waited, in nanoseconds, and how many have passed it. A priority queue has low priority for
// what a first list and a resync bring, so some pass at each start.
const (
	starvedFor = minute
	manyPassed = 100
)

// served is a Get, and since when its key had waited.
type served struct{ time, since int64 }

// mostServed is how many Gets are remembered.
const mostServed = 1 << 10

// serve takes in a Get.
func (w *work) serve(k *ofKey, q *worker.Queued, rows int) {
	if !k.waits {
		return
	}
	s := served{q.Time, max(k.since, k.done)}
	if s.time-s.since >= waitsLong {
		w.get(k, s)
	}
	if s.time-s.since >= starvedFor && w.passed(s, manyPassed) >= manyPassed {
		w.starves++
		w.starved = append(w.starved, Starved{k.name, s.since, s.time, w.passed(s, mostServed)})
		if rows > 0 && len(w.starved) > rows*2 {
			w.starved = worst(w.starved, rows, q.Time)
		}
	}
	if w.served = append(w.served, s); len(w.served) > mostServed*2 {
		w.served = w.served[:copy(w.served, w.served[len(w.served)-mostServed:])]
	}
}

// passed returns how many keys were added after one and taken before it, among the last Gets. It counts no further than most.
func (w *work) passed(s served, most int64) (n int64) {
	for i := len(w.served) - 1; i >= max(0, len(w.served)-mostServed) && w.served[i].time > s.since && n < most; i-- {
		if g := w.served[i]; g.since > s.since && g.time < s.time {
			n++
		}
	}
	return n
}

// starving returns the keys that are starved, by now as well, and how many.
func (w *work) starving(now int64, rows int) (all []Starved, n int64) {
	all, n = append(all, w.starved...), w.starves
	for _, k := range w.keys {
		s := served{now, max(k.since, k.done)}
		if k.waits && s.time-s.since >= starvedFor && (k.last == nil || k.last.Ended != 0) && w.passed(s, manyPassed) >= manyPassed {
			all = append(all, Starved{k.name, s.since, 0, w.passed(s, mostServed)})
			n++
		}
	}
	return worst(all, rows, now), n
}

// worst keeps the rows that have waited longest.
func worst(all []Starved, rows int, now int64) []Starved {
	return sorted(all, rows, func(s *Starved) (int64, string) { return s.Waited(now), s.Key })
}

// Waited returns for how long a key has waited by now, in nanoseconds.
func (s *Starved) Waited(now int64) int64 {
	if s.Until != 0 {
		now = s.Until
	}
	return now - s.Since
}

// Waiting is something that had not ended when the recording did. In a dump of a controller that is
// stuck, it is what the controller waits for.
type Waiting struct {
	Kind     string `json:"kind"` // one of the constants below
	Resource string `json:"resource,omitempty"`
	Since    int64  `json:"since"`
	Duration int64  `json:"for"`
	Events   int64  `json:"events,omitempty"` // objects of a list, events of a watch
	Last     int64  `json:"last,omitempty"`   // when a watch has last sent anything
	Handler  string `json:"handler,omitempty"`
	Fn       string `json:"fn,omitempty"`
	Key      string `json:"key,omitempty"`
	Behind   int64  `json:"behind,omitempty"` // events that came while a handler's call ran
	Unseen   *Echo  `json:"unseen,omitempty"` // the oldest own write that a watch should have sent
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

// waiting says what of the informers had not ended.
func (*full) waiting(r *Reading) (out []Waiting) {
	now := r.trace.Now
	for _, v := range r.arrivals.readers {
		w, ok := open(v.r, now)
		if ok = ok && w.Duration >= lateAnswer; w.Kind == AWatch {
			ok = ok && r.stuck(&w, v, now)
		}
		if ok {
			out = append(out, w)
		}
	}
	latest := map[string]worker.Calling{}
	for _, c := range r.log.Calling {
		latest[c.Handler] = c
	}
	for _, c := range r.log.Calling {
		if latest[c.Handler] != c || returned(r.trace, &c) {
			continue
		}
		since := max(c.Time-c.Duration, 0)
		out = append(out, Waiting{Kind: ACall, Handler: c.Handler, Fn: c.Fn.String(), Key: c.Key, Since: since, Duration: now - since, Behind: eventsSince(r.trace, c.Handler, since), Unknown: r.log.LeftOut.Calls > 0})
	}
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
			begin(AList, rec.Time)
		case trace.WatchOpen:
			if begin(AWatch, rec.Time); rec.Streaming {
				w.Kind = AStreamingList
			}
		case trace.ListItem, trace.WatchEvent:
			w.Events++
			w.Last = rec.Time
		case trace.WatchBookmark:
			w.Last = rec.Time
		case trace.InitialEnd:
			w.Kind, w.Last = AWatch, rec.Time
		case trace.ListEnd, trace.ListError, trace.WatchError, trace.WatchEnd:
			ok = false
		}
	}
	if r.Unanswered {
		begin(AStreamingList, r.Asked)
	}
	w.Duration = now - w.Since
	return w, ok
}

// stuck reports whether a watch should have sent something.
func (r *Reading) stuck(w *Waiting, v *reader, now int64) bool {
	for _, s := range r.coming {
		b := s.echo
		if v.covers(&s.Write) && b.Received == 0 && now-b.Answered > lateWrite && (w.Unseen == nil || b.Answered < w.Unseen.Answered) {
			w.Unseen = b
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
				if h.Calls[i].Time >= c.Time {
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
	var resource *trace.Resource
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			if h.Name == handler {
				resource = r
			}
		}
	}
	for _, r := range t.Resources {
		if resource != nil && r != resource {
			continue
		}
		for i := range r.Records {
			if rec := &r.Records[i]; rec.Kind == trace.WatchEvent && rec.Time > since {
				n++
			}
		}
	}
	return n
}
