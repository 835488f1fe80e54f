package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// canary is a secret or a name that was planted in an object by somebody who had not
// read the rules.
type canary struct {
	ID, Kind, What, Canary, Encoded string
	Object                          json.RawMessage
	Also                            []json.RawMessage
}

// TestCanaries: none of them is left, and Check finds nothing more. Names may stay without
// the rule Names. The second list was opened after the rules for the first one were made.
// Then 13 of its 58 secrets and 8 of its 42 names were left, and rules were made for these.
func TestCanaries(t *testing.T) {
	for name, n := range map[string]int{"testdata/canaries.jsonl.gz": 200, "testdata/canaries-second.jsonl.gz": 100} {
		t.Run(name, func(t *testing.T) { testCanaries(t, name, n) })
	}
}

func testCanaries(t *testing.T, name string, n int) {
	var all []canary
	for d := json.NewDecoder(bytes.NewReader(unzipped(t, name))); d.More(); {
		var c canary
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if len(all) != n {
		t.Fatalf("there are %d canaries", len(all))
	}
	line := func(object []byte) []byte {
		return bytes.Join([][]byte{[]byte(`{"t":1,"id":1,"event":{"type":"ADDED","object":`), object, []byte("}}")}, nil)
	}
	for _, o := range []Options{{}, {Rules: Default | Names, Key: testKey}} {
		r := redactor(t, o)
		for _, c := range all {
			for _, object := range append(c.Also, c.Object) {
				r.Learn(line(object))
			}
		}
		left, check := 0, NewCheck()
		for _, c := range all {
			if c.Kind == "name" && o.Rules&Names == 0 {
				continue
			}
			for _, object := range append(c.Also, c.Object) {
				out := string(r.Line(line(object)))
				said := out + everything(t, out)
				check.Line([]byte(out))
				if strings.Contains(said, c.Canary) || c.Encoded != "" && strings.Contains(said, c.Encoded) {
					left++
					t.Errorf("%s, %s (%s): %s is left in\n%.2000s", c.ID, c.Kind, c.What, c.Canary, out)
				}
			}
		}
		t.Logf("%d of %d are left", left, len(all))
		if found, _ := check.Found(); len(found) > 0 && o.Rules&Names == 0 { // pseudonyms look random
			t.Errorf("Check still finds %v", found)
		}
	}
}

// TestNamesAgree: one name has one pseudonym wherever it stands, and what was replaced is
// not replaced again.
func TestNamesAgree(t *testing.T) {
	const node, namespace, ip, dns = "gke-acme-prod-pool-3f2a91bc-x1z9", "zqpay", "10.77.3.9", "db.zqpay.svc.cluster.local"
	lines := []string{
		`{"informerscope":"trace","version":1,"note":"recorded by Anna Schmidt in zqpay"}`,
		`{"req":{"url":"/api/v1/namespaces/zqpay/pods?watch=1&labelSelector=customer%3Dacme-gmbh"}}`,
		`{"mark":{"text":"gke-acme-prod-pool-3f2a91bc-x1z9 has 10.77.3.9, db.zqpay.svc.cluster.local and ZQPAY_SERVICE_HOST"}}`,
		`{"event":{"object":{"kind":"Pod","metadata":{"name":"db","namespace":"zqpay","labels":{"customer":"acme-gmbh"},"annotations":{` +
			`"a":"{\"ip\":\"10.77.3.9\",\"host\":\"db.zqpay.svc.cluster.local\",\"node\":\"gke-acme-prod-pool-3f2a91bc-x1z9\"}",` +
			`"b":"ip: 10.77.3.9\nhost: db.zqpay.svc.cluster.local # of gke-acme-prod-pool-3f2a91bc-x1z9\n"}},` +
			`"spec":{"nodeName":"gke-acme-prod-pool-3f2a91bc-x1z9","affinity":{"nodeAffinity":{"x":{"nodeSelectorTerms":[{` +
			`"matchFields":[{"key":"metadata.name","operator":"In","values":["gke-acme-prod-pool-3f2a91bc-x1z9"]}],` +
			`"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["gke-acme-prod-pool-3f2a91bc-x1z9"]}]}]}},` +
			`"podAffinity":{"labelSelector":{"matchLabels":{"customer":"acme-gmbh"}}}}},"status":{"podIP":"10.77.3.9"}}}`,
		`{"event":{"object":{"kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"aG9zdDogZGIuenFwYXkuc3ZjLmNsdXN0ZXIubG9jYWwgMTAuNzcuMy45"}}}}`,
	}
	lines[3] += "}"
	r := redactor(t, Options{Rules: Names, Key: testKey})
	for _, l := range lines {
		r.Learn([]byte(l))
	}
	var out strings.Builder
	for _, l := range lines {
		out.Write(r.Line([]byte(l)))
	}
	got := out.String()
	p := newPseudonyms(testKey)
	address, ok := address([]byte(ip))
	if !ok {
		t.Fatal("no address")
	}
	host := p.of([]byte("db")) + "." + p.of([]byte(namespace)) + ".svc.cluster.local"
	for name, by := range map[string]string{node: p.of([]byte(node)), ip: p.address(address), dns: host, "acme-gmbh": p.of([]byte("acme-gmbh")), "Schmidt": p.of([]byte("Schmidt"))} {
		n := 0
		for _, l := range lines {
			n += strings.Count(l, name)
		}
		if left, there := strings.Count(got, name), strings.Count(got, by); left > 0 || there != n {
			t.Errorf("%s is there %d times, and its pseudonym %s %d times, not %d, in\n%s", name, left, by, there, n, got)
		}
	}
	if by := strings.ToUpper(strings.ReplaceAll(p.of([]byte(namespace)), "-", "_")); !strings.Contains(got, by+"_SERVICE_HOST") {
		t.Errorf("there is no %s in\n%s", by, got)
	}
	_, coded, _ := strings.Cut(got[strings.LastIndex(got, `"data"`):], `"a":"`)
	coded, _, _ = strings.Cut(coded, `"`)
	text, _ := decoded(nil, []byte(coded))
	if want := "host: " + host + " " + p.address(address); string(text) != want {
		t.Errorf("in base64 stands %q, not %q", text, want)
	}
}
