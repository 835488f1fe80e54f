package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// TestReportAsked compares what is found, plotted and asserted, and how the command exits,
// with testdata/asked.txt.golden.
func TestReportAsked(t *testing.T) {
	const shop = "../../../web/traces/shop.trace.jsonl.gz"
	const log = "../../../web/test/testdata/shop-controller.log"
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{shop, "--resource", "pods", "--handler", "audit,takes=400ms", "--find", `behind("audit") > 5`}},
		{0, []string{shop, "--find", `call("", "OnDelete") && time() > 26.1s`}},
		{0, []string{captured036, "--profile", "v0.36.3", "--find", "relist() || tombstone()"}},
		{0, []string{captured036, "--profile", "v0.36.3", "--find", "resync() && time() > 2m5s || behind() > 30", "-o", "json"}},
		{0, []string{shop, "--resource", "pods", "--find", "crashed()"}},
		{0, []string{shop, "--resource", "jobs.batch", "--plot", "depth()"}},
		{0, []string{shop, "--resource", "jobs.batch", "--plot", "backoff()"}},
		{1, []string{shop, "--resource", "pods", "--handler", "audit,takes=400ms", "--find", "false", "--assert", `behind("audit") <= 5`, "--assert", "behind() < 6 && objects() < 3", "--assert", "!crashed()"}},
		{0, []string{shop, "--resource", "pods", "--find", "false", "--handler", "audit,takes=20ms,workqueue", "--assert", "!staleReconcile(20ms)"}},
		{1, []string{shop, "--resource", "pods", "--find", "false", "--handler", "audit,takes=20ms,workqueue", "--work", "2s", "--assert", "!within(1s, reconcile(), tombstone())", "--assert", "workqueue() < 3"}},
		{0, []string{shop, log, "--resource", "deployments.apps", "--find", `call("", "OnUpdate") && time() < 8s || call("", "OnDelete")`}},
		{0, []string{shop, log, "--resource", "deployments.apps", "--find", `call("", "OnDelete")`, "-o", "json"}},
		{1, []string{log, "--find", "relist()"}},
		{2, []string{shop, "--find", `behind("odit") > 5`}},
		{2, []string{shop, "--assert", `behind("audit") >`}},
		{2, []string{shop, "--assert", `behind("audit")`}},
		{2, []string{shop, "--plot", `actor()`}},
		{2, []string{shop, "--plot", `depth()`, "--find", "pop()"}},
		{2, []string{shop, "--plot", `depth()`, "-o", "json"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"report", "-q"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString("> " + strings.Join(c.args, " ") + "\n" + out.String() + errs.String() + "\n")
		switch {
		case c.args[len(c.args)-1] == "json" && status == 0:
			for line := range strings.Lines(out.String()) {
				if h := (struct {
					Step int64
					Said string
				}{}); json.Unmarshal([]byte(line), &h) != nil || h.Step == 0 || h.Said == "" {
					t.Errorf("%s is no hit", line)
				}
			}
		case strings.Contains(strings.Join(c.args, " "), "--plot") && status == 0:
			if rows, err := csv.NewReader(&out).ReadAll(); err != nil || len(rows) < 2 {
				t.Errorf("%v: %v", rows, err)
			}
		}
	}
	name := filepath.Join("testdata", "asked.txt.golden")
	if *update {
		if err := os.WriteFile(name, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(all.Bytes(), want) {
		t.Errorf("what is asked is not answered as %s has it (go test -update rewrites it):\n%s", name, &all)
	}
}

// The page of help has every function, and each of its examples can be asked.
func TestHelpOnExpressions(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"help", "expressions"}, &out, &errs); status != 0 || !strings.Contains(out.String(), "staleReconcile(duration) bool") {
		t.Fatalf("status %d: %s%s", status, &out, &errs)
	}
	for line := range strings.Lines(out.String()) {
		if len([]rune(line)) > cli.TextWidth+1 {
			t.Errorf("%q is too long", line)
		}
	}
}
