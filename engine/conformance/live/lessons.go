package live

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// lessons returns the lines of the blocks of a kind in the lessons, by the place of
// the block's first line.
func lessons(t *testing.T, kind string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top(t), "web/lessons/en/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no lessons", err)
	}
	blocks := map[string][]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		for i, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				at = ""
				if line == "```"+kind {
					at = filepath.Base(name) + ":" + strconv.Itoa(i+1)
				}
			case at != "":
				blocks[at] = append(blocks[at], line)
			}
		}
	}
	if len(blocks) == 0 {
		t.Fatal("the lessons have no", kind)
	}
	return blocks
}

// LessonSources checks that client-go has the functions to which lessons refer for
// a minor version, such as "v0.22", in the files that they name.
func LessonSources(t *testing.T, minor string) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/client-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for at, lines := range lessons(t, "source") {
		for _, line := range lines {
			f := strings.Fields(line)
			if f[0] != minor {
				continue
			}
			found++
			if !declares(filepath.Join(strings.TrimSpace(string(dir)), f[1]), f[2]) {
				t.Errorf("%s: client-go %s has no %s in %s", at, minor, f[2], f[1])
			}
		}
	}
	if found == 0 {
		t.Error("no lesson refers to", minor)
	}
}

// declares reports whether a file has a function "Name", or a method "Type.Name".
func declares(file, name string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		is := fn.Name.Name
		if fn.Recv != nil {
			is = receiver(fn.Recv.List[0].Type) + "." + is
		}
		if is == name {
			return true
		}
	}
	return false
}

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
