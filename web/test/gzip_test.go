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
	dir := t.TempDir()
	files := map[string]string{"package.json": `{"type": "module"}`, "gzip.js": script(t, "test/gzip.js"), "page/site.js": script(t, "page/site.js")}
	for _, name := range []string{"crc32", "gzip", "huffman", "inflate", "kept", "packed"} {
		files["worker/"+name+".js"] = script(t, "worker/"+name+".js")
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
	for _, seed := range []string{"1", num(time.Now().Unix() % 1e6)} {
		node := exec.CommandContext(t.Context(), "node", "gzip.js", seed, "150")
		node.Dir = dir
		out, err := node.CombinedOutput()
		if err != nil || strings.Contains(string(out), " of seed ") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}
