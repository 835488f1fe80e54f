package redact

import (
	"regexp"
	"strings"
	"testing"
)

func TestSipHash(t *testing.T) {
	var key, text []byte
	for i := range byte(16) {
		key = append(key, i)
	}
	p := newPseudonyms(key)
	// The values are those of the paper on SipHash.
	if got := sipHash(p.k0, p.k1, append(text, key[:15]...)); got != 0xa129ca6149be45e5 {
		t.Errorf("SipHash gives %x", got)
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
		{`{"calling":{"handler":"web","fn":"OnAdd","key":"shop/web-7f","rv":"5","took":9}}`, `{"calling":{"handler":"web","fn":"OnAdd","key":"<shop>/<web-7f>","rv":"5","took":9}}`},
		{`{"t":1,"id":4,"in":3,"write":{"verb":"create","url":"/api/v1/namespaces/shop/pods?fieldManager=web","generateName":"web-7f-","uid":"u"}}`,
			`{"t":1,"id":4,"in":3,"write":{"verb":"create","url":"/api/v1/namespaces/<shop>/pods?fieldManager=<web>","generateName":"<web-7f>-","uid":"u"}}`},
		{`{"t":1,"id":4,"wrote":{"status":201,"reason":"Conflict","key":"shop/web-7f-x1","rv":"6","error":"shop/web-7f"}}`, `{"t":1,"id":4,"wrote":{"status":201,"reason":"Conflict","key":"<shop>/<web-7f-x1>","rv":"6","error":"<shop>/<web-7f>"}}`},
		{`{"t":1,"id":3,"reconcile":{"controller":"web","key":"shop/web","worker":1}}`, `{"t":1,"id":3,"reconcile":{"controller":"web","key":"<shop>/<web>","worker":1}}`},
		{`{"t":1,"id":3,"reconciled":{"result":"error","error":"Conflict","message":"pods \"web-7f\" already exists"}}`, `{"t":1,"id":3,"reconciled":{"result":"error","error":"Conflict","message":"pods \"<web-7f>\" already exists"}}`},
		{`{"t":1,"work":{"queue":"web","fn":"Add","key":"shop/web"}}`, `{"t":1,"work":{"queue":"web","fn":"Add","key":"<shop>/<web>"}}`},
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
		t.Error("another key gives the same pseudonyms")
	}
	for _, key := range [][]byte{nil, []byte("short")} {
		if _, err := New(Options{Rules: Names, Key: key}); err == nil {
			t.Errorf("a key of %d bytes is taken", len(key))
		}
	}
}

// TestPlaces maps what else than names tells a cluster from others. Text
// between ⟦ and ⟧ must be gone, and its replacement must have the same form: a
// digit for a digit, an address for an address.
func TestPlaces(t *testing.T) {
	lines, headings := places(t, "testdata/places.txt")
	for i, place := range lines {
		r := redactor(t, Options{Rules: Names, Key: testKey})
		line, gone := plantedLine(t, place)
		r.Learn([]byte(line))
		out := string(r.Line([]byte(line)))
		for _, s := range gone {
			if strings.Contains(everything(t, out), s) {
				t.Errorf("%s: %s is left of\n%s\nin\n%s", headings[i], s, line, out)
			}
		}
	}
}

func TestPlacesKeepTheirForm(t *testing.T) {
	p := newPseudonyms(testKey)
	form := func(s string) string {
		return regexp.MustCompile(`n-[a-z2-9]{10}|24[0-7]\.\d+\.\d+\.\d+|2001:db8::[0-9a-f:]+`).ReplaceAllStringFunc(s, func(s string) string {
			switch {
			case s[0] == 'n':
				return "NAME"
			case strings.Contains(s, ":"):
				return "IPv6"
			}
			return "IPv4"
		})
	}
	for in, want := range map[string]string{
		"10.0.0.1":                             "IPv4",
		"10.0.0.1:8080, 10.0.0.0/24":           "IPv4:8080, IPv4/24",
		"fd00::1 and [fd00::1]:443":            "IPv6 and [IPv6]:443",
		"127.0.0.1 ::1 0.0.0.0 255.255.255.0":  "127.0.0.1 ::1 0.0.0.0 255.255.255.0",
		"dial tcp: lookup db.corp.internal:53": "dial tcp: lookup NAME:53",
		"https://api.example.com:6443/x":       "https://NAME:6443/x",
		"http://web.shop.svc.cluster.local/x":  "http://NAME.NAME.svc.cluster.local/x",
		"mail admin@corp.example":              "mail admin@NAME",
		"ip-10-0-1-2 is ready":                 "NAME is ready",
		"v1.2.3, 1.2.3, 21:18:58, main.go:12":  "v1.2.3, 1.2.3, 21:18:58, main.go:12",
		"app.kubernetes.io/name, config.yaml":  "app.kubernetes.io/name, config.yaml",
		"kubelet 2026-11-20T21:06:42Z":         "kubelet 2026-11-20T21:06:42Z",
	} {
		out, _ := p.appendPseudonyms(nil, []byte(in), false)
		if got := form(string(out)); got != want {
			t.Errorf("%q becomes %q, should be %q", in, got, want)
		}
		again, _ := p.appendPseudonyms(nil, []byte(in), false)
		if string(again) != string(out) {
			t.Errorf("%q becomes %q, and another time %q", in, out, again)
		}
	}
	for in, want := range map[string]string{
		"nginx:1.27":                             "nginx:1.27",
		"docker.io/library/nginx:1.27":           "docker.io/library/nginx:1.27",
		"registry.k8s.io/pause:3.10":             "registry.k8s.io/pause:3.10",
		"ghcr.io/team/web:v1":                    "ghcr.io/NAME/NAME:v1",
		"registry.corp.example:5000/team/web:v1": "NAME:5000/NAME/NAME:v1",
		"team/web":                               "NAME/NAME",
	} {
		if got := form(p.image([]byte(in))); got != want {
			t.Errorf("image %q becomes %q, should be %q", in, got, want)
		}
	}
	if got := p.id([]byte("4f1b2b0b-822c")); len(got) != 13 || got[8] != '-' || got == "4f1b2b0b-822c" || !isHex([]byte(got)) {
		t.Error(got)
	}
	if got := p.trackingID([]byte("shop:apps/Deployment:prod/web")); form(got) != "NAME:apps/Deployment:NAME/NAME" || !strings.HasSuffix(got, p.of([]byte("prod"))+"/"+p.of([]byte("web"))) {
		t.Error(got)
	}
}

// Names are found where they are written in another way, and those of people where their place
// says so.
func TestNamesInOtherForms(t *testing.T) {
	const pod = `{"event":{"object":{"kind":"Pod","metadata":{"name":"winter-garten-ost","namespace":"n"}}}}`
	in := func(text string) string {
		return `{"event":{"object":{"kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":` + string(appendQuoted(nil, []byte(text))) + `}}}}`
	}
	for line, gone := range map[string][]string{
		in("class de.example.WinterGartenOstService"):                                                                                       {"WinterGartenOst"},
		in("WINTER_GARTEN_OST_PORT and winter-garten-ost"):                                                                                  {"WINTER_GARTEN", "winter"},
		in("run --allowed-users=u.meier,root,k.ito@corp.example --x=1"):                                                                     {"meier", "k.ito", "corp"},
		in("admins=olga.petrowa\nlevel=info"):                                                                                               {"petrowa"},
		in("fix\n\nReviewed-by: Jörg Müller-Lüdenscheidt\n"):                                                                                {"Jörg", "Müller"},
		in("Author: María del Carmen <mdc@corp.example>"):                                                                                   {"María", "Carmen", "mdc"},
		`{"event":{"object":{"kind":"Pod","spec":{"schedulerName":"seesaw-sched"}}}}`:                                                       {"seesaw"},
		`{"event":{"object":{"kind":"PersistentVolume","spec":{"rbd":{"pool":"ssd-lindau"}}}}}`:                                             {"lindau"},
		`{"event":{"object":{"metadata":{"annotations":{"service.beta.kubernetes.io/azure-load-balancer-internal-subnet":"lindau-net"}}}}}`: {"lindau"},
		`{"event":{"object":{"kind":"Kiln","apiVersion":"kilns.brickworks.example/v1","metadata":{"ownerReferences":[{"apiVersion":"kilns.brickworks.example/v1"}]}}}}`: {"brickworks"},
		`{"req":{"url":"/apis/kilns.brickworks.example/v1/kilns?watch=1"}}`:                                                                                             {"brickworks"},
		`{"event":{"object":{"kind":"ClusterRole","rules":[{"apiGroups":["kilns.brickworks.example"]}]}}}`:                                                              {"brickworks"},
		`{"event":{"object":{"kind":"Pod","spec":{"containers":[{"resources":{"limits":{"brickworks.example/kiln":"1","cpu":"2"}}}]}}}}`:                                {"brickworks"},
	} {
		r := redactor(t, Options{Rules: Names, Key: testKey})
		r.Learn([]byte(pod))
		r.Learn([]byte(line))
		out := string(r.Line([]byte(line)))
		for _, name := range gone {
			if strings.Contains(out, name) {
				t.Errorf("%s is left of\n%s\nin\n%s", name, line, out)
			}
		}
	}
	for _, line := range []string{
		`{"req":{"url":"/apis/apps/v1/deployments?watch=1"}}`,
		`{"req":{"url":"/apis/monitoring.coreos.com/v1/prometheuses"}}`,
		`{"event":{"object":{"kind":"Pod","apiVersion":"v1","spec":{"containers":[{"resources":{"limits":{"cpu":"1","nvidia.com/gpu":"1"}}}]}}}}`,
		in("class com.example.WinterSale, --users=3, 5 <b@c>, state: Ready, x-by: y"),
	} {
		r := redactor(t, Options{Rules: Names, Key: testKey})
		r.Learn([]byte(pod))
		plain := regexp.MustCompile(`"name":"[^"]*"|com\.example|b@c|n-[a-z2-9]{10}|@`)
		if out := string(r.Line([]byte(line))); plain.ReplaceAllString(out, "") != plain.ReplaceAllString(line, "") && !strings.Contains(line, "WinterSale") || !strings.Contains(out, "WinterSale") && strings.Contains(line, "WinterSale") {
			t.Errorf("%s\nbecomes\n%s", line, out)
		}
	}
}

// A group of the API has the same pseudonym in requests and in objects, so that the trace can
// still be played.
func TestGroupsAgree(t *testing.T) {
	r := redactor(t, Options{Rules: Names, Key: testKey})
	url := string(r.Line([]byte(`{"req":{"url":"/apis/kilns.brickworks.example/v1/kilns?watch=1"}}`)))
	object := string(r.Line([]byte(`{"event":{"object":{"kind":"Kiln","apiVersion":"kilns.brickworks.example/v1"}}}`)))
	by := string(newGroup(testKey))
	if !strings.Contains(url, "/apis/"+by+"/v1/kilns?watch=1") || !strings.Contains(object, `"apiVersion":"`+by+`/v1"`) {
		t.Errorf("%s\n%s", url, object)
	}
}

func newGroup(key []byte) []byte {
	p := newPseudonyms(key)
	return []byte(p.group([]byte("kilns.brickworks.example"), false))
}
