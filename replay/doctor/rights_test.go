package doctor

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/testserver"
)

// guarded is a server whose users have the rights of a list: "web: list pods".
type guarded struct {
	http.RoundTripper
	rights []string
}

func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	verb := "list"
	if r.URL.Query().Get("watch") != "" {
		verb = "watch"
	}
	resource := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	for _, right := range g.rights {
		if right == r.Header.Get("Impersonate-User")+": "+verb+" "+resource {
			return g.RoundTripper.RoundTrip(r)
		}
	}
	return server{bad: map[string]string{"list": "forbidden", "watch": "can't watch"}[verb]}.RoundTrip(r)
}

// TestRights: what a user may list and watch at the simulated API server is what is said.
func TestRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{})
		defer s.Close()
		h := &HTTP{Called: "a", Base: "http://x", Impersonate: "web", Client: guarded{s, []string{"web: list pods", "web: watch pods", "web: list nodes", "web: watch secrets", "web: list nothings", "web: watch nothings", "other: list leases"}}}
		o := Options{}
		for _, path := range []string{"/api/v1/pods", "/api/v1/nodes", "/api/v1/namespaces/shop/secrets", "/apis/coordination.k8s.io/v1/leases", "/api/v1/nothings"} {
			o.Resources = append(o.Resources, Resource{path, path})
		}
		began := time.Now()
		all, err := Rights(t.Context(), h, o)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, r := range all {
			if i%2 == 0 {
				got += "\n" + r.Path
			}
			switch {
			case r.Allowed && r.Denied:
				t.Errorf("%+v", r)
			case r.Allowed:
				got += " " + r.Verb
			case r.Denied:
				got += " not " + r.Verb
			default:
				got += " " + r.Verb + "?"
			}
		}
		const want = `
/api/v1/pods list watch
/api/v1/nodes list not watch
/api/v1/namespaces/shop/secrets not list watch
/apis/coordination.k8s.io/v1/leases not list not watch
/api/v1/nothings list? watch?`
		if got != want {
			t.Errorf("it says%s\nand not%s", got, want)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it takes %v", took)
		}
		o.Resources = append(o.Resources, o.Resources...)
		o.Sent = 1
		if _, err := Rights(t.Context(), h, o); err == nil || !strings.Contains(err.Error(), "21 requests") {
			t.Error(err)
		}
	})
}
