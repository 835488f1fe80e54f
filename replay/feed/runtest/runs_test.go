package runtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
)

// TestEveryCommandIsMade holds that the random runs make each kind of command that
// package world defines, and that it has an effect there.
func TestEveryCommandIsMade(t *testing.T) {
	made := map[world.CommandKind]int{}
	Random(t, func(r Run) {
		for _, in := range r.Inputs {
			if in.Command != nil {
				made[in.Command.Kind]++
			}
		}
	})
	for i, name := range kinds(t) {
		if made[world.CommandKind(i+1)] == 0 {
			t.Errorf("no random run makes the command %s", name)
		}
	}
}

// kinds are the names of the commands, in the order of their numbers.
func kinds(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), top(t)+"/engine/world/command.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if t, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || t.Name != "CommandKind" {
			continue
		}
		for _, s := range g.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
	}
	if len(names) < int(world.NotifyDelete) {
		t.Fatal("command.go has only the commands", names)
	}
	return names
}
