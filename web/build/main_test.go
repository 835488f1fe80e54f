package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
		"test/go.mod": "d", "test/x.html": "e", "build/main.go": "f", "lint/eslint.config.js": "i", "README.md": "j", ".hidden": "g", "locales_test.go": "h",
	})
	files, err := pageFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 || files["index.html"] == nil || files["locales/en.json"] == nil || files["traces/x.trace.jsonl.gz"] == nil {
		t.Errorf("%q", files)
	}
}

// In a frame the page has the styles and the policy that it has by itself.
func TestTheFrameHasTheSamePage(t *testing.T) {
	lines := func(file, with string) (found []string) {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, with) && !strings.Contains(line, "embed.css") {
				found = append(found, strings.Replace(line, " disabled>", ">", 1))
			}
		}
		return found
	}
	for _, with := range []string{"/style/", "Content-Security-Policy"} {
		if page, frame := lines("index.html", with), lines("embed.html", with); len(page) == 0 || !slices.Equal(page, frame) {
			t.Errorf("index.html has\n%sembed.html has\n%s", strings.Join(page, ""), strings.Join(frame, ""))
		}
	}
}

func TestVersionNamesTheContent(t *testing.T) {
	make := func(css string) map[string][]byte {
		site, err := arrange(map[string][]byte{
			"index.html": []byte("%VERSION%/style.css"), "sw.js": []byte("'%VERSION%/'"), "style.css": []byte(css),
			"traces/x.gz": []byte("t"), "wasm_exec.js": []byte("%VERSION%"),
		}, "v0.1.0")
		if err != nil {
			t.Fatal(err)
		}
		return site
	}
	version := func(site map[string][]byte) string {
		v, _ := strings.CutPrefix(string(site["sw.js"]), "'")
		return strings.TrimSuffix(v, "/'")
	}
	site := make("a{}")
	v := version(site)
	if again, other := version(make("a{}")), version(make("b{}")); len(v) != 12 || v != again || v == other {
		t.Errorf("versions %s, %s and %s", v, again, other)
	}
	for name, want := range map[string]string{
		"index.html":        v + "/style.css",
		"version.json":      `{"version":"` + v + `","release":"v0.1.0"}` + "\n",
		v + "/files.json":   `{"style.css":3,"traces/x.gz":1,"wasm_exec.js":9}`,
		v + "/style.css":    "a{}",
		v + "/traces/x.gz":  "t",
		v + "/wasm_exec.js": "%VERSION%",
	} {
		if got := string(site[name]); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if len(site) != 7 {
		t.Errorf("%d files: %q", len(site), slices.Sorted(maps.Keys(site)))
	}
}

// What gzip makes smaller is also there gzipped, and what was gzipped once is
// taken as it is.
func TestGzippedBesideTheOriginals(t *testing.T) {
	text := strings.Repeat("the same again and again; ", 100)
	out := t.TempDir()
	site := map[string][]byte{
		"index.html": []byte(text), "v/a.css": []byte(text), "v/b.css": []byte(text), "v/small.js": []byte("x"), "v/t.jsonl.gz": []byte(text),
	}
	put(t, out, map[string]string{"v/b.css.gz": "packed"})
	if err := compress(out, site); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(site)); !slices.Equal(got, []string{"index.html", "v/a.css", "v/a.css.gz", "v/b.css", "v/b.css.gz", "v/small.js", "v/t.jsonl.gz"}) {
		t.Errorf("it has %q", got)
	}
	if string(site["v/b.css.gz"]) != "packed" {
		t.Error("b.css was packed again")
	}
	z, err := gzip.NewReader(bytes.NewReader(site["v/a.css.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := io.ReadAll(z); err != nil || string(back) != text {
		t.Errorf("unpacked: %q, %v", back, err)
	}
}

func TestWriteLeavesNothingStaleAndTouchesNothingForeign(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	if err := write(out, map[string][]byte{stamp: []byte("1"), "old.js": []byte("x"), "same.css": []byte("y"), "v1/gone.js": []byte("x")}); err != nil {
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
	for _, name := range []string{"old.js", "v1"} {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
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

// The page searches in what a reader sees of each lesson: no marks, no addresses, and neither the list of lessons nor
// the template of a new one.
func TestTheWordsOfLessons(t *testing.T) {
	files := map[string][]byte{
		"lessons/en/course.md": []byte("# Course"), "lessons/en/new-lesson.md": []byte("# New"), "locales/en.json": []byte("{}"),
		"lessons/en/b.md": []byte("---\nminutes: 2\n---\n\n# Two\n\nA `Pop` of **two**, see [kubernetes#1](https://github.com/k/k/issues/1).\n\n```script\nqueue pop\n```\n\n> [!TIP]\n> Try.\n"),
		"lessons/en/a.md": []byte("# One\n"), "lessons/zh/a.md": []byte("# 一\n"),
	}
	addWords(files)
	if en, zh := string(files["lessons/en/words.txt"]), string(files["lessons/zh/words.txt"]); en != "a\tOne\nb\tTwo A Pop of two, see kubernetes#1. queue pop Try.\n" || zh != "a\t一\n" {
		t.Errorf("the words are %q and %q", en, zh)
	}
}
