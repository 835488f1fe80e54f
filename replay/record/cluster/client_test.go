package cluster_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/informerscope/informerscope/replay/record/cluster"
)

// A server that is busy as it is asked what it has is asked again, and not given up.
func TestDiscoveryIsPatient(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			http.Error(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":429}`, http.StatusTooManyRequests)
			return
		}
		switch r.URL.Path {
		case "/api":
			w.Write([]byte(`{"kind":"APIVersions","versions":["v1"]}`))
		case "/api/v1":
			w.Write([]byte(`{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","namespaced":true,"kind":"Pod","verbs":["list","watch"]}]}`))
		default:
			w.Write([]byte(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`))
		}
	}))
	defer server.Close()
	c, err := cluster.NewClient(server.URL, nil, "test")
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	found, err := c.Discover(t.Context(), func(s string) { warned = append(warned, s) })
	if err != nil || len(found) != 1 || found[0].Resource != "pods" {
		t.Errorf("found %v, %v", found, err)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "busy") {
		t.Errorf("warned %q", warned)
	}
}
