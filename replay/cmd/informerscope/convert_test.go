package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestConvert: the output can be read again, and says the same in every
// compression.
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

// TestConvertKeeps: no file is lost.
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
	if status, says := convert("-o", fresh, bad); status != 1 || !strings.Contains(says, "unknown format") {
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

// TestConvertFailsLate: lines that were converted before a failure stay, and the
// error says so.
func TestConvertFailsLate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.zst")
	to, err := files.Create(t.Context(), name, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	const line = `{"informerscope":"trace","version":1}` + "\n"
	if _, err := to.Write([]byte(line + `{"t":1,"mark":{"text":"here"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	err = to.Close(errors.New("the sky fell"), 2)
	if err == nil || err.Error() != "the sky fell; what was converted before that, 2 lines, is in "+name {
		t.Errorf("got %v", err)
	}
	var stderr bytes.Buffer
	if tr, err := readTrace(name, &stderr); err != nil || len(tr.Marks) != 1 || stderr.Len() > 0 {
		t.Errorf("%v %s", err, &stderr)
	}
}

// TestConvertIsInterrupted: Ctrl-C removes the file, and a trace on the standard
// output says where it was interrupted.
func TestConvertIsInterrupted(t *testing.T) {
	for _, format := range []string{podEvents, podYAML + "---\n", strings.ReplaceAll(bareList, "\n", "") + "\n"} {
		dir := t.TempDir()
		precious := filepath.Join(dir, "precious")
		if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"-"}, {"-", "-o", filepath.Join(dir, "out.gz")}, {"-", "--force", "-o", precious}} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			withStdin(t, r)
			ctx, cancel := context.WithCancel(t.Context())
			var out, errs bytes.Buffer
			status := make(chan int, 1)
			go func() { status <- run(ctx, append([]string{"convert"}, args...), &out, &errs) }()
			// This is more than is read ahead, so some of it has been converted.
			if _, err := w.WriteString(strings.Repeat(format, 8<<20/len(format))); err != nil {
				t.Fatal(err)
			}
			cancel()
			if got := <-status; got != cli.ExitInterrupted || !strings.Contains(errs.String(), "convert: interrupted") {
				t.Errorf("%v: status %d: %s", args, got, &errs)
			}
			w.Close()
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 1 {
				t.Errorf("%v leaves %v, %v", args, left, err)
			}
			if b, err := os.ReadFile(precious); err != nil || string(b) != "precious" {
				t.Errorf("%v: what was there is %.20q, %v", args, b, err)
			}
			if len(args) > 1 {
				continue
			}
			said := regexp.MustCompile(`"problem":\{"kind":"source","line":\d{2,},"offset":\d{6,},"reason":"the reading was interrupted here"\}`)
			if !said.Match(out.Bytes()) || !bytes.HasSuffix(out.Bytes(), []byte("}\n")) {
				t.Errorf("it does not say where it ends: %s", out.Bytes()[max(0, out.Len()-1000):])
			}
		}
	}
}

// bareList is a list as kubectl get -o json prints it.
const bareList = `{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}}]}`

// TestConvertToAFullDisk: a full disk is an error, which counts no lines that were
// lost.
func TestConvertToAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var errs bytes.Buffer
	if status := run(t.Context(), []string{"convert", smallPods}, full, &errs); status != cli.ExitFailed || errs.String() != "informerscope convert: the standard output could not be written: no space left on device\n" {
		t.Errorf("status %d: %s", status, &errs)
	}
	errs.Reset()
	if status := run(t.Context(), []string{"convert", smallPods, "-o", "/dev/full"}, io.Discard, &errs); status != cli.ExitFailed || errs.String() != "informerscope convert: /dev/full could not be written: no space left on device\n" {
		t.Errorf("status %d: %s", status, &errs)
	}
	errs.Reset()
	if status := run(t.Context(), []string{"redact", smallPods, "-"}, full, &errs); status != cli.ExitFailed || errs.String() != "informerscope redact: the standard output could not be written: no space left on device\n" {
		t.Errorf("status %d: %s", status, &errs)
	}
	for _, command := range []string{"report", "version", "help"} {
		args := []string{command}
		if command == "report" {
			args = append(args, smallPods)
		}
		errs.Reset()
		if status := run(t.Context(), args, full, &errs); status != cli.ExitFailed || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s: status %d: %s", command, status, &errs)
		}
	}
}

// TestConvertTells: convert prints which places it couldn't read, and the format's
// remarks.
func TestConvertTells(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"convert", cutWatch}, &stdout, &stderr)
	if status != cli.ExitDamaged || !strings.Contains(stderr.String(), cutWatch+": line 6, byte 19664: ") || strings.Count(stdout.String(), `"event"`) != 5 {
		t.Errorf("status %d:\n%s", status, &stderr)
	}
	status, _, errs := play(t, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}}`, "convert")
	if status != 0 || !strings.Contains(errs, "deletions can't be seen") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}
