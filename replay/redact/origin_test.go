package redact

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// notRules are lists of more than two words that no rule goes by.
var notRules = set("ruleNames words beginsPosition opensWith takenFor unparted")

// TestRulesSayWhereTheyAreFrom: each list of words that the rules go by says where the words
// are from, and when they were looked at.
func TestRulesSayWhereTheyAreFrom(t *testing.T) {
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files, lists := token.NewFileSet(), 0
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".go") || strings.HasSuffix(name.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			for _, spec := range vars.Specs {
				v := spec.(*ast.ValueSpec)
				if len(v.Values) != 1 || notRules[v.Names[0].Name] {
					continue
				}
				texts, origins, from := listedIn(v.Values[0])
				if texts < 3 {
					continue
				}
				lists++
				if origins == 0 {
					t.Errorf("%s doesn't say where it is from", v.Names[0].Name)
				}
				for _, o := range from {
					if date, err := time.Parse(time.DateOnly, o.date); err != nil || date.After(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)) || len(o.source) < 10 {
						t.Errorf("%s is from %q, looked at %q", v.Names[0].Name, o.source, o.date)
					}
				}
			}
		}
	}
	if lists < 50 {
		t.Errorf("there are %d lists", lists)
	}
}

// listedIn counts the words in the texts of an expression, and returns the origins in it.
func listedIn(x ast.Expr) (words, origins int, from []origin) {
	text := func(x ast.Expr) string {
		if l, ok := x.(*ast.BasicLit); ok {
			s, _ := strconv.Unquote(l.Value)
			return s
		}
		return ""
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				words += len(strings.Fields(text(n)))
			}
		case *ast.CompositeLit:
			switch kind, _ := n.Type.(*ast.Ident); {
			case kind == nil:
			case kind.Name == "origin" && len(n.Elts) == 2:
				origins++
				from = append(from, origin{text(n.Elts[0]), text(n.Elts[1])})
				return false
			case kind.Name == "wordList":
				origins++
				var o origin
				for _, e := range n.Elts {
					field := e.(*ast.KeyValueExpr)
					switch name := field.Key.(*ast.Ident).Name; name {
					case "source":
						o.source = text(field.Value)
					case "date":
						o.date = text(field.Value)
					default:
						words += len(strings.Fields(text(field.Value)))
					}
				}
				from = append(from, o)
				return false
			}
		}
		return true
	})
	return words, origins, from
}
