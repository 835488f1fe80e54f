package opencmd

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGH puts a gh into the path that answers with files of a folder, and says what it was asked for.
func fakeGH(t *testing.T, list string, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"1-A.trace.jsonl", "../../../2-B.trace.jsonl.gz", `..\..\3-C.trace.jsonl`, "A.svg"} {
		text, has := files[name]
		if !has {
			continue
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1 $2 $3\" = 'api --hostname github.com' ] || exit 2\ncase $4 in\n'repos/o/r.x/actions/runs/77/artifacts?per_page=100') cat %[1]s/list;;\nrepos/o/r.x/actions/artifacts/5/zip) cat %[1]s/zip;;\n*) echo \"HTTP 404: $4\" >&2; exit 1;;\nesac\n", dir)
	for name, text := range map[string]string{"list": list, "zip": b.String(), "gh": script} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// TestOpenARun: what a run of GitHub Actions has left is fetched with gh, and lies in the folder for it, whatever its name is.
func TestOpenARun(t *testing.T) {
	const list = `{"artifacts":[{"id":4,"name":"coverage"},{"id":6,"name":"informerscope-traces","expired":true},{"id":5,"name":"informerscope-traces-v1"}]}`
	two := map[string]string{"1-A.trace.jsonl": "one", "../../../2-B.trace.jsonl.gz": "two", `..\..\3-C.trace.jsonl`: "three", "A.svg": "<svg/>"}
	for _, c := range []struct {
		address, list string
		files         map[string]string
		want, said    string
	}{
		{"https://github.com/o/r.x/actions/runs/77", list, two, "1-A.trace.jsonl: one", "opened is 1-A.trace.jsonl; with # and its name behind the address, also 2-B.trace.jsonl.gz, 3-C.trace.jsonl\n"},
		{"https://github.com/o/r.x/actions/runs/77/job/9#2-B.trace.jsonl.gz", list, two, "2-B.trace.jsonl.gz: two", "2-B"},
		{"https://github.com/o/r.x/actions/runs/77#3-C.trace.jsonl", list, two, "3-C.trace.jsonl: three", "1-A"},
		{"https://github.com/o/r.x/actions/runs/77#4-D.trace.jsonl", list, two, "", "want 1-A.trace.jsonl, 2-B.trace.jsonl.gz, 3-C.trace.jsonl"},
		{"https://github.com/o/r.x/actions/runs/77", list, map[string]string{"A.svg": ""}, "", "none of the run's 3 artifacts"},
		{"https://github.com/o/r.x/actions/runs/77", `{"artifacts":[]}`, two, "", "none of the run's 0 artifacts"},
		{"https://github.com/o/r.x/actions/runs/78", list, two, "", "HTTP 404"},
	} {
		fakeGH(t, c.list, c.files)
		o := &openOptions{names: []string{c.address}}
		var said strings.Builder
		remove, err := o.fetchAll(t.Context(), &said)
		t.Cleanup(remove)
		got := ""
		if err != nil {
			fmt.Fprint(&said, err)
		} else {
			b, err := os.ReadFile(o.names[0])
			if err != nil {
				t.Fatal(err)
			}
			got = filepath.Base(o.names[0]) + ": " + string(b)
			if strings.Contains(o.names[0], "..") {
				t.Errorf("it is written to %s", o.names[0])
			}
		}
		if got != c.want || !strings.Contains(said.String(), c.said) {
			t.Errorf("%s gives %q, and says %q", c.address, got, said.String())
		}
	}
}

// TestAnArtifactIsBounded: a file that unpacks to more than is allowed is not written on.
func TestAnArtifactIsBounded(t *testing.T) {
	var to bytes.Buffer
	if err := copyMost(&to, strings.NewReader(strings.Repeat("x", 100)), 10); err == nil || to.Len() > 11 {
		t.Errorf("%d bytes are written: %v", to.Len(), err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := gh(t.Context(), "github.com", "x", &to, 1); err == nil || !strings.Contains(err.Error(), "isn't installed") {
		t.Errorf("without gh it says %v", err)
	}
}
