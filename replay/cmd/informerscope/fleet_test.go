package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// TestFleet compares what is said of fleets with testdata/fleet.txt.golden.
func TestFleet(t *testing.T) {
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{"--replicas", "50", "--objects", "2000", "--size", "1000"}},
		{0, []string{"--replicas", "50", "--event", "start", "--server", "v1.30", "--profile", "v0.24", "--seats", "20"}},
		{0, []string{"../../../web/traces/shop.trace.jsonl.gz", "--resource", "pods", "--event", "cut", "--replicas", "1"}},
		{cli.ExitUsage, []string{"--event", "flood"}},
		{cli.ExitUsage, []string{"--replicas", "0"}},
		{cli.ExitUsage, []string{"--server", "1.37"}},
		{cli.ExitFailed, []string{smallPods, "--resource", "nodes"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"fleet"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString("> " + strings.Join(c.args, " ") + "\n" + out.String() + errs.String() + "\n")
	}
	golden(t, filepath.Join("testdata", "fleet.txt.golden"), all.Bytes())

	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"fleet", "--replicas", "5", "-o", "json"}, &out, &errs)
	var d struct {
		Modes []struct {
			Name   string
			Result struct{ Synced int }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil || status != 0 || len(d.Modes) != 3 || d.Modes[2].Result.Synced != 5 {
		t.Errorf("status %d, %v: %+v%s", status, err, d, &errs)
	}
}
