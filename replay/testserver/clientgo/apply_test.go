package clientgo

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apps "k8s.io/client-go/applyconfigurations/apps/v1"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	meta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informerscope/informerscope/replay/testserver"
)

// TestServerSideApply has two managers apply a deployment, an update take a field over, and a
// conflict.
func TestServerSideApply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{ManagedFields: true, Resources: []testserver.Resource{testserver.CustomResource("example.com", "v1", "things", "Thing")}})
		defer s.Close()
		config := &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, UserAgent: "test/1", ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
		ctx := context.Background()
		all := kubernetes.NewForConfigOrDie(config).AppsV1().Deployments("shop")
		container := func(name, image string) *core.ContainerApplyConfiguration {
			return core.Container().WithName(name).WithImage(image)
		}
		deployment := func(replicas int32, containers ...*core.ContainerApplyConfiguration) *apps.DeploymentApplyConfiguration {
			spec := apps.DeploymentSpec().WithSelector(meta.LabelSelector().WithMatchLabels(map[string]string{"app": "web"})).
				WithTemplate(core.PodTemplateSpec().WithSpec(core.PodSpec().WithContainers(containers...)))
			if replicas > 0 {
				spec.WithReplicas(replicas)
			}
			return apps.Deployment("web", "shop").WithSpec(spec)
		}
		d := must(all.Apply(ctx, deployment(2, container("main", "web:1")), metav1.ApplyOptions{FieldManager: "one"}))(t)
		if *d.Spec.Replicas != 2 || d.Generation != 1 || len(d.ManagedFields) != 1 || d.ManagedFields[0].Manager != "one" || d.ManagedFields[0].Operation != metav1.ManagedFieldsOperationApply {
			t.Errorf("it is made as %+v", d)
		}
		time.Sleep(time.Minute)
		again := must(all.Apply(ctx, deployment(2, container("main", "web:1")), metav1.ApplyOptions{FieldManager: "one"}))(t)
		if again.ResourceVersion != d.ResourceVersion {
			t.Errorf("the same again is version %s, after %s", again.ResourceVersion, d.ResourceVersion)
		}
		// Lists are merged by their keys: each manager has a container.
		d = must(all.Apply(ctx, deployment(0, container("side", "side:1")), metav1.ApplyOptions{FieldManager: "two"}))(t)
		if n := len(d.Spec.Template.Spec.Containers); n != 2 || len(d.ManagedFields) != 2 || *d.Spec.Replicas != 2 {
			t.Errorf("there are %d containers, and %v", n, d.ManagedFields)
		}
		_, err := all.Apply(ctx, deployment(5, container("side", "side:1")), metav1.ApplyOptions{FieldManager: "two"})
		if !apierrors.IsConflict(err) {
			t.Errorf("another number of replicas: %v", err)
		}
		d = must(all.Apply(ctx, deployment(5, container("side", "side:1")), metav1.ApplyOptions{FieldManager: "two", Force: true}))(t)
		if *d.Spec.Replicas != 5 {
			t.Errorf("there are %d replicas", *d.Spec.Replicas)
		}
		// What a manager applies no more is gone.
		d = must(all.Apply(ctx, deployment(0, container("main", "web:2")), metav1.ApplyOptions{FieldManager: "two", Force: true}))(t)
		if c := d.Spec.Template.Spec.Containers; len(c) != 1 || c[0].Image != "web:2" || d.Spec.Replicas != nil {
			t.Errorf("the containers are %v, of %v replicas", c, d.Spec.Replicas)
		}
		seven := int32(7)
		d.Spec.Replicas = &seven
		d = must(all.Update(ctx, d, metav1.UpdateOptions{}))(t)
		if _, err := all.Apply(ctx, deployment(8, container("main", "web:1")), metav1.ApplyOptions{FieldManager: "one"}); !apierrors.IsConflict(err) {
			t.Errorf("what an update has set: %v, %v", err, d.ManagedFields)
		}
		_, err = all.Apply(ctx, deployment(1), metav1.ApplyOptions{})
		if !apierrors.IsInvalid(err) {
			t.Errorf("without a manager: %v", err)
		}

		things := dynamic.NewForConfigOrDie(config).Resource(things).Namespace("shop")
		thing := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"n": int64(1), "list": []any{"x"}}}}
		o := must(things.Apply(ctx, "a", thing, metav1.ApplyOptions{FieldManager: "one"}))(t)
		if n, _, _ := unstructured.NestedInt64(o.Object, "spec", "n"); n != 1 || o.GetGeneration() != 1 {
			t.Errorf("the thing is %v", o)
		}
		thing.Object["status"] = map[string]any{"ok": true}
		o = must(things.ApplyStatus(ctx, "a", thing, metav1.ApplyOptions{FieldManager: "two"}))(t)
		if ok, _, _ := unstructured.NestedBool(o.Object, "status", "ok"); !ok || len(o.GetManagedFields()) != 2 {
			t.Errorf("its status is %v", o)
		}
	})
}
