package causes

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestInformers holds what a recording tells of the informers of a manager: one that a controller is built with, and one that nobody
// asked for, since a reconcile reads Secrets through the cache.
func TestInformers(t *testing.T) {
	server := testserver.New(testserver.Options{})
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	direct, err := client.New(config(server), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []client.Object{
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "a"}}, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "b"}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "s"}, Data: map[string][]byte{"x": bytes.Repeat([]byte("x"), 1000)}},
	} {
		if err := direct.Create(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorded := config(server)
	recorded.Wrap(rec.Wrap)
	atOnce := time.Duration(0)
	options := manager.Options{Scheme: scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}, GracefulShutdownTimeout: &atOnce}
	mgr, err := version.NewManager(rec, recorded, options)
	if err != nil {
		t.Fatal(err)
	}
	var reads atomic.Int64
	enough := make(chan struct{})
	err = ctrl.NewControllerManagedBy(mgr).Named("web").For(&corev1.ConfigMap{}).
		Complete(reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
			var all corev1.SecretList
			if err := mgr.GetClient().List(ctx, &all); err != nil {
				return reconcile.Result{}, err
			}
			if reads.Add(1) == 20 {
				close(enough)
			}
			return reconcile.Result{RequeueAfter: time.Millisecond}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	select {
	case <-enough:
	case err := <-ended:
		t.Fatal(err)
	case <-ctx.Done():
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	stop()
	<-ended

	for _, line := range []string{`"queue":"web"`, `"controller":"web"`} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no line has %s", line)
		}
	}
	tr, err := file.Read(bytes.NewReader(out.Bytes()), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := make([]informers.Contents, len(tr.Resources))
	for i, r := range tr.Resources {
		held[i] = informers.HeldBy(r, nil)
	}
	all := map[string]informers.Informer{}
	for _, x := range informers.List(tr, held) {
		all[x.Resource] = x
	}
	maps, secrets := all["configmaps"], all["secrets"]
	if maps.Objects != 2 || maps.Synced == 0 || len(maps.Handlers) != 1 || maps.Handlers[0].Name != "ConfigMap" || len(maps.Reads) != 0 {
		t.Errorf("the informer of ConfigMaps is %+v", maps)
	}
	switch by := secrets.Started; {
	case by == nil || by.File != "informers_test.go" || by.Approximate || by.Library || !strings.Contains(by.Func, "causes.TestInformers"):
		t.Errorf("Secrets are started by %+v", by)
	case secrets.Objects != 1 || secrets.Form != trace.Typed || secrets.Heap == nil || len(secrets.Handlers) != 0:
		t.Errorf("the informer of Secrets is %+v", secrets)
	case len(secrets.Reads) != 1 || secrets.Reads[0].Fn != "List" || secrets.Reads[0].Site != by.Site || secrets.Reads[0].N < 16 || secrets.Reads[0].N > reads.Load():
		t.Errorf("Secrets are read by %+v, and %d reads were made", secrets.Reads, reads.Load())
	}
}
