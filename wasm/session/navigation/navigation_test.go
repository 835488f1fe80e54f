package navigation

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/navigation.txt")

// named returns the constants of the group in file that begins with first, and what is said of each.
func named(t *testing.T, file, first string) (names []string, says map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	says = map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || g.Specs[0].(*ast.ValueSpec).Names[0].Name != first {
			continue
		}
		for _, s := range g.Specs[:len(g.Specs)-1] { // the last one is their number
			v := s.(*ast.ValueSpec)
			names = append(names, v.Names[0].Name)
			says[v.Names[0].Name] = strings.TrimSpace(v.Comment.Text())
		}
		return names, says
	}
	t.Fatalf("%s declares no %s", file, first)
	return nil, nil
}

// TestTables prints the states and events, for people to read.
func TestTables(t *testing.T) {
	acts, does := named(t, "navigation.go", "DoNone")
	if len(acts) != int(numActs) {
		t.Errorf("there are %d acts, and %d are named", numActs, len(acts))
	}
	used := map[Act]bool{DoNone: true}
	var b strings.Builder
	for _, of := range []struct {
		table, title, state, event string
		states, events             []string
	}{
		{"journey", "The journey: where the viewer is on the way to what is to be seen", "Unbegun", "OnBegan", journeyNames[1:], tripNames[:]},
		{"entry", "The entry: what the browser's history shows an entry of", "Unread", "OnRead", entryNames[1:], turnNames[:]},
		{"jump", "The jump: whether the next move makes an entry", "Still", "OnJump", jumpNames[1:], hopNames[:]},
	} {
		states, means := named(t, of.table+".go", of.state)
		events, when := named(t, of.table+".go", of.event)
		if !slices.Equal(states, of.states) || !slices.Equal(events, of.events) {
			t.Errorf("the names of the %s are %q and %q", of.table, of.states, of.events)
		}
		fmt.Fprintf(&b, "# %s.\n", of.title)
		for _, s := range states {
			fmt.Fprintf(&b, "\n%s: %s\n", s, means[s])
			var nothing []string
			for _, x := range All() {
				switch {
				case x.Table != of.table || x.State != s:
				case x.To == s && x.Do == DoNone:
					nothing = append(nothing, x.Event)
				default:
					used[x.Do] = true
					line := "  " + x.Event + ", " + when[x.Event] + " → " + x.To
					if x.Do != DoNone {
						line += ": " + does[acts[x.Do]]
					}
					b.WriteString(line + "\n")
				}
			}
			if nothing != nil {
				fmt.Fprintf(&b, "  changes nothing: %s\n", strings.Join(nothing, " "))
			}
		}
		b.WriteString("\n")
	}
	for i, name := range acts {
		if !used[Act(i)] {
			t.Errorf("nothing is followed by %s", name)
		}
	}
	const golden = "testdata/navigation.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("%v; go test -update writes what it is now:\n%s", err, b.String())
	}
}
