// Package managed measures the gates of a version of controller-runtime: what a controller does that the builder
// has made for a manager, as programs have it. All of it compiles with every version from v0.15 on. Options that a version
// hasn't are left out.
package managed

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

func init() { log.SetLogger(funcr.New(func(string, string) {}, funcr.Options{})) }

// panics is set in the environment of a process whose reconciler panics.
const panics = "INFORMERSCOPE_PANICS"

// Gates measures the gates of a version and compares them with the engine's.
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

// old returns the objects of a server.
func old(names ...string) func(r *run) {
	return func(r *run) {
		for _, name := range names {
			r.server.create(name, time.Now().Add(-time.Hour))
		}
	}
}

// busy makes the first reconcile go on until the manager ends.
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

// prioritised makes a controller use the priority queue. It reports whether there is one.
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

// listed measures the priorities of objects: two of the initial list that are an hour old, two of it that are new, and one
// that comes later and is an hour old. The worker has one of them for all the time, whichever it is.
func listed(t *testing.T) (low, byAge bool) {
	var ready []string
	play(t, func(r *run) {
		if !prioritised(r) {
			return
		}
		busy(r)
		old("a", "b")(r)
		r.server.create("new", time.Now())
		r.server.create("newer", time.Now())
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
	t.Log("priorities:", priorities)
	either := func(a, b, is string) bool { return priorities[a] == is || priorities[b] == is }
	return either("a", "b", "p-100"), priorities["later"] == "p-100" && either("new", "newer", "p0")
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

// lease is the lock of a leader election. Somebody else holds it until it is free.
type lease struct {
	since   time.Time
	free    bool
	written func() // called for each write; nil for nobody
}

func (l *lease) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	var rec resourcelock.LeaderElectionRecord
	if rec.LeaseDurationSeconds = 3600; !l.free {
		rec.HolderIdentity = "another"
	}
	rec.AcquireTime.Time, rec.RenewTime.Time = l.since, l.since
	text, err := json.Marshal(rec)
	return &rec, text, err
}
func (*lease) Create(context.Context, resourcelock.LeaderElectionRecord) error { return nil }
func (l *lease) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	if l.written != nil {
		l.written()
	}
	return nil
}
func (*lease) RecordEvent(string) {}
func (*lease) Identity() string   { return "this" }
func (*lease) Describe() string   { return "lease" }

// warmsUp measures whether a handler is called before the election, if the controller is asked to warm up. Reconciles
// begin after it.
func warmsUp(t *testing.T) (warm bool) {
	lock := &lease{since: time.Now()}
	play(t, func(r *run) {
		old("a")(r)
		r.manager.LeaderElection, r.manager.LeaderElectionResourceLockInterface = true, lock
		set(&r.options, "EnableWarmup", yes())
	}, func(r *run) {
		proof.Pass(time.Minute)
		warm = len(r.heard) > 0
		early := len(r.runs)
		lock.free = true
		if proof.Pass(time.Minute); early > 0 || len(r.runs) == 0 {
			t.Errorf("%d reconciles began before the election, and %d until a minute after it", early, len(r.runs))
		}
	})
	return warm
}

// readsItsWrites measures whether a read of the manager's client waits for its write, which the cache gets a minute later.
func readsItsWrites(t *testing.T) (waits bool) {
	play(t, func(r *run) {
		old("a")(r)
		r.server.Tamper(r.server.configMaps, "watch", "lag", time.Minute, 0)
		r.manager.Client.Cache = &client.CacheOptions{}
		set(r.manager.Client.Cache, "EnableReadYourWritesConsistency", yes())
	}, func(r *run) {
		proof.Pass(time.Second)
		o, key := &corev1.ConfigMap{}, client.ObjectKey{Namespace: "shop", Name: "a"}
		c, ctx := r.mgr.GetClient(), context.Background()
		err := c.Get(ctx, key, o)
		if err == nil {
			o.Data = map[string]string{"by": "this"}
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
