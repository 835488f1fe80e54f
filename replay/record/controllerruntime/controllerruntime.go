// Package controllerruntime records what wakes the controllers of controller-runtime v0.21 and later: the calls of the handlers
// that For, Owns and Watches give to informers, and each Add to a controller's queue. Package beforev021 does so for v0.19 and
// v0.20. Each is a module of its own, and takes the controller-runtime of the program.
//
// A recording begins before the manager is made, and is closed when the manager has stopped:
//
//	rec, err := record.New(file, record.Options{})
//	config.Wrap(rec.Wrap)
//	mgr, err := controllerruntime.NewManager(rec, config, ctrl.Options{}) // in the place of ctrl.NewManager
//	…                                                                     // controllers are added as they always are
//	err = mgr.Start(ctx)
//	err = rec.Close()
//
// NewManager does what NewCache, Options and record.Reconcile do one by one, for who can't make the manager here.
package controllerruntime

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/controllerruntime/internal/managed"
)

// NewManager does what manager.New does, and returns its errors. All controllers that are added to the manager, and have
// requests of the type reconcile.Request, are recorded without a change to them: the handlers that their informers are given,
// their queues and rate limiters, and their reconciles. A controller must not be wrapped by Options or by record.Reconcile, too.
// What goes through config's transport is recorded by whoever wraps that: a recorder's Wrap, recordtest.New, or explore.Config.
//
// A process may have a controller of the same name several times, as tests have, unless SkipNameValidation is set.
func NewManager(to record.Recording, config *rest.Config, o manager.Options) (manager.Manager, error) {
	return managed.NewManager(to, config, o, queue)
}

// NewCache makes newCache a function for manager.Options.NewCache or cluster.Options.NewCache, where
// nil stands for cache.New. The calls of all handlers that informers of its caches are given are
// recorded, each handler under the group and kind of its objects: "Deployment.apps", and
// "Deployment.apps 2" for the second one. Who reads the caches is recorded, too (record.Read).
func NewCache(to record.Recording, newCache cache.NewCacheFunc) cache.NewCacheFunc {
	return managed.NewCache(to, newCache)
}

// Options returns o with a queue that is recorded under the controller's name, and its rate limiter.
// The queue is the one that the controller would have with o and the settings of mgr: its own, a
// priority queue, or a plain one.
func Options[request comparable](to record.Recording, mgr manager.Manager, o controller.TypedOptions[request]) controller.TypedOptions[request] {
	return managed.Options(to, mgr, o, queue)
}

// queue records a workqueue.
func queue[request comparable](to record.Recording, name string, q workqueue.TypedRateLimitingInterface[request]) workqueue.TypedRateLimitingInterface[request] {
	if p, ok := q.(priorityqueue.PriorityQueue[request]); ok {
		return record.PriorityQueue(to, name, p)
	}
	return record.Queue(to, name, q)
}

// Source makes h a handler for source.Channel. What it adds is recorded as caused by a source of that
// name, since no informer calls it.
func Source[object any, request comparable](to record.Recording, name string, h handler.TypedEventHandler[object, request]) handler.TypedEventHandler[object, request] {
	return managed.Source(to, name, h)
}
