//go:build !js

package engine_test

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The largest types and packages, in fields, methods and product files. What a type embeds counts with all
// that it has.
const (
	maxFields  = 25
	maxMethods = 40
)

// size is how many fields and methods a type has.
type size struct{ fields, methods int }

// larger are the types that have more than that. Whoever makes one smaller writes its number
// here, or takes it out. A comment says why one stays as it is.
var larger = map[string]size{
	"engine/informer.Informer": {32, 129}, // it has a method for each kind of step that one of its goroutines makes
	"engine/world.History":     {15, 51},  // what can be asked of a run: to play it, to seek in it, to name a moment, to leave it
	"wasm/link.Frame":          {34, 0},   // a message: it has a field for each station
}

// Types are small enough to be read: a type with many fields is several concerns.
func TestTypesAreSmall(t *testing.T) {
	all := sizes(sources(t))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n, known := all[name], larger[name]
		most := size{max(maxFields, known.fields), max(maxMethods, known.methods)}
		if n.fields > most.fields || n.methods > most.methods {
			t.Errorf("%s has %d fields and %d methods, of at most %d and %d", name, n.fields, n.methods, most.fields, most.methods)
		}
	}
}

// sizes are those of all types of the floors, by package and name.
func sizes(files []source) map[string]size {
	own, embeds := map[string]size{}, map[string][]string{}
	for _, f := range files {
		if !strings.HasPrefix(f.name, "engine/") && !strings.HasPrefix(f.name, "replay/") && !strings.HasPrefix(f.name, "wasm/") {
			continue
		}
		imported := map[string]string{} // folders of this module, by the names under which they are imported
		for i, path := range f.imports {
			if folder, is := strings.CutPrefix(path, "github.com/informerscope/informerscope/"); is {
				name := folder[strings.LastIndexByte(folder, '/')+1:]
				if as := f.file.Imports[i].Name; as != nil {
					name = as.Name
				}
				imported[name] = folder
			}
		}
		for _, d := range f.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					name := typeOf(d.Recv.List[0].Type, f.folder, imported)
					n := own[name]
					n.methods++
					own[name] = n
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					s, is := spec.(*ast.TypeSpec)
					if !is {
						continue
					}
					name := f.folder + "." + s.Name.Name
					n := own[name]
					switch x := s.Type.(type) {
					case *ast.StructType:
						for _, field := range x.Fields.List {
							n.fields += max(len(field.Names), 1)
							if len(field.Names) == 0 {
								embeds[name] = append(embeds[name], typeOf(field.Type, f.folder, imported))
							}
						}
					case *ast.InterfaceType:
						for _, m := range x.Methods.List {
							n.methods += len(m.Names)
							if len(m.Names) == 0 {
								embeds[name] = append(embeds[name], typeOf(m.Type, f.folder, imported))
							}
						}
					}
					own[name] = n
				}
			}
		}
	}
	all := map[string]size{}
	for name := range own {
		all[name] = whole(name, own, embeds)
	}
	return all
}

// whole is the size of a type with what it embeds.
func whole(name string, own map[string]size, embeds map[string][]string) size {
	n := own[name]
	for _, e := range embeds[name] {
		of := whole(e, own, embeds)
		n.fields += of.fields
		n.methods += of.methods
	}
	return n
}

// typeOf is the name of a type that this module declares, with its folder; "" for others.
func typeOf(x ast.Expr, folder string, imported map[string]string) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeOf(x.X, folder, imported)
	case *ast.IndexExpr:
		return typeOf(x.X, folder, imported)
	case *ast.IndexListExpr:
		return typeOf(x.X, folder, imported)
	case *ast.Ident:
		return folder + "." + x.Name
	case *ast.SelectorExpr:
		if id, is := x.X.(*ast.Ident); is && imported[id.Name] != "" {
			return imported[id.Name] + "." + x.Sel.Name
		}
	}
	return ""
}

// maxFiles is how many product files a package may have.
const maxFiles = 25

// A reader of a folder's listing sees its parts.
func TestPackagesAreSmall(t *testing.T) {
	files := map[string]int{}
	for _, f := range sources(t) {
		if strings.HasPrefix(f.name, "engine/") || strings.HasPrefix(f.name, "replay/") || strings.HasPrefix(f.name, "wasm/") {
			files[f.folder]++
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		if n := files[folder]; n > maxFiles {
			t.Errorf("%s has %d product files, of at most %d", folder, n, maxFiles)
		}
	}
}
