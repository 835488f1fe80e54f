//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// A pipe is read to its end like the standard input, although its format is known only
// once some of it was read: <(COMMAND) of a shell is one.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	whole := strings.Repeat(podEvents, 3000) // several Reads long
	yaml, err := os.ReadFile("testdata/pods-w.yaml.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"json": whole, "yaml": string(yaml)} {
		file, pipe := filepath.Join(dir, name), filepath.Join(dir, name+".pipe")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"convert -q", "report -q --notifications", "redact --check -q"} {
			var want string
			for _, from := range []string{file, pipe} {
				written := make(chan error, 1)
				if from == pipe {
					go func() { written <- os.WriteFile(pipe, []byte(content), 0o600) }()
				} else {
					written <- nil
				}
				var stdout, stderr bytes.Buffer
				run(t.Context(), append(strings.Fields(command), from), &stdout, &stderr)
				if err := <-written; err != nil {
					t.Fatal(err)
				}
				got := strings.ReplaceAll(stdout.String()+stderr.String(), pipe, file)
				switch {
				case from == file:
					want = got
				case got != want || got == "":
					t.Errorf("%s %s: %d bytes, and %d from the file: %.300s", command, from, len(got), len(want), got)
				}
			}
		}
	}
}

// A file that isn't there is named, in words of the command line.
func TestNoSuchFile(t *testing.T) {
	for _, command := range []string{"report", "convert", "redact"} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{command, "nosuch.json"}, &stdout, &stderr)
		if want := "informerscope " + command + ": nosuch.json: no such file or folder\n"; status != cli.ExitFailed || stderr.String() != want {
			t.Errorf("status %d, %s", status, stderr.String())
		}
	}
}
