package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

// playedInChunks reads a capture by so many bytes at a time, plays each as soon
// as it is there, forgetting by so many things at a time, and returns the calls
// and the report.
func playedInChunks(t *testing.T, content []byte, by, forgets int, args ...string) (calls, doc string) {
	t.Helper()
	o, err := reportFlags(append(args, "--notifications", "x"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if o.how.forgets = forgets; forgets == 1 {
		o.how.keys, o.how.retired = 1, math.MaxInt
	}
	r := format.NewReader(format.Options{})
	run := &reporting{o: o, ctx: context.Background(), trace: r.Trace()}
	defer run.close()
	for b := range slices.Chunk(content, by) {
		if err := r.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := run.grown(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := run.grown(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, p := range run.played() {
		if err := p.calls.writeTo(&out, p.feed.Resource.Name()); err != nil {
			t.Fatal(err)
		}
	}
	b, err := json.MarshalIndent(run.report(&captured{trace: r.Trace()}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), string(b)
}

// TestPlayedWhileRead: whether a capture is played while it arrives or when all
// of it is there makes no difference, nor does how much of it is forgotten.
func TestPlayedWhileRead(t *testing.T) {
	for _, name := range []string{"small-pods.trace.jsonl.gz", "cg036-watchlist.trace.jsonl.gz", "cg037-listwatch-selector.trace.jsonl.gz", "cut.watch.ndjson", "../../../../web/traces/shop.trace.jsonl.gz"} {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := file.Plain(f)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(plain)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		for _, args := range [][]string{
			{"--profile", "current"},
			{"--profile", "classic", "--handler", "a,resync=3s,until=60s", "--handler", "b,takes=20ms,from=5s", "--handler", "c,resync=7s"},
			{"--profile", "v0.33", "--handler", "slow,takes=700ms,resync=10s"},
		} {
			wantCalls, wantDoc := playedInChunks(t, content, len(content), 0, args...)
			for _, with := range []struct{ by, forgets int }{{700, 0}, {700, 1}, {3000, 50}, {40_000, 1}} {
				calls, doc := playedInChunks(t, content, with.by, with.forgets, args...)
				if calls != wantCalls {
					t.Errorf("%s %v: by %d bytes, forgetting by %d, the calls are others", name, args, with.by, with.forgets)
				}
				if doc != wantDoc {
					t.Errorf("%s %v: by %d bytes, forgetting by %d, the report is another", name, args, with.by, with.forgets)
				}
			}
			if len(wantCalls) == 0 {
				t.Errorf("%s: no calls", name)
			}
		}
	}
}

// TestReportForgets: what has been played is let go.
func TestReportForgets(t *testing.T) {
	const events = 60_000
	name := filepath.Join(t.TempDir(), "watch")
	if err := os.WriteFile(name, bytes.Repeat([]byte(podEvents), events/3), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := openCaptures(t.Context(), []string{name}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := reportFlags([]string{"--handler", "a,takes=1ms", name}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	run, got, err := o.play(c)
	if err != nil {
		t.Fatal(err)
	}
	defer run.close()
	// A chunk of it is 8 000 events, and 16 384 are forgotten at once.
	r := got.trace.Resources[0]
	if kept := cap(r.Records); kept > 40_000 || r.Forgotten+len(r.Records) != events+1 {
		t.Errorf("room for %d records is kept of %d", kept, r.Forgotten+len(r.Records))
	}
	if d := run.report(got); d.Resources[0].Events.all() != events || d.Resources[0].Informer.Listeners[0].OnDelete != events/3 {
		t.Errorf("%+v", d.Resources[0])
	}
	if n := cap(run.players[0].observed.waiting[0].all); n > 40_000 {
		t.Errorf("the moments of %d notifications are kept", n)
	}
}

// TestResyncsEnd: a time that is centuries off does not keep a report going for
// ever, and a handler that is too slow for its resync does not either.
func TestResyncsEnd(t *testing.T) {
	const v1 = `{"informerscope":"trace","version":1}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}
{"t":5,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}}}
`
	name := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(name, []byte(v1+`{"t":9223372036854775807,"id":1,"event":{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"2"}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := openCaptures(t.Context(), []string{name}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := reportFlags([]string{"--handler", "a,resync=1s", name}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.how.resyncs = 5000
	run, _, err := o.play(c)
	defer run.close()
	if err == nil || err.Error() != "pods: the resync timer fires more than 5000 times by 1:23:21, which is the limit: is a time wrong?" {
		t.Errorf("got %v", err)
	}
	status, out, errs := play(t, v1+`{"t":10000000000,"id":1,"event":{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"2"}}}}`,
		"report", "--notifications", "--handler", "a,resync=1s,takes=5s")
	if n := strings.Count(out, "OnUpdate"); status != 0 || n < 5 || n > 10 {
		t.Errorf("status %d, %d resyncs:\n%s", status, n, errs)
	}
}

// FuzzReport: whatever is reported on, it ends, and nothing panics.
func FuzzReport(f *testing.F) {
	const v1 = `{"informerscope":"trace","version":1}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}
`
	f.Add([]byte(podEvents))
	f.Add([]byte(podYAML))
	f.Add([]byte(v1 + `{"t":9223372036854775807,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}}}`))
	f.Add([]byte(v1 + `{"t":9,"id":1,"resp":{"status":410}}` + "\n" + `{"t":9,"id":1,"end":{"how":"eof"}}`))
	f.Add([]byte(v1 + `{"t":9,"id":1,"resp":{"status":200}}` + "\n" + `{"t":9223372036854775000,"id":1,"end":{"how":"reset"}}` + "\n" + `{"t":9223372036854775001,"id":2,"req":{"method":"GET","url":"/api/v1/pods"}}`))
	f.Add([]byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}` + "\n" + podEvents))
	f.Add([]byte(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"x"}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		args := []string{"report", name, "--handler", "a", "--handler", "b,takes=1s,from=2s,until=9s"}
		if status := run(t.Context(), args, &out, &errs); status == 1 && errs.Len() == 0 {
			t.Error("it fails, and does not say why")
		}
		if status := run(t.Context(), append(args, "--json"), &out, &errs); status == 1 && errs.Len() == 0 {
			t.Error("it fails, and does not say why")
		}
	})
}
