package record

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// TypedRateLimitingInterface has the methods that client-go's
// workqueue.TypedRateLimitingInterface has since v0.30. With T any, it is
// workqueue.RateLimitingInterface of v0.22 and later.
type TypedRateLimitingInterface[T any] interface {
	Add(item T)
	Len() int
	Get() (item T, shutdown bool)
	Done(item T)
	ShutDown()
	ShuttingDown() bool
	AddAfter(item T, duration time.Duration)
	AddRateLimited(item T)
	Forget(item T)
	NumRequeues(item T) int
}

// Queue makes q a workqueue whose calls are recorded under that name: each Add, AddAfter,
// AddRateLimited, Done and Forget when it is called, and each Get when it returns.
func Queue[T any](to Recording, name string, q TypedRateLimitingInterface[T]) *Workqueue[T] {
	w := &Workqueue[T]{q, to.recorder().workqueue(name)}
	w.q.wrapped.Store(true)
	return w
}

// Workqueue is a workqueue that is recorded. It is used in the place of the original, which is its embedded
// field. ShutDownWithDrain, Pause and Resume are methods of the Workqueue. Other methods that the interface
// doesn't have are called on the original.
type Workqueue[T any] struct {
	TypedRateLimitingInterface[T]
	q *workqueue
}

// Add records and does what Add of the workqueue does.
func (w *Workqueue[T]) Add(item T) {
	defer w.q.add(trace.Queued{Fn: "Add", Key: keyOf(item)}).returned()
	w.TypedRateLimitingInterface.Add(item)
}

// AddAfter records and does what AddAfter of the workqueue does.
func (w *Workqueue[T]) AddAfter(item T, duration time.Duration) {
	defer w.q.add(trace.Queued{Fn: "AddAfter", Key: keyOf(item), After: int64(duration)}).returned()
	w.TypedRateLimitingInterface.AddAfter(item, duration)
}

// AddRateLimited records and does what AddRateLimited of the workqueue does. How long the item is
// put off is recorded by RateLimiter.
func (w *Workqueue[T]) AddRateLimited(item T) {
	defer w.q.add(trace.Queued{Fn: "AddRateLimited", Key: keyOf(item)}).returned()
	w.TypedRateLimitingInterface.AddRateLimited(item)
}

// Get does what Get of the workqueue does, and records it with the time that it waited.
func (w *Workqueue[T]) Get() (item T, shutdown bool) {
	began := w.q.r.now()
	item, shutdown = w.TypedRateLimitingInterface.Get()
	w.q.recordGet(began, item, 0, shutdown)
	return item, shutdown
}

// Done records and does what Done of the workqueue does.
func (w *Workqueue[T]) Done(item T) {
	key := keyOf(item)
	w.q.done(key)
	w.q.call(trace.Queued{Fn: "Done", Key: key})
	w.TypedRateLimitingInterface.Done(item)
}

// Forget records and does what Forget of the workqueue does.
func (w *Workqueue[T]) Forget(item T) {
	w.q.call(trace.Queued{Fn: "Forget", Key: keyOf(item)})
	w.TypedRateLimitingInterface.Forget(item)
}

// ShutDown records and does what ShutDown of the workqueue does.
func (w *Workqueue[T]) ShutDown() {
	w.q.call(trace.Queued{Fn: "ShutDown"})
	w.TypedRateLimitingInterface.ShutDown()
}

// ShutDownWithDrain records and does what ShutDownWithDrain of the workqueue does, which client-go
// has since v0.23. It is ShutDown for a workqueue without it.
func (w *Workqueue[T]) ShutDownWithDrain() {
	w.q.call(trace.Queued{Fn: "ShutDown"})
	if q, ok := w.TypedRateLimitingInterface.(interface{ ShutDownWithDrain() }); ok {
		q.ShutDownWithDrain()
		return
	}
	w.TypedRateLimitingInterface.ShutDown()
}

// Pause does what Pause of client-go's workqueue.Pausable does, which workqueues have since v0.38. It
// does nothing for a workqueue without it.
func (w *Workqueue[T]) Pause() {
	if q, ok := w.TypedRateLimitingInterface.(interface{ Pause() }); ok {
		q.Pause()
	}
}

// Resume does what Resume of client-go's workqueue.Pausable does, and nothing for a workqueue without
// it.
func (w *Workqueue[T]) Resume() {
	if q, ok := w.TypedRateLimitingInterface.(interface{ Resume() }); ok {
		q.Resume()
	}
}

// TypedPriorityQueue has the methods of controller-runtime's priorityqueue.PriorityQueue, where O is
// priorityqueue.AddOpts.
type TypedPriorityQueue[T, O any] interface {
	TypedRateLimitingInterface[T]
	AddWithOpts(o O, items ...T)
	GetWithPriority() (item T, priority int, shutdown bool)
}

// PriorityQueue does what Queue does, for the priority queue of controller-runtime.
func PriorityQueue[T, O any](to Recording, name string, q TypedPriorityQueue[T, O]) *PriorityWorkqueue[T, O] {
	return &PriorityWorkqueue[T, O]{Queue[T](to, name, q), q}
}

// PriorityWorkqueue is a priority queue that is recorded. It is used in the place of the original.
type PriorityWorkqueue[T, O any] struct {
	*Workqueue[T]
	inner TypedPriorityQueue[T, O]
}

// AddWithOpts records and does what AddWithOpts of the priority queue does.
func (w *PriorityWorkqueue[T, O]) AddWithOpts(o O, items ...T) {
	q := optsOf(o)
	for _, item := range items {
		q.Key = keyOf(item)
		defer w.q.add(q).returned()
	}
	w.inner.AddWithOpts(o, items...)
}

// GetWithPriority does what GetWithPriority of the priority queue does, and records it as a Get.
func (w *PriorityWorkqueue[T, O]) GetWithPriority() (item T, priority int, shutdown bool) {
	began := w.q.r.now()
	item, priority, shutdown = w.inner.GetWithPriority()
	w.q.recordGet(began, item, priority, shutdown)
	return item, priority, shutdown
}

// optsOf reads a priorityqueue.AddOpts, whose Priority was no pointer in its first versions.
func optsOf(o any) trace.Queued {
	q := trace.Queued{Fn: "AddWithOpts"}
	v := reflect.Indirect(reflect.ValueOf(o))
	if v.Kind() != reflect.Struct {
		return q
	}
	if f := v.FieldByName("After"); f.Kind() == reflect.Int64 {
		q.After = f.Int()
	}
	if f := v.FieldByName("RateLimited"); f.Kind() == reflect.Bool {
		q.RateLimited = f.Bool()
	}
	if f := reflect.Indirect(v.FieldByName("Priority")); f.Kind() == reflect.Int {
		q.Priority = int(f.Int())
	}
	return q
}

// TypedRateLimiter has the methods that client-go's workqueue.TypedRateLimiter has since v0.30.
// With T any, it is workqueue.RateLimiter of v0.22 and later.
type TypedRateLimiter[T any] interface {
	When(item T) time.Duration
	Forget(item T)
	NumRequeues(item T) int
}

// RateLimiter makes l a rate limiter whose answers are recorded: for how long each item is put
// off. Name is the name of the workqueue that l is for. If that isn't recorded by Queue, calls of
// Forget are recorded here.
func RateLimiter[T any](to Recording, name string, l TypedRateLimiter[T]) TypedRateLimiter[T] {
	return &rateLimiter[T]{l, to.recorder().workqueue(name)}
}

type rateLimiter[T any] struct {
	TypedRateLimiter[T]
	q *workqueue
}

func (l *rateLimiter[T]) When(item T) time.Duration {
	after := l.TypedRateLimiter.When(item)
	l.q.call(trace.Queued{Fn: "When", Key: keyOf(item), After: int64(after), Requeues: l.NumRequeues(item)})
	return after
}

func (l *rateLimiter[T]) Forget(item T) {
	if !l.q.wrapped.Load() {
		l.q.call(trace.Queued{Fn: "Forget", Key: keyOf(item)})
	}
	l.TypedRateLimiter.Forget(item)
}

// workqueues are a Recorder's workqueues, by their names.
type workqueues struct {
	mu     sync.Mutex
	byName map[string]*workqueue
}

// workqueue records the calls of a workqueue and its rate limiter.
type workqueue struct {
	r       *Recorder // nil for none
	name    string
	wrapped atomic.Bool // by Queue

	mu         sync.Mutex
	processing map[string]requeue // by key, between Get and Done
}

// workqueue returns the workqueue of that name.
func (r *Recorder) workqueue(name string) *workqueue {
	if r == nil {
		return &workqueue{}
	}
	name = short(name, maxName)
	r.workqueues.mu.Lock()
	defer r.workqueues.mu.Unlock()
	q := r.workqueues.byName[name]
	if q == nil {
		q = &workqueue{r: r, name: name}
		if r.workqueues.byName == nil {
			r.workqueues.byName = map[string]*workqueue{}
		}
		r.workqueues.byName[name] = q
	}
	return q
}

// work is a call of a workqueue's method.
type work struct {
	trace.Queued
	r        *Recorder
	began    int64        // of a Get
	duration atomic.Int64 // of an Add that has returned
	time     int64
}

// stamp says that the call is recorded now. The times of Adds and Gets are in the order of their lines,
// so that it can be told which came first.
func (w *work) stamp() int64 {
	w.time = w.r.now()
	if w.Fn == "Get" {
		w.Duration = max(w.time-w.began, 1)
	}
	return w.time
}

// returned says of an Add that it has returned.
func (w *work) returned() {
	if w != nil {
		w.duration.Store(max(w.r.now()-w.time, 1))
	}
}

// call records a call.
func (q *workqueue) call(c trace.Queued) {
	if q.r != nil {
		q.put(&work{Queued: c}, nil)
	}
}

// add records an Add, with its cause. What it returns is to be told when the Add has returned.
func (q *workqueue) add(c trace.Queued) *work {
	if q.r == nil {
		return nil
	}
	by := q.r.cause()
	if by == nil {
		by = q.requeued(c.Key)
	}
	w := &work{Queued: c}
	q.put(w, by)
	return w
}

// put records a call with its cause, nil for none that is known.
func (q *workqueue) put(w *work, by *cause) {
	w.r, w.Queue = q.r, q.name
	if !q.r.queue.put(entry{kind: aWork, cause: by, content: w}, nil, len(w.Key)+entryCost) {
		q.r.countLost(&q.r.lost.work)
	}
}

// recordGet records a Get that has returned. A priority queue may return an item and say that it is
// shut down, too.
func (q *workqueue) recordGet(began int64, item any, priority int, shutdown bool) {
	if q.r == nil {
		return
	}
	c := trace.Queued{Fn: "Get", Priority: priority, Empty: shutdown}
	if !shutdown || item != nil && !reflect.ValueOf(item).IsZero() {
		c.Key = keyOf(item)
	}
	q.mu.Lock()
	if q.processing == nil {
		q.processing = map[string]requeue{}
	}
	q.processing[c.Key] = requeue{}
	q.mu.Unlock()
	q.put(&work{Queued: c, began: began}, nil)
}

// requeue is a reconcile that has ended, and whose item its worker is about to add again. It is empty before.
type requeue struct {
	goroutine uint64
	cause     *cause
}

// requeues notes that the worker on this goroutine is about to add the item of x again. That is not
// within the reconcile, so it is known by the number of the goroutine.
func (q *workqueue) requeues(x *running) {
	if !q.wrapped.Load() {
		return
	}
	r := requeue{goroutine(), &x.cause}
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.processing[x.key]; ok {
		q.processing[x.key] = r
	}
}

// requeued returns the reconcile whose worker adds the item of that key now, on its own goroutine; nil for none.
func (q *workqueue) requeued(key string) *cause {
	q.mu.Lock()
	r := q.processing[key]
	q.mu.Unlock()
	if r.cause == nil || r.goroutine != goroutine() {
		return nil
	}
	return r.cause
}

// done notes that the worker is through with the item of that key.
func (q *workqueue) done(key string) {
	if q.r == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, key)
}

// textOf returns the text of an item that is neither a text nor an object. A reconcile.Request is a
// types.NamespacedName, whose text has a slash before a name without a namespace.
func textOf(item any) string {
	if s, ok := item.(fmt.Stringer); ok {
		return strings.TrimPrefix(s.String(), "/")
	}
	return fmt.Sprint(item)
}

// keyOf returns what identifies an item of a workqueue: a text itself, what has a name and a namespace
// as client-go's MetaNamespaceKeyFunc has it, and the text of anything else.
func keyOf(item any) (key string) {
	defer func() {
		if recover() != nil {
			key = "?"
		}
	}()
	switch k := item.(type) {
	case string:
		return shortKey(k)
	case named:
		key, _ = identify(k)
		return shortKey(key)
	}
	return shortKey(textOf(item))
}

// shortKey cuts a key. One that is cut ends with a number by which it differs from others that begin alike.
func shortKey(key string) string {
	if len(key) <= maxKey {
		return key
	}
	const digits = "~0123456789abcdef"
	h := fnv.New64a()
	io.WriteString(h, key)
	return short(key, maxKey-len(digits)) + fmt.Sprintf("~%016x", h.Sum64())
}

// Reconcile makes f a function whose calls are recorded: when each began and ended, with which
// result and what kind of error. The writes that f makes with the context that it gets belong
// to that call in the trace. Reconcile fits the method Reconcile of controller-runtime's
// reconcile.TypedReconciler, and its result becomes a reconciler again by reconcile.TypedFunc.
//
// Controller is the name of the workqueue from which the requests come, if that is recorded, too.
func Reconcile[R, Res any](to Recording, controller string, f func(context.Context, R) (Res, error)) func(context.Context, R) (Res, error) {
	r := to.recorder()
	if r == nil {
		return f
	}
	c := r.controller(controller)
	return func(ctx context.Context, req R) (res Res, err error) {
		x := c.begin(keyOf(req))
		end := trace.Finished{Result: trace.ResultPanic} // unless f returns
		defer func() { c.end(x, end) }()
		x.runMarked(func() { res, err = f(context.WithValue(ctx, reconcileOf{r}, x), req) })
		end = finished(res, err)
		return res, err
	}
}

// Sync does what Reconcile does, for a function without a result, as hand-written workers of client-go have it.
func Sync[R any](to Recording, controller string, f func(context.Context, R) error) func(context.Context, R) error {
	reconcile := Reconcile(to, controller, func(ctx context.Context, req R) (struct{}, error) { return struct{}{}, f(ctx, req) })
	return func(ctx context.Context, req R) error {
		_, err := reconcile(ctx, req)
		return err
	}
}

// reconcileOf is the key of a context's value: the reconcile of that Recorder under way.
type reconcileOf struct{ r *Recorder }

// controllers are a Recorder's controllers, by their names.
type controllers struct {
	mu     sync.Mutex
	byName map[string]*controller
}

// controller is what reconciles of one name share.
type controller struct {
	r     *Recorder
	name  string
	queue *workqueue // of the same name

	mu    sync.Mutex
	busy  []bool               // by worker
	wrote map[string]time.Time // by key: when a reconcile sent its last write
}

// running is a reconcile under way.
type running struct {
	key    string
	worker int // counted from 1
	began  time.Time
	queued bool // the beginning is in the queue, or was, so that there is a line
	c      *controller
	looks  atomic.Int32 // how many of its reads are recorded yet
	cause
}

// A reconcile that begins so soon after a write for the same key may read a cache that lacks it. Its first reads are recorded.
const (
	soonAfterWrite = time.Second
	mostLooks      = 16
	mostWrote      = 1 << 10 // keys that are remembered
)

func (r *Recorder) controller(name string) *controller {
	name = short(name, maxName)
	r.controllers.mu.Lock()
	defer r.controllers.mu.Unlock()
	c := r.controllers.byName[name]
	if c == nil {
		c = &controller{r: r, name: name, queue: r.workqueue(name)}
		if r.controllers.byName == nil {
			r.controllers.byName = map[string]*controller{}
		}
		r.controllers.byName[name] = c
	}
	return c
}

func (c *controller) begin(key string) *running {
	x := &running{key: key, began: time.Now(), c: c, cause: cause{r: c.r}}
	c.mu.Lock()
	x.worker = c.take()
	if at, wrote := c.wrote[key]; wrote && x.began.Sub(at) < soonAfterWrite {
		x.looks.Store(mostLooks)
	}
	c.mu.Unlock()
	e := entry{kind: aReconcile, t: c.r.now(), cause: &x.cause, content: &trace.ReconcileStart{Controller: c.name, Key: key, Worker: x.worker}}
	x.queued = c.r.queue.put(e, nil, len(key)+len(c.name)+entryCost)
	if !x.queued {
		c.r.countLost(&c.r.lost.reconciles)
	}
	return x
}

// writes takes note that the reconcile sends a write.
func (x *running) writes() {
	c := x.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wrote == nil || len(c.wrote) >= mostWrote {
		c.wrote = map[string]time.Time{}
	}
	c.wrote[x.key] = time.Now()
}

// Saw records what a reconcile has read in a cache, if it began within a second of a write for the same key. It is for what stands before a
// cache, such as package controllerruntime, and for what calls a lister. ctx is the context that the reconcile got, and kind the kind of
// the objects with its group, such as "Deployment.apps". version returns the resourceVersion of the object that was read, whose key is
// namespace/name; or for the key "" the one that the cache's store had reached after the read (LastStoreSyncResourceVersion), and "" where nobody knows.
// A recording tells by it whether the controller's last write had come over the wire, and the informer had not put it into its cache.
func Saw(ctx context.Context, to Recording, kind, key string, version func() string) {
	r := to.recorder()
	if r == nil {
		return
	}
	x, ok := ctx.Value(reconcileOf{r}).(*running)
	if !ok || !x.queued || x.looks.Load() <= 0 || x.looks.Add(-1) < 0 {
		return
	}
	if rv := version(); rv != "" {
		s := trace.Saw{Kind: short(kind, maxName), Key: short(key, maxKey), RV: short(rv, maxName)}
		r.queue.put(entry{kind: aSaw, t: r.now(), cause: &x.cause, content: s}, nil, len(s.Kind)+len(s.Key)+len(s.RV))
	}
}

// take returns the lowest worker that is free. c.mu must be locked.
func (c *controller) take() int {
	for i, busy := range c.busy {
		if !busy {
			c.busy[i] = true
			return i + 1
		}
	}
	c.busy = append(c.busy, true)
	return len(c.busy)
}

func (c *controller) end(x *running, f trace.Finished) {
	c.mu.Lock()
	c.busy[x.worker-1] = false
	c.mu.Unlock()
	f.Duration = max(int64(time.Since(x.began)), 1)
	if x.queued {
		c.r.queue.addReserved(entry{kind: aReconciled, t: c.r.now(), cause: &x.cause, content: &f}, reserveEnd)
	} else {
		c.r.countLost(&c.r.lost.reconciles)
	}
	if f.Result != trace.ResultDone && f.Result != trace.ResultTerminal && f.Result != trace.ResultPanic {
		c.queue.requeues(x)
	}
	if f.Result == trace.ResultPanic {
		c.r.panicked(fmt.Sprintf("the reconcile of %s by %s", x.key, c.name))
	}
}

// finished says how a reconcile ended that has returned.
func finished(res any, err error) (f trace.Finished) {
	if err != nil {
		return failed(err)
	}
	f.Result = trace.ResultDone
	v := reflect.ValueOf(res)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return f
	}
	if after := v.FieldByName("RequeueAfter"); after.Kind() == reflect.Int64 && after.Int() > 0 {
		return trace.Finished{Result: trace.ResultRequeueAfter, After: after.Int()}
	}
	if again := v.FieldByName("Requeue"); again.Kind() == reflect.Bool && again.Bool() {
		f.Result = trace.ResultRequeue
	}
	return f
}

// How much is kept of a name, a key and an error's text, in bytes.
const (
	maxName    = 200
	maxKey     = 400
	maxMessage = 300
)

// failed says what kind of error a reconcile returned. An error's methods are the controller's
// code, so a panic of theirs is not passed on.
func failed(err error) (f trace.Finished) {
	f = trace.Finished{Result: trace.ResultError, Error: "error"}
	defer func() { recover() }()
	class, terminal := classOf(err)
	f.Error = short(class, maxName)
	if terminal {
		f.Result = trace.ResultTerminal
	}
	f.Message = short(err.Error(), maxMessage)
	return f
}

// maxErrors is how many errors of a tree are looked at.
const maxErrors = 50

// classOf returns the reason of the Status in err's tree (apierrors.ReasonForError), what the
// context ended with, or else the first type that is not of the standard library's wrappers.
// terminal reports whether there is a TerminalError of controller-runtime.
func classOf(err error) (class string, terminal bool) {
	plain := ""
	tree := []error{err}
	for n := 0; n < len(tree) && n < maxErrors; n++ {
		e := tree[n]
		if e == nil {
			continue
		}
		t := reflect.TypeOf(e)
		name := t.String()
		if name == "*reconcile.terminalError" && strings.HasSuffix(t.Elem().PkgPath(), "controller-runtime/pkg/reconcile") {
			terminal = true
		} else if plain == "" && !strings.HasPrefix(name, "*fmt.wrapError") && !strings.HasPrefix(name, "*errors.") {
			plain = name
		}
		if class == "" {
			class = reasonOf(e)
		}
		switch w := e.(type) {
		case interface{ Unwrap() error }:
			tree = append(tree, w.Unwrap())
		case interface{ Unwrap() []error }:
			tree = append(tree, w.Unwrap()...)
		}
	}
	switch {
	case class != "":
	case errors.Is(err, context.Canceled):
		class = "Canceled"
	case errors.Is(err, context.DeadlineExceeded):
		class = "DeadlineExceeded"
	case plain != "":
		class = plain
	default:
		class = "error"
	}
	return class, terminal
}

// reasonOf returns the reason of an apierrors.APIStatus, which has a method Status that returns a
// metav1.Status; "" for other errors.
func reasonOf(err error) string {
	m := reflect.ValueOf(err).MethodByName("Status")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.Struct {
		return ""
	}
	if reason, ok := m.Type().Out(0).FieldByName("Reason"); !ok || reason.Type.Kind() != reflect.String {
		return ""
	}
	s := m.Call(nil)[0]
	if reason := s.FieldByName("Reason").String(); reason != "" {
		return reason
	}
	return "Unknown"
}

// mostOfBody is how much is read of a write's body, in bytes. The metadata stands at the
// beginning of a typed object, and of most others.
const mostOfBody = 256 << 10
