package feed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
)

// replay makes a trace of pods from lines, which follow a header, and plays it to one
// handler. It returns the world at the end, and what a user of the informer would
// have noticed.
func replay(t *testing.T, profile world.Profile, level string, lines ...string) (w *world.World, seen []string) {
	t.Helper()
	r := format.NewReader(format.Options{})
	input := `{"informerscope":"trace","version":1,"level":"` + level + `"}` + "\n" + strings.Join(lines, "\n") + "\n"
	if err := r.Write([]byte(input)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if n := r.Trace().ProblemCount; n != 0 {
		t.Fatal(r.Trace().Problems)
	}
	res := r.Trace().Resources[0]
	h, err := history.NewPassing(&world.Config{Seed: 1, Informers: []informer.Config{{
		Profile: profile, Table: res.Table, Feed: Feed{Trace: r.Trace(), Resource: res}, Handlers: []informer.Handler{{Name: "h"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	w = h.Front()
	for h.Extend(1) > 0 {
		for _, e := range w.Log.Events {
			switch e.Kind {
			case event.HandlerCalled:
				text := e.Delta.String() + " " + res.Table.KeyText(e.Key)
				if e.Old != 0 && e.New != 0 {
					text += " " + res.Table.RVText(res.Table.RVOf(e.Old)) + "→" + res.Table.RVText(res.Table.RVOf(e.New))
				}
				seen = append(seen, text)
			case event.RequestRetried:
				seen = append(seen, fmt.Sprintf("retry %d at %d s", e.Retry(), w.Now()/1e9))
			case event.ListFailed, event.WatchFailed, event.WatchErrorReceived:
				seen = append(seen, fmt.Sprintf("%v %d", e.Kind, e.Code()))
			case event.BackoffStarted:
				seen = append(seen, "back off")
			}
		}
	}
	return w, seen
}

// get is a request at a second, and what it is answered.
func get(at int, query string, answer ...string) (lines []string) {
	id := fmt.Sprintf(`{"t":%d,"id":%d,`, at*1_000_000_000, at+1)
	lines = append(lines, id+`"req":{"method":"GET","url":"/api/v1/pods?`+query+`"}}`)
	for _, a := range answer {
		lines = append(lines, id+a+"}")
	}
	return lines
}

const (
	ok    = `"resp":{"status":200,"contentType":"application/json"}`
	ended = `"end":{"how":"eof"}`
	reset = `"end":{"how":"reset","error":"read: connection reset by peer"}`
)

func pods(rv string, names ...string) string {
	var items []string
	for _, name := range names {
		items = append(items, `{"metadata":{"namespace":"a","name":"`+name+`","resourceVersion":"5"}}`)
	}
	return `"body":{"kind":"PodList","metadata":{"resourceVersion":"` + rv + `"},"items":[` + strings.Join(items, ",") + `]}`
}

func pod(typ, name, rv string) string {
	return `"event":{"type":"` + typ + `","object":{"kind":"Pod","metadata":{"namespace":"a","name":"` + name + `","resourceVersion":"` + rv + `"}}}`
}

// profiles are the profiles that don't stream lists, the oldest and one of the newest.
func profiles() []world.Profile {
	p, _ := world.Current.WithGate("WatchListClient", false)
	return []world.Profile{world.Classic, p}
}

func expectSeen(t *testing.T, p world.Profile, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("%s:\n got %s\nwant %s", p.Name, text, want)
	}
}

// A recorder below rest.Request sees each try. The informer above it notices
// nothing of them, and nor do its handlers.
func TestRetriesOfARecordedClient(t *testing.T) {
	lines := slices.Concat(
		get(0, "resourceVersion=0", reset),
		get(1, "resourceVersion=0", `"resp":{"status":429,"contentType":"application/json","retryAfter":"2"}`, `"body":{"kind":"Status","status":"Failure","reason":"TooManyRequests","code":429}`, ended),
		get(3, "resourceVersion=0", ok, pods("10", "x", "y"), ended),
		get(4, "watch=1&resourceVersion=10", reset),
		get(5, "watch=1&resourceVersion=10", ok, pod("MODIFIED", "x", "11"), ended),
	)
	const calls = "Added a/x; Added a/y; "
	for _, p := range profiles() {
		w, seen := replay(t, p, "transport", lines...)
		expectSeen(t, p, seen, "retry 1 at 1 s; retry 2 at 3 s; "+calls+"retry 1 at 5 s; Updated a/x 5→11")
		if !w.Informers[0].HasSynced() {
			t.Error("it has not synced")
		}
		// Recorded above rest.Request, the same is what has failed for good.
		_, seen = replay(t, p, "client", lines...)
		if !slices.Contains(seen, "back off") || slices.ContainsFunc(seen, func(s string) bool { return strings.HasPrefix(s, "retry") }) {
			t.Errorf("%s: recorded above the retries: %q", p.Name, seen)
		}
	}
}

// A page that is asked for again is no other list.
func TestARecordedPageIsTriedAgain(t *testing.T) {
	page := strings.Replace(pods("10", "x"), `"resourceVersion":"10"`, `"resourceVersion":"10","continue":"c"`, 1)
	lines := slices.Concat(
		get(0, "limit=500", ok, page, ended),
		get(1, "limit=500&continue=c", reset),
		get(2, "limit=500&continue=c", ok, pods("10", "y"), ended),
		get(3, "watch=1&resourceVersion=10", ok),
	)
	for _, p := range profiles() {
		_, seen := replay(t, p, "transport", lines...)
		expectSeen(t, p, seen, "retry 1 at 2 s; Added a/x; Added a/y")
	}
}

// What a list is answered that is no list, is what the informer gets.
func TestAnswersThatAreNoLists(t *testing.T) {
	forbidden := `"body":{"kind":"Status","status":"Failure","reason":"Forbidden","message":"pods is forbidden","code":403}`
	denied := func(at int) []string { return get(at, "limit=500", `"resp":{"status":403}`, forbidden, ended) }
	for _, c := range []struct {
		name   string
		lines  []string
		want   string
		synced bool
		says   string
	}{
		{"forbidden", slices.Concat(denied(0), denied(1), denied(4)), "ListFailed 403; back off; ListFailed 403; back off; ListFailed 403; back off", false, "pods is forbidden"},
		{"forbidden, then granted", slices.Concat(denied(0), get(1, "limit=500", ok, pods("10", "x"), ended)), "ListFailed 403; back off; Added a/x", true, ""},
		{"unauthorized", get(0, "", `"resp":{"status":401}`, ended), "ListFailed 401; back off", false, ""},
		{"a login page", get(0, "", `"resp":{"status":200,"contentType":"text/html"}`, ended), "ListFailed 200; back off", false, ""},
		{"cut short", get(0, "", ok, `"end":{"how":"reset","error":"unexpected EOF"}`), "ListFailed 200; back off", false, "unexpected EOF"},
		{"never", get(0, ""), "", false, ""},
		{"the recorder was stopped", get(0, "", ok, `"end":{"how":"recorder-stopped"}`), "", false, ""},
		{"another kind", get(0, "", ok, `"body":{"kind":"Status","status":"Success","metadata":{}}`, ended), "", true, "the answer is of kind Status"},
	} {
		for _, p := range append(profiles(), world.Current) {
			w, seen := replay(t, p, "transport", c.lines...)
			x := w.Informers[0]
			if p.Name == world.Current.Name && p.Reflector.StreamingList { // it asks for streams as well, and falls back
				if x.HasSynced() != c.synced {
					t.Errorf("%s, streaming: it has synced: %v", c.name, x.HasSynced())
				}
				continue
			}
			expectSeen(t, p, seen, c.want)
			if x.HasSynced() != c.synced || x.Indexer.Len() != strings.Count(c.want, "Added") {
				t.Errorf("%s, %s: it has synced: %v, with %d objects", c.name, p.Name, x.HasSynced(), x.Indexer.Len())
			}
			if says := x.Server.View(0, 0).Message; !c.synced && says != c.says {
				t.Errorf("%s, %s: the server says %q, want %q", c.name, p.Name, says, c.says)
			}
		}
	}
}

// A relist for which the recording has no reason is not called expired.
func TestARelistWithoutAReason(t *testing.T) {
	lines := slices.Concat(
		get(0, "", ok, pods("10", "x"), ended),
		get(1, "watch=1&resourceVersion=10", ok, pod("ADDED", "y", "11")),
		[]string{`{"t":9000000000,"id":2,"end":{"how":"canceled"}}`},
		get(20, "", ok, pods("12", "x"), ended),
	)
	for _, p := range profiles() {
		_, seen := replay(t, p, "transport", lines...)
		want := "Added a/x; Added a/y; WatchErrorReceived 0; back off; Updated a/x 5→5; Deleted a/y"
		if p.InOrder { // deletions come first
			want = "Added a/x; Added a/y; WatchErrorReceived 0; back off; Deleted a/y; Updated a/x 5→5"
		}
		expectSeen(t, p, seen, want)
	}
}
