// Package typed makes controllers of controller-runtime v0.19 and later, whose keys may have any type.
package typed

import (
	"context"
	"reflect"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
)

// Version returns a version without a priority queue.
func Version(minor int) controllers.Version {
	return controllers.Version{Minor: minor, Controller: open, Terminal: reconcile.TerminalError}
}

// Limiter returns the limiter, or nil if the script names none.
func Limiter(s *controllers.LimiterSpec) workqueue.TypedRateLimiter[string] {
	base, longest := s.Delays()
	switch s.Limiter {
	case "exp":
		return workqueue.NewTypedItemExponentialFailureRateLimiter[string](base, longest)
	case "bucket":
		return &workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(s.QPS), s.Burst)}
	case "fastslow":
		return workqueue.NewTypedItemFastSlowRateLimiter[string](base, longest, s.N)
	case "workqueueDefault":
		return workqueue.DefaultTypedControllerRateLimiter[string]()
	}
	return nil
}

type limiter struct {
	workqueue.TypedRateLimiter[string]
}

func (l limiter) Real() any { return l.TypedRateLimiter }

type queue struct {
	workqueue.TypedRateLimitingInterface[string]
}

func (q queue) Real() any { return q.TypedRateLimitingInterface }

// fakeManager is as much of a manager as the functions ask that make controllers.
type fakeManager struct {
	manager.Manager
	settings config.Controller
	adds     *int
}

func (m fakeManager) GetControllerOptions() config.Controller { return m.settings }
func (m fakeManager) GetLogger() logr.Logger                  { return logr.Discard() }

func (m fakeManager) Add(manager.Runnable) error {
	*m.adds++
	return nil
}

// set sets an option, if the version has it. It reports whether the version does.
func set(options any, name string, value any) bool {
	f := reflect.ValueOf(options).Elem().FieldByName(name)
	if f.IsValid() {
		f.Set(reflect.ValueOf(value))
	}
	return f.IsValid()
}

func open(o *controllers.Options) (*controllers.Controller, error) {
	c, skip := &controllers.Controller{}, true
	real := controller.TypedOptions[string]{
		SkipNameValidation: &skip, RateLimiter: Limiter(&o.Limiter), MaxConcurrentReconciles: o.Workers, RecoverPanic: o.RecoverPanic,
		LogConstructor: func(*string) logr.Logger { return logr.Discard() },
		Reconciler: reconcile.TypedFunc[string](func(ctx context.Context, key string) (reconcile.Result, error) {
			r, err := o.Reconcile(ctx, key)
			//lint:ignore SA1019 Requeue is handled until it is removed
			result := reconcile.Result{RequeueAfter: r.RequeueAfter, Requeue: r.Requeue}
			set(&result, "Priority", r.Priority)
			return result, err
		}),
	}
	set(&real, "Logger", logr.Discard())
	set(&real, "ReconciliationTimeout", o.Timeout)
	m := fakeManager{adds: &c.Adds}
	set(&m.settings, "UsePriorityQueue", o.ByMgr)
	if !set(&real, "UsePriorityQueue", o.UsePriorityQueue) && o.UsePriorityQueue != nil {
		set(&m.settings, "UsePriorityQueue", o.UsePriorityQueue) // only the manager has the option
	}
	made, err := newController(m, o.Managed, real)
	if err != nil {
		return nil, err
	}
	err = made.Watch(source.TypedFunc[string](func(_ context.Context, q workqueue.TypedRateLimitingInterface[string]) error {
		c.Queue = queue{q}
		return nil
	}))
	c.Start = made.Start
	c.Limit = limiter{reflect.ValueOf(made).Elem().FieldByName("RateLimiter").Interface().(workqueue.TypedRateLimiter[string])}
	return c, err
}

// newController makes a controller, which the manager gets if it is managed. Up to v0.20, one that isn't
// asks for a manager, too.
func newController(m manager.Manager, managed bool, o controller.TypedOptions[string]) (controller.TypedController[string], error) {
	if managed {
		return controller.NewTyped("c", m, o)
	}
	switch unmanaged := any(controller.NewTypedUnmanaged[string]).(type) {
	case func(string, manager.Manager, controller.TypedOptions[string]) (controller.TypedController[string], error):
		return unmanaged("c", m, o)
	case func(string, controller.TypedOptions[string]) (controller.TypedController[string], error):
		return unmanaged("c", o)
	}
	panic("another NewTypedUnmanaged")
}
