package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares whole Reports with testdata/*.golden, which a person can
// read.
func TestGolden(t *testing.T) {
	pods := options(t, "current", handler("handler"))
	pods.Resource = "pods"
	for _, c := range []struct {
		golden, capture string
		o               Options
	}{
		{"shop-pods.json", "../../web/traces/shop.trace.jsonl.gz", pods},
		{"relist.json", "testdata/cg036-watchlist.trace.jsonl.gz", options(t, "v0.36.3", handler("h", endAt(30*second)), handler("late", startAt(9*second)))},
		{"cut.json", "testdata/cut.watch.ndjson", options(t, "classic", handler("slow", takes(second)))},
	} {
		t.Run(c.golden, func(t *testing.T) {
			got, err := json.MarshalIndent(play(t, content(t, c.capture), readBy, c.o).Report(), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			name := filepath.Join("testdata", c.golden+".golden")
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
				t.Errorf("the report is not %s (go test -update rewrites it):\n%s", name, got)
			}
		})
	}
}
