package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportRefuses(t *testing.T) {
	var out, errs bytes.Buffer
	for _, args := range [][]string{
		{"report"}, {"report", "--handler", "", "x"}, {"report", "--handler", "a,resync=soon", "x"}, {"report", "--handler", "a,colour=1s", "x"},
		{"report", "--handler", "a", "--handler", "a", "x"}, {"report", "--profile", "v9", "x"}, {"report", "-o", "yaml", "--notifications", "x"},
	} {
		if status := run(t.Context(), args, &out, &errs); status != 2 {
			t.Errorf("%v gives %d", args, status)
		}
	}
	for _, args := range [][]string{
		{"report", "testdata/nothing"}, {"report", "-", "-"}, {"report", "--resource", "dragons", smallPods},
	} {
		if status := run(t.Context(), args, &out, &errs); status != 1 {
			t.Errorf("%v gives %d", args, status)
		}
	}
}

// FuzzReport: report ends without a panic on any input.
func FuzzReport(f *testing.F) {
	const v1 = `{"informerscope":"trace","version":1}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}
`
	f.Add([]byte(podEvents))
	f.Add([]byte(podYAML))
	f.Add([]byte(v1 + `{"t":9223372036854775807,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}}}`))
	f.Add([]byte(v1 + `{"t":9,"id":1,"resp":{"status":410}}` + "\n" + `{"t":9,"id":1,"end":{"how":"eof"}}`))
	f.Add([]byte(v1 + `{"t":9,"id":1,"resp":{"status":200}}` + "\n" + `{"t":9223372036854775000,"id":1,"end":{"how":"reset"}}` + "\n" + `{"t":9223372036854775001,"id":2,"req":{"method":"GET","url":"/api/v1/pods"}}`))
	f.Add([]byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}` + "\n" + podEvents))
	f.Add([]byte(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"x"}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		args := []string{"report", name, "--handler", "a", "--handler", "b,takes=1s,from=2s,until=9s"}
		if status := run(t.Context(), args, &out, &errs); status == 1 && errs.Len() == 0 {
			t.Error("it fails, and does not say why")
		}
		if status := run(t.Context(), append(args, "--json"), &out, &errs); status == 1 && errs.Len() == 0 {
			t.Error("it fails, and does not say why")
		}
	})
}

// TestNoSuchResource: who asks for a resource that isn't there hears which ones are.
func TestNoSuchResource(t *testing.T) {
	var errs bytes.Buffer
	if status := run(t.Context(), []string{"report", "--resource", "dragons", "../../format/testdata/shop.trace.jsonl.gz"}, io.Discard, &errs); status != 1 ||
		!strings.Contains(errs.String(), `unknown resource "dragons"; it has configmaps, deployments.apps, `) {
		t.Errorf("status %d, %s", status, &errs)
	}
}
