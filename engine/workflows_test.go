//go:build !js

package engine_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	used   = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`)
	pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// Every night the engine is compared with client-go, the versions of client-go with each other, and the newest candidate
// with the last version. Each target begins with seeds that no night had.
func TestNightly(t *testing.T) {
	night, err := os.ReadFile("../.github/workflows/nightly.yml")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(night), "run: make --keep-going conformance changes candidate ") {
		t.Error("the nightly workflow doesn't make conformance, changes and candidate")
	}
	for _, target := range []string{"conformance", "changes", "candidate"} {
		if !strings.Contains(string(makefile), "\n"+target+": LIVE_FROM := $(shell date +%s)\n") {
			t.Errorf("make %s begins with the same seed each time", target)
		}
	}
}

// A workflow may read the repository and no more, unless one of its jobs says what else it
// needs. Each action is pinned to a commit, with its version beside it. Whatever a workflow
// has make build is a target.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if !strings.Contains(text, "\npermissions:\n  contents: read\njobs:") && !strings.Contains(text, "\npermissions:\n  contents: read\nconcurrency:") {
			t.Errorf("%s: a job without permissions of its own may do more than read", file)
		}
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %q is not pinned to a commit, with its version", file, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`run: make ([a-z -]+)`).FindAllStringSubmatch(text, -1) {
			for _, target := range strings.Fields(m[1]) {
				if !strings.HasPrefix(target, "-") && !strings.Contains(string(makefile), "\n"+target+":") {
					t.Errorf("%s: the Makefile has no target %q", file, target)
				}
			}
		}
	}
}
