// Package controllerruntime has a recorder see what wakes the controllers of controller-runtime v0.21
// and later: the calls of the handlers that For, Owns and Watches give to informers, and each Add to a
// controller's queue. Package beforev021 beside it does so for v0.19 and v0.20.
//
//	config.Wrap(rec.Wrap)
//	mgr, err := controllerruntime.NewManager(rec, config, ctrl.Options{}) // in the place of ctrl.NewManager
//
// NewManager does what NewCache, Options and record.Reconcile do one by one.
package controllerruntime

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
)

// NewManager does what manager.New does. All controllers that are added to the manager, and have requests of the type
// reconcile.Request, are recorded without a change to them: the handlers that their informers are given, their queues and
// rate limiters, and their reconciles. A controller must not be wrapped by Options or by record.Reconcile, too. What goes
// through config's transport is recorded by whoever wraps that: a recorder's Wrap, recordtest.New, or explore.Config.
//
// A process may have a controller of the same name several times, as tests have, unless SkipNameValidation is set.
func NewManager(to record.Recording, config *rest.Config, o manager.Options) (manager.Manager, error) {
	o.NewCache = NewCache(to, o.NewCache)
	if o.Controller.SkipNameValidation == nil {
		skip := true
		o.Controller.SkipNameValidation = &skip
	}
	mgr, err := manager.New(config, o)
	if err != nil {
		return nil, err
	}
	return recordedManager{mgr, to}, nil
}

type recordedManager struct {
	manager.Manager
	to record.Recording
}

// Add has what a controller does recorded. A controller's type is internal, and its fields aren't.
func (m recordedManager) Add(r manager.Runnable) error {
	if v := reflect.Indirect(reflect.ValueOf(r)); v.Kind() == reflect.Struct {
		name, named := fieldOf[string](v, "Name")
		do, does := fieldOf[reconcile.Reconciler](v, "Do")
		newQueue, queues := fieldOf[func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request]](v, "NewQueue")
		if named && does && queues {
			v.FieldByName("Do").Set(reflect.ValueOf(reconcile.Func(record.Reconcile(m.to, name, do.Reconcile))))
			v.FieldByName("NewQueue").Set(reflect.ValueOf(queue(m.to, newQueue)))
		}
	}
	return m.Manager.Add(r)
}

// fieldOf returns a field of a struct, if it has one of that type.
func fieldOf[T any](v reflect.Value, name string) (field T, has bool) {
	if f := v.FieldByName(name); f.IsValid() && f.CanInterface() {
		field, has = f.Interface().(T)
	}
	return field, has
}

// NewCache makes newCache a function for manager.Options.NewCache or cluster.Options.NewCache, where
// nil stands for cache.New. The calls of all handlers that informers of its caches are given are
// recorded, each handler under the group and kind of its objects: "Deployment.apps", and
// "Deployment.apps 2" for the second one. Who reads the caches is recorded, too (record.Read).
func NewCache(to record.Recording, newCache cache.NewCacheFunc) cache.NewCacheFunc {
	if newCache == nil {
		newCache = cache.New
	}
	return func(config *rest.Config, o cache.Options) (cache.Cache, error) {
		c, err := newCache(config, transforms(to, o))
		if err != nil {
			return nil, err
		}
		return &recorded{Cache: c, to: to, scheme: cmp.Or(o.Scheme, scheme.Scheme), handlers: map[schema.GroupKind]int{}, stores: map[stored]reaching{}}, nil
	}
}

// transforms returns o with transform functions whose panics are recorded.
func transforms(to record.Recording, o cache.Options) cache.Options {
	namespaces := func(all map[string]cache.Config) map[string]cache.Config {
		all = maps.Clone(all)
		for name, c := range all {
			c.Transform = record.Transform(to, cmp.Or(name, "all namespaces"), c.Transform)
			all[name] = c
		}
		return all
	}
	o.DefaultTransform = record.Transform(to, "default", o.DefaultTransform)
	o.DefaultNamespaces = namespaces(o.DefaultNamespaces)
	o.ByObject = maps.Clone(o.ByObject)
	for object, b := range o.ByObject {
		b.Transform = record.Transform(to, fmt.Sprintf("%T", object), b.Transform)
		b.Namespaces = namespaces(b.Namespaces)
		o.ByObject[object] = b
	}
	return o
}

// recorded is a cache whose informers' handlers are recorded.
type recorded struct {
	cache.Cache
	to     record.Recording
	scheme *runtime.Scheme

	mu       sync.Mutex
	handlers map[schema.GroupKind]int // how many were added
	stores   map[stored]reaching
}

// NeedLeaderElection does what the cache's own method does, for a cache that is added to a manager.
func (c *recorded) NeedLeaderElection() bool {
	l, ok := c.Cache.(manager.LeaderElectionRunnable)
	return !ok || l.NeedLeaderElection()
}

func (c *recorded) Get(ctx context.Context, key client.ObjectKey, obj client.Object, o ...client.GetOption) error {
	kind, known := c.read("Get", obj)
	err := c.Cache.Get(ctx, key, obj, o...)
	if known && err == nil {
		name := key.Name
		if key.Namespace != "" {
			name = key.String()
		}
		record.Saw(ctx, c.to, kind.String(), name, obj.GetResourceVersion)
	}
	return err
}

func (c *recorded) List(ctx context.Context, list client.ObjectList, o ...client.ListOption) error {
	kind, known := c.read("List", list)
	err := c.Cache.List(ctx, list, o...)
	if known && err == nil {
		record.Saw(ctx, c.to, kind.String(), "", func() string { return c.reached(kind, list) })
	}
	return err
}

// read records who reads the cache, and returns the kind of the objects.
func (c *recorded) read(fn string, obj runtime.Object) (of schema.GroupKind, known bool) {
	kind, err := apiutil.GVKForObject(obj, c.scheme)
	if err != nil {
		return of, false
	}
	of = schema.GroupKind{Group: kind.Group, Kind: strings.TrimSuffix(kind.Kind, "List")}
	record.Read(c.to, fn, of.String(), obj)
	return of, true
}

// stored is an informer by the kind and the Go type of its objects.
type stored struct {
	schema.GroupKind
	of string
}

// reached returns the resourceVersion that the informer's store has reached, which stores of client-go v0.36 and later know; "" otherwise.
func (c *recorded) reached(kind schema.GroupKind, list client.ObjectList) string {
	c.mu.Lock()
	store := c.stores[stored{kind, strings.TrimSuffix(fmt.Sprintf("%T", list), "List")}]
	c.mu.Unlock()
	if store == nil {
		return ""
	}
	return store.LastStoreSyncResourceVersion()
}

func (c *recorded) GetInformer(ctx context.Context, obj client.Object, o ...cache.InformerGetOption) (cache.Informer, error) {
	i, err := c.Cache.GetInformer(ctx, obj, o...)
	if err != nil {
		return nil, err
	}
	kind, err := apiutil.GVKForObject(obj, c.scheme)
	c.keep(i, stored{kind.GroupKind(), fmt.Sprintf("%T", obj)})
	return c.informer(i, kind.GroupKind()), err
}

// keep keeps an informer's store, if that knows how far it has come.
func (c *recorded) keep(i cache.Informer, of stored) {
	if s, ok := i.(toolscache.SharedIndexInformer); ok {
		if store, ok := s.GetStore().(reaching); ok {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.stores[of] = store
		}
	}
}

type reaching interface{ LastStoreSyncResourceVersion() string }

func (c *recorded) GetInformerForKind(ctx context.Context, kind schema.GroupVersionKind, o ...cache.InformerGetOption) (cache.Informer, error) {
	i, err := c.Cache.GetInformerForKind(ctx, kind, o...)
	if err != nil {
		return nil, err
	}
	return c.informer(i, kind.GroupKind()), nil
}

// IndexField does what the cache's own method does. A panic of extract is recorded before it ends the process.
func (c *recorded) IndexField(ctx context.Context, obj client.Object, field string, extract client.IndexerFunc) error {
	return c.Cache.IndexField(ctx, obj, field, record.IndexerFunc(c.to, field, extract))
}

// informer returns i with handlers that are recorded. A cache of several namespaces has informers that
// are no SharedIndexInformer.
func (c *recorded) informer(i cache.Informer, kind schema.GroupKind) cache.Informer {
	a := adding{i, c, kind}
	if s, ok := i.(toolscache.SharedIndexInformer); ok {
		return sharedInformer{a, shared{s}}
	}
	return informer{a, other{i}}
}

// adding are the methods that add handlers to an informer.
type adding struct {
	to   cache.Informer
	c    *recorded
	kind schema.GroupKind
}

func (a adding) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	return a.to.AddEventHandler(a.recorded(h))
}

func (a adding) AddEventHandlerWithResyncPeriod(h toolscache.ResourceEventHandler, period time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	return a.to.AddEventHandlerWithResyncPeriod(a.recorded(h), period)
}

func (a adding) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, o toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	return a.to.AddEventHandlerWithOptions(a.recorded(h), o)
}

func (a adding) recorded(h toolscache.ResourceEventHandler) toolscache.ResourceEventHandler {
	a.c.mu.Lock()
	a.c.handlers[a.kind]++
	n := a.c.handlers[a.kind]
	a.c.mu.Unlock()
	name := a.kind.String()
	if n > 1 {
		name = fmt.Sprint(name, " ", n)
	}
	return a.c.to.Handler(name, h)
}

// The methods of adding are nearer to these informers than the informer's own, and so stand for them.
type (
	informer struct {
		adding
		other
	}
	other          struct{ cache.Informer }
	sharedInformer struct {
		adding
		shared
	}
	shared struct{ toolscache.SharedIndexInformer }
)

// Options returns o with a queue that is recorded under the controller's name, and its rate limiter.
// The queue is the one that the controller would have with o and the settings of mgr: its own, a
// priority queue, or a plain one.
func Options[request comparable](to record.Recording, mgr manager.Manager, o controller.TypedOptions[request]) controller.TypedOptions[request] {
	newQueue := o.NewQueue
	if newQueue == nil {
		newQueue = defaultQueue(mgr, o)
	}
	if newQueue == nil {
		return o
	}
	o.NewQueue = queue(to, newQueue)
	return o
}

// queue returns a NewQueue whose queues and rate limiters are recorded.
func queue[request comparable](to record.Recording, newQueue func(string, workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request]) func(string, workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
	return func(name string, l workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
		q := newQueue(name, record.RateLimiter(to, name, l))
		if p, ok := q.(priorityqueue.PriorityQueue[request]); ok {
			return record.PriorityQueue(to, name, p)
		}
		return record.Queue(to, name, q)
	}
}

// defaultQueue returns the NewQueue that a controller of mgr has which is given none. Which one that is
// differs from version to version, so a controller is asked that never starts.
func defaultQueue[request comparable](mgr manager.Manager, o controller.TypedOptions[request]) func(string, workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
	unnamed := true
	o.SkipNameValidation = &unnamed
	o.Reconciler = reconcile.TypedFunc[request](nil)
	o.DefaultFromConfig(mgr.GetControllerOptions())
	c, err := controller.NewTypedUnmanaged("unnamed", o)
	if err != nil {
		return nil
	}
	v := reflect.Indirect(reflect.ValueOf(c))
	if v.Kind() != reflect.Struct {
		return nil
	}
	f, _ := fieldOf[func(string, workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request]](v, "NewQueue")
	return f
}

// Source makes h a handler for source.Channel. What it adds is recorded as caused by a source of that
// name, since no informer calls it.
func Source[object any, request comparable](to record.Recording, name string, h handler.TypedEventHandler[object, request]) handler.TypedEventHandler[object, request] {
	return sourced[object, request]{h, to, name}
}

type sourced[object any, request comparable] struct {
	handler.TypedEventHandler[object, request]
	to   record.Recording
	name string
}

// Generic calls the handler, and records what it adds to the workqueue as caused by the source.
func (s sourced[object, request]) Generic(ctx context.Context, e event.TypedGenericEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	record.Because(s.to, s.name, func() { s.TypedEventHandler.Generic(ctx, e, q) })
}
