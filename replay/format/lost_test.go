package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// In whatever parts a text comes, the same events are counted.
func TestLostCountsTypes(t *testing.T) {
	in := []byte(`xx"type":"ADDED"x"type": "MODIFIED""type":"Ready""type":"DELETEDx""type":"BOOKMARK"}"type":"type":"ERROR" "type":"ADD`)
	const want = 4
	if got := EventsIn(in); got != want {
		t.Errorf("%d events, not %d", got, want)
	}
	for chunk := 1; chunk <= len(in); chunk++ {
		var l lostCounter
		for at := 0; at < len(in); at += chunk {
			l.add(in[at:min(at+chunk, len(in))])
		}
		if got := l.count(); got != want {
			t.Errorf("by %d: %d events, not %d", chunk, got, want)
		}
	}
}

func eventOf(typ, name, uid, rv string) string {
	return fmt.Sprintf(`{"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"x","uid":"%s","resourceVersion":"%s"}}}`+"\n", typ, name, uid, rv)
}

// All damage is counted, with the events in it.
func TestDamageIsToldInFull(t *testing.T) {
	a, b, c := eventOf("ADDED", "a", "1", "1"), eventOf("MODIFIED", "a", "1", "2"), eventOf("DELETED", "a", "1", "3")
	whole := a + b + c
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[`
	for _, x := range []struct {
		name, in     string
		places, lost int64
	}{
		{"whole", whole, 0, 0},
		{"one event", a + "#" + b + c, 1, 1},
		{"two that became one", a + b[:60] + c[70:] + a, 1, 1},
		{"two on a line", a + "#" + strings.TrimSpace(b) + b + c, 1, 2},
		{"two places", a + "#" + b + a + "#" + b + c, 2, 2},
		{"much of nothing", strings.Repeat(a, 10) + strings.Repeat("\x00", 5*len(a)-1) + "\n" + a, 1, 0},
		{"words between events", a + "error: unable to decode an event from the watch stream: http2: client connection lost\n" + b + "---\n" + c +
			"I1120 21:06:42.000000       1 reflector.go:243] Listing and watching *v1.Pod\n^C", 0, 0},
		{"sizes of chunks", a + "\r\n1a2\r\n" + b + "\r\n0\r\n\r\n", 2, 0},
		{"much nonsense", strings.Repeat(a, 10) + strings.Repeat("nonsense ", 1000) + "\n" + a, 0, 0},
		{"the end of an event", a + b[40:] + c, 1, 1},
		{"the end", a + b[:50], 1, 1},
		{"a list", a + list, 1, 0},
		{"many", a + strings.Repeat("#"+b, 500) + c, 500, 500},
	} {
		for _, chunk := range []int{1 << 20, 7} {
			tr, err := read([]byte(x.in), chunk, Options{})
			if err != nil || tr.ProblemCount != x.places || tr.Lost != x.lost {
				t.Errorf("%s, by %d: %v, %d places, %d events, not %d and %d: %v", x.name, chunk, err, tr.ProblemCount, tr.Lost, x.places, x.lost, tr.Problems)
			}
		}
	}
}

// What stands between the values and is no part of any is counted, and is no damage.
func TestWordsBetweenAreCounted(t *testing.T) {
	a := eventOf("ADDED", "a", "1", "1")
	for _, chunk := range []int{1 << 20, 7} {
		tr, err := read([]byte(a+"error: connection lost\n"+a+"^Cuser@host:~$ kubectl get pods -w\nuser@host:~$ "), chunk, Options{})
		want := []trace.Remark{{ID: trace.LinesBetween, Count: 3}}
		if err != nil || tr.ProblemCount != 0 || !slices.Equal(tr.Remarks, want) {
			t.Errorf("by %d: %v, %v, %v", chunk, err, tr.Problems, tr.Remarks)
		}
	}
}

// Where the middle is gone and nothing is damaged, the events after it show the loss.
func TestTheMiddleIsMissing(t *testing.T) {
	a, b, c := eventOf("ADDED", "a", "1", "11"), eventOf("MODIFIED", "a", "1", "12"), eventOf("DELETED", "a", "1", "13")
	traceOf := func(lines ...string) string {
		s := `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":200}}
{"t":2,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[{"metadata":{"name":"z","namespace":"x","uid":"9","resourceVersion":"4"}}]}}
{"t":3,"id":1,"end":{"how":"eof"}}
{"t":4,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":5,"id":2,"resp":{"status":200}}
`
		for _, l := range lines {
			s += `{"t":6,"id":2,"event":` + strings.TrimSpace(l) + "}\n"
		}
		return s
	}
	again := eventOf("MODIFIED", "a", "2", "15")
	for _, x := range []struct {
		name, in string
		lost     int64
	}{
		{"nothing", traceOf(a, b, c), 0},
		{"ADDED", traceOf(b, c), 1},
		{"ADDED of two", traceOf(b, eventOf("DELETED", "b", "5", "14")), 2},
		{"of what was listed", traceOf(eventOf("MODIFIED", "z", "9", "12"), eventOf("DELETED", "z", "9", "14")), 0},
		{"created anew", traceOf(a, b, again), 1},
		{"a watch from elsewhere", strings.Replace(traceOf(b, c), "resourceVersion=10", "resourceVersion=8", 1), 0},
		{"a stream that nobody knows the beginning of", b + eventOf("DELETED", "b", "5", "13"), 0},
		{"a stream, deleted twice", a + c + eventOf("DELETED", "a", "1", "15"), 1},
		{"a stream, a DELETED that came twice", a + c + c, 0},
		{"deleted twice", traceOf(a, b, c, eventOf("DELETED", "a", "1", "15")), 1},
		{"deleted twice, of two objects", traceOf(a, b, c, eventOf("DELETED", "a", "2", "13")), 1},
		{"a DELETED that came twice", traceOf(a, b, c, c), 0},
		{"a stream, created anew", a + again, 1},
		{"two runs of kubectl get -w", a + b + a + b, 0},
	} {
		for _, glance := range []bool{false, true} {
			tr, err := read([]byte(x.in), 1<<20, Options{Glance: glance})
			if err != nil || tr.Lost != x.lost || (tr.ProblemCount != 0) != (x.lost != 0) {
				t.Errorf("%s: %v, %d events, not %d: %v", x.name, err, tr.Lost, x.lost, tr.Problems)
				continue
			}
			if x.lost > 0 && tr.Problems[0].Kind != trace.Missing {
				t.Errorf("%s has the problems %v", x.name, tr.Problems)
			}
		}
	}
}

// Nothing is missing in real captures. Where the middle is cut out of one, a problem
// nearly always says so.
func TestRealCapturesMissNothing(t *testing.T) {
	for _, name := range []string{"pods-streaminglist.ndjson.gz", "shop.trace.jsonl.gz", "pods.watch.ndjson.gz", "kubectl-get-pods-w-events.json.gz"} {
		in := sample(t, name)
		tr, err := read(in, 1<<20, Options{})
		if err != nil || tr.Lost != 0 {
			t.Errorf("%s: %v, %d events are said to be lost: %v", name, err, tr.Lost, tr.Problems)
		}
		r := rand.New(rand.NewPCG(1, 2))
		const tries = 20
		silent := 0
		for range tries {
			from := 400 + r.IntN(len(in)/2)
			to := from + r.IntN(len(in)-from)
			if cut, err := read(append(bytes.Clone(in[:from]), in[to:]...), 1<<20, Options{}); err == nil && cut.ProblemCount == 0 {
				silent++
			}
		}
		if silent > tries/5 {
			t.Errorf("%s: of %d cuts, %d are not noticed", name, tries, silent)
		}
	}
}

// A line that isn't UTF-8 is one problem, whether or not it was glanced at.
func TestNotUTF8(t *testing.T) {
	in := eventOf("ADDED", "a", "1", "1") + strings.Replace(eventOf("ADDED", "b", "2", "2"), `"kind":"Pod",`, `"kind":"Pod","x":"`+"\xff\xfe"+`",`, 1) + eventOf("ADDED", "c", "3", "3")
	for _, glance := range []bool{false, true} {
		tr, err := read([]byte(in), 1<<20, Options{Glance: glance})
		if glance {
			tr, _, err = glanced([]byte(in), 1<<20)
		}
		if err != nil || tr.Records != 4 || tr.ProblemCount != 1 || tr.Problems[0].Kind != trace.Encoding || tr.Problems[0].Line != 2 || tr.Lost != 0 {
			t.Errorf("glance %v: %v, %d records, %v", glance, err, tr.Records, tr.Problems)
		}
	}
}

// Resource versions that go back, or are no numbers, are remarked on. The initial events
// of a watch are in no order.
func TestOddResourceVersions(t *testing.T) {
	in := eventOf("ADDED", "b", "2", "9") + eventOf("ADDED", "a", "1", "5") + eventOf("MODIFIED", "a", "1", "12") + eventOf("MODIFIED", "b", "2", "11") +
		eventOf("MODIFIED", "b", "2", "v2") + eventOf("DELETED", "b", "2", "12")
	tr, err := read([]byte(in), 1<<20, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.Remark{{ID: trace.VersionsBack, Count: 1, Detail: "pods"}, {ID: trace.VersionsNotNumbers, Count: 1, Detail: "pods"}}
	if !slices.Equal(tr.Remarks, want) {
		t.Errorf("the remarks are %v", tr.Remarks)
	}
}

// The same of lists and their items. A list without a resourceVersion, and one of version
// 0, are nothing odd.
func TestOddResourceVersionsOfLists(t *testing.T) {
	for _, c := range []struct {
		list, item string
		odd        int64
	}{{"7", "5", 0}, {"", "5", 0}, {"0", "5", 0}, {"-7", "5", 1}, {"7", "36893488147419103232", 1}, {"v7", "v5", 2}} {
		in := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + c.list + `"},"items":[{"metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"` + c.item + `"}}]}`
		tr, err := read([]byte(in), 1<<20, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var odd int64
		for _, r := range tr.Remarks {
			if r.ID == trace.VersionsNotNumbers && r.Detail == "pods" {
				odd += r.Count
			}
		}
		if odd != c.odd {
			t.Errorf("list %q, item %q: %v", c.list, c.item, tr.Remarks)
		}
	}
}

// FuzzLost counts event types in two parts and in one, which must be the same.
func FuzzLost(f *testing.F) {
	f.Add([]byte(`"type":"ADDED""type": "MODIFIED"`), 9)
	f.Add([]byte(`"type":"type":"ERROR"`), 3)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		at = min(max(at, 0), len(b))
		var l lostCounter
		l.add(b[:at])
		l.add(b[at:])
		if got, want := l.count(), eventsBefore(b, len(b)); got != want {
			t.Errorf("%q in two parts: %d, not %d", b, got, want)
		}
	})
}
