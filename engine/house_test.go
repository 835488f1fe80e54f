//go:build !js

// Package engine_test holds the rules of the house: what may import what, so
// that the engine stays a pure state machine and the stations stay apart.
package engine_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/informerscope/informerscope/"

// stations meet in informer, controller and world, never in one another.
var stations = []string{
	"apiserver", "fifo", "indexer", "processor", "reflector", "request", "workqueue",
	"controller/consistency", "controller/expectations", "controller/mutation", "controller/priorityqueue", "controller/readyourwrites",
}

// builtOn is what a station may know beyond stationVocabulary: controller-runtime's queue
// is given client-go's rate limiters.
var builtOn = map[string]string{"controller/priorityqueue": "engine/workqueue"}

// stationVocabulary is what stations may know of the rest of the engine.
var stationVocabulary = []string{"engine/object", "engine/event", "engine/actor", "engine/fault"}

// impure are the parts of the standard library that start goroutines, read a
// clock, do I/O, or give answers that differ from run to run.
var impure = []string{
	"context", "crypto/rand", "database", "debug", "embed", "io/fs", "io/ioutil", "log", "maphash", "hash/maphash",
	"net", "os", "path/filepath", "plugin", "reflect", "runtime", "sync", "syscall", "testing", "time", "unique", "unsafe", "weak",
}

// javascript are the packages that reach out of WebAssembly.
var javascript = []string{"syscall/js", "github.com/hack-pad/safejs", "honnef.co/go/js/dom"}

// source is one Go file that is part of the product: no test, and not of the
// modules that hold the comparisons.
type source struct {
	name    string // with slashes, from the top of the tree
	folder  string
	file    *ast.File
	imports []string
}

func isBelow(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

func underAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return isBelow(name, f) })
}

// modulePath is the part of an import path below the module, or "".
func modulePath(path string) string {
	p, ok := strings.CutPrefix(path, module)
	if !ok {
		return ""
	}
	return p
}

func sources(t *testing.T) []source {
	t.Helper()
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var all []source
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == "." {
				return nil
			}
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || rel == "dist" || rel == "build" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s := source{name: rel, folder: rel[:max(strings.LastIndexByte(rel, '/'), 0)], file: file}
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, path)
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("found no source at all")
	}
	return all
}

func TestEngineIsAPureStateMachine(t *testing.T) {
	for _, s := range sources(t) {
		// The conformance drivers read and print; they prove the machine, and
		// are no part of it.
		if !isBelow(s.folder, "engine") || isBelow(s.folder, "engine/conformance") {
			continue
		}
		for i, path := range s.imports {
			if name := s.file.Imports[i].Name; path == "embed" && name != nil && name.Name == "_" {
				continue // the compiler puts a file into a string: there is no embed.FS, and nothing is read when the program runs
			}
			if p := modulePath(path); p != "" {
				if !isBelow(p, "engine") {
					t.Errorf("%s imports %s: the engine knows nothing outside of itself", s.name, path)
				}
				continue
			}
			if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
				t.Errorf("%s imports %s: the engine imports only the standard library", s.name, path)
			}
			if underAny(path, impure) {
				t.Errorf("%s imports %s: the engine starts no goroutine, reads no clock and does no I/O", s.name, path)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine", s.name)
			case *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
				t.Errorf("%s uses a channel: concurrency is modelled as actors and steps", s.name)
			}
			return true
		})
	}
}

func TestStationsMeetOnlyInTheWorld(t *testing.T) {
	for _, s := range sources(t) {
		for _, station := range stations {
			if !isBelow(s.folder, "engine/"+station) {
				continue
			}
			for _, path := range s.imports {
				p := modulePath(path)
				if p != "" && !isBelow(p, "engine/"+station) && !underAny(p, stationVocabulary) && p != builtOn[station] {
					t.Errorf("%s imports %s: a station knows only %s", s.name, path, strings.Join(stationVocabulary, ", "))
				}
			}
		}
	}
}

// both are what replay may know of the engine: how objects are kept, and how an error is
// said in any language. The latter is a leaf that knows nothing of the engine.
var both = []string{"engine/object", "engine/fault"}

// readingMeetsRunning are the folders of replay that may know the whole engine.
var readingMeetsRunning = []string{"replay/feed", "replay/report", "replay/minimise", "replay/testserver", "replay/record/whatif", "replay/cmd"}

func TestReplayKnowsOnlyObjects(t *testing.T) {
	for _, s := range sources(t) {
		if !isBelow(s.folder, "replay") || underAny(s.folder, readingMeetsRunning) {
			continue
		}
		for _, path := range s.imports {
			if p := modulePath(path); p != "" && !isBelow(p, "replay") && !slices.Contains(both, p) {
				t.Errorf("%s imports %s: replay knows %s and not the rest", s.name, path, strings.Join(both, ", "))
			}
		}
	}
}

// TestReportCanBeShownOnThePage: the page makes reports, too, and its program is
// small because nothing in it formats with fmt or asks an operating system.
func TestReportCanBeShownOnThePage(t *testing.T) {
	for _, s := range sources(t) {
		if !underAny(s.folder, []string{"replay/report", "replay/findings"}) {
			continue
		}
		for _, path := range s.imports {
			if underAny(path, []string{"context", "encoding/json", "flag", "fmt", "net", "os", "reflect", "time"}) {
				t.Errorf("%s imports %s: replay/report and replay/findings are part of the page's program", s.name, path)
			}
		}
	}
}

func TestOnlyDOMTouchesJavaScript(t *testing.T) {
	for _, s := range sources(t) {
		if isBelow(s.folder, "wasm/dom") {
			continue
		}
		for _, path := range s.imports {
			if underAny(path, javascript) {
				t.Errorf("%s imports %s: only wasm/dom touches JavaScript", s.name, path)
			}
			if (isBelow(s.folder, "wasm/session") || isBelow(s.folder, "wasm/link")) && isBelow(modulePath(path), "wasm/dom") {
				t.Errorf("%s imports %s: it is tested without a browser", s.name, path)
			}
		}
	}
}

// A concern of the page's model that is a package of its own has no way to the rest of the model
// but by the desk, and none to another concern.
func TestConcernsKnowTheDesk(t *testing.T) {
	for _, s := range sources(t) {
		if !isBelow(s.folder, "wasm/session") || s.folder == "wasm/session" {
			continue
		}
		for _, path := range s.imports {
			p := modulePath(path)
			if isBelow(p, "wasm") && p != "wasm/link" && p != "wasm/address" && p != "wasm/session/desk" && !isBelow(p, s.folder) {
				t.Errorf("%s imports %s: a concern knows link, address and session/desk, and neither the model nor another concern", s.name, path)
			}
		}
	}
}

func TestPictureKnowsOnlyTheWorld(t *testing.T) {
	for _, s := range sources(t) {
		if !isBelow(s.folder, "wasm/picture") {
			continue
		}
		for _, path := range s.imports {
			switch p := modulePath(path); {
			case p != "" && !isBelow(p, "engine") && p != "replay/jsonscan" && p != "wasm/link" && !isBelow(p, "wasm/picture"):
				t.Errorf("%s imports %s: a picture is made of a world, wherever that came from", s.name, path)
			case p == "wasm/picture":
				t.Errorf("%s imports %s: the stage may know its parts, and no part knows the stage", s.name, path)
			}
		}
	}
}

// shared are what the parts of the page are made of, those first that the others may know.
var shared = []string{"wasm/view/words", "wasm/view/widget"}

func TestPartsOfThePageStayApart(t *testing.T) {
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.folder, "wasm/view/") || s.folder == "wasm/view/viewtest" {
			continue
		}
		may := shared
		if i := slices.Index(shared, s.folder); i >= 0 {
			may = shared[:i]
		}
		for _, path := range s.imports {
			switch p := modulePath(path); {
			case isBelow(p, "wasm/view") && !slices.Contains(may, p):
				t.Errorf("%s imports %s: parts of the page meet in wasm/view", s.name, path)
			case isBelow(p, "wasm/session") && (slices.Contains(shared, s.folder) || s.folder == "wasm/view/stage"):
				t.Errorf("%s imports %s: it draws what it is given, wherever that came from", s.name, path)
			}
		}
	}
}

func TestNothingElseAtTheTop(t *testing.T) {
	// dist and build are made, and not kept.
	allowed := []string{"go.mod", "go.sum", "wasm", "engine", "web", "replay", "Makefile", "README.md", "LICENSE", "dist", "build"}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s stands at the top of the tree, where only the stations' houses do", e.Name())
		}
	}
}

// What a controller imports is small: nothing of Kubernetes, and of our own only what
// writes a trace, takes secrets out of it, says what triggered a reconcile and what informers hold, and writes sizes.
func TestRecorderDragsNothingIn(t *testing.T) {
	imports := map[string][]string{}
	for _, s := range sources(t) {
		imports[s.folder] = append(imports[s.folder], s.imports...)
	}
	want := []string{
		"engine/fault", "engine/object", "replay/informers", "replay/plain", "replay/record", "replay/record/follow", "replay/record/internal/metadata", "replay/record/internal/wire", "replay/redact", "replay/trace", "replay/trace/worker", "replay/triggers", "replay/jsonscan",
		"github.com/goccy/go-json", // decodes what comes over the wire
	}
	got := []string{"replay/record"}
	for i := 0; i < len(got); i++ {
		for _, path := range imports[got[i]] {
			name := cmp.Or(modulePath(path), path)
			if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("replay/record imports, itself or by what it imports,\n%q, and should import\n%q", got, want)
	}
}

// TestOnlyARunMovesAWorld: a World is given to whoever looks at it, and its Driver belongs to
// whoever made it.
func TestOnlyARunMovesAWorld(t *testing.T) {
	movers := map[string][]string{
		"world.New": {"engine/history", "engine/explore"}, "world.Driver": {"engine/history", "engine/explore"},
		"manager.Driver": {"engine/world"},
	}
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if p, ok := x.X.(*ast.Ident); ok {
					name := p.Name + "." + x.Sel.Name
					if may, moves := movers[name]; moves && !slices.Contains(may, s.folder) {
						t.Errorf("%s uses %s: only %s may", s.name, name, strings.Join(may, " and "))
					}
				}
			}
			return true
		})
	}
}
