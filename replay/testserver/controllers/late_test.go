package controllers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestAddedLate adds a controller to a manager whose cache of its objects has run for some seconds, in which somebody has written.
// Here and in the engine it reconciles the same keys as often: what was deleted before it came, never.
func TestAddedLate(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { playAddedLate(t, rand.New(rand.NewPCG(seed, 2))) })
		})
	}
}

func playAddedLate(t *testing.T, r *rand.Rand) {
	s := testserver.New(testserver.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	defer func() {
		cancel()
		<-ended
		time.Sleep(time.Minute) // what waits for a time ends
		s.Close()
	}()
	cfg := &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	maps := kubernetes.NewForConfigOrDie(cfg).CoreV1().ConfigMaps("shop")
	unnamed := true
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: scheme.Scheme, Metrics: server.Options{BindAddress: "0"}, Controller: config.Controller{SkipNameValidation: &unnamed}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		if err := mgr.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	if _, err := mgr.GetCache().GetInformer(ctx, &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}

	late := 2 + r.IntN(8) // when the controller is added, in seconds
	lines := []string{"profile current", fmt.Sprintf("informer configmaps\ncontroller configmaps program=return runtime=v0.25 from=%dms", late*1000+500)}
	reconciled := map[string]int{}
	names := []string{"a", "b", "c"}
	for second := 1; second <= late+6; second++ {
		time.Sleep(time.Second)
		lines = append(lines, fmt.Sprintf("advance to %ds", second))
		name := names[r.IntN(len(names))]
		o, err := maps.Get(ctx, name, metav1.GetOptions{})
		verb := "update"
		switch {
		case err != nil:
			verb = "create"
			_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		case r.IntN(2) == 0:
			verb = "delete"
			err = maps.Delete(ctx, name, metav1.DeleteOptions{})
		default:
			o.Data = map[string]string{"n": fmt.Sprint(r.Int64())}
			_, err = maps.Update(ctx, o, metav1.UpdateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, verb+" configmap shop/"+name)
		if second == late {
			time.Sleep(time.Second / 2)
			err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Named("late").Complete(reconcile.Func(func(_ context.Context, req reconcile.Request) (reconcile.Result, error) {
				reconciled[req.Name]++
				return reconcile.Result{}, nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second / 2)
			second++
			lines = append(lines, fmt.Sprintf("advance to %ds", second))
		}
	}
	time.Sleep(time.Second)
	lines = append(lines, "advance 1s")
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, fmt.Sprintf(`expect count(reconcile("shop/%s")) == %d`, name, reconciled[name]))
	}
	text := strings.Join(lines, "\n")
	if err := script.NewRunner(func(script.Entry) {}).Play(text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
