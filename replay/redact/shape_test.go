package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// masked is a line with its tokens as ‹…›, and the tokens of names as n-….
func masked(line []byte) string {
	s := regexp.MustCompile(`‹[0-9a-f]{6,16}\.*›`).ReplaceAllString(string(line), "‹…›")
	return regexp.MustCompile(`n-[a-z2-9]{10}`).ReplaceAllString(s, "n-…")
}

func TestShape(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a pod", `{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","uid":"6ba7b810-9dad","resourceVersion":"18","generation":2,` +
			`"creationTimestamp":"2026-11-20T20:56:40Z","labels":{"app":"web","example.com/team":"a"},"annotations":{"kubectl.kubernetes.io/restartedAt":"now","example.com/x":"y"},"finalizers":["example.com/keep"],` +
			`"managedFields":[{"manager":"kubectl","fieldsV1":{"f:data":{}}}]},"spec":{"nodeName":"node-1","containers":[{"name":"web","image":"nginx:1","env":[{"name":"A","value":"x"}],"ports":[{"containerPort":80,"protocol":"TCP"}],` +
			`"resources":{"limits":{"cpu":"100m","example.com/gpu":"1"}}}],"restartPolicy":"Always"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"BackOff","message":"Back-off pulling image \"nginx:1\"","lastTransitionTime":"2026-11-20T20:56:41Z"}],"podIP":"10.0.0.7"}}}}`,
			`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","uid":"6ba7b810-9dad","resourceVersion":"18","generation":2,` +
				`"creationTimestamp":"2026-11-20T20:56:40Z","labels":{"app":"web","example.com/team":"a"},"annotations":{"kubectl.kubernetes.io/restartedAt":"‹…›","‹…›":"‹…›"},"finalizers":["example.com/keep"],` +
				`"managedFields":[{"fieldsV1":{"‹…›":{}}}]},"spec":{"nodeName":"node-1","containers":[{"name":"‹…›","image":"‹…›","env":[{"name":"‹…›","value":"‹…›"}],"ports":[{"containerPort":80,"protocol":"TCP"}],` +
				`"resources":{"limits":{"cpu":"100m","‹…›":"1"}}}],"restartPolicy":"Always"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"BackOff","message":"Back-off pulling image \"‹…›\"","lastTransitionTime":"2026-11-20T20:56:41Z"}],"podIP":"‹…›"}}}}`},
		{"a Secret, whose data stays base64", `{"body":{"kind":"SecretList","items":[{"data":{"user":"YWRtaW4="},"stringData":{"x":5}}]}}`, `{"body":{"kind":"SecretList","items":[{"data":{"‹…›":"4oC5NWI1OWZl4oC6"},"stringData":{"‹…›":"‹…›"}}]}}`},
		{"a kind of one's own", `{"body":{"kind":"Web","apiVersion":"a.b/v1","spec":{"dbHost":"x1","my-cluster":{"size":3},"string_data":{"word":"y"},"template":{"metadata":{"name":"n","labels":{"a":"b"}}},"selector":{"a":"b"},"phase":"Mine"}}}`,
			`{"body":{"kind":"Web","apiVersion":"a.b/v1","spec":{"dbHost":"‹…›","‹…›":{"size":3},"‹…›":{"‹…›":"‹…›"},"template":{"metadata":{"name":"‹…›","labels":{"a":"b"}}},"selector":{"a":"b"},"phase":"‹…›"}}}`},
		{"a request", `{"t":1,"id":1,"req":{"method":"GET","url":"/apis/apps/v1/namespaces/shop/deployments?watch=true&resourceVersion=17&labelSelector=app%3Dweb&fieldSelector=metadata.name%3Dweb,spec.x%3Dy&continue=abc&who=me"}}`,
			`{"t":1,"id":1,"req":{"method":"GET","url":"/apis/apps/v1/namespaces/shop/deployments?watch=true&resourceVersion=17&labelSelector=app%3Dweb&fieldSelector=metadata.name%3Dweb%2Cn-…%3Dn-…&continue=n-…&n-…=n-…"}}`},
		{"a request to something else", `{"req":{"url":"https://user:pw@host:6443/secret/path?x"}}`, `{"req":{"url":"https://n-…/n-…/n-…?n-…"}}`},
		{"a refusal", `{"body":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 12345 (67890) for \"4711\"","reason":"Expired","details":{"name":"web","kind":"pods"},"code":410}}`,
			`{"body":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 12345 (67890) for \"‹…›\"","reason":"Expired","details":{"name":"web","kind":"pods"},"code":410}}`},
		{"how a watch ended", `{"end":{"how":"reset","error":"read tcp 10.0.0.1:5->10.0.0.2:443: connection reset by peer","rest":"eyJ0"}}`, `{"end":{"how":"reset","error":"read tcp ‹…›>‹…›: connection reset by peer","rest":""}}`},
		{"a call", `{"call":{"handler":"web","fn":"OnAdd","key":"shop/web","rv":"18","took":12}}`, `{"call":{"handler":"web","fn":"OnAdd","key":"shop/web","rv":"18","took":12}}`},
		{"a key that is none", `{"work":{"queue":"q","fn":"Add","key":"{https://u:hunter2@h/ 5}"}}`, `{"work":{"queue":"q","fn":"Add","key":"‹…›"}}`},
		{"who reads a cache", `{"read":{"kind":"Deployment.apps","fn":"List","form":"typed","func":"web.(*Webs).Reconcile","file":"/src/webs.go","line":7,"n":4}}`, `{"read":{"kind":"Deployment.apps","fn":"List","form":"typed","func":"web.(*Webs).Reconcile","file":"webs.go","line":7,"n":4}}`},
		{"an index function that panics", `{"fault":{"what":"index","name":"byOwner","key":"shop/a"}}`, `{"fault":{"what":"index","name":"byOwner","key":"shop/a"}}`},
		{"a handler at a path", `{"call":{"handler":"/home/me/src/main.go:42","fn":"OnAdd"}}`, `{"call":{"handler":"main.go:42","fn":"OnAdd"}}`},
		{"marks", `[]`, ``},
		{"a mark", `{"mark":{"text":"rollout started"}}`, `{"mark":{"text":"‹…›"}}`},
		{"a log", `{"mark":{"text":"failed to reconcile shop/web: not found","log":"error"}}`, `{"mark":{"text":"failed to reconcile ‹…›: not found","log":"error"}}`},
		{"a Table", `{"body":{"kind":"Table","columnDefinitions":[{"name":"Name","type":"string"}],"rows":[{"cells":["web",3],"object":{"kind":"PartialObjectMetadata","metadata":{"name":"web"}}}]}}`,
			`{"body":{"kind":"Table","columnDefinitions":[{"name":"‹…›","type":"string"}],"rows":[{"cells":["‹…›",3],"object":{"kind":"PartialObjectMetadata","metadata":{"name":"web"}}}]}}`},
		{"a series", `{"series":{"name":"workqueue_depth{name=\"web\"}","at":[1],"values":[2]}}`, `{"series":{"name":"workqueue_depth{name=\"‹…›\"}","at":[1],"values":[2]}}`},
		{"a problem", `{"problem":{"kind":"damaged","line":3,"reason":"invalid character 'q'","why":{"id":"notJSONBut","args":[{"name":"text","text":"hunter2"}]}}}`,
			`{"problem":{"kind":"damaged","line":3,"reason":"invalid character '‹…›'","why":{"id":"notJSONBut","args":[{"name":"text","text":"‹…›"}]}}}`},
		{"an unknown line", `{"t":1,"fresh":{"text":"x","my key":[true,"y"]}}`, `{"t":1,"fresh":{"text":"‹…›","‹…›":[true,"‹…›"]}}`},
		{"a future", `{"t":0,"future":{"informer":"pods","setup":{"handlers":[{"name":"audit","takes":5}]},"way":[{"when":"47.3.run/2.HandlerCalled","step":3,"line":"update pod shop/web app=x"},{"line":"# it's \"mine\""}]}}`,
			`{"t":0,"future":{"informer":"pods","setup":{"handlers":[{"name":"audit","takes":5}]},"way":[{"when":"47.3.run/2.HandlerCalled","step":3,"line":"update pod shop/web app=x"},{"line":"n-… n-… n-…"}]}}`},
		{"an earlier header", `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","recorder":"informerscope record","server":"v1.36.3-gke.12","redacted":["tokens: 3","mine"],"note":"by Anna"}`,
			`{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","recorder":"informerscope record","server":"v1.36.3-gke.12","redacted":["shape"],"note":"by ‹…›"}`},
		{"earlier counts", `{"t":9,"redacted":{"mine":3}}`, `{"t":9,"redacted":{}}`},
		{"no JSON", `{"body":{"kind":"Secret"}`, ``},
		{"too deep", `{"body":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, ``},
	} {
		if got := masked(redactor(t, Options{Key: testKey}).Line([]byte(c.in))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Names become tokens by one mapping, in objects, keys, URLs and scripts.
func TestNames(t *testing.T) {
	r := redactor(t, Options{Names: true, Key: testKey})
	web, shop, value := string(r.tokens.appendName(nil, []byte("web"))), string(r.tokens.appendName(nil, []byte("shop"))), string(r.tokens.appendName(nil, []byte("gold")))
	key := string(r.tokens.appendName(nil, []byte("team")))
	for _, c := range []struct{ in, want string }{
		{`{"event":{"object":{"kind":"Pod","metadata":{"name":"web","namespace":"shop","labels":{"team":"gold","app":"web"},"ownerReferences":[{"name":"web"}]}}}}`,
			`{"event":{"object":{"kind":"Pod","metadata":{"name":"WEB","namespace":"SHOP","labels":{"TEAM":"GOLD","app":"WEB"},"ownerReferences":[{"name":"WEB"}]}}}}`},
		{`{"req":{"url":"/api/v1/namespaces/shop/pods/web?labelSelector=team%3Dgold,app+in+(web)&fieldSelector=metadata.name%3Dweb"}}`,
			`{"req":{"url":"/api/v1/namespaces/SHOP/pods/WEB?labelSelector=TEAM%3DGOLD%2Capp%20in%20%28WEB%29&fieldSelector=metadata.name%3DWEB"}}`},
		{`{"call":{"handler":"h","key":"shop/web"}}`, `{"call":{"handler":"h","key":"SHOP/WEB"}}`},
		{`{"future":{"way":[{"line":"update pod shop/web team=gold"},{"line":"fail reconciles n=3 key=shop/web pods"}]}}`,
			`{"future":{"way":[{"line":"update pod SHOP/WEB TEAM=GOLD"},{"line":"fail reconciles n=3 key=SHOP/WEB PODS"}]}}`},
	} {
		want := strings.NewReplacer("WEB", web, "SHOP", shop, "GOLD", value, "TEAM", key, "PODS", string(r.tokens.appendName(nil, []byte("pods")))).Replace(c.want)
		if got := string(r.Line([]byte(c.in))); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

func TestKeepAndPaths(t *testing.T) {
	r := redactor(t, Options{Key: testKey, Keep: []string{"spec.template.spec.containers.image", ".data.LEVEL", `$.metadata.annotations["a.b/c"]`}, Paths: []string{".spec.replicas", ".metadata.labels"}})
	const in = `{"event":{"object":{"kind":"X","metadata":{"labels":{"a":"b"},"annotations":{"a.b/c":"kept","a.b/d":"x"}},"spec":{"replicas":3,"template":{"spec":{"containers":[{"image":"nginx:1","name":"c"}]}}},"data":{"LEVEL":"debug","OTHER":"x"}}}}`
	const want = `{"event":{"object":{"kind":"X","metadata":{"labels":{},"annotations":{"a.b/c":"kept","‹…›":"‹…›"}},"spec":{"replicas":0,"template":{"spec":{"containers":[{"image":"nginx:1","name":"‹…›"}]}}},"data":{"LEVEL":"debug","‹…›":"‹…›"}}}}`
	if got := masked(r.Line([]byte(in))); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if kept := r.KeptFields(); len(kept) != 4 || kept[0].N != 1 {
		t.Errorf("it counts %v", kept)
	}
	for _, bad := range []string{"", ".", ".a[", ".a[x]", `.a["b]`, "a..b"} {
		if _, err := New(Options{Keep: []string{bad}}); err == nil {
			t.Errorf("%q is a path", bad)
		}
	}
	if _, err := New(Options{Key: []byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
}

// canary is a secret or a name that was planted in an object by somebody who had not read the list.
type canary struct {
	ID, Kind, What, Canary, Encoded string
	Object                          json.RawMessage
	Also                            []json.RawMessage
}

// TestCanaries: none of the secrets that were planted to find what rules miss is in a shape, and with Names no name.
func TestCanaries(t *testing.T) {
	for _, name := range []string{"testdata/canaries.jsonl.gz", "testdata/canaries-second.jsonl.gz"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{}, {Names: true}} {
			r := redactor(t, o)
			n := 0
			for d := json.NewDecoder(bytes.NewReader(b)); d.More(); n++ {
				var c canary
				if err := d.Decode(&c); err != nil {
					t.Fatal(err)
				}
				if c.Kind == "name" && !o.Names {
					continue
				}
				for _, object := range append(c.Also, c.Object) {
					says := readings(r.Line(bytes.Join([][]byte{[]byte(`{"t":1,"id":1,"event":{"type":"ADDED","object":`), object, []byte("}}")}, nil)))
					if strings.Contains(says, c.Canary) || c.Encoded != "" && strings.Contains(says, c.Encoded) {
						t.Errorf("%s (%s): %s stays in\n%s", c.ID, c.What, c.Canary, says)
					}
				}
			}
			if n < 100 {
				t.Errorf("%s has %d canaries", name, n)
			}
		}
	}
}

// FuzzLine: what is left of any line is JSON of its own, and has no text of a place that isn't on the list.
func FuzzLine(f *testing.F) {
	for _, s := range []string{`{"event":{"object":{"kind":"Pod","metadata":{"name":"a","labels":{"a":"b"}},"data":{"a":["b",{"c":1}]}}}}`, `{"informerscope":"trace","redacted":["a"]}`, `{"mark":[{"text":"x"}],"req":{"url":"http://a/b?c"}}`,
		`{"body":{"kind":"Table","rows":[{"cells":["\ud800"]}]},"end":{"rest":"x"},"future":{"way":[{"line":"a b"}]},"series":{"name":"go_x{a=\"b\\\"\"}"}}`, `{"a":"password: |\n x","env":[{"value":"x"}],"b":"//u:p@h","c":"kind: Secret data"}`, `{}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, o := range []Options{{Key: testKey}, {Key: testKey, Names: true, Keep: []string{"spec.a"}, Paths: []string{"spec.b"}}, {Key: testKey, Values: true, Paths: []string{"spec.b"}}} {
			r := redactor(t, o)
			out := r.Line(line)
			if out == nil || len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if !json.Valid(out) {
				t.Fatalf("of %q is left %q", line, out)
			}
			if again := redactor(t, o).Line(line); !bytes.Equal(again, out) {
				t.Fatalf("of %q is left %q, and then %q", line, out, again)
			}
			r.Summary(1)
		}
	})
}

// BenchmarkLine reads a recording of a real cluster.
func BenchmarkLine(b *testing.B) {
	for _, o := range []struct {
		name string
		Options
	}{{"shape", Options{}}, {"owner", Options{Values: true}}} {
		b.Run(o.name, func(b *testing.B) {
			lines := linesOf(b, "../format/testdata/shop.trace.jsonl.gz", 1<<20)
			r := redactor(b, o.Options)
			size := 0
			for _, line := range lines {
				size += len(line) + 1
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, line := range lines {
					r.Line(line)
				}
			}
		})
	}
}
