package redact

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
)

func TestCounts(t *testing.T) {
	r := redactor(t, Options{Rules: SecretData | ManagedFields})
	const header = `{"informerscope":"trace","version":1,"redacted":["mine"]}`
	if got := string(r.Line([]byte(header))); got != `{"informerscope":"trace","version":1,"redacted":["mine","secret data","managed fields"]}` {
		t.Error(got)
	}
	for _, line := range []string{
		`{"event":{"object":{"kind":"Secret","metadata":{"managedFields":[{}]},"data":{"a":"b","c":"d","e":"UkVEQUNURUQ="}}}}`,
		`{"end":{"rest":"eyJ0"}}`, `{`, `{"event":{"object":{"metadata":{"managedFields":[]}}}}`,
	} {
		r.Line([]byte(line))
	}
	r.Drop()
	if got := string(r.Counted([]byte(header))); got != `{"informerscope":"trace","version":1,"redacted":["mine","secret data: 2","managed fields: 1","cut events: 1","lines left out: 2"]}` {
		t.Error(got)
	}
	if got := string(r.Summary(7)); got != `{"t":7,"redacted":{"secret data":2,"managed fields":1,"cut events":1,"lines left out":2}}` {
		t.Error(got)
	}
	if got := string(r.Line([]byte(header))); got != `{"informerscope":"trace","version":1,"redacted":["mine","secret data","managed fields"]}` {
		t.Errorf("Counted has changed what Line does: %s", got)
	}
}

// unzipped returns what a gzipped file holds.
func unzipped(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRealTrace redacts a recording of a real cluster. Lines without secrets come back as they are.
func TestRealTrace(t *testing.T) {
	b := unzipped(t, "../format/testdata/shop.trace.jsonl.gz")
	r := redactor(t, Options{})
	same, other := 0, 0
	for line := range bytes.Lines(b) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		kept := bytes.Clone(line)
		out := r.Line(line)
		if !bytes.Equal(line, kept) {
			t.Fatal("the line was written to")
		}
		if len(out) > 0 && &out[0] == &line[0] {
			same++
			continue
		}
		other++
		if bytes.Contains(out, []byte("bm90LWEtcmVhbC1wYXNzd29yZC0wMDAw")) || bytes.Contains(out, []byte(`"last-applied-configuration":"{`)) {
			t.Errorf("a secret remains: %s", out)
		}
		again := bytes.Clone(out)
		if twice := r.Line(again); !bytes.Contains(kept, []byte(`"informerscope"`)) && &twice[0] != &again[0] {
			t.Errorf("a second time takes out more of %s", again)
		}
	}
	want := []Count{{"secret data", 2}, {"env values", 271}, {"last-applied annotations", 78}, {"tokens", 0}}
	for i, c := range r.Counts() {
		if i >= len(want) || c != want[i] {
			t.Errorf("the counts are %v, and should be %v", r.Counts(), want)
			break
		}
	}
	if same < 1000 || other < 100 {
		t.Errorf("%d lines are as they were, %d are not", same, other)
	}
}
