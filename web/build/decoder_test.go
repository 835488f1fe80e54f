package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLeavesOutTheHooks(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	module := map[string]string{"go.mod": "module x\n", "json_test.go": "package json\n", "LICENSE": "y"}
	for name, hook := range hooks {
		module[name] = "package x\n\nfunc init() {\n" + hook + "\tother()\n}\n"
	}
	put(t, from, module)
	if err := copyPackages(from, to); err != nil {
		t.Fatal(err)
	}
	for name := range hooks {
		text, err := os.ReadFile(filepath.Join(to, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if want := "package x\n\nfunc init() {\n\tother()\n}\n"; string(text) != want {
			t.Errorf("%s is\n%s\nand not\n%s", name, text, want)
		}
	}
	if _, err := os.Stat(filepath.Join(to, "json_test.go")); err == nil {
		t.Error("a test was copied")
	}
	put(t, from, map[string]string{"json.go": "package json\n"})
	if err := copyPackages(from, to); err == nil || !strings.Contains(err.Error(), "hooks") {
		t.Errorf("a library that links its encoder in another way was taken, with error %v", err)
	}
}
