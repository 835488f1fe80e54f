package record

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// TypedRateLimitingInterface has the methods that client-go's
// workqueue.TypedRateLimitingInterface has since v0.30. With T any, they are those of
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

// Workqueue is a workqueue that is recorded. It stands for the one that it was made of.
type Workqueue[T any] struct {
	TypedRateLimitingInterface[T]
	q *workqueue
}

// Add records and does what Add of the workqueue does.
func (w *Workqueue[T]) Add(item T) {
	w.q.call(trace.Queued{Fn: "Add", Key: keyOf(item)})
	w.TypedRateLimitingInterface.Add(item)
}

// AddAfter records and does what AddAfter of the workqueue does.
func (w *Workqueue[T]) AddAfter(item T, duration time.Duration) {
	w.q.call(trace.Queued{Fn: "AddAfter", Key: keyOf(item), After: int64(duration)})
	w.TypedRateLimitingInterface.AddAfter(item, duration)
}

// AddRateLimited records and does what AddRateLimited of the workqueue does. How long the item is
// put off is recorded by RateLimiter.
func (w *Workqueue[T]) AddRateLimited(item T) {
	w.q.call(trace.Queued{Fn: "AddRateLimited", Key: keyOf(item)})
	w.TypedRateLimitingInterface.AddRateLimited(item)
}

// Get does what Get of the workqueue does, and records it with the time that it waited.
func (w *Workqueue[T]) Get() (item T, shutdown bool) {
	began := time.Now()
	item, shutdown = w.TypedRateLimitingInterface.Get()
	w.q.got(began, item, 0, shutdown)
	return item, shutdown
}

// Done records and does what Done of the workqueue does.
func (w *Workqueue[T]) Done(item T) {
	w.q.call(trace.Queued{Fn: "Done", Key: keyOf(item)})
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

// PriorityWorkqueue is a priority queue that is recorded. It stands for the one that it was made
// of.
type PriorityWorkqueue[T, O any] struct {
	*Workqueue[T]
	inner TypedPriorityQueue[T, O]
}

// AddWithOpts records and does what AddWithOpts of the priority queue does.
func (w *PriorityWorkqueue[T, O]) AddWithOpts(o O, items ...T) {
	q := optsOf(o)
	for _, item := range items {
		q.Key = keyOf(item)
		w.q.call(q)
	}
	w.inner.AddWithOpts(o, items...)
}

// GetWithPriority does what GetWithPriority of the priority queue does, and records it as a Get.
func (w *PriorityWorkqueue[T, O]) GetWithPriority() (item T, priority int, shutdown bool) {
	began := time.Now()
	item, priority, shutdown = w.inner.GetWithPriority()
	w.q.got(began, item, priority, shutdown)
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
// With T any, they are those of workqueue.RateLimiter of v0.22 and later.
type TypedRateLimiter[T any] interface {
	When(item T) time.Duration
	Forget(item T)
	NumRequeues(item T) int
}

// RateLimiter makes l a rate limiter whose answers are recorded: for how long each item is put
// off. Name is that of the workqueue that l is for. If that isn't recorded by Queue, calls of
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

// workqueues are those of a Recorder, by their names.
type workqueues struct {
	mu     sync.Mutex
	byName map[string]*workqueue
}

// workqueue records the calls of a workqueue and its rate limiter.
type workqueue struct {
	r       *Recorder // nil for none
	name    string
	wrapped atomic.Bool // by Queue
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

// call records a call.
func (q *workqueue) call(c trace.Queued) {
	if q.r == nil {
		return
	}
	c.Queue = q.name
	if !q.r.queue.put(entry{kind: aWork, t: q.r.now(), told: &c}, nil, len(c.Key)+entryCost) {
		q.r.countLost(&q.r.lost.work)
	}
}

// got records a Get that has returned. A priority queue may return an item and say that it is
// shut down, too.
func (q *workqueue) got(began time.Time, item any, priority int, shutdown bool) {
	c := trace.Queued{Fn: "Get", Priority: priority, Took: max(int64(time.Since(began)), 1), Empty: shutdown}
	if !shutdown || item != nil && !reflect.ValueOf(item).IsZero() {
		c.Key = keyOf(item)
	}
	q.call(c)
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
		return short(k, maxKey)
	case named:
		key, _ = identify(k)
		return short(key, maxKey)
	}
	return short(textOf(item), maxKey)
}
