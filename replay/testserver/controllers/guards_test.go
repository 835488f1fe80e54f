package controllers

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// guard keeps a controller from acting on a cache that lacks its own writes.
type guard interface {
	// ready returns an error for an owner whose reconcile must wait.
	ready(ctx context.Context, key client.ObjectKey) error
	// read reads an owner and its children.
	read(ctx context.Context, v *visit) error
	// beforeCreate is called before a child is created, with the children that the API server has. It returns errAgain where v has
	// other children now.
	beforeCreate(v *visit, all []corev1.Secret) error
	// expect is called before children are created and deleted, and observed when the cache has got them, or a write failed.
	expect(key client.ObjectKey, created, deleted int)
	observed(key client.ObjectKey, created, deleted int)
	// stamp is called before an object is changed, and returns what is called if it was.
	stamp(key client.ObjectKey, o client.Object) func()
	// wrote is called after an object was created or changed.
	wrote(key client.ObjectKey, owner types.UID, o client.Object)
}

var (
	errAgain  = errors.New("there are other children than the cache has")
	errBehind = errors.New("the cache lacks an own write")
)

// guards are all guards, by their names in the report, and "none".
var guards = []struct {
	name  string
	guard func(ctx context.Context, mgr manager.Manager) (guard, error)
}{
	{"none", newUnguarded},
	{"expectations", func(ctx context.Context, mgr manager.Manager) (guard, error) {
		g, err := newUnguarded(ctx, mgr)
		return expects{g, controller.NewControllerExpectations()}, err
	}},
	{"consistency store", newConsistent},
	{readYourWrites, newUnguarded}, // the manager's client does it
	{"mutation cache", newMutating},
	{uncachedList, func(ctx context.Context, mgr manager.Manager) (guard, error) {
		g, err := newUnguarded(ctx, mgr)
		return lists{g}, err
	}},
	{"last-seen annotation", func(ctx context.Context, mgr manager.Manager) (guard, error) {
		g, err := newUnguarded(ctx, mgr)
		return remembers{g, mgr.GetClient(), new(int), map[client.ObjectKey]int{}}, err
	}},
}

const readYourWrites, uncachedList = "read-your-writes", "uncached list before a create"

// unguarded does nothing. The other guards have it for what they don't do.
type unguarded struct{ client.Reader }

func newUnguarded(_ context.Context, mgr manager.Manager) (guard, error) {
	return unguarded{mgr.GetClient()}, nil
}

func (unguarded) ready(context.Context, client.ObjectKey) error    { return nil }
func (unguarded) beforeCreate(*visit, []corev1.Secret) error       { return nil }
func (unguarded) expect(client.ObjectKey, int, int)                {}
func (unguarded) observed(client.ObjectKey, int, int)              {}
func (unguarded) stamp(client.ObjectKey, client.Object) func()     { return func() {} }
func (unguarded) wrote(client.ObjectKey, types.UID, client.Object) {}

func (g unguarded) read(ctx context.Context, v *visit) error {
	if err := g.Get(ctx, v.key, v.owner); err != nil {
		return err
	}
	all, err := v.list(ctx, g)
	v.children = all
	return err
}

// expects is a guard of ControllerExpectations.
type expects struct {
	guard
	*controller.ControllerExpectations
}

func (g expects) ready(_ context.Context, key client.ObjectKey) error {
	if !g.SatisfiedExpectations(logr.Discard(), key.String()) {
		return errBehind
	}
	return nil
}

// Real controllers expect all that a reconcile creates or deletes at once. Those here create or delete several one by one.
func (g expects) expect(key client.ObjectKey, created, deleted int) {
	if e, has, err := g.GetExpectations(key.String()); err == nil && has && !e.Fulfilled() {
		g.RaiseExpectations(logr.Discard(), key.String(), created, deleted)
		return
	}
	g.SetExpectations(logr.Discard(), key.String(), created, deleted)
}

func (g expects) observed(key client.ObjectKey, created, deleted int) {
	g.LowerExpectations(logr.Discard(), key.String(), created, deleted)
}

// consistent is a guard of a consistency store.
type consistent struct {
	guard
	*consistency.RealConsistencyStore
}

var resources = map[string]client.Object{"configmaps": &corev1.ConfigMap{}, "secrets": &corev1.Secret{}}

func newConsistent(ctx context.Context, mgr manager.Manager) (guard, error) {
	stores := map[schema.GroupResource]consistency.LastSyncRVGetter{}
	for name, of := range resources {
		indexer, err := indexerOf(ctx, mgr, of)
		if err != nil {
			return nil, err
		}
		stores[schema.GroupResource{Resource: name}] = indexer.(consistency.LastSyncRVGetter)
	}
	g, err := newUnguarded(ctx, mgr)
	return consistent{g, consistency.NewConsistencyStore(stores)}, err
}

func indexerOf(ctx context.Context, mgr manager.Manager, of client.Object) (toolscache.Indexer, error) {
	informer, err := mgr.GetCache().GetInformer(ctx, of, cache.BlockUntilSynced(false))
	if err != nil {
		return nil, err
	}
	return informer.(toolscache.SharedIndexInformer).GetIndexer(), nil
}

func (g consistent) ready(_ context.Context, key client.ObjectKey) error { return g.EnsureReady(key) }

func (g consistent) wrote(key client.ObjectKey, owner types.UID, o client.Object) {
	resource := "secrets"
	if _, is := o.(*corev1.ConfigMap); is {
		resource = "configmaps"
	}
	g.WroteAt(key, owner, schema.GroupResource{Resource: resource}, o.GetResourceVersion())
}

// mutating is a guard of two MutationCaches.
type mutating struct {
	guard
	owners, children toolscache.MutationCache
}

func newMutating(ctx context.Context, mgr manager.Manager) (guard, error) {
	owners, err := indexerOf(ctx, mgr, &corev1.ConfigMap{})
	if err != nil {
		return nil, err
	}
	children, err := indexerOf(ctx, mgr, &corev1.Secret{})
	if err != nil {
		return nil, err
	}
	of := func(i toolscache.Indexer) toolscache.MutationCache {
		return toolscache.NewIntegerResourceVersionMutationCache(logr.Discard(), i, i, 0, true)
	}
	g, err := newUnguarded(ctx, mgr)
	return mutating{g, of(owners), of(children)}, err
}

func (g mutating) read(ctx context.Context, v *visit) error {
	owner, has, err := g.owners.GetByKey(v.key.String())
	if err != nil || !has {
		return errors.Join(err, v.notFound())
	}
	owner.(*corev1.ConfigMap).DeepCopyInto(v.owner)
	all, err := g.children.ByIndex(toolscache.NamespaceIndex, v.key.Namespace)
	v.children = nil
	for _, o := range all {
		if c := o.(*corev1.Secret); c.Labels["for"] == v.key.Name {
			v.children = append(v.children, *c.DeepCopy())
		}
	}
	return err
}

func (g mutating) wrote(_ client.ObjectKey, _ types.UID, o client.Object) {
	if c, is := o.(*corev1.Secret); is {
		g.children.Mutation(c.DeepCopy())
		return
	}
	g.owners.Mutation(o.DeepCopyObject())
}

// lists is a guard that asks the API server for the children before it creates one.
type lists struct{ guard }

func (lists) beforeCreate(v *visit, all []corev1.Secret) error {
	if slices.Equal(names(v.children), names(all)) {
		return nil
	}
	v.children = all
	return errAgain
}

func names(all []corev1.Secret) (names []string) {
	for _, o := range all {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return names
}

// remembers is a guard that writes a number into each owner that it changes, and waits until the cache has the last one.
type remembers struct {
	guard
	cached client.Reader
	writes *int
	last   map[client.ObjectKey]int
}

const lastSeen = "last-seen"

func (g remembers) ready(ctx context.Context, key client.ObjectKey) error {
	owner := &corev1.ConfigMap{}
	if err := g.cached.Get(ctx, key, owner); err != nil {
		return client.IgnoreNotFound(err)
	}
	if n, _ := strconv.Atoi(owner.Annotations[lastSeen]); n < g.last[key] {
		return errBehind
	}
	return nil
}

func (g remembers) stamp(key client.ObjectKey, o client.Object) func() {
	owner, is := o.(*corev1.ConfigMap)
	if !is {
		return func() {}
	}
	*g.writes++
	n := *g.writes
	owner.Annotations[lastSeen] = strconv.Itoa(n)
	return func() { g.last[key] = n }
}
