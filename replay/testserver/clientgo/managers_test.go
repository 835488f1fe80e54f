package clientgo

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/replay/triggers"
)

// TestFieldManagersOfTriggers has three managers set, take and remove fields in every way there is, at random, sometimes several times a
// second. What a recording says of who made a change is right, or nothing.
func TestFieldManagersOfTriggers(t *testing.T) {
	var out bytes.Buffer
	made := map[string]string{} // managers, by resourceVersion
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{ManagedFields: true})
		config := &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
		rec := must(record.New(&out, record.Options{}))(t)
		recorded := rest.CopyConfig(config)
		recorded.Wrap(rec.Wrap)
		ctx, stop := context.WithCancel(t.Context())
		q := record.Queue(rec, "web", workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()))
		i := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(recorded), 0).Core().V1().ConfigMaps().Informer()
		add := func(obj any) {
			if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
				q.Add(key)
			}
		}
		must(i.AddEventHandler(rec.Handler("maps", cache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(_, obj any) { add(obj) }, DeleteFunc: add})))(t)
		go i.Run(ctx.Done())
		go func() {
			for {
				key, over := q.Get()
				if over {
					return
				}
				record.Sync(rec, "web", func(context.Context, string) error { return nil })(ctx, key)
				q.Done(key)
			}
		}()
		cache.WaitForCacheSync(ctx.Done(), i.HasSynced)
		maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("shop")
		r := rand.New(rand.NewPCG(1, 38))
		for range 600 {
			by, name, field, value := fmt.Sprint("m", r.IntN(3)), fmt.Sprint("o", r.IntN(3)), fmt.Sprint("f", r.IntN(4)), fmt.Sprint(r.IntN(3))
			o, err := maps.Get(ctx, name, metav1.GetOptions{})
			switch is := r.IntN(6); {
			case err != nil:
				o, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{field: value}}, metav1.CreateOptions{FieldManager: by})
			case is == 0:
				delete(o.Data, field)
				o, err = maps.Update(ctx, o, metav1.UpdateOptions{FieldManager: by})
			case is == 1:
				o, err = maps.Apply(ctx, core.ConfigMap(name, "shop").WithData(map[string]string{field: value}), metav1.ApplyOptions{FieldManager: by, Force: true})
			case is == 2:
				o, err = maps.Patch(ctx, name, types.MergePatchType, fmt.Appendf(nil, `{"data":{%q:null}}`, field), metav1.PatchOptions{FieldManager: by})
			case is == 3 && r.IntN(8) == 0:
				err = maps.Delete(ctx, name, metav1.DeleteOptions{})
			default:
				if o.Data == nil {
					o.Data = map[string]string{}
				}
				o.Data[field] = value
				o, err = maps.Update(ctx, o, metav1.UpdateOptions{FieldManager: by})
			}
			if err != nil {
				t.Fatal(err)
			}
			if o != nil && made[o.ResourceVersion] == "" { // it changed something
				made[o.ResourceVersion] = by
			}
			<-time.After(time.Duration(r.IntN(1500)) * time.Millisecond)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		q.ShutDown()
		stop()
		<-time.After(time.Hour)
		s.Close()
	})
	var log worker.Log
	tr := must(file.Read(bytes.NewReader(out.Bytes()), format.Options{OtherLine: log.Line}))(t)
	managers := triggers.Managers{Bytes: func(offset int64, n int) []byte { return out.Bytes()[offset:][:n] }}
	managers.Read(tr)
	gets := triggers.List(tr, &log)
	managers.Name(gets)
	changes, named := 0, map[string]int{}
	for _, g := range gets {
		for _, c := range g.Causes {
			if c.Class != triggers.Event || c.Call.Fn.String() == "OnDelete" {
				continue
			}
			changes++
			if rv := c.Resource.Table.RVText(c.Call.RV); c.Manager != "" {
				if named[c.Manager]++; made[rv] != c.Manager {
					t.Errorf("version %s is said to be made by %s, and was by %s", rv, c.Manager, made[rv])
				}
			}
		}
	}
	if n := named["m0"] + named["m1"] + named["m2"]; changes < 200 || n < changes/2 || len(named) != 3 {
		t.Errorf("of %d changes, %v are said to be those of somebody", changes, named)
	}
	t.Logf("%d changes: %v", changes, named)
	for _, c := range triggers.Sum(&log, gets)[0].Causes {
		if text := c.Text(); c.Class == triggers.Event && text != "changes of configmaps that no recorded write made" && text != "changes of configmaps by the field manager "+c.Manager {
			t.Error(text)
		}
	}
}
