package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/report/controller"
)

// TestController compares what is said of a recorded controller, and how the command exits,
// with testdata/controller.txt.golden.
func TestController(t *testing.T) {
	const recording = "../../trace/testdata/worker.trace.jsonl"
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{recording}},
		{0, []string{recording, "--assert", "duplicates() == 0", "--assert", `errors("web") <= 1`}},
		{cli.ExitFailed, []string{recording, "--assert", "stale() == 0", "--assert", `stale("odd") == 0`}},
		{cli.ExitFailed, []string{smallPods}},
		{0, []string{"../../report/controller/testdata/stuck/streaming.trace.jsonl"}},
		{0, []string{"../../report/controller/testdata/stuck/handler.trace.jsonl"}},
		{0, []string{"../../report/controller/testdata/stuck/halfopen.trace.jsonl"}},
		{cli.ExitDamaged, []string{cutWatch, recording, "--assert", "reconciles() > 0"}},
		{cli.ExitUsage, []string{recording, "--assert", "depth() == 0"}},
		{cli.ExitUsage, []string{recording, "--find", "pop()"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"controller", "-q"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString("> " + strings.Join(c.args, " ") + "\n" + out.String() + errs.String() + "\n")
	}
	golden(t, filepath.Join("testdata", "controller.txt.golden"), all.Bytes())

	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"controller", "-q", "-o", "json", recording}, &out, &errs)
	var r controller.Report
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || status != 0 || len(r.Controllers) != 1 || len(r.Controllers[0].Stale) != 1 {
		t.Errorf("status %d, %v: %+v%s", status, err, r, &errs)
	}
}
