package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/report"
)

// Captures that the tests of replay/report play as well.
const (
	captured036 = "../../report/testdata/cg036-watchlist.trace.jsonl.gz"
	smallPods   = "../../report/testdata/small-pods.trace.jsonl.gz"
	cutWatch    = "../../report/testdata/cut.watch.ndjson"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReportJSON: the output of --json can be read back as a Report.
func TestReportJSON(t *testing.T) {
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"report", "--json", "--resource", "pods", smallPods, "testdata/pods-w.yaml.gz"}, &out, &errs)
	var doc report.Report
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil || status != 0 {
		t.Fatalf("status %d, %v:\n%s", status, err, &errs)
	}
	if len(doc.Inputs) != 2 || doc.Bytes == 0 || len(doc.Resources) != 2 || doc.Resources[0].Informer.Listeners[0].OnAdd != 18 {
		t.Errorf("got %+v", doc)
	}
}

// TestReportGolden compares whole reports with testdata/*.golden.
func TestReportGolden(t *testing.T) {
	const shop = "../../../web/traces/shop.trace.jsonl.gz"
	for _, c := range []struct {
		golden string
		args   []string
	}{
		{"shop.txt", []string{"report", shop, "--handler", "metrics", "--handler", "audit,takes=400ms,resync=1m"}},
		{"relist.txt", []string{"report", captured036, "--profile", "v0.36.3", "--handler", "h,until=30s", "--handler", "late,from=9s"}},
		{"calls.txt", []string{"report", captured036, "--profile", "v0.36.3"}},
		{"differs.txt", []string{"report", captured036, "--profile", "v0.24", "--handler", "h1-noresync"}},
		{"cut.txt", []string{"report", cutWatch}},
		{"yaml.txt", []string{"report", "testdata/pods-w.yaml.gz", "--profile", "classic"}},
		{"denied.txt", []string{"report", "testdata/denied.trace.jsonl", "--profile", "v0.32"}},
		{"against.txt", []string{"compare", "v0.22,v0.36", captured036, "--handler", "h,from=4s,resync=3s", "--handler", "slow,takes=400ms,until=30s"}},
		{"same.txt", []string{"compare", "v0.32,current", smallPods}},
		{"two.txt", []string{"report", smallPods, "testdata/pods-w.yaml.gz"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := run(t.Context(), c.args, &out, &errs)
			if want := map[string]int{"against.txt": cli.ExitFailed, "cut.txt": cli.ExitDamaged, "differs.txt": cli.ExitDiffers}[c.golden]; status != want {
				t.Fatalf("status %d:\n%s%s", status, &out, &errs)
			}
			golden(t, filepath.Join("testdata", c.golden+".golden"), out.Bytes())
		})
	}
}

// golden compares what was printed with a golden file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("what is printed is not %s (go test -update rewrites it):\n%s", name, got)
	}
}
