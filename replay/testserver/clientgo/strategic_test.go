package clientgo

import (
	"context"
	"testing"
	"testing/synctest"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informerscope/informerscope/replay/testserver"
)

// TestStrategicMergePatch patches a deployment as kubectl does: containers are merged by their names. What a
// server doesn't take it refuses, and the object stays.
func TestStrategicMergePatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{Resources: []testserver.Resource{testserver.CustomResource("example.com", "v1", "things", "Thing")}})
		defer s.Close()
		config := &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
		ctx := context.Background()
		all := kubernetes.NewForConfigOrDie(config).AppsV1().Deployments("shop")
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"a": "1", "b": "2"}, Finalizers: []string{"example.com/x"}}}
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:1"}, {Name: "side", Image: "side:1"}}
		d = must(all.Create(ctx, d, metav1.CreateOptions{}))(t)
		patch := func(text string) (*appsv1.Deployment, error) {
			return all.Patch(ctx, "web", types.StrategicMergePatchType, []byte(text), metav1.PatchOptions{})
		}
		d = must(patch(`{"metadata":{"labels":{"a":null},"finalizers":["example.com/y"]},"spec":{"template":{"spec":{"containers":[{"name":"main","image":"web:2"},{"name":"side","$patch":"delete"},{"name":"more","image":"more:1"}]}}}}`))(t)
		c := d.Spec.Template.Spec.Containers
		if len(c) != 2 || c[0].Name+c[0].Image != "mainweb:2" || c[1].Name != "more" || len(d.Labels) != 1 || len(d.Finalizers) != 2 || d.Generation != 2 {
			t.Errorf("it is %v with %v, %v, generation %d", c, d.Labels, d.Finalizers, d.Generation)
		}
		for _, bad := range []string{`{`, `{"spec":{"template":{"spec":{"containers":[{"image":"no name"}]}}}}`, `{"metadata":{"name":"other"}}`} {
			if _, err := patch(bad); err == nil {
				t.Errorf("%s is taken", bad)
			}
		}
		if _, err := patch(`{`); !apierrors.IsBadRequest(err) {
			t.Errorf("what is no JSON gives %v", err)
		}
		if now := must(all.Get(ctx, "web", metav1.GetOptions{}))(t); now.ResourceVersion != d.ResourceVersion {
			t.Errorf("a refused patch has written %s, after %s", now.ResourceVersion, d.ResourceVersion)
		}
		one := dynamic.NewForConfigOrDie(config).Resource(things).Namespace("shop")
		thing := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "a"}}}
		must(one.Create(ctx, thing, metav1.CreateOptions{}))(t)
		if _, err := one.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{}); !apierrors.IsUnsupportedMediaType(err) {
			t.Errorf("of a custom resource: %v", err)
		}
	})
}
