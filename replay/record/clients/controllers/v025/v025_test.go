// Package v025 records controllers of controller-runtime v0.25.
package v025

import (
	"testing"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/record/clients/controllers"
)

type limiter = workqueue.TypedRateLimiter[reconcile.Request]

var options = manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}}

func TestWorkqueue(t *testing.T)     { controllers.Run(t, true, options, plain) }
func TestPriorityQueue(t *testing.T) { controllers.Run(t, true, options, priority) }

func TestFaults(t *testing.T)           { controllers.Faults(t, "workqueue", options, plain) }
func TestFaultsOfPriority(t *testing.T) { controllers.Faults(t, "priority", options, priority) }

func plain(r *clients.Recording, name string, b *builder.Builder, f controllers.Reconciler) error {
	return b.WithOptions(controller.Options{
		MaxConcurrentReconciles: 2,
		RateLimiter:             record.RateLimiter(r.Rec, name, workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]()),
		NewQueue: func(_ string, l limiter) workqueue.TypedRateLimitingInterface[reconcile.Request] {
			return record.Queue(r.Rec, name, workqueue.NewTypedRateLimitingQueue(l))
		},
	}).Complete(reconcile.Func(f))
}

func priority(r *clients.Recording, name string, b *builder.Builder, f controllers.Reconciler) error {
	return b.WithOptions(controller.Options{
		MaxConcurrentReconciles: 2,
		RateLimiter:             record.RateLimiter(r.Rec, name, workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]()),
		NewQueue: func(_ string, l limiter) workqueue.TypedRateLimitingInterface[reconcile.Request] {
			var q priorityqueue.PriorityQueue[reconcile.Request] = record.PriorityQueue(r.Rec, name, priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = l }))
			return q
		},
	}).Complete(reconcile.Func(f))
}
