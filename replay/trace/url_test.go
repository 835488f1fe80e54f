package trace

import (
	"net/url"
	"testing"
)

func TestParseURL(t *testing.T) {
	for _, c := range []struct {
		url  string
		want request
		ok   bool
	}{
		{"/api/v1/pods", request{requestKey: requestKey{version: "v1", resource: "pods"}}, true},
		{"/api/v1/namespaces", request{requestKey: requestKey{version: "v1", resource: "namespaces"}}, true},
		{"/api/v1/namespaces/a", request{}, false},
		{"/api/v1/namespaces/a/pods?limit=500&continue=c%3D", request{requestKey: requestKey{version: "v1", resource: "pods", namespace: "a"}, continues: "c=", limited: true}, true},
		{"/api/v1/namespaces/a/pods/b", request{}, false},
		{"/api/v1/watch/pods", request{requestKey: requestKey{version: "v1", resource: "pods"}, watch: true}, true},
		{"https://h:6443/k8s/clusters/c/apis/g.io/v1beta1/things/?watch=1&sendInitialEvents=true&resourceVersion=4",
			request{requestKey: requestKey{group: "g.io", version: "v1beta1", resource: "things"}, resourceVersion: "4", watch: true, streaming: true}, true},
		{"/api/v1/pods?labelSelector=a%3Db%2Cc+in+(d)&fieldSelector=x%zz&watch=false",
			request{requestKey: requestKey{version: "v1", resource: "pods", labelSelector: "a=b,c in (d)", fieldSelector: "x%zz"}}, true},
		{"/version", request{}, false}, {"", request{}, false}, {"https://h", request{}, false}, {"/apis/apps/v1", request{}, false}, {"/api/v1/", request{}, false},
	} {
		got, ok := parseURL(c.url)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %v", c.url, got, ok)
		}
	}
}

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		url, key string
		want     Path
	}{
		{"/api/v1/namespaces/a", "a", Path{Version: "v1", Resource: "namespaces", Name: "a"}},
		{"/api/v1/namespaces/a/status", "a", Path{Version: "v1", Resource: "namespaces", Name: "a", Subresource: "status"}},
		{"/api/v1/namespaces/a/finalize?x", "a", Path{Version: "v1", Resource: "namespaces", Name: "a", Subresource: "finalize"}},
		{"/api/v1/namespaces/a/pods", "", Path{Version: "v1", Namespace: "a", Resource: "pods"}},
		{"/k8s/apis/apps/v1/namespaces/a/deployments/b%20c/scale?dryRun=All", "a/b c", Path{Group: "apps", Version: "v1", Namespace: "a", Resource: "deployments", Name: "b c", Subresource: "scale"}},
		{"/api/v1/nodes/n/proxy/metrics/x", "n", Path{Version: "v1", Resource: "nodes", Name: "n", Subresource: "proxy/metrics/x"}},
	} {
		got, ok := ParsePath(c.url)
		if !ok || got != c.want || got.Key() != c.key {
			t.Errorf("%s: %+v with key %q, %v", c.url, got, got.Key(), ok)
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"/api/v1/pods?a=%41+%zz&%77atch=1", "%", "%4", "+%2b%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parseURL(s)
		if want, err := url.QueryUnescape(s); err == nil && Unescape(s) != want {
			t.Fatalf("%q becomes %q, should be %q", s, Unescape(s), want)
		}
	})
}
