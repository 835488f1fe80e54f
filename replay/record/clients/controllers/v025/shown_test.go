package v025

import (
	"bytes"
	"context"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/apiserver"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/trace"
)

// again lets a test run again in its process.
var again = controller.Options{SkipNameValidation: new(true)}

// shown serves the recording of a shop on a port, and returns a manager that has the port's kubeconfig.
func shown(t *testing.T, o apiserver.Options) (*apiserver.Server, *trace.Trace, manager.Manager) {
	t.Helper()
	packed, err := os.Open("../../../../../web/traces/shop.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	plain, err := file.Plain(packed)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(plain); err != nil {
		t.Fatal(err)
	}
	r := format.NewReader(format.Options{})
	if err := r.Write(text.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := apiserver.New(r.Trace(), bytes.NewReader(text.Bytes()), o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := serve.Secure(0, "apiserver", "shop")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go s.Run(ctx)
	go func() { served <- s.Serve(ctx, port, apiserver.HandlerOf(s.Server)) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.Close()
		port.Close()
	})
	c, err := clientcmd.BuildConfigFromFlags("", port.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	c.QPS = -1
	mgr, err := manager.New(c, options)
	if err != nil {
		t.Fatal(err)
	}
	return s, r.Trace(), mgr
}

// runs starts a manager.
func runs(t *testing.T, mgr manager.Manager) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	<-mgr.Elected() // its cache has started
}

// until waits until something is so.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestShown shows a recording to a manager. Its controller reconciles each Pod that was recorded, and at the end its cache has what the
// server has.
func TestShown(t *testing.T) {
	s, recorded, mgr := shown(t, apiserver.Options{Paused: true, Speed: 100})
	var mu sync.Mutex
	reconciled := map[string]bool{}
	err := builder.ControllerManagedBy(mgr).For(&corev1.Pod{}).WithOptions(again).Complete(reconcile.Func(func(_ context.Context, r reconcile.Request) (none reconcile.Result, err error) {
		mu.Lock()
		defer mu.Unlock()
		reconciled[r.String()] = true
		return none, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	runs(t, mgr)
	lacks := func(keys []string) bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.ContainsFunc(keys, func(key string) bool { return !reconciled[key] })
	}
	var first corev1.PodList
	if err := mgr.GetAPIReader().List(t.Context(), &first); err != nil || len(first.Items) == 0 {
		t.Fatalf("there are %d pods at the start: %v", len(first.Items), err)
	}
	var there []string
	for _, p := range first.Items {
		there = append(there, p.Namespace+"/"+p.Name)
	}
	until(t, "what is there isn't reconciled", func() bool { return !lacks(there) })
	s.Pause(false)
	var want []string
	for _, r := range recorded.Resources {
		if r.Resource != "pods" {
			continue
		}
		for _, rec := range r.Records {
			if rec.Obj != 0 && r.Table.Meta(rec.Obj).Name != 0 {
				want = append(want, r.Table.KeyText(r.Table.KeyOf(rec.Obj)))
			}
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	if len(want) < 5 {
		t.Fatalf("the recording has %q", want)
	}
	until(t, "some pods aren't reconciled", func() bool { return !lacks(want) })
	until(t, "the capture doesn't end", func() bool { st := s.State(); return st.At == st.End })
	versions := func(from client.Reader) (all []string) {
		var list corev1.PodList
		if err := from.List(t.Context(), &list); err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Items {
			all = append(all, p.Namespace+"/"+p.Name+"@"+p.ResourceVersion)
		}
		slices.Sort(all)
		return all
	}
	until(t, "the cache doesn't have what the server has", func() bool { return slices.Equal(versions(mgr.GetCache()), versions(mgr.GetAPIReader())) })
	mu.Lock()
	defer mu.Unlock()
	if len(reconciled) != len(want) {
		t.Errorf("%d keys were reconciled, and %d were recorded", len(reconciled), len(want))
	}
}

// TestShownTakesWrites has a controller write to each Deployment and to its status. The writes are in the server's overlay, the cache gets
// them, and what was recorded of these objects later isn't shown.
func TestShownTakesWrites(t *testing.T) {
	s, _, mgr := shown(t, apiserver.Options{Paused: true, From: 10 * time.Second, Writable: true})
	const note, condition = "example.com/seen", "Seen"
	cached := mgr.GetClient()
	is := func(d *appsv1.Deployment) bool {
		return d.Annotations[note] == "yes" && slices.ContainsFunc(d.Status.Conditions, func(c appsv1.DeploymentCondition) bool { return c.Type == condition })
	}
	err := builder.ControllerManagedBy(mgr).For(&appsv1.Deployment{}).WithOptions(again).Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (none reconcile.Result, err error) {
		var d appsv1.Deployment
		if err := cached.Get(ctx, r.NamespacedName, &d); err != nil || is(&d) {
			return none, client.IgnoreNotFound(err)
		}
		before := d.DeepCopy()
		d.Annotations = map[string]string{note: "yes"}
		if err := cached.Patch(ctx, &d, client.MergeFrom(before)); err != nil {
			return none, err
		}
		d.Status.Conditions = append(d.Status.Conditions, appsv1.DeploymentCondition{Type: condition, Status: corev1.ConditionTrue})
		return none, cached.Status().Update(ctx, &d)
	}))
	if err != nil {
		t.Fatal(err)
	}
	runs(t, mgr)
	all := func(from client.Reader) (list appsv1.DeploymentList) {
		if err := from.List(t.Context(), &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for name, from := range map[string]client.Reader{"server": mgr.GetAPIReader(), "cache": mgr.GetCache()} {
		until(t, "the "+name+" doesn't have what was written", func() bool {
			list := all(from).Items
			return len(list) > 0 && !slices.ContainsFunc(list, func(d appsv1.Deployment) bool { return !is(&d) })
		})
	}
	s.SetSpeed(1000)
	s.Pause(false)
	until(t, "no recorded change is hidden", func() bool { st := s.State(); return st.At == st.End && st.Hidden > 0 })
	s.SeekTo(int64(10 * time.Second))
	s.Pause(true)
	until(t, "the overlay isn't gone, or isn't written anew", func() bool {
		list := all(mgr.GetAPIReader()).Items
		return len(list) > 0 && !slices.ContainsFunc(list, func(d appsv1.Deployment) bool { return !is(&d) })
	})
}
