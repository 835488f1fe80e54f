package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What web/worker unpacks is what zlib unpacks: whole files, files that are cut, and damaged ones. Any bytes of a
// file can be read again from any of its places. Node, which has zlib, plays the browser.
func TestGzipIsReadAsZlibReadsIt(t *testing.T) {
	t.Parallel()
	run := inNode(t, "gzip.js", "crc32", "gzip", "huffman", "inflate", "kept", "packed")
	for _, seed := range []string{"1", num(time.Now().Unix() % 1e6)} {
		out, err := run(seed, "150")
		if err != nil || strings.Contains(out, " of seed ") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}

// inNode makes a folder of a script of this folder, and of scripts of web/worker. It returns what runs that script in Node.
func inNode(t *testing.T, name string, workers ...string) func(args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"package.json": `{"type": "module"}`, name: script(t, "test/"+name), "page/site.js": script(t, "page/site.js")}
	for _, worker := range workers {
		files["worker/"+worker+".js"] = script(t, "worker/"+worker+".js")
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return func(args ...string) (string, error) {
		node := exec.CommandContext(t.Context(), "node", append([]string{name}, args...)...)
		node.Dir = dir
		out, err := node.CombinedOutput()
		return string(out), err
	}
}
