// Package managed has what packages controllerruntime and beforev021 share. It compiles with controller-runtime v0.19 and all
// later versions. What it can't import is in those packages: v0.19 has no priority queue.
package managed

import (
	"cmp"
	"context"
	"errors"
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
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
)

// A Queue records a workqueue under a name. It returns what stands in the place of q.
type Queue[request comparable] func(to record.Recording, name string, q workqueue.TypedRateLimitingInterface[request]) workqueue.TypedRateLimitingInterface[request]

// newQueue is the type of NewQueue of a controller.
type newQueue[request comparable] = func(string, workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request]

// NewManager does what controllerruntime.NewManager does, and records queues by queue.
func NewManager(to record.Recording, config *rest.Config, o manager.Options, queue Queue[reconcile.Request]) (manager.Manager, error) {
	o.NewCache = NewCache(to, o.NewCache)
	if o.Controller.SkipNameValidation == nil {
		skip := true
		o.Controller.SkipNameValidation = &skip
	}
	mgr, err := manager.New(config, o)
	if err != nil {
		return nil, err
	}
	return recordedManager{mgr, to, queue}, nil
}

type recordedManager struct {
	manager.Manager
	to    record.Recording
	queue Queue[reconcile.Request]
}

// Add has what a controller does recorded. A controller's type is internal, and its fields aren't.
func (m recordedManager) Add(r manager.Runnable) error {
	if v := reflect.Indirect(reflect.ValueOf(r)); v.Kind() == reflect.Struct {
		name, named := fieldOf[string](v, "Name")
		do, does := fieldOf[reconcile.Reconciler](v, "Do")
		makes, queues := fieldOf[newQueue[reconcile.Request]](v, "NewQueue")
		if named && does && queues {
			v.FieldByName("Do").Set(reflect.ValueOf(reconcile.Func(record.Reconcile(m.to, name, do.Reconcile))))
			v.FieldByName("NewQueue").Set(reflect.ValueOf(recordedBy(m.queue, m.to, makes)))
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

// NewCache does what controllerruntime.NewCache does.
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
	return withOptions(versioned.AddEventHandlerWithOptions, i, c, kind)
}

// versioned is an informer with AddEventHandlerWithOptions. Since controller-runtime v0.21 the informer has this method. Before,
// Go takes the method of fallback, which lies deeper. So nothing here names the type of the options, which client-go has since v0.33.
type versioned struct {
	cache.Informer
	none
}

type (
	none     struct{ fallback }
	fallback struct{}
)

// AddEventHandlerWithOptions is never called, since no informer had it.
func (fallback) AddEventHandlerWithOptions(toolscache.ResourceEventHandler, struct{}) (toolscache.ResourceEventHandlerRegistration, error) {
	return nil, errors.ErrUnsupported
}

type addWithOptions[O any] = func(versioned, toolscache.ResourceEventHandler, O) (toolscache.ResourceEventHandlerRegistration, error)

// withOptions does what informer says. The informers that it returns have the options O of the version, which Go infers.
func withOptions[O any](_ addWithOptions[O], i cache.Informer, c *recorded, kind schema.GroupKind) cache.Informer {
	a := adding[O]{i, c, kind}
	if s, ok := i.(toolscache.SharedIndexInformer); ok {
		return any(sharedInformer[O]{a, shared{s}}).(cache.Informer)
	}
	return any(informer[O]{a, other{i}}).(cache.Informer)
}

// adding are the methods that add handlers to an informer. Informers are compared, so it has no function.
type adding[O any] struct {
	to   cache.Informer
	c    *recorded
	kind schema.GroupKind
}

func (a adding[O]) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	return a.to.AddEventHandler(a.recorded(h))
}

func (a adding[O]) AddEventHandlerWithResyncPeriod(h toolscache.ResourceEventHandler, period time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	return a.to.AddEventHandlerWithResyncPeriod(a.recorded(h), period)
}

func (a adding[O]) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, o O) (toolscache.ResourceEventHandlerRegistration, error) {
	add := any(versioned.AddEventHandlerWithOptions).(addWithOptions[O])
	return add(versioned{Informer: a.to}, a.recorded(h), o)
}

func (a adding[O]) recorded(h toolscache.ResourceEventHandler) toolscache.ResourceEventHandler {
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
	informer[O any] struct {
		adding[O]
		other
	}
	other                 struct{ cache.Informer }
	sharedInformer[O any] struct {
		adding[O]
		shared
	}
	shared struct{ toolscache.SharedIndexInformer }
)

// Options does what controllerruntime.Options does, and records the queue by queue.
func Options[request comparable](to record.Recording, mgr manager.Manager, o controller.TypedOptions[request], queue Queue[request]) controller.TypedOptions[request] {
	makes := o.NewQueue
	if makes == nil {
		makes = defaultQueue(mgr, o)
	}
	if makes != nil {
		o.NewQueue = recordedBy(queue, to, makes)
	}
	return o
}

// recordedBy returns a NewQueue whose queues and rate limiters are recorded.
func recordedBy[request comparable](queue Queue[request], to record.Recording, makes newQueue[request]) newQueue[request] {
	return func(name string, l workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
		return queue(to, name, makes(name, record.RateLimiter(to, name, l)))
	}
}

// defaultQueue returns the NewQueue of a controller of mgr that is given none. It differs from version to
// version, so defaultQueue makes a controller that never starts, and asks it.
func defaultQueue[request comparable](mgr manager.Manager, o controller.TypedOptions[request]) newQueue[request] {
	unnamed := true
	o.SkipNameValidation = &unnamed
	o.Reconciler = reconcile.TypedFunc[request](nil)
	var c any
	var err error
	switch makes := any(controller.NewTypedUnmanaged[request]).(type) {
	case func(string, controller.TypedOptions[request]) (controller.TypedController[request], error): // since v0.21
		any(&o).(interface{ DefaultFromConfig(config.Controller) }).DefaultFromConfig(mgr.GetControllerOptions())
		c, err = makes("unnamed", o)
	case func(string, manager.Manager, controller.TypedOptions[request]) (controller.TypedController[request], error):
		c, err = makes("unnamed", mgr, o)
	}
	v := reflect.Indirect(reflect.ValueOf(c))
	if err != nil || v.Kind() != reflect.Struct {
		return nil
	}
	f, _ := fieldOf[newQueue[request]](v, "NewQueue")
	return f
}

// Source does what controllerruntime.Source does.
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
