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

// concerns are the fields of Model that are concerns, with the names of their types: "Stage", or
// "lesson.Model" for a concern that is a package of its own.
func concerns(files []*ast.File) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.Name == "Model" {
				for _, field := range spec.Type.(*ast.StructType).Fields.List {
					for _, name := range field.Names {
						if typ := typeName(field.Type); typ != "" {
							all[name.Name] = typ
						}
					}
				}
			}
			return true
		})
	}
	return all
}

// typeName is the name of a type, or of the type that it points to, after its package's name if it
// is another one's.
func typeName(x ast.Expr) string {
	if p, is := x.(*ast.StarExpr); is {
		x = p.X
	}
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if owner, is := x.X.(*ast.Ident); is {
			return owner.Name + "." + x.Sel.Name
		}
	}
	return ""
}

// isModel reports whether name is a name of the type Model: in this package, or in another one.
func isModel(name string) bool {
	return name == "Model" || name == "session.Model"
}

// model reports whether x is a Model: a variable that is one, or the field of the page's program or
// of the view that has it.
func model(x ast.Expr, models map[string]bool) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return models[x.Name]
	case *ast.SelectorExpr:
		return x.Sel.Name == "model" || x.Sel.Name == "m"
	}
	return false
}

// written is the concern of a Model that a write to x changes, "" for none.
func written(x ast.Expr, all map[string]string, models map[string]bool) string {
	for {
		switch e := x.(type) {
		case *ast.SelectorExpr:
			if all[e.Sel.Name] != "" && model(e.X, models) {
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

// pointers are the fields of each type that point to something else, with the names of its type.
func pointers(files []*ast.File) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			fields, is := spec.Type.(*ast.StructType)
			for i := 0; is && i < len(fields.Fields.List); i++ {
				p, is := fields.Fields.List[i].Type.(*ast.StarExpr)
				for _, name := range fields.Fields.List[i].Names {
					if is && !ast.IsExported(name.Name) {
						if all[spec.Name.Name] == nil {
							all[spec.Name.Name] = map[string]string{}
						}
						all[spec.Name.Name][name.Name] = typeName(p)
					}
				}
			}
			return true
		})
	}
	return all
}

// lent returns the type of the concern to which a write goes by a pointer that another concern has, "" for none.
func lent(x ast.Expr, pointers map[string]string) string {
	to, is := x.(*ast.SelectorExpr)
	if !is {
		return ""
	}
	if owner, is := to.X.(*ast.SelectorExpr); is {
		if _, is := owner.X.(*ast.Ident); is && pointers[owner.Sel.Name] != "" {
			return pointers[owner.Sel.Name]
		}
	}
	return lent(to.X, pointers)
}

// takesModel reports whether a function gets a Model.
func takesModel(fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(f *ast.Field) bool { return isModel(typeName(f.Type)) })
}

// parse reads the product files that match a pattern.
func parse(t *testing.T, set *token.FileSet, pattern string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(filepath.ToSlash(name), "../view/viewtest/") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// Each concern of the Model changes its own fields, and the Model does, in whose methods and commands concerns meet.
// Others, such as the page's program and the view, ask it by a method. A concern can't reach the Model.
func TestAConcernIsChangedByItself(t *testing.T) {
	set := token.NewFileSet()
	files := parse(t, set, "*.go")
	all := concerns(files)
	if len(all) < 20 || all["Lesson"] != "lesson.Model" {
		t.Fatalf("the Model has the concerns %v", all)
	}
	here := len(files)
	for _, pattern := range []string{"../*.go", "../view/*.go", "../view/*/*.go"} {
		files = append(files, parse(t, set, pattern)...)
	}
	found := map[string][]string{}
	borrowed := pointers(files[:here])
	for i, f := range files {
		for _, d := range f.Decls {
			owner, models := "", map[string]bool{}
			fn, _ := d.(*ast.FuncDecl)
			if fn != nil && fn.Recv != nil {
				if owner = typeName(fn.Recv.List[0].Type); isModel(owner) && len(fn.Recv.List[0].Names) > 0 {
					models[fn.Recv.List[0].Names[0].Name] = true
				}
			}
			// The commands are the Model's, and a mediator is one.
			_, isTable := d.(*ast.GenDecl)
			meets := i < here && (isTable || owner == "Model" || owner == "mediator")
			if !meets && i < here && fn != nil && owner != "" && takesModel(fn) {
				t.Errorf("%s: %s knows the Model, and not only its desk", set.Position(fn.Pos()), fn.Name.Name)
			}
			write := func(x ast.Expr) {
				if typ := lent(x, borrowed[owner]); typ != "" && !meets {
					t.Errorf("%s writes to a %s that it only reads", set.Position(x.Pos()), typ)
				}
				if c := written(x, all, models); c != "" && all[c] != owner && !meets {
					found[c] = append(found[c], set.Position(x.Pos()).String())
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncType:
					for _, p := range n.Params.List {
						for _, name := range p.Names {
							if isModel(typeName(p.Type)) {
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
					if n.Op == token.AND && i < here { // the view reads by a shorter name
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

// What a concern that is a package may know of the rest, it only reads: nothing is written beyond a
// desk.Surroundings. Nor does a function of one concern get another that it could write to.
func TestConcernsOnlyReadTheRest(t *testing.T) {
	set := token.NewFileSet()
	all := concerns(parse(t, set, "*.go"))
	types := map[string]bool{} // of concerns, as their packages call them
	for _, name := range all {
		if pkg, name, is := strings.Cut(name, "."); is && pkg != "desk" {
			types[name] = true
		}
	}
	packages := 0
	for _, f := range parse(t, set, "*/*.go") {
		if f.Name.Name == "desk" {
			continue
		}
		packages++
		for _, d := range f.Decls {
			rest := map[string]bool{}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					for _, p := range n.Type.Params.List {
						if name := typeName(p.Type); types[name] && n.Recv != nil && name != typeName(n.Recv.List[0].Type) && name != "Model" {
							t.Errorf("%s: %s gets another concern, a %s", set.Position(p.Pos()), n.Name.Name, name)
						}
						for _, name := range p.Names {
							rest[name.Name] = typeName(p.Type) == "desk.Surroundings"
						}
					}
				case *ast.AssignStmt:
					for i, x := range n.Lhs {
						if id, is := x.(*ast.Ident); is && len(n.Rhs) == len(n.Lhs) && isRest(n.Rhs[i], rest) {
							rest[id.Name] = true
						} else if !is && isRest(x, rest) {
							t.Errorf("%s writes to the rest of the model", set.Position(x.Pos()))
						}
					}
				case *ast.IncDecStmt:
					if isRest(n.X, rest) {
						t.Errorf("%s writes to the rest of the model", set.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
	if packages < 10 {
		t.Fatalf("the packages of concerns have %d files", packages)
	}
}

// isRest reports whether x is a desk.Surroundings or something in one: a call of Surroundings, or one of some
// variables, and a field or an element of that.
func isRest(x ast.Expr, variables map[string]bool) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return variables[x.Name]
	case *ast.SelectorExpr:
		return isRest(x.X, variables)
	case *ast.IndexExpr:
		return isRest(x.X, variables)
	case *ast.StarExpr:
		return isRest(x.X, variables)
	case *ast.UnaryExpr:
		return x.Op == token.AND && isRest(x.X, variables)
	case *ast.CallExpr:
		callee, is := x.Fun.(*ast.SelectorExpr)
		return is && callee.Sel.Name == "Surroundings"
	}
	return false
}
