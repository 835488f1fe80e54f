package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// panics grows its stack, which is copied, collects its garbage while pointers lie in many frames, recovers from a
// panic below an inlined call, and ends by another panic.
const panics = `package main

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

func element(of []int, i int) int { return of[i] }

func recovered() (what string) {
	defer func() { what = fmt.Sprint(recover()) }()
	return fmt.Sprint(element(make([]int, 3), len(what)+5))
}

//go:noinline
func second(l *list) int {
	return len(l.next.data)
}

func main() {
	fmt.Println(grow(2000, nil), recovered())
	second(&list{})
}
`

// A program that is built as the page's is runs as it should, and its panic names functions, files and lines.
func TestPanicNamesFileAndLine(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	inlined, err := filepath.Abs("../../" + profile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"main.go": panics, "go.mod": "module panics\n\ngo 1.24\n"})
	program, err := compile("build/panics.wasm", inlined, ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("joined.wasm", program, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), "joined.wasm")
	var out, console strings.Builder
	c.Stdout, c.Stderr = &out, &console
	if err := c.Run(); err == nil {
		t.Error("the program doesn't panic")
	}
	if got, want := out.String(), "2002000 runtime error: index out of range [5] with length 3\n"; got != want {
		t.Errorf("it prints %q, want %q", got, want)
	}
	at := func(code string) string {
		before, _, _ := strings.Cut(panics, code)
		return fmt.Sprintf("main.go:%d ", strings.Count(before, "\n")+1)
	}
	for _, want := range []string{"invalid memory address", "main.second(", at("l.next.data"), "main.main()", at("second(&list{})")} {
		if !strings.Contains(console.String(), want) {
			t.Errorf("the traceback lacks %s:\n%s", want, console.String())
		}
	}
}
