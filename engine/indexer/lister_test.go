package indexer

import (
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// The lister selects what labels.Parse and Matches of apimachinery v0.37.2 select.
func TestSelectors(t *testing.T) {
	tbl := object.NewTable(nil)
	x, err := New(tbl, Gates{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(ns, name string, labels ...string) {
		var set []object.Label
		for i := 0; i < len(labels); i += 2 {
			set = append(set, object.Label{Name: tbl.Sym(labels[i]), Value: tbl.Sym(labels[i+1])})
		}
		if err := x.Add(tbl.Add(object.Meta{Namespace: tbl.Sym(ns), Name: tbl.Sym(name), Labels: tbl.LabelSet(set)}), nil); err != nil {
			t.Fatal(err)
		}
	}
	add("a", "bare")
	add("a", "db", "app", "db", "n", "3")
	add("a", "web", "app", "web", "n", "12")
	add("b", "web", "app", "web", "empty", "")
	for _, c := range []struct{ ns, selector, want string }{
		{"", "", "a/bare a/db a/web b/web"},
		{"", "  ", "a/bare a/db a/web b/web"},
		{"a", "", "a/bare a/db a/web"},
		{"a", "app=web", "a/web"},
		{"", "app == web", "a/web b/web"},
		{"", "app!=web", "a/bare a/db"},
		{"", "app in (web, db),n", "a/db a/web"},
		{"", "app notin (web)", "a/bare a/db"},
		{"", "!app", "a/bare"},
		{"", "! app", "a/bare"},
		{"", "n>3", "a/web"},
		{"", "n<12", "a/db"},
		{"", "empty=", "b/web"},
		{"", "empty in ()", "b/web"},
		{"", "app in (,db)", "a/db"},
		{"", "app=web,n", "a/web"},
		{"", "in=x", ""},
		{"", "nobody=has", ""},
		{"c", "", ""},
		{"", "app=web,", "unable to parse requirement: found the end, expected: identifier after ','"},
		{"", "=web", "unable to parse requirement: found '=', expected: !, identifier, or 'end of string'"},
		{"", "app web", "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, >, <"},
		{"", "app in web", "unable to parse requirement: found 'web', expected: '('"},
		{"", "app in (web", "unable to parse requirement: found the end, expected: ',' or ')'"},
		{"", "n>x", "unable to parse requirement: found 'x', expected: an integer"},
		{"", "app=web n", "unable to parse requirement: found 'n', expected: ',' or 'end of string'"},
		{"", "!", "unable to parse requirement: found the end, expected: identifier"},
	} {
		s, err := ParseSelector(c.selector)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			for i, r := range x.ListSelected(c.ns, s, nil) {
				if i > 0 {
					got += " "
				}
				got += tbl.KeyText(tbl.KeyOf(r))
			}
		}
		if got != c.want {
			t.Errorf("the selector %q in the namespace %q gives %q, not %q", c.selector, c.ns, got, c.want)
		}
	}
	if _, err := x.GetNamed("pods", "a", "nobody"); err == nil || err.Error() != `pods "nobody" not found` {
		t.Error(err)
	}
	if r, err := x.GetNamed("pods", "b", "web"); err != nil || tbl.KeyText(tbl.KeyOf(r)) != "b/web" {
		t.Error(r, err)
	}
}

func FuzzParseSelector(f *testing.F) {
	f.Add("app in (web, db),!x,n>3")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseSelector(text); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}
