//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository makes a repository with a module of four packages and one of its own, and stays in it. c imports b, and the tests
// of b import a. The package d names the folder of the words.
func repository(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module m\n\ngo 1.26\n")
	write(t, "a/a.go", "package a\n\nconst N = 1\n")
	write(t, "a/a_test.go", "package a\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {}\n")
	write(t, "b/b.go", "package b\n\nconst N = 2\n")
	write(t, "b/b_test.go", "package b\n\nimport (\n\t\"testing\"\n\n\t\"m/a\"\n)\n\nfunc Test(t *testing.T) {\n\tif a.N != 1 {\n\t\tt.Error(\"a has changed\")\n\t}\n}\n")
	write(t, "c/c.go", "package c\n\nimport \"m/b\"\n\nconst N = b.N\n")
	write(t, "d/d.go", "package d\n\nconst words = \"web/words\"\n")
	write(t, "web/words/en.json", "{}\n")
	write(t, "other/go.mod", "module other\n\ngo 1.26\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "s"}} {
		if said, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The packages that have changed come first, then those that import them, and those that import these.
func TestOrder(t *testing.T) {
	repository(t)
	for _, c := range []struct {
		write, text        string
		all, near, modules string
	}{
		{"", "", "", "", ""},
		{"web/words/en.json", "{ }\n", "m/d", "m/d", ""},
		{"c/testdata/golden.txt", "x", "m/c m/d", "m/c m/d", ""},
		{"a/new.go", "package a\n", "m/a m/c m/d m/b", "m/a m/c m/d", ""},
		{"other/main.go", "package main\n", "m/a m/c m/d m/b", "m/a m/c m/d", "other"},
	} {
		if c.write != "" {
			write(t, c.write, c.text)
		}
		files, err := changed()
		if err != nil {
			t.Fatal(err)
		}
		packages, err := list()
		if err != nil {
			t.Fatal(err)
		}
		all, near, modules, err := order(packages, files)
		if err != nil || !slices.Equal(all, strings.Fields(c.all)) || !slices.Equal(near, strings.Fields(c.near)) || !slices.Equal(modules, strings.Fields(c.modules)) {
			t.Errorf("after a change of %s: %v, %v, %v, %v", c.write, all, near, modules, err)
		}
	}
}

// What fails is said and is an error. What was left out is said and is none.
func TestCheck(t *testing.T) {
	repository(t)
	quick := func(ctx context.Context) (said string, err error) {
		var b bytes.Buffer
		err = check(ctx, &b)
		return b.String(), err
	}
	if said, err := quick(t.Context()); err != nil || !strings.Contains(said, "no package differs") {
		t.Errorf("nothing has changed: %s, %v", said, err)
	}
	write(t, "a/a.go", "package a\n\nconst N = 3\n")
	if said, err := quick(t.Context()); err == nil || !strings.Contains(said, "ok  \tm/a") || !strings.Contains(said, "a has changed") || strings.Contains(said, "not tested") {
		t.Errorf("a test fails: %s, %v", said, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if said, err := quick(over); err != nil || !strings.HasSuffix(said, "not tested:\n  m/a\n  m/b\n  m/c\n") {
		t.Errorf("there is no time: %s, %v", said, err)
	}
	write(t, "a/a.go", "package a\n\nconst  N = 3\n")
	if said, err := quick(t.Context()); err == nil || !strings.Contains(err.Error(), "not formatted (make fmt):\na/a.go\n") {
		t.Errorf("a file is not formatted: %s, %v", said, err)
	}
}
