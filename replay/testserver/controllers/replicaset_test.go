package controllers

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/informerscope/informerscope/replay/testserver/explore"
)

// replicas runs Kubernetes' ReplicaSet controller. It counts the pods at the end, or, if atMost is
// set, at any time.
func replicas(atMost bool) func(r *explore.Run) {
	return func(r *explore.Run) {
		client := kubernetes.NewForConfigOrDie(explore.Config[rest.Config](r))
		factory := informers.NewSharedInformerFactory(client, 0)
		c := replicaset.NewReplicaSetController(r.Context(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods(), client, 500)
		factory.Start(r.Context().Done())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.Run(r.Context(), 2)
		}()
		r.Cleanup(func() {
			<-ended
			factory.Shutdown()
		})
		direct := kubernetes.NewForConfigOrDie(&rest.Config{Host: explore.Host, Transport: r.Server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
		three, labels := int32(3), map[string]string{"app": "web"}
		set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.ReplicaSetSpec{Replicas: &three, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}}}}
		if _, err := direct.AppsV1().ReplicaSets("shop").Create(r.Context(), set, metav1.CreateOptions{}); err != nil {
			r.Fatal(err)
		}
		most, now := 0, 0
		look := func() {
			l, err := direct.CoreV1().Pods("shop").List(r.Context(), metav1.ListOptions{})
			if err != nil {
				r.Fatal(err)
			}
			now = len(l.Items)
			most = max(most, now)
		}
		for range 100 {
			look()
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(4 * time.Minute)
		look()
		if atMost && most > 3 {
			r.Errorf("there were %d pods of web, which wants 3", most)
		}
		if now != 3 {
			r.Errorf("there are %d pods of web, which wants 3", now)
		}
	}
}

// TestReplicasInTheEnd holds that nothing of a schedule keeps the controller from what is wanted.
func TestReplicasInTheEnd(t *testing.T) {
	explore.Explore(t, explore.Options{Runs: 60}, replicas(false))
}

// TestAPodTooMany finds that a create whose answer is lost counts as one that failed: the
// controller makes another pod, and deletes one afterwards.
func TestAPodTooMany(t *testing.T) {
	explore.FindKnown(t, explore.Options{Runs: 300, Folder: t.TempDir()}, replicas(true))
}
