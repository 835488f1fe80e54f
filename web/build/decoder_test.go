package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// What the page has of the library reads as encoding/json does: here, and as the page runs it where there is Node.
func TestThePagesLibraryReadsAsTheStandardLibrary(t *testing.T) {
	mod, err := trimmed(t.TempDir(), decoder)
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) *exec.Cmd {
		return exec.Command("go", append(append([]string{"test", "-count=1", "-modfile", mod}, args...), "./jsonfuzz")...)
	}
	if out, err := run().CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Log("there is no Node, so it was compared natively only")
		return
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	node := run("-exec", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"))
	node.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := node.CombinedOutput(); err != nil {
		t.Errorf("in Node: %v\n%s", err, out)
	}
}

// A library that has changed where ours differs from it isn't built.
func TestAnotherLibraryIsRefused(t *testing.T) {
	module := fstest.MapFS{}
	for name := range decoder.replaced {
		module[name] = &fstest.MapFile{Data: []byte("package json\n")}
	}
	if _, err := decoder.part(module); err == nil || !strings.Contains(err.Error(), "decode.go") {
		t.Errorf("a library with other files was taken, with error %v", err)
	}
	delete(module, "decode.go")
	if _, err := decoder.part(module); err == nil || !strings.Contains(err.Error(), "isn't there") {
		t.Errorf("a library that lacks files was taken, with error %v", err)
	}
}

// The page's program doesn't name the folder in which it was built.
func TestReplacedFromRoot(t *testing.T) {
	for folder, want := range map[string]string{"/a/m/build/go-json": "./build/go-json", "/a/x": "../x", "/a/m/..y": "./..y"} {
		if got, err := fromRoot("/a/m", folder); got != want || err != nil {
			t.Errorf("%s is %q, %v", folder, got, err)
		}
	}
}
