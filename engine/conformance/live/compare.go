package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Driver is the engine's driver as a process, which answers line by line.
type Driver struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// build compiles the driver once for a test binary.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "driver")
	cmd := exec.Command("go", "build", "-o", bin, "./engine/conformance/driver")
	cmd.Dir = top(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// top is the folder of the main module.
func top(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func start(t *testing.T, bin string, v *Version) *Driver {
	t.Helper()
	d := &Driver{cmd: exec.Command(bin, "-client-go", v.Name)}
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

// do plays one operation and returns its result.
func (d *Driver) do(t *testing.T, op Op) string {
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

func (d *Driver) stop() {
	d.in.Close()
	d.cmd.Wait()
}

// engine plays a whole script on the driver.
func engine(t *testing.T, bin string, v *Version, script []Op) []string {
	t.Helper()
	d := start(t, bin, v)
	defer d.stop()
	var out []string
	for _, op := range script {
		out = append(out, d.do(t, op))
	}
	return out
}

// compare plays a script on both. It returns the results of each and the number of
// the first line that differs, or -1.
//
// In an informer that was run twice, several pops share one pendingNotifications
// without a lock. That is a race in the library, and the engine shows one of its
// outcomes. With one processor the library nearly always has the same outcome.
// Only if ten plays all have another one, the two differ.
func compare(t *testing.T, bin string, v *Version, script []Op) (real, ours []string, at int) {
	t.Helper()
	plays := 1
	if v.Oldest && slices.ContainsFunc(script, func(op Op) bool { return op.Op == "inf.run2" }) {
		plays = 10
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	ours, at = engine(t, bin, v, script), 0
	for i := 0; i < plays && at >= 0; i++ {
		real = Play(t, v, script)
		at = differs(real, ours)
	}
	return real, ours, at
}

// differs returns the number of the first line that differs, or -1. It doesn't
// compare random results.
func differs(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !reflect.DeepEqual(decode(a[i]), decode(b[i])) {
			return i
		}
	}
	return -1
}

func decode(line string) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(line), &out); err != nil {
		return map[string]any{"line": line}
	}
	delete(out, "version")
	delete(out, "jitteredMs")
	return out
}

// comparable reports whether a script has only one possible outcome. It has
// several if time passes that may or may not end a back-off, because back-offs are
// random; if that moves the handlers' resyncs; if two controllers of one informer
// are in a back-off at the same time; and if the informer is stopped twice.
func comparable(script []Op, real []string, v *Version) bool {
	started, stopped, over, resyncs := false, false, false, false
	running, awaiting, open := 0, 0, 0
	for i, op := range script {
		backoff := started && !over && awaiting+open < running
		if running > 1 && !stopped && awaiting+open < running-1 {
			return false
		}
		switch op.Op {
		case "advance":
			if backoff && op.Ms < 60001 {
				return false
			}
			over = over || stopped && backoff
		case "inf.waitCall":
			if resyncs {
				return false
			}
		case "inf.new", "inf.addHandler":
			resyncs = resyncs || op.ResyncMs != nil
		case "inf.start":
			if started {
				return false
			}
			started, running = true, 1
		case "inf.run2":
			if !started {
				return false
			}
			if v.Oldest {
				running++
			}
		case "inf.stop":
			if stopped {
				return false
			}
			stopped, over = true, !backoff
		}
		out := decode(real[i])
		_, failed := out["err"]
		if op.Op == "inf.watch" && op.Err == "" && !failed {
			open++
		}
		calls, _ := out["calls"].([]any)
		for _, c := range calls {
			if text := c.(string); text == "watch.stop" {
				open--
			} else if strings.HasPrefix(text, "list") && running == 1 {
				open = 0
			}
		}
		a, _ := out["awaiting"].([]any)
		awaiting = len(a)
	}
	return true
}

// shrink removes operations as long as the two still differ.
func shrink(t *testing.T, bin string, v *Version, script []Op) []Op {
	t.Helper()
	bad := func(s []Op) bool {
		real, _, at := compare(t, bin, v, s)
		return at >= 0 && comparable(s, real, v)
	}
	if _, _, at := compare(t, bin, v, script); at >= 0 {
		script = script[:at+1]
	}
	for size := len(script) / 2; size > 0; {
		shorter := false
		// The beginning of a script has to stay: config, new, start.
		for from := 2; from+size <= len(script); {
			without := slices.Concat(script[:from], script[from+size:])
			if bad(without) {
				script, shorter = without, true
			} else {
				from += size
			}
		}
		if !shorter {
			size /= 2
		}
	}
	return script
}

// report describes how the engine and the library differ, with the shortest script
// that shows it.
func report(t *testing.T, bin string, v *Version, script []Op) {
	t.Helper()
	script = shrink(t, bin, v, script)
	var b bytes.Buffer
	for _, op := range script {
		line, _ := json.Marshal(op)
		fmt.Fprintf(&b, "%s\n", line)
	}
	if real, ours, at := compare(t, bin, v, script); at >= 0 {
		fmt.Fprintf(&b, "operation %d:\nclient-go %s\nengine    %s\n", at, real[at], ours[at])
	}
	t.Errorf("the engine differs from client-go %s:\n%s", v.Name, b.String())
}

// Compare compares on one script.
func Compare(t *testing.T, v *Version, script []Op) {
	t.Helper()
	bin := build(t)
	if _, _, at := compare(t, bin, v, script); at >= 0 {
		report(t, bin, v, script)
	}
}

// Panic is the engine's message if a script's last operation ends the process, and
// "" otherwise.
func Panic(t *testing.T, v *Version, script []Op) string {
	t.Helper()
	out := engine(t, build(t), v, script)
	text, _ := decode(out[len(out)-1])["panic"].(string)
	return text
}
