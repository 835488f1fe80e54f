//go:build unix && !beforev021

package causes

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/informerscope/informerscope/replay/record/controllerruntime"
	"github.com/informerscope/informerscope/replay/record/recordtest"
	"github.com/informerscope/informerscope/replay/testserver"
)

// copies reconciles ConfigMaps: each has a Secret of its name.
type copies struct{ client.Client }

func (c *copies) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var from corev1.ConfigMap
	if err := c.Get(ctx, req.NamespacedName, &from); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var to corev1.Secret
	err := c.Get(ctx, req.NamespacedName, &to)
	if client.IgnoreNotFound(err) != nil || err == nil {
		return ctrl.Result{}, err
	}
	to = corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if err := ctrl.SetControllerReference(&from, &to, c.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(c.Create(ctx, &to))
}

// passing is the test of a suite, as recordtest sees it.
type passing struct {
	*testing.B
	cleanups []func()
}

func (p *passing) Cleanup(f func()) { p.cleanups = append(p.cleanups, f) }

// suite does nothing but reconcile n objects, as fast as the simulated server answers, and returns the processor's time.
func suite(b *testing.B, n int, recorded bool) time.Duration {
	server := testserver.New(testserver.Options{})
	defer server.Close()
	config := &rest.Config{Host: "http://testserver", Transport: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	before := processor(b)
	p := &passing{B: b}
	o := manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}}
	newManager := func() (manager.Manager, error) { return ctrl.NewManager(config, o) }
	if recorded {
		ring := recordtest.New(p, config, recordtest.Options{Folder: b.TempDir()})
		newManager = func() (manager.Manager, error) { return controllerruntime.NewManager(ring, config, o) }
	} else {
		skip := true
		o.Controller.SkipNameValidation = &skip
	}
	mgr, err := newManager()
	if err != nil {
		b.Fatal(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(&copies{mgr.GetClient()}); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	if !mgr.GetCache().WaitForCacheSync(ctx) {
		b.Fatal("not synced")
	}
	w, err := client.NewWithWatch(&rest.Config{Host: "http://testserver", Transport: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all, err := w.Watch(ctx, &corev1.SecretList{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		if err := w.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("c", i), Namespace: "shop"}, Data: map[string]string{"a": "b"}}); err != nil {
			b.Fatal(err)
		}
	}
	for range n {
		<-all.ResultChan()
	}
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	for _, f := range slices.Backward(p.cleanups) {
		f()
	}
	return processor(b) - before
}

func processor(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSuite measures by turns what recordtest costs a suite that passes.
func BenchmarkSuite(b *testing.B) {
	const objects = 400
	var plain, recorded []time.Duration
	for b.Loop() {
		plain = append(plain, suite(b, objects, false))
		recorded = append(recorded, suite(b, objects, true))
	}
	slices.Sort(plain)
	slices.Sort(recorded)
	without, with := plain[len(plain)/2].Seconds(), recorded[len(recorded)/2].Seconds()
	b.ReportMetric(100*(with/without-1), "%more-cpu")
	b.ReportMetric(1e6*(with-without)/objects, "cpu-µs/object")
	b.ReportMetric(1e3*without, "cpu-ms")
}
