package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// adder is a handler that calls f.
type adder struct{ f func(key string) }

func (a adder) OnAdd(obj any, _ bool) { a.call(obj) }
func (a adder) OnUpdate(_, obj any)   { a.call(obj) }
func (a adder) OnDelete(obj any)      { a.call(obj) }
func (a adder) call(obj any)          { key, _ := identify(obj); a.f(key) }
func (a adder) deep(n int, f func(), x ...byte) {
	if n > 0 {
		a.deep(n-1, f, x...)
		return
	}
	f()
}

// What an item is added by is what goes on around the Add on its own goroutine.
func TestCauses(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	q := Queue(r.rec, "web", &fakeQueue[string]{items: []string{"a", "b", "c"}})
	h := r.rec.Handler("pods", adder{func(key string) {
		q.Add(key)
		Because(r.rec, "channel", func() { q.Add(key + " of a channel") })
		adder{}.deep(30, func() { q.AddAfter(key+" far below", 1) })
		adder{}.deep(mostCallers+30, func() { q.Add(key + " too far below") })
		q.AddRateLimited(key)
	}})
	h.OnAdd(&meta{"shop", "x", "1"}, false)
	q.Add("nobody")
	var done sync.WaitGroup
	spawn := r.rec.Handler("spawns", adder{func(key string) {
		done.Go(func() { q.Add("another goroutine") })
		done.Wait()
	}})
	spawn.OnUpdate(nil, &meta{"shop", "y", "2"})
	Because(r.rec, "source", func() {
		h := r.rec.Handler("inner", adder{func(key string) { q.Add("inner") }})
		h.OnDelete(&meta{"shop", "z", "3"})
		q.Add("outer")
	})
	func() {
		defer func() { recover() }()
		r.rec.Handler("panics", adder{func(string) { panic("no") }}).OnDelete(nil)
	}()
	q.Add("after a panic")
	compare(t, r.lines(), `
{"t":0,"registered":{"handler":"pods","form":"typed"}}
{"t":0,"in":1,"work":{"queue":"web","fn":"Add","key":"shop/x"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"shop/x of a channel","from":"channel"}}
{"t":0,"in":1,"work":{"queue":"web","fn":"AddAfter","key":"shop/x far below","after":1}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"shop/x too far below"}}
{"t":0,"in":1,"work":{"queue":"web","fn":"AddRateLimited","key":"shop/x"}}
{"t":0,"id":1,"call":{"handler":"pods","fn":"OnAdd","kind":"meta","key":"shop/x","rv":"1","took":0}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"nobody"}}
{"t":0,"registered":{"handler":"spawns","form":"typed"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"another goroutine"}}
{"t":0,"id":2,"call":{"handler":"spawns","fn":"OnUpdate","kind":"meta","key":"shop/y","rv":"2","took":0}}
{"t":0,"registered":{"handler":"inner","form":"typed"}}
{"t":0,"in":3,"work":{"queue":"web","fn":"Add","key":"inner"}}
{"t":0,"id":3,"call":{"handler":"inner","fn":"OnDelete","kind":"meta","key":"shop/z","rv":"3","took":0}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"outer","from":"source"}}
{"t":0,"id":4,"call":{"handler":"panics","fn":"OnDelete","took":0,"panicked":true}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"after a panic"}}
`)
}

// A reconcile adds what is added within it, and its worker adds its item again, until Done.
func TestCauseReconcile(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	q := Queue(r.rec, "web", &fakeQueue[string]{items: []string{"a", "b"}})
	sync := Sync(r.rec, "web", func(_ context.Context, key string) error {
		q.Add("child of " + key)
		if key == "a" {
			return errors.New("no")
		}
		return nil
	})
	key, _ := q.Get()
	sync(t.Context(), key)
	q.AddRateLimited(key)
	q.AddRateLimited("b")
	other := make(chan struct{})
	go func() {
		defer close(other)
		q.Add(key)
	}()
	<-other
	q.Done(key)
	q.Add(key)
	key, _ = q.Get()
	sync(t.Context(), key)
	q.AddAfter(key, 1)
	q.Done(key)
	sync(t.Context(), "a") // which nobody has got from the workqueue
	q.Add("a")
	compare(t, r.lines(), `
{"t":0,"work":{"queue":"web","fn":"Get","key":"a","took":0}}
{"t":0,"id":1,"reconcile":{"controller":"web","key":"a","worker":1}}
{"t":0,"in":1,"work":{"queue":"web","fn":"Add","key":"child of a"}}
{"t":0,"id":1,"reconciled":{"result":"error","took":0,"error":"error","message":"no"}}
{"t":0,"in":1,"work":{"queue":"web","fn":"AddRateLimited","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"AddRateLimited","key":"b"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"Done","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"a"}}
{"t":0,"work":{"queue":"web","fn":"Get","key":"b","took":0}}
{"t":0,"id":2,"reconcile":{"controller":"web","key":"b","worker":1}}
{"t":0,"in":2,"work":{"queue":"web","fn":"Add","key":"child of b"}}
{"t":0,"id":2,"reconciled":{"result":"done","took":0}}
{"t":0,"work":{"queue":"web","fn":"AddAfter","key":"b","after":1}}
{"t":0,"work":{"queue":"web","fn":"Done","key":"b"}}
{"t":0,"id":3,"reconcile":{"controller":"web","key":"a","worker":1}}
{"t":0,"in":3,"work":{"queue":"web","fn":"Add","key":"child of a"}}
{"t":0,"id":3,"reconciled":{"result":"error","took":0,"error":"error","message":"no"}}
{"t":0,"work":{"queue":"web","fn":"Add","key":"a"}}
`)
}

// Each of two recorders in a process has its own causes, and those that find no place are unknown.
func TestCausesOfTwo(t *testing.T) {
	a, b := newRecorded(t, Options{}, ignore), newRecorded(t, Options{}, ignore)
	qa, qb := Queue(a.rec, "a", &fakeQueue[string]{}), Queue(b.rec, "b", &fakeQueue[string]{})
	var nest func(n int)
	nest = func(n int) {
		if n == 0 {
			Because(b.rec, "b", func() { qa.Add("x"); qb.Add("x") })
			return
		}
		Because(a.rec, "a", func() { nest(n - 1) })
	}
	nest(1)
	hold, ready, done := make(chan struct{}), sync.WaitGroup{}, sync.WaitGroup{}
	for range digits * digits {
		ready.Add(1)
		done.Go(func() { Because(a.rec, "many", func() { ready.Done(); <-hold }) })
	}
	ready.Wait()
	nest(1)
	close(hold)
	done.Wait()
	nest(1)
	compare(t, a.lines(), strings.Repeat(`{"t":0,"work":{"queue":"a","fn":"Add","key":"x","from":"a"}}`+"\n", 1)+
		`{"t":0,"work":{"queue":"a","fn":"Add","key":"x"}}`+"\n"+`{"t":0,"work":{"queue":"a","fn":"Add","key":"x","from":"a"}}`+"\n")
	compare(t, b.lines(), `
{"t":0,"work":{"queue":"b","fn":"Add","key":"x","from":"b"}}
{"t":0,"work":{"queue":"b","fn":"Add","key":"x"}}
{"t":0,"work":{"queue":"b","fn":"Add","key":"x","from":"b"}}
`)
}

// Many goroutines add at once, and each Add has its own cause.
func TestCausesAtOnce(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	q := Queue(r.rec, "web", &syncedQueue{})
	var all sync.WaitGroup
	for g := range 20 {
		all.Go(func() {
			name := fmt.Sprint("source", g)
			for range 50 {
				Because(r.rec, name, func() { q.Add(name) })
			}
		})
	}
	all.Wait()
	lines := strings.Split(strings.TrimSpace(r.lines()), "\n")
	for _, line := range lines {
		var n int
		if i := strings.Index(line, `"key":"source`); i < 0 {
			t.Fatal(line)
		} else if fmt.Sscanf(line[i:], `"key":"source%d"`, &n); !strings.Contains(line, fmt.Sprintf(`"from":"source%d"`, n)) {
			t.Fatal(line)
		}
	}
	if len(lines) != 1000 {
		t.Errorf("%d lines", len(lines))
	}
}

type syncedQueue struct{ fakeQueue[string] }

func (q *syncedQueue) Add(string) {}

// uncaused is a handler and a workqueue that are recorded without causes.
type uncaused struct {
	handler
	q *workqueue
}

func (u uncaused) OnAdd(obj any, initial bool) {
	x := u.c.begin(trace.OnAdd, nil, obj, initial)
	u.h.OnAdd(obj, initial)
	x.returned = true
	x.end()
}

func (u uncaused) Add(key string) { u.q.put(&work{Queued: trace.Queued{Fn: "Add", Key: key}}, nil) }

// caused returns a handler that adds to a workqueue, with causes or without.
func caused(rec *Recorder, with bool) EventHandler {
	if with {
		q := Queue(rec, "web", &syncedQueue{})
		return rec.Handler("pods", adder{func(key string) { q.Add(key) }})
	}
	u := uncaused{q: rec.workqueue("web")}
	u.handler = rec.handler("pods", adder{func(key string) { u.Add(key) }})
	return u
}

// A cause has few allocations, of the goroutine that writes, too.
func TestCauseAllocates(t *testing.T) {
	const most = 10
	var allocations [2]float64
	for i, with := range []bool{false, true} {
		rec, err := New(io.Discard, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, obj := caused(rec, with), &meta{"shop", "x", "1"}
		allocations[i] = testing.AllocsPerRun(10, func() {
			for range 1000 {
				h.OnAdd(obj, false)
			}
			rec.flush()
		}) / 1000
		if err := rec.Close(); err != nil || rec.Lost() > 0 {
			t.Fatal(err, rec.Lost())
		}
	}
	t.Logf("a call with one Add has %.1f allocations, and %.1f with its cause", allocations[0], allocations[1])
	if more := allocations[1] - allocations[0]; more > most {
		t.Errorf("a cause has %.1f allocations, of %d", more, most)
	}
}

// BenchmarkCause measures a handler's call, and with it the search for the cause of one Add.
func BenchmarkCause(b *testing.B) {
	rec, err := New(io.Discard, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for name, f := range map[string]func(string){"none": func(string) {}, "one": func(string) { rec.cause() }} {
		b.Run(name, func(b *testing.B) {
			adder{}.deep(10, func() {
				h, obj := rec.Handler("x", adder{f}), &meta{"shop", "x", "1"}
				for b.Loop() {
					h.OnAdd(obj, false)
				}
			})
		})
	}
}
