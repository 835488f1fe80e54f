// Package kcm137 records the ReplicaSet controller of kube-controller-manager v1.37: with its guard against a cache
// that lacks its own writes (StaleControllerConsistencyReplicaSet), and without the guard.
package kcm137

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/testserver"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // the errors are made on purpose
	m.Run()
}

func TestFaults(t *testing.T)        { faults(t, "unguarded", false) }
func TestFaultsGuarded(t *testing.T) { faults(t, "guarded", true) }

// faults records the controller once with each of clients.Faults.
func faults(t *testing.T, kind string, guarded bool) {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{"StaleControllerConsistencyReplicaSet": guarded}); err != nil {
		t.Fatal(err)
	}
	all, blind := 0, 0
	for _, f := range clients.Faults {
		t.Run(f.Name, func(t *testing.T) {
			sure, wrote := play(t, f, "replicaset-"+kind+"-"+f.Name)
			all += sure
			blind += wrote
		})
	}
	if all == 0 && !t.Failed() {
		t.Error("no reconcile was stale")
	}
	t.Logf("stale reconciles have written %d times", blind)
	if guarded && blind > 0 { // the guard ends a stale reconcile before it writes
		t.Errorf("with the guard, reconciles have written %d times while their cache lacked an earlier write", blind)
	}
}

var names = []string{"a", "b", "c"}

// play records the controller while somebody else writes to its ReplicaSets, and has the report confirmed.
// It returns how many reconciles were stale for sure, and how often reconciles wrote while they were.
func play(t *testing.T, f clients.Fault, name string) (sure, blind int) {
	lag := 30 * time.Millisecond
	server := testserver.New(testserver.Options{Lags: func(string) time.Duration { return lag }})
	defer server.Close()
	a := newAPI(server, f)
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{Host: "http://testserver", Transport: rec.Wrap(a), QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	client := kubernetes.NewForConfigOrDie(config)
	config.Transport = server
	others := kubernetes.NewForConfigOrDie(config).AppsV1().ReplicaSets("shop")
	for _, name := range names {
		two, labels := int32(2), map[string]string{"app": name}
		set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.ReplicaSetSpec{Replicas: &two, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}}}}
		if _, err := others.Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	cached, stop := start(t, a, rec, client)
	for i := 0; i < 10 || !settled(t, others); i++ {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"touched":"%d"}}}`, i)
		if i == 4 {
			patch = `{"spec":{"replicas":4}}`
		}
		for _, name := range names {
			if _, err := others.Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		// A key that failed often is put off for long, unless an event brings it back.
		<-time.After(12*time.Millisecond + time.Duration(max(0, i-10))*10*time.Millisecond)
		if i > 300 {
			t.Fatal("the controller doesn't come to an end")
		}
	}
	for late := time.Now().Add(time.Minute); !cached.caught(t, a, others); <-time.After(5 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("the cache doesn't get all that was written")
		}
	}
	stop()
	if err := rec.Close(); err != nil || rec.Lost() > 0 {
		t.Fatal(err, rec.Lost())
	}
	return a.Confirm(t, name, out.Bytes(), a.extra), a.blind
}

// start starts the controller with two workers. Stop ends it, when none of them is at work.
func start(t *testing.T, a *api, rec *record.Recorder, client *kubernetes.Clientset) (cached stores, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	factory := informers.NewSharedInformerFactory(client, 0)
	c := replicaset.NewReplicaSetController(ctx, factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods(), client, 500)
	cached = stores{"pods": factory.Core().V1().Pods().Informer().GetStore(), "replicasets": factory.Apps().V1().ReplicaSets().Informer().GetStore()}

	sync := field[func(context.Context, string) error](c, "syncHandler")
	whole := *sync
	recorded := record.Sync(rec, "replicaset", func(ctx context.Context, key string) error {
		a.syncs(key)
		return whole(ctx, key)
	})
	*sync = func(ctx context.Context, key string) error {
		a.Before(key, cached)
		return recorded(ctx, key)
	}
	queue := field[workqueue.TypedRateLimitingInterface[string]](c, "queue")
	(*queue).ShutDown()
	limiter := record.RateLimiter(rec, "replicaset", workqueue.DefaultTypedControllerRateLimiter[string]())
	*queue = record.Queue(rec, "replicaset", workqueue.NewTypedRateLimitingQueue(limiter))

	factory.Start(ctx.Done())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Run(ctx, 2)
	}()
	return cached, func() {
		(*queue).ShutDownWithDrain()
		cancel()
		<-ended
		factory.Shutdown()
	}
}

// field reaches a field of the controller that isn't exported.
func field[T any](c *replicaset.ReplicaSetController, name string) *T {
	return (*T)(unsafe.Pointer(reflect.ValueOf(c).Elem().FieldByName(name).UnsafeAddr()))
}

// sets are the ReplicaSets that the server has.
func sets(t *testing.T, others typed.ReplicaSetInterface) []appsv1.ReplicaSet {
	l, err := others.List(t.Context(), metav1.ListOptions{})
	if err != nil || len(l.Items) != len(names) {
		t.Fatal(len(l.Items), err)
	}
	return l.Items
}

// settled reports whether the status of each ReplicaSet tells what is wanted of it.
func settled(t *testing.T, others typed.ReplicaSetInterface) bool {
	for _, set := range sets(t, others) {
		if set.Status.Replicas != *set.Spec.Replicas || set.Status.ObservedGeneration != set.Generation {
			return false
		}
	}
	return true
}

// stores are the caches of the controller's informers, by resource.
type stores map[string]cache.Store

// GetByKey returns an object by its resource and its key.
func (s stores) GetByKey(object string) (any, bool, error) {
	resource, key, _ := strings.Cut(object, "/")
	return s[resource].GetByKey(key)
}

// caught reports whether the caches have what the server has. No pod is deleted.
func (s stores) caught(t *testing.T, a *api, others typed.ReplicaSetInterface) bool {
	for _, set := range sets(t, others) {
		o, there, err := s.GetByKey("replicasets/shop/" + set.Name)
		if err != nil || !there || o.(*appsv1.ReplicaSet).ResourceVersion != set.ResourceVersion {
			return false
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, of := range a.created {
		n += len(of)
	}
	return len(s["pods"].List()) == n
}
