package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// path is the main module's.
const path = "github.com/informerscope/informerscope"

// command runs a program in a folder, and returns what it prints.
func command(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// What "go install" builds of the last commit, as if it were released: a program that knows its
// version, and where to get one with the page.
func TestGoInstall(t *testing.T) {
	const version = "v0.1.0"
	proxy := filepath.Join(t.TempDir(), "proxy")
	dir := filepath.Join(proxy, path, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	command(t, ".", nil, "git", "clone", "-q", "--no-hardlinks", "../..", tree)
	var all bytes.Buffer
	if err := zip.CreateFromDir(&all, module.Version{Path: path, Version: version}, tree); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		version + ".zip": all.Bytes(), version + ".mod": mod, version + ".info": []byte(`{"Version":"` + version + `"}`), "list": []byte(version + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir()
	// What the module needs is there already, in the cache from which this test was built.
	known := strings.Fields(command(t, ".", nil, "go", "env", "GOPROXY", "GOMODCACHE"))
	env := []string{
		"GOBIN=" + bin, "GOPROXY=file://" + proxy + ",file://" + filepath.Join(known[1], "cache", "download") + "," + known[0],
		"GONOSUMDB=" + path, "GOFLAGS=-modcacherw", "GOMODCACHE=" + filepath.Join(t.TempDir(), "mod"),
	}
	command(t, t.TempDir(), env, "go", "install", path+"/replay/cmd/informerscope@"+version)
	program := filepath.Join(bin, "informerscope")
	if said := command(t, ".", nil, program, "--version"); !strings.HasPrefix(said, "informerscope "+version+"\n") {
		t.Errorf("it says %s", said)
	}
	c := exec.Command(program, "learn")
	c.Dir = t.TempDir()
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "this informerscope ("+version+") carries no page: download") {
		t.Errorf("%v: %s", err, out)
	}
}

// Two builds of the last commit are equal bit for bit: the page, and the program that carries it. The
// other one is built in a folder of another name, with a cache of its own, so that all of it is compiled
// again, with the state of the checkout in it wherever nobody forbids that, and in another time zone
// and language.
func TestTwoBuilds(t *testing.T) {
	commit := strings.TrimSpace(command(t, ".", nil, "git", "rev-parse", "HEAD")) // somebody may go on working meanwhile
	var sums [2]map[string]string
	for i, name := range []string{"a", "another folder"} {
		dir := filepath.Join(t.TempDir(), name)
		command(t, ".", nil, "git", "clone", "-q", "--no-hardlinks", "../..", dir)
		command(t, dir, nil, "git", "checkout", "-q", "--detach", commit)
		var env []string
		if i == 1 {
			env = []string{"GOFLAGS=-buildvcs=true", "GOCACHE=" + filepath.Join(t.TempDir(), "cache"), "TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}
		}
		command(t, dir, env, "make", "binary")
		sums[i] = map[string]string{}
		tree := os.DirFS(dir)
		for _, part := range []string{"dist", "build/informerscope"} {
			err := fs.WalkDir(tree, part, func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				b, err := fs.ReadFile(tree, name)
				sum := sha256.Sum256(b)
				sums[i][name] = hex.EncodeToString(sum[:])
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(sums[0]) < 100 || len(sums[0]) != len(sums[1]) {
		t.Errorf("%d and %d files", len(sums[0]), len(sums[1]))
	}
	var differ []string
	for name, sum := range sums[0] {
		if sums[1][name] != sum {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		t.Errorf("%d files differ, such as %s", len(differ), slices.Min(differ))
	}
}
