package follow

import (
	"fmt"
	"strings"
	"testing"
)

// apiserver answers discovery as servers before v1.27 do.
var apiserver = map[string]string{
	"/api":  `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}},{"name":"metrics.k8s.io","preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1"}}]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[
		{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["create","delete","get","list","watch"],"shortNames":["po"]},
		{"name":"pods/log","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]},
		{"name":"bindings","singularName":"binding","namespaced":true,"kind":"Binding","verbs":["create"]},
		{"name":"events","singularName":"event","namespaced":true,"kind":"Event","verbs":["list","watch"],"shortNames":["ev"]},
		{"name":"nodes","singularName":"node","namespaced":false,"kind":"Node","verbs":["list","watch"],"shortNames":["no"]}]}`,
	"/apis/apps/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[
		{"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","verbs":["list","watch"],"shortNames":["deploy"]},
		{"name":"deployments/scale","singularName":"","namespaced":true,"kind":"Scale","verbs":["get"]}]}`,
	"/apis/metrics.k8s.io/v1beta1": `{"kind":"Status","message":"the server is currently unable to handle the request","code":503}`,
}

// aggregated is what newer ones answer.
var aggregated = map[string]string{
	"/api": `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},"versions":[{"version":"v1","resources":[
		{"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["list","watch"],"shortNames":["po"],"subresources":[{"subresource":"log","verbs":["get"]}]},
		{"resource":"events","responseKind":{"kind":"Event"},"scope":"Namespaced","singularResource":"event","verbs":["list","watch"],"shortNames":["ev"]},
		{"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster","singularResource":"node","verbs":["list","watch"],"shortNames":["no"]},
		{"resource":"bindings","responseKind":{"kind":"Binding"},"scope":"Namespaced","singularResource":"binding","verbs":["create"]}]}]}]}`,
	"/apis": `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[
		{"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[{"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced","singularResource":"deployment","verbs":["list","watch"],"shortNames":["deploy"]}]},{"version":"v1beta1","resources":[{"resource":"old","responseKind":{"kind":"Old"},"verbs":["list","watch"]}]}]},
		{"metadata":{"name":"empty.example"}}]}`,
}

func discover(t *testing.T, server map[string]string) (all []Resource, failures []string) {
	t.Helper()
	d := NewDiscovery()
	for ask := d.Next(); len(ask) > 0; ask = d.Next() {
		for _, path := range ask {
			body, ok := server[path]
			if !ok {
				t.Fatalf("asked for %s", path)
			}
			if err := d.Answer(path, []byte(body)); err != nil {
				failures = append(failures, err.Error())
			}
		}
	}
	return d.Resources(), failures
}

func TestDiscovery(t *testing.T) {
	const want = "/api/v1/namespaces/shop/events /api/v1/nodes /api/v1/namespaces/shop/pods /apis/apps/v1/namespaces/shop/deployments"
	for name, c := range map[string]struct {
		server   map[string]string
		failures string
	}{
		"by group":   {apiserver, "[/apis/metrics.k8s.io/v1beta1: the server is currently unable to handle the request]"},
		"aggregated": {aggregated, "[]"},
	} {
		all, failures := discover(t, c.server)
		var paths []string
		for _, r := range all {
			paths = append(paths, r.Path("shop"))
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: found %s", name, got)
		}
		if got := fmt.Sprint(failures); got != c.failures {
			t.Errorf("%s: failures %s", name, got)
		}
		if p := all[2]; p.Path("") != "/api/v1/pods" || p.Kind != "Pod" || p.Name() != "pods" || all[3].Name() != "deployments.apps" {
			t.Errorf("%s: %+v", name, all)
		}
		for asked, path := range map[string]string{
			"po": "/api/v1/pods", "Pod": "/api/v1/pods", "pods": "/api/v1/pods", "deploy": "/apis/apps/v1/deployments",
			"deployments.apps": "/apis/apps/v1/deployments", "deployments.v1.apps": "/apis/apps/v1/deployments", "deploy.apps": "/apis/apps/v1/deployments",
			"ev": "/api/v1/events", "nodes": "/api/v1/nodes", "deployments.batch": "", "bindings": "", "pods/log": "", "": "",
		} {
			r, ok := Find(all, asked)
			if ok != (path != "") || ok && r.Path("") != path {
				t.Errorf("%s: %q is %v %v, want %q", name, asked, ok, r, path)
			}
		}
	}
}

func TestDiscoveryRefuses(t *testing.T) {
	for body, want := range map[string]string{
		"":                        "not JSON",
		"Forbidden":               "not JSON: Forbidden",
		`{"kind":"PodList"}`:      "not a discovery document",
		`{"kind":"APIVersions"`:   "not JSON",
		strings.Repeat("[", 5000): "deeper than 1000",
	} {
		err := NewDiscovery().Answer("/api", []byte(body))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "/api: ") {
			t.Errorf("%.40q: %v, want %q", body, err, want)
		}
	}
	groups := `{"kind":"APIGroupList","groups":[` + strings.Repeat(`{"name":"a","preferredVersion":{"groupVersion":"a/v1"}},`, maxGroups) + `{}]}`
	if err := NewDiscovery().Answer("/apis", []byte(groups)); err == nil || !strings.Contains(err.Error(), "2000") {
		t.Errorf("too many groups: %v", err)
	}
	resource := `{"name":"a","verbs":["list","watch"]}`
	many := `{"kind":"APIResourceList","groupVersion":"v1","resources":[` + strings.Repeat(resource+",", maxResources) + resource + `]}`
	d := NewDiscovery()
	if err := d.Answer("/api/v1", []byte(many)); err == nil || !strings.Contains(err.Error(), "20000") {
		t.Errorf("too many resources: %v", err)
	}
	if n := len(d.Resources()); n != maxResources {
		t.Errorf("%d resources stay", n)
	}
}

func TestPathsAreEscaped(t *testing.T) {
	r := Resource{Group: "a b", Version: "v1?x", Resource: "c/d", Namespaced: true}
	if got := r.Path("../x"); got != "/apis/a%20b/v1%3Fx/namespaces/..%2Fx/c%2Fd" {
		t.Error(got)
	}
}
