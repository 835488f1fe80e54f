// Package worker reads what a trace says of a controller's own work: its reconciles, its
// writes, and the calls of its workqueues. A trace has this where it was recorded within the
// controller (package record).
package worker

import (
	"slices"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Log is what was read. The times are in nanoseconds since the trace's start.
type Log struct {
	Reconciles []Reconcile
	Writes     []Write
	Queued     []Queued
	Saws       []Saw
	Calling    []Calling     // calls of handlers that had not returned when the recorder looked
	Faults     []Fault       // in the cache, each kind once
	LeftOut    trace.Omitted // the sum of what the recorder had no room for, and since when
	Losses     []Loss        // of calls of workqueues
	Worked     bool          // a controller was recorded
	Steps      []Step        // what the lines told of the first four, in their order

	open map[int64]place // reconciles and writes under way, by their ids
}

// Step says which entry of a Log a line has added to, or ended.
type Step struct {
	Kind StepKind
	I    int // of Reconciles, Writes, Queued or Saws
}

// StepKind says what a Step is.
type StepKind uint8

// The kinds of Step.
const (
	Began    StepKind = iota // a reconcile
	Ended                    // a reconcile
	Sent                     // a write
	Answered                 // a write
	Called                   // a method of a workqueue
	Read                     // a cache
)

// place is where something under way is in a Log.
type place struct {
	write bool
	i     int
}

// Reconcile is one call of a controller's Reconcile.
type Reconcile struct {
	ID int64
	trace.ReconcileStart
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
	Answer         trace.WriteResult
}

// Key returns the key of the object that was written: the one that was sent, or the one that was
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

// Target names the resource that was written, with its group and subresource.
func (w *Write) Target() string {
	s := trace.Qualified(w.Resource, w.Group)
	if w.Subresource != "" {
		s += "/" + w.Subresource
	}
	return s
}

// RequestedKey returns what the request says of the object's key. Of a name that the API server makes, it
// is the beginning, and an asterisk for the rest.
func (w *Write) RequestedKey() string {
	if w.Written.Key != "" || w.GenerateName == "" {
		return w.Written.Key
	}
	return trace.ObjectKey(w.Namespace, w.GenerateName+"*")
}

// Queued is a call of a workqueue's method.
type Queued struct {
	Time int64
	trace.Queued
}

// Saw is what a reconcile has read.
type Saw struct {
	In int64 // the ID of the Reconcile
	trace.Saw
}

// Calling is a handler's call that had not returned.
type Calling struct {
	Time int64
	trace.HandlerCall
}

// Fault is something that went wrong in the cache, once or several times. At, Key and RV tell of the first time.
type Fault struct {
	trace.Fault
	First, Last int64
	Times       int64
}

// mostFaults is how many Faults are kept.
const mostFaults = 1 << 10

// Loss is a time in which the recorder had no room for some calls of workqueues.
type Loss struct{ From, To int64 }

// line is a line of the kinds that this package reads. Of several kinds the last one counts.
type line struct {
	id, in     int64
	kind       string
	reconcile  trace.ReconcileStart
	reconciled trace.Finished
	write      trace.Written
	wrote      trace.WriteResult
	work       trace.Queued
	saw        trace.Saw
	calling    trace.HandlerCall
	fault      trace.Fault
	leftOut    trace.Omitted
}

// decode reads x from b, which must be JSON.
func (x *line) decode(b []byte) error {
	r := jsonscan.NewReader(b)
	for name := range r.Fields("id", "in", "reconcile", "reconciled", "write", "wrote", "work", "saw", "calling", "call", "fault", "leftOut") {
		switch name {
		case "id":
			r.Int64(&x.id)
			continue
		case "in":
			r.Int64(&x.in)
			continue
		}
		if r.Null() {
			continue
		}
		switch x.kind = name; name {
		case "reconcile":
			trace.Read(&r, &x.reconcile)
		case "reconciled":
			trace.Read(&r, &x.reconciled)
		case "write":
			trace.Read(&r, &x.write)
		case "wrote":
			trace.Read(&r, &x.wrote)
		case "work":
			trace.Read(&r, &x.work)
		case "saw":
			trace.Read(&r, &x.saw)
		case "calling", "call":
			trace.Read(&r, &x.calling)
		case "fault":
			trace.Read(&r, &x.fault)
		case "leftOut":
			trace.Read(&r, &x.leftOut)
		}
	}
	return trace.Misread(r.End())
}

// Line reads one line, which has the time at. It can be trace.Trace.OtherLine, and passes over lines of
// kinds that it doesn't know. It keeps nothing of b.
func (l *Log) Line(at int64, b []byte) error {
	var x line
	if err := x.decode(b); err != nil {
		return err
	}
	switch x.kind {
	case "reconcile":
		l.Worked = true
		l.step(Began, len(l.Reconciles))
		l.begin(x.id, place{false, len(l.Reconciles)})
		l.Reconciles = append(l.Reconciles, Reconcile{ID: x.id, ReconcileStart: x.reconcile, Began: at})
	case "reconciled":
		l.Worked = true
		l.reconciled(at, x.id, &x.reconciled)
	case "write":
		w := Write{ID: x.id, In: x.in, Written: x.write, Sent: at}
		w.Path, _ = trace.ParsePath(w.URL)
		_, query, _ := strings.Cut(w.URL, "?")
		for field := range strings.SplitSeq(query, "&") {
			w.DryRun = w.DryRun || strings.HasPrefix(field, "dryRun=") && len(field) > len("dryRun=")
		}
		l.step(Sent, len(l.Writes))
		l.begin(x.id, place{true, len(l.Writes)})
		l.Writes = append(l.Writes, w)
	case "wrote":
		if p, ok := l.end(x.id, true); ok {
			l.step(Answered, p.i)
			l.Writes[p.i].Answered, l.Writes[p.i].Answer = at, x.wrote
		}
	case "work":
		l.step(Called, len(l.Queued))
		x.work.In = x.in
		l.Queued = append(l.Queued, Queued{at, x.work})
	case "saw":
		l.step(Read, len(l.Saws))
		l.Saws = append(l.Saws, Saw{x.in, x.saw})
	case "calling":
		x.calling.ID = x.id
		l.Calling = append(l.Calling, Calling{at, x.calling})
	case "call":
		c := &x.calling
		l.fault(at, &trace.Fault{Kind: trace.FaultHandler, Name: c.Handler, Fn: c.Fn.String(), Key: c.Key, Tombstone: c.Tombstone})
	case "fault":
		l.fault(at, &x.fault)
	case "leftOut":
		sum := &l.LeftOut
		if x.leftOut.Work > 0 {
			from := x.leftOut.Since
			if n := len(l.Losses); from == 0 && n > 0 {
				from = l.Losses[n-1].To
			}
			l.Losses = append(l.Losses, Loss{min(from, at), at})
		}
		sum.Calls += x.leftOut.Calls
		sum.Work += x.leftOut.Work
		sum.Reconciles += x.leftOut.Reconciles
		sum.Writes += x.leftOut.Writes
		sum.Requests += x.leftOut.Requests
		sum.Marks += x.leftOut.Marks
	}
	return nil
}

// fault counts what went wrong in the cache.
func (l *Log) fault(at int64, f *trace.Fault) {
	for i := range l.Faults {
		if x := &l.Faults[i]; x.Kind == f.Kind && x.Name == f.Name && x.Fn == f.Fn {
			x.Times++
			x.Last = at
			return
		}
	}
	if len(l.Faults) < mostFaults {
		l.Faults = append(l.Faults, Fault{*f, at, at, 1})
	}
}

// Forget forgets what has ended, and the Steps. What is under way has other indices then. Whoever reads the Log as it grows
// must have read all Steps.
func (l *Log) Forget() {
	n := 0
	for i := range l.Reconciles {
		if p, ok := l.open[l.Reconciles[i].ID]; ok && p == (place{false, i}) {
			l.Reconciles[n], l.open[l.Reconciles[i].ID] = l.Reconciles[i], place{false, n}
			n++
		}
	}
	clear(l.Reconciles[n:])
	l.Reconciles = l.Reconciles[:n]
	n = 0
	for i := range l.Writes {
		if p, ok := l.open[l.Writes[i].ID]; ok && p == (place{true, i}) {
			l.Writes[n], l.open[l.Writes[i].ID] = l.Writes[i], place{true, n}
			n++
		}
	}
	clear(l.Writes[n:])
	l.Writes = l.Writes[:n]
	clear(l.Queued)
	l.Queued, l.Saws, l.Steps = l.Queued[:0], l.Saws[:0], l.Steps[:0]
}

func (l *Log) step(k StepKind, i int) { l.Steps = append(l.Steps, Step{k, i}) }

// reconciled takes the end of a reconcile. Where the recorder had no room for the beginning, the
// line says when that was.
func (l *Log) reconciled(at, id int64, f *trace.Finished) {
	p, ok := l.end(id, false)
	if !ok {
		p = place{false, len(l.Reconciles)}
		l.Reconciles = append(l.Reconciles, Reconcile{ID: id, Began: max(at-f.Duration, 0)})
	}
	l.step(Ended, p.i)
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

// Order returns the reconciles whose beginnings are known, as indices of Reconciles, in the order in which
// they began.
func (l *Log) Order() (order []int) {
	for i := range l.Reconciles {
		if l.Reconciles[i].Controller != "" {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return l.Reconciles[order[i]].Began < l.Reconciles[order[j]].Began })
	return order
}

// Owners returns the reconcile that has sent each write, as an index of Reconciles, and -1 where nobody
// can tell. A write that was sent without the context of its reconcile belongs to the only
// reconcile under way, or else to the only one for the written object's key. A reconcile
// whose beginning was left out has no writes, and events and Leases are nobody's: client-go's
// recorder of events and its elector write them in goroutines of their own.
func (l *Log) Owners() []int {
	byID, order := map[int64]int{}, l.Order()
	for _, i := range order {
		byID[l.Reconciles[i].ID] = i
	}
	owners := make([]int, len(l.Writes))
	var under []int // way, at the time of the write
	next := 0
	for i := range l.Writes {
		w := &l.Writes[i]
		for ; next < len(order) && l.Reconciles[order[next]].Began <= w.Sent; next++ {
			under = append(under, order[next])
		}
		under = slices.DeleteFunc(under, func(k int) bool { x := &l.Reconciles[k]; return x.Ended != 0 && x.Ended < w.Sent })
		k, known := byID[w.In]
		if w.In == 0 && !w.ByClientGo() {
			key, found := w.Key(), 0
			for _, u := range under {
				if len(under) == 1 || l.Reconciles[u].Key == key {
					k = u
					found++
				}
			}
			known = found == 1
		}
		if owners[i] = k; !known {
			owners[i] = -1
		}
	}
	return owners
}

// ByClientGo reports whether client-go itself writes such objects beside the reconciles.
func (w *Write) ByClientGo() bool {
	switch w.Group {
	case "", "events.k8s.io":
		return w.Resource == "events"
	case "coordination.k8s.io":
		return w.Resource == "leases"
	}
	return false
}
