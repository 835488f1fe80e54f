package report

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestReportMatchesRealInformers replays recordings of real client-go informers,
// and compares the calls that the engine's handlers get with the recorded calls of
// the real handlers. The order is compared within each key, because a Go map or
// the moment of a resync tick decides the rest.
func TestReportMatchesRealInformers(t *testing.T) {
	for _, c := range []struct {
		name, profile string
		handlers      []Handler
	}{
		{"cg036-watchlist", "v0.36.3", []Handler{
			handler("h1-noresync"), handler("h2-resync3s", resync(3*second), endAt(67_396_000_000)), handler("h3-default", resync(5*second)), handler("h4-late", startAt(8_819_781_828))}},
		{"cg037-listwatch-selector", "v0.37.2", []Handler{
			handler("h1-noresync"), handler("h2-resync3s", resync(3*second), endAt(72_590_115_683)), handler("h3-default", resync(5*second)), handler("h4-late", startAt(7_690_359_855))}},
		{"small-pods", "v0.36.3", []Handler{handler("h0"), handler("h1-resync", resync(30*second))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "testdata/" + c.name + ".trace.jsonl.gz"
			o := options(t, c.profile, c.handlers...)
			got := map[string][]Call{}
			o.Called = func(_ *trace.Resource, c Call) error {
				c.T = 0
				got[c.Handler] = append(got[c.Handler], c)
				return nil
			}
			play(t, content(t, file), readBy, o)
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

func recordedCalls(t *testing.T, file string) map[string][]Call {
	t.Helper()
	r := format.NewReader(format.Options{})
	if err := errors.Join(r.Write(content(t, file)), r.Close()); err != nil {
		t.Fatal(err)
	}
	calls := map[string][]Call{}
	for _, r := range r.Trace().Resources {
		for _, h := range r.Handlers {
			for _, c := range h.Calls {
				fn := map[trace.Fn]string{trace.OnAdd: "OnAdd", trace.OnUpdate: "OnUpdate", trace.OnDelete: "OnDelete"}[c.Fn]
				calls[h.Name] = append(calls[h.Name], Call{Handler: h.Name, Fn: fn, Key: r.Table.KeyText(c.Key),
					OldRV: r.Table.RVText(c.OldRV), RV: r.Table.RVText(c.RV), Initial: c.Initial, Tombstone: c.Tombstone})
			}
		}
	}
	return calls
}

func compareCalls(t *testing.T, name string, got, want []Call) {
	t.Helper()
	byKey := func(calls []Call) []Call {
		calls = slices.Clone(calls)
		slices.SortStableFunc(calls, func(a, b Call) int { return strings.Compare(a.Key, b.Key) })
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
	// Changes that came on a watch are told in the watch's order.
	live := func(calls []Call) (keys []string) {
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

// relistShuffles reports whether g and w differ only in the order of one short
// stretch, as they do after a relist by streaming list.
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
	o := options(t, "current", handler("a"), handler("b", startAt(9*second), takes(second/1000)))
	doc := play(t, content(t, "testdata/small-pods.trace.jsonl.gz"), readBy, o).Report()
	for i, want := range []Listener{
		{Name: "a", OnAdd: 18, OnUpdate: 106, OnDelete: 18},
		{Name: "b", OnAdd: 18, OnUpdate: 101, OnDelete: 18},
	} {
		got := doc.Resources[0].Informer.Listeners[i]
		if got.Name != want.Name || got.OnAdd != want.OnAdd || got.OnUpdate != want.OnUpdate || got.OnDelete != want.OnDelete || got.Left != 0 {
			t.Errorf("got %+v", got)
		}
	}
}

// TestSlowHandler has ten objects come at once, and each call takes a second. How
// far the handler falls behind is worked out by hand.
func TestSlowHandler(t *testing.T) {
	var watch strings.Builder
	watch.WriteString(`{"informerscope":"trace","version":1}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}` + "\n")
	for i := range 10 {
		fmt.Fprintf(&watch, `{"t":1000000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"n","resourceVersion":"%d"}}}}`+"\n", i, i+1)
	}
	watch.WriteString(`{"t":30000000000,"id":1,"event":{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p3","namespace":"n","resourceVersion":"20"}}}}` + "\n")
	r := play(t, []byte(watch.String()), readBy, options(t, "current", handler("slow", takes(second)), handler("quick"))).Report().Resources[0]
	slow, quick := r.Informer.Listeners[0], r.Informer.Listeners[1]
	about := func(got, want int64) bool { return max(got-want, want-got) < second/100 }
	// The tenth notification waits for nine calls.
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
	if r.Rate.Peak != 10 || r.Rate.PeakAt != second || r.Hottest[0] != (findings.HotKey{Key: "n/p3", Changes: 2, Share: 2.0 / 11}) || *r.Gap != (findings.Gap{Duration: 29 * second, From: second, To: 30 * second}) {
		t.Errorf("%+v %+v %+v", r.Rate, r.Hottest, r.Gap)
	}
}

// TestRelists: a 410 causes a relist, and an object that was deleted meanwhile
// comes as a tombstone.
func TestRelists(t *testing.T) {
	doc := play(t, content(t, "testdata/cg036-watchlist.trace.jsonl.gz"), readBy, options(t, "v0.36.3", handler("h"))).Report()
	x := doc.Resources[0].Informer
	if x.RelistCount != 1 || x.RelistsBy[ask.Expired] != 1 || x.Relists[0].Code != 410 || x.Relists[0].Items != int64(x.Cache) || x.Listeners[0].Tombstones != 1 || doc.Resources[0].Events.Expired != 1 {
		t.Errorf("%+v", x)
	}
}

// TestAnInformerThatNeverSyncs: a list that is denied is denied, and the report says
// by whom and why. A relist without a reason is not called expired.
func TestAnInformerThatNeverSyncs(t *testing.T) {
	list := func(at int, answers ...string) (lines string) {
		for _, a := range append([]string{`"req":{"method":"GET","url":"/api/v1/pods"}`}, append(answers, `"end":{"how":"eof"}`)...) {
			lines += fmt.Sprintf("{\"t\":%d,\"id\":%d,%s}\n", at*second, at, a)
		}
		return lines
	}
	const (
		header = `{"informerscope":"trace","version":1}` + "\n"
		denied = `"body":{"kind":"Status","status":"Failure","reason":"Forbidden","message":"pods is forbidden","code":403}`
		pods   = `"body":{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","resourceVersion":"4"}}]}`
	)
	profile := options(t, "v0.32", handler("h"))
	x := play(t, []byte(header+list(1, `"resp":{"status":403}`, denied)+list(2, `"resp":{"status":403}`, denied)), readBy, profile).Report().Resources[0].Informer
	if x.Synced != nil || x.ListFailures != 2 || x.Cache != 0 || *x.ListFailure != (ListFailure{x.ListFailure.T, 403, "Other", "pods is forbidden"}) {
		t.Errorf("denied: %+v %+v", x, x.ListFailure)
	}
	// From v0.35 on the first list is a streaming one, which is denied, too.
	x = play(t, []byte(header+list(1, `"resp":{"status":403}`, denied)), readBy, options(t, "v0.37", handler("h"))).Report().Resources[0].Informer
	if f := x.ListFailure; x.Synced != nil || x.ListFailures != 1 || f == nil || f.Code != 403 || f.Message != "pods is forbidden" {
		t.Errorf("a streaming list is denied: %+v %+v", x, f)
	}

	x = play(t, []byte(header+list(1, pods)+list(9, pods)), readBy, profile).Report().Resources[0].Informer
	if x.Synced == nil || x.ListFailure != nil || x.RelistCount != 1 || x.Relists[0].Reason != ask.ListedAgain || x.Relists[0].Code != 0 {
		t.Errorf("listed again: %+v", x)
	}
}

// TestAWatchThatBringsNonsense: a recorder that was sent something else than a watch
// event lists again, and the report says why.
func TestAWatchThatBringsNonsense(t *testing.T) {
	var out bytes.Buffer
	w, err := trace.NewWriter(&out, trace.Header{Level: trace.AtTransport})
	if err != nil {
		t.Fatal(err)
	}
	f := follow.New(follow.NewLog(w), follow.Options{Path: "/api/v1/pods"})
	at := int64(second)
	for _, answer := range []string{
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]}`, "<html>\n",
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"6"},"items":[]}`,
	} {
		if _, ok := f.Next(); !ok {
			t.Fatal("the recorder asks for nothing")
		}
		f.Sent(at)
		f.Response(at, follow.Head{Status: 200, ContentType: "application/json"})
		if f.Data(at, []byte(answer)) {
			f.End(at, follow.EOF, "")
		}
		at += 10 * second
	}
	x := play(t, out.Bytes(), readBy, options(t, "v0.32", handler("h"))).Report().Resources[0].Informer
	if x.RelistCount != 1 || x.Relists[0].Reason != ask.Undecodable || x.Relists[0].Code != 0 {
		t.Errorf("%+v in\n%s", x.Relists, &out)
	}
}
