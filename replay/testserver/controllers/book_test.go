// Package controllers explores schedules of controllers that others have written, and of one in
// the shape that the Kubebuilder book teaches.
package controllers

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record/controllerruntime"
	"github.com/informerscope/informerscope/replay/testserver/explore"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = nil // see package explore
	explore.Main(m)
}

// book is a reconciler as the book has it: it lists the children, makes what is missing, and
// writes down how many there are. Each configmap wants as many secrets as it says.
type book struct {
	client.Client
	named bool // children have names that can't be given twice
}

func (b *book) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var owner corev1.ConfigMap
	if err := b.Get(ctx, req.NamespacedName, &owner); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	var children corev1.SecretList
	if err := b.List(ctx, &children, client.InNamespace(req.Namespace), client.MatchingLabels{"for": req.Name}); err != nil {
		return reconcile.Result{}, err
	}
	want, err := strconv.Atoi(owner.Data["children"])
	if err != nil {
		return reconcile.Result{}, reconcile.TerminalError(err)
	}
	for i := len(children.Items); i < want; i++ {
		child := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, GenerateName: req.Name + "-", Labels: map[string]string{"for": req.Name}}}
		if b.named {
			child.GenerateName, child.Name = "", req.Name+"-"+strconv.Itoa(i)
		}
		if err := controllerutil.SetControllerReference(&owner, child, b.Scheme()); err != nil {
			return reconcile.Result{}, err
		}
		if err := b.Create(ctx, child); err != nil {
			return reconcile.Result{}, err
		}
	}
	if seen := strconv.Itoa(len(children.Items)); owner.Annotations["seen"] != seen {
		owner.Annotations = map[string]string{"seen": seen}
		return reconcile.Result{}, b.Update(ctx, &owner)
	}
	return reconcile.Result{}, nil
}

// bookTest runs the controller in a manager, and counts the children at the end.
func bookTest(named bool) func(r *explore.Run) {
	return func(r *explore.Run) {
		options := ctrl.Options{Scheme: scheme.Scheme, Metrics: server.Options{BindAddress: "0"}}
		mgr, err := controllerruntime.NewManager(r.Recorder, explore.Config[rest.Config](r), options)
		for err != nil { // the run's faults may meet discovery
			time.Sleep(time.Second)
			mgr, err = controllerruntime.NewManager(r.Recorder, explore.Config[rest.Config](r), options)
		}
		b := &book{Client: mgr.GetClient(), named: named}
		if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Named("book").Complete(b); err != nil {
			r.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if err := mgr.Start(r.Context()); err != nil {
				r.Errorf("the manager: %v", err)
			}
		}()
		r.Cleanup(func() { <-ended })
		direct := kubernetes.NewForConfigOrDie(&rest.Config{Host: explore.Host, Transport: r.Server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
		owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"children": "1"}}
		if _, err := direct.CoreV1().ConfigMaps("shop").Create(r.Context(), owner, metav1.CreateOptions{}); err != nil {
			r.Fatal(err)
		}
		time.Sleep(2 * time.Minute)
		l, err := direct.CoreV1().Secrets("shop").List(r.Context(), metav1.ListOptions{})
		if err != nil {
			r.Fatal(err)
		}
		if len(l.Items) != 1 {
			r.Errorf("there are %d children of a, which wants 1", len(l.Items))
		}
	}
}

// TestTheBooksRace finds that a reconcile lists its children before the cache has the one that
// the reconcile before it has made.
func TestTheBooksRace(t *testing.T) {
	f := explore.FindKnown(t, explore.Options{Runs: 300, Folder: t.TempDir()}, bookTest(false))
	if f.Reproduced != f.Tries {
		t.Errorf("seed %d fails %d of %d times again, and parts at %s", f.Seed, f.Reproduced, f.Tries, f.Parts)
	}
	trace, err := os.ReadFile(f.Trace)
	for _, of := range []string{`"reconcile"`, `"queue":"book"`, `"handler":"ConfigMap"`, `"handler":"Secret"`} {
		if err != nil || !bytes.Contains(trace, []byte(of)) {
			t.Errorf("the trace, %v, has no %s", err, of)
		}
	}
}

func TestNamesThatCantBeGivenTwice(t *testing.T) {
	explore.Explore(t, explore.Options{Runs: 60}, bookTest(true))
}
