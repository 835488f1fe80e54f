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

// Driver is the engine's driver as a process, which plays one script after the other, and answers line by line. To
// start a process takes longer than to play a script.
type Driver struct {
	Bin string // the program, for what it does without a script

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Build compiles the driver once for a test binary.
func Build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "driver")
	cmd := exec.Command("go", "test", "-c", "-o", bin, "./engine/conformance/driver")
	cmd.Dir = Top(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// Top returns the folder of the main module.
func Top(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "engine/conformance/driver")); err == nil {
			return dir
		}
	}
	t.Fatal("the tests don't stand in the project")
	return ""
}

// Start builds a driver and starts it, until the end of the test.
func Start(t *testing.T) *Driver {
	t.Helper()
	bin := Build(t)
	d := &Driver{Bin: bin, cmd: exec.Command(bin)}
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
	t.Cleanup(func() {
		d.in.Close()
		d.cmd.Wait()
	})
	return d
}

// Begin begins a script of a version of client-go in which a gate is turned over, if there is one. What was played before leaves
// nothing to it.
func (d *Driver) Begin(t *testing.T, version, flip string) {
	t.Helper()
	d.send(t, []string{version, flip})
}

// PlayOn plays a whole script on a driver, as Begin says, and returns what it prints, line by line.
func PlayOn[T any](t *testing.T, d *Driver, version, flip string, script []T) []string {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	err := enc.Encode([]string{version, flip})
	for i := 0; i < len(script) && err == nil; i++ {
		err = enc.Encode(script[i])
	}
	if err != nil {
		t.Fatal(err)
	}
	go d.in.Write(in.Bytes()) // the driver may wait until what it has printed is read
	lines := make([]string, len(script))
	for i := range lines {
		lines[i] = d.next(t)
	}
	return lines
}

// Answers plays a whole script on a process of its own, with arguments, and returns what it prints, line by line.
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

// Play plays one operation and returns its result.
func (d *Driver) Play(t *testing.T, op any) string {
	t.Helper()
	d.send(t, op)
	return d.next(t)
}

func (d *Driver) send(t *testing.T, line any) {
	t.Helper()
	b, err := json.Marshal(line)
	if err == nil {
		_, err = d.in.Write(append(b, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (d *Driver) next(t *testing.T) string {
	t.Helper()
	line, err := d.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the driver ended: %v", err)
	}
	return strings.TrimSpace(line)
}
