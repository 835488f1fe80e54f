package kubectl

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestSystemsDeclareTheSame holds that what one system declares, every other one does, too. The tests run on
// one system alone, where the files of the others are not compiled.
func TestSystemsDeclareTheSame(t *testing.T) {
	files, err := filepath.Glob("apart_*.go")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	var first []string
	for i, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names = append(names, fn.Name.Name)
			}
		}
		slices.Sort(names)
		if i == 0 {
			first = names
		} else if !slices.Equal(names, first) {
			t.Errorf("%s declares %q, and %s %q", name, names, files[0], first)
		}
	}
}
