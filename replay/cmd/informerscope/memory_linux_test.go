package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// asProgram makes the test's program informerscope itself, and names the file in which it says how much memory it took.
const asProgram = "INFORMERSCOPE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(asProgram); name != "" {
		code := program()
		status, err := os.ReadFile("/proc/self/status")
		if err == nil {
			err = os.WriteFile(name, status, 0o600)
		}
		if err != nil {
			panic(err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestMemoryIsBoundedWhateverTheFile: no line, however long or whatever it holds, and no
// compression makes a command take much memory.
func TestMemoryIsBoundedWhateverTheFile(t *testing.T) {
	// At most 290 MB were measured. Where other programs keep the cores busy, the collector
	// comes later, and 342 MB were.
	const most = 400 // MB
	const event = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}`
	const own = `{"informerscope":"trace","version":1}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}` + "\n" + `{"t":0,"id":1,"event":` + event
	mega := func(s string) string { return strings.Repeat(s, 1<<20/len(s)) }
	dir := t.TempDir()
	status := filepath.Join(dir, "status")
	for _, x := range []struct {
		name                 string
		before, piece, after string
		pieces               int
	}{
		{"without-end.ndjson", event + "}}\n" + event + `,"x":"`, mega("x"), "", 150},
		{"bomb.ndjson.gz", event + "}}\n" + event + `,"x":"`, mega("x"), `"}}` + "\n" + event + "}}\n", 400},
		{"numbers.ndjson", event + "}}\n" + event + `,"x":[`, mega("1,"), `1]}}` + "\n", 62},
		{"objects.trace.jsonl", own + `,"x":[`, mega("{},"), `{}]}}}` + "\n", 62},
		{"brackets.ndjson", event + "}}\n", mega("["), "\n" + event + "}}\n", 100},
		{"spaces.json", "", mega(" "), "", 100},
		{"line.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"", mega("x"), "\"\n", 100},
	} {
		name := filepath.Join(dir, x.name)
		write(t, name, x.before, x.piece, x.after, x.pieces)
		for _, args := range [][]string{{"report", name}, {"convert", "-q", "-o", os.DevNull, name}, {"redact", "-q", "--names", name, "-"}} {
			c := exec.Command(os.Args[0], args...)
			c.Env = append(os.Environ(), asProgram+"="+status, "GOGC=") // as it usually collects garbage, whatever the tests do
			var said bytes.Buffer
			c.Stderr = &said
			err := c.Run()
			if code := c.ProcessState.ExitCode(); code != cli.ExitOK && code != cli.ExitFailed && code != cli.ExitDamaged {
				t.Errorf("%s %s: %v: %.300s", x.name, args[0], err, &said)
			}
			// The kernel's own account of a process begins with what the process that started it takes.
			text, err := os.ReadFile(status)
			if err != nil {
				t.Fatal(err)
			}
			_, text, _ = bytes.Cut(text, []byte("\nVmHWM:"))
			var kb int64
			if _, err := fmt.Sscanf(string(text), "%d kB", &kb); err != nil {
				t.Fatal(err)
			}
			if mb := kb * 1024 / 1_000_000; mb > most {
				t.Errorf("%s %s took %d MB", x.name, strings.Join(args[:2], " "), mb)
			} else {
				t.Logf("%s %s took %d MB", x.name, strings.Join(args[:2], " "), mb)
			}
		}
		os.Remove(name)
	}
}

// write writes a file, compressed if its name says so.
func write(t *testing.T, name, before, piece, after string, pieces int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(f, 1<<20)
	var to io.WriteCloser = struct {
		io.Writer
		io.Closer
	}{out, io.NopCloser(nil)}
	if strings.HasSuffix(name, ".gz") {
		to, _ = gzip.NewWriterLevel(out, gzip.BestSpeed)
	}
	io.WriteString(to, before)
	for range pieces {
		io.WriteString(to, piece)
	}
	io.WriteString(to, after)
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
