package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// concerns are the fields of Model that are concerns, with the names of their types.
func concerns(files []*ast.File) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.Name == "Model" {
				for _, field := range spec.Type.(*ast.StructType).Fields.List {
					for _, name := range field.Names {
						if of, is := field.Type.(*ast.Ident); is {
							all[name.Name] = of.Name
						}
					}
				}
			}
			return true
		})
	}
	return all
}

// typeName is the name of a type, or of the type that it points to.
func typeName(x ast.Expr) string {
	if p, is := x.(*ast.StarExpr); is {
		x = p.X
	}
	if id, is := x.(*ast.Ident); is {
		return id.Name
	}
	return ""
}

// written is the concern of a Model that a write to x changes, "" for none.
func written(x ast.Expr, all map[string]string, models map[string]bool) string {
	for {
		switch e := x.(type) {
		case *ast.SelectorExpr:
			if id, is := e.X.(*ast.Ident); is && models[id.Name] && all[e.Sel.Name] != "" {
				return e.Sel.Name
			}
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		default:
			return ""
		}
	}
}

// Each concern of the Model changes its own fields. Others ask it by a method.
func TestAConcernIsChangedByItself(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	all := concerns(files)
	if len(all) < 20 {
		t.Fatalf("the Model has the concerns %v", all)
	}
	found := map[string][]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			owner, models := "", map[string]bool{}
			fn, _ := d.(*ast.FuncDecl)
			if fn != nil && fn.Recv != nil {
				if owner = typeName(fn.Recv.List[0].Type); owner == "Model" && len(fn.Recv.List[0].Names) > 0 {
					models[fn.Recv.List[0].Names[0].Name] = true
				}
			}
			write := func(x ast.Expr) {
				if c := written(x, all, models); c != "" && all[c] != owner {
					found[c] = append(found[c], set.Position(x.Pos()).String())
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncType:
					for _, p := range n.Params.List {
						for _, name := range p.Names {
							if typeName(p.Type) == "Model" {
								models[name.Name] = true
							}
						}
					}
				case *ast.AssignStmt:
					for _, x := range n.Lhs {
						write(x)
					}
				case *ast.IncDecStmt:
					write(n.X)
				case *ast.UnaryExpr:
					if n.Op == token.AND {
						write(n.X)
					}
				}
				return true
			})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("outside of %s, its fields are written at\n\t%s", c, strings.Join(found[c], "\n\t"))
	}
}
