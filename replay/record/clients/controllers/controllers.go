// Package controllers records controllers of several versions of controller-runtime, each built by
// a module of its own. It is of the oldest version.
package controllers

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Reconciler is a reconciler whose reconciles are recorded.
type Reconciler func(context.Context, reconcile.Request) (reconcile.Result, error)

// cached reads the manager's cache.
type cached struct{ client.Client }

func (c cached) GetByKey(key string) (any, bool, error) {
	o := &corev1.ConfigMap{}
	name := clients.NameOf(key)
	err := c.Get(context.Background(), client.ObjectKey{Namespace: "shop", Name: name}, o)
	return o, err == nil, client.IgnoreNotFound(err)
}

func (c cached) List() (all []any) {
	var l corev1.ConfigMapList
	if c.Client.List(context.Background(), &l) != nil {
		return nil
	}
	for i := range l.Items {
		all = append(all, &l.Items[i])
	}
	return all
}

// names are different, because controller-runtime wants it so within a process.
var names atomic.Int64

// Run runs a controller that build completes, with the options of its version, until all is done,
// and holds the recording against what the server has seen. Queued says that the workqueue is
// recorded, too.
func Run(t *testing.T, queued bool, options manager.Options, build func(r *clients.Recording, name string, b *builder.Builder, reconcile Reconciler) error) {
	for _, contentType := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		for _, lag := range []time.Duration{0, 20 * time.Millisecond} {
			t.Run(fmt.Sprint(contentType, " ", lag), func(t *testing.T) {
				log := run(t, contentType, lag, queued, options, build)
				for _, x := range log.Reconciles {
					if x.Worker < 1 || x.Worker > 2 || x.Ended == 0 {
						t.Errorf("%+v", x)
					}
				}
			})
		}
	}
}

func run(t *testing.T, contentType string, lag time.Duration, queued bool, o manager.Options, build func(r *clients.Recording, name string, b *builder.Builder, reconcile Reconciler) error) *worker.Log {
	r := clients.Start(t, contentType, lag)
	store, stop := start(t, r, o, build)
	// Whoever reads a store that has caught up writes nothing more. What is under way would be cancelled.
	r.Wait(func() bool { return r.Done() && r.Caught(store) && r.Idle() })
	stop()
	return r.Check(queued)
}

// Faults records a controller once with each of clients.Faults.
func Faults(t *testing.T, kind string, o manager.Options, build func(r *clients.Recording, name string, b *builder.Builder, reconcile Reconciler) error) {
	clients.EachFault(t, kind, func(t *testing.T, r *clients.Recording) (clients.Store, func()) { return start(t, r, o, build) })
}

func start(t *testing.T, r *clients.Recording, o manager.Options, build func(r *clients.Recording, name string, b *builder.Builder, reconcile Reconciler) error) (store clients.Store, stopped func()) {
	o.Scheme = scheme.Scheme
	o.MapperProvider = func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
		m := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}})
		m.Add(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, meta.RESTScopeNamespace)
		return m, nil
	}
	mgr, err := manager.New(r.Config, o)
	if err != nil {
		t.Fatal(err)
	}
	store = cached{mgr.GetClient()}
	typed, err := kubernetes.NewForConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint("web-", names.Add(1))
	b := builder.ControllerManagedBy(mgr).Named(name).For(&corev1.ConfigMap{}).Owns(&corev1.ConfigMap{})
	f := record.Reconcile(r.Rec, name, func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, clients.Sync(ctx, r, store, typed, req.String())
	})
	err = build(r, name, b, func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		r.Before(req.String(), store)
		return f(ctx, req)
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- mgr.Start(ctx) }()
	return store, func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
