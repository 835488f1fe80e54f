package v025

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record/clients"
)

// TestTried holds what a server that misbehaves does to a manager whose controller keeps a Service for each ConfigMap.
func TestTried(t *testing.T) {
	clients.Try(t, map[string]string{"restore": "not-within missed missing differs"}, manage)
}

// manage runs the manager until the process is ended.
func manage(t *testing.T, c *rest.Config) {
	mgr, err := manager.New(c, options)
	if err != nil {
		t.Fatal(err)
	}
	cached := mgr.GetClient()
	err = builder.ControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&corev1.Service{}).Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (none reconcile.Result, err error) {
		var of corev1.ConfigMap
		if err := cached.Get(ctx, r.NamespacedName, &of); err != nil || !strings.HasPrefix(of.Name, "try-") {
			return none, client.IgnoreNotFound(err)
		}
		s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: of.Namespace, Name: of.Name + "-copy"}}
		_, err = controllerutil.CreateOrUpdate(ctx, cached, s, func() error {
			s.Spec.Type, s.Spec.ExternalName = corev1.ServiceTypeExternalName, of.Data["try"]
			return controllerutil.SetControllerReference(&of, s, mgr.GetScheme())
		})
		return none, err
	}))
	if err == nil {
		err = mgr.Start(context.Background())
	}
	t.Fatal(err)
}
