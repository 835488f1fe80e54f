package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// TestReportMatchesRealInformers replays recordings of real client-go informers,
// and compares what the engine's handlers are called with to what theirs were.
// Where the real order is decided by a Go map, or by the moment of a resync tick,
// the order is that within each key.
func TestReportMatchesRealInformers(t *testing.T) {
	for _, c := range []struct {
		name, profile string
		handlers      []string
	}{
		{"cg036-watchlist", "v0.36.3", []string{"h1-noresync", "h2-resync3s,resync=3s,until=67.396s", "h3-default,resync=5s", "h4-late,from=8.819781828s"}},
		{"cg037-listwatch-selector", "v0.37.2", []string{"h1-noresync", "h2-resync3s,resync=3s,until=72.590115683s", "h3-default,resync=5s", "h4-late,from=7.690359855s"}},
		{"small-pods", "v0.36.3", []string{"h0", "h1-resync,resync=30s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "testdata/" + c.name + ".trace.jsonl.gz"
			args := []string{"report", file, "--profile", c.profile, "--notifications"}
			for _, h := range c.handlers {
				args = append(args, "--handler", h)
			}
			var out, errs bytes.Buffer
			if status := run(t.Context(), args, &out, &errs); status != 0 {
				t.Fatal(errs.String())
			}
			got := map[string][]called{}
			for line := range strings.Lines(out.String()) {
				var c called
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					t.Fatal(err)
				}
				c.T = 0
				got[c.Handler] = append(got[c.Handler], c)
			}
			real := recordedCalls(t, file)
			if len(real) != len(c.handlers) || len(got) != len(real) {
				t.Fatalf("%d handlers were recorded, %d are compared, %d were called", len(real), len(c.handlers), len(got))
			}
			for name, want := range real {
				compareCalls(t, name, got[name], want)
			}
		})
	}
}

func recordedCalls(t *testing.T, file string) map[string][]called {
	t.Helper()
	tr, err := readTrace(file, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]called{}
	for _, r := range tr.Resources {
		for _, h := range r.Handlers {
			for _, c := range h.Calls {
				fn := map[trace.Fn]string{trace.OnAdd: "OnAdd", trace.OnUpdate: "OnUpdate", trace.OnDelete: "OnDelete"}[c.Fn]
				calls[h.Name] = append(calls[h.Name], called{Handler: h.Name, Fn: fn, Key: r.Table.KeyText(c.Key),
					OldRV: r.Table.RVText(c.OldRV), RV: r.Table.RVText(c.RV), Initial: c.Initial, Tombstone: c.Tombstone})
			}
		}
	}
	return calls
}

func compareCalls(t *testing.T, name string, got, want []called) {
	t.Helper()
	byKey := func(calls []called) []called {
		calls = slices.Clone(calls)
		slices.SortStableFunc(calls, func(a, b called) int { return strings.Compare(a.Key, b.Key) })
		return calls
	}
	if g, w := byKey(got), byKey(want); !slices.Equal(g, w) {
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("%s got %d calls, %d were recorded; in the order of their keys the first that differ are\n got %+v\nwant %+v", name, len(g), len(w), g[min(i, len(g)-1)], w[min(i, len(w)-1)])
				return
			}
		}
	}
	// What was changed while the watch went on comes in the watch's order.
	live := func(calls []called) (keys []string) {
		for _, c := range calls {
			if !c.Initial && c.OldRV != c.RV && !c.Tombstone {
				keys = append(keys, c.Fn+" "+c.Key+" "+c.RV)
			}
		}
		return keys
	}
	if g, w := live(got), live(want); !slices.Equal(g, w) && !relistShuffles(g, w) {
		t.Errorf("%s got\n%v\nnot\n%v", name, g, w)
	}
}

// relistShuffles tells whether g and w differ only within one stretch, as the
// order of a relist by streaming list does.
func relistShuffles(g, w []string) bool {
	if len(g) != len(w) {
		return false
	}
	first, last := 0, len(g)
	for first < last && g[first] == w[first] {
		first++
	}
	for last > first && g[last-1] == w[last-1] {
		last--
	}
	a, b := slices.Clone(g[first:last]), slices.Clone(w[first:last])
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b) && last-first <= 8
}

func TestReportCounts(t *testing.T) {
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"report", "--handler", "a", "--handler", "b,from=9s,takes=1ms", "testdata/small-pods.trace.jsonl.gz"}, &out, &errs)
	want := `{"handler":"a","OnAdd":18,"OnUpdate":106,"OnDelete":18}
{"handler":"b","OnAdd":18,"OnUpdate":101,"OnDelete":18}
`
	if status != 0 || out.String() != want {
		t.Errorf("status %d:\n%s%s", status, &out, &errs)
	}
	for _, args := range [][]string{
		{"report"}, {"report", "--handler", "", "x"}, {"report", "--handler", "a,resync=soon", "x"}, {"report", "--handler", "a,colour=1s", "x"},
		{"report", "--handler", "a", "--handler", "a", "x"}, {"report", "--profile", "v9", "x"}, {"report", "x", "y"},
	} {
		if status := run(t.Context(), args, &out, &errs); status != 2 {
			t.Errorf("%v gives %d", args, status)
		}
	}
	if status := run(t.Context(), []string{"report", "testdata/nothing"}, &out, &errs); status != 1 {
		t.Errorf("a file that is not there gives %d", status)
	}
}
