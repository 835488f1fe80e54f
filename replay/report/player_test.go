package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// playedInChunks reads a capture so many bytes at a time, plays each chunk as soon
// as it is read, forgets at least so many records at a time, and returns the calls
// and the report.
func playedInChunks(t *testing.T, capture []byte, by, forgets int, o Options) (calls, doc string) {
	t.Helper()
	if o.Forget = forgets; forgets == 1 {
		o.MaxKeys, o.MaxRetired = 1, math.MaxInt
	}
	// The resources take turns by chunks, so the order of calls is compared within
	// each resource only.
	outputs := map[*trace.Resource]*bytes.Buffer{}
	o.Called = func(r *trace.Resource, c Call) error {
		if outputs[r] == nil {
			outputs[r] = &bytes.Buffer{}
		}
		return json.NewEncoder(outputs[r]).Encode(c)
	}
	p := play(t, capture, by, o)
	var all strings.Builder
	for _, r := range p.Played() {
		if outputs[r] != nil {
			all.WriteString(r.Name() + "\n" + outputs[r].String())
		}
	}
	b, err := json.MarshalIndent(p.Report(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return all.String(), string(b)
}

// TestPlayedWhileRead: the size of the chunks that are read changes nothing, and
// neither does the number of records that are forgotten at once.
func TestPlayedWhileRead(t *testing.T) {
	for _, name := range []string{"small-pods.trace.jsonl.gz", "cg036-watchlist.trace.jsonl.gz", "cg037-listwatch-selector.trace.jsonl.gz", "cut.watch.ndjson", "../../../web/traces/shop.trace.jsonl.gz"} {
		content := content(t, filepath.Join("testdata", name))
		for _, o := range []Options{
			options(t, "current", handler("handler")),
			options(t, "classic", handler("a", resync(3*second), endAt(60*second)), handler("b", takes(20*millisecond), startAt(5*second)), handler("c", resync(7*second))),
			options(t, "v0.33", handler("slow", takes(700*millisecond), resync(10*second))),
			comparePlays(t, "v0.22", "current", handler("a", resync(3*second), endAt(60*second)), handler("b", takes(20*millisecond), startAt(5*second))),
		} {
			wantCalls, wantDoc := playedInChunks(t, content, len(content), 0, o)
			for _, with := range []struct{ by, forgets int }{{700, 0}, {700, 1}, {3000, 50}, {40_000, 1}} {
				calls, doc := playedInChunks(t, content, with.by, with.forgets, o)
				if calls != wantCalls {
					t.Errorf("%s %v: by %d bytes, forgetting by %d, the calls are others", name, o.Handlers, with.by, with.forgets)
				}
				if doc != wantDoc {
					t.Errorf("%s %v: by %d bytes, forgetting by %d, the report is another", name, o.Handlers, with.by, with.forgets)
				}
			}
			if len(wantCalls) == 0 {
				t.Errorf("%s: no calls", name)
			}
		}
	}
}

// podEvents is a watch stream in which a pod comes, changes and goes.
const podEvents = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"1"}}}
{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"2"}}}
{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"3"}}}
`

// TestReportForgets: records that have been played are forgotten.
func TestReportForgets(t *testing.T) {
	const events = 60_000
	p := play(t, bytes.Repeat([]byte(podEvents), events/3), readBy, options(t, "current", handler("a", takes(millisecond))))
	// A chunk holds 8 000 events, and 16 384 records are forgotten at once.
	r := p.Played()[0]
	if kept := cap(r.Records); kept > 40_000 || r.Forgotten+len(r.Records) != events+1 {
		t.Errorf("room for %d records is kept of %d", kept, r.Forgotten+len(r.Records))
	}
	if d := p.Report().Resources[0]; d.Events.All() != events || d.Informer.Listeners[0].OnDelete != events/3 {
		t.Errorf("%+v", d)
	}
	if n := cap(p.players[0].machines[0].observed.waiting[0].values); n > 40_000 {
		t.Errorf("the moments of %d notifications are kept", n)
	}
}

// TestResyncsEnd: a report ends although a time is centuries off, or a handler is
// slower than its resync period.
func TestResyncsEnd(t *testing.T) {
	const v1 = `{"informerscope":"trace","version":1}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}
{"t":5,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}}}
`
	const last = `,"id":1,"event":{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"2"}}}}`
	o := options(t, "current", handler("a", resync(second)))
	o.MaxResyncs = 5000
	_, err := tryToPlay([]byte(v1+`{"t":9223372036854775807`+last), readBy, o)
	if err == nil || err.Error() != "pods: the resync timer fires more than 5000 times by 1:23:21, which is the limit: is a time wrong?" {
		t.Errorf("got %v", err)
	}
	p := play(t, []byte(v1+`{"t":10000000000`+last), readBy, options(t, "current", handler("a", resync(second), takes(5*second))))
	if n := p.Report().Resources[0].Informer.Listeners[0].OnUpdate; n < 5 || n > 10 {
		t.Errorf("%d resyncs", n)
	}
}

// TestPlayingStops: an error of Stopped or Called ends the playing.
func TestPlayingStops(t *testing.T) {
	enough := errors.New("enough")
	o := options(t, "current", handler("a"))
	o.Stopped = func() error { return enough }
	if _, err := tryToPlay([]byte(podEvents), readBy, o); !errors.Is(err, enough) {
		t.Errorf("Stopped: %v", err)
	}
	o.Stopped = nil
	calls := 0
	o.Called = func(*trace.Resource, Call) error {
		if calls++; calls == 2 {
			return enough
		}
		return nil
	}
	if _, err := tryToPlay([]byte(podEvents), 1, o); !errors.Is(err, enough) || calls != 2 {
		t.Errorf("Called: %v after %d calls", err, calls)
	}
}

func TestMoment(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0:00.000", 499_999: "0:00.000", 500_000: "0:00.001", 59_999_600_000: "1:00.000", 61_002_000_000: "1:01.002",
		3599_999_000_000: "59:59.999", 3600 * second: "1:00:00", 5001 * second: "1:23:21", math.MaxInt64: "2562047:47:16",
	} {
		if got := Moment(ns); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
}
