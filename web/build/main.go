// Command build makes the static site: the files of web/, the page's programs
// compiled to WebAssembly and Go's glue for them, with the version that names
// their content written in.
//
//	go run ./web/build -out dist
//
// In .html and .js files of web/, %VERSION% becomes that version, which changes
// when any file does, and %ASSETS% the JSON array of all files that the page
// may need (relative addresses; not the traces). Where nothing changed, nothing
// is written.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	glue  = "wasm_exec.js"
	stamp = "version.json"
)

// cold does nothing often, as seen from the page: without inlining it takes a
// tenth less of a program's weight. What reads captures and what runs the engine
// is not among it, as it loses half its speed that way. The page's engine is even
// inlined further: by wasm/default.pgo, which the go command takes by itself.
var cold = []string{
	"github.com/goccy/go-json/internal/encoder/...",
	"github.com/goccy/go-json/internal/errors",
	"github.com/goccy/go-json/internal/floatfmt",
	"github.com/goccy/go-json/internal/intfmt",
	"github.com/goccy/go-json/internal/jsonfields",
	"github.com/goccy/go-json/internal/jsonstring",
	"github.com/goccy/go-json/jsontext",
	"github.com/hack-pad/safejs/...",
	"github.com/informerscope/informerscope/replay/record/...",
	"github.com/informerscope/informerscope/wasm/...",
	"honnef.co/go/js/dom/v2",
	"bufio", "encoding/base64", "encoding/json", "fmt", "internal/poll", "internal/reflectlite", "internal/strconv", "io/fs", "os", "reflect",
	"runtime", "sort", "strconv", "strings", "sync", "syscall", "syscall/js", "time", "unicode/utf8",
}

// programs are what the browser runs, by their files.
var programs = map[string]string{
	"informerscope.wasm": "./wasm",
	"convert.wasm":       "./wasm/convert",
}

func main() {
	out := flag.String("out", "dist", "the `folder` to make")
	web := flag.String("web", "web", "the `folder` with the page's files")
	work := flag.String("work", "build", "a `folder` for what is kept between builds")
	flag.Parse()
	if err := build(*web, *work, *out); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build(web, work, out string) error {
	files, err := pageFiles(web)
	if err != nil {
		return err
	}
	for file, folder := range programs {
		if files[file], err = compile(filepath.Join(work, file), folder); err != nil {
			return err
		}
	}
	if files[glue], err = goGlue(); err != nil {
		return err
	}
	version := substitute(files)
	files[stamp] = []byte(`{"version":"` + version + "\"}\n")
	return write(out, files)
}

// pageFiles reads what the browser is served, by path with slashes.
func pageFiles(web string) (map[string][]byte, error) {
	files := map[string][]byte{}
	root := os.DirFS(web)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), name == "test", name == "build":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir(), path.Ext(name) == ".go":
			return nil
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	return files, err
}

// compile builds a program. The go command leaves the file alone when it is up
// to date.
func compile(name, folder string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", name}
	for _, pattern := range cold {
		args = append(args, "-gcflags="+pattern+"=-l")
	}
	c := exec.Command("go", append(args, folder)...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", folder, err)
	}
	return os.ReadFile(name)
}

// goGlue is wasm_exec.js of the very Go that compiles the program: the two must
// be of one version.
func goGlue() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", glue))
}

// substitute writes version and assets into the page's own text files, and
// returns the version.
func substitute(files map[string][]byte) string {
	var names, assets []string
	for name := range files {
		names = append(names, name)
		if !strings.HasPrefix(name, "traces/") && name != "sw.js" {
			assets = append(assets, name)
		}
	}
	slices.Sort(names)
	slices.Sort(assets)
	hash := sha256.New()
	for _, name := range names {
		fmt.Fprintf(hash, "%q %d\n", name, len(files[name]))
		hash.Write(files[name])
	}
	version := hex.EncodeToString(hash.Sum(nil)[:6])
	list, err := json.Marshal(assets)
	if err != nil {
		panic(err) // strings always marshal
	}
	for _, name := range names {
		if ext := path.Ext(name); name == glue || ext != ".html" && ext != ".js" {
			continue
		}
		text := bytes.ReplaceAll(files[name], []byte("%VERSION%"), []byte(version))
		files[name] = bytes.ReplaceAll(text, []byte("%ASSETS%"), list)
	}
	return version
}

// write makes out hold files and nothing else.
func write(out string, files map[string][]byte) error {
	if err := ours(out); err != nil {
		return err
	}
	for name, content := range files {
		target := filepath.Join(out, filepath.FromSlash(name))
		if have, err := os.ReadFile(target); err == nil && bytes.Equal(have, content) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(out, name)
		if err != nil {
			return err
		}
		if _, ok := files[filepath.ToSlash(rel)]; ok {
			return nil
		}
		return os.Remove(name)
	})
}

// ours refuses to make the site over a folder that holds something else.
func ours(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, stamp)); err != nil {
		return fmt.Errorf("%s holds something else than a built page; give another -out", out)
	}
	return nil
}
