package words_test

import (
	"bytes"
	"errors"
	"go/ast"
	gofmt "go/format"
	"go/parser"
	"go/token"
	"io"
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
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
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
		if !makes(call.Fun) {
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
		if len(names) != len(call.Args)-1 {
			t.Errorf("%s: %d arguments are given to %q", at, len(call.Args)-1, text)
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
			all[m[1]] = slices.Sorted(slices.Values(strings.Split(m[2], ", ")))
		}
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

// english are the errors of the page's packages that have an English text: what a simulated
// program says as client-go or its own functions do, and what is never said but recognized.
var english = []string{
	"engine/informer/user.go", "engine/script/build.go", "wasm/address/address.go", "wasm/address/read.go", "wasm/link/codec.go",
}

// What the page's programs say is wrong can be said in any language: no package of theirs makes
// an error of an English text.
func TestErrorsHaveIDs(t *testing.T) {
	top := viewtest.Top(t, "")
	seen := map[string]bool{}
	leave := func(name string) bool {
		name = filepath.Base(name)
		return strings.HasSuffix(name, "test") || name == "testdata" || name == "conformance"
	}
	for _, of := range []string{
		"engine", "replay/trace", "replay/format", "replay/convert", "replay/excerpt", "replay/feed", "replay/minimise", "replay/redact", "replay/report", "replay/record/follow", "wasm",
	} {
		calls(t, filepath.Join(top, of), leave, func(call *ast.CallExpr, at token.Position) {
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return
			}
			of, ok := f.X.(*ast.Ident)
			if !ok || of.Name+"."+f.Sel.Name != "errors.New" && of.Name+"."+f.Sel.Name != "fmt.Errorf" {
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
	want, err := gofmt.Source(append(b, "}\n"...))
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

// saidInChinese are errors of what a viewer writes, with what the page says in Chinese.
func saidInChinese() map[error]string {
	parse := func(text string) error {
		_, err := script.Parse(text)
		return err
	}
	expression := func(text string) error {
		_, err := ask.Parse(text)
		return err
	}
	return map[error]string{
		parse("informer pods\n\nrestart server up=1s"): `第 3 行第 16 列：这里应为："down=", "warm=" 之一`,
		parse("informer pods resync=soon"):             "第 1 行第 15 列：这里应为时长，例如 1.5s",
		parse("profile v9"):                            `第 1 行第 9 列：没有名为 "v9" 的 profile；已知的 client-go 版本从 v0.22.0 到 v0.37.2`,
		parse("bogus, here a, b or c"):                 `第 1 行第 1 列：没有命令 "bogus,"`,
		expression("pop("):                             "缺少：带引号的key，或右括号",
		expression("actor() in 3"):                     "这里应为：方括号中的列表",
		expression(`delta("{kind} or 1")`):             `没有名为 "{kind} or 1" 的delta 类型；可用的有 Added, Updated, Deleted, Replaced, Sync, Bookmark, ReplacedAll, SyncAll`,
		expression("within(1, pop(), pop())"):          "这里应为时长，而这是数字",
		errors.New("a, b or c"):                        "a, b or c",
		nil:                                            "",
	}
}

// An error is said in the language of the page with all that it is put together from, and
// what is quoted from the viewer is not translated.
func TestErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for err, want := range saidInChinese() {
		if got := w.Why(link.Fault(err)); got != want {
			t.Errorf("%v is said as %q, not as %q", err, got, want)
		}
	}
}

// What is wrong with a capture is said in Chinese, too, whether the page's reader has found it or
// the converting program, which hands its errors over as JSON.
func TestCaptureErrorsInChinese(t *testing.T) {
	read := func(text string) error {
		r := format.NewReader(format.Options{MaxLine: 1000})
		r.Write([]byte(text))
		if err := r.Close(); err != nil {
			return err
		}
		return r.Trace().Problems[0]
	}
	converted := func(text string) error {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		_, err := convert.Convert(io.Discard, []convert.Input{{Name: "a", Open: open}}, convert.Options{})
		return trace.ReadFault(trace.AppendFault(nil, err), err.Error())
	}
	const event = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}` + "\n"
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{read(""), "输入为空"},
		{read(event + "{" + strings.Repeat(" ", 2000) + "}\n" + event), "第 2 行，字节 83：值超过 1000 字节"},
		{read(event + `{"type":5}` + "\n" + event), "第 2 行，字节 83：type 是数字，应为字符串"},
		{read(`{"kind":"Status","message":"pods is forbidden, or gone"}`), "第 1 行，字节 0：API server 拒绝了请求：pods is forbidden, or gone"},
		{read(`{"kind":"PodList","items":[1]}`), "第 1 行，字节 0：list 的第 0 项：该值是数字，应为对象"},
		{converted("BZh9"), "a：输入用 bzip2 压缩：请解压（bzip2 -d），或改用 gzip 或 zstd 压缩"},
		{converted(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"RequestReceived"}`), "a：1 个审计事件中，没有一个是对变更的响应（stage 为 ResponseComplete 的 create、update、patch、delete），也没有完整的 list"},
		{trace.ReadFault([]byte(`{"id":"ofTomorrow"}`), "the moon is full"), "the moon is full"},
		{trace.ReadFault(nil, "Failed to fetch"), "Failed to fetch"},
	} {
		if got := w.Why(link.Fault(c.err)); got != c.want {
			t.Errorf("%v is said as %q, not as %q", c.err, got, c.want)
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
