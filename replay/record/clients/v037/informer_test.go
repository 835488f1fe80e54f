package v037

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/report/costs"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

var webs = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "webs"}

// smallPods writes pods of about 800 bytes, half of them in the namespace shop.
func smallPods(t *testing.T, config *rest.Config) {
	client := kubernetes.NewForConfigOrDie(config)
	for i := range 500 {
		space := []string{"shop", "other"}[i%2]
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%05d-x%03d", i, i%7), Labels: map[string]string{"app": fmt.Sprint("web-", i%4), "team": "gold"}},
			Spec: corev1.PodSpec{NodeName: fmt.Sprint("node-", i%50), ServiceAccountName: "default", Containers: []corev1.Container{{
				Name: "web", Image: "registry.example.com/shop/web:1.2.3", Args: []string{"--listen", ":8080"},
				Env: []corev1.EnvVar{{Name: "POD_NUMBER", Value: fmt.Sprint(i)}},
			}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: fmt.Sprint("10.0.0.", i%250), Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
		}
		if _, err := client.CoreV1().Pods(space).Create(t.Context(), p, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// largeWebs writes custom resources of about 20 kB.
func largeWebs(t *testing.T, config *rest.Config) {
	client := dynamic.NewForConfigOrDie(config)
	for i := range 50 {
		var rules []any
		for n := range 80 {
			rules = append(rules, map[string]any{
				"name": fmt.Sprintf("rule-%d-of-%d", n, i), "port": int64(8000 + n), "weight": 0.5, "enabled": n%2 == 0,
				"match": map[string]any{"path": "/api/v1/things/" + strings.Repeat("x", n%30), "methods": []any{"GET", "POST"}}, "owner": "team-" + fmt.Sprint(n%9),
			})
		}
		web := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Web", "metadata": map[string]any{"name": fmt.Sprint("web-", i)}, "spec": map[string]any{"rules": rules},
		}}
		if _, err := client.Resource(webs).Namespace("shop").Create(t.Context(), web, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCacheOfAProcess holds what is estimated of the heap of a cache against pprof's: of small pods, of large custom resources,
// and of metadata only, where each informer is started in another way. It also holds who started each.
func TestCacheOfAProcess(t *testing.T) {
	for _, c := range []struct {
		name   string
		fill   func(*testing.T, *rest.Config)
		start  func(ctx context.Context, config *rest.Config, handle func(cache.SharedIndexInformer)) func() bool
		form   trace.Form
		starts string // the function and whether it was near
	}{
		{"small pods", smallPods, func(ctx context.Context, config *rest.Config, handle func(cache.SharedIndexInformer)) func() bool {
			informer := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(config), 0).Core().V1().Pods().Informer()
			handle(informer)
			go informer.Run(ctx.Done())
			return informer.HasSynced
		}, trace.Typed, "TestCacheOfAProcess.func1 false"},
		{"large custom resources", largeWebs, func(ctx context.Context, config *rest.Config, handle func(cache.SharedIndexInformer)) func() bool {
			factory := dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0)
			informer := factory.ForResource(webs).Informer()
			handle(informer)
			go runs(ctx, informer)
			return informer.HasSynced
		}, trace.Unstructured, "runs false"},
		{"metadata only", smallPods, func(ctx context.Context, config *rest.Config, handle func(cache.SharedIndexInformer)) func() bool {
			factory := metadatainformer.NewSharedInformerFactory(metadata.NewForConfigOrDie(config), 0)
			informer := factory.ForResource(corev1.SchemeGroupVersion.WithResource("pods")).Informer()
			handle(informer)
			factory.Start(ctx.Done())
			factory.WaitForCacheSync(ctx.Done())
			return informer.HasSynced
		}, trace.MetadataOnly, "TestCacheOfAProcess.func3 true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := testserver.New(testserver.Options{Resources: []testserver.Resource{testserver.CustomResource(webs.Group, webs.Version, webs.Resource, "Web")}})
			defer server.Close()
			config := &rest.Config{Host: "http://testserver", Transport: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
			c.fill(t, config)

			var out bytes.Buffer
			rec, err := record.New(&out, record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			config = rest.CopyConfig(config)
			config.Wrap(rec.Wrap)
			every := runtime.MemProfileRate
			runtime.MemProfileRate = 1
			defer func() { runtime.MemProfileRate = every }()
			before := heapOfClients()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var kept cache.SharedIndexInformer
			synced := c.start(ctx, config, func(i cache.SharedIndexInformer) {
				kept = i
				i.AddEventHandler(rec.Handler("web", cache.ResourceEventHandlerFuncs{}))
			})
			if !cache.WaitForCacheSync(ctx.Done(), synced) {
				t.Fatal("not synced")
			}
			took := heapOfClients() - before
			runtime.KeepAlive(kept)
			if c.form == trace.Typed {
				record.Read(rec, "List", "Pod", &corev1.Pod{}) // as what stands before a lister does
			}
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}

			r := format.NewReader(format.Options{})
			m := costs.New(r.Trace(), costs.Options{Cache: true, Bytes: func(offset int64, length int) []byte { return out.Bytes()[offset:][:length] }})
			if err := r.Write(out.Bytes()); err != nil {
				t.Fatal(err)
			}
			m.Grown()
			all := m.Cache().Informers
			if len(all) != 1 || all[0].Heap == nil || all[0].Started == nil || len(all[0].Handlers) != 1 {
				t.Fatalf("%+v\n%.2000s", all, out.String())
			}
			x := all[0]
			t.Logf("%d objects, %d bytes of JSON: %d bytes of heap, estimated as %d (%+.0f %%), %d to %d",
				x.Objects, x.Bytes, took, x.Heap.Bytes, 100*float64(x.Heap.Bytes-took)/float64(took), x.Heap.Min, x.Heap.Max)
			if took < x.Heap.Min || took > x.Heap.Max {
				t.Error("the heap is not between the least and the most")
			}
			if x.Form != c.form || x.Objects != int64(len(kept.GetStore().ListKeys())) || x.Synced == 0 {
				t.Errorf("form %s, %d objects, synced at %d", x.Form, x.Objects, x.Synced)
			}
			_, function, _ := strings.Cut(x.Started.Func, ".")
			if got := fmt.Sprint(function, " ", x.Started.Approximate); got != c.starts || x.Started.File != "informer_test.go" || x.Started.Line == 0 {
				t.Errorf("started by %+v", x.Started)
			}
			if h := x.Handlers[0]; h.Name != "web" || h.File != "informer_test.go" {
				t.Errorf("the handler is %+v", h)
			}
			if c.form == trace.Typed && (len(x.Reads) != 1 || x.Reads[0].File != "informer_test.go") {
				t.Errorf("the cache is read by %+v", x.Reads)
			}
			saved := map[string]int64{}
			for _, s := range x.Saved {
				if saved[s.Restriction+s.Name] = s.Objects; s.Heap > x.Heap.Bytes {
					t.Errorf("%+v is more than %d", s, x.Heap.Bytes)
				}
			}
			want := map[string]int64{"namespaceshop": 250, "namespaceother": 250, "metadata": 500}
			if c.form == trace.Unstructured {
				want = map[string]int64{"metadata": 50}
			}
			if c.form == trace.MetadataOnly {
				delete(want, "metadata")
			}
			for what, n := range want {
				if saved[what] != n {
					t.Errorf("%s would leave %d objects, and not %d: %+v", what, saved[what], n, x.Saved)
				}
			}
			if saved["labelteam=gold"] != 0 || c.form != trace.Unstructured && len(x.Saved) != len(want)+3 {
				t.Errorf("the savings are %+v", x.Saved)
			}
		})
	}
}

func runs(ctx context.Context, informer cache.SharedIndexInformer) {
	informer.Run(ctx.Done())
}

// heapOfClients returns how many bytes of heap are in use that code of Kubernetes has allocated, by the profile of pprof.
func heapOfClients() (n int64) {
	for range 3 { // a profile lags behind by two collections
		runtime.GC()
	}
	var all []runtime.MemProfileRecord
	for count, ok := runtime.MemProfile(nil, false); !ok; {
		all = make([]runtime.MemProfileRecord, count+100)
		count, ok = runtime.MemProfile(all, false)
		all = all[:min(count, len(all))]
	}
	for i := range all {
		client, other := false, false
		frames := runtime.CallersFrames(all[i].Stack())
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			client = client || strings.Contains(f.Function, "k8s.io/")
			other = other || strings.Contains(f.Function, "informerscope/replay/testserver") || strings.Contains(f.Function, "informerscope/replay/record.")
		}
		if client && !other {
			n += all[i].InUseBytes()
		}
	}
	return n
}
