package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

var program = flag.String("program", "../../build/informerscope", "what make binary has built for this machine")

// unpacked writes the image of the program as an OCI layout, reads it back, and unpacks it.
func unpacked(t *testing.T) (root string, config *v1.ConfigFile) {
	t.Helper()
	index, err := image([]string{*program})
	if err != nil {
		t.Fatalf("%v (make binary builds it)", err)
	}
	folder := t.TempDir()
	if err := write(index, folder); err != nil {
		t.Fatal(err)
	}
	read, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := read.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%v: %+v", err, manifest)
	}
	// layout.Write puts the index that it is given into the layout's own.
	img, err := read.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if config, err = img.ConfigFile(); err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(root, 0o555); err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%v: %d layers", err, len(layers))
	}
	in, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	files := tar.NewReader(in)
	for {
		h, err := files.Next()
		if err == io.EOF {
			return root, config
		}
		if err != nil {
			t.Fatal(err)
		}
		unpackFile(t, root, h, files)
	}
}

// unpackFile writes a file of an archive to a folder.
func unpackFile(t *testing.T, folder string, h *tar.Header, from io.Reader) {
	t.Helper()
	out, err := os.OpenFile(filepath.Join(folder, h.Name), os.O_CREATE|os.O_WRONLY, os.FileMode(h.Mode))
	if err == nil {
		_, err = io.Copy(out, from)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The image is the same whenever it is made of a program, and has nothing else in it.
func TestImageIsTheProgram(t *testing.T) {
	var digests [2]v1.Hash
	for i := range digests {
		index, err := image([]string{*program})
		if err != nil {
			t.Fatal(err)
		}
		if digests[i], err = index.Digest(); err != nil {
			t.Fatal(err)
		}
	}
	if digests[0] != digests[1] {
		t.Errorf("made twice, it is %s and %s", digests[0], digests[1])
	}
	root, config := unpacked(t)
	all, err := os.ReadDir(root)
	if err != nil || len(all) != 2 || all[0].Name() != "NOTICES.txt" || all[1].Name() != "informerscope" {
		t.Errorf("%v: it has %v", err, all)
	}
	if config.Config.User != "65532" || config.OS != "linux" {
		t.Errorf("it runs as %s on %s", config.Config.User, config.OS)
	}
	if _, err := image([]string{"image.go"}); err == nil {
		t.Error("it takes a file that is no program")
	}
}

// Artifact Hub and registries find what they show both in the index and in the image, and the files that it names are
// those of the commit.
func TestImageIsListed(t *testing.T) {
	index, err := image([]string{*program})
	if err != nil {
		t.Fatalf("%v (make binary builds it)", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	_, config := unpacked(t)
	for _, required := range []string{"io.artifacthub.package.readme-url", "org.opencontainers.image.created", "org.opencontainers.image.description"} {
		if in := manifest.Annotations[required]; in == "" || in != config.Config.Labels[required] {
			t.Errorf("%s is %q in the index and %q in the image", required, in, config.Config.Labels[required])
		}
	}
	made := time.Date(2026, 11, 26, 23, 0, 0, 0, time.FixedZone("", 3600))
	const raw = "https://raw.githubusercontent.com/informerscope/informerscope/"
	all := labels(debug.Module{Path: path, Version: "v0.1.0"}, "0123abc", made)
	for label, want := range map[string]string{
		"io.artifacthub.package.readme-url": raw + "0123abc/README.md",
		"io.artifacthub.package.logo-url":   raw + "0123abc/web/icons/icon.svg",
		"org.opencontainers.image.created":  "2026-11-26T22:00:00Z",
		"org.opencontainers.image.version":  "v0.1.0",
		"org.opencontainers.image.source":   "https://" + path,
	} {
		if all[label] != want {
			t.Errorf("%s is %q, want %q", label, all[label], want)
		}
		if file, ok := strings.CutPrefix(want, raw+"0123abc/"); ok {
			if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
				t.Error(err)
			}
		}
	}
	if at := labels(debug.Module{Path: path}, "", made)["io.artifacthub.package.readme-url"]; at != raw+"HEAD/README.md" {
		t.Errorf("without a commit it is %s", at)
	}
}

// In a container, the program is run by a user who owns nothing, in a root that it can't write,
// and it serves the page. Its health check says so while it does, and no longer.
func TestImageServesThePage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("this needs root, to change the root and the user of a process")
	}
	root, config := unpacked(t)
	var parents []string // must be open to the other user
	for dir := root; dir != "/"; dir = filepath.Dir(dir) {
		parents = append(parents, dir)
	}
	for _, dir := range parents[1:3] {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	contained := func(args []string) *exec.Cmd {
		c := exec.Command(args[0], args[1:]...)
		c.Dir, c.Env = "/", []string{}
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}
		return c
	}
	const free = "18471" // in the place of the port that another program may have
	args := append(append([]string{}, config.Config.Entrypoint...), config.Config.Cmd...)
	args[len(args)-1] = free
	c := contained(args)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it prints %q: %s", line, &stderr)
	}
	for path, want := range map[string]string{"": "<!doctype html>", "sw.js": "addEventListener"} {
		r, err := http.Get("http://127.0.0.1:" + free + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != 200 || !strings.Contains(strings.ToLower(string(b)), strings.ToLower(want)) {
			t.Errorf("/%s: %d %v %.100q", path, r.StatusCode, err, b)
		}
	}
	health := append([]string{}, config.Config.Healthcheck.Test[1:]...)
	health[len(health)-1] = free
	if out, err := contained(health).CombinedOutput(); err != nil {
		t.Errorf("it is not healthy: %v %s", err, out)
	}
	c.Process.Signal(syscall.SIGTERM)
	if err := c.Wait(); err != nil {
		t.Errorf("it ends with %v: %s", err, &stderr)
	}
	if contained(health).Run() == nil {
		t.Error("it is healthy after its end")
	}
}

// The bill of materials names the program, each module in it, and each file of the page, and is
// the same each time.
func TestBillOfMaterials(t *testing.T) {
	b, err := sbom(*program, "0.1.0")
	if err != nil {
		t.Fatalf("%v (make binary builds it)", err)
	}
	again, err := sbom(*program, "0.1.0")
	if err != nil || !bytes.Equal(b, again) {
		t.Errorf("made twice, it differs: %v", err)
	}
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{d.ID: true}
	for _, p := range d.Packages {
		if ids[p.ID] {
			t.Errorf("%s is there twice", p.ID)
		}
		ids[p.ID] = true
	}
	for _, f := range d.Files {
		if ids[f.ID] {
			t.Errorf("%s is there twice", f.ID)
		}
		ids[f.ID] = true
	}
	for _, r := range d.Relationships {
		if !ids[r.Of] || !ids[r.To] {
			t.Errorf("%+v names what isn't there", r)
		}
	}
	if len(d.Relationships) != len(ids)-1 {
		t.Errorf("%d relationships of %d things", len(d.Relationships), len(ids))
	}
	text := string(b)
	for _, want := range []string{`"pkg:golang/github.com/spf13/cobra@v`, `"pkg:golang/stdlib@`, `"./page/index.html`, `/informerscope.wasm.gz"`} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %s", want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"fly"}, {"sbom"}, {"image", "x"}, {"image", "-out", "a", "-push", "b", "x"}, {"sbom", "-out", os.DevNull, "release_test.go"}} {
		if run(args) == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
