package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/internal/compresstest"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// readTrace reads a whole capture, and prints its problems.
func readTrace(name string, stderr io.Writer) (*trace.Trace, error) {
	c, err := files.Open(context.Background(), []string{name}, nil, nil)
	if err != nil {
		return nil, err
	}
	got, err := c.Read(func(*trace.Trace) func() error { return func() error { return nil } })
	if err != nil {
		return nil, err
	}
	files.TellProblems(stderr, []string{name}, got.Trace)
	return got.Trace, nil
}

const podEvents = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}}}
{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"2"}}}
{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"3"}}}
`

const podYAML = `object:
  apiVersion: v1
  kind: Pod
  metadata:
    name: a
    namespace: "n"
    resourceVersion: "1"
    uid: "1"
type: ADDED
---
object:
  apiVersion: v1
  kind: Pod
  metadata:
    name: a
    namespace: "n"
    resourceVersion: "2"
    uid: "1"
type: MODIFIED
`

// withStdin makes in the standard input until the test ends.
func withStdin(t *testing.T, in *os.File) {
	t.Helper()
	was := os.Stdin
	os.Stdin = in
	t.Cleanup(func() { os.Stdin = was })
}

// stdinOf makes content the standard input until the test ends.
func stdinOf(t *testing.T, content []byte) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	withStdin(t, r)
	written := make(chan struct{})
	go func() {
		defer close(written)
		w.Write(content)
		w.Close()
	}()
	t.Cleanup(func() { r.Close(); <-written })
}

// TestAnyInputOpens: inputs open whether they need converting or not, however they
// are compressed, from a file and from the standard input.
func TestAnyInputOpens(t *testing.T) {
	long := strings.Repeat(podEvents, 20_000) // several times what is read at once
	for name, content := range map[string]string{"watch": podEvents, "yaml": podYAML, "long": long, "bare": podYAML[strings.Index(podYAML, "---"):] + "---\n" + podYAML} {
		for how, b := range map[string][]byte{"plain": []byte(content), "gzip": compresstest.Gzip(t, []byte(content)), "zstd": compresstest.Zstd(t, []byte(content)), "twice": compresstest.Gzip(t, compresstest.Zstd(t, []byte(content)))} {
			t.Run(name+" "+how, func(t *testing.T) {
				// The name doesn't tell the format.
				file := filepath.Join(t.TempDir(), "capture")
				if err := os.WriteFile(file, b, 0o600); err != nil {
					t.Fatal(err)
				}
				var out, errs, fromStdin bytes.Buffer
				if status := run(t.Context(), []string{"report", "--notifications", file}, &out, &errs); status != 0 {
					t.Fatalf("status %d: %s", status, &errs)
				}
				stdinOf(t, b)
				if status := run(t.Context(), []string{"report", "--notifications", "-"}, &fromStdin, &errs); status != 0 {
					t.Fatalf("status %d: %s", status, &errs)
				}
				if !strings.HasPrefix(out.String(), `{"handler":"simulated","fn":"OnAdd","key":"n/a","rv":"`) || errs.Len() > 0 && (name != "long" || strings.Count(errs.String(), "lower resourceVersion") != strings.Count(errs.String(), "\n")) {
					t.Errorf("got %.200s\n%s", &out, &errs)
				}
				if out.String() != fromStdin.String() {
					t.Errorf("a file gives\n%.500s\nand the standard input\n%.500s", &out, &fromStdin)
				}
			})
		}
	}
}

// TestLateForeign: an input may turn out to need converting after a part of it was
// played. It gives the same calls as if it had been converted first.
func TestLateForeign(t *testing.T) {
	list := func(rv, names string) string {
		var items []string
		for _, n := range strings.Fields(names) {
			items = append(items, `{"metadata":{"name":"`+n+`","namespace":"n","uid":"`+n+`","resourceVersion":"`+rv+`"}}`)
		}
		return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + rv + `"},"items":[` + strings.Join(items, ",") + "]}\n"
	}
	dumps := list("5", "a b") + strings.Repeat(" ", 3<<20) + "\n" + list("7", "b c")
	file := filepath.Join(t.TempDir(), "dumps")
	if err := os.WriteFile(file, []byte(dumps), 0o600); err != nil {
		t.Fatal(err)
	}
	var direct, errs, converted, after bytes.Buffer
	if status := run(t.Context(), []string{"report", "--notifications", file}, &direct, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	if status := run(t.Context(), []string{"convert", file}, &converted, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	stdinOf(t, converted.Bytes())
	if status := run(t.Context(), []string{"report", "--notifications", "-"}, &after, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	if direct.String() != after.String() || strings.Count(direct.String(), "OnDelete") != 1 {
		t.Errorf("got\n%s\nand when it was converted first\n%s", &direct, &after)
	}
	stdinOf(t, []byte(dumps))
	var piped bytes.Buffer
	if status := run(t.Context(), []string{"report", "--notifications", "-"}, &piped, &errs); status != 0 || piped.String() != direct.String() {
		t.Errorf("from the standard input: status %d\n%s%s", status, &piped, &errs)
	}
}

func TestSeveralInputs(t *testing.T) {
	dir := t.TempDir()
	nodes := strings.NewReplacer("Pod", "Node", `"namespace":"n",`, "").Replace(podEvents)
	for name, b := range map[string][]byte{"pods.json": []byte(podEvents), "nodes.zst": compresstest.Zstd(t, []byte(nodes))} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdinOf(t, []byte(strings.ReplaceAll(podEvents, "Pod", "Service")))
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"report", "--notifications", filepath.Join(dir, "pods.json"), filepath.Join(dir, "nodes.zst"), "-"}, &out, &errs)
	for _, informer := range []string{"pods", "nodes", "services"} {
		if n := strings.Count(out.String(), `{"informer":"`+informer+`","handler":"simulated","fn":"On`); n != 3 {
			t.Errorf("%s: %d calls", informer, n)
		}
	}
	if status != 0 || errs.Len() > 0 {
		t.Errorf("status %d:\n%s%s", status, &out, &errs)
	}
}

// TestDamage: report shows what a damaged input still holds, says where the damage
// is, and has an exit code for it. It fails where the format is unknown.
func TestDamage(t *testing.T) {
	packed := compresstest.Gzip(t, []byte(strings.Repeat(podEvents, 2000)))
	for _, c := range []struct {
		name    string
		content string
		status  int
		says    string
	}{
		{"cut", podEvents + podEvents[:60], cli.ExitDamaged, "line 4, byte "},
		{"damaged", podEvents + "{\"type\":\"ADDED\",\n" + podEvents, cli.ExitDamaged, "is not complete"},
		{"cut yaml", podYAML + "---\nobject:\n  apiVersion: \"v1", cli.ExitDamaged, "line "},
		{"cut gzip", string(packed[:len(packed)-20]), cli.ExitDamaged, "the file is cut"},
		{"unknown", "What is this?", 1, `.txt: unknown format (starts with "What is this?"); want a capture, such as kubectl get --watch --output-watch-events -o json prints; see informerscope help formats`},
		{"protobuf", "k8s\x00\n\x09\n\x02v1\x12\x03Pod", 1, "Accept: application/json"},
		{"empty", "", 1, "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := play(t, c.content, "report")
			if status != c.status || !strings.Contains(errs, c.says) {
				t.Errorf("status %d:\n%s", status, errs)
			}
			if c.status != 1 && !strings.Contains(out, "staleness") {
				t.Errorf("there is no report:\n%s", out)
			}
		})
	}
}

// TestInterrupted: commands end as soon as they are interrupted, whatever they wait
// for.
func TestInterrupted(t *testing.T) {
	for _, content := range []string{podEvents, podYAML + "---\n"} {
		for _, command := range []string{"report", "convert", "run", "explore"} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			withStdin(t, r)
			if _, err := w.WriteString(content); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var out, errs bytes.Buffer
			status := make(chan int, 1)
			go func() { status <- run(ctx, []string{command, "-"}, &out, &errs) }()
			cancel()
			if got := <-status; got != cli.ExitInterrupted || !strings.Contains(errs.String(), command+": interrupted") {
				t.Errorf("%s: status %d: %s", command, got, &errs)
			}
			w.Close()
		}
	}
}

// TestTooManyResources: there is a limit, because each resource takes an informer.
func TestTooManyResources(t *testing.T) {
	var b strings.Builder
	for i := range report.MaxResources + 1 {
		b.WriteString(strings.ReplaceAll(podEvents, "Pod", "K"+strconv.Itoa(i)))
	}
	status, _, errs := play(t, b.String(), "report")
	if status != 1 || !strings.Contains(errs, "more than 1000 resources") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, out, errs := play(t, b.String(), "report", "--notifications", "--resource", "k999s"); status != 0 || strings.Count(out, "\n") != 3 {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// A link within a folder is followed, once, and into what is hidden, too; any other is told.
func TestLinksInAFolder(t *testing.T) {
	pod := func(name string) string {
		return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"` + name + `","namespace":"x","uid":"` + name + `","resourceVersion":"3"}}]}`
	}
	outside := filepath.Join(t.TempDir(), "outside.json")
	for _, x := range []struct {
		files, links map[string]string
		status       int
		names        []string // of the pods that are there, once each
		says         string
	}{
		{map[string]string{"..2026/pods.json": pod("a")}, map[string]string{"..data": "..2026", "pods.json": "..data/pods.json"}, 0, []string{"a"}, ""},
		{map[string]string{"a/pods.json": pod("a")}, map[string]string{"again": "a", "a/more.json": "pods.json", "a/up": ".."}, 0, []string{"a"}, ""},
		{map[string]string{".hidden/b/pods.json": pod("b"), "pods.json": pod("a")}, map[string]string{"seen": ".hidden"}, 0, []string{"a", "b"}, ""},
		{map[string]string{"pods.json": pod("a")}, map[string]string{"other.json": outside}, 3, []string{"a"}, "other.json: it is a symbolic link that leads out of the folder"},
		{nil, map[string]string{"other.json": outside}, 1, nil, "other.json: it is a symbolic link that leads out of the folder"},
		{map[string]string{"pods.json": pod("a")}, map[string]string{"gone.json": "nowhere", "loop": "loop"}, 3, []string{"a"}, "gone.json: it is a symbolic link that leads nowhere"},
	} {
		dir := t.TempDir()
		write := func(path, text string) {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(outside, pod("outside"))
		for name, text := range x.files {
			write(filepath.Join(dir, name), text)
		}
		for name, to := range x.links {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"convert", dir}, &out, &errs); status != x.status || !strings.Contains(errs.String(), x.says) {
			t.Errorf("%v, %v: status %d: %s", x.files, x.links, status, &errs)
		}
		if n := strings.Count(out.String(), `"resourceVersion":"3"`); n != len(x.names) {
			t.Errorf("%v, %v: %d pods in %s", x.files, x.links, n, &out)
		}
		for _, name := range x.names {
			if !strings.Contains(out.String(), `"name":"`+name+`"`) {
				t.Errorf("%v, %v: there is no %s in %s", x.files, x.links, name, &out)
			}
		}
	}
}

// A folder is read with all that is in it, but what is no capture; what is hidden is left out.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/pods.json": `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"p","namespace":"a","uid":"1","resourceVersion":"3"}}]}`,
		"b/pods.json": `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"q","namespace":"b","uid":"2","resourceVersion":"4"}}]}`,
		"b/logs.txt":  "hello\n", ".git/pods.json": `{"kind":"PodList"}`, "a/.hidden": "x",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"convert", dir}, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	if got := out.String(); strings.Count(got, `"req"`) != 1 || !strings.Contains(got, `"name":"p"`) || !strings.Contains(got, `"name":"q"`) || !strings.Contains(got, `{"id":"passedOver","count":1}`) {
		t.Errorf("%s", got)
	}
	errs.Reset()
	if status := run(t.Context(), []string{"convert", t.TempDir()}, &out, &errs); status != 1 || !strings.Contains(errs.String(), "the folder has no files") {
		t.Errorf("status %d: %s", status, errs.String())
	}
}
