// Command build makes the static site: the files of web/, the page's programs
// compiled to WebAssembly, Go's glue for them, and what a first visit sees before
// they run (build/first).
//
//	go run ./web/build -out dist
//
// All files but index.html, embed.html, changes.html, apiserver.html and sw.js lie in a folder that is named by a hash of
// the content of all files, the version. So an address never has two contents,
// and no page mixes two versions. The build writes the version into these
// in the place of %VERSION%. In the folder, files.json lists all of its
// files with their sizes, for the service worker. Beside each file that gzip makes
// smaller lies a gzipped one, with .gz at the end of its name. Where nothing
// changed, nothing is written.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/web/build/changes"
	"github.com/informerscope/informerscope/web/build/code"
	"github.com/informerscope/informerscope/web/build/first"
)

const (
	glue  = "wasm_exec.js"
	stamp = "version.json"
	list  = "files.json"
)

// atRoot are the files that lie beside the folder of the version: the page, the page for
// frames, the pages of the changes and of informerscope apiserver, whose addresses stay, and the service worker, which may only
// serve what lies below it.
var atRoot = []string{"index.html", "embed.html", changesPage, serverPage, "sw.js"}

const (
	changesPage = "changes.html"
	serverPage  = "apiserver.html"
)

// programs are what the go command builds the WebAssembly programs of, by their file names. With the tag page,
// the text of an error is its id, since the page has the words in its catalogues.
var programs = map[string][]string{
	"informerscope.wasm": {"-tags=page", "./wasm"},
	"convert.wasm":       {"./wasm/convert"},
}

func main() {
	out := flag.String("out", "dist", "the `folder` to make")
	web := flag.String("web", "web", "the `folder` with the page's files")
	work := flag.String("work", "build", "a `folder` for what is kept between builds")
	release := flag.String("release", "", "what people call this `version`: a tag, or a commit; the page shows it")
	show := flag.Bool("settings", false, "only print, for a shell, by which settings the go command compiles the programs")
	licences := flag.Bool("notices", false, "only print the licences of what the program and its page are made of")
	flag.Parse()
	var err error
	switch {
	case *licences:
		var texts []byte
		if texts, err = notices(filepath.Join(*web, ".."), ofProgram...); err == nil {
			_, err = os.Stdout.Write(texts)
		}
	case *show:
		err = exports(os.Stdout)
	default:
		err = build(*web, *work, *out, *release)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build(web, work, out, release string) error {
	files, err := pageFiles(web)
	if err != nil {
		return err
	}
	if err := addScripts(filepath.Join(web, "..", "engine", "script", "testdata"), files); err != nil {
		return err
	}
	addWords(files)
	for file, args := range programs {
		if files[file], err = compile(filepath.Join(work, file), filepath.Join(web, "..", profile), args...); err != nil {
			return err
		}
	}
	if files[glue], err = goGlue(); err != nil {
		return err
	}
	if files["code.json"], err = code.NewFile(filepath.Join(web, "..")); err != nil {
		return err
	}
	if files["NOTICES.txt"], err = notices(filepath.Join(web, ".."), ofPage); err != nil {
		return err
	}
	var lists map[string][]byte
	if files[changesPage], lists, err = changes.NewFile(files); err != nil {
		return err
	}
	for lang, list := range lists {
		files["changes/"+lang+".json"] = list
	}
	if err := fillIn(files, serverPage); err != nil {
		return err
	}
	page, root, err := first.Page(files)
	if err != nil {
		return err
	}
	if files["index.html"], err = first.Insert(files["index.html"], page, root); err != nil {
		return err
	}
	if err := bundle(files); err != nil {
		return err
	}
	site, err := arrange(files, release)
	if err != nil {
		return err
	}
	if err := compress(out, site); err != nil {
		return err
	}
	return write(out, site)
}

// isLesson reports whether a file is a lesson or a list of them, and not a README.
func isLesson(name string) bool {
	return strings.HasPrefix(name, "lessons/") && strings.Count(name, "/") == 2
}

// compress adds the gzipped files. One that out has already is taken from there,
// because an address in the folder of a version has only one content.
func compress(out string, site map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(site)) {
		if !strings.Contains(name, "/") || path.Ext(name) == ".gz" {
			continue
		}
		packed, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name+".gz")))
		if err != nil {
			if packed, err = gzipped(site[name]); err != nil {
				return err
			}
		}
		if len(packed) < len(site[name])*9/10 {
			site[name+".gz"] = packed
		}
	}
	return nil
}

func gzipped(content []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(content); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// pageFiles reads the files that the browser is served, by their paths with
// slashes.
func pageFiles(web string) (map[string][]byte, error) {
	files := map[string][]byte{}
	root := os.DirFS(web)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), name == "test", name == "build", name == "lint":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir(), path.Ext(name) == ".go", path.Ext(name) == ".md" && !isLesson(name):
			return nil
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	return files, err
}

// addScripts adds the scripts that the page brings along. They are the engine's
// golden tests, without what the tests compare: their lines alone.
func addScripts(folder string, files map[string][]byte) error {
	for _, name := range navigation.Scripts {
		golden, err := os.ReadFile(filepath.Join(folder, name+".txt"))
		if err != nil {
			return err
		}
		files["scripts/"+name+".txt"] = []byte(script.Played(string(golden)))
	}
	return nil
}

// goGlue returns wasm_exec.js of the Go that compiles the programs. The two
// must be of one version.
func goGlue() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", glue))
}

// arrange puts the files where the site has them, and adds files.json and the
// stamp.
func arrange(files map[string][]byte, release string) (map[string][]byte, error) {
	hash := sha256.New()
	sizes := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(hash, "%q %d\n", name, len(files[name]))
		hash.Write(files[name])
		if !slices.Contains(atRoot, name) {
			sizes[name] = len(files[name])
		}
	}
	version := hex.EncodeToString(hash.Sum(nil)[:6])
	stamped, err := json.Marshal(struct {
		Version string `json:"version"`
		Release string `json:"release,omitempty"`
	}{version, release})
	if err != nil {
		return nil, err
	}
	site := map[string][]byte{stamp: append(stamped, '\n')}
	for name, content := range files {
		if slices.Contains(atRoot, name) {
			site[name] = bytes.ReplaceAll(content, []byte("%VERSION%"), []byte(version))
		} else {
			site[version+"/"+name] = content
		}
	}
	listed, err := json.Marshal(sizes)
	site[version+"/"+list] = listed
	return site, err
}

// write makes out hold these files and no others. It writes the files at the
// root last, because they name the version's folder.
func write(out string, files map[string][]byte) error {
	if err := checkOutput(out); err != nil {
		return err
	}
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(isAtRoot(a)-isAtRoot(b), strings.Compare(a, b))
	})
	for _, name := range names {
		target, content := filepath.Join(out, filepath.FromSlash(name)), files[name]
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
	var folders []string
	err := filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			folders = append(folders, name)
			return nil
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
	for _, name := range slices.Backward(folders) {
		os.Remove(name) // fails where something is in it, as it should
	}
	return err
}

// isAtRoot returns 1 for a file of atRoot, else 0.
func isAtRoot(name string) int {
	if slices.Contains(atRoot, name) {
		return 1
	}
	return 0
}

// checkOutput refuses a folder that holds something other than a built page.
func checkOutput(out string) error {
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
