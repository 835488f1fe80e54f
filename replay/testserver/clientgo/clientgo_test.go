// Package clientgo uses the simulated API server with client-go v0.37.
package clientgo

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/testserver"
)

var things = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "things"}

// run runs a test with a server in a bubble.
func run(t *testing.T, f func(ctx context.Context, s *testserver.Server, config *rest.Config)) {
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{Resources: []testserver.Resource{testserver.CustomResource("example.com", "v1", "things", "Thing")}})
		ctx, cancel := context.WithCancel(t.Context())
		defer func() {
			cancel()
			time.Sleep(time.Minute) // what waits for a time ends
			s.Close()
		}()
		f(ctx, s, &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	})
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "web"}}}
}

// TestInformer lets an informer follow the server over conflicts, a broken watch and 410.
func TestInformer(t *testing.T) {
	run(t, func(ctx context.Context, s *testserver.Server, config *rest.Config) {
		client := kubernetes.NewForConfigOrDie(config)
		maps := client.CoreV1().ConfigMaps("shop")
		a := must(maps.Create(ctx, configMap("a"), metav1.CreateOptions{}))(t)
		factory := informers.NewSharedInformerFactory(client, 0)
		inf := factory.Core().V1().ConfigMaps().Informer()
		var calls []string
		call := func(what string, o any) {
			c, _ := o.(*corev1.ConfigMap)
			calls = append(calls, what+" "+c.Name+"@"+c.ResourceVersion)
		}
		inf.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { call("add", o) },
			UpdateFunc: func(_, o any) { call("update", o) },
			DeleteFunc: func(o any) { call("delete", o) },
		})
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		stale := a.DeepCopy()
		a.Data = map[string]string{"n": "1"}
		a = must(maps.Update(ctx, a, metav1.UpdateOptions{}))(t)
		if _, err := maps.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
			t.Errorf("a write with an old resourceVersion: %v", err)
		}
		time.Sleep(time.Second)
		s.BreakWatches()
		must(maps.Patch(ctx, "a", types.MergePatchType, []byte(`{"data":{"n":"2"}}`), metav1.PatchOptions{}))(t)
		must(maps.Create(ctx, configMap("b"), metav1.CreateOptions{}))(t)
		time.Sleep(time.Minute)
		if err := maps.Delete(ctx, "a", *metav1.NewPreconditionDeleteOptions(string(a.UID))); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		s.Restart()
		time.Sleep(time.Minute)
		want := []string{"add a@2", "update a@3", "update a@4", "add b@5", "delete a@6"}
		if !slices.Equal(calls, want) {
			t.Errorf("the handler got\n%q, want\n%q", calls, want)
		}
	})
}

// TestPages reads a list in pages.
func TestPages(t *testing.T) {
	run(t, func(ctx context.Context, s *testserver.Server, config *rest.Config) {
		maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("shop")
		for i := range 25 {
			must(maps.Create(ctx, configMap("m"+strconv.Itoa(i)), metav1.CreateOptions{}))(t)
		}
		p := pager.New(pager.SimplePageFunc(func(o metav1.ListOptions) (runtime.Object, error) { return maps.List(ctx, o) }))
		p.PageSize = 10
		l, paged, err := p.List(ctx, metav1.ListOptions{})
		if err != nil || !paged {
			t.Fatal(paged, err)
		}
		n := 0
		if err := meta.EachListItem(l, func(runtime.Object) error { n++; return nil }); err != nil || n != 25 {
			t.Errorf("there are %d: %v", n, err)
		}
	})
}

// TestOthers uses the dynamic and the metadata client, discovery, retries and an election.
func TestOthers(t *testing.T) {
	run(t, func(ctx context.Context, s *testserver.Server, config *rest.Config) {
		groups := must(restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(config)))(t)
		mapping := must(restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(schema.GroupKind{Group: "example.com", Kind: "Thing"}))(t)
		if mapping.Resource != things || mapping.Scope.Name() != "namespace" {
			t.Errorf("a Thing is %v", mapping)
		}
		all := dynamic.NewForConfigOrDie(config).Resource(things).Namespace("shop")
		o := &unstructured.Unstructured{Object: map[string]any{"kind": "Thing", "apiVersion": "example.com/v1", "metadata": map[string]any{"generateName": "x-"}, "spec": map[string]any{"n": int64(1)}}}
		made := must(all.Create(ctx, o, metav1.CreateOptions{}))(t)
		made.Object["status"] = map[string]any{"ok": true}
		made = must(all.UpdateStatus(ctx, made, metav1.UpdateOptions{}))(t)
		if ok, _, _ := unstructured.NestedBool(made.Object, "status", "ok"); !ok || made.GetGeneration() != 1 {
			t.Errorf("the status is %v", made)
		}
		part := must(metadata.NewForConfigOrDie(config).Resource(things).Namespace("shop").Get(ctx, made.GetName(), metav1.GetOptions{}))(t)
		if part.UID != made.GetUID() {
			t.Errorf("its metadata is %v", part)
		}
		tries := 0
		err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
			tries++
			_, err := all.Update(ctx, made, metav1.UpdateOptions{})
			if tries == 1 {
				old := made.DeepCopy()
				old.SetResourceVersion("2")
				_, err = all.Update(ctx, old, metav1.UpdateOptions{})
			}
			return err
		})
		if err != nil || tries != 2 {
			t.Errorf("%d tries: %v", tries, err)
		}
		client := kubernetes.NewForConfigOrDie(config)
		lock := &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Namespace: "shop", Name: "l"}, Client: client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "me"}}
		led := make(chan struct{})
		go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { close(led) }, OnStoppedLeading: func() {}}})
		<-led
		time.Sleep(5 * time.Minute)
		if l := must(client.CoordinationV1().Leases("shop").Get(ctx, "l", metav1.GetOptions{}))(t); *l.Spec.HolderIdentity != "me" {
			t.Errorf("the lease is %v", l)
		}
	})
}

// TestWriteBack has a program write versions that it got from the server into its informer's store, older ones too, while
// others write to the server. The handler is called with the same here and in the engine, and the store has the same.
func TestWriteBack(t *testing.T) {
	for seed := range uint64(40) {
		run(t, func(ctx context.Context, _ *testserver.Server, config *rest.Config) {
			r := rand.New(rand.NewPCG(seed, 1))
			client := kubernetes.NewForConfigOrDie(config)
			maps := client.CoreV1().ConfigMaps("shop")
			inf := informers.NewSharedInformerFactory(client, 0).Core().V1().ConfigMaps().Informer()
			held := func(o any) string {
				return "shop/" + o.(*corev1.ConfigMap).Name + "@" + o.(*corev1.ConfigMap).ResourceVersion
			}
			var calls []string
			inf.AddEventHandler(cache.ResourceEventHandlerFuncs{
				AddFunc: func(o any) { calls = append(calls, "OnAdd "+held(o)) },
				UpdateFunc: func(old, o any) {
					calls = append(calls, "OnUpdate "+held(old)+"->"+o.(*corev1.ConfigMap).ResourceVersion)
				},
				DeleteFunc: func(o any) { calls = append(calls, "OnDelete "+held(o)) },
			})
			go inf.Run(ctx.Done())
			lines := []string{"profile current", "server revision=1", "informer configmaps", "handler h"}
			answers := map[string][]*corev1.ConfigMap{} // of the server, by name
			for range 30 {
				lines = append(lines, "advance 1s")
				time.Sleep(time.Second)
				name := string(rune('a' + r.IntN(2)))
				o, err := maps.Get(ctx, name, metav1.GetOptions{})
				switch all := answers[name]; {
				case len(all) > 0 && r.IntN(2) == 0:
					back := all[r.IntN(len(all))]
					if err := inf.GetStore().Update(back); err != nil {
						t.Fatal(err)
					}
					lines = append(lines, "write back shop/"+name+" version="+back.ResourceVersion)
					continue
				case err != nil:
					o = must(maps.Create(ctx, configMap(name), metav1.CreateOptions{}))(t)
					lines = append(lines, "create configmap shop/"+name)
				case r.IntN(4) == 0:
					if err := maps.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
						t.Fatal(err)
					}
					lines = append(lines, "delete configmap shop/"+name)
					continue
				default:
					o.Data = map[string]string{"n": strconv.Itoa(r.Int())}
					o = must(maps.Update(ctx, o, metav1.UpdateOptions{}))(t)
					lines = append(lines, "update configmap shop/"+name)
				}
				answers[name] = append(answers[name], o)
			}
			time.Sleep(time.Second)
			var has []string
			for _, o := range inf.GetStore().List() {
				has = append(has, held(o))
			}
			slices.Sort(has)
			lines = append(lines, "advance 1s", "expect notified h ["+strings.Join(calls, ", ")+"]", "expect store ["+strings.Join(has, " ")+"]")
			text := strings.Join(lines, "\n")
			if err := script.NewRunner(func(script.Entry) {}).Play(text); err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, text)
			}
		})
	}
}
