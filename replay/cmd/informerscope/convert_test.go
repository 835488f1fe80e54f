package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// TestConvert: every compression of the output can be read again, and says the
// same.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	var want string
	for _, name := range []string{"a.trace.jsonl", "a.trace.jsonl.gz", "a.trace.jsonl.zst"} {
		out := filepath.Join(dir, name)
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{"convert", "testdata/pods-w.yaml.gz", "-o", out}, &stdout, &stderr)
		if status != 0 || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "1 file to "+out+": 146 lines, from kubectl\n") {
			t.Fatalf("status %d:\n%s%s", status, &stdout, &stderr)
		}
		tr, err := readTrace(out, &stderr)
		if err != nil || tr.Header.Version != trace.Version || tr.Records != 143 {
			t.Errorf("%s: %v, %d records", name, err, tr.Records)
		}
		if status := run(t.Context(), []string{"report", "--notifications", out}, &stdout, &stderr); status != 0 {
			t.Fatalf("status %d:\n%s", status, &stderr)
		}
		if want == "" {
			want = stdout.String()
		}
		if stdout.String() != want {
			t.Errorf("%s is not what a.trace.jsonl is", name)
		}
	}
}

// TestConvertKeeps: what is there is never lost.
func TestConvertKeeps(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	content := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	convert := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), append([]string{"convert"}, args...), &stdout, &stderr)
		return status, stderr.String()
	}
	in, bad, out := file("in.json", podEvents), file("bad", "What is this?"), file("out", "precious")

	if status, says := convert("-o", out, in); status != 1 || !strings.Contains(says, "--force") || content(out) != "precious" {
		t.Errorf("without --force: status %d, %s%s", status, says, content(out))
	}
	if status, says := convert("--force", "-o", out, bad); status != 1 || content(out) != "precious" {
		t.Errorf("a failure: status %d, %s%s", status, says, content(out))
	}
	fresh := filepath.Join(dir, "fresh")
	if status, says := convert("-o", fresh, bad); status != 1 || !strings.Contains(says, "looked for") {
		t.Errorf("a failure: status %d, %s", status, says)
	}
	if _, err := os.Stat(fresh); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing was converted, and a file is there: %v", err)
	}
	if status, says := convert("--force", "-o", out, in); status != 0 || !strings.HasPrefix(content(out), `{"informerscope":"trace"`) {
		t.Errorf("with --force: status %d, %s%s", status, says, content(out))
	}
	if status, says := convert("--force", "--quiet", "-o", in, in); status != 0 || says != "" || strings.Count(content(in), `"event"`) != 3 {
		t.Errorf("onto itself: status %d, %s%s", status, says, content(in))
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file("pointed-at", "old"), link); err != nil {
		t.Fatal(err)
	}
	if status, says := convert("--force", "-o", link, in); status != 0 || !strings.HasPrefix(content(filepath.Join(dir, "pointed-at")), `{"informerscope"`) {
		t.Errorf("through a link: status %d, %s", status, says)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if status, says := convert("-o", os.DevNull, in); status != 0 {
		t.Errorf("to nowhere: status %d, %s", status, says)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatal("the device is gone")
	}
	if status, says := convert("--force", "-o", dir, in); status != 1 || !strings.Contains(says, "is there already") {
		t.Errorf("onto a folder: status %d, %s", status, says)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	for _, args := range [][]string{{}, {"--nope", in}} {
		if status, _ := convert(args...); status != 2 {
			t.Errorf("%v gives %d", args, status)
		}
	}
}

// TestConvertFailsLate: what was converted before a failure stays, and that is
// said.
func TestConvertFailsLate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.zst")
	to, err := createTarget(name, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	const line = `{"informerscope":"trace","version":1}` + "\n"
	if _, err := to.Write([]byte(line + `{"t":1,"mark":{"text":"here"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	err = to.close(errors.New("the sky fell"), 2)
	if err == nil || err.Error() != "the sky fell; what was converted until then, 2 lines, is in "+name {
		t.Errorf("got %v", err)
	}
	var stderr bytes.Buffer
	if tr, err := readTrace(name, &stderr); err != nil || len(tr.Marks) != 1 || stderr.Len() > 0 {
		t.Errorf("%v %s", err, &stderr)
	}
}

// TestConvertTells: the places that can't be read, and what must be known, are
// told of.
func TestConvertTells(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"convert", cutWatch}, &stdout, &stderr)
	if status != exitDamaged || !strings.Contains(stderr.String(), cutWatch+": line 6, byte 19664: ") || strings.Count(stdout.String(), `"event"`) != 5 {
		t.Errorf("status %d:\n%s", status, &stderr)
	}
	status, _, errs := play(t, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}}`, "convert")
	if status != 0 || !strings.Contains(errs, "deletions can't be seen") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}
