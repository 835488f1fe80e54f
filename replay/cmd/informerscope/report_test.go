package main

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	status := run(t.Context(), []string{"report", "--json", "--handler", "a", "--handler", "b,from=9s,takes=1ms", "testdata/small-pods.trace.jsonl.gz"}, &out, &errs)
	var doc reportDoc
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil || status != 0 || len(doc.Resources) != 1 {
		t.Fatalf("status %d, %v:\n%s%s", status, err, &out, &errs)
	}
	for i, want := range []handlerReport{
		{Name: "a", OnAdd: 18, OnUpdate: 106, OnDelete: 18},
		{Name: "b", OnAdd: 18, OnUpdate: 101, OnDelete: 18},
	} {
		got := doc.Resources[0].Informer.Listeners[i]
		if got.Name != want.Name || got.OnAdd != want.OnAdd || got.OnUpdate != want.OnUpdate || got.OnDelete != want.OnDelete || got.Left != 0 {
			t.Errorf("got %+v", got)
		}
	}
	for _, args := range [][]string{
		{"report"}, {"report", "--handler", "", "x"}, {"report", "--handler", "a,resync=soon", "x"}, {"report", "--handler", "a,colour=1s", "x"},
		{"report", "--handler", "a", "--handler", "a", "x"}, {"report", "--profile", "v9", "x"}, {"report", "--json", "--notifications", "x"},
	} {
		if status := run(t.Context(), args, &out, &errs); status != 2 {
			t.Errorf("%v gives %d", args, status)
		}
	}
	for _, args := range [][]string{
		{"report", "testdata/nothing"}, {"report", "testdata"}, {"report", "-", "-"}, {"report", "--resource", "dragons", "testdata/small-pods.trace.jsonl.gz"},
	} {
		if status := run(t.Context(), args, &out, &errs); status != 1 {
			t.Errorf("%v gives %d", args, status)
		}
	}
}

// TestSlowHandler: how far a handler falls behind can be worked out by hand. Ten
// objects come at once, and each call takes a second.
func TestSlowHandler(t *testing.T) {
	var watch strings.Builder
	watch.WriteString(`{"informerscope":"trace","version":1}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}` + "\n")
	for i := range 10 {
		fmt.Fprintf(&watch, `{"t":1000000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"n","resourceVersion":"%d"}}}}`+"\n", i, i+1)
	}
	watch.WriteString(`{"t":30000000000,"id":1,"event":{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p3","namespace":"n","resourceVersion":"20"}}}}` + "\n")
	status, out, errs := play(t, watch.String(), "report", "--json", "--handler", "slow,takes=1s", "--handler", "quick")
	var doc reportDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
		t.Fatalf("status %d, %v:\n%s%s", status, err, out, errs)
	}
	r := doc.Resources[0]
	slow, quick := r.Informer.Listeners[0], r.Informer.Listeners[1]
	about := func(got, want int64) bool { return max(got-want, want-got) < second/100 }
	// The tenth waits for nine calls.
	if !about(slow.Late, 9*second) || slow.OnAdd != 10 || slow.OnUpdate != 1 || slow.Behind != 10 {
		t.Errorf("slow: %+v", slow)
	}
	if !about(slow.LateAt, 10*second) {
		t.Errorf("the latest call was at %d", slow.LateAt)
	}
	if !about(slow.BehindAt, second) {
		t.Errorf("it was furthest behind at %d", slow.BehindAt)
	}
	if quick.Late > second/1000 || quick.Behind > 2 {
		t.Errorf("quick: %+v", quick)
	}
	if r.Rate.Peak != 10 || r.Rate.PeakAt != second || r.Hottest[0] != (hotReport{"n/p3", 2, 2.0 / 11}) || *r.Gap != (gapReport{29 * second, second, 30 * second}) {
		t.Errorf("%+v %+v %+v", r.Rate, r.Hottest, r.Gap)
	}
}

// TestRelists: a 410 makes a relist, and what went away meanwhile comes as a
// tombstone.
func TestRelists(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"report", "--json", "--profile", "v0.36.3", "testdata/cg036-watchlist.trace.jsonl.gz"}, &stdout, &stderr)
	var doc reportDoc
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || status != 0 {
		t.Fatalf("status %d, %v:\n%s%s", status, err, &stdout, &stderr)
	}
	x := doc.Resources[0].Informer
	if x.RelistCount != 1 || x.RelistsBy[whyExpired] != 1 || x.Relists[0].Code != 410 || x.Relists[0].Items != int64(x.Cache) || x.Listeners[0].Tombstones != 1 || doc.Resources[0].Events.Expired != 1 {
		t.Errorf("%+v", x)
	}
}
