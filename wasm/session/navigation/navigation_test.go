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

// part is one of the parts into which the comments of a list of constants divide it.
type part struct {
	title string
	names []string
}

// named returns the constants of a type, part by part, and what is said of each.
func named(t *testing.T, owner string) (parts []part, says map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "table.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	says = map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if typ, is := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !is || typ.Name != owner {
			continue
		}
		for i, s := range g.Specs[:len(g.Specs)-1] { // the last one is their number
			v := s.(*ast.ValueSpec)
			if v.Doc != nil || i == 0 {
				parts = append(parts, part{title: strings.TrimSpace(v.Doc.Text())})
			}
			last := &parts[len(parts)-1]
			last.names = append(last.names, v.Names[0].Name)
			says[v.Names[0].Name] = strings.TrimSpace(v.Comment.Text())
		}
	}
	return parts, says
}

// TestTables prints the states and events, for people to read.
func TestTables(t *testing.T) {
	states, means := named(t, "State")
	events, when := named(t, "Event")
	acts, does := named(t, "Act")
	all := func(parts []part) (names []string) {
		for _, p := range parts {
			names = append(names, p.names...)
		}
		return names
	}
	if !slices.Equal(all(states), stateNames[1:]) || !slices.Equal(all(events), eventNames[:]) || len(acts[0].names) != int(numActs) {
		t.Errorf("the names are %q and %q, and there are %d acts", stateNames, eventNames, numActs)
	}
	used := map[Act]bool{DoNone: true}
	var b strings.Builder
	for i, p := range states {
		fmt.Fprintf(&b, "# %s\n", p.title)
		for _, s := range p.names {
			fmt.Fprintf(&b, "\n%s: %s\n", s, means[s])
			var nothing []string
			for _, x := range All() {
				on, to := x.Event.String(), x.To.String()
				if x.From.String() != s {
					continue
				}
				if !slices.Contains(p.names, to) || !slices.Contains(events[i].names, on) {
					t.Errorf("%s leads from %s to %s", on, s, to)
				}
				used[x.Act] = true
				if to == s && x.Act == DoNone {
					nothing = append(nothing, on)
					continue
				}
				line := "  " + on + ", " + when[on] + " → " + to
				if x.Act != DoNone {
					line += ": " + does[acts[0].names[x.Act]]
				}
				b.WriteString(line + "\n")
			}
			if nothing != nil {
				fmt.Fprintf(&b, "  changes nothing: %s\n", strings.Join(nothing, " "))
			}
		}
		b.WriteString("\n")
	}
	for i, name := range acts[0].names {
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
