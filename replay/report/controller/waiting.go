package controller

import (
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

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
