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
	For      int64  `json:"for"`
	Events   int64  `json:"events,omitempty"` // objects of a list, events of a watch
	Last     int64  `json:"last,omitempty"`   // when a watch has last sent anything
	Handler  string `json:"handler,omitempty"`
	Fn       string `json:"fn,omitempty"`
	Key      string `json:"key,omitempty"`
	Behind   int64  `json:"behind,omitempty"` // events that came while a handler's call ran
	Unseen   *Back  `json:"unseen,omitempty"` // the oldest own write that a watch should have sent
}

// The kinds of Waiting.
const (
	AList          = "list"          // a list whose answer has not ended
	AStreamingList = "streamingList" // a watch without the bookmark that ends its initial events
	AWatch         = "watch"         // a watch that is open, and does not send an own write, or nothing at all
	ACall          = "call"          // a handler's call that has not returned
	AReconcile     = "reconcile"     // a reconcile that has not returned
)

// An own write comes back within milliseconds, and a bookmark comes each minute.
const (
	lateWrite   = 1_000_000_000
	silentWatch = 300_000_000_000
)

// waiting says what had not ended.
func waiting(t *trace.Trace, log *worker.Log, controllers []Controller) (out []Waiting) {
	for _, r := range t.Resources {
		if w, ok := open(r, t.Now); ok && (w.Kind != AWatch || w.stuck(r, t.Now, controllers)) {
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
		out = append(out, Waiting{Kind: ACall, Handler: c.Handler, Fn: c.Fn.String(), Key: c.Key, Since: since, For: t.Now - since, Behind: came(t, c.Handler, since)})
	}
	for i := range log.Reconciles {
		if x := &log.Reconciles[i]; x.Ended == 0 {
			out = append(out, Waiting{Kind: AReconcile, Handler: x.Controller, Key: x.Key, Since: x.Began, For: t.Now - x.Began})
		}
	}
	return out
}

// open is a resource's list or watch that has not ended.
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

// came is how many events have come since a time to the resource that a handler is of, or to
// all resources if the recording doesn't tell which one that is.
func came(t *trace.Trace, handler string, since int64) (n int64) {
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
