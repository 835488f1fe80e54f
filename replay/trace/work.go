package trace

import "strconv"

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
	Like         int64  // the id of an earlier create of the same object under another name; 0 if none is known
}

func (w *Written) fields(f *fields) {
	f.text("verb", &w.Verb)
	f.text("url", &w.URL)
	f.text("patch", &w.Patch)
	f.text("key", &w.Key)
	f.text("generateName", &w.GenerateName)
	f.text("rv", &w.RV)
	f.text("uid", &w.UID)
	f.number("like", &w.Like)
}

// WriteResult is what came of a Written.
type WriteResult struct {
	Status   int    // 0 if no answer came
	Reason   string // of a Status that is a failure, such as Conflict
	Key      string // of the object in the answer, where Written has no Key
	RV       string // the resourceVersion that the object has now
	UID      string
	Deleting bool   // the object has a deletionTimestamp
	Ending   string // how the answer ended, as in Writer.End; "" for eof
	Error    string // the text of that end
}

func (a *WriteResult) fields(f *fields) {
	f.int("status", &a.Status)
	f.text("reason", &a.Reason)
	f.text("key", &a.Key)
	f.text("rv", &a.RV)
	f.text("uid", &a.UID)
	f.flag("deleting", &a.Deleting)
	f.text("how", &a.Ending)
	f.text("error", &a.Error)
}

// ReconcileStart is the beginning of a reconcile.
type ReconcileStart struct {
	Controller string
	Key        string
	Worker     int // counted from 1
}

func (b *ReconcileStart) fields(f *fields) {
	f.text("controller", &b.Controller)
	f.text("key", &b.Key)
	f.int("worker", &b.Worker)
}

// Finished is the end of a reconcile.
type Finished struct {
	Duration int64  // nanoseconds
	Result   string // one of the constants Result…
	After    int64  // of ResultRequeueAfter, nanoseconds
	Error    string // the class of the error: a reason of the API, or the name of its type in Go
	Message  string
}

func (x *Finished) fields(f *fields) {
	f.text("result", &x.Result)
	f.number("took", &x.Duration)
	f.number("after", &x.After)
	f.text("error", &x.Error)
	f.text("message", &x.Message)
}

// Fault is something that went wrong in a process's cache.
type Fault struct {
	Kind string // one of the constants Fault…
	Name string // of the function, or of the handler that was told of the object
	Fn   string // the handler's method, of an object that was changed in its call; "" where it was changed at another time
	Key  string
	RV   string

	Tombstone bool // of a handler's call: it got a DeletedFinalStateUnknown
}

// The kinds of a Fault.
const (
	FaultHandler   = "handler"   // a handler's call panicked, and the trace doesn't have its object
	FaultIndex     = "index"     // an index function panicked
	FaultTransform = "transform" // a transform function panicked
	FaultChanged   = "changed"   // an object in the cache isn't what came over the wire any more
)

func (x *Fault) fields(f *fields) {
	f.text("what", &x.Kind)
	f.text("name", &x.Name)
	f.text("fn", &x.Fn)
	f.text("key", &x.Key)
	f.text("rv", &x.RV)
}

// Saw is what a reconcile has read in a cache: the version of an object, or, without a key, the resourceVersion up to which the
// cache of all objects of the kind had come by then.
type Saw struct {
	Kind string // with its group: Pod, Deployment.apps
	Key  string
	RV   string
}

func (s *Saw) fields(f *fields) {
	f.text("kind", &s.Kind)
	f.text("key", &s.Key)
	f.text("rv", &s.RV)
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
	Duration    int64 // how long Get has waited, or how long an Add took if that was known when the line was written, in nanoseconds
	Empty       bool  // Get returned nothing, because the queue is shut down
}

func (q *Queued) fields(f *fields) {
	f.text("queue", &q.Queue)
	f.text("fn", &q.Fn)
	f.text("key", &q.Key)
	f.number("after", &q.After)
	f.flag("rateLimited", &q.RateLimited)
	f.int("priority", &q.Priority)
	f.int("requeues", &q.Requeues)
	f.number("took", &q.Duration)
	f.flag("empty", &q.Empty)
	f.text("from", &q.From)
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

func (l *Omitted) fields(f *fields) {
	f.number("calls", &l.Calls)
	f.number("work", &l.Work)
	f.number("reconciles", &l.Reconciles)
	f.number("writes", &l.Writes)
	f.number("requests", &l.Requests)
	f.number("marks", &l.Marks)
	f.number("since", &l.Since)
}

// Write writes that a request that changes something was sent. id names it from then on, and
// in names the reconcile that sent it, 0 where that is not known.
func (x *Writer) Write(t, id, in int64, w Written) error {
	w.fields(x.beginIn(t, id, in, "write"))
	return x.end("}}\n")
}

// Wrote writes what came of the write of that id.
func (x *Writer) Wrote(t, id int64, a WriteResult) error {
	a.fields(x.begin(t, id, "wrote"))
	return x.end("}}\n")
}

// Reconcile writes that a reconcile began. id names it from then on.
func (x *Writer) Reconcile(t, id int64, b ReconcileStart) error {
	b.fields(x.begin(t, id, "reconcile"))
	return x.end("}}\n")
}

// Reconciled writes that the reconcile of that id has ended.
func (x *Writer) Reconciled(t, id int64, f Finished) error {
	f.fields(x.begin(t, id, "reconciled"))
	return x.end("}}\n")
}

// Saw writes what the reconcile of the id in has read.
func (x *Writer) Saw(t, in int64, s Saw) error {
	s.fields(x.beginIn(t, 0, in, "saw"))
	return x.end("}}\n")
}

// Work writes that a workqueue's method was called.
func (x *Writer) Work(t int64, q Queued) error {
	q.fields(x.beginIn(t, 0, q.In, "work"))
	return x.end("}}\n")
}

// Fault writes what went wrong in the cache.
func (x *Writer) Fault(t int64, f Fault) error {
	f.fields(x.begin(t, 0, "fault"))
	return x.end("}}\n")
}

// Omitted writes how many things were left out.
func (x *Writer) Omitted(t int64, l Omitted) error {
	l.fields(x.begin(t, 0, "leftOut"))
	return x.end("}}\n")
}

// The types of this file are lines that tell of a process's informers: who started them, who is called by them, and who
// reads what they hold. They are as they are written, in the words of the format.

// Site is a place in the code of the recorded program.
type Site struct {
	Func string // with its package's last element: web.(*Webs).Reconcile
	File string // its last element: web.go
	Line int
}

func (s *Site) fields(f *fields) {
	f.text("func", &s.Func)
	f.text("file", &s.File)
	f.int("line", &s.Line)
}

// String returns the function, the file and the line; "" for no place.
func (s Site) String() string {
	switch {
	case s.File == "":
		return s.Func
	case s.Func == "":
		return s.File + ":" + strconv.Itoa(s.Line)
	}
	return s.Func + ", " + s.File + ":" + strconv.Itoa(s.Line)
}

// Started says who started an informer. It is about the reflector that has sent a request.
type Started struct {
	Site             // the innermost function that is no library's; only Func, of a library, where none is known
	Approximate bool // the goroutine that started it was at Site when the reflector first asked, and may have started it on another line
	Library     bool // Func is a library's
	Metadata    bool // it asks for PartialObjectMetadata
}

func (s *Started) fields(f *fields) {
	f.flag("near", &s.Approximate)
	s.Site.fields(f)
	f.flag("library", &s.Library)
	f.flag("metadata", &s.Metadata)
}

// Form says what Go type objects of a cache have.
type Form string

// The forms. A Form is "" where it is not known.
const (
	Typed        Form = "typed"        // a struct of its own, such as v1.Pod
	Unstructured Form = "unstructured" // unstructured.Unstructured
	MetadataOnly Form = "metadata"     // metav1.PartialObjectMetadata
)

// Registered says where a handler was given to the recorder. A later one of the same handler says more.
type Registered struct {
	Handler string
	Site
	Form Form // of the objects that it is called with
}

func (h *Registered) fields(f *fields) {
	f.text("handler", &h.Handler)
	h.Site.fields(f)
	f.text("form", (*string)(&h.Form))
}

// CacheRead says that code has read from a cache. A later one of the same code says more.
type CacheRead struct {
	Kind string // of the objects, with its group: Pod, Deployment.apps
	Fn   string // Get or List
	Form Form
	Site
	N int64 // how often, at least
}

func (c *CacheRead) fields(f *fields) {
	f.text("kind", &c.Kind)
	f.text("fn", &c.Fn)
	f.text("form", (*string)(&c.Form))
	c.Site.fields(f)
	f.number("n", &c.N)
}

// Sizes says how large the objects of an answer were that the recording does not have whole.
type Sizes struct {
	Objects int64
	Bytes   int64 // of all of them, as they came
	JSON    bool  // the answer was JSON; otherwise it was protobuf or CBOR
}

func (s *Sizes) fields(f *fields) {
	f.number("objects", &s.Objects)
	f.number("bytes", &s.Bytes)
	f.flag("json", &s.JSON)
}

// mostSites is how many handlers and how many reads of a trace are kept.
const mostSites = 10000

// aboutInformer takes a line that tells of an informer.
func (d *Decoder) aboutInformer(l *line) {
	var r *Resource
	if x := d.requests[l.ID]; x != nil && x.reader != nil {
		r = x.reader.r
	}
	switch {
	case l.Started != nil && r != nil:
		r.Started = l.Started
	case l.Sizes != nil && r != nil && l.Sizes.Objects > 0 && l.Sizes.Bytes >= 0:
		r.Sizes = *l.Sizes
	case l.Registered != nil && l.Registered.Handler != "":
		h := l.Registered
		for i := range d.t.Registered {
			if old := &d.t.Registered[i]; old.Handler == h.Handler && old.Site == h.Site {
				if h.Form != "" {
					old.Form = h.Form
				}
				return
			}
		}
		if len(d.t.Registered) < maxHandlers {
			d.t.Registered = append(d.t.Registered, *h)
		}
	case l.CacheRead != nil:
		c := *l.CacheRead
		n := c.N
		c.N = 0
		i, known := d.reads[c]
		if !known {
			if i = len(d.t.CacheReads); i == mostSites {
				return
			}
			if d.reads == nil {
				d.reads = map[CacheRead]int{}
			}
			d.reads[c] = i
			d.t.CacheReads = append(d.t.CacheReads, c)
		}
		d.t.CacheReads[i].N = max(d.t.CacheReads[i].N, n)
	}
}

// Started writes who started the informer whose request has that id.
func (x *Writer) Started(t, id int64, s Started) error {
	s.fields(x.begin(t, id, "informer"))
	return x.end("}}\n")
}

// Registered writes where a handler was given to the recorder.
func (x *Writer) Registered(t int64, h Registered) error {
	h.fields(x.begin(t, 0, "registered"))
	return x.end("}}\n")
}

// CacheRead writes that code has read from a cache. N stands last.
func (x *Writer) CacheRead(t int64, c CacheRead) error {
	c.fields(x.begin(t, 0, "read"))
	return x.end("}}\n")
}

// Sizes writes how large the objects of the answer of that id were so far.
func (x *Writer) Sizes(t, id int64, s Sizes) error {
	s.fields(x.begin(t, id, "sizes"))
	return x.end("}}\n")
}
