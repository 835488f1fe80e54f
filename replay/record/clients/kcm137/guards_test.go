package kcm137

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/util/consistency"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
)

// unguarded does nothing. The guards below have it for what they don't do.
type unguarded struct{}

func (unguarded) Ready(string) bool                          { return true }
func (unguarded) Reads(s clients.Store) clients.Store        { return s }
func (unguarded) Creates(string)                             {}
func (unguarded) Added(string)                               {}
func (unguarded) NotCreated(string)                          {}
func (unguarded) Wrote(string, types.UID, *corev1.ConfigMap) {}

// expects is a guard of ControllerExpectations.
type expects struct {
	unguarded
	*controller.ControllerExpectations
}

func (g expects) Ready(key string) bool { return g.SatisfiedExpectations(logr.Discard(), key) }
func (g expects) Creates(key string)    { g.ExpectCreations(logr.Discard(), key, 1) }
func (g expects) Added(key string)      { g.CreationObserved(logr.Discard(), key) }
func (g expects) NotCreated(key string) { g.CreationObserved(logr.Discard(), key) } // as the real controllers do

// remembers is a guard of a consistency store.
type remembers struct {
	unguarded
	*consistency.RealConsistencyStore
}

func (g remembers) Ready(key string) bool {
	return g.EnsureReady(types.NamespacedName{Namespace: "shop", Name: clients.NameOf(key)}) == nil
}

func (g remembers) Wrote(key string, owner types.UID, made *corev1.ConfigMap) {
	g.WroteAt(types.NamespacedName{Namespace: "shop", Name: clients.NameOf(key)}, owner, schema.GroupResource{Resource: "configmaps"}, made.ResourceVersion)
}

// mutates is a guard of a MutationCache.
type mutates struct {
	unguarded
	cache.MutationCache
}

func (g mutates) Reads(clients.Store) clients.Store { return g }

func (g mutates) List() []any {
	all, err := g.ByIndex(cache.NamespaceIndex, "shop")
	if err != nil {
		panic(err)
	}
	return all
}

func (g mutates) Wrote(_ string, _ types.UID, made *corev1.ConfigMap) { g.Mutation(made) }

// lists is a guard that asks the API server for the children.
type lists struct {
	unguarded
	clients.Store
	client kubernetes.Interface
}

func (g lists) Reads(clients.Store) clients.Store { return g }

func (g lists) List() (all []any) {
	l, err := g.client.CoreV1().ConfigMaps("shop").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		panic(err)
	}
	for i := range l.Items {
		all = append(all, &l.Items[i])
	}
	return all
}

// TestGuards runs a controller whose watch is late with each guard. What each prevents is what "controller --guards" says of
// recordings of the same controller without a guard.
func TestGuards(t *testing.T) {
	for _, g := range []struct {
		name              string
		reads, duplicates bool // that the guard prevents
		guard             func(store clients.Store, client kubernetes.Interface) clients.Guard
	}{
		{"none", false, false, func(clients.Store, kubernetes.Interface) clients.Guard { return unguarded{} }},
		{"expectations", false, true, func(clients.Store, kubernetes.Interface) clients.Guard {
			return expects{ControllerExpectations: controller.NewControllerExpectations()}
		}},
		{"consistency store", true, true, func(store clients.Store, _ kubernetes.Interface) clients.Guard {
			return remembers{RealConsistencyStore: consistency.NewConsistencyStore(map[schema.GroupResource]consistency.LastSyncRVGetter{
				{Resource: "configmaps"}: store.(consistency.LastSyncRVGetter),
			})}
		}},
		{"mutation cache", true, true, func(store clients.Store, _ kubernetes.Interface) clients.Guard {
			indexer := store.(cache.Indexer)
			return mutates{MutationCache: cache.NewIntegerResourceVersionMutationCache(logr.Discard(), indexer, indexer, time.Minute, true)}
		}},
		{"uncached list before a create", false, true, func(store clients.Store, client kubernetes.Interface) clients.Guard {
			return lists{Store: store, client: client}
		}},
	} {
		t.Run(g.name, func(t *testing.T) {
			got := clients.EachFault(t, "client-go", func(t *testing.T, r *clients.Recording) (clients.Store, func()) {
				limiter := record.RateLimiter(r.Rec, "web", workqueue.DefaultTypedControllerRateLimiter[string]())
				q := record.Queue(r.Rec, "web", workqueue.NewTypedRateLimitingQueue(limiter))
				text := func(key string) string { return key }
				r.Guarded = g.guard
				return clients.StartWorkers(r, q, func(h record.EventHandler) any { return r.Rec.Handler("web", h) }, text, text)
			})
			t.Logf("%+v", got)
			if g.reads != (got.OldReads == 0) || g.duplicates != (got.Duplicates == 0) {
				t.Errorf("%+v", got)
			}
		})
	}
}
