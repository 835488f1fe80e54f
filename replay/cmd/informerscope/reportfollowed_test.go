package main

import (
	"bytes"
	"fmt"
	"os"
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

// Three controllers were recorded for one resource. report plays the busiest, and names the others; compare
// names them for each version.
func TestReportNamesOtherControllers(t *testing.T) {
	text, err := os.ReadFile("../../../wasm/picture/says/testdata/controller.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const end, others = `{"t":70000000}`, "not played, since an informer has one workqueue here: apps, zones"
	more := ""
	for i, name := range []string{"zones", "apps"} {
		more += fmt.Sprintf(`{"t":6900000%d,"id":5%d,"reconcile":{"controller":%q,"key":"shop/b","worker":1}}`+"\n"+`{"t":6950000%d,"id":5%d,"reconciled":{"result":"done","took":5000}}`+"\n", i, i, name, i, i)
	}
	file := filepath.Join(t.TempDir(), "several.trace.jsonl")
	if err := os.WriteFile(file, bytes.Replace(text, []byte(end), []byte(more+end), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says []string
		n    int
	}{
		{[]string{"report"}, []string{"web: 5 reconciles and 3 writes, played when they were recorded\n"}, 1},
		{[]string{"compare", "v0.34,v0.37"}, []string{"played when they were recorded, to v0.34\n", "played when they were recorded, to v0.37\n"}, 2},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append(c.args, "-q", file), &out, &errs); status != 0 && status != cli.ExitDiffers {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		said := strings.Join(strings.Fields(out.String()), " ")
		if n := strings.Count(said, others); n != c.n {
			t.Errorf("%q names the others %d times:\n%s", c.args, n, &out)
		}
		for _, says := range c.says {
			if !strings.Contains(out.String(), says) {
				t.Errorf("%q doesn't say %q:\n%s", c.args, says, &out)
			}
		}
		out.Reset()
		if run(t.Context(), append(c.args, "-q", file, "-o", "json"), &out, &errs); strings.Count(out.String(), `"notPlayed"`) != c.n {
			t.Errorf("%q, in JSON:\n%s", c.args, &out)
		}
	}
}
