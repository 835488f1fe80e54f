package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The stack of this program grows and is copied, its garbage is collected while pointers lie in many frames,
// and it recovers from a panic below inlined calls: all of that reads the table of functions.
const program = `package main

import (
	"fmt"
	"runtime"
)

type list struct {
	next *list
	data []byte
}

func grow(n int, l *list) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	l = &list{l, make([]byte, 1000)}
	sum := grow(n-1, l)
	l.data[n%1000]++
	return sum + len(l.data) + int(l.data[n%1000])
}

func inlined(at []int, i int) int { return at[i] }

func Recovered() (what string) {
	defer func() {
		what = fmt.Sprint(recover())
		pc, _, _, _ := runtime.Caller(0)
		what += " in " + runtime.FuncForPC(pc).Name()
	}()
	return fmt.Sprint(inlined(make([]int, 3), len(what)+5))
}

//go:noinline
func Ends(l *list) int { return len(l.next.data) }

func main() {
	fmt.Println(grow(2000, nil), Recovered())
	Ends(&list{})
}
`

// Without lines, a program does what it did, and names the functions where it panics.
func TestATracebackNamesFunctions(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"main.go": program, "go.mod": "module ends\n\ngo 1.24\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "ends.wasm", ".")
	c.Dir = folder
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	built, err := os.ReadFile(filepath.Join(folder, "ends.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := joinSegments(built)
	if err != nil {
		t.Fatal(err)
	}
	light, found, err := dropLines(joined)
	if err != nil || !found {
		t.Fatalf("the table of functions isn't found: %v", err)
	}
	if bytes.Equal(light, joined) {
		t.Fatal("the program has its lines")
	}
	if again, err := joinSegments(built); err != nil || !bytes.Equal(again, joined) {
		t.Error("the program that was given has changed")
	}
	const does = "2002000 runtime error: index out of range [5] with length 3 in main.Recovered.func1\n"
	line := regexp.MustCompile(`main\.go:\d+`)
	for name, lines := range map[string]bool{"joined": true, "light": false} {
		p := joined
		if !lines {
			p = light
		}
		printed, traceback := inNode(t, filepath.Join(folder, name+".wasm"), p)
		if printed != does {
			t.Errorf("%s prints %q, and not %q", name, printed, does)
		}
		if !strings.Contains(traceback, "invalid memory address") || !strings.Contains(traceback, "main.Ends(") || !strings.Contains(traceback, "main.main()") {
			t.Errorf("%s: the traceback doesn't name the functions:\n%s", name, traceback)
		}
		if line.MatchString(traceback) != lines {
			t.Errorf("%s: the traceback has lines, or lacks them:\n%s", name, traceback)
		}
	}
}

// inNode runs a program, and returns what it has written.
func inNode(t *testing.T, name string, program []byte) (stdout, stderr string) {
	t.Helper()
	if err := os.WriteFile(name, program, 0o666); err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), name)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err == nil {
		t.Errorf("%s doesn't panic", name)
	}
	return out.String(), errs.String()
}

// What looks like a table of functions and is none, stays as it is.
func FuzzLines(f *testing.F) {
	f.Add([]byte(tableMagic + strings.Repeat("\x48\x00\x00\x00\x00\x00\x00\x00", 9)))
	f.Add(functions())
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		if !withoutLines(data) && !bytes.Equal(data, before) {
			t.Fatal("it is no table, and has changed")
		}
		if withoutLines(data); len(data) != len(before) {
			t.Fatal("the length has changed")
		}
	})
}

// functions returns a table of two functions. The second function has a table of values that the first one lacks.
func functions() []byte {
	b := []byte(tableMagic)
	const units = headerSize + 4
	const values = units + 8
	const at = values + 12
	for _, n := range []uint64{2, 1, 0, headerSize, units, units + 4, values, at} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, "f\x00g\x00unitfile"...)
	b = append(b, 0, 2, 1, 0, 4, 9, 1, 8, 0, 6, 7, 0)
	for _, n := range []uint32{
		0, 16, 1, 16 + functionSize, // which function is where
		0, 0, 0, 0, 1, 4, 4, 0, 7, 5, 0,
		1, 2, 0, 0, 1, 4, 9, 1, 7, 5, 0, 9,
	} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// The values that the runtime works with close up.
func TestValuesCloseUp(t *testing.T) {
	b := functions()
	if !withoutLines(b) {
		t.Fatal("it is no table")
	}
	const values = headerSize + 4 + 8
	if got, want := b[values-8:values+12], []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x01\x00\x06\x07\x00\x00\x00\x00\x00\x00"); !bytes.Equal(got, want) {
		t.Errorf("%x is left of the values, and not %x", got, want)
	}
	second := b[values+12+16+functionSize:]
	for at, want := range map[int]uint32{0: 1, 4: 2, stackAt: 1, fileAt: 0, lineAt: 0, tablesAt: 1, unitAt: 0, startAt: 0, functionSize: 4} {
		if got := binary.LittleEndian.Uint32(second[at:]); got != want {
			t.Errorf("at %d of the second function is %d, and not %d", at, got, want)
		}
	}
}
