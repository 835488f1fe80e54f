package words_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
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

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// kinds are the kinds of errors that the product makes with the package fault: the names of
// the arguments of each, sorted, by its id.
func kinds(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	files := token.NewFileSet()
	err := filepath.WalkDir("../../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != "../../.." || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !makes(call.Fun) {
				return true
			}
			at := files.Position(call.Pos())
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the id is not written out", at)
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil || !regexp.MustCompile(`^[a-zA-Z0-9]+( [a-zA-Z]+)*$`).MatchString(text) {
				t.Errorf("%s: %s is no id with names", at, literal.Value)
				return true
			}
			words := strings.Fields(text)
			id, names := words[0], slices.Compact(slices.Sorted(slices.Values(words[1:])))
			if other, known := all[id]; known && !slices.Equal(other, names) {
				t.Errorf("%s: %s has the arguments %s, and elsewhere %s", at, id, names, other)
			}
			if len(names) != len(call.Args)-1 {
				t.Errorf("%s: %d arguments are given to %q", at, len(call.Args)-1, text)
			}
			all[id] = names
			return true
		})
		return nil
	})
	if err != nil || len(all) < 100 {
		t.Fatalf("found %d kinds of errors: %v", len(all), err)
	}
	return all
}

// makes reports whether a call makes an error that can be said in any language.
func makes(called ast.Expr) bool {
	f, ok := called.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	return ok && of.Name == "fault" && slices.Contains([]string{"Plain", "New", "Of", "Quoted", "Number", "Why"}, f.Sel.Name)
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
			if of, ok := strings.CutPrefix(id, "error."); ok {
				if _, made := all[of]; !made {
					t.Errorf("%s has %s, and nothing makes such an error", code, id)
				}
			}
		}
	}
}

// The command line says errors as the English catalogue has them.
func TestErrorsReadTheSameInTheTerminal(t *testing.T) {
	const name = "../../../engine/fault/english.go"
	words := viewtest.Catalogue(t, "en")
	b := []byte("//go:build !page\n\npackage fault\n\n" +
		"// sentences are those of web/locales/en.json: go test ./wasm/view/words -run Terminal -update.\nvar sentences = map[string]string{\nText: \"{text}\",\n")
	for _, id := range slices.Sorted(maps.Keys(words)) {
		if of, ok := strings.CutPrefix(id, "error."); ok {
			quoted := strconv.Quote(words[id])
			if strings.ContainsAny(words[id], `"\`) && !strings.Contains(words[id], "`") {
				quoted = "`" + words[id] + "`"
			}
			b = append(b, strconv.Quote(of)+": "+quoted+",\n"...)
		}
	}
	want, err := format.Source(append(b, "}\n"...))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not as en.json has it: %v", name, err)
	}
}

// An error is said in the language of the page with all that it is put together from, and
// what is quoted from the viewer is not translated.
func TestErrorsInChinese(t *testing.T) {
	w, english := viewtest.Speaking(viewtest.Catalogue(t, "zh")), viewtest.Speaking(viewtest.Catalogue(t, "en"))
	parse := func(text string) error {
		_, err := script.Parse(text)
		return err
	}
	expression := func(text string) error {
		_, err := ask.Parse(text)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{parse("informer pods\n\nrestart server up=1s"), `第 3 行第 16 列：这里应为："down=", "warm=" 之一`},
		{parse("informer pods resync=soon"), "第 1 行第 15 列：这里应为时长，例如 1.5s"},
		{parse("profile v9"), `第 1 行第 9 列：没有名为 "v9" 的 profile；已知的 client-go 版本从 v0.22.0 到 v0.37.2`},
		{parse("bogus, here a, b or c"), `第 1 行第 1 列：没有命令 "bogus,"`},
		{expression("pop("), "缺少：带引号的key，或右括号"},
		{expression("actor() in 3"), "这里应为：方括号中的列表"},
		{expression(`delta("{kind} or 1")`), `没有名为 "{kind} or 1" 的delta 类型；可用的有 Added, Updated, Deleted, Replaced, Sync, Bookmark, ReplacedAll, SyncAll`},
		{expression("within(1, pop(), pop())"), "这里应为时长，而这是数字"},
		{errors.New("a, b or c"), "a, b or c"},
		{nil, ""},
	} {
		if got := w.Why(link.Fault(c.err)); got != c.want {
			t.Errorf("%v is said as %q, not as %q", c.err, got, c.want)
		}
		if c.err != nil && english.Why(link.Fault(c.err)) != c.err.Error() {
			t.Errorf("in English the page says %q, and the command line %q", english.Why(link.Fault(c.err)), c.err)
		}
	}
}

// What a lister or an index answers instead of objects is said in Chinese, too.
func TestQueryErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for selector, want := range map[string]string{
		"=":        "无法解析选择条件：遇到 '='，这里应为：!、标识符或结尾",
		"!":        "无法解析选择条件：遇到 结尾，这里应为：标识符",
		"a,":       "无法解析选择条件：遇到 结尾，这里应为：',' 之后的标识符",
		"a=b c":    "无法解析选择条件：遇到 'c'，这里应为：',' 或结尾",
		"a b":      "无法解析选择条件：遇到 'b'，这里应为：in, notin, =, ==, !=, >, <",
		"a > b":    "无法解析选择条件：遇到 'b'，这里应为：整数",
		"a in b":   "无法解析选择条件：遇到 'b'，这里应为：'('",
		"a in (b=": "无法解析选择条件：遇到 '='，这里应为：',' 或 ')'",
	} {
		_, err := indexer.ParseSelector(selector)
		if err == nil {
			t.Fatalf("%q is no error", selector)
		}
		if got := w.Why(link.Fault(err)); got != want {
			t.Errorf("%q is said as %q, not as %q", err, got, want)
		}
	}
	x, err := indexer.New(object.NewTable(nil), indexer.Gates{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.GetNamed("pods", "", `a" not found`); w.Why(link.Fault(err)) != `pods "a\" not found" 不存在` {
		t.Errorf("%q is said as %q", err, w.Why(link.Fault(err)))
	}
}
