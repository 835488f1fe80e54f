package picture

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
)

// asked makes a stage with a cache, and asks the cache.
func asked(t *testing.T, window link.Window, lines ...string) func(link.Query) *link.Answer {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	w := r.History().Front()
	x := w.Informers[0]
	return New(w, x, window, NewRanks(x.Config().Table)).Query
}

// inWords is an error's id with its arguments.
func inWords(s *link.Sentence) string {
	words := []string{strings.TrimPrefix(s.ID, "error.")}
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		if a := s.Args[name]; a.Reason != nil {
			words = append(words, "("+inWords(a.Reason)+")")
		} else {
			words = append(words, a.V)
		}
	}
	return strings.Join(words, " ")
}

func TestTheIndexerIsAskedAsAProgramAsks(t *testing.T) {
	ask := asked(t, DefaultWindow, "profile classic", "informer pods index=app", "handler h", "exists pod a/db app=db",
		"exists pod a/web app=web", "exists pod b/web app=web tier=gold", "exists pod b/none", "run")
	for _, c := range []struct {
		q    link.Query
		want string
	}{
		{link.Query{Func: link.FuncGetByKey, Value: " a/web "}, "a/web"},
		{link.Query{Func: link.FuncGetByKey, Value: "a/nobody"}, ""},
		{link.Query{Func: link.FuncByIndex, Index: "app", Value: "web"}, "a/web b/web"},
		{link.Query{Func: link.FuncByIndex, Index: "app", Value: "nothing"}, ""},
		{link.Query{Func: link.FuncByIndex, Index: "nobody"}, "noIndex nobody"},
		{link.Query{Func: link.FuncIndexKeys, Index: "namespace", Value: "b"}, "b/none b/web"},
		{link.Query{Func: link.FuncIndexKeys, Index: "nobody"}, "noIndex nobody"},
		{link.Query{Func: link.FuncListIndexFuncValues, Index: "app"}, "db:1 web:2"},
		{link.Query{Func: link.FuncListIndexFuncValues, Index: "nobody"}, ""},
		{link.Query{Func: link.FuncList}, "a/db a/web b/none b/web"},
		{link.Query{Func: link.FuncList, Namespace: "b"}, "b/none b/web"},
		{link.Query{Func: link.FuncList, Namespace: "b", Value: "app in (web),tier"}, "b/web"},
		{link.Query{Func: link.FuncList, Value: "app in web"}, "selector (open) (token web)"},
		{link.Query{Func: link.FuncGet, Namespace: "a", Value: "web"}, "a/web"},
		{link.Query{Func: link.FuncGet, Namespace: "a", Value: "nobody"}, `notFound "nobody" pods`},
	} {
		a := ask(c.q)
		var got []string
		for _, r := range a.Rows {
			text := r.Text
			if r.Keys > 0 {
				text += ":" + strconv.Itoa(r.Keys)
			} else if r.Ref == 0 || r.RV == "" {
				t.Errorf("%+v: %+v leads nowhere", c.q, r)
			}
			got = append(got, text)
		}
		if a.Error != nil {
			got = append(got, inWords(a.Error))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%+v is answered by %q, not by %q", c.q, s, c.want)
		}
		if a.Total != len(a.Rows) || a.Step == 0 {
			t.Errorf("%+v is answered by %d rows of %d, at step %d", c.q, len(a.Rows), a.Total, a.Step)
		}
	}
}

// A big answer crosses in parts, and the cells of the density map have each object
// once.
func TestBigAnswersComeInParts(t *testing.T) {
	lines := []string{"profile classic", "informer pods", "handler h"}
	const objects = 2*link.MaxAnswer + 7
	for i := range objects {
		lines = append(lines, fmt.Sprintf("exists pod a/%04d", i))
	}
	window := DefaultWindow
	window.Store = 60
	ask := asked(t, window, append(lines, "run")...)
	next := 0
	for from := 0; from < objects; from += link.MaxAnswer {
		a := ask(link.Query{Func: link.FuncIndexKeys, Index: "namespace", Value: "a", From: from})
		if a.Total != objects || a.From != from || len(a.Rows) != min(link.MaxAnswer, objects-from) {
			t.Fatalf("asked from row %d on, it gives %d rows of %d, from row %d on", from, len(a.Rows), a.Total, a.From)
		}
		for _, r := range a.Rows {
			if want := fmt.Sprintf("a/%04d", next); r.Text != want {
				t.Fatalf("row %d is %s", next, r.Text)
			}
			next++
		}
	}
	if a := ask(link.Query{Func: link.FuncList, From: 1 << 30}); a.From != 2*link.MaxAnswer || len(a.Rows) != 7 {
		t.Errorf("asked for rows beyond the end, it gives %d rows from %d on", len(a.Rows), a.From)
	}
	next = 0
	for cell := range window.Store {
		for _, r := range ask(link.Query{Func: link.FuncListKeys, Cell: cell}).Rows {
			if want := fmt.Sprintf("a/%04d", next); r.Text != want {
				t.Fatalf("cell %d has %s, not %s", cell, r.Text, want)
			}
			next++
		}
	}
	if next != objects {
		t.Errorf("the cells have %d objects", next)
	}
}
