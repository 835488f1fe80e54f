// Package v015 records a controller of controller-runtime v0.15, which has no option for a workqueue.
package v015

import (
	"testing"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/record/clients/controllers"
)

func TestController(t *testing.T) {
	options := manager.Options{MetricsBindAddress: "0"}
	controllers.Run(t, false, options, func(r *clients.Recording, name string, b *builder.Builder, f controllers.Reconciler) error {
		return b.WithOptions(controller.Options{
			MaxConcurrentReconciles: 2,
			RateLimiter:             record.RateLimiter(r.Rec, name, workqueue.DefaultControllerRateLimiter()),
		}).Complete(reconcile.Func(f))
	})
}
