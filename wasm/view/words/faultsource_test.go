//go:build !js

package words_test

// What the sources say about errors is looked at natively alone: it is the same in the page.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// calls calls f with each call with arguments that the product code below a folder makes, and with
// its place. It passes over the folders for which leave is true.
func calls(t *testing.T, folder string, leave func(name string) bool, f func(*ast.CallExpr, token.Position)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && leave(name):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
				f(call, files.Position(call.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// kinds are the kinds of errors that the product makes with the package fault: the names of
// the arguments of each, sorted, by its id.
func kinds(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	const top = "../../.."
	another := func(name string) bool { // module, or no code
		_, err := os.Stat(filepath.Join(name, "go.mod"))
		return err == nil && name != top || filepath.Base(name) == "testdata" || filepath.Base(name) == "node_modules"
	}
	calls(t, top, another, func(call *ast.CallExpr, at token.Position) {
		if !makesError(call.Fun) {
			return
		}
		literal, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			t.Errorf("%s: the id is not written out", at)
			return
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || !regexp.MustCompile(`^[a-zA-Z0-9]+( [a-zA-Z]+)*$`).MatchString(text) {
			t.Errorf("%s: %s is no id with names", at, literal.Value)
			return
		}
		words := strings.Fields(text)
		id, names := words[0], slices.Compact(slices.Sorted(slices.Values(words[1:])))
		if other, known := all[id]; known && !slices.Equal(other, names) {
			t.Errorf("%s: %s has the arguments %s, and elsewhere %s", at, id, names, other)
		}
		given := len(call.Args) - 1
		if call.Fun.(*ast.SelectorExpr).Sel.Name == "Unknown" { // its last one is for the error around it
			given--
			all["wantOne"], all["orMeant"] = []string{"names", "why"}, []string{"nearest", "why"}
		}
		if len(names) != given {
			t.Errorf("%s: %d arguments are given to %q", at, given, text)
		}
		all[id] = names
	})
	if len(all) < 100 {
		t.Fatalf("found %d kinds of errors", len(all))
	}
	scripts, err := filepath.Glob(viewtest.Top(t, "web/*.js"))
	more, worse := filepath.Glob(viewtest.Top(t, "web/worker/*.js"))
	if err != nil || worse != nil || len(scripts) == 0 || len(more) == 0 {
		t.Fatal("there are no scripts")
	}
	for _, name := range append(scripts, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`fault\('(\w+)', \{([\w, ]*)\}`).FindAllStringSubmatch(string(b), -1) {
			all[m[1]] = slices.Sorted(strings.FieldsFuncSeq(m[2], func(r rune) bool { return r == ',' || r == ' ' }))
		}
	}
	return all
}

// makesError reports whether a call makes an error that can be said in any language.
func makesError(called ast.Expr) bool {
	f, ok := called.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	return ok && pkg.Name == "fault" && slices.Contains([]string{"Plain", "New", "Named", "Quoted", "Unknown", "Number", "Wrap"}, f.Sel.Name)
}

// Each error has an entry in each catalogue, with the arguments that it is made with, and no
// catalogue has another one.
func TestErrorsAreInTheCatalogues(t *testing.T) {
	all := kinds(t)
	for _, code := range viewtest.Languages(t) {
		words := viewtest.Catalogue(t, code)
		for _, id := range slices.Sorted(maps.Keys(all)) {
			if said, ok := words["error."+id]; !ok {
				t.Errorf("%s has no error.%s", code, id)
			} else if got := arguments(said); !slices.Equal(got, all[id]) {
				t.Errorf("%s: error.%s has the arguments %s, and is made with %s", code, id, got, all[id])
			}
		}
		for id := range words {
			if name, ok := strings.CutPrefix(id, "error."); ok {
				if _, made := all[name]; !made {
					t.Errorf("%s has %s, and nothing makes such an error", code, id)
				}
			}
		}
	}
}

// english are the errors of the page's packages that have an English text: what a simulated
// program says as client-go or its own functions do, and what is never said but recognized.
var english = []string{
	"engine/fifo/fifo.go", "engine/indexer/index.go", "engine/indexer/query.go", "engine/informer/handlers.go", "engine/object/object.go", "engine/script/setup.go",
	"wasm/address/address.go", "wasm/address/read.go", "wasm/link/codec.go", "wasm/link/coder.go",
}

// What the page's programs say is wrong can be said in any language: no package of theirs makes
// an error of an English text.
func TestErrorsHaveIDs(t *testing.T) {
	top := viewtest.Top(t, "")
	seen := map[string]bool{}
	leave := func(name string) bool {
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil { // a module of its own is no part of the page
			return true
		}
		name = filepath.Base(name)
		return strings.HasSuffix(name, "test") || name == "testdata" || name == "conformance"
	}
	for _, id := range []string{
		"engine", "replay/trace", "replay/format", "replay/convert", "replay/excerpt", "replay/feed", "replay/minimise", "replay/redact", "replay/report", "replay/record/follow", "wasm",
	} {
		calls(t, filepath.Join(top, id), leave, func(call *ast.CallExpr, at token.Position) {
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return
			}
			pkg, ok := f.X.(*ast.Ident)
			if !ok || pkg.Name+"."+f.Sel.Name != "errors.New" && pkg.Name+"."+f.Sel.Name != "fmt.Errorf" {
				return
			}
			text := false
			ast.Inspect(call.Args[0], func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text = true
				}
				return true
			})
			short, err := filepath.Rel(top, at.Filename)
			if err != nil {
				t.Fatal(err)
			}
			if short = filepath.ToSlash(short); text {
				seen[short] = true
				if !slices.Contains(english, short) {
					t.Errorf("%s makes an error of an English text: give it an id (engine/fault)", at)
				}
			}
		})
	}
	for _, name := range english {
		if !seen[name] {
			t.Errorf("%s makes no such error any more", name)
		}
	}
}

// terminal has the files of sentences that the command line says as the English catalogue has them: the beginning of their ids,
// which is cut off there, and the words with which other ids begin.
var terminal = map[string]struct {
	cut  string
	kept []string
}{
	"engine/fault/english.txt":           {cut: "error."},
	"replay/convert/remarks/english.txt": {cut: "remark."},
	"replay/findings/said/english.txt":   {"finding.", []string{"cache", "card", "format", "guard", "harm"}},
}

// TestTheTerminalReadsTheSame holds that the command line says what the English catalogue says. With -update it writes the files.
func TestTheTerminalReadsTheSame(t *testing.T) {
	words, top := viewtest.Catalogue(t, "en"), viewtest.Top(t, "")
	for name, ids := range terminal {
		var lines []string
		for id, text := range words {
			rest, ok := strings.CutPrefix(id, ids.cut)
			if group, _, grouped := strings.Cut(id, "."); !ok && (!grouped || !slices.Contains(ids.kept, group)) {
				continue
			}
			if strings.Contains(rest, " ") || strings.Contains(text, "\n") {
				t.Errorf("%s has a space, or its sentence %q has several lines", id, text)
			}
			lines = append(lines, rest+" "+text+"\n")
		}
		slices.Sort(lines)
		name, want := filepath.Join(top, name), strings.Join(lines, "")
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is not as en.json has it; go test -run Terminal -update: %v", name, err)
		}
	}
}

// TestRemarksHaveSentences holds that the catalogue has a sentence for each remark that a conversion can make, and for no other than
// those of package trace.
func TestRemarksHaveSentences(t *testing.T) {
	known, made := remarks.IDs(), map[string]bool{}
	for _, name := range []string{"convert/remarks/remarks.go", "trace/gaps.go", "trace/model.go"} {
		source, err := os.ReadFile(filepath.Join(viewtest.Top(t, ""), "replay", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\w+ += "(\w+)"`).FindAllSubmatch(source, -1) {
			id := string(m[1])
			if made[id] = true; strings.Contains(name, "remarks") && !slices.Contains(known, id) {
				t.Errorf("%s has %s, and the catalogue has no remark.%s", name, id, id)
			}
		}
	}
	for _, id := range known {
		if !made[id] {
			t.Errorf("the catalogue has remark.%s, which nothing makes", id)
		}
	}
}
