package event_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/script"
)

// kindsByName are the kinds by their names.
func kindsByName(t *testing.T) map[string]event.Kind {
	out := map[string]event.Kind{}
	for k := event.Kind(1); k.String() != ""; k++ {
		if other, ok := out[k.String()]; ok {
			t.Errorf("kinds %d and %d are both %s", k, other, k)
		}
		out[k.String()] = k
	}
	return out
}

func parse(t *testing.T, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describedFields is what a kind's comment says that its facts tell: what stands before the
// first full stop, if the first word there is a field's.
func describedFields(comment string, known map[string]event.Fields) (names []string) {
	comment, _, _ = strings.Cut(comment, ". ")
	for item := range strings.FieldsFuncSeq(comment, func(r rune) bool { return r == ',' || r == ';' }) {
		name, _, _ := strings.Cut(item, ":")
		if name = strings.TrimSpace(name); len(names) == 0 && known[name] == 0 {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// Whoever reads the comment of a kind knows what its facts tell, and the methods
// tell just that.
func TestKindsTellWhatTheirCommentsSay(t *testing.T) {
	kinds, fields := kindsByName(t), event.AllFields()
	seen := 0
	for _, d := range parse(t, "kind.go").Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || !strings.HasPrefix(g.Doc.Text(), "The kinds") {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			k, ok := kinds[v.Names[0].Name]
			if !ok {
				if name := v.Names[0].Name; name != "_" && name != "numKinds" {
					t.Errorf("%s has no name in transcripts, or another one", name)
				}
				continue
			}
			seen++
			says := describedFields(strings.TrimSpace(v.Comment.Text()), fields)
			for name, f := range fields {
				if k.Has(f) != slices.Contains(says, name) {
					t.Errorf("%s: the comment says %s; that %s is among it is %v in the table", k, says, name, k.Has(f))
				}
			}
		}
	}
	if seen != len(kinds) {
		t.Errorf("%d of %d kinds have a comment", seen, len(kinds))
	}
}

// A fact with something in N and Listener tells it by the methods of its kind
// alone.
func TestMethodsReadWhatTheKindTells(t *testing.T) {
	for _, k := range kindsByName(t) {
		e := event.Event{Kind: k, N: 2, Listener: 1} // 2 is AddHandlerStopped
		v := reflect.ValueOf(e)
		for name, f := range event.AllFields() {
			m := v.MethodByName(name)
			if !m.IsValid() {
				continue // a field of the struct
			}
			got := m.Call(nil)[0]
			silent := int64(0)
			if name == "Handler" || name == "Worker" || name == "Index" || name == "Holder" {
				silent = -1
			}
			tells := got.Kind() == reflect.Bool && got.Bool()
			if got.CanInt() {
				tells = got.Int() != silent
			} else if got.CanUint() {
				tells = got.Uint() != 0
			}
			if tells != k.Has(f) {
				t.Errorf("%s of %s is %v", name, k, got)
			}
		}
	}
	if h := (event.Event{Kind: event.CallRefused, N: int64(event.RunTwice)}).Handler(); h != -1 {
		t.Errorf("a call of Run is about handler %d", h)
	}
}

// The stations set no field that the kind doesn't tell.
func TestStationsSetOnlyWhatTheKindTells(t *testing.T) {
	kinds, fields := kindsByName(t), event.AllFields()
	fields["N"], fields["Listener"], fields["Kind"] = event.OfN, event.OfListener, 0
	seen := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "conformance" {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		ast.Inspect(parse(t, name), func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok || len(literal.Elts) == 0 {
				return true
			}
			first, ok := literal.Elts[0].(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			which, ok := first.Value.(*ast.SelectorExpr)
			if typ, is := literal.Type.(*ast.SelectorExpr); !ok || !is || typ.Sel.Name != "Event" {
				return true
			}
			k := kinds[which.Sel.Name]
			for _, e := range literal.Elts {
				field := e.(*ast.KeyValueExpr).Key.(*ast.Ident).Name
				if f, known := fields[field]; !known || f != 0 && !k.Has(f) {
					t.Errorf("%s: %s is given %s", name, which.Sel.Name, field)
				}
			}
			seen++
			return true
		})
		return nil
	})
	if err != nil || seen < 60 {
		t.Errorf("%d facts are made: %v", seen, err)
	}
}

// Whatever happens in any script: no fact has a field set that its kind doesn't
// tell.
func TestFactsHaveOnlyWhatTheirKindTells(t *testing.T) {
	files, err := filepath.Glob("../script/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	fields := event.AllFields()
	seen := map[event.Kind]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var r *script.Runner
		r = script.NewRunner(func(script.Entry) {
			if r.History() == nil {
				return
			}
			for _, e := range r.History().Front().Log.Events {
				seen[e.Kind] = true
				v := reflect.ValueOf(e)
				for _, name := range []string{"Delta", "Flags", "Key", "Old", "New", "Cause"} {
					if !v.FieldByName(name).IsZero() && !e.Kind.Has(fields[name]) {
						t.Errorf("%s has %s: %+v", e.Kind, name, e)
					}
				}
				if e.N != 0 && !e.Kind.Has(event.OfN) {
					t.Errorf("%s has N: %+v", e.Kind, e)
				}
				if e.Listener != 0 && !e.Kind.Has(event.OfListener) {
					t.Errorf("%s has Listener: %+v", e.Kind, e)
				}
			}
		})
		if err := r.Line("log all", 1); err != nil { // so that the transcript has each step
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
			if ok && !strings.HasPrefix(line, "log ") {
				if err := r.Line(line, 1); err != nil {
					t.Fatalf("%s: %s: %v", name, line, err)
				}
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d kinds were seen", len(seen))
	}
}
