package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Two snapshots of the last commit are equal bit for bit, with every archive, package and manifest that a release has,
// and kubectl and krew take them. The program of the archive for this machine shows its page in Chromium. Nothing is
// signed: a signature has the time in it. What is compiled is compiled once, since TestTwoBuilds compiles twice.
func TestTwoSnapshots(t *testing.T) {
	commit := strings.TrimSpace(command(t, ".", nil, "git", "rev-parse", "HEAD"))
	tools, err := filepath.Abs("../../build/release/bin")
	if err != nil {
		t.Fatal(err)
	}
	var sums [2]map[string]string
	var dist string
	for i, name := range []string{"a", "another folder"} {
		dir := filepath.Join(t.TempDir(), name)
		command(t, ".", nil, "git", "clone", "-q", "--no-hardlinks", "../..", dir)
		command(t, dir, nil, "git", "checkout", "-q", "--detach", commit)
		if err := os.MkdirAll(filepath.Join(dir, "build/release"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(tools, filepath.Join(dir, "build/release/bin")); err != nil {
			t.Fatal(err)
		}
		t.Log(command(t, dir, nil, "make", "snapshot"))
		dist = filepath.Join(dir, "build/release/dist")
		sums[i] = sumsOf(t, dist)
	}
	for name, sum := range sums[0] {
		if sums[1][name] != sum {
			t.Errorf("%s is %s and %s", name, sum, sums[1][name])
		}
	}
	count := map[string]int{}
	for name := range sums[0] {
		count[filepath.Ext(name)]++
	}
	for ext, want := range map[string]int{".gz": 4, ".zip": 2, ".deb": 2, ".rpm": 2, ".txt": 1, ".rb": 1, ".yaml": 1} {
		if count[ext] != want {
			t.Errorf("there are %d files %s, not %d", count[ext], ext, want)
		}
	}
	if len(sums[0]) != len(sums[1]) {
		t.Errorf("%d and %d files", len(sums[0]), len(sums[1]))
	}

	archives, err := filepath.Glob(filepath.Join(dist, "*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("archives for this machine: %v %v", archives, err)
	}
	program := unpack(t, archives[0])
	t.Log(command(t, "../../web/test", nil, "go", "test", "-vet=off", "-count=1", "-v", "-run", "^Test(OpenCommand|LearnCommand)$", ".", "-program", program))
}

// sumsOf are the checksums of what is published from goreleaser's folder, by name. What goreleaser notes of its own run
// is not, and has the time in it.
func sumsOf(t *testing.T, dist string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	tree := os.DirFS(dist)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.Contains([]string{"metadata.json", "artifacts.json", "config.yaml"}, name) {
			return err
		}
		b, err := fs.ReadFile(tree, name)
		sum := sha256.Sum256(b)
		sums[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// unpack unpacks an archive, and returns the program in it.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	names := map[string]bool{}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names[h.Name] = true
		if h.Name != "informerscope" {
			continue
		}
		unpackFile(t, to, h, files)
	}
	for _, name := range []string{"LICENSE", "NOTICES.txt", "README.md", "informerscope", "man/informerscope.1", "completions/informerscope.bash", "completions/informerscope.zsh", "completions/informerscope.fish", "completions/informerscope.ps1"} {
		if !names[name] {
			t.Errorf("%s lacks %s", archive, name)
		}
	}
	return filepath.Join(to, "informerscope")
}
