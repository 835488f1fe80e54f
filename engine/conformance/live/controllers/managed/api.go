package managed

import (
	"encoding/json"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informerscope/informerscope/engine/conformance/live/fakeapi"
)

// api is an API server that has ConfigMaps.
type api struct {
	*fakeapi.Server
	configMaps *fakeapi.Resource
	answers    chan struct{} // nothing is answered until it is closed; nil for a server that answers at once
}

func newAPI() *api {
	r := &fakeapi.Resource{Name: "configmaps", New: newConfigMap, Change: replace}
	return &api{Server: fakeapi.New(0, r), configMaps: r}
}

func newConfigMap() fakeapi.Object {
	return &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
}

// replace does what a PUT asks for.
func replace(q *fakeapi.Request, o fakeapi.Object) string {
	var body corev1.ConfigMap
	json.Unmarshal(q.Body, &body)
	o.(*corev1.ConfigMap).Data = body.Data
	return ""
}

// create creates a ConfigMap as old as if that had been at a time.
func (a *api) create(name string, created time.Time) {
	o := newConfigMap()
	o.SetNamespace("shop")
	o.SetName(name)
	o.SetCreationTimestamp(metav1.NewTime(created))
	a.Create(a.configMaps, o)
}

// RoundTrip implements http.RoundTripper.
func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.answers != nil {
		<-a.answers
	}
	return a.Server.RoundTrip(r)
}
