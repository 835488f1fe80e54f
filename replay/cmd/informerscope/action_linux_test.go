package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheActionSummarises runs the step of .github/actions/traces on two traces and a file that is none: the summary has
// both, with links that hold them, the shapes have no values, and the file is told of.
func TestTheActionSummarises(t *testing.T) {
	folder := t.TempDir()
	const trace = `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/configmaps?watch=1"}}
{"t":0,"id":1,"event":{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"1"},"data":{"user":"not-on-the-list"}}}}
`
	hot, err := os.ReadFile("../../findings/testdata/hot-key.15.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a b/TestWeb.trace.jsonl": trace, "TestHot.trace.jsonl.gz": string(hot), "none.trace.jsonl": "100%\n::error::x", "testdata/old.trace.jsonl": trace, "other.json": "{}",
		"hot_test.go": "package hot\n\nfunc TestHot(t *testing.T) {\n",
		"said":        "--- FAIL: TestWeb (0.10s)\n    web_test.go:11: it begins\n at: \x1b[1mexample.com/web/web_test.go:12\x1b[0m\n    web_test.go:7: \n        TestWeb.trace.jsonl: Nothing wrong was found.\n",
	} {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, runner := filepath.Join(folder, "out"), t.TempDir()
	c := exec.Command("bash", "../../../.github/actions/traces/summarise.sh", folder, out, filepath.Join(folder, "said"))
	summary, output := filepath.Join(runner, "summary"), filepath.Join(runner, "output")
	c.Env = append(os.Environ(), "INFORMERSCOPE="+os.Args[0], asProgram+"="+filepath.Join(runner, "status"), "GITHUB_STEP_SUMMARY="+summary, "GITHUB_OUTPUT="+output, "GITHUB_WORKSPACE="+folder,
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=7")
	said, err := c.Output()
	if err == nil {
		t.Error("it passes over a file that is no trace")
	}
	want := []string{
		"::warning file=hot_test.go,line=3,title=One object changes all the time::shop/hot of configmaps in shop changed 180 times",
		"::notice file=a b/web_test.go,line=12,title=informerscope::Nothing wrong was found",
		"::warning title=informerscope::" + folder + "/none.trace.jsonl: ",
	}
	for i, line := range strings.Split(strings.TrimSpace(string(said)), "\n") {
		if i >= len(want) || !strings.HasPrefix(line, want[i]) && !strings.HasPrefix(line, want[(i+1)%3]) && !strings.HasPrefix(line, want[(i+2)%3]) {
			t.Errorf("it prints\n%s", said)
			break
		}
	}
	b, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); strings.Count(text, "### ") != 2 || !strings.Contains(text, "### 1-TestHot.trace.jsonl.gz: One object changes all the time\n") ||
		!strings.Contains(text, "TestWeb.trace.jsonl: Nothing wrong was found\n") || strings.Count(text, "#s1:") != 3 ||
		!strings.Contains(text, "\n`informerscope open https://github.com/o/r/actions/runs/7#1-TestHot.trace.jsonl.gz`\n") {
		t.Errorf("the summary is\n%s", text)
	}
	if b, err := os.ReadFile(output); err != nil || string(b) != "traces=3\n" {
		t.Errorf("%v: %s", err, b)
	}
	shapes, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(shapes) != 2 {
		t.Fatalf("%v: %q", err, shapes)
	}
	for _, name := range shapes {
		if b, err := os.ReadFile(name); err != nil || strings.Contains(string(b), "not-on-the-list") {
			t.Errorf("%s: %v: it has a value", name, err)
		}
	}
}
