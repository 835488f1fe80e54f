package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// play writes content to a file, and runs the program with the file's name as its
// last argument.
func play(t *testing.T, content string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.txt")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status = run(t.Context(), append(args, name), &out, &errs)
	return status, out.String(), errs.String()
}

func TestRun(t *testing.T) {
	const script = "informer pods\nhandler h\nlog calls\ncreate pod a/x\nrun\nshow store\nexpect store [a/x@1]\n"
	status, out, errs := play(t, script, "run")
	if status != 0 || !strings.Contains(out, "HandlerCalled h OnAdd a/x@1\n> show store\n= [a/x@1]\n") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	status, out, _ = play(t, script, "run", "--json")
	var kinds []string
	for line := range strings.Lines(out) {
		var e struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
	}
	if want := "statement statement statement statement statement step statement value statement"; status != 0 || strings.Join(kinds, " ") != want {
		t.Errorf("status %d: %v", status, kinds)
	}
	status, out, _ = play(t, script, "run", "-o", "yaml")
	if !strings.HasPrefix(out, "kind: statement\nline: 1\ntext: informer pods\n---\nkind: statement\n") || strings.Count(out, "\n---\n") != len(kinds)-1 || status != 0 {
		t.Errorf("status %d:\n%s", status, out)
	}
	status, out, errs = play(t, script+"expect store []\n", "run")
	if status != 1 || !strings.HasSuffix(out, "> expect store []\n") || !strings.Contains(errs, "script.txt:8:14: got [a/x@1], not []") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	if status, _, errs = play(t, "run fast", "run"); status != 1 || !strings.Contains(errs, "script.txt:1:5: ") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}

// The table over guards, and one for each lag.
func TestRunGuards(t *testing.T) {
	const script = "profile current\ninformer replicasets\ninformer pods\ncontroller replicasets owns=pods\nexists pod default/other\ncreate replicaset default/web .spec.replicas=2\nrun\n" +
		"update replicaset default/web .spec.replicas=3\nrun\n"
	status, out, errs := play(t, script, "run", "--lags", "0s,5s")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 20 || lines[0] != "watch lags by 0s" || lines[10] != "watch lags by 5s" {
		t.Fatalf("status %d:\n%s%s", status, out, errs)
	}
	duplicates := func(line string) string { return strings.Fields(line)[2] }
	if duplicates(lines[2]) != "0" || duplicates(lines[12]) == "0" || duplicates(lines[13]) != "0" {
		t.Errorf("no guard should make a pod too many if the watch lags, and only then:\n%s", out)
	}
	status, out, _ = play(t, script, "run", "--guards", "--json")
	if status != 0 || strings.Count(out, "\n") != 8 || !strings.HasPrefix(out, `{"guard":"none","reconciles":`) {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, _, errs = play(t, "informer pods\nrun\n", "run", "--guards"); status != 1 || !strings.Contains(errs, "the run has no controller") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}

// TestRunMetrics: the file has what is exported, and nothing stays of it where the script fails.
func TestRunMetrics(t *testing.T) {
	const script = "profile v0.37\ninformer pods\ninformer deployments.apps\nhandler h workqueue\ncreate pod a/x\nrun\n"
	name := filepath.Join(t.TempDir(), "metrics.txt")
	status, out, errs := play(t, script, "run", "--metrics", name)
	text, err := os.ReadFile(name)
	if status != 0 || err != nil || !strings.HasPrefix(out, "> profile v0.37\n") {
		t.Fatalf("status %d, %v:\n%s%s", status, err, out, errs)
	}
	for _, part := range []string{
		"# TYPE informer_queued_items gauge\n", `informer_store_resource_version{name="deployments.apps",group="apps",version="",resource="deployments"} 0 0.000001`,
		"workqueue_adds_total{name=\"pods\"} 1 ", "\n# EOF\n",
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the file has no %q", part)
		}
	}
	if status, _, errs = play(t, script, "run", "--metrics", name); status == 0 || !strings.Contains(errs, "is there already") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, _, _ = play(t, script+"expect store []\n", "run", "--force", "--metrics", name+"2"); status != 1 {
		t.Errorf("status %d", status)
	}
	if _, err := os.Stat(name + "2"); err == nil {
		t.Error("a file is left of a script that fails")
	}
	if status, _, errs = play(t, "informer pods\n", "run", "--force", "--metrics", name); status != 0 {
		t.Errorf("status %d: %s", status, errs)
	}
	if text, err = os.ReadFile(name); string(text) != "# EOF\n" {
		t.Errorf("of a machine that does not move it writes %q, %v", text, err)
	}
	for _, args := range [][]string{{"--guards"}, {"--lags", "1s"}} {
		if status, _, errs = play(t, script, append([]string{"run", "--metrics", name}, args...)...); status == 0 {
			t.Errorf("%v: status %d: %s", args, status, errs)
		}
	}
	if status, _, errs = play(t, script, "run", "--metrics", "-"); status != 2 || !strings.Contains(errs, "needs a file") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// TestNoScript: what is no script is told in one line, with what it is.
func TestNoScript(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"empty.txt": "", "blank.txt": " \n\n", "a.json": "\n{\"kind\": \"PodList\"}", "a.gz": "\x1f\x8b\x08\x00"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"run", "explore"} {
		for name, want := range map[string]string{
			"a.json":   "a.json: this is JSON; want a script or a lesson (informerscope open shows a capture)",
			"a.gz":     "a.gz: this is not text; want a script or a lesson (informerscope open shows a capture)",
			".":        ".: this is a folder; want a script or a lesson",
			"none.txt": "none.txt: no such file or folder",
		} {
			var errs bytes.Buffer
			if status := run(t.Context(), []string{command, name}, io.Discard, &errs); status != cli.ExitFailed || errs.String() != "informerscope "+command+": "+want+"\n" {
				t.Errorf("%s: status %d, %s", name, status, &errs)
			}
		}
	}
	for _, name := range []string{"empty.txt", "blank.txt"} {
		var errs bytes.Buffer
		if status := run(t.Context(), []string{"run", name}, io.Discard, &errs); status != cli.ExitFailed || errs.String() != "informerscope run: "+name+": the script is empty\n" {
			t.Errorf("%s: status %d, %s", name, status, &errs)
		}
	}
}
