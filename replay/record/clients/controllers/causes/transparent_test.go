package causes

import (
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestTransparent holds that what a recorded manager gives is what a plain one gives: the types of informers that
// callers ask for, their handlers' registrations, indices, and the kind of queue.
func TestTransparent(t *testing.T) {
	server := testserver.New(testserver.Options{})
	t.Cleanup(server.Close)
	var none *record.Recorder
	for _, namespaces := range []map[string]cache.Config{nil, {"shop": {}, "bank": {}}} {
		o := manager.Options{Scheme: scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}, Cache: cache.Options{DefaultNamespaces: namespaces}}
		plain, err := ctrl.NewManager(config(server), o)
		if err != nil {
			t.Fatal(err)
		}
		o.NewCache = version.NewCache(none, nil)
		recorded, err := ctrl.NewManager(config(server), o)
		if err != nil {
			t.Fatal(err)
		}
		same := func(what string, f func(m manager.Manager) any) {
			t.Helper()
			if got, want := f(recorded), f(plain); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, and without recording %v", what, got, want)
			}
		}
		same("the cache waits for a leader", func(m manager.Manager) any {
			l, ok := m.GetCache().(manager.LeaderElectionRunnable)
			return !ok || l.NeedLeaderElection()
		})
		for _, m := range []manager.Manager{plain, recorded} {
			if err := m.GetFieldIndexer().IndexField(t.Context(), &corev1.Secret{}, "kind", func(o client.Object) []string { return []string{string(o.(*corev1.Secret).Type)} }); err != nil {
				t.Fatal(err)
			}
			go m.Start(t.Context())
			if !m.GetCache().WaitForCacheSync(t.Context()) {
				t.Fatal("a cache doesn't sync")
			}
		}
		same("informers", func(m manager.Manager) any {
			i, err := m.GetCache().GetInformer(t.Context(), &corev1.Secret{})
			if err != nil {
				t.Fatal(err)
			}
			again, err := m.GetCache().GetInformerForKind(t.Context(), corev1.SchemeGroupVersion.WithKind("Secret"))
			if err != nil {
				t.Fatal(err)
			}
			_, shared := i.(toolscache.SharedIndexInformer)
			return []bool{i == again, shared, i.HasSynced(), i.IsStopped()}
		})
		same("handlers", func(m manager.Manager) (answers any) {
			i, err := m.GetCache().GetInformer(t.Context(), &corev1.Secret{})
			if err != nil {
				t.Fatal(err)
			}
			first, err := i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{})
			if err != nil {
				t.Fatal(err)
			}
			second, err := i.AddEventHandlerWithResyncPeriod(toolscache.ResourceEventHandlerFuncs{}, time.Hour)
			if err != nil || !toolscache.WaitForCacheSync(t.Context().Done(), first.HasSynced, second.HasSynced) {
				t.Fatal(err)
			}
			return []error{i.RemoveEventHandler(first), i.RemoveEventHandler(second)}
		})
		same("indices", func(m manager.Manager) any {
			var l corev1.SecretList
			return []error{m.GetCache().List(t.Context(), &l, client.MatchingFields{"kind": "x"}), m.GetCache().List(t.Context(), &l, client.MatchingFields{"none": "x"})}
		})
		same("a kind that nobody knows", func(m manager.Manager) any {
			_, err := m.GetCache().GetInformerForKind(t.Context(), corev1.SchemeGroupVersion.WithKind("Nothing"))
			return err.Error()
		})
		same("the end of an informer", func(m manager.Manager) any { return m.GetCache().RemoveInformer(t.Context(), &corev1.Secret{}) })
	}
	if version.Priorities == NoPriority {
		return
	}
	for _, asked := range []*bool{nil, new(bool), &yes} {
		o := manager.Options{Scheme: scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}}
		o.Controller.SkipNameValidation = &yes
		want := version.Priorities.ask(&o, asked)
		m, err := ctrl.NewManager(config(server), o)
		if err != nil {
			t.Fatal(err)
		}
		q := version.Options(none, m, controller.Options{}).NewQueue("web", nil)
		if _, marked := version.Marked(Marking{Queue: q}).(Marking); marked == want {
			t.Errorf("the queue is a priority queue: %v, and %v without recording", !marked, want)
		}
		q.ShutDown()
	}
	own := version.Options(none, nil, controller.Options{NewQueue: func(string, Limiter) Queue { return ownQueue{} }}).NewQueue("web", nil)
	if own.Len() != 42 {
		t.Errorf("a controller's own queue is not used: %T", own)
	}
}

var yes = true

// ownQueue is a queue of a program's own.
type ownQueue struct{ Queue }

func (ownQueue) Len() int { return 42 }
