// Package worker reads what a trace says of a controller's own work: its reconciles, its
// writes, and the calls of its workqueues. A trace has this where it was recorded within the
// controller (package record).
package worker

import (
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// Log is what was read. The times are in nanoseconds since the trace's start.
type Log struct {
	Reconciles []Reconcile
	Writes     []Write
	Queued     []Queued
	Calling    []Calling     // calls of handlers that had not returned when the recorder looked
	LeftOut    trace.LeftOut // the sum of what the recorder had no room for

	open map[int64]place // reconciles and writes under way, by their ids
}

// place is where something under way is in a Log.
type place struct {
	write bool
	i     int
}

// Reconcile is one call of a controller's Reconcile.
type Reconcile struct {
	ID int64
	trace.Begun
	Began, Ended   int64 // Ended is 0 where the end was not recorded
	trace.Finished       // empty where the end was not recorded
}

// Write is a request of the controller that changes something.
type Write struct {
	ID int64
	In int64 // the ID of the Reconcile that sent it, 0 where that is not known
	trace.Written
	trace.Path           // what the URL names
	DryRun         bool  // the API server was asked to change nothing
	Sent, Answered int64 // Answered is 0 where the answer was not recorded
	Answer         trace.Answered
}

// Key is the key of the object that was written: the one that was sent, or the one that was
// answered.
func (w *Write) Key() string {
	if w.Written.Key != "" {
		return w.Written.Key
	}
	return w.Answer.Key
}

// Changed reports whether the API server has accepted the write.
func (w *Write) Changed() bool {
	return w.Answer.Status >= 200 && w.Answer.Status < 300 && !w.DryRun
}

// Of names the resource that was written, with its group and subresource.
func (w *Write) Of() string {
	s := w.Resource
	if w.Group != "" {
		s += "." + w.Group
	}
	if w.Subresource != "" {
		s += "/" + w.Subresource
	}
	return s
}

// Asked is what the request says of the object's key. Of a name that the API server makes, it
// is the beginning, and an asterisk for the rest.
func (w *Write) Asked() string {
	if w.Written.Key != "" || w.GenerateName == "" {
		return w.Written.Key
	}
	name := w.GenerateName + "*"
	if w.Namespace != "" {
		name = w.Namespace + "/" + name
	}
	return name
}

// Queued is a call of a workqueue's method.
type Queued struct {
	At int64
	trace.Queued
}

// Calling is a handler's call that had not returned.
type Calling struct {
	At int64
	trace.Called
}

// line is a line of the kinds that this package reads.
type line struct {
	ID int64 `json:"id"`
	In int64 `json:"in"`

	Reconcile  *trace.Begun    `json:"reconcile"`
	Reconciled *trace.Finished `json:"reconciled"`
	Write      *trace.Written  `json:"write"`
	Wrote      *trace.Answered `json:"wrote"`
	Work       *trace.Queued   `json:"work"`
	Calling    *calling        `json:"calling"`
	LeftOut    *trace.LeftOut  `json:"leftOut"`
}

type calling struct {
	Handler   string `json:"handler"`
	Fn        string `json:"fn"`
	Key       string `json:"key"`
	OldRV     string `json:"oldRV"`
	RV        string `json:"rv"`
	Took      int64  `json:"took"`
	Initial   bool   `json:"initial"`
	Tombstone bool   `json:"tombstone"`
}

func (c *calling) called() trace.Called {
	return trace.Called{
		Handler: c.Handler, Fn: trace.FnOf(c.Fn), Key: c.Key, OldRV: c.OldRV, RV: c.RV, Took: c.Took, Initial: c.Initial, Tombstone: c.Tombstone,
	}
}

// Line reads one line at its time. It is fit for trace.Trace.Others, and passes over lines of
// kinds that it doesn't know. It keeps nothing of b.
func (l *Log) Line(at int64, b []byte) error {
	var x line
	if err := json.Unmarshal(b, &x); err != nil {
		return trace.DecodeError{Err: err}
	}
	switch {
	case x.Reconcile != nil:
		l.begin(x.ID, place{false, len(l.Reconciles)})
		l.Reconciles = append(l.Reconciles, Reconcile{ID: x.ID, Begun: *x.Reconcile, Began: at})
	case x.Reconciled != nil:
		l.reconciled(at, x.ID, x.Reconciled)
	case x.Write != nil:
		w := Write{ID: x.ID, In: x.In, Written: *x.Write, Sent: at}
		w.Path, _ = trace.ParsePath(w.URL)
		_, query, _ := strings.Cut(w.URL, "?")
		for field := range strings.SplitSeq(query, "&") {
			w.DryRun = w.DryRun || strings.HasPrefix(field, "dryRun=") && len(field) > len("dryRun=")
		}
		l.begin(x.ID, place{true, len(l.Writes)})
		l.Writes = append(l.Writes, w)
	case x.Wrote != nil:
		if p, ok := l.end(x.ID, true); ok {
			l.Writes[p.i].Answered, l.Writes[p.i].Answer = at, *x.Wrote
		}
	case x.Work != nil:
		l.Queued = append(l.Queued, Queued{at, *x.Work})
	case x.Calling != nil:
		l.Calling = append(l.Calling, Calling{at, x.Calling.called()})
	case x.LeftOut != nil:
		sum := &l.LeftOut
		sum.Calls += x.LeftOut.Calls
		sum.Work += x.LeftOut.Work
		sum.Reconciles += x.LeftOut.Reconciles
		sum.Writes += x.LeftOut.Writes
		sum.Requests += x.LeftOut.Requests
		sum.Marks += x.LeftOut.Marks
	}
	return nil
}

// reconciled takes the end of a reconcile. Where the recorder had no room for the beginning, the
// line says when that was.
func (l *Log) reconciled(at, id int64, f *trace.Finished) {
	p, ok := l.end(id, false)
	if !ok {
		p = place{false, len(l.Reconciles)}
		l.Reconciles = append(l.Reconciles, Reconcile{ID: id, Began: max(at-f.Took, 0)})
	}
	l.Reconciles[p.i].Ended, l.Reconciles[p.i].Finished = at, *f
}

func (l *Log) begin(id int64, p place) {
	if l.open == nil {
		l.open = map[int64]place{}
	}
	l.open[id] = p
}

func (l *Log) end(id int64, write bool) (p place, ok bool) {
	p, ok = l.open[id]
	if !ok || p.write != write {
		return p, false
	}
	delete(l.open, id)
	return p, true
}
