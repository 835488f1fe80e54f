package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

const apps = "/apis/apps/v1/namespaces/shop/"

func TestDryRun(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		c.expectFields(c.request(201, "POST", pods+"?dryRun=All", "", `{"metadata":{"name":"a"}}`), "metadata.name=a metadata.resourceVersion=")
		c.request(404, "GET", pods+"/a", "", "")
		c.request(201, "POST", pods, "", `{"metadata":{"name":"a"}}`)
		c.expectFields(c.request(200, "PATCH", pods+"/a?dryRun=All", mergeIt, `{"metadata":{"labels":{"x":"y"}}}`), "metadata.labels.x=y metadata.resourceVersion=2")
		c.request(200, "DELETE", pods+"/a", "", `{"dryRun":["All"]}`)
		c.expectFields(c.request(200, "GET", pods+"/a", "", ""), "metadata.resourceVersion=2 metadata.labels=")
	})
}

func TestScale(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		c.request(201, "POST", apps+"deployments", "", `{"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"},"matchExpressions":[{"key":"tier","operator":"In","values":["b","a"]}]}}}`)
		c.request(200, "PATCH", apps+"deployments/web/status", mergeIt, `{"status":{"replicas":2}}`)
		c.expectFields(c.request(200, "GET", apps+"deployments/web/scale", "", ""), "kind=Scale apiVersion=autoscaling/v1 spec.replicas= status.replicas=2 metadata.resourceVersion=3")
		if o := c.request(200, "GET", apps+"deployments/web/scale", "", ""); fieldOf(o, "status.selector") != "app=web,tier in (a,b)" {
			t.Errorf("the selector is %q", fieldOf(o, "status.selector"))
		}
		c.expectFields(c.request(200, "PATCH", apps+"deployments/web/scale", mergeIt, `{"spec":{"replicas":3}}`), "spec.replicas=3 metadata.resourceVersion=4")
		c.expectFields(c.request(200, "GET", apps+"deployments/web", "", ""), "spec.replicas=3 metadata.generation=2 status.replicas=2")
		c.expectFields(c.request(409, "PUT", apps+"deployments/web/scale", "", `{"kind":"Scale","metadata":{"name":"web","resourceVersion":"2"},"spec":{"replicas":1}}`), "reason=Conflict")
		c.expectFields(c.request(422, "PUT", apps+"deployments/web/scale", "", `{"kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":-1}}`), "reason=Invalid")
		c.expectFields(c.request(200, "PUT", apps+"deployments/web/scale", "", `{"kind":"Scale","metadata":{"name":"web"}}`), "spec.replicas=")
	})
}

func TestEviction(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		evicts := func(code int, name, options string) tree {
			t.Helper()
			return c.request(code, "POST", pods+"/"+name+"/eviction", "", fmt.Sprintf(`{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":%q}%s}`, name, options))
		}
		for _, name := range []string{"a", "b", "c"} {
			c.request(201, "POST", pods, "", fmt.Sprintf(`{"metadata":{"name":%q,"labels":{"app":"web"}}}`, name))
		}
		const budgets = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets"
		c.request(201, "POST", budgets, "", `{"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}}}}`)
		evicts(201, "c", "") // it doesn't run yet
		for _, name := range []string{"a", "b"} {
			c.request(200, "PATCH", pods+"/"+name+"/status", mergeIt, `{"status":{"phase":"Running"}}`)
		}
		c.expectFields(evicts(429, "a", ""), "reason=TooManyRequests details.retryAfterSeconds=10") // nobody has looked at the budget
		c.request(200, "PATCH", budgets+"/web/status", mergeIt, `{"status":{"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":2,"desiredHealthy":1}}`)
		c.expectFields(evicts(409, "a", `,"deleteOptions":{"preconditions":{"uid":"other"}}`), "reason=Conflict")
		c.request(200, "PATCH", budgets+"/web/status", mergeIt, `{"status":{"disruptionsAllowed":1}}`)
		c.expectFields(evicts(201, "a", ""), "status=Success code=201")
		c.expectFields(c.request(200, "GET", budgets+"/web", "", ""), "status.disruptionsAllowed=0")
		c.expectFields(evicts(429, "b", ""), "reason=TooManyRequests")
		c.request(201, "POST", budgets, "", `{"metadata":{"name":"web2"},"spec":{"selector":{}}}`)
		evicts(500, "b", "")
	})
}

func TestTables(t *testing.T) {
	bubble(t, withWidgets, func(c *tester) {
		c.request(201, "POST", widgets, "", `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"}}`)
		time.Sleep(190 * time.Second)
		const table = "Accept: application/json;as=Table;v=v1;g=meta.k8s.io"
		for query, want := range map[string]string{
			"":                      `[{"cells":["a","3m10s"],"object":{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata"`,
			"?includeObject=None":   `[{"cells":["a","3m10s"],"object":null}]`,
			"?includeObject=Object": `[{"cells":["a","3m10s"],"object":{"apiVersion":"example.com/v1","kind":"Widget"`,
		} {
			o := c.request(200, "GET", widgets+query, table, "")
			c.expectFields(o, "kind=Table apiVersion=meta.k8s.io/v1 metadata.resourceVersion=2")
			if rows, _ := json.Marshal(o["rows"]); len(rows) < len(want) || string(rows[:len(want)]) != want {
				t.Errorf("%q: the rows are %s, want %s", query, rows, want)
			}
		}
	})
}

func TestAges(t *testing.T) {
	const day = 24 * time.Hour
	bubble(t, Options{}, func(c *tester) {
		for d, want := range map[time.Duration]string{
			0: "0s", 119 * time.Second: "119s", 2 * time.Minute: "2m", 125 * time.Second: "2m5s", 11*time.Minute + time.Second: "11m",
			3 * time.Hour: "3h", 3*time.Hour + time.Minute: "3h1m", 9 * time.Hour: "9h", 49 * time.Hour: "2d1h", 9 * day: "9d", 730 * day: "2y", 740 * day: "2y10d", 3000 * day: "8y",
		} {
			if got := age(stamp(time.Now().Add(-d))); got != want {
				t.Errorf("after %v it is %q, want %q", d, got, want)
			}
		}
	})
}

// TestCollection has a deployment's objects collected by each propagation policy.
func TestCollection(t *testing.T) {
	for policy, want := range map[string]string{"Background": "", "Foreground": "", "Orphan": "pod"} {
		t.Run(policy, func(t *testing.T) {
			bubble(t, Options{CollectAfter: time.Second}, func(c *tester) {
				made := func(path, name, owner, uid string) string {
					meta := fmt.Sprintf(`{"metadata":{"name":%q}}`, name)
					if owner != "" {
						meta = fmt.Sprintf(`{"metadata":{"name":%q,"ownerReferences":[{"kind":"x","name":%q,"uid":%q,"blockOwnerDeletion":true},{"uid":"gone"}]}}`, name, owner, uid)
					}
					return text(metaOf(c.request(201, "POST", path, "", meta)), "uid")
				}
				set := made(apps+"replicasets", "set", "", "")
				pod := made(pods, "pod", "set", set)
				made("/api/v1/namespaces/shop/configmaps", "map", "pod", pod)
				time.Sleep(10 * time.Second)
				if o := c.request(200, "GET", pods+"/pod", "", ""); len(ownersOf(o)) != 1 {
					t.Errorf("the owners are %v", ownersOf(o))
				}
				o := c.request(200, "DELETE", apps+"replicasets/set?propagationPolicy="+policy, "", "")
				if policy != "Background" {
					c.expectFields(o, "metadata.generation=2")
					c.request(200, "GET", apps+"replicasets/set", "", "")
				}
				time.Sleep(10 * time.Second)
				c.request(404, "GET", apps+"replicasets/set", "", "")
				if got := names(c.request(200, "GET", pods, "", "")); got != want {
					t.Errorf("the pods are %q, want %q", got, want)
				}
				if want != "" {
					c.expectFields(c.request(200, "GET", pods+"/pod", "", ""), "metadata.ownerReferences=")
				}
			})
		})
	}
}

// TestAddressesOfServices makes Services that ask for any address and any port of a node: no two get the same, and
// an update keeps what it got. Without Options.Defaults they get none.
func TestAddressesOfServices(t *testing.T) {
	const services = "/api/v1/namespaces/shop/services"
	spec := `"spec":{"type":"NodePort","ports":[{"name":"a","port":80},{"name":"b","port":81}]}`
	bubble(t, Options{Defaults: true}, func(c *tester) {
		seen := map[string]bool{}
		for _, name := range []string{"a", "b", "c"} {
			o := c.request(201, "POST", services, "", `{"metadata":{"name":"`+name+`"},`+spec+`}`)
			again := c.request(200, "PUT", services+"/"+name, "", `{"metadata":{"name":"`+name+`"},`+spec+`}`)
			if fieldOf(o, "spec") != fieldOf(again, "spec") {
				t.Errorf("an update makes %v of %v", fieldOf(again, "spec"), fieldOf(o, "spec"))
			}
			all := []string{fieldOf(o, "spec.clusterIP")}
			eachObject(o, "", "spec.ports[]", func(_ string, p tree) { all = append(all, fieldOf(p, "nodePort")) })
			for _, line := range all {
				if line == "" || seen[line] {
					t.Errorf("%s has %q, which is nothing or somebody's", name, line)
				}
				seen[line] = true
			}
		}
	})
	bubble(t, Options{}, func(c *tester) {
		if o := c.request(201, "POST", services, "", `{"metadata":{"name":"a"},`+spec+`}`); fieldOf(o, "spec.clusterIP") != "" {
			t.Errorf("without defaults, the address is %s", fieldOf(o, "spec.clusterIP"))
		}
	})
}

// TestANamespaceIsEmptied deletes a namespace: what is in it goes, what has a finalizer keeps it, and then it goes.
func TestANamespaceIsEmptied(t *testing.T) {
	bubble(t, Options{CollectAfter: time.Second}, func(c *tester) {
		const shop = "/api/v1/namespaces/shop"
		c.request(201, "POST", "/api/v1/namespaces", "", `{"metadata":{"name":"shop"}}`)
		c.request(201, "POST", shop+"/configmaps", "", `{"metadata":{"name":"a"}}`)
		c.request(201, "POST", shop+"/secrets", "", `{"metadata":{"name":"b","finalizers":["x.io/y"]}}`)
		c.request(200, "DELETE", shop, "", "")
		time.Sleep(time.Minute)
		c.request(404, "GET", shop+"/configmaps/a", "", "")
		c.expectFields(c.request(200, "GET", shop, "", ""), "status.phase=Terminating")
		c.request(200, "PATCH", shop+"/secrets/b", mergeIt, `{"metadata":{"finalizers":null}}`)
		time.Sleep(time.Minute)
		c.request(404, "GET", shop, "", "")
	})
}

// TestWhatIsNotThereIsRefused by its name.
func TestWhatIsNotThereIsRefused(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		define := func(code int, versions string) string {
			return fieldOf(c.request(code, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "", `{"metadata":{"name":"webs.shop.example"},"spec":{"group":"shop.example","scope":"Namespaced","names":{"plural":"webs","kind":"Web"},"versions":[`+versions+`]}}`), "message")
		}
		for want, got := range map[string]string{
			"spec.versions[1]": define(422, `{"name":"v1"},{"name":"v2"}`),
			"spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations": define(422, `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"properties":{"spec":{"x-kubernetes-validations":[]}}}}}`),
			"no schema of configmaps": fieldOf(c.request(400, "POST", "/api/v1/namespaces/shop/configmaps?fieldValidation=Strict", "", `{"metadata":{"name":"a"}}`), "message"),
		} {
			if !strings.Contains(got, want) || !strings.Contains(got, "testserver ") {
				t.Errorf("it says %q, want %q", got, want)
			}
		}
		define(201, `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"x-kubernetes-preserve-unknown-fields":true}}}`)
		got := c.request(422, "PATCH", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/webs.shop.example", mergeIt, `{"spec":{"preserveUnknownFields":true}}`)
		if why := fieldOf(got, "message"); !strings.Contains(why, "testserver ") {
			t.Errorf("a definition that changes: %q", why)
		}
	})
}

// TestEventsHaveTwoGroups writes an event to each, and reads both from both.
func TestEventsHaveTwoGroups(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		const old, new = "/api/v1/namespaces/shop/events", "/apis/events.k8s.io/v1/namespaces/shop/events"
		c.request(201, "POST", old, "", `{"metadata":{"name":"a"},"involvedObject":{"name":"web"},"message":"starts","count":2}`)
		c.request(422, "POST", new, "", `{"metadata":{"name":"b"},"regarding":{"name":"db"},"note":"stops"}`)
		c.expectFields(c.request(201, "POST", new, "", `{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"b"},"regarding":{"name":"db"},"note":"stops","eventTime":"2026-11-20T21:06:42.000000Z","reportingController":"x","reportingInstance":"x-1","action":"Stop","reason":"Stopped"}`), "note=stops apiVersion=events.k8s.io/v1")
		c.expectFields(c.request(200, "GET", new+"/a", "", ""), "apiVersion=events.k8s.io/v1 regarding.name=web note=starts deprecatedCount=2 message=")
		c.expectFields(c.request(200, "GET", old+"/b", "", ""), "apiVersion=v1 involvedObject.name=db message=stops reportingComponent=x note=")
		c.expectFields(c.request(200, "PATCH", new+"/b", mergeIt, `{"note":"stopped"}`), "note=stopped message=")
		c.expectFields(c.request(200, "GET", old+"/b", "", ""), "message=stopped note=")
		for _, path := range []string{new + "?fieldSelector=regarding.name%3Ddb", old + "?fieldSelector=involvedObject.name%3Ddb"} {
			if items, _ := c.request(200, "GET", path, "", "")["items"].([]any); len(items) != 1 {
				t.Errorf("%s has %d", path, len(items))
			}
		}
	})
}

// TestAForgottenVersion watches from a version whose changes are no longer kept: the only event says so, and is not lost.
func TestAForgottenVersion(t *testing.T) {
	bubble(t, Options{}, func(c *tester) {
		const maps = "/api/v1/namespaces/shop/configmaps"
		for i := range 300 {
			c.request(201, "POST", maps, "", fmt.Sprintf(`{"metadata":{"name":"o%d"}}`, i))
		}
		c.s.Restart()
		c.request(201, "POST", maps, "", `{"metadata":{"name":"last"}}`)
		resp := c.send("GET", maps+"?watch=true&resourceVersion=2", "", "")
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 || strings.Count(string(b), "\n") != 1 {
			t.Fatalf("%d %q, %v", resp.StatusCode, b, err)
		}
		var e struct {
			Type   string
			Object tree
		}
		if err := json.Unmarshal(b, &e); err != nil || e.Type != "ERROR" || fieldOf(e.Object, "code") != "410" || fieldOf(e.Object, "reason") != "Expired" {
			t.Errorf("the event is %s", b)
		}
	})
}
