package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// tellers are the packages that say in English what is wrong. "/..." stands for the
// folders below.
var tellers = []string{
	"../../engine/ask", "../../engine/script", "../../engine/script/lesson", "../../replay/trace", "../../replay/format", "../../replay/format/inflate", "../../replay/convert", "../../replay/convert/internal/...", "../host", "../dom",
}

// messages returns the texts of the errors in a package's source, with {} for what is put into them.
func messages(t *testing.T, dir string) (found []string) {
	if above, ok := strings.CutSuffix(dir, "/..."); ok {
		folders, err := os.ReadDir(above)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folders {
			if f.IsDir() {
				found = append(found, messages(t, above+"/"+f.Name())...)
			}
		}
		return found
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), dir+"/"+f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			var made ast.Expr
			switch x := n.(type) {
			case *ast.CompositeLit:
				if name, ok := x.Type.(*ast.Ident); ok && name.Name == "Error" && len(x.Elts) == 3 {
					made = x.Elts[2]
				}
			case *ast.CallExpr:
				if len(x.Args) > 0 && makesError(x.Fun) {
					made = x.Args[len(x.Args)-1]
				}
			}
			if made != nil {
				if s := text(made); regexp.MustCompile(`[a-z]{2}`).MatchString(s) {
					found = append(found, s)
				}
			}
			return true
		})
	}
	return found
}

// makesError reports whether what is called is a function or a method fail, or errors.New.
func makesError(called ast.Expr) bool {
	switch f := called.(type) {
	case *ast.Ident:
		return f.Name == "fail"
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.Ident)
		return f.Sel.Name == "fail" || ok && of.Name == "errors" && f.Sel.Name == "New"
	}
	return false
}

// text is an expression as a pattern.
func text(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return s
		}
	case *ast.BinaryExpr:
		return text(x.X) + text(x.Y)
	}
	return "{}"
}

// Every error that the page may show as a text is said in each language.
func TestErrorsAreSaidInEveryLanguage(t *testing.T) {
	all := 0
	for _, dir := range tellers {
		for _, s := range messages(t, dir) {
			all++
			for _, code := range languages(t)[1:] {
				p := speaking(catalogue(t, code))
				filled := strings.ReplaceAll(s, "{}", "ZZZ")
				if got := p.detail(filled); got == filled {
					t.Errorf("%s doesn't say %q of %s", code, s, dir)
				}
			}
		}
	}
	if all < 100 {
		t.Errorf("found only %d errors", all)
	}
	for _, code := range languages(t)[1:] {
		for id, s := range catalogue(t, code) {
			pattern, ok := strings.CutPrefix(id, "detail.")
			if !ok {
				continue
			}
			n := strings.Count(pattern, "{}")
			for i := 1; i <= n || strings.Contains(s, "{"+strconv.Itoa(i)+"}"); i++ {
				if strings.Contains(s, "{"+strconv.Itoa(i)+"}") != (i <= n) {
					t.Errorf("%s: %q has %d parts, and %q doesn't", code, pattern, n, s)
				}
			}
		}
	}
}

func TestErrorsInChinese(t *testing.T) {
	p := speaking(catalogue(t, "zh"))
	for english, want := range map[string]string{
		`line 3, column 16: here "down=" or "warm=" is expected`:     `第 3 行第 16 列：这里应为："down=" 或 "warm="`,
		`there is no handler "here a, b or c"`:                       `没有名为 "here a, b or c" 的 handler`,
		"a time is missing":                                          "缺少：时长",
		"line 1, column 4: a key in quotation marks or ) is missing": "第 1 行第 4 列：缺少：带引号的key，或右括号",
		"here a list in brackets is expected":                        "这里应为：方括号中的列表",
		`there is no delta "X"; there is Added, Updated`:             `没有名为 "X" 的delta 类型；可用的有 Added, Updated`,
		"behind takes a duration here, and this is a number":         "behind 在这里需要时长，而给出的是数字",
		"nested deeper than 1000":                                    "嵌套超过 1000 层",
		"the API server refused: pods is forbidden, or gone":         "API server 拒绝了请求：pods is forbidden, or gone",
		"Failed to fetch":                                            "Failed to fetch",
		"a, b or c":                                                  "a, b or c",
		"":                                                           "",
	} {
		if got := p.detail(english); got != want {
			t.Errorf("%q is said as %q, not as %q", english, got, want)
		}
	}
	if english := speaking(catalogue(t, "en")); english.detail("a time is missing") != "a time is missing" {
		t.Error("English is translated")
	}
	// The parser's own error, with its quotation marks.
	for _, line := range []string{"bogus", "informer", "informer pods resync=soon", "profile v9", "gate X maybe"} {
		_, err := script.Parse(line)
		if err == nil {
			t.Fatalf("%q is no error", line)
		}
		if got := p.detail(err.Error()); !regexp.MustCompile(`^第 1 行第 \d+ 列：\p{Han}+`).MatchString(got) {
			t.Errorf("%q is said as %q", err, got)
		}
	}
}

// What a lister or an index answers instead of objects is said in Chinese, too.
func TestQueryErrorsInChinese(t *testing.T) {
	p := speaking(catalogue(t, "zh"))
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
		if got := p.detail(err.Error()); got != want {
			t.Errorf("%q is said as %q, not as %q", err, got, want)
		}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{indexer.NotFoundError{Resource: "pods", Name: "the end"}, `pods "the end" 不存在`},
		{indexer.NotFoundError{Resource: "pods", Name: `a" not found`}, `pods "a\" not found" 不存在`},
	} {
		if got := p.detail(c.err.Error()); got != c.want {
			t.Errorf("%q is said as %q, not as %q", c.err, got, c.want)
		}
	}
}

// What keeps an exercise from being checked is said in Chinese, too.
func TestExerciseErrorsInChinese(t *testing.T) {
	p := speaking(catalogue(t, "zh"))
	n := p.exercise(&session.Learning{Solved: map[int]link.Checked{0: {Why: "line 3, column 1: a time is missing"}}}, link.LessonPart{}, 0, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 1 列：缺少：时长") {
		t.Errorf("the exercise says %q", got)
	}
}

// Whatever a text is, it is translated in time, and never to nothing.
func FuzzDetail(f *testing.F) {
	words := map[string]string{}
	b, err := os.ReadFile("../../web/locales/zh.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^ "(detail\.[^"]*)": "([^"]*)"`).FindAllSubmatch(b, -1) {
		words[string(m[1])] = string(m[2])
	}
	f.Add("line 1, column 2: here a, b or c is expected")
	f.Add(strings.Repeat("line 1, ", 50) + strings.Repeat(": a, b or c", 50))
	p := &page{m: &session.Model{Settings: session.Settings{Words: words}}, view: &View{}}
	f.Fuzz(func(t *testing.T, text string) {
		if said := p.detail(text); said == "" && text != "" {
			t.Errorf("%q is said as nothing", text)
		}
	})
}
