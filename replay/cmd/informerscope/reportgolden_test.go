package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReportGolden compares whole reports with testdata/*.golden, which a person
// can read.
func TestReportGolden(t *testing.T) {
	const shop = "../../../web/traces/shop.trace.jsonl.gz"
	for _, c := range []struct {
		golden string
		args   []string
	}{
		{"shop.txt", []string{shop, "--handler", "metrics", "--handler", "audit,takes=400ms,resync=1m"}},
		{"shop-pods.json", []string{shop, "--resource", "pods", "--json"}},
		{"relist.txt", []string{"testdata/cg036-watchlist.trace.jsonl.gz", "--profile", "v0.36.3", "--handler", "h,until=30s", "--handler", "late,from=9s"}},
		{"cut.txt", []string{"testdata/cut.watch.ndjson"}},
		{"yaml.txt", []string{"testdata/pods-w.yaml.gz", "--profile", "classic"}},
		{"two.txt", []string{"testdata/small-pods.trace.jsonl.gz", "testdata/pods-w.yaml.gz"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := run(t.Context(), append([]string{"report"}, c.args...), &out, &errs)
			if status != 0 {
				t.Fatalf("status %d:\n%s%s", status, &out, &errs)
			}
			name := filepath.Join("testdata", c.golden+".golden")
			if *update {
				if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("the report is not %s (go test -update rewrites it):\n%s", name, &out)
			}
		})
	}
}
