package record

import (
	"strings"
	"testing"
	"time"
)

// fakeQueue does nothing but to note what is called.
type fakeQueue[T any] struct {
	items  []T
	called []string
}

func (q *fakeQueue[T]) note(fn string)                   { q.called = append(q.called, fn) }
func (q *fakeQueue[T]) Add(item T)                       { q.note("Add") }
func (q *fakeQueue[T]) Len() int                         { return 42 }
func (q *fakeQueue[T]) Done(item T)                      { q.note("Done") }
func (q *fakeQueue[T]) ShutDown()                        { q.note("ShutDown") }
func (q *fakeQueue[T]) ShuttingDown() bool               { return true }
func (q *fakeQueue[T]) AddAfter(item T, _ time.Duration) { q.note("AddAfter") }
func (q *fakeQueue[T]) AddRateLimited(item T)            { q.note("AddRateLimited") }
func (q *fakeQueue[T]) Forget(item T)                    { q.note("Forget") }
func (q *fakeQueue[T]) NumRequeues(item T) int           { return 7 }
func (q *fakeQueue[T]) When(item T) time.Duration        { q.note("When"); return time.Second }

func (q *fakeQueue[T]) Get() (item T, shutdown bool) {
	if len(q.items) == 0 {
		return item, true
	}
	item, q.items = q.items[0], q.items[1:]
	return item, false
}

// fakePriority is a priority queue.
type fakePriority[T any] struct{ fakeQueue[T] }

// addOpts has the fields of priorityqueue.AddOpts.
type addOpts struct {
	After       time.Duration
	RateLimited bool
	Priority    *int
}

func (q *fakePriority[T]) AddWithOpts(o addOpts, items ...T) { q.note("AddWithOpts") }
func (q *fakePriority[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	item, shutdown = q.Get()
	return item, -100, shutdown
}
func (q *fakePriority[T]) ShutDownWithDrain() { q.note("ShutDownWithDrain") }
func (q *fakePriority[T]) Pause()             { q.note("Pause") }
func (q *fakePriority[T]) Resume()            { q.note("Resume") }

func TestWorkqueue(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	real := &fakeQueue[any]{items: []any{"a", &meta{"shop", "b", "1"}, request{namespacedName{"", "c"}}}}
	q := Queue(r.rec, "web", real)
	q.Add("a")
	q.AddAfter(request{namespacedName{"shop", "b"}}, 5*time.Second)
	q.AddRateLimited(7)
	for range 4 {
		q.Get()
	}
	q.Forget("a")
	q.Done("a")
	if q.Len() != 42 || !q.ShuttingDown() || q.NumRequeues("a") != 7 {
		t.Error("what is not recorded is not passed on")
	}
	q.ShutDown()
	q.ShutDownWithDrain() // it is ShutDown of this queue, which can't be paused either
	q.Pause()
	q.Resume()
	if got := strings.Join(real.called, " "); got != "Add AddAfter AddRateLimited Forget Done ShutDown ShutDown" {
		t.Error(got)
	}
	compare(t, r.lines(), `
{"t":0,"work":{"queue":"web","fn":"Add","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"AddAfter","key":"shop/b","after":5000000000}}
{"t":0,"work":{"queue":"web","fn":"AddRateLimited","key":"7"}}
{"t":0,"work":{"queue":"web","fn":"Get","key":"a","took":0}}
{"t":0,"work":{"queue":"web","fn":"Get","key":"shop/b","took":0}}
{"t":0,"work":{"queue":"web","fn":"Get","key":"c","took":0}}
{"t":0,"work":{"queue":"web","fn":"Get","took":0,"empty":true}}
{"t":0,"work":{"queue":"web","fn":"Forget","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"Done","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"ShutDown"}}
{"t":0,"work":{"queue":"web","fn":"ShutDown"}}
`)
}

func TestPriorityQueue(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	real := &fakePriority[request]{fakeQueue[request]{items: []request{{namespacedName{"shop", "a"}}}}}
	q := PriorityQueue(r.rec, "web", real)
	low := -100
	q.AddWithOpts(addOpts{After: time.Second, RateLimited: true, Priority: &low}, request{namespacedName{"shop", "a"}}, request{namespacedName{"shop", "b"}})
	q.AddWithOpts(addOpts{}, request{namespacedName{"shop", "c"}})
	q.Add(request{namespacedName{"shop", "d"}})
	if _, priority, _ := q.GetWithPriority(); priority != -100 {
		t.Error(priority)
	}
	q.GetWithPriority()
	q.Pause()
	q.Resume()
	q.ShutDownWithDrain()
	if got := strings.Join(real.called, " "); got != "AddWithOpts AddWithOpts Add Pause Resume ShutDownWithDrain" {
		t.Error(got)
	}
	compare(t, r.lines(), `
{"t":0,"work":{"queue":"web","fn":"AddWithOpts","key":"shop/a","after":1000000000,"rateLimited":true,"priority":-100}}
{"t":0,"work":{"queue":"web","fn":"AddWithOpts","key":"shop/b","after":1000000000,"rateLimited":true,"priority":-100}}
{"t":0,"work":{"queue":"web","fn":"AddWithOpts","key":"shop/c"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"shop/d"}}
{"t":0,"work":{"queue":"web","fn":"Get","key":"shop/a","priority":-100,"took":0}}
{"t":0,"work":{"queue":"web","fn":"Get","priority":-100,"took":0,"empty":true}}
{"t":0,"work":{"queue":"web","fn":"ShutDown"}}
`)
}

func TestRateLimiter(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	real := &fakeQueue[string]{}
	l := RateLimiter(r.rec, "web", real)
	if l.When("a") != time.Second || l.NumRequeues("a") != 7 {
		t.Error("another answer")
	}
	l.Forget("a")
	Queue(r.rec, "web", real).Forget("a")
	l.Forget("a") // which is the queue's, from now on
	compare(t, r.lines(), `
{"t":0,"work":{"queue":"web","fn":"When","key":"a","after":1000000000,"requeues":7}}
{"t":0,"work":{"queue":"web","fn":"Forget","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"Forget","key":"a"}}
`)
}

// A key is short whatever an item's text is, and an item whose text panics is recorded, too.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		item any
		want string
	}{
		{"shop/web", "shop/web"},
		{strings.Repeat("x", maxKey), strings.Repeat("x", maxKey)},
		{strings.Repeat("x", 10000), strings.Repeat("x", maxKey-17) + "~4118176bad223b65"},
		{namespacedName{"shop", "web"}, "shop/web"},
		{request{namespacedName{"", "node"}}, "node"},
		{&meta{"shop", "web", "1"}, "shop/web"},
		{panicking{}, "?"},
		{nil, "<nil>"},
		{struct{ A, B int }{1, 2}, "{1 2}"},
	} {
		if got := keyOf(c.item); got != c.want {
			t.Errorf("%v has the key %q", c.want, got)
		}
	}
}

type panicking struct{}

func (panicking) String() string { panic("no") }
