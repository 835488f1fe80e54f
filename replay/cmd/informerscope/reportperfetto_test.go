package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report --perfetto writes the file beside the report, for every format, and leaves a file
// that is there alone.
func TestReportWritesPerfetto(t *testing.T) {
	dir := t.TempDir()
	yaml := filepath.Join(dir, "pods.yaml")
	if err := os.WriteFile(yaml, []byte(podYAML), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, capture := range []string{smallPods, "../../../web/traces/shop.trace.jsonl.gz", yaml} {
		name := filepath.Join(dir, filepath.Base(capture)+".json")
		var out, errs bytes.Buffer
		args := []string{"report", capture, "--handler", "audit,takes=20ms", "--perfetto", name}
		if status := run(t.Context(), args, &out, &errs); status != 0 {
			t.Fatalf("%d: %s", status, errs.String())
		}
		if !strings.Contains(out.String(), "audit") {
			t.Errorf("there is no report: %s", out.String())
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			TraceEvents []struct{ Ph, Name string }
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		kinds, named := map[string]int{}, map[string]bool{}
		for _, e := range got.TraceEvents {
			kinds[e.Ph]++
			named[strings.SplitN(e.Name, " ", 2)[0]] = true
		}
		if kinds["B"] == 0 || kinds["B"] != kinds["E"] || kinds["C"] == 0 || !named["OnAdd"] {
			t.Errorf("%s: %v %v", capture, kinds, named)
		}

		before := len(text)
		if status := run(t.Context(), args, &out, &errs); status != 1 || !strings.Contains(errs.String(), "there already") {
			t.Errorf("a file that is there: %d, %s", status, errs.String())
		}
		if status := run(t.Context(), append(args, "--force"), &out, &errs); status != 0 {
			t.Errorf("with --force: %d, %s", status, errs.String())
		}
		if again, err := os.ReadFile(name); err != nil || len(again) != before {
			t.Errorf("again it has %d bytes, and had %d: %v", len(again), before, err)
		}
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"report", smallPods, "--perfetto", "-"}, &out, &errs); status != 2 {
		t.Errorf("the standard output gives %d", status)
	}
	gone := filepath.Join(dir, "gone.json")
	if status := run(t.Context(), []string{"report", filepath.Join(dir, "nothing"), "--perfetto", gone}, &out, &errs); status != 1 {
		t.Errorf("no capture gives %d", status)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("there is a file of no capture")
	}
}
