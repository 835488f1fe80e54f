package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// TestChanges compares what the command prints for some pairs of releases with testdata/changes-*.txt.golden.
func TestChanges(t *testing.T) {
	for _, args := range [][]string{{"v0.22", "v0.25"}, {"v0.25", "v0.32"}, {"v0.32", "v0.35"}, {"v0.35", "v0.37"}, {"v0.23.5", "v0.23.6"}} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"changes"}, args...), &out, &errs); status != 0 || errs.Len() > 0 {
			t.Errorf("%v gives %d:\n%s", args, status, &errs)
		}
		golden(t, filepath.Join("testdata", "changes-"+strings.Join(args, "-")+".txt.golden"), out.Bytes())
	}
}

// Without a second release, the first is compared with the newest.
func TestChangesToTheNewest(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"changes", "1.35", "-o", "json"}, &out, &errs); status != 0 {
		t.Fatalf("%d:\n%s", status, &errs)
	}
	var doc struct {
		From, To string
		Changes  []struct {
			Name  string
			Since []string
			Shown struct{ Script, Was, Is []string }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.From != "v0.35.10" || doc.To != "v0.37.2" || len(doc.Changes) == 0 || doc.Changes[0].Name != "atomic" ||
		len(doc.Changes[0].Shown.Script) == 0 || len(doc.Changes[0].Shown.Was)+len(doc.Changes[0].Shown.Is) == 0 {
		t.Errorf("%s", &out)
	}
	for _, args := range [][]string{{}, {"v0.21"}, {"v0.32", "newest"}, {"v0.32", "v0.33", "v0.34"}, {"v0.32.99"}} {
		if status := run(t.Context(), append([]string{"changes"}, args...), &out, &errs); status != cli.ExitUsage {
			t.Errorf("%v gives %d", args, status)
		}
	}
}
