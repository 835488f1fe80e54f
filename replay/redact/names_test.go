package redact

import (
	"strings"
	"testing"
)

func TestSipHash(t *testing.T) {
	var key, text []byte
	for i := range byte(16) {
		key = append(key, i)
	}
	p := newPseudonyms(key)
	// From the paper that SipHash is from.
	if got := sipHash(p.k0, p.k1, append(text, key[:15]...)); got != 0xa129ca6149be45e5 {
		t.Errorf("%x", got)
	}
}

// named gives a pseudonym back its name, between angle brackets, so that people
// can read what a test expects.
func named(p *pseudonyms, s string, names ...string) string {
	for _, n := range names {
		s = strings.ReplaceAll(s, p.of([]byte(n)), "<"+n+">")
	}
	return s
}

func TestNames(t *testing.T) {
	r := redactor(t, Options{Rules: Names, Key: testKey})
	all := []string{"web-7f", "web-7f-x1", "web", "shop", "node-1", "o p", "sa", "tok", "cm", "default"}
	for _, c := range []struct{ in, want string }{
		{`{"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7f-x1","generateName":"web-7f-","namespace":"shop","resourceVersion":"5","uid":"u","labels":{"app":"web","tier":"gold"},"ownerReferences":[{"kind":"ReplicaSet","name":"web-7f"}],"managedFields":[{"k:{\"name\":\"web\"}":{}}]}}}}`,
			`{"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"<web-7f-x1>","generateName":"<web-7f>-","namespace":"<shop>","resourceVersion":"5","uid":"u","labels":{"app":"<web>","tier":"gold"},"ownerReferences":[{"kind":"ReplicaSet","name":"<web-7f>"}],"managedFields":[]}}}}`},
		{`{"event":{"object":{"spec":{"nodeName":"node-1","serviceAccountName":"sa","containers":[{"name":"main","env":[{"name":"A"}],"ports":[{"name":"http"}],"envFrom":[{"configMapRef":{"name":"cm"}}]}]}}}}`,
			`{"event":{"object":{"spec":{"nodeName":"<node-1>","serviceAccountName":"<sa>","containers":[{"name":"main","env":[{"name":"A"}],"ports":[{"name":"http"}],"envFrom":[{"configMapRef":{"name":"<cm>"}}]}]}}}}`},
		{`{"event":{"object":{"involvedObject":{"kind":"Pod","name":"web-7f-x1","namespace":"shop"},"message":"Created pod: web-7f-x1 (of shop/web-7f), see web-7f-x1.shop.svc, \u003cweb-7fx>"}}}`,
			`{"event":{"object":{"involvedObject":{"kind":"Pod","name":"<web-7f-x1>","namespace":"<shop>"},"message":"Created pod: <web-7f-x1> (of <shop>/<web-7f>), see <web-7f-x1>.<shop>.svc, <web-7fx>"}}}`},
		{`{"req":{"method":"GET","url":"/apis/apps/v1/namespaces/shop/deployments/web/status?watch=true&resourceVersion=5&continue=tok&fieldSelector=metadata.name%3Dweb%2Cspec.nodeName!%3Dnode-1&labelSelector=app+in+%28web%2Cweb-7f%29%2Ctier%3Dgold"}}`,
			`{"req":{"method":"GET","url":"/apis/apps/v1/namespaces/<shop>/deployments/<web>/status?watch=true&resourceVersion=5&continue=<tok>&fieldSelector=metadata.name%3D<web>%2Cspec.nodeName%21%3D<node-1>&labelSelector=app%20in%20%28<web>%2C<web-7f>%29%2Ctier%3Dgold"}}`},
		{`{"req":{"url":"/api/v1/namespaces"}}`, ``},
		{`{"req":{"url":"/api/v1/namespaces/shop"}}`, `{"req":{"url":"/api/v1/namespaces/<shop>"}}`},
		{`{"req":{"url":"/api/v1/pods?limit=500&resourceVersion=0"}}`, ``},
		{`{"req":{"url":"/version"}}`, ``},
		{`{"body":{"kind":"PodList","metadata":{"resourceVersion":"5","continue":"tok"},"items":[]}}`, `{"body":{"kind":"PodList","metadata":{"resourceVersion":"5","continue":"<tok>"},"items":[]}}`},
		{`{"body":{"kind":"Status","message":"pods \"web-7f\" not found","reason":"NotFound","details":{"name":"web-7f","kind":"pods"},"code":404}}`,
			`{"body":{"kind":"Status","message":"pods \"<web-7f>\" not found","reason":"NotFound","details":{"name":"<web-7f>","kind":"pods"},"code":404}}`},
		{`{"call":{"handler":"web","fn":"OnAdd","key":"shop/web-7f","rv":"5"}}`, `{"call":{"handler":"web","fn":"OnAdd","key":"<shop>/<web-7f>","rv":"5"}}`},
		{`{"call":{"handler":"h","fn":"OnAdd","key":"node-1","rv":"5"}}`, `{"call":{"handler":"h","fn":"OnAdd","key":"<node-1>","rv":"5"}}`},
		{`{"mark":{"text":"web and default"}}`, `{"mark":{"text":"<web> and default"}}`},
		{`{"event":{"object":{"metadata":{"name":"default","namespace":""}}}}`, `{"event":{"object":{"metadata":{"name":"<default>","namespace":""}}}}`},
	} {
		if c.want == "" {
			c.want = c.in
		}
		r.Learn([]byte(c.in))
		got := strings.ReplaceAll(named(&r.pseudo, string(r.Line([]byte(c.in))), all...), `\u003c`, "<")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestNamesThatComeLater(t *testing.T) {
	lines := []string{`{"mark":{"text":"web is to come"}}`, `{"event":{"object":{"metadata":{"name":"web"}}}}`}
	r := redactor(t, Options{Rules: Names, Key: testKey})
	for _, l := range lines {
		r.Learn([]byte(l))
	}
	if got := named(&r.pseudo, string(r.Line([]byte(lines[0]))), "web"); got != `{"mark":{"text":"<web> is to come"}}` {
		t.Error(got)
	}
}

func TestOtherKeysGiveOtherPseudonyms(t *testing.T) {
	a, b := newPseudonyms(testKey), newPseudonyms([]byte("fedcba9876543210"))
	if a.of([]byte("web")) == b.of([]byte("web")) || a.of([]byte("web")) == a.of([]byte("wea")) {
		t.Error("they are the same")
	}
	for _, key := range [][]byte{nil, []byte("short")} {
		if _, err := New(Options{Rules: Names, Key: key}); err == nil {
			t.Errorf("a key of %d bytes is taken", len(key))
		}
	}
}
