// Package project_test holds what the files around the code say: workflows, the Makefile, and the recipes of CONTRIBUTING.md.
package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	used   = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`)
	pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// The issue of a night has the seed and the shrunk script of each difference, as the comparison prints them.
func TestNightlyTellsTheScript(t *testing.T) {
	night, err := os.ReadFile("../../.github/workflows/nightly.yml")
	if err != nil {
		t.Fatal(err)
	}
	step := regexp.MustCompile(`(?s)- id: differs\n.*?run: \|\n((?: {10}[^\n]*\n)+)`).FindSubmatch(night)
	if step == nil {
		t.Fatal("no step finds what differs")
	}
	dir := t.TempDir()
	log := "=== RUN TestRandom\n" + strings.Repeat("--- PASS\n", 100) +
		"    neighbours.go:82: seed 17 of v0.30\n    compare.go:174: the engine differs from client-go v0.31:\n        {\"op\":\"list\"}\n        operation 1:\n"
	if err := os.WriteFile(filepath.Join(dir, "conformance.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "output")
	c := exec.Command("bash", "-e", "-c", string(step[1]))
	c.Dir, c.Env = dir, append(os.Environ(), "GITHUB_OUTPUT="+out)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	want := strings.Split(log[strings.Index(log, "    neighbours"):], "\n")
	if name, end, _ := strings.Cut(lines[0], "<<"); name != "text" || end == "" || !slices.Equal(lines[1:], append(want, end, "")) {
		t.Errorf("it tells\n%s", b)
	}
	// Whoever changes the message changes the step, too.
	for _, file := range []string{"../../engine/conformance/live/compare.go", "../../engine/conformance/live/randomtransport.go", "../../engine/conformance/live/proof/random.go"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "the engine differs from ") {
			t.Errorf("%s doesn't say \"the engine differs from\": %v", file, err)
		}
	}
}

// Each candidate gets one issue, with what differs from the last version. One that can't be fetched gets none.
func TestNightlyTellsEachCandidate(t *testing.T) {
	night, err := os.ReadFile("../../.github/workflows/nightly.yml")
	if err != nil {
		t.Fatal(err)
	}
	var steps [][]byte
	for _, name := range []string{`- id: candidates\n`, `CANDIDATES: [^\n]*\n`} {
		step := regexp.MustCompile(`(?s)` + name + `\s*run: \|\n((?: {10}[^\n]*\n)+)`).FindSubmatch(night)
		if step == nil {
			t.Fatalf("no step has %s", name)
		}
		steps = append(steps, step[1])
	}
	dir := t.TempDir()
	log := "k8s.io/client-go v0.38.0-rc.0\nk8s.io/client-go v0.38.0-rc.0 can't be fetched\nk8s.io/client-go v0.38.0-beta.1\ngo: downloading\n" +
		"--- FAIL: TestRandom\n    compare.go:174: the engine differs from client-go v0.38.0-beta.1:\n        {\"op\":\"list\"}\nFAIL\nsigs.k8s.io/controller-runtime v0.26.0\nok  \tcr\n"
	if err := os.WriteFile(filepath.Join(dir, "candidate.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	// gh says what it is asked, and knows no issue.
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\n[ \"$2\" = list ] || printf '%s\\n' \"$@\" >>issues\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	play := func(step []byte, env ...string) {
		t.Helper()
		c := exec.Command("bash", "-e", "-c", string(step))
		c.Dir, c.Env = dir, append(os.Environ(), append(env, "PATH="+dir+":"+os.Getenv("PATH"))...)
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	out := filepath.Join(dir, "output")
	play(steps[0], "GITHUB_OUTPUT="+out)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	play(steps[1], "RUN=a run", "CANDIDATES="+strings.TrimSpace(strings.Join(lines[1:len(lines)-1], "\n")))
	reported, err := os.ReadFile(filepath.Join(dir, "issues"))
	if err != nil {
		t.Fatal(err)
	}
	issues := strings.Split(string(reported), "issue\ncreate\n--title\n")[1:]
	if len(issues) != 2 || !strings.HasPrefix(issues[0], "k8s.io/client-go v0.38.0-beta.1\n") || !strings.Contains(issues[0], `{"op":"list"}`) ||
		!strings.HasPrefix(issues[1], "sigs.k8s.io/controller-runtime v0.26.0\n") || !strings.Contains(issues[1], "No random script differs.") {
		t.Errorf("%d issues:\n%s", len(issues), reported)
	}
}

// A workflow may read the repository and no more, unless one of its jobs says what else it
// needs. Each action is pinned to a commit, with its version beside it. Whatever a workflow
// has make build is a target.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	actions, err := filepath.Glob("../../.github/actions/*/action.yml")
	if err != nil || len(actions) == 0 {
		t.Fatal("no actions", err)
	}
	for _, file := range append(files, actions...) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if strings.HasSuffix(file, "action.yml") {
			if strings.Contains(text, "secrets.") || strings.Contains(text, "github.token") || regexp.MustCompile(`run:.*\$\{\{`).MatchString(text) {
				t.Errorf("%s: it needs a secret, or puts a value into a command", file)
			}
		} else if !strings.Contains(text, "\npermissions:\n  contents: read\njobs:") && !strings.Contains(text, "\npermissions:\n  contents: read\nconcurrency:") {
			t.Errorf("%s: a job without permissions of its own may do more than read", file)
		}
		if n := strings.Count(text, "issues: write"); n > 1 {
			t.Errorf("%s: %d jobs may write issues", file, n)
		}
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %q is not pinned to a commit, with its version", file, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`run: make((?: -*[a-z][a-z0-9-]*)+)`).FindAllStringSubmatch(text, -1) {
			for _, target := range strings.Fields(m[1]) {
				if !strings.HasPrefix(target, "-") && !strings.Contains(string(makefile), "\n"+target+":") {
					t.Errorf("%s: the Makefile has no target %q", file, target)
				}
			}
		}
	}
}

// Each name among the JOURNEYS of the Makefile is a test in web/test, so that a test with another name doesn't leave make test
// unseen.
func TestJourneys(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`(?m)^JOURNEYS += \^Test\((.*)\)\$\$$`).FindSubmatch(makefile)
	if pattern == nil {
		t.Fatal("the Makefile has no JOURNEYS")
	}
	files, err := filepath.Glob("../test/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests", err)
	}
	var tests []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, text...)
	}
	for _, name := range strings.Split(string(pattern[1]), "|") {
		if !regexp.MustCompile(`(?m)^func Test` + name + `\(`).Match(tests) {
			t.Errorf("web/test has no test %q", name)
		}
	}
}
