// Command clientgo measures the engine against the real client-go's shared
// informer: the same watch events, two handlers that only count, two indices,
// in one run on one machine. It is a module of its own, so that the product
// does not depend on client-go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/engine/conformance/bench"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

func main() {
	events := flag.Int("events", 200_000, "watch events")
	keys := flag.Int("keys", 5_000, "distinct objects")
	rounds := flag.Int("rounds", 5, "rounds: the two take turns, and the medians count")
	flag.Parse()

	w := bench.NewWorkload(*events, *keys)
	profiles := world.Profiles()
	var real []float64
	ours := make([][]float64, len(profiles))
	var steady float64
	for range *rounds {
		real = append(real, float64(*events)/measure(w).Seconds())
		for i, p := range profiles {
			r, err := bench.Engine(w, p)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			ours[i] = append(ours[i], r.EventsPerSecond())
			steady = max(steady, r.AllocsPerEvent())
		}
	}
	fmt.Printf("client-go %s, shared informer, 2 handlers: %9.0f watch events/s\n", version(), median(real))
	for i, p := range profiles {
		fmt.Printf("engine, all step events on, %-13s %9.0f watch events/s = %.1f times as many (wanted: 4)\n", p.Versions+":", median(ours[i]), median(ours[i])/median(real))
	}
	fmt.Printf("engine, steady state:                     %9.3f allocations an event (wanted: at most 0.1)\n", steady)
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// version returns the version of the client-go that this was built with.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "k8s.io/client-go" {
				return d.Version
			}
		}
	}
	return "(unknown version)"
}

// server answers one list and one watch with a workload whose objects are
// decoded already: only the informer is measured.
type server struct {
	*cache.ListWatch
	events chan watch.Event
}

// IsWatchListSemanticsUnSupported makes the reflector list and then watch, as
// the engine's profile does.
func (server) IsWatchListSemanticsUnSupported() bool { return true }

// stream is a watch that ends with the program.
type stream struct{ events chan watch.Event }

func (s stream) Stop()                          {}
func (s stream) ResultChan() <-chan watch.Event { return s.events }

func pod(o bench.Object) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: o.Namespace, Name: o.Name, UID: types.UID(o.UID), ResourceVersion: strconv.FormatUint(o.RV, 10),
		Labels: map[string]string{"app": o.App},
	}}
}

func newServer(w bench.Workload) server {
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.FormatUint(w.ListRV, 10)}}
	for _, o := range w.List {
		list.Items = append(list.Items, *pod(o))
	}
	// As a StreamWatcher's: it hands over one event at a time.
	s := server{events: make(chan watch.Event)}
	s.ListWatch = &cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) { return list, nil },
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			return stream{s.events}, nil
		},
	}
	return s
}

// measure plays the events to a shared informer with two handlers and two
// indices, and returns how long it took until each handler was called for each.
func measure(w bench.Workload) time.Duration {
	s := newServer(w)
	events := make([]watch.Event, len(w.Events))
	for i, c := range w.Events {
		kind := watch.Modified
		switch c.Delta {
		case event.Added:
			kind = watch.Added
		case event.Deleted:
			kind = watch.Deleted
		}
		events[i] = watch.Event{Type: kind, Object: pod(c.Object)}
	}

	informer := cache.NewSharedIndexInformer(s, &corev1.Pod{}, 0, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"app": func(obj any) ([]string, error) {
			return []string{obj.(*corev1.Pod).Labels["app"]}, nil
		},
	})
	want := int64(len(w.List) + len(w.Events))
	const handlers = 2
	done := make(chan struct{}, handlers)
	ready := make(chan struct{}, handlers)
	for range handlers {
		var calls atomic.Int64
		called := func() {
			switch calls.Add(1) {
			case int64(len(w.List)):
				ready <- struct{}{}
			case want:
				done <- struct{}{}
			}
		}
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { called() },
			UpdateFunc: func(any, any) { called() },
			DeleteFunc: func(any) { called() },
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go informer.RunWithContext(ctx)
	for range handlers {
		<-ready
	}
	goruntime.GC() // what preparing has left behind is not the informer's
	start := time.Now()
	for _, e := range events {
		s.events <- e
	}
	for range handlers {
		<-done
	}
	return time.Since(start)
}
