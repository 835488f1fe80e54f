package serve

import (
	"strings"
	"testing"
)

func TestAllowed(t *testing.T) {
	for _, c := range []struct{ path, query, want string }{
		{"/version", "", ""},
		{"/api", "", ""},
		{"/apis", "", ""},
		{"/api/v1", "", ""},
		{"/apis/apps", "", ""},
		{"/apis/apps/v1", "", ""},
		{"/api/v1/pods", "watch=true&resourceVersion=5", "resourceVersion=5&watch=true"},
		{"/api/v1/namespaces", "limit=500", "limit=500"},
		{"/api/v1/namespaces/kube-system/pods", "labelSelector=a%3Db%2Cc", "labelSelector=a%3Db%2Cc"},
		{"/apis/cert-manager.io/v1/namespaces/x/certificates", "continue=eyJ2", "continue=eyJ2"},
		{"/api/v1/namespaces/secrets/pods", "", ""},

		{"/", "", "plain path"},
		{"/healthz", "", "discovery"},
		{"/logs/x", "", "discovery"},
		{"/openapi/v3", "", "discovery"},
		{"/api/v1/pods/", "", "plain path"},
		{"/api//v1/pods", "", "plain path"},
		{"/api/v1/../v1/pods", "", "plain path"},
		{"/api/v1/namespaces/x/%73ecrets", "", "plain path"},
		{"/api/v1/namespaces/x%2fsecrets", "", "plain path"},
		{"/api/v1/%2e%2e/v1/secrets", "", "plain path"},
		{"/api/v1/Secrets", "", "plain path"},
		{"/api/v1/secrets;x", "", "plain path"},
		{"/api/v1/se\u017frets", "", "plain path"},
		{"/api/v1/secrets", "", "--secrets"},
		{"/api/v1/namespaces/x/secrets", "watch=1", "--secrets"},
		{"/apis/aggregated.example/v1/secrets", "", "--secrets"},
		{"/apis/aggregated.example/v1/namespaces/x/secrets", "", "--secrets"},
		{"/api/v1/watch/secrets", "", "only lists"},
		{"/api/v1/namespaces/x/secrets/y", "", "only lists"},
		{"/api/v1/namespaces/x", "", "only lists"},
		{"/api/v1/namespaces/x/status", "", "only lists"},
		{"/api/v1/namespaces/x/pods/y", "", "only lists"},
		{"/api/v1/namespaces/x/pods/y/log", "", "only lists"},
		{"/api/v1/namespaces/x/pods/y/exec", "command=sh", "only lists"},
		{"/api/v1/nodes/x/proxy", "", "only lists"},
		{"/api/v1/nodes/x/proxy/logs", "", "only lists"},
		{"/api/v1/pods", "follow=true", `"follow"`},
		{"/api/v1/pods", "watch=1&watch=0", `"watch"`},
		{"/api/v1/pods", "a;b", "query"},
	} {
		query, err := allowed(c.path, c.query, false)
		switch {
		case err == nil && query != c.want:
			t.Errorf("%s?%s: the query becomes %q", c.path, c.query, query)
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s?%s: %v", c.path, c.query, err)
		}
	}
	for _, path := range []string{"/api/v1/secrets", "/api/v1/namespaces/x/secrets"} {
		if _, err := allowed(path, "", true); err != nil {
			t.Errorf("Secrets were asked for, and %s is refused: %v", path, err)
		}
	}
	if _, err := allowed("/api/v1/namespaces/x/secrets/y", "", true); err == nil {
		t.Error("a single Secret goes through")
	}
}

// FuzzAllowed looks for a path that goes through, and that a server may take for the
// path of Secrets.
func FuzzAllowed(f *testing.F) {
	for _, s := range []string{"/api/v1/pods", "/api/v1/secrets", "/apis/a.b/v1/namespaces/secrets/x", "/api/v1/namespaces/x/%73ecrets", "/api/v1/./secrets", "/api/v1/pods/..;/secrets"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if _, err := allowed(path, "", false); err != nil {
			return
		}
		if strings.ContainsAny(path, "%\\;?# ") || strings.Contains(path, "//") || strings.Contains(path, "..") || strings.Contains(path, "/./") {
			t.Fatalf("%q goes through", path)
		}
		if strings.HasSuffix(path, "/secrets") && len(strings.Split(path, "/")) > 3 && !strings.HasPrefix(path, "/apis/") {
			t.Fatalf("%q goes through", path)
		}
	})
}
