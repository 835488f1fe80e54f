package managed

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

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
	order     []string        // what was done for the first time, in turn
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
		r := &run{server: newAPI(), began: time.Now()}
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
		served, close := context.WithCancel(context.Background())
		go r.server.Serve(served)
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
		r.server.Close()
		close()
		controllers.Release(r.queue())
	})
}

// noteOnce notes what the process does, if it has not done it before.
func (r *run) noteOnce(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.order, what) {
		r.order = append(r.order, what)
	}
}

// hears is called for each object that the controller's handler is called with.
func (r *run) hears(event.CreateEvent) bool {
	r.noteOnce("hears")
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
	r.noteOnce("reconciles")
	r.mu.Lock()
	r.runs = append(r.runs, time.Since(r.began))
	r.mu.Unlock()
	return r.reconcile(ctx, q)
}

// queue returns what controller-runtime has as the controller's queue.
func (r *run) queue() any {
	q := reflect.ValueOf(r.c).Elem().FieldByName("Queue")
	if !q.IsValid() || q.IsNil() {
		return nil
	}
	return q.Interface()
}
