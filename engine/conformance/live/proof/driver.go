// Package proof is what all comparisons share: the engine's driver as a process,
// random scripts by seed, and the shortest script that still shows a difference. It
// knows nothing of Kubernetes.
package proof

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Driver is the engine's driver as a process, which answers line by line.
type Driver struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Build compiles the driver once for a test binary.
func Build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "driver")
	cmd := exec.Command("go", "build", "-o", bin, "./engine/conformance/driver")
	cmd.Dir = Top(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// Top is the folder of the main module.
func Top(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Start starts a driver that Build has made.
func Start(t *testing.T, bin string, args ...string) *Driver {
	t.Helper()
	d := &Driver{cmd: exec.Command(bin, args...)}
	d.cmd.Stderr = os.Stderr
	var err error
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.out = bufio.NewReader(out)
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return d
}

// Answers plays a whole script on a driver of its own, and returns what it prints, line by line.
func Answers[T any](t *testing.T, bin string, script []T, args ...string) []string {
	t.Helper()
	var in bytes.Buffer
	for _, op := range script {
		if err := json.NewEncoder(&in).Encode(op); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bin, args...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != len(script) {
		t.Fatalf("the driver ended after %d of %d lines: %v", len(lines), len(script), err)
	}
	return lines
}

// Do plays one operation and returns its result.
func (d *Driver) Do(t *testing.T, op any) string {
	t.Helper()
	b, err := json.Marshal(op)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.in.Write(append(b, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := d.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the driver ended at %s: %v", b, err)
	}
	return strings.TrimSpace(line)
}

// Stop ends the driver.
func (d *Driver) Stop() {
	d.in.Close()
	d.cmd.Wait()
}
