package event

import (
	"go/ast"
	"go/parser"
	"go/token"
	"unicode"
)

// What the tests know of Fields. Those that Listener holds, and those that N holds, stand one behind the other.

const (
	OfListener = RV - Handler
	OfN        = fieldsEnd - RV
)

// AllFields are all single fields by their names, as the source declares them.
func AllFields() map[string]Fields {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	if err != nil {
		panic(err)
	}
	all := map[string]Fields{}
	for _, d := range file.Decls {
		g, is := d.(*ast.GenDecl)
		if !is || g.Tok != token.CONST || len(all) > 0 {
			continue
		}
		first, _ := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident)
		if first == nil || first.Name != "Fields" {
			continue
		}
		for i, s := range g.Specs {
			name := []rune(s.(*ast.ValueSpec).Names[0].Name)
			name[0] = unicode.ToUpper(name[0])
			switch text := string(name); text {
			case "FieldsEnd":
			case "OldObject", "NewObject":
				all[text[:3]] = 1 << i
			default:
				all[text] = 1 << i
			}
		}
	}
	return all
}
