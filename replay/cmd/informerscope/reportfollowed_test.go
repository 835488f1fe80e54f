package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// TestReportFollowsARecordedController compares what is said of a recorded controller that is played,
// and how the command exits, with testdata/followed.txt.golden.
func TestReportFollowsARecordedController(t *testing.T) {
	const made = "../../../wasm/picture/says/testdata/controller.trace.jsonl"
	priorities, err := filepath.Glob("../../report/controller/testdata/priority-late.*")
	if err != nil || len(priorities) != 1 {
		t.Fatal(priorities, err)
	}
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{made}},
		{0, []string{made, "--find", `reconcile() || fact("WorkMissing")`}},
		{0, []string{made, "--why", "shop/a"}},
		{cli.ExitFailed, []string{made, "--assert", "workqueue() <= 1"}},
		{0, []string{made, "--handler", "own,workqueue", "--find", "reconcile()"}},
		{0, []string{priorities[0], "--assert", `!fact("WorkMissing")`}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"report", "-q"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString("> " + strings.Join(c.args, " ") + "\n" + out.String() + errs.String() + "\n")
	}
	golden(t, filepath.Join("testdata", "followed.txt.golden"), all.Bytes())
}
