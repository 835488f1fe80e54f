package testserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tester sends requests to a server.
type tester struct {
	t *testing.T
	s *Server
}

// bubble runs a test with a server in a bubble of its own.
func bubble(t *testing.T, o Options, f func(c *tester)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := New(o)
		defer s.Close()
		f(&tester{t, s})
	})
}

// send sends a request. head is its Content-Type, or "Accept: " and what it accepts.
func (c *tester) send(method, path, head, body string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequest(method, "http://server"+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if accept, is := strings.CutPrefix(head, "Accept: "); is {
		r.Header.Set("Accept", accept)
	} else if head != "" {
		r.Header.Set("Content-Type", head)
	}
	resp, err := c.s.RoundTrip(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return resp
}

// request sends a request that must be answered with a code, and returns the object.
func (c *tester) request(code int, method, path, head, body string) tree {
	c.t.Helper()
	resp := c.send(method, path, head, body)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var o tree
	if err := decode(b, &o); err != nil {
		c.t.Fatalf("%s %s: %v in %s", method, path, err, b)
	}
	if resp.StatusCode != code {
		c.t.Fatalf("%s %s: %d, want %d: %s", method, path, resp.StatusCode, code, b)
	}
	return o
}

// expectFields compares some fields of an object: "metadata.name=a spec.x=1".
func (c *tester) expectFields(o tree, want string) {
	c.t.Helper()
	for _, word := range strings.Fields(want) {
		path, value, _ := strings.Cut(word, "=")
		if got := fieldOf(o, path); got != value {
			b, _ := json.Marshal(o)
			c.t.Errorf("%s is %q, want %q in %s", path, got, value, b)
		}
	}
}

func names(list tree) (all string) {
	items, _ := list["items"].([]any)
	for _, o := range items {
		all += text(metaOf(o.(tree)), "name") + " "
	}
	return strings.TrimSpace(all)
}

const (
	pods    = "/api/v1/namespaces/shop/pods"
	widgets = "/apis/example.com/v1/namespaces/shop/widgets"
	mergeIt = "application/merge-patch+json"
	patchIt = "application/json-patch+json"
)

var withWidgets = Options{Resources: []Resource{CustomResource("example.com", "v1", "widgets", "Widget")}}

func TestWrites(t *testing.T) {
	bubble(t, withWidgets, func(c *tester) {
		o := c.request(201, "POST", widgets, "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","finalizers":["x/y"]},"spec":{"n":1},"status":{"ready":true}}`)
		c.expectFields(o, "metadata.resourceVersion=2 metadata.generation=1 metadata.namespace=shop status= spec.n=1")
		c.expectFields(c.request(409, "POST", widgets, "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"}}`), "reason=AlreadyExists details.group=example.com")
		c.expectFields(c.request(422, "PUT", widgets+"/a", "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"n":2}}`), "reason=Invalid")
		o = c.request(200, "PUT", widgets+"/a", "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","resourceVersion":"2","finalizers":["x/y"]},"spec":{"n":2},"status":{"ready":true}}`)
		c.expectFields(o, "metadata.resourceVersion=3 metadata.generation=2 status=")
		c.expectFields(c.request(409, "PUT", widgets+"/a", "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","resourceVersion":"2"}}`), "reason=Conflict")
		o = c.request(200, "PUT", widgets+"/a/status", "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","resourceVersion":"3"},"spec":{"n":9},"status":{"ready":true}}`)
		c.expectFields(o, "metadata.resourceVersion=4 metadata.generation=2 status.ready=true spec.n=2")
		c.expectFields(c.request(200, "PATCH", widgets+"/a", mergeIt, `{"spec":{"n":2}}`), "metadata.resourceVersion=4")
		c.expectFields(c.request(200, "PATCH", widgets+"/a", mergeIt, `{"spec":{"n":null,"m":[1]}}`), "metadata.resourceVersion=5 spec.n= spec.m=[1] metadata.generation=3")
		c.expectFields(c.request(409, "PATCH", widgets+"/a", mergeIt, `{"metadata":{"resourceVersion":"4"},"spec":{"n":1}}`), "reason=Conflict")
		o = c.request(200, "PATCH", widgets+"/a", patchIt, `[{"op":"test","path":"/spec/m/0","value":1},{"op":"add","path":"/spec/m/-","value":2},{"op":"add","path":"/metadata/labels","value":{"a/b":"c"}},{"op":"replace","path":"/metadata/labels/a~1b","value":"d"},{"op":"copy","from":"/spec/m","path":"/spec/k"},{"op":"move","from":"/spec/k/0","path":"/spec/l"},{"op":"remove","path":"/spec/m/0"}]`)
		c.expectFields(o, "metadata.resourceVersion=6 spec.m=[2] spec.k=[2] spec.l=1")
		c.expectFields(c.request(422, "PATCH", widgets+"/a", patchIt, `[{"op":"test","path":"/spec/l","value":7}]`), "reason=Invalid")
		c.expectFields(c.request(409, "DELETE", widgets+"/a", "", `{"preconditions":{"uid":"other"}}`), "reason=Conflict")
		o = c.request(200, "DELETE", widgets+"/a", "", "")
		c.expectFields(o, "metadata.resourceVersion=7 metadata.generation=5 metadata.deletionTimestamp=2000-01-01T00:00:00Z")
		c.expectFields(c.request(422, "PATCH", widgets+"/a", mergeIt, `{"metadata":{"finalizers":["x/y","new"]}}`), "reason=Invalid")
		c.expectFields(c.request(200, "PATCH", widgets+"/a", mergeIt, `{"metadata":{"finalizers":null}}`), "metadata.resourceVersion=7")
		c.expectFields(c.request(404, "GET", widgets+"/a", "", ""), "reason=NotFound details.name=a details.kind=widgets")
		c.expectFields(c.request(201, "POST", widgets, "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"b"}}`), "metadata.generation=1")
		c.expectFields(c.request(200, "DELETE", widgets+"/b?propagationPolicy=Foreground", "", ""), "metadata.finalizers=[foregroundDeletion]")
	})
}

func TestNamesAreGenerated(t *testing.T) {
	bubble(t, Options{Seed: 7}, func(c *tester) {
		seen := map[string]bool{}
		for range 50 {
			o := c.request(201, "POST", pods, "", `{"metadata":{"generateName":"web-"}}`)
			c.expectFields(o, "status.phase=Pending metadata.generateName=web-")
			name := text(metaOf(o), "name")
			if len(name) != len("web-")+5 || seen[name] {
				t.Errorf("the name is %q", name)
			}
			seen[name] = true
		}
	})
}

func TestGracefulDeletion(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		c.request(201, "POST", pods, "", `{"metadata":{"name":"a"},"spec":{"nodeName":"n","terminationGracePeriodSeconds":5}}`)
		c.expectFields(c.request(200, "DELETE", pods+"/a", "", ""), "metadata.deletionGracePeriodSeconds=5")
		c.expectFields(c.request(200, "GET", pods+"/a", "", ""), "metadata.deletionTimestamp=2000-01-01T00:00:05Z")
		c.request(200, "DELETE", pods+"/a", "", `{"gracePeriodSeconds":0}`)
		c.request(404, "GET", pods+"/a", "", "")
	})
}

func TestLists(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		for i, ns := range []string{"shop", "shop", "shop", "other"} {
			c.request(201, "POST", "/api/v1/namespaces/"+ns+"/pods", "", fmt.Sprintf(`{"metadata":{"name":"p%d","labels":{"n":"%d","app":"web"}},"spec":{"nodeName":"n%d"}}`, i, i, i%2))
		}
		lists := func(query, want string) tree {
			t.Helper()
			l := c.request(200, "GET", query, "", "")
			if got := names(l); got != want {
				t.Errorf("%s lists %q, want %q", query, got, want)
			}
			return l
		}
		c.expectFields(lists(pods, "p0 p1 p2"), "kind=PodList metadata.resourceVersion=5")
		lists("/api/v1/pods", "p3 p0 p1 p2")
		lists(pods+"?labelSelector=app%3Dweb,n+notin+(0,2)", "p1")
		lists(pods+"?labelSelector=n+in+(0,+2),!gone,app", "p0 p2")
		lists(pods+"?labelSelector=n!%3D1", "p0 p2")
		lists("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1,metadata.name!%3Dp1", "p3")
		page := lists(pods+"?limit=2", "p0 p1")
		next := pods + "?limit=2&continue=" + text(metaOf(page), "continue")
		c.request(201, "POST", pods, "", `{"metadata":{"name":"p9"}}`)
		c.expectFields(lists(next, "p2"), "metadata.resourceVersion=5 metadata.continue=")
		lists(pods+"?resourceVersion=4&resourceVersionMatch=Exact", "p0 p1 p2")
		lists(pods+"?resourceVersion=3&resourceVersionMatch=Exact", "p0 p1")
		c.expectFields(c.request(504, "GET", pods+"?resourceVersion=99", "", ""), "reason=Timeout")
		c.s.Restart()
		f := c.request(410, "GET", next, "", "")
		c.expectFields(f, "reason=Expired")
		lists(pods+"?limit=2&continue="+text(metaOf(f), "continue"), "p2 p9")
		part := c.request(200, "GET", pods, "Accept: application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "")
		c.expectFields(part, "kind=PartialObjectMetadataList")
		c.request(200, "DELETE", pods+"?labelSelector=n", "", `{"gracePeriodSeconds":0}`)
		lists(pods, "p9")
	})
}

// watch opens a watch and returns what reads its next event: the type, name and
// resourceVersion.
func (c *tester) watch(path string) (next func() string, stop func()) {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", "http://server"+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	resp, err := c.s.RoundTrip(r)
	if err != nil || resp.StatusCode != 200 {
		c.t.Fatalf("watch %s: %v %v", path, resp, err)
	}
	lines := bufio.NewReader(resp.Body)
	return func() string {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err.Error()
		}
		var e struct {
			Type   string
			Object tree
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return err.Error()
		}
		if e.Type == "ERROR" {
			return "ERROR " + fieldOf(e.Object, "reason")
		}
		return strings.TrimSpace(e.Type + " " + text(metaOf(e.Object), "name") + " " + text(metaOf(e.Object), "resourceVersion") + " " + fieldOf(metaOf(e.Object), "annotations"))
	}, cancel
}

func TestWatches(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		comes := func(next func() string, want ...string) {
			t.Helper()
			for _, w := range want {
				if got := next(); got != w {
					t.Errorf("the event is %q, want %q", got, w)
				}
			}
		}
		c.request(201, "POST", pods, "", `{"metadata":{"name":"a","labels":{"app":"web"}}}`)
		from2, stop := c.watch(pods + "?watch=1&resourceVersion=2&labelSelector=app%3Dweb")
		c.request(200, "PATCH", pods+"/a", mergeIt, `{"metadata":{"labels":{"x":"y"}}}`)
		c.request(200, "PATCH", pods+"/a", mergeIt, `{"metadata":{"labels":{"app":"db"}}}`)
		c.request(200, "PATCH", pods+"/a", mergeIt, `{"metadata":{"labels":{"app":"web"}}}`)
		c.request(200, "DELETE", pods+"/a", "", "")
		comes(from2, "MODIFIED a 3", "DELETED a 4", "ADDED a 5", "MODIFIED a 6", "DELETED a 7")
		stop()
		comes(from2, "context canceled")

		c.request(201, "POST", pods, "", `{"metadata":{"name":"b"}}`)
		stream, stop := c.watch(pods + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=90")
		defer stop()
		comes(stream, "ADDED b 8", "BOOKMARK  8 map[k8s.io/initial-events-end:true]")
		c.request(201, "POST", "/api/v1/namespaces/shop/secrets", "", `{"metadata":{"name":"s"}}`)
		before := time.Now()
		comes(stream, "BOOKMARK  8", "BOOKMARK  8", "EOF")
		if took := time.Since(before); took < 89*time.Second || took > 91*time.Second {
			t.Errorf("the watch took %v", took)
		}

		open, stop := c.watch(pods + "?watch=1")
		defer stop()
		comes(open, "ADDED b 8")
		c.s.Restart()
		comes(open, "unexpected EOF")
		late, stop := c.watch(pods + "?watch=1&resourceVersion=3")
		defer stop()
		comes(late, "ERROR Expired", "EOF")
	})
}

// TestRefusals has what the server can't do, or what nobody may ask for.
func TestRefusals(t *testing.T) {
	bubble(t, withWidgets, func(c *tester) {
		c.request(201, "POST", pods, "", `{"metadata":{"name":"a"}}`)
		deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
		var doubling strings.Builder
		for i := range 60 {
			fmt.Fprintf(&doubling, `,{"op":"copy","from":"","path":"/x%d"}`, i)
		}
		for _, r := range []struct {
			code                                int
			method, path, head, body, whyPrefix string
		}{
			{415, "PATCH", widgets + "/a", "application/strategic-merge-patch+json", `{}`, "UnsupportedMediaType"},
			{415, "PATCH", pods + "/a?fieldManager=x", "application/apply-patch+yaml", `{}`, "UnsupportedMediaType"},
			{415, "POST", pods, "application/vnd.kubernetes.protobuf", "k8s\x00", "UnsupportedMediaType"},
			{400, "POST", pods, "application/vnd.kubernetes.protobuf", "{}", "BadRequest"},
			{406, "GET", pods, "Accept: application/vnd.kubernetes.protobuf", "", "NotAcceptable"},
			{406, "GET", pods, "Accept: application/json;as=Table;v=v1;g=meta.k8s.io", "", "NotAcceptable"},
			{405, "POST", "/api/v1/pods", "", `{}`, "MethodNotAllowed"},
			{405, "PUT", pods, "", `{}`, "MethodNotAllowed"},
			{405, "DELETE", pods + "/a/status", "", "", "MethodNotAllowed"},
			{404, "GET", pods + "/a/log", "", "", "NotFound"},
			{404, "GET", "/apis/example.com/v1/things", "", "", "NotFound"},
			{404, "GET", "/apis/example.com/v2", "", "", "NotFound"},
			{404, "PUT", pods + "/b", "", `{"metadata":{"name":"b"}}`, "NotFound"},
			{400, "POST", pods, "", `{"metadata":{"name":"b"}} {}`, "BadRequest"},
			{400, "POST", pods, "", `{"kind":"Service","metadata":{"name":"b"}}`, "BadRequest"},
			{400, "POST", pods, "", `{"metadata":{"name":"b","labels":{"a":1}}}`, "BadRequest"},
			{400, "POST", pods, "", `{"metadata":{"name":"b","namespace":"other"}}`, "BadRequest"},
			{400, "POST", pods, "", deep, "BadRequest"},
			{422, "POST", pods, "", `{"metadata":{"name":"B_"}}`, "Invalid"},
			{422, "POST", pods, "", `{}`, "Invalid"},
			{422, "POST", pods + "?dryRun=Some", "", `{"metadata":{"name":"b"}}`, "Invalid"},
			{405, "GET", pods + "/a/eviction", "", "", "MethodNotAllowed"},
			{404, "GET", pods + "/a/scale", "", "", "NotFound"},
			{400, "POST", pods + "/a/eviction", "", `{"kind":"Eviction","metadata":{"name":"b"}}`, "BadRequest"},
			{413, "POST", pods, "", `{"metadata":{"name":"` + strings.Repeat("b", MaxBody) + `"}}`, "RequestEntityTooLarge"},
			{400, "GET", pods + "?labelSelector=a+within+(b)", "", "", "BadRequest"},
			{400, "GET", pods + "?fieldSelector=spec.x%3D1", "", "", "BadRequest"},
			{400, "GET", pods + "?limit=x", "", "", "BadRequest"},
			{400, "GET", pods + "?continue=x", "", "", "BadRequest"},
			{422, "GET", pods + "?resourceVersionMatch=Exact", "", "", "Invalid"},
			{422, "GET", pods + "?watch=1&sendInitialEvents=true", "", "", "Invalid"},
			{422, "PATCH", pods + "/a", patchIt, `[` + doubling.String()[1:] + `]`, "Invalid"},
		} {
			o := c.request(r.code, r.method, r.path, r.head, r.body)
			c.expectFields(o, fmt.Sprintf("kind=Status status=Failure code=%d reason=%s", r.code, r.whyPrefix))
		}
	})
}

func TestDiscovery(t *testing.T) {
	bubble(t, withWidgets, func(c *tester) {
		c.expectFields(c.request(200, "GET", "/api", "", ""), "versions=[v1]")
		groups, _ := c.request(200, "GET", "/apis", "", "")["groups"].([]any)
		last := groups[len(groups)-1].(tree)
		c.expectFields(last, "name=policy preferredVersion.groupVersion=policy/v1")
		l := c.request(200, "GET", "/apis/example.com/v1", "", "")
		c.expectFields(l, "groupVersion=example.com/v1")
		if all, _ := l["resources"].([]any); len(all) != 2 || text(all[1].(tree), "name") != "widgets/status" {
			t.Errorf("the resources are %v", all)
		}
		c.expectFields(c.request(200, "GET", "/apis/apps", "", ""), "kind=APIGroup name=apps")
		c.expectFields(c.request(200, "GET", "/version", "", ""), "major=1")
	})
}

// TestABackupIsRestored brings a server back to an earlier revision: what was written later is undone, and the numbers of its versions come again.
func TestABackupIsRestored(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		const maps = "/api/v1/namespaces/shop/configmaps"
		make := func(name string) {
			c.request(201, "POST", maps, "", `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"`+name+`"}}`)
		}
		make("kept")
		make("deleted")
		make("updated")
		backup := c.s.Revision()
		watch := c.send("GET", maps+fmt.Sprintf("?watch=1&resourceVersion=%d", backup), "", "")
		defer watch.Body.Close()
		make("new")
		c.request(200, "DELETE", maps+"/deleted", "", "")
		c.request(200, "PATCH", maps+"/updated", mergeIt, `{"data":{"x":"1"}}`)
		c.s.Restore(backup)
		if b, err := io.ReadAll(watch.Body); err == nil || strings.Count(string(b), "\n") > 3 {
			t.Errorf("the watch brought %s and ends with %v", b, err)
		}
		list := c.request(200, "GET", maps, "", "")
		if got := names(list); got != "deleted kept updated" {
			t.Errorf("after the backup there are %s", got)
		}
		c.expectFields(list, fmt.Sprintf("metadata.resourceVersion=%d", backup))
		c.expectFields(c.request(200, "GET", maps+"/updated", "", ""), "data=")
		c.expectFields(c.request(200, "PATCH", maps+"/updated", mergeIt, `{"data":{"x":"2"}}`), fmt.Sprintf("metadata.resourceVersion=%d", backup+1))
		later := bufio.NewReader(c.send("GET", maps+fmt.Sprintf("?watch=1&resourceVersion=%d&timeoutSeconds=9", backup), "", "").Body)
		if line, err := later.ReadString('\n'); !strings.Contains(line, `"x":"2"`) {
			t.Errorf("a watch from the backup brings %s, %v", line, err)
		}
	})
}
