// Package untyped makes controllers of controller-runtime up to v0.18, whose keys are requests.
package untyped

import (
	"context"
	"reflect"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
)

// Watch has a controller start a source that calls got with the queue.
type Watch func(c controller.Controller, got func(workqueue.RateLimitingInterface)) error

// Version returns a version that adds sources as watch does.
func Version(minor int, watch Watch) controllers.Version {
	open := func(o *controllers.Options) (*controllers.Controller, error) { return open(o, watch) }
	return controllers.Version{Minor: minor, Controller: open, Terminal: reconcile.TerminalError}
}

// limit returns the limiter, or nil if the script names none.
func limit(s *controllers.LimiterSpec) workqueue.RateLimiter {
	base, longest := s.Delays()
	switch s.Limiter {
	case "exp":
		return workqueue.NewItemExponentialFailureRateLimiter(base, longest)
	case "bucket":
		return &workqueue.BucketRateLimiter{Limiter: rate.NewLimiter(rate.Limit(s.QPS), s.Burst)}
	case "fastslow":
		return workqueue.NewItemFastSlowRateLimiter(base, longest, s.N)
	case "workqueueDefault":
		return workqueue.DefaultControllerRateLimiter()
	}
	return nil
}

func request(key string) reconcile.Request {
	var r reconcile.Request
	r.Name = key
	return r
}

type limiter struct{ real workqueue.RateLimiter }

func (l limiter) Real() any                     { return l.real }
func (l limiter) When(key string) time.Duration { return l.real.When(request(key)) }
func (l limiter) Forget(key string)             { l.real.Forget(request(key)) }
func (l limiter) NumRequeues(key string) int    { return l.real.NumRequeues(request(key)) }

type queue struct {
	real workqueue.RateLimitingInterface
}

func (q queue) Real() any                                { return q.real }
func (q queue) Add(key string)                           { q.real.Add(request(key)) }
func (q queue) AddAfter(key string, after time.Duration) { q.real.AddAfter(request(key), after) }
func (q queue) AddRateLimited(key string)                { q.real.AddRateLimited(request(key)) }
func (q queue) Len() int                                 { return q.real.Len() }

// fakeManager is as much of a manager as the functions ask that make controllers.
type fakeManager struct {
	manager.Manager
	adds *int
}

func (m fakeManager) GetControllerOptions() config.Controller { return config.Controller{} }
func (m fakeManager) GetLogger() logr.Logger                  { return logr.Discard() }

func (m fakeManager) Add(manager.Runnable) error {
	*m.adds++
	return nil
}

func open(o *controllers.Options, watch Watch) (*controllers.Controller, error) {
	c := &controllers.Controller{}
	real := controller.Options{
		RateLimiter: limit(&o.Limiter), MaxConcurrentReconciles: o.Workers, RecoverPanic: o.RecoverPanic,
		LogConstructor: func(*reconcile.Request) logr.Logger { return logr.Discard() },
		Reconciler: reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
			r, err := o.Reconcile(ctx, req.Name)
			return reconcile.Result{RequeueAfter: r.RequeueAfter, Requeue: r.Requeue}, err
		}),
	}
	create := controller.NewUnmanaged
	if o.Managed {
		create = controller.New
	}
	made, err := create("c", fakeManager{adds: &c.Adds}, real)
	if err != nil {
		return nil, err
	}
	c.Start = made.Start
	return c, watch(made, func(q workqueue.RateLimitingInterface) {
		c.Queue = queue{q}
		c.Limit = limiter{controllers.Reach(reflect.ValueOf(q).Elem().FieldByName("rateLimiter")).Interface().(workqueue.RateLimiter)}
	})
}
