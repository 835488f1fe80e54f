package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		target := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyWhatIsServed(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"index.html": "a", "locales/en.json": "b", "traces/x.trace.jsonl.gz": "c",
		"test/go.mod": "d", "test/x.html": "e", "build/main.go": "f", ".hidden": "g", "locales_test.go": "h",
	})
	files, err := pageFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 || files["index.html"] == nil || files["locales/en.json"] == nil || files["traces/x.trace.jsonl.gz"] == nil {
		t.Errorf("%q", files)
	}
}

func TestVersionNamesTheContent(t *testing.T) {
	make := func(css string) (string, map[string][]byte) {
		files := map[string][]byte{
			"index.html": []byte("style.css?v=%VERSION%"), "sw.js": []byte("%VERSION% %ASSETS%"), "style.css": []byte(css),
			"traces/x.gz": []byte("t"), "wasm_exec.js": []byte("%VERSION%"),
		}
		return substitute(files), files
	}
	v1, files := make("a{}")
	v2, _ := make("a{}")
	v3, _ := make("b{}")
	if v1 != v2 || v1 == v3 {
		t.Errorf("versions %s, %s and %s", v1, v2, v3)
	}
	for name, want := range map[string]string{
		"index.html":   "style.css?v=" + v1,
		"sw.js":        v1 + ` ["index.html","style.css","wasm_exec.js"]`,
		"wasm_exec.js": "%VERSION%",
	} {
		if got := string(files[name]); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestWriteLeavesNothingStaleAndTouchesNothingForeign(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	if err := write(out, map[string][]byte{stamp: []byte("1"), "old.js": []byte("x"), "same.css": []byte("y")}); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(out, "same.css"))
	if err != nil {
		t.Fatal(err)
	}
	if err := write(out, map[string][]byte{stamp: []byte("2"), "same.css": []byte("y"), "sub/new.js": []byte("z")}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(filepath.Join(out, "same.css")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the unchanged file was written again: %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "old.js")); err == nil {
		t.Error("old.js is still there")
	}
	if _, err := os.Stat(filepath.Join(out, "sub", "new.js")); err != nil {
		t.Error(err)
	}

	foreign := t.TempDir()
	put(t, foreign, map[string]string{"thesis.txt": "mine"})
	if err := write(foreign, map[string][]byte{stamp: nil}); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("wrote over a foreign folder: %v", err)
	}
}
