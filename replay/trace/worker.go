package trace

import "strconv"

// The types of this file are lines that tell of a controller's own work: its workqueue, its
// reconciles and its writes. They are as they are written, in the words of the format.
// Package worker reads them.

// Written is a request that changes something, when it is sent.
type Written struct {
	Verb         string `json:"verb"`  // create, update, patch, delete or deletecollection, as rules of RBAC have it
	URL          string `json:"url"`   // path and query as they were sent
	Patch        string `json:"patch"` // of a patch: json, merge, strategic or apply
	Key          string `json:"key"`   // namespace/name, or name; "" where nobody could tell
	GenerateName string `json:"generateName"`
	RV           string `json:"rv"`  // the resourceVersion that was sent, in the object or as a precondition
	UID          string `json:"uid"` // the same of the uid
}

// Answered is what came of a Written.
type Answered struct {
	Status   int    `json:"status"` // 0 if no answer came
	Reason   string `json:"reason"` // of a Status that is a failure, such as Conflict
	Key      string `json:"key"`    // of the object in the answer, where Written has no Key
	RV       string `json:"rv"`     // the resourceVersion that the object has now
	UID      string `json:"uid"`
	Deleting bool   `json:"deleting"` // the object has a deletionTimestamp
	How      string `json:"how"`      // as End's, if that isn't eof
	Error    string `json:"error"`    // the same
}

// Begun is the beginning of a reconcile.
type Begun struct {
	Controller string `json:"controller"`
	Key        string `json:"key"`
	Worker     int    `json:"worker"` // counted from 1
}

// Finished is the end of a reconcile.
type Finished struct {
	Took    int64  `json:"took"`   // nanoseconds
	Result  string `json:"result"` // one of the constants Result…
	After   int64  `json:"after"`  // of ResultRequeueAfter, nanoseconds
	Error   string `json:"error"`  // the class of the error: a reason of the API, or the name of its type in Go
	Message string `json:"message"`
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
	Queue       string `json:"queue"`
	Fn          string `json:"fn"` // one of Add, AddAfter, AddRateLimited, AddWithOpts, Get, Done, Forget, When, ShutDown
	Key         string `json:"key"`
	After       int64  `json:"after"` // AddAfter's and AddWithOpts' delay, and the delay that When returned, in nanoseconds
	RateLimited bool   `json:"rateLimited"`
	Priority    int    `json:"priority"`
	Requeues    int    `json:"requeues"` // what NumRequeues returns after When
	Took        int64  `json:"took"`     // how long Get has waited, in nanoseconds
	Empty       bool   `json:"empty"`    // Get returned nothing, because the queue is shut down
}

// LeftOut is how many things were left out since the last such line, because the recorder had
// no room for them.
type LeftOut struct {
	Calls      int64 `json:"calls"`      // of handlers
	Work       int64 `json:"work"`       // calls of workqueues
	Reconciles int64 `json:"reconciles"` // beginnings or ends
	Writes     int64 `json:"writes"`
	Requests   int64 `json:"requests"` // lists and watches
	Marks      int64 `json:"marks"`
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
func (x *Writer) Wrote(t, id int64, a Answered) error {
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
func (x *Writer) Reconcile(t, id int64, b Begun) error {
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
	x.begin(t, 0, "work", `{"queue":`)
	x.quote(q.Queue)
	x.text("fn", q.Fn)
	x.text("key", q.Key)
	x.number("after", q.After)
	x.flag("rateLimited", q.RateLimited)
	x.number("priority", int64(q.Priority))
	x.number("requeues", int64(q.Requeues))
	x.number("took", q.Took)
	x.flag("empty", q.Empty)
	return x.end("}}\n")
}

// Calling writes that a handler's call has not returned yet. Its Took is how long the call
// runs by then.
func (x *Writer) Calling(t int64, c Called) error { return x.call(t, "calling", c) }

// LeftOut writes how many things were left out.
func (x *Writer) LeftOut(t int64, l LeftOut) error {
	x.begin(t, 0, "leftOut", `{"calls":`)
	x.buf = strconv.AppendInt(x.buf, l.Calls, 10)
	x.number("work", l.Work)
	x.number("reconciles", l.Reconciles)
	x.number("writes", l.Writes)
	x.number("requests", l.Requests)
	x.number("marks", l.Marks)
	return x.end("}}\n")
}
