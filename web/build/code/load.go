package code

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/informerscope/informerscope/"

// source is the engine's source, with its types.
type source struct {
	root  string // the module's folder
	fset  *token.FileSet
	info  *types.Info
	std   types.Importer
	known map[string]*types.Package
	text  map[string][]byte         // of each file, by its path from the root
	funcs map[*types.Func]*function // that have a body
	named []*types.TypeName         // types that may implement an interface
	files map[string][]*ast.File    // by package
}

// function is a function or a method of the engine.
type function struct {
	obj  *types.Func
	decl *ast.FuncDecl
	file string // its path from the module's folder
	name string // as in client-go's words: "DeltaFIFO.Pop"
}

// load reads the packages that are named by their paths below the module, and all of
// the module that they import.
func load(root string, paths ...string) (*source, error) {
	s := &source{
		root: root, fset: token.NewFileSet(), known: map[string]*types.Package{}, text: map[string][]byte{},
		funcs: map[*types.Func]*function{}, files: map[string][]*ast.File{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}},
	}
	s.std = importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, p := range paths {
		if _, err := s.Import(module + p); err != nil {
			return nil, err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		for _, f := range s.files[path] {
			s.collect(f)
		}
		scope := s.known[path].Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !types.IsInterface(t.Type()) {
				s.named = append(s.named, t)
			}
		}
	}
	return s, nil
}

// Import returns a types.Importer. It reads the module's own packages with their bodies.
func (s *source) Import(path string) (*types.Package, error) {
	rel, isOurs := strings.CutPrefix(path, module)
	if !isOurs {
		return s.std.Import(path)
	}
	if p := s.known[path]; p != nil {
		return p, nil
	}
	names, err := fs.Glob(os.DirFS(filepath.Join(s.root, rel)), "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := rel + "/" + name
		text, err := os.ReadFile(filepath.Join(s.root, file))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(s.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.text[file] = text
		s.files[path] = append(s.files[path], f)
	}
	if len(s.files[path]) == 0 {
		return nil, fmt.Errorf("%s has no source", path)
	}
	c := types.Config{Importer: s}
	p, err := c.Check(path, s.fset, s.files[path], s.info)
	s.known[path] = p
	return p, err
}

func (s *source) collect(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		obj := s.info.Defs[fn.Name].(*types.Func)
		name := fn.Name.Name
		if r := receiver(obj); r != "" {
			name = r + "." + name
		}
		s.funcs[obj] = &function{obj, fn, s.fset.Position(fn.Pos()).Filename, name}
	}
}

// receiver returns the name of a method's type.
func receiver(f *types.Func) string {
	r := f.Signature().Recv()
	if r == nil {
		return ""
	}
	t := r.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// bodies returns the functions that a call of f may run: f itself, or what implements it.
func (s *source) bodies(f *types.Func) []*function {
	f = f.Origin()
	if fn := s.funcs[f]; fn != nil {
		return []*function{fn}
	}
	r := f.Signature().Recv()
	if r == nil {
		return nil
	}
	i, ok := r.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var all []*function
	for _, t := range s.named {
		p := types.NewPointer(t.Type())
		if !types.Implements(p, i) {
			continue
		}
		m, _, _ := types.LookupFieldOrMethod(p, false, t.Pkg(), f.Name())
		if m, ok := m.(*types.Func); ok && s.funcs[m] != nil {
			all = append(all, s.funcs[m])
		}
	}
	return all
}

// line returns the number of the line in which a position is.
func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }
