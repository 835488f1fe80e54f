// Package mend runs on the real client-go what readers of the lessons choose. Each scene does what the script of its lesson
// does, and prints what came of it as lines of script. The engine must agree with them. What a reader has chosen is a package of
// its own, whose function Hook is the argument of the scene.
package mend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/corev1"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type queue = workqueue.TypedRateLimitingInterface[string]

// Run plays a lesson's scene with the Hook of a choice in a bubble, where no time passes while it sleeps. It ends the
// process, since what was chosen need not end its goroutines.
func Run(t *testing.T, lesson string, hook any) {
	utilruntime.ErrorHandlers = nil // one of them sleeps by the time at which the process was started, which is no time of the bubble
	synctest.Test(t, func(t *testing.T) {
		play(t.Context(), lesson, hook)
		os.Exit(0)
	})
}

func play(ctx context.Context, lesson string, hook any) {
	switch hook := hook.(type) {
	case func(queue) cache.ResourceEventHandlerFuncs:
		tombstone(ctx, hook)
	case func() cache.KeyFunc:
		keys(hook())
	case func(queue, func(context.Context, *corev1.Pod) error) cache.ResourceEventHandlerFuncs:
		slowHandler(ctx, hook)
	case func(func(context.Context, string) error) func(context.Context, queue) bool:
		hotLoop(ctx, hook)
	case func(func(namespace, name string) (*corev1.Pod, error)) func() error:
		mutationDetector(ctx, hook)
	case func() func(context.Context, cache.SharedIndexInformer, cache.ResourceEventHandlerRegistration) bool:
		handlersNotSynced(ctx, hook())
	default:
		panic(fmt.Sprintf("%s has no scene for a %T", lesson, hook))
	}
}

func pod(namespace, name string) corev1.Pod {
	return corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, ResourceVersion: "1", Labels: map[string]string{"app": "web"}}}
}

// server lists what there is, and watches until it is restarted.
type server struct {
	sync.Mutex
	pods  []corev1.Pod
	watch *watch.FakeWatcher
}

// informer returns an informer of a server with pods of namespace default.
func informer(names ...string) (*server, cache.SharedIndexInformer) {
	s := &server{}
	for _, name := range names {
		s.pods = append(s.pods, pod("default", name))
	}
	return s, cache.NewSharedIndexInformer(&cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			s.Lock()
			defer s.Unlock()
			return &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "9"}, Items: append([]corev1.Pod{}, s.pods...)}, nil
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
			s.Lock()
			defer s.Unlock()
			s.watch = watch.NewFakeWithChanSize(1, false)
			return s.watch, nil
		},
	}, &corev1.Pod{}, 0, cache.Indexers{})
}

// restart ends the watch with a 410. Until then the pods have been deleted.
func (s *server) restart() {
	s.Lock()
	defer s.Unlock()
	s.pods = nil
	s.watch.Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
}

// worker counts how often it gets each key.
type worker struct {
	sync.Mutex
	reconciles map[string]int
}

func work(q queue) *worker {
	w := &worker{reconciles: map[string]int{}}
	go func() {
		for {
			key, shutdown := q.Get()
			if shutdown {
				return
			}
			w.Lock()
			w.reconciles[key]++
			w.Unlock()
			q.Done(key)
		}
	}()
	return w
}

// printCount prints how often a key was reconciled.
func (w *worker) printCount(key string) {
	w.Lock()
	defer w.Unlock()
	fmt.Printf("expect count(reconcile(%q)) == %d\n", key, w.reconciles[key])
}

func newQueue() queue {
	return workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
}

// add registers a handler, and ends the program where that fails.
func add(x cache.SharedIndexInformer, h cache.ResourceEventHandler) cache.ResourceEventHandlerRegistration {
	r, err := x.AddEventHandler(h)
	if err != nil {
		panic(err)
	}
	return r
}

// waitFor waits until something holds, ten seconds at most.
func waitFor(holds func() bool) {
	for range 1000 {
		if holds() {
			return
		}
		proof.Pass(10 * time.Millisecond)
	}
	panic("it doesn't come to what the scene needs")
}

func tombstone(ctx context.Context, hook func(queue) cache.ResourceEventHandlerFuncs) {
	s, x := informer("web")
	q := newQueue()
	h := hook(q)
	h.AddFunc = func(o any) { q.Add("default/" + o.(*corev1.Pod).Name) }
	add(x, h)
	w := work(q)
	go x.RunWithContext(ctx)
	waitFor(func() bool { return x.HasSynced() && s.watching() })
	proof.Pass(100 * time.Millisecond)
	s.restart()
	waitFor(func() bool { return len(x.GetStore().ListKeys()) == 0 })
	proof.Pass(200 * time.Millisecond)
	fmt.Println("expect crash none")
	w.printCount("default/web")
}

func (s *server) watching() bool {
	s.Lock()
	defer s.Unlock()
	return s.watch != nil
}

func keys(key cache.KeyFunc) {
	store := cache.NewStore(key)
	for _, p := range []corev1.Pod{pod("shop", "eu-web"), pod("shop-eu", "web"), pod("shop", "eu--db"), pod("shop--eu", "db")} {
		if err := store.Add(&p); err != nil {
			panic(err)
		}
	}
	fmt.Println("expect objects() ==", len(store.ListKeys()))
}

func slowHandler(ctx context.Context, hook func(queue, func(context.Context, *corev1.Pod) error) cache.ResourceEventHandlerFuncs) {
	_, x := informer("a", "b", "c")
	q := newQueue()
	h := hook(q, func(context.Context, *corev1.Pod) error { proof.Pass(time.Second); return nil })
	var calls atomic.Int64
	chosen := h.AddFunc
	h.AddFunc = func(o any) { calls.Add(1); chosen(o) }
	add(x, h)
	w := work(q)
	go x.RunWithContext(ctx)
	waitFor(x.HasSynced)
	proof.Pass(500 * time.Millisecond)
	fmt.Println("expect calls c", calls.Load())
	proof.Pass(5 * time.Second)
	fmt.Println("advance 5s")
	w.printCount("default/c")
}

func hotLoop(ctx context.Context, hook func(func(context.Context, string) error) func(context.Context, queue) bool) {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](50*time.Millisecond, 1000*time.Second)
	for range 4 {
		limiter.When("web")
	}
	q := workqueue.NewTypedRateLimitingQueue(limiter)
	q.Add("web")
	hook(func(context.Context, string) error { return errors.New("fails") })(ctx, q)
	tell := func() {
		fmt.Println(map[int]string{0: "expect workqueue []", 1: "expect workqueue [web]"}[q.Len()])
	}
	tell()
	proof.Pass(time.Second)
	fmt.Println("work wait 1s")
	tell()
}

func mutationDetector(ctx context.Context, hook func(func(namespace, name string) (*corev1.Pod, error)) func() error) {
	_, x := informer("web")
	add(x, cache.ResourceEventHandlerFuncs{})
	go x.RunWithContext(ctx)
	waitFor(x.HasSynced)
	if err := hook(func(namespace, name string) (*corev1.Pod, error) {
		o, _, err := x.GetStore().GetByKey(namespace + "/" + name)
		return o.(*corev1.Pod), err
	})(); err != nil {
		panic(err)
	}
	proof.Pass(3 * time.Second)
	fmt.Println("expect crash none")
}

func handlersNotSynced(ctx context.Context, ready func(context.Context, cache.SharedIndexInformer, cache.ResourceEventHandlerRegistration) bool) {
	_, x := informer("a", "b")
	var returned atomic.Int64
	registration := add(x, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { proof.Pass(time.Second); returned.Add(1) }})
	go x.RunWithContext(ctx)
	if !ready(ctx, x, registration) {
		panic("it isn't ready")
	}
	fmt.Printf("expect count(fact(\"HandlerReturned\")) == %d\n", returned.Load())
}
