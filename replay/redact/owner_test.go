package redact

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestOwnersRulesOnSamples: the secrets of samples that earlier rules left are gone, and the objects still say which they are.
func TestOwnersRulesOnSamples(t *testing.T) {
	b, err := os.ReadFile("testdata/owner.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	r := redactor(t, Options{Values: true})
	var out strings.Builder
	for line := range bytes.Lines(b) {
		kept := r.Line(bytes.TrimSuffix(line, []byte("\n")))
		if !json.Valid(kept) {
			t.Fatalf("no JSON: %s", kept)
		}
		out.WriteString(readings(kept) + "\n")
	}
	got := out.String()
	for _, secret := range strings.Fields(`Falcon2018! Falcon2003! Berlin2025# Winter2014_ Falcon2011_ Tiger2000! Winter2010? Rocket1995! Coffee1997% Coffee2023% Monday2002? Tiger2001! Tiger2023# Orange2023? Orange2019% Orange2026?
		1ab5fef12a86aa6a0cff677c562e170195c2815f 136454e519471dee033d28f1e1277abc bb9547deef4262516fc057814ca0fb0e4054b37b6f78994df8b0f1f1f1f1f1f1f1f1 Purple1993! Falcon2011? cGxhaW53b3JkLXR1bGlw orchid-in-clear`) {
		if strings.Contains(got, secret) {
			t.Errorf("%s stays", secret)
		}
	}
	for _, stays := range []string{"KeycloakRealmImport", `"username":"u"`, "kubectl create secret generic x", "secret/app", "networkPath", "cache_peer p parent 3128", "values kept: redact before you share"} {
		if !strings.Contains(got, stays) {
			t.Errorf("%s is gone", stays)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestOwnersRules(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a Secret",
			`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a"},"data":{"user":"YQ==","none":null},"stringData": {"x" : "y"}}}}`,
			`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a"},"data":{"user":"UkVEQUNURUQ=","none":null},"stringData": {"x" : "REDACTED"}}}}`},
		{"escapes, the kind last, and one name twice",
			`{"id":1,"event":{"type":"ADDED","object":{"D\u0061TA":{"a":"YQ=="},"data":{"b":["Yg=="]},"k\u0069nd":"\u0053ecret"}}}`,
			`{"id":1,"event":{"type":"ADDED","object":{"D\u0061TA":{"a":"UkVEQUNURUQ="},"data":{"b":["REDACTED"]},"k\u0069nd":"\u0053ecret"}}}`},
		{"a list of Secrets, whose items don't say what they are",
			`{"id":1,"body":{"items":[{"data":{"a":"YQ=="}}],"kind":"SecretList"}}`, `{"id":1,"body":{"items":[{"data":{"a":"UkVEQUNURUQ="}}],"kind":"SecretList"}}`},
		{"a Secret within another object",
			`{"id":1,"event":{"object":{"kind":"Bundle","spec":{"parts":[[{"kind":"Secret","stringData":{"a":"b"}}]]}}}}`, `{"id":1,"event":{"object":{"kind":"Bundle","spec":{"parts":[[{"kind":"Secret","stringData":{"a":"REDACTED"}}]]}}}}`},
		{"a Secret's own copy", `{"body":{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{}}"}}}}`,
			`{"body":{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"REDACTED"}}}}`},
		{"a ConfigMap is none", `{"body":{"kind":"ConfigMap","data":{"a":"b"}}}`, `{"body":{"kind":"ConfigMap","data":{"a":"b"}}}`},
		{"a manifest in a text", `{"body":{"kind":"ConfigMap","data":{"a":"apiVersion: v1\nkind: Secret\ndata:\n  x: YQ==\n"}}}`, `{"body":{"kind":"ConfigMap","data":{"a":"REDACTED"}}}`},
		{"variables",
			`{"body":{"kind":"Pod","spec":{"initContainers":[{"env":[{"name":"A","value":"x"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}},{"name":"C","value":""}]}]}}}`,
			`{"body":{"kind":"Pod","spec":{"initContainers":[{"env":[{"name":"A","value":"REDACTED"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}},{"name":"C","value":""}]}]}}}`},
		{"variables of charts", `{"body":{"kind":"X","spec":{"extraEnv":{"A":"x","B":5},"env":["A=x"]}}}`, `{"body":{"kind":"X","spec":{"extraEnv":{"A":"REDACTED","B":"REDACTED"},"env":["A=REDACTED"]}}}`},
		{"names of fields", `{"body":{"kind":"X","spec":{"dbPassword":"a b","api_token":"abcd","tokenPath":"/x","secretName":"s","passwordRef":{"name":"p"},"token":"/var/run/token","bypass":"no2"}}}`,
			`{"body":{"kind":"X","spec":{"dbPassword":"REDACTED","api_token":"REDACTED","tokenPath":"/x","secretName":"s","passwordRef":{"name":"p"},"token":"/var/run/token","bypass":"no2"}}}`},
		{"a header with a value", `{"x":{"httpHeaders":[{"name":"Authorization","value":"abcd"},{"name":"Accept","value":"abcd"}]}}`, `{"x":{"httpHeaders":[{"name":"Authorization","value":"REDACTED"},{"name":"Accept","value":"abcd"}]}}`},
		{"flags", `{"x":{"args":["--token","abcd1","--user=x","--db-password=hunter","-v"]}}`, `{"x":{"args":["--token","REDACTED","--user=x","--db-password=REDACTED","-v"]}}`},
		{"a command", `{"x":{"command":["sh","-c","mysql -u root -p s3cret9 && curl -u me:p4ss -H 'Authorization: Bearer abcdefgh' http://u:hunter2@h/ -p 8080"]}}`,
			`{"x":{"command":["sh","-c","mysql -u root -p REDACTED && curl -u me:REDACTED -H 'Authorization: Bearer REDACTED' http://u:REDACTED@h/ -p 8080"]}}`},
		{"a URL", `{"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1&access_token=abcd&limit=5"}}`, `{"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1&access_token=REDACTED&limit=5"}}`},
		{"a configuration", `{"body":{"kind":"ConfigMap","data":{"a":"user: me\npassword: hunter\nother: x\n","b":"{\"apiKey\": \"abcde\", \"x\": 1}","c":"requirepass s3cret9\n","d":"key: |\n  x\ntoken: |\n  abc\n  def\nnext: 1"}}}`,
			`{"body":{"kind":"ConfigMap","data":{"a":"user: me\npassword: REDACTED\nother: x\n","b":"{\"apiKey\": \"REDACTED\", \"x\": 1}","c":"requirepass REDACTED\n","d":"key: |\n  x\ntoken: |REDACTED\nnext: 1"}}}`},
		{"looks", `{"x":{"a":"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----","b":"-----BEGIN CERTIFICATE-----\nabc","c":"see ghp_0123456789abcdef0123456789abcdef0123 there","d":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk"}}`,
			`{"x":{"a":"REDACTED-----END RSA PRIVATE KEY-----","b":"-----BEGIN CERTIFICATE-----\nabc","c":"see REDACTED there","d":"REDACTED"}}`},
		{"messages stay", `{"t":1,"id":3,"reconciled":{"result":"error","took":5,"error":"*url.Error","message":"pods \"web\" not found: token expired, secret \"x\" missing"}}`,
			`{"t":1,"id":3,"reconciled":{"result":"error","took":5,"error":"*url.Error","message":"pods \"web\" not found: token expired, secret \"x\" missing"}}`},
		{"a cut event", `{"t":1,"id":1,"end":{"how":"reset","error":"x","rest":"eyJ0"}}`, `{"t":1,"id":1,"end":{"how":"reset","error":"x","rest":""}}`},
		{"a header", `{"informerscope":"trace","version":1}`, `{"informerscope":"trace","version":1,"redacted":["values kept: redact before you share","secret data","env values","last-applied annotations","tokens"]}`},
		{"the header of a shape", `{"informerscope":"trace","redacted":["shape"],"version":1}`, `{"informerscope":"trace","redacted":["shape"],"version":1}`},
		{"no JSON", `{"body":{"kind":"Secret"}`, ``},
		{"no line of a trace", `["a"]`, ``},
		{"too deep", `{"body":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, ``},
		{"an empty line", ``, ``},
	} {
		r := redactor(t, Options{Values: true})
		if got := string(r.Line([]byte(c.in))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// An answer may not say what it holds. What was asked for says it.
func TestRequestsForSecrets(t *testing.T) {
	r := redactor(t, Options{Values: true})
	for _, c := range []struct{ in, want string }{
		{`{"id":7,"req":{"url":"/api/v1/namespaces/x/%73ecrets?limit=1"}}`, ""},
		{`{"id":8,"req":{"url":"/api/v1/namespaces/secrets/configmaps"}}`, ""},
		{`{"id":7,"body":{"items":[{"data":{"a":"b"}}]}}`, `{"id":7,"body":{"items":[{"data":{"a":"UkVEQUNURUQ="}}]}}`},
		{`{"id":7,"event":{"object":{"data":{"a":"b"}}}}`, `{"id":7,"event":{"object":{"data":{"a":"UkVEQUNURUQ="}}}}`},
		{`{"id":7,"event":{"object":{"kind":"Table","rows":[{"object":{"data":{"a":"b"}}}]}}}`, `{"id":7,"event":{"object":{"kind":"Table","rows":[{"object":{"data":{"a":"UkVEQUNURUQ="}}}]}}}`},
		{`{"id":8,"event":{"object":{"data":{"a":"b"}}}}`, ""},
		{`{"id":7,"end":{"how":"eof"}}`, ""},
		{`{"id":7,"event":{"object":{"data":{"a":"b"}}}}`, ""},
	} {
		if c.want == "" {
			c.want = c.in
		}
		if got := string(r.Line([]byte(c.in))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// What names that say nothing hold stays to its owner: words, hashes, public keys, references.
func TestOwnersValuesStay(t *testing.T) {
	for _, s := range []string{
		`{"x":{"image":"registry.example.com/team/web:1.2.3","imageID":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}}`,
		`{"x":{"serviceAccountToken":{"path":"token","expirationSeconds":3607},"secretKeyRef":{"name":"db","key":"password"},"tokenAudience":"api"}}`,
		`{"x":{"command":["/bin/sh","-c","mkdir -p /data/v1 && exec server -a 0.0.0.0 -p 8443 --token=$(TOKEN)"]}}`,
		`{"x":{"key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEy me@host"}}`,
		`{"x":{"message":"Successfully assigned shop/web-584ccd5465-sjtfc to node-002, at 10:20:30, user a:b"}}`,
		`{"event":{"object":{"kind":"Pod","metadata":{"name":"password","namespace":"token","uid":"004a1f5b-eca6-4656-8ebb-bc929d07119d"},"spec":{"volumes":[{"name":"secret","secret":{"secretName":"tls","items":[{"key":"password","path":"p"}]}}]}}}}`,
		`{"t":1,"id":4,"in":3,"write":{"verb":"patch","patch":"merge","url":"/api/v1/namespaces/x/secrets/token?fieldManager=a","key":"x/token","rv":"7"}}`,
	} {
		if got := string(redactor(t, Options{Values: true}).Line([]byte(s))); got != s {
			t.Errorf("of\n%s\nis left\n%s", s, got)
		}
	}
}
