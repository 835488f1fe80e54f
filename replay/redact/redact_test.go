package redact

import (
	"strings"
	"testing"
)

func redactor(t testing.TB, o Options) *Redactor {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var testKey = []byte("0123456789abcdef")

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a Secret",
			`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a"},"data":{"user":"YQ==","none":null},"stringData": {"x" : "y"}}}}`,
			`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a"},"data":{"user":"UkVEQUNURUQ=","none":null},"stringData": {"x" : "REDACTED"}}}}`},
		{"escapes, capitals, the kind last, one name twice",
			`{"id":1,"event":{"object":{"D\u0061TA":{"a":"YQ=="},"data":{"b":["Yg=="]},"k\u0069nd":"\u0053ecret","kind":"Pod"}}}`,
			`{"id":1,"event":{"object":{"D\u0061TA":{"a":"UkVEQUNURUQ="},"data":{"b":"UkVEQUNURUQ="},"k\u0069nd":"\u0053ecret","kind":"Pod"}}}`},
		{"a list of Secrets, whose items don't say what they are",
			`{"id":1,"body":{"items":[{"data":{"a":"YQ=="}}],"kind":"SecretList"}}`,
			`{"id":1,"body":{"items":[{"data":{"a":"UkVEQUNURUQ="}}],"kind":"SecretList"}}`},
		{"a Secret within another object",
			`{"id":1,"event":{"object":{"kind":"Bundle","spec":{"parts":[[{"kind":"Secret","stringData":{"a":"b"}}]]}}}}`,
			`{"id":1,"event":{"object":{"kind":"Bundle","spec":{"parts":[[{"kind":"Secret","stringData":{"a":"REDACTED"}}]]}}}}`},
		{"a Secret's own copy",
			`{"body":{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{}}"}}}}`,
			`{"body":{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"REDACTED"}}}}`},
		{"a ConfigMap is none",
			`{"body":{"kind":"ConfigMap","data":{"a":"b"}}}`, `{"body":{"kind":"ConfigMap","data":{"a":"b"}}}`},
		{"variables",
			`{"body":{"kind":"Pod","spec":{"initContainers":[{"env":[{"name":"A","value":"x"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}},{"name":"C","value":""}]}]}}}`,
			`{"body":{"kind":"Pod","spec":{"initContainers":[{"env":[{"name":"A","value":"REDACTED"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}},{"name":"C","value":""}]}]}}}`},
		{"a TokenRequest", `{"body":{"kind":"TokenRequest","status":{"token":"abc","expirationTimestamp":"x"}}}`, `{"body":{"kind":"TokenRequest","status":{"token":"REDACTED","expirationTimestamp":"x"}}}`},
		{"a URL", `{"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1\u0026access%5Ftoken=abc&limit=5"}}`, `{"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1&access%5Ftoken=REDACTED&limit=5"}}`},
		{"headers", `{"x":{"headers":{"Authorization":["Bearer abc"],"Accept":["*/*"]},"list":[{"name":"Cookie","value":"a=b"}]}}`, `{"x":{"headers":{"Authorization":["REDACTED"],"Accept":["*/*"]},"list":[{"name":"Cookie","value":"REDACTED"}]}}`},
		{"a cut event", `{"t":1,"id":1,"end":{"how":"reset","error":"x","rest":"eyJ0"}}`, `{"t":1,"id":1,"end":{"how":"reset","error":"x","rest":""}}`},
		{"what a problem quotes", `{"t":1,"problem":{"kind":"damaged","line":3,"reason":"no number: \"p\\\"w\", nor \"x"}}`, `{"t":1,"problem":{"kind":"damaged","line":3,"reason":"no number: \"REDACTED\", nor \"REDACTED"}}`},
		{"a problem that quotes nothing", `{"t":1,"problem":{"kind":"damaged","reason":"unexpected end"}}`, `{"t":1,"problem":{"kind":"damaged","reason":"unexpected end"}}`},
		{"a write, whose names are no secrets", `{"t":1,"id":4,"in":3,"write":{"verb":"patch","patch":"merge","url":"/api/v1/namespaces/x/secrets/token?fieldManager=a","key":"x/token","rv":"7"}}`, `{"t":1,"id":4,"in":3,"write":{"verb":"patch","patch":"merge","url":"/api/v1/namespaces/x/secrets/token?fieldManager=a","key":"x/token","rv":"7"}}`},
		{"an error's text", `{"t":1,"id":3,"reconciled":{"result":"error","took":5,"error":"*url.Error","message":"Get https://u:hunter2@h/: no"}}`, `{"t":1,"id":3,"reconciled":{"result":"error","took":5,"error":"*url.Error","message":"Get https://REDACTED@h/: no"}}`},
		{"an item that holds a secret", `{"t":1,"work":{"queue":"q","fn":"Add","key":"{https://u:hunter2@h/ 5}"}}`, `{"t":1,"work":{"queue":"q","fn":"Add","key":"{https://REDACTED@h/ 5}"}}`},
		{"work that is no object", `{"t":1,"work":["password=hunter2"]}`, `{"t":1,"work":["password=REDACTED"]}`},
		{"a header", `{"informerscope":"trace","version":1}`, `{"informerscope":"trace","version":1,"redacted":["secret data","env values","last-applied annotations","tokens"]}`},
		{"a header with a list", `{"informerscope":"trace","redacted":["tokens","mine"],"version":1}`, `{"informerscope":"trace","redacted":["tokens","mine","secret data","env values","last-applied annotations"],"version":1}`},
		{"no JSON", `{"body":{"kind":"Secret"}`, ``},
		{"no line of a trace", `["a"]`, ``},
		{"too deep", `{"body":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, ``},
		{"an empty line", ``, ``},
	} {
		r := redactor(t, Options{})
		if got := string(r.Line([]byte(c.in))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestRequestsForSecrets(t *testing.T) {
	r := redactor(t, Options{})
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
