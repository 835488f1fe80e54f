package trace

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// The types of this file are lines that tell of a controller's own work: its workqueue, its
// reconciles and its writes. They are as they are written, in the words of the format.
// Package worker reads them.

// Written is a request that changes something, when it is sent.
type Written struct {
	Verb         string // create, update, patch, delete or deletecollection, as rules of RBAC have it
	URL          string // path and query as they were sent
	Patch        string // of a patch: json, merge, strategic or apply
	Key          string // namespace/name, or name; "" where nobody could tell
	GenerateName string
	RV           string // the resourceVersion that was sent, in the object or as a precondition
	UID          string // the same of the uid
}

// Read reads w as the next value.
func (w *Written) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.StringField("verb", &w.Verb)
		r.StringField("url", &w.URL)
		r.StringField("patch", &w.Patch)
		r.StringField("key", &w.Key)
		r.StringField("generateName", &w.GenerateName)
		r.StringField("rv", &w.RV)
		r.StringField("uid", &w.UID)
	}
}

// WriteResult is what came of a Written.
type WriteResult struct {
	Status   int    // 0 if no answer came
	Reason   string // of a Status that is a failure, such as Conflict
	Key      string // of the object in the answer, where Written has no Key
	RV       string // the resourceVersion that the object has now
	UID      string
	Deleting bool   // the object has a deletionTimestamp
	How      string // as End's, if that isn't eof
	Error    string // the same
}

// Read reads a as the next value.
func (a *WriteResult) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.IntField("status", &a.Status)
		r.StringField("reason", &a.Reason)
		r.StringField("key", &a.Key)
		r.StringField("rv", &a.RV)
		r.StringField("uid", &a.UID)
		r.BoolField("deleting", &a.Deleting)
		r.StringField("how", &a.How)
		r.StringField("error", &a.Error)
	}
}

// ReconcileStart is the beginning of a reconcile.
type ReconcileStart struct {
	Controller string
	Key        string
	Worker     int // counted from 1
}

// Read reads b as the next value.
func (b *ReconcileStart) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.StringField("controller", &b.Controller)
		r.StringField("key", &b.Key)
		r.IntField("worker", &b.Worker)
	}
}

// Finished is the end of a reconcile.
type Finished struct {
	Took    int64  // nanoseconds
	Result  string // one of the constants Result…
	After   int64  // of ResultRequeueAfter, nanoseconds
	Error   string // the class of the error: a reason of the API, or the name of its type in Go
	Message string
}

// Read reads f as the next value.
func (f *Finished) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.Int64Field("took", &f.Took)
		r.StringField("result", &f.Result)
		r.Int64Field("after", &f.After)
		r.StringField("error", &f.Error)
		r.StringField("message", &f.Message)
	}
}

// Fault is something that went wrong in a process's cache.
type Fault struct {
	What string // one of the constants Fault…
	Name string // of the function, or of the handler that was told of the object
	Fn   string // the handler's method, of an object that was changed in its call; "" where it was changed at another time
	Key  string
	RV   string
}

// What went wrong.
const (
	FaultIndex     = "index"     // an index function panicked
	FaultTransform = "transform" // a transform function panicked
	FaultChanged   = "changed"   // an object in the cache isn't what came over the wire any more
)

// Read reads f as the next value.
func (f *Fault) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.StringField("what", &f.What)
		r.StringField("name", &f.Name)
		r.StringField("fn", &f.Fn)
		r.StringField("key", &f.Key)
		r.StringField("rv", &f.RV)
	}
}

// What a reconcile ended with.
const (
	ResultDone         = "done"
	ResultRequeue      = "requeue"
	ResultRequeueAfter = "requeueAfter"
	ResultError        = "error"
	ResultTerminal     = "terminalError" // controller-runtime's TerminalError: not to be tried again
	ResultPanic        = "panic"
)

// Queued is a call of a workqueue's method, or of its rate limiter's. Get and When are written
// when they return, and the others when they are called.
type Queued struct {
	In          int64  // of the line: the id of the handler's call or of the reconcile that adds on its own goroutine, 0 where none is known
	From        string // the source that adds, by the name that the program gave it
	Queue       string
	Fn          string // one of Add, AddAfter, AddRateLimited, AddWithOpts, Get, Done, Forget, When, ShutDown
	Key         string
	After       int64 // AddAfter's and AddWithOpts' delay, and the delay that When returned, in nanoseconds
	RateLimited bool
	Priority    int
	Requeues    int   // what NumRequeues returns after When
	Took        int64 // how long Get has waited, or how long an Add took if that was known when the line was written, in nanoseconds
	Empty       bool  // Get returned nothing, because the queue is shut down
}

// Read reads q as the next value.
func (q *Queued) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.StringField("from", &q.From)
		r.StringField("queue", &q.Queue)
		r.StringField("fn", &q.Fn)
		r.StringField("key", &q.Key)
		r.Int64Field("after", &q.After)
		r.BoolField("rateLimited", &q.RateLimited)
		r.IntField("priority", &q.Priority)
		r.IntField("requeues", &q.Requeues)
		r.Int64Field("took", &q.Took)
		r.BoolField("empty", &q.Empty)
	}
}

// Omitted is how many things were left out since the last such line, because the recorder had
// no room for them.
type Omitted struct {
	Since      int64 // when the first of them happened, in nanoseconds since the trace's start; 0 where that is not known
	Calls      int64 // of handlers
	Work       int64 // calls of workqueues
	Reconciles int64 // beginnings or ends
	Writes     int64
	Requests   int64 // lists and watches
	Marks      int64
}

// Read reads l as the next value.
func (l *Omitted) Read(r *jsonscan.Reader) {
	for range r.Members() {
		r.Int64Field("since", &l.Since)
		r.Int64Field("calls", &l.Calls)
		r.Int64Field("work", &l.Work)
		r.Int64Field("reconciles", &l.Reconciles)
		r.Int64Field("writes", &l.Writes)
		r.Int64Field("requests", &l.Requests)
		r.Int64Field("marks", &l.Marks)
	}
}

// Write writes that a request that changes something was sent. id names it from then on, and
// in names the reconcile that sent it, 0 where that is not known.
func (x *Writer) Write(t, id, in int64, w Written) error {
	x.beginIn(t, id, in, "write", `{"verb":`)
	x.quote(w.Verb)
	x.text("url", w.URL)
	x.text("patch", w.Patch)
	x.text("key", w.Key)
	x.text("generateName", w.GenerateName)
	x.text("rv", w.RV)
	x.text("uid", w.UID)
	return x.end("}}\n")
}

// Wrote writes what came of the write of that id.
func (x *Writer) Wrote(t, id int64, a WriteResult) error {
	x.begin(t, id, "wrote", `{"status":`)
	x.buf = strconv.AppendInt(x.buf, int64(a.Status), 10)
	x.text("reason", a.Reason)
	x.text("key", a.Key)
	x.text("rv", a.RV)
	x.text("uid", a.UID)
	x.flag("deleting", a.Deleting)
	x.text("how", a.How)
	x.text("error", a.Error)
	return x.end("}}\n")
}

// Reconcile writes that a reconcile began. id names it from then on.
func (x *Writer) Reconcile(t, id int64, b ReconcileStart) error {
	x.begin(t, id, "reconcile", `{"controller":`)
	x.quote(b.Controller)
	x.text("key", b.Key)
	x.number("worker", int64(b.Worker))
	return x.end("}}\n")
}

// Reconciled writes that the reconcile of that id has ended.
func (x *Writer) Reconciled(t, id int64, f Finished) error {
	x.begin(t, id, "reconciled", `{"result":`)
	x.quote(f.Result)
	x.number("took", f.Took)
	x.number("after", f.After)
	x.text("error", f.Error)
	x.text("message", f.Message)
	return x.end("}}\n")
}

// Work writes that a workqueue's method was called.
func (x *Writer) Work(t int64, q Queued) error {
	x.beginIn(t, 0, q.In, "work", `{"queue":`)
	x.quote(q.Queue)
	x.text("fn", q.Fn)
	x.text("key", q.Key)
	x.number("after", q.After)
	x.flag("rateLimited", q.RateLimited)
	x.number("priority", int64(q.Priority))
	x.number("requeues", int64(q.Requeues))
	x.number("took", q.Took)
	x.flag("empty", q.Empty)
	x.text("from", q.From)
	return x.end("}}\n")
}

// Calling writes that a handler's call has not returned yet. Its Took is how long the call
// runs by then.
func (x *Writer) Calling(t int64, c HandlerCall) error { return x.call(t, "calling", c) }

// Fault writes what went wrong in the cache.
func (x *Writer) Fault(t int64, f Fault) error {
	x.begin(t, 0, "fault", `{"what":`)
	x.quote(f.What)
	x.text("name", f.Name)
	x.text("fn", f.Fn)
	x.text("key", f.Key)
	x.text("rv", f.RV)
	return x.end("}}\n")
}

// Omitted writes how many things were left out.
func (x *Writer) Omitted(t int64, l Omitted) error {
	x.begin(t, 0, "leftOut", `{"calls":`)
	x.buf = strconv.AppendInt(x.buf, l.Calls, 10)
	x.number("work", l.Work)
	x.number("reconciles", l.Reconciles)
	x.number("writes", l.Writes)
	x.number("requests", l.Requests)
	x.number("marks", l.Marks)
	x.number("since", l.Since)
	return x.end("}}\n")
}
