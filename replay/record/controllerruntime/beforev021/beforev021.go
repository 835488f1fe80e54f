// Package beforev021 does for controller-runtime v0.19 and v0.20 what package controllerruntime does for later versions.
//
//	config.Wrap(rec.Wrap)
//	mgr, err := beforev021.NewManager(rec, config, ctrl.Options{}) // in the place of ctrl.NewManager
package beforev021

import (
	"reflect"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/controllerruntime/internal/managed"
)

// NewManager does what manager.New does, and returns its errors. All controllers that are added to the manager, and have
// requests of the type reconcile.Request, are recorded as controllerruntime.NewManager has them recorded, apart from v0.20's
// priority queues, as Options says.
func NewManager(to record.Recording, config *rest.Config, o manager.Options) (manager.Manager, error) {
	return managed.NewManager(to, config, o, queue)
}

// NewCache makes newCache a function for manager.Options.NewCache or cluster.Options.NewCache, where
// nil stands for cache.New. It does what controllerruntime.NewCache does.
func NewCache(to record.Recording, newCache cache.NewCacheFunc) cache.NewCacheFunc {
	return managed.NewCache(to, newCache)
}

// Options returns o with a queue that is recorded under the controller's name, and its rate limiter.
// The queue is the one that the controller would have with o and the settings of mgr. The priority queue that
// v0.20 has where it is asked for stays as it is, and isn't recorded: o.NewQueue can return one that is, made
// by record.PriorityQueue.
func Options[request comparable](to record.Recording, mgr manager.Manager, o controller.TypedOptions[request]) controller.TypedOptions[request] {
	return managed.Options(to, mgr, o, queue)
}

// queue records a workqueue, apart from priority queues.
func queue[request comparable](to record.Recording, name string, q workqueue.TypedRateLimitingInterface[request]) workqueue.TypedRateLimitingInterface[request] {
	if reflect.ValueOf(q).MethodByName("AddWithOpts").IsValid() {
		return q
	}
	return record.Queue(to, name, q)
}

// Source makes h a handler for source.Channel. What it adds is recorded as caused by a source of that
// name, since no informer calls it.
func Source[object any, request comparable](to record.Recording, name string, h handler.TypedEventHandler[object, request]) handler.TypedEventHandler[object, request] {
	return managed.Source(to, name, h)
}
