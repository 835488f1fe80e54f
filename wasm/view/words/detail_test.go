package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// tellers are the packages that still say in English what is wrong; see fault_test.go for the
// others. "/..." stands for the
// folders below.
var tellers = []string{
	"../../../replay/trace", "../../../replay/format", "../../../replay/format/inflate", "../../../replay/convert", "../../../replay/convert/internal/...",
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
			for _, code := range viewtest.Languages(t)[1:] {
				w := viewtest.Speaking(viewtest.Catalogue(t, code))
				filled := strings.ReplaceAll(s, "{}", "ZZZ")
				if got := w.Detail(filled); got == filled {
					t.Errorf("%s doesn't say %q of %s", code, s, dir)
				}
			}
		}
	}
	if all < 60 {
		t.Errorf("found only %d errors", all)
	}
	for _, code := range viewtest.Languages(t)[1:] {
		for id, s := range viewtest.Catalogue(t, code) {
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

func TestTextsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for english, want := range map[string]string{
		"nested deeper than 1000":                            "嵌套超过 1000 层",
		"the API server refused: pods is forbidden, or gone": "API server 拒绝了请求：pods is forbidden, or gone",
		"Failed to fetch":                                    "Failed to fetch",
		"a, b or c":                                          "a, b or c",
		"":                                                   "",
	} {
		if got := w.Detail(english); got != want {
			t.Errorf("%q is said as %q, not as %q", english, got, want)
		}
	}
	if english := viewtest.Speaking(viewtest.Catalogue(t, "en")); english.Detail("a time is missing") != "a time is missing" {
		t.Error("English is translated")
	}
}

// Whatever a text is, it is translated in time, and never to nothing.
func FuzzDetail(f *testing.F) {
	f.Add("line 1, column 2: here a, b or c is expected")
	f.Add(strings.Repeat("line 1, ", 50) + strings.Repeat(": a, b or c", 50))
	w := viewtest.Speaking(viewtest.Catalogue(f, "zh"))
	f.Fuzz(func(t *testing.T, text string) {
		if said := w.Detail(text); said == "" && text != "" {
			t.Errorf("%q is said as nothing", text)
		}
	})
}
