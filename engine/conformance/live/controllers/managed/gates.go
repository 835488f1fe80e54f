// Package managed measures the gates of a version of controller-runtime: what a controller does that the builder
// has made for a manager, as programs have it. All of it compiles with every version from v0.15 on. Options that a version
// hasn't are left out.
package managed

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

func init() { log.SetLogger(logr.Discard()) }

// panics is set in the environment of a process whose reconciler panics.
const panics = "INFORMERSCOPE_PANICS"

// Gates measures the gates of a version and compares them with those of the engine.
func Gates(t *testing.T, minor int) {
	if os.Getenv(panics) != "" {
		crash(t)
		return
	}
	measured := map[string]any{
		"RecoversPanics": recovers(t), "UsesPriorities": usesPriorities(t), "ResultPriority": resultPriority(t), "Warmup": warmsUp(t),
		"AwaitsHandlers": awaitsHandlers(t), "ReadYourWrites": readsItsWrites(t), "HeedsStop": heedsStop(t),
	}
	measured["PriorityQueue"], measured["JudgesByAge"] = listed(t)
	cmd := exec.Command(proof.Build(t), "-runtime-gates", "-runtime", fmt.Sprint(minor))
	out, err := cmd.Output()
	var gates map[string]any
	if err == nil {
		err = json.Unmarshal(out, &gates)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, is := range measured {
		if gates[name] != is {
			t.Errorf("%s is %v, and the engine says %v", name, is, gates[name])
		}
		delete(gates, name)
	}
	if delete(gates, "Order"); len(gates) > 0 { // the random scripts compare it
		t.Errorf("nobody measures %v", gates)
	}
	t.Log(measured)
}

// run is a manager with one controller, in a bubble.
type run struct {
	server  *api
	mgr     manager.Manager
	c       controller.Controller
	options controller.Options
	manager manager.Options

	mu        sync.Mutex
	began     time.Time
	heard     []time.Duration // when the handlers were called
	listens   time.Duration   // how long the second call takes
	runs      []time.Duration // when reconciles began
	reconcile reconcile.Func
	ended     func(error) // the manager has ended as soon as it was stopped
}

// set sets a field of a pointer to options, if the version has it. It reports whether the version does.
func set(options any, name string, value any) bool {
	f := reflect.ValueOf(options).Elem().FieldByName(name)
	if f.IsValid() {
		f.Set(reflect.ValueOf(value))
	}
	return f.IsValid()
}

func yes() *bool {
	b := true
	return &b
}

// play makes a manager whose server has some objects that are an hour old, and then what do says, while its controller runs. Before
// says what differs from what a version does by itself.
func play(t *testing.T, before, do func(r *run)) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{server: &api{}, began: time.Now()}
		r.reconcile = func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil }
		if !set(&r.manager, "MetricsBindAddress", "0") {
			reflect.ValueOf(&r.manager).Elem().FieldByName("Metrics").FieldByName("BindAddress").SetString("0")
		}
		r.manager.Scheme = scheme.Scheme
		r.manager.MapperProvider = func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			m := meta.NewDefaultRESTMapper(nil)
			m.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
			return m, nil
		}
		set(&r.options, "SkipNameValidation", yes())
		r.ended = func(err error) {
			if err != nil && !strings.Contains(err.Error(), "leader election lost") {
				t.Error(err)
			}
		}
		before(r)
		var err error
		r.mgr, err = manager.New(&rest.Config{Host: "http://fake", QPS: -1, Transport: r.server, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, r.manager)
		if err != nil {
			t.Fatal(err)
		}
		r.c, err = builder.ControllerManagedBy(r.mgr).Named(fmt.Sprint("c", time.Now().UnixNano())).For(&corev1.ConfigMap{}).WithOptions(r.options).
			WithEventFilter(predicate.Funcs{CreateFunc: r.hears}).Build(reconcile.Func(r.reconciles))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- r.mgr.Start(ctx) }()
		synctest.Wait()
		do(r)
		cancel()
		proof.Pass(time.Second)
		select {
		case err := <-ended:
			r.ended(err)
		default: // the manager waits for those whom it has started
			proof.Pass(time.Minute)
			<-ended
		}
		r.server.close()
		controllers.Release(r.queue())
	})
}

// hears is called for each object that the controller's handler is called with.
func (r *run) hears(event.CreateEvent) bool {
	r.mu.Lock()
	r.heard = append(r.heard, time.Since(r.began))
	listens := len(r.heard) == 2
	r.mu.Unlock()
	if listens {
		proof.Pass(r.listens)
	}
	return true
}

func (r *run) reconciles(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
	r.mu.Lock()
	r.runs = append(r.runs, time.Since(r.began))
	r.mu.Unlock()
	return r.reconcile(ctx, q)
}

// queue is what controller-runtime has as the controller's queue.
func (r *run) queue() any {
	q := reflect.ValueOf(r.c).Elem().FieldByName("Queue")
	if !q.IsValid() || q.IsNil() {
		return nil
	}
	return q.Interface()
}

// old are the objects of a server.
func old(names ...string) func(r *run) {
	return func(r *run) {
		for _, name := range names {
			r.server.create(name, time.Now().Add(-time.Hour))
		}
	}
}

// busy has the first reconcile go on until the manager ends.
func busy(r *run) {
	r.reconcile = func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
		<-ctx.Done()
		return reconcile.Result{}, nil
	}
}

// usesPriorities measures which queue a controller has that was not told.
func usesPriorities(t *testing.T) (uses bool) {
	play(t, old("a"), func(r *run) {
		proof.Pass(time.Second)
		uses = controllers.IsPriorityQueue(r.queue())
	})
	return uses
}

// prioritised has a controller use the priority queue. It reports whether there is one.
func prioritised(r *run) bool {
	return set(&r.options, "UsePriorityQueue", yes()) || set(&r.manager.Controller, "UsePriorityQueue", yes())
}

// heedsStop measures whether the manager ends at once where an idle worker waits for the priority queue.
func heedsStop(t *testing.T) (heeds bool) {
	play(t, func(r *run) {
		if prioritised(r) {
			r.ended = func(err error) { heeds = err == nil }
		}
	}, func(*run) { proof.Pass(time.Second) })
	return heeds
}

// listed measures the priorities of objects. While the first reconcile goes on, there is another key of the initial list, that is an hour
// old, one of that list that is new, and one that comes later and is an hour old.
func listed(t *testing.T) (low, byAge bool) {
	var ready []string
	play(t, func(r *run) {
		if !prioritised(r) {
			return
		}
		busy(r)
		old("a", "b")(r)
		r.server.create("young", time.Now())
	}, func(r *run) {
		proof.Pass(time.Second)
		r.server.create("later", time.Now().Add(-time.Hour))
		proof.Pass(time.Second)
		if q := r.queue(); controllers.IsPriorityQueue(q) {
			ready, _ = controllers.Queued(q)
		}
	})
	priorities := map[string]string{}
	for _, text := range ready {
		words := strings.Fields(text)
		priorities[words[0]] = words[1]
	}
	t.Log("priorities:", priorities) // of a and b, a worker has one
	return priorities["a"] == "p-100" || priorities["b"] == "p-100", priorities["later"] == "p-100" && priorities["young"] == "p0"
}

// resultPriority measures whether a Result can give a key another priority.
func resultPriority(t *testing.T) bool {
	var waiting []string
	play(t, func(r *run) {
		prioritised(r)
		old("a")(r)
		r.reconcile = func(context.Context, reconcile.Request) (reconcile.Result, error) {
			result, priority := reconcile.Result{RequeueAfter: time.Hour}, 7
			set(&result, "Priority", &priority)
			return result, nil
		}
	}, func(r *run) {
		proof.Pass(time.Second)
		if q := r.queue(); controllers.IsPriorityQueue(q) {
			_, waiting = controllers.Queued(q)
		}
	})
	return len(waiting) > 0 && strings.Contains(waiting[0], "p7")
}

// awaitsHandlers measures whether a reconcile waits until the handler was called for all objects.
func awaitsHandlers(t *testing.T) (awaits bool) {
	play(t, func(r *run) {
		old("a", "b")(r)
		r.listens = time.Minute // less than CacheSyncTimeout
	}, func(r *run) {
		proof.Pass(2 * time.Minute)
		awaits = len(r.runs) > 0 && r.runs[0] >= time.Minute
	})
	return awaits
}

// held is the lock of a leader election that somebody else holds.
type held struct{ since time.Time }

func (h held) record() resourcelock.LeaderElectionRecord {
	var rec resourcelock.LeaderElectionRecord
	rec.HolderIdentity, rec.LeaseDurationSeconds = "another", 1<<20
	rec.AcquireTime.Time, rec.RenewTime.Time = h.since, h.since
	return rec
}

func (h held) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	rec := h.record()
	text, err := json.Marshal(rec)
	return &rec, text, err
}
func (held) Create(context.Context, resourcelock.LeaderElectionRecord) error { return nil }
func (held) Update(context.Context, resourcelock.LeaderElectionRecord) error { return nil }
func (held) RecordEvent(string)                                              {}
func (held) Identity() string                                                { return "this" }
func (held) Describe() string                                                { return "held" }

// warmsUp measures whether a handler is called before the election, if the controller is asked to warm up.
func warmsUp(t *testing.T) (warm bool) {
	play(t, func(r *run) {
		old("a")(r)
		r.manager.LeaderElection, r.manager.LeaderElectionResourceLockInterface = true, held{time.Now()}
		set(&r.options, "EnableWarmup", yes())
	}, func(r *run) {
		proof.Pass(time.Minute)
		if warm = len(r.heard) > 0; len(r.runs) > 0 {
			t.Error("a reconcile began before the election")
		}
	})
	return warm
}

// readsItsWrites measures whether a read of the manager's client waits for its write, which the cache gets a minute later.
func readsItsWrites(t *testing.T) (waits bool) {
	play(t, func(r *run) {
		old("a")(r)
		r.server.lag = time.Minute
		r.manager.Client.Cache = &client.CacheOptions{}
		set(r.manager.Client.Cache, "EnableReadYourWritesConsistency", yes())
	}, func(r *run) {
		proof.Pass(time.Second)
		o, key := &corev1.ConfigMap{}, client.ObjectKey{Namespace: "shop", Name: "a"}
		c, ctx := r.mgr.GetClient(), context.Background()
		err := c.Get(ctx, key, o)
		if err == nil {
			err = c.Update(ctx, o)
		}
		wrote := o.ResourceVersion
		if err == nil {
			err = c.Get(ctx, key, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		waits = o.ResourceVersion == wrote
	})
	return waits
}

// recovers measures, in a process of its own, whether that goes on if a reconcile panics.
func recovers(t *testing.T) bool {
	cmd := exec.Command(os.Args[0], "-test.run=^TestGates$", "-test.v")
	cmd.Env = append(os.Environ(), panics+"=yes")
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case err == nil && strings.Contains(text, "reconciled again"):
		return true
	case err != nil && strings.Contains(text, "panic: as the test says"):
		return false
	}
	t.Fatalf("%v\n%s", err, out)
	return false
}

func crash(t *testing.T) {
	play(t, func(r *run) {
		old("a")(r)
		r.reconcile = func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("as the test says") }
	}, func(r *run) {
		proof.Pass(time.Second)
		if len(r.runs) > 1 {
			t.Log("reconciled again")
		}
	})
}
