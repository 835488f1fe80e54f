package main

import (
	"bytes"
	"encoding/json"
	"os"
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
	lossy := lossyRecording(t, recording)
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
		{cli.ExitFailed, []string{lossy, "--assert", "reconciles() >= 3", "--assert", "duplicates() == 0"}},
		{0, []string{recording, "--triggers"}},
		{0, []string{"../../triggers/testdata/classes.trace.jsonl", "--triggers"}},
		{0, []string{lossy, "--triggers"}},
		{cli.ExitDamaged, []string{cutWatch, recording, "--assert", "reconciles() > 0"}},
		{0, []string{"../../report/controller/testdata/client-go-refused.stale9.duplicates1.trace.jsonl.gz", "--guards"}},
		{0, []string{"../../report/controller/testdata/stuck/handler.trace.jsonl", "--guards"}},
		{cli.ExitUsage, []string{recording, "--assert", "depth() == 0"}},
		{cli.ExitUsage, []string{recording, "--find", "pop()"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"controller", "-q"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString(strings.ReplaceAll("> "+strings.Join(c.args, " ")+"\n"+out.String()+errs.String()+"\n", lossy, "lossy.trace.jsonl"))
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

// lossyRecording writes a recording whose recorder had no room for the ends of two reconciles. After the first one, the same
// worker began the second.
func lossyRecording(t *testing.T, recording string) string {
	t.Helper()
	b, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "lossy.trace.jsonl")
	b = append(bytes.TrimRight(b, "\n"), `
{"t":9000000000,"id":90,"reconcile":{"controller":"web","key":"shop/lost","worker":1}}
{"t":9001000000,"id":91,"reconcile":{"controller":"web","key":"shop/open","worker":1}}
{"t":9002000000,"leftOut":{"work":70,"reconciles":2,"writes":1}}
{"t":20000000000,"mark":{"text":"the end"}}
`...)
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
