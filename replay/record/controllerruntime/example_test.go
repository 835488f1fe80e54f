package controllerruntime_test

import (
	"context"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/controllerruntime"
)

// Webs reconciles Deployments. Each Deployment has a Service. GitHub tells it of pushes.
type Webs struct {
	client.Client
	Recorder *record.Recorder
	GitHub   chan event.GenericEvent
}

// Reconcile is called for a Deployment.
func (w *Webs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var d appsv1.Deployment
	return ctrl.Result{}, client.IgnoreNotFound(w.Get(ctx, req.NamespacedName, &d))
}

// SetupWithManager adds the controller to a manager.
func (w *Webs) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("web").
		For(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WatchesRawSource(source.Channel(w.GitHub, controllerruntime.Source(w.Recorder, "github", &handler.EnqueueRequestForObject{}))).
		Complete(w)
}

// A manager and a controller in the shape that kubebuilder makes them. "informerscope controller web.trace.jsonl
// --triggers" says what woke the controller.
func Example() {
	file, err := os.Create("web.trace.jsonl")
	if err != nil {
		panic(err)
	}
	rec, err := record.New(file, record.Options{})
	if err != nil {
		panic(err)
	}
	config := ctrl.GetConfigOrDie()
	config.Wrap(rec.Wrap)
	mgr, err := controllerruntime.NewManager(rec, config, ctrl.Options{})
	if err != nil {
		panic(err)
	}
	webs := &Webs{Client: mgr.GetClient(), Recorder: rec, GitHub: make(chan event.GenericEvent)}
	if err := webs.SetupWithManager(mgr); err != nil {
		panic(err)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
	if err := rec.Close(); err != nil {
		panic(err)
	}
}
