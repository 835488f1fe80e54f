package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// worked reads what a recording says of a controller's own work.
func worked(recording *bytes.Buffer) *worker.Log {
	var log worker.Log
	if _, err := file.Read(recording, format.Options{OtherLine: log.Line}); err != nil {
		panic(err)
	}
	return &log
}

// Request and Result stand for controller-runtime's reconcile.Request and reconcile.Result.
type (
	Request struct{ Namespace, Name string }
	Result  struct{ RequeueAfter time.Duration }
)

func (r Request) String() string { return r.Namespace + "/" + r.Name }

// With controller-runtime, the reconciler is wrapped where the controller is built:
//
//	builder.ControllerManagedBy(mgr).For(&appsv1.ReplicaSet{}).
//		Complete(reconcile.Func(record.Reconcile(rec, "replicaset", r.Reconcile)))
//
// What the reconciler writes with the context that it gets belongs to the reconcile.
func ExampleReconcile() {
	api := httptest.NewServer(http.NotFoundHandler())
	defer api.Close()
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: rec.Wrap(nil)} // client-go's, which has the transport of its rest.Config

	reconcile := record.Reconcile(rec, "replicaset", func(ctx context.Context, req Request) (Result, error) {
		del, err := http.NewRequestWithContext(ctx, http.MethodDelete, api.URL+"/api/v1/namespaces/shop/pods/web-1", nil)
		if err != nil {
			return Result{}, err
		}
		answer, err := client.Do(del)
		if err != nil {
			return Result{}, err
		}
		defer answer.Body.Close()
		return Result{RequeueAfter: time.Minute}, nil
	})
	if _, err := reconcile(context.Background(), Request{"shop", "web"}); err != nil {
		panic(err)
	}

	if err := rec.Close(); err != nil {
		panic(err)
	}
	log := worked(&out)
	done, write := log.Reconciles[0], log.Writes[0]
	fmt.Println(done.Controller, done.Key, done.Result, time.Duration(done.After))
	fmt.Println(write.Verb, write.Resource, write.Key(), write.Answer.Status, "in the same reconcile:", write.In == done.ID)
	// Output:
	// replicaset shop/web requeueAfter 1m0s
	// delete pods shop/web-1 404 in the same reconcile: true
}

// A worker of client-go is a function of a key.
func ExampleSync() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	sync := record.Sync(rec, "web", func(ctx context.Context, key string) error {
		return fmt.Errorf("syncing %s: %w", key, context.DeadlineExceeded)
	})
	fmt.Println(errors.Is(sync(context.Background(), "shop/web"), context.DeadlineExceeded))
	if err := rec.Close(); err != nil {
		panic(err)
	}
	done := worked(&out).Reconciles[0]
	fmt.Println(done.Key, done.Result, done.Error, "by worker", done.Worker)
	// Output:
	// true
	// shop/web error DeadlineExceeded by worker 1
}

// workqueue stands for a workqueue of client-go.
type workqueue struct{ keys []string }

func (w *workqueue) Add(key string)                 { w.keys = append(w.keys, key) }
func (w *workqueue) Len() int                       { return len(w.keys) }
func (w *workqueue) Done(string)                    {}
func (w *workqueue) ShutDown()                      {}
func (w *workqueue) ShuttingDown() bool             { return false }
func (w *workqueue) AddAfter(string, time.Duration) {}
func (w *workqueue) AddRateLimited(string)          {}
func (w *workqueue) Forget(string)                  {}
func (w *workqueue) NumRequeues(string) int         { return 1 }
func (w *workqueue) When(string) time.Duration      { return 5 * time.Millisecond }
func (w *workqueue) Get() (key string, shutdown bool) {
	key, w.keys = w.keys[0], w.keys[1:]
	return key, false
}

// The workqueue that Queue returns takes the place of the one that it was given, and so does the
// rate limiter:
//
//	limiter := record.RateLimiter(rec, "web", workqueue.DefaultTypedControllerRateLimiter[string]())
//	queue := record.Queue(rec, "web", workqueue.NewTypedRateLimitingQueue(limiter))
//
// controller-runtime takes both as options of a controller, NewQueue and RateLimiter.
func ExampleQueue() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	var queue record.TypedRateLimitingInterface[string] = record.Queue(rec, "web", &workqueue{})
	queue.Add("shop/web")
	key, _ := queue.Get()
	queue.AddAfter(key, 5*time.Second)
	queue.Done(key)
	if err := rec.Close(); err != nil {
		panic(err)
	}
	for _, call := range worked(&out).Queued {
		fmt.Println(call.Queue, call.Fn, call.Key, time.Duration(call.After))
	}
	// Output:
	// web Add shop/web 0s
	// web Get shop/web 0s
	// web AddAfter shop/web 5s
	// web Done shop/web 0s
}

// A handler adds the keys of what it is told of, and a channel of events adds others: each Add says
// by what it was made. It takes a line for the handler and a line for the queue, and one for each
// source of another kind.
func ExampleBecause() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	queue := record.Queue(rec, "web", &workqueue{})
	handler := rec.Handler("pods", pods{queue.Add}) // for informer.AddEventHandler

	handler.OnAdd("shop/web-1", true)
	record.Because(rec, "webhooks", func() { queue.Add("shop/db") })
	if err := rec.Close(); err != nil {
		panic(err)
	}

	for _, added := range worked(&out).Queued {
		fmt.Printf("%s in the call %d from %q\n", added.Key, added.In, added.From)
	}
	// Output:
	// shop/web-1 in the call 1 from ""
	// shop/db in the call 0 from "webhooks"
}

// pods is a handler that adds what it is told of.
type pods struct{ add func(key string) }

func (h pods) OnAdd(obj any, _ bool) { h.add(obj.(string)) }
func (h pods) OnUpdate(_, obj any)   { h.add(obj.(string)) }
func (h pods) OnDelete(obj any)      { h.add(obj.(string)) }

// A rate limiter says for how long a key is put off, and after how many failures.
func ExampleRateLimiter() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	limiter := record.RateLimiter(rec, "web", &workqueue{})
	limiter.When("shop/web")
	if err := rec.Close(); err != nil {
		panic(err)
	}
	call := worked(&out).Queued[0]
	fmt.Println(call.Key, "is put off for", time.Duration(call.After), "after", call.Requeues, "failure")
	// Output: shop/web is put off for 5ms after 1 failure
}

// priorityQueue stands for a priorityqueue.PriorityQueue, and AddOpts for its options.
type (
	priorityQueue struct{ workqueue }
	AddOpts       struct{ Priority *int }
)

func (q *priorityQueue) AddWithOpts(o AddOpts, keys ...string) { q.keys = append(q.keys, keys...) }
func (q *priorityQueue) GetWithPriority() (string, int, bool) {
	key, shutdown := q.Get()
	return key, -100, shutdown
}

// The priority queue of controller-runtime is wrapped in the options of a controller:
//
//	controller.Options{NewQueue: func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
//		return record.PriorityQueue(rec, name, priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) {
//			o.RateLimiter = record.RateLimiter(rec, name, limiter)
//		}))
//	}}
func ExamplePriorityQueue() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	queue := record.PriorityQueue(rec, "web", &priorityQueue{})
	low := -100
	queue.AddWithOpts(AddOpts{Priority: &low}, "shop/web")
	queue.GetWithPriority()
	if err := rec.Close(); err != nil {
		panic(err)
	}
	for _, call := range worked(&out).Queued {
		fmt.Println(call.Fn, call.Key, call.Priority)
	}
	// Output:
	// AddWithOpts shop/web -100
	// Get shop/web -100
}
