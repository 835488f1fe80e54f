package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/informerscope/informerscope/engine/object"
)

const head = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","recorder":"r","server":"s","later":{"x":[1]}}`

// decode reads lines after a header. A line that begins with "!" must fail.
func decode(t *testing.T, lines ...string) *Trace {
	t.Helper()
	tr := &Trace{}
	d, err := NewDecoder(tr, []byte(head))
	if err != nil {
		t.Fatal(err)
	}
	offset := int64(len(head) + 1)
	for _, l := range lines {
		l, bad := strings.CutPrefix(l, "!")
		if err := d.Line([]byte(l), offset); (err != nil) != bad {
			t.Fatalf("%s: error %v", l, err)
		}
		offset += int64(len(l) + 1)
	}
	return tr
}

// writeRecords writes a resource's records, one a line.
func writeRecords(r *Resource) string {
	var b strings.Builder
	for _, x := range r.Records {
		fmt.Fprintf(&b, "%d %d %v", x.Time, x.Request, x.Kind)
		if x.Type != NoType {
			fmt.Fprintf(&b, " %v", x.Type)
		}
		if x.Obj != 0 {
			fmt.Fprintf(&b, " %s", r.Table.KeyText(r.Table.KeyOf(x.Obj)))
		}
		if x.RV != 0 {
			fmt.Fprintf(&b, " @%s", r.Table.RVText(x.RV))
		}
		if x.Failure != NoFailure {
			fmt.Fprintf(&b, " %v", x.Failure)
		}
		if x.Code != 0 {
			fmt.Fprintf(&b, " %d", x.Code)
		}
		if x.RetryAfter != 0 {
			fmt.Fprintf(&b, " after %d s", x.RetryAfter-1)
		}
		if x.Streaming {
			b.WriteString(" streaming")
		}
		if s := r.Text(x); s != "" {
			fmt.Fprintf(&b, " %q", s)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != strings.TrimLeft(want, "\n") {
		t.Errorf("the records are\n%s\nwant\n%s", got, want)
	}
}

func TestRecordIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Record{}); n > 48 {
		t.Errorf("a Record takes %d bytes; a long trace has hundreds of thousands", n)
	}
}

func TestListAndWatch(t *testing.T) {
	tr := decode(t,
		`{"t":1,"id":1,"req":{"method":"GET","url":"/apis/apps/v1/namespaces/shop/deployments?limit=500&resourceVersion=0"}}`,
		`{"t":2,"id":1,"resp":{"status":200}}`,
		`{"t":3,"id":1,"body":{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop","resourceVersion":"5","labels":{"z":"1","a":"2"}}},{"metadata":{"name":"b","namespace":"shop","resourceVersion":"6"}}]}}`,
		`{"t":3,"id":1,"end":{"how":"eof"}}`,
		`{"t":4,"id":2,"req":{"method":"GET","url":"/apis/apps/v1/namespaces/shop/deployments?watch=true&resourceVersion=7"}}`,
		`{"t":5,"id":2,"resp":{"status":200}}`,
		`{"t":6,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Deployment","metadata":{"name":"a","namespace":"shop","uid":"u","resourceVersion":"8"}}}}`,
		`{"t":4,"id":2,"event":{"type":"DELETED","object":{"kind":"Deployment","metadata":{"name":"b","namespace":"shop","resourceVersion":"9"}}}}`,
		`{"t":8,"id":2,"event":{"type":"BOOKMARK","object":{"kind":"Deployment","metadata":{"resourceVersion":"10"}}}}`,
		`{"t":9,"id":2,"event":{"type":"CHANGED","object":{"kind":"Deployment","metadata":{"name":"c","namespace":"shop","resourceVersion":"11"}}}}`,
		`{"t":10,"unheard":{"of":1}}`,
		`{"t":11,"id":2,"end":{"how":"reset","error":"connection reset by peer"}}`,
		`{"t":12,"mark":{"text":"rollout"}}`,
	)
	if len(tr.Resources) != 1 {
		t.Fatal(len(tr.Resources), "resources")
	}
	r := tr.Resources[0]
	expect(t, writeRecords(r), `
1 1 ListBegin @0
3 1 ListItem shop/a @5
3 1 ListItem shop/b @6
3 1 ListEnd @7
5 2 WatchOpen @7 200
6 2 WatchEvent MODIFIED shop/a @8
6 2 WatchEvent DELETED shop/b @9
8 2 WatchBookmark @10
9 2 WatchEvent unknown shop/c @11
11 2 WatchEnd Reset "connection reset by peer"
`)
	if r.Name() != "deployments.apps in shop" || r.Version != "v1" || r.Kind != "Deployment" || r.Events != 4 || r.Lists != 1 {
		t.Error(r.Name(), r.Version, r.Kind, r.Events, r.Lists)
	}
	if len(tr.Marks) != 1 || tr.Marks[0] != (Mark{12, "rollout"}) || tr.Records != 10 {
		t.Error(tr.Marks, tr.Records)
	}
	labels := r.Table.LabelsOf(r.Table.LabelSetOf(1))
	if len(labels) != 2 || r.Table.Text(labels[0].Name) != "a" || r.Table.Text(labels[1].Value) != "1" {
		t.Error("labels are not in the order of their names:", labels)
	}
}

// client-go passes over an event whose object is of another kind or apiVersion than
// what it has asked for, so each record says so.
func TestEventsOfAnotherKindAreTold(t *testing.T) {
	lines := []string{
		`{"t":1,"id":1,"req":{"method":"GET","url":"/apis/apps/v1/deployments"}}`,
		`{"t":1,"id":1,"body":{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","resourceVersion":"5"}}]}}`,
		`{"t":1,"id":1,"end":{"how":"eof"}}`,
		`{"t":2,"id":2,"req":{"method":"GET","url":"/apis/apps/v1/deployments?watch=true&resourceVersion=7"}}`,
		`{"t":3,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a","resourceVersion":"8"}}}}`,
		`{"t":4,"id":2,"event":{"type":"ADDED","object":{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"a","resourceVersion":"9"}}}}`,
		`{"t":5,"id":2,"event":{"type":"DELETED","object":{"kind":"Deployment","apiVersion":"apps/v1beta1","metadata":{"name":"a","resourceVersion":"10"}}}}`,
		`{"t":6,"id":2,"event":{"type":"MODIFIED","object":{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"nowhere","resourceVersion":"11"}}}}`,
		`{"t":7,"id":2,"event":{"type":"BOOKMARK","object":{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"resourceVersion":"12","annotations":{"k8s.io/initial-events-end":"true"}}}}}`,
		`{"t":8,"id":2,"event":{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"reason":"Expired","code":410}}}`,
	}
	tr := decode(t, lines...)
	expect(t, writeRecords(tr.Resources[0]), `
1 1 ListBegin
1 1 ListItem a @5
1 1 ListEnd @7
3 2 WatchOpen @7
3 2 WatchEvent MODIFIED a @8
4 2 WatchEvent ADDED a @9 OtherKind
5 2 WatchEvent DELETED a @10 OtherKind
6 2 WatchEvent MODIFIED nowhere @11 OtherKind
7 2 WatchBookmark @12 OtherKind
8 2 WatchEvent ERROR Expired 410
`)
	if tr.Lost != 0 {
		t.Errorf("%d events are missing, says %v", tr.Lost, tr.Problems)
	}
	// Where there is no list, the first event tells what was asked for.
	tr = decode(t, append([]string{lines[3]}, lines[4:6]...)...)
	expect(t, writeRecords(tr.Resources[0]), "3 1 WatchOpen @7\n3 1 WatchEvent MODIFIED a @8\n4 1 WatchEvent ADDED a @9 OtherKind\n")
}

func TestPagesAreOneList(t *testing.T) {
	page := func(id, rv, next, name string) string {
		return `{"t":1,"id":` + id + `,"body":{"kind":"PodList","metadata":{"resourceVersion":"` + rv + `","continue":"` + next + `"},"items":[{"metadata":{"name":"` + name + `"}}]}}`
	}
	tr := decode(t,
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=1"}}`, page("1", "7", "x", "a"), `{"t":1,"id":1,"end":{"how":"eof"}}`,
		`{"t":2,"id":2,"req":{"method":"GET","url":"/api/v1/pods?limit=1&continue=x"}}`, page("2", "7", "", "b"), `{"t":2,"id":2,"end":{"how":"eof"}}`,
		`{"t":3,"id":3,"req":{"method":"GET","url":"/api/v1/pods?limit=1"}}`, page("3", "9", "y", "a"), `{"t":3,"id":3,"end":{"how":"eof"}}`,
		`{"t":4,"id":4,"req":{"method":"GET","url":"/api/v1/pods?limit=1&continue=y"}}`, `{"t":4,"id":4,"resp":{"status":410}}`,
		`{"t":5,"id":4,"body":{"kind":"Status","status":"Failure","reason":"Expired","message":"gone","code":410}}`, `{"t":5,"id":4,"end":{"how":"eof"}}`,
	)
	expect(t, writeRecords(tr.Resources[0]), `
1 1 ListBegin
1 1 ListItem a
2 2 ListItem b
2 2 ListEnd @7 2
3 3 ListBegin
3 3 ListItem a
5 4 ListError Expired 410 "gone"
`[1:])
}

// A client that asks for a page again still has the pages before it.
func TestAPageThatIsAskedForAgain(t *testing.T) {
	lines := func(next string) []string {
		return []string{
			`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=1&resourceVersion=0"}}`,
			`{"t":1,"id":1,"body":{"kind":"PodList","metadata":{"resourceVersion":"7","continue":"x"},"items":[{"metadata":{"name":"a"}}]}}`, `{"t":1,"id":1,"end":{"how":"eof"}}`,
			`{"t":2,"id":2,"req":{"method":"GET","url":"/api/v1/pods?limit=1&continue=x"}}`, `{"t":2,"id":2,"end":{"how":"reset","error":"read: connection reset by peer"}}`,
			`{"t":3,"id":3,"req":{"method":"GET","url":"/api/v1/pods?limit=1` + next + `"}}`,
			`{"t":4,"id":3,"body":{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"b"}}]}}`, `{"t":4,"id":3,"end":{"how":"eof"}}`,
		}
	}
	const begin = "1 1 ListBegin @0\n1 1 ListItem a\n2 2 ListError Reset \"read: connection reset by peer\"\n"
	expect(t, writeRecords(decode(t, lines("&continue=x")...).Resources[0]), begin+"3 3 ListBegin @0\n3 3 ListItem a\n4 3 ListItem b\n4 3 ListEnd @7 2\n")
	expect(t, writeRecords(decode(t, lines("")...).Resources[0]), begin+"3 3 ListBegin\n4 3 ListItem b\n4 3 ListEnd @7\n")

	r := decode(t, lines("")[:5]...).Resources[0]
	if r.FirstKept() != 0 {
		t.Errorf("the records before record %d may be forgotten", r.FirstKept())
	}
}

// What a typed client makes of an answer that is no list.
func TestAnswersThatAreNoLists(t *testing.T) {
	for _, c := range []struct{ resp, body, end, want string }{
		{`200,"contentType":"text/html"`, "", `"eof"`, "3 1 ListError Undecodable 200\n"},
		{"200", "", `"eof","error":"the answer is cut"`, "3 1 ListError Undecodable 200 \"the answer is cut\"\n"},
		{"200", `{"kind":"Status","status":"Success","metadata":{}}`, `"eof"`, "2 1 ListEnd Undecodable \"the answer is of kind Status\"\n"},
		{"200", `{"kind":"Status","status":"Failure","message":"no","code":403}`, `"eof"`, "2 1 ListError Other 403 \"no\"\n"},
		{"200", `{"kind":"Pod","metadata":{"name":"a","resourceVersion":"3"}}`, `"eof"`, "2 1 ListEnd Undecodable \"the answer is of kind Pod\"\n"},
		{"200", `{"metadata":{"resourceVersion":"3"},"items":[{"metadata":{"name":"a"}}]}`, `"eof"`, "2 1 ListItem a\n2 1 ListEnd @3\n"},
		{"403", "", `"eof"`, "3 1 ListError Other 403\n"},
		{`429,"retryAfter":"5"`, "", `"eof"`, "3 1 ListError TooManyRequests 429 after 5 s\n"},
		{`503,"retryAfter":"0"`, "", `"eof"`, "3 1 ListError Other 503 after 0 s\n"},
		{`503,"retryAfter":"Sat, 01 Jan 2000 00:00:10 GMT"`, "", `"eof"`, "3 1 ListError Other 503\n"},
		{"", "", `"reset","error":"http2: client connection lost"`, "3 1 ListError ConnectionLost \"http2: client connection lost\"\n"},
		{"", "", `"reset","error":"unexpected EOF"`, "3 1 ListError BrokenOff \"unexpected EOF\"\n"},
		{"", "", `"reset","error":"dial tcp: lookup x: no such host"`, "3 1 ListError Other \"dial tcp: lookup x: no such host\"\n"},
		{"", "", `"timeout"`, "3 1 ListError TimedOut\n"},
		{"", "", `"canceled"`, ""},
	} {
		lines := []string{`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`}
		if c.resp != "" {
			lines = append(lines, `{"t":2,"id":1,"resp":{"status":`+c.resp+`}}`)
		}
		if c.body != "" {
			lines = append(lines, `{"t":2,"id":1,"body":`+c.body+`}`)
		}
		lines = append(lines, `{"t":3,"id":1,"end":{"how":`+c.end+`}}`)
		expect(t, writeRecords(decode(t, lines...).Resources[0]), "1 1 ListBegin\n"+c.want)
	}
}

func TestWaysToFail(t *testing.T) {
	for _, c := range []struct{ url, lines, want string }{
		{"/api/v1/pods?watch=1", `{"t":2,"id":1,"resp":{"status":403}}|{"t":3,"id":1,"body":{"kind":"Status","reason":"Forbidden","message":"no","code":403}}|{"t":3,"id":1,"end":{"how":"eof"}}`,
			"3 1 WatchError Other 403 \"no\"\n"},
		{"/api/v1/pods?watch=1", `{"t":2,"id":1,"end":{"how":"refused","error":"x"}}`, "2 1 WatchError Refused \"x\"\n"},
		{"/api/v1/pods?watch=1", `{"t":2,"id":1,"resp":{"status":429}}|{"t":2,"id":1,"end":{"how":"eof"}}`, "2 1 WatchError TooManyRequests 429\n"},
		{"/api/v1/pods", `{"t":2,"id":1,"resp":{"status":500}}|{"t":2,"id":1,"end":{"how":"eof"}}`, "1 1 ListBegin\n2 1 ListError InternalError 500\n"},
		{"/api/v1/pods", `{"t":2,"id":1,"resp":{"status":200}}|{"t":2,"id":1,"end":{"how":"reset"}}`, "1 1 ListBegin\n2 1 ListError Undecodable 200\n"},
		{"/api/v1/pods?resourceVersion=99", `{"t":2,"id":1,"resp":{"status":504}}|{"t":3,"id":1,"body":{"kind":"Status","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge"}]},"code":504}}`,
			"1 1 ListBegin @99\n3 1 ListError TooLarge 504\n"},
		{"/api/v1/pods?watch=1&resourceVersion=1", `{"t":2,"id":1,"resp":{"status":200}}|{"t":3,"id":1,"event":{"type":"ERROR","object":{"kind":"Status","metadata":{},"reason":"Expired","message":"too old","code":410}}}|{"t":3,"id":1,"end":{"how":"eof"}}`,
			"2 1 WatchOpen @1 200\n3 1 WatchEvent ERROR Expired 410 \"too old\"\n3 1 WatchEnd\n"},
		{"/api/v1/pods?watch=1&resourceVersion=1", `{"t":2,"id":1,"resp":{"status":200}}|{"t":3,"id":1,"event":{"type":"ERROR","object":{"kind":"Status","reason":"Gone","code":410}}}`,
			"2 1 WatchOpen @1 200\n3 1 WatchEvent ERROR Gone 410\n"},
		{"/api/v1/pods?watch=1", `{"t":2,"id":1,"resp":{"status":200}}|{"t":3,"id":1,"end":{"how":"recorder-stopped"}}`, "2 1 WatchOpen 200\n"},
	} {
		lines := append([]string{`{"t":1,"id":1,"req":{"method":"GET","url":"` + c.url + `"}}`}, strings.Split(c.lines, "|")...)
		expect(t, writeRecords(decode(t, lines...).Resources[0]), c.want)
	}
}

func TestReadersThatOverlapAreApart(t *testing.T) {
	tr := decode(t,
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=5"}}`,
		`{"t":1,"id":1,"resp":{"status":200}}`,
		`{"t":2,"id":2,"req":{"method":"GET","url":"/api/v1/pods"}}`,
		`{"t":2,"id":2,"body":{"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[]}}`,
		`{"t":2,"id":2,"end":{"how":"eof"}}`,
		`{"t":3,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"6"}}}}`,
		`{"t":4,"id":1,"end":{"how":"eof"}}`,
		`{"t":5,"id":3,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=9"}}`, // goes on from the list
		`{"t":5,"id":3,"resp":{"status":200}}`,
		`{"t":6,"id":4,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=6"}}`,
		`{"t":6,"id":4,"resp":{"status":200}}`,
		`{"t":7,"id":5,"req":{"method":"GET","url":"/api/v1/pods?watch=1&labelSelector=app%3Dweb"}}`,
		`{"t":7,"id":6,"req":{"method":"GET","url":"/api/v1/namespaces/x/pods/one"}}`,
		`{"t":7,"id":7,"req":{"method":"POST","url":"/api/v1/namespaces/x/pods"}}`,
		`{"t":7,"id":7,"body":{"kind":"Pod","metadata":{}}}`,
		`!{"t":7,"id":8,"event":{"type":"ADDED","object":{}}}`,
	)
	var names []string
	for _, r := range tr.Resources {
		names = append(names, r.Name())
	}
	if got := strings.Join(names, "; "); got != "pods; pods #2; pods, app=web" {
		t.Fatal(got)
	}
	expect(t, writeRecords(tr.Resources[0]), "1 1 WatchOpen @5 200\n3 1 WatchEvent ADDED a @6\n4 1 WatchEnd\n6 4 WatchOpen @6 200\n")
	expect(t, writeRecords(tr.Resources[1]), "2 2 ListBegin\n2 2 ListEnd @9\n5 3 WatchOpen @9 200\n")
}

// A controller that lists past its cache between the list and the watch of its informer is a reader of its own, whichever of
// them asks first.
func TestAListPastTheCacheIsSomebodyElses(t *testing.T) {
	list := func(id int, query string) []string {
		return []string{
			fmt.Sprintf(`{"t":%d,"id":%d,"req":{"method":"GET","url":"/api/v1/pods%s"}}`, id, id, query),
			fmt.Sprintf(`{"t":%d,"id":%d,"body":{"kind":"PodList","metadata":{"resourceVersion":"%d"},"items":[]}}`, id, id, id),
			fmt.Sprintf(`{"t":%d,"id":%d,"end":{"how":"eof"}}`, id, id),
		}
	}
	watch := []string{`{"t":9,"id":9,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=1"}}`, `{"t":9,"id":9,"resp":{"status":200}}`}
	query, other := "?limit=500&resourceVersion=0", ""
	for _, c := range []struct {
		lines [][]string
		want  string
	}{
		{[][]string{list(1, query), list(2, other), list(3, other), watch}, "pods, watched; pods #2"},
		{[][]string{list(0, other), list(1, query), list(3, other), watch}, "pods; pods #2, watched"},
		{[][]string{list(1, query), list(2, query), list(3, "?limit=500"), watch}, "pods, watched"},
		{[][]string{list(1, other), list(2, other), watch}, "pods, watched"},
	} {
		var got []string
		for _, r := range decode(t, slices.Concat(c.lines...)...).Resources {
			name := r.Name()
			if slices.ContainsFunc(r.Records, func(rec Record) bool { return rec.Kind == WatchOpen }) {
				name += ", watched"
			}
			got = append(got, name)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("got %s, want %s", text, c.want)
		}
	}
}

// An event belongs to the request that has its number when it comes. There may be another one of the number before, and
// after its end there is none.
func TestNumbersOfRequestsAreUsedAgain(t *testing.T) {
	event := `{"t":2,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"%d"}}}}`
	tr := decode(t, `{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}`, fmt.Sprintf(event, 1),
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/nodes?watch=1"}}`, fmt.Sprintf(event, 2),
		`{"t":3,"id":1,"end":{"how":"eof"}}`, "!"+fmt.Sprintf(event, 3))
	if n := len(tr.Resources); n != 2 || tr.Resources[0].Events != 1 || tr.Resources[1].Events != 1 {
		t.Errorf("of %d resources, the first ones have %d and %d events", n, tr.Resources[0].Events, tr.Resources[n-1].Events)
	}
}

func TestVersions(t *testing.T) {
	if _, err := NewDecoder(&Trace{}, []byte(`{"informerscope":"trace","version":2}`)); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Error(err)
	}
	if _, err := NewDecoder(&Trace{}, []byte(`{"informerscope":"trace"}`)); err == nil {
		t.Error("a header without a version is read")
	}
}

// sample reads a capture from testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decodeSample reads a whole capture.
func decodeSample(t testing.TB, b []byte) *Trace {
	t.Helper()
	tr := &Trace{}
	var d *Decoder
	var offset int64
	for line := range bytes.Lines(b) {
		var err error
		if d == nil {
			d, err = NewDecoder(tr, line)
		} else {
			err = d.Line(line, offset)
		}
		if err != nil {
			t.Fatal(offset, err)
		}
		offset += int64(len(line))
	}
	return tr
}

// Every version of the format ever written stays among these.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		name, resource string
		events, lists  int
		calls          string
	}{
		{"cg036-watchlist", "configmaps in gt", 108, 0, "h1-noresync 101 h2-resync3s 205 h3-default 244 h4-late 33"},
		{"cg037-listwatch-selector", "configmaps in gt, tier=gold", 91, 2, "h3-default 237 h1-noresync 99 h2-resync3s 218 h4-late 32"},
		{"small-pods", "pods", 146, 0, "h1-resync 171 h0 142"},
	} {
		tr := decodeSample(t, sample(t, c.name+".trace.jsonl.gz"))
		r := tr.Resources[0]
		var calls []string
		for _, h := range r.Handlers {
			calls = append(calls, fmt.Sprint(h.Name, " ", len(h.Calls)))
		}
		if len(tr.Resources) != 1 || r.Name() != c.resource || r.Events != c.events || r.Lists != c.lists || strings.Join(calls, " ") != c.calls {
			t.Errorf("%s: %s, %d events, %d lists, calls %s", c.name, r.Name(), r.Events, r.Lists, calls)
		}
	}
}

func TestCallsSayWhatWasThere(t *testing.T) {
	r := decodeSample(t, sample(t, "cg036-watchlist.trace.jsonl.gz")).Resources[0]
	rvs := map[object.Key]map[object.RV]bool{}
	for i := 1; i < r.Table.Len(); i++ {
		m := r.Table.Meta(object.Ref(i))
		if rvs[m.Key] == nil {
			rvs[m.Key] = map[object.RV]bool{}
		}
		rvs[m.Key][m.RV] = true
	}
	tombstones := 0
	for _, h := range r.Handlers {
		for _, c := range h.Calls {
			if !rvs[c.Key][c.RV] || c.Fn == OnUpdate && !rvs[c.Key][c.OldRV] {
				t.Fatalf("%s: %v of %s@%s, which was never sent", h.Name, c.Fn, r.Table.KeyText(c.Key), r.Table.RVText(c.RV))
			}
			if c.Tombstone {
				tombstones++
			}
		}
	}
	if tombstones == 0 {
		t.Error("no call has a DeletedFinalStateUnknown")
	}
}

// A call names the kind of its object, so two resources with one key aren't mixed up. Where it names none, or no resource's, the key tells.
func TestCallsNameTheKind(t *testing.T) {
	const object = `{"kind":"%[1]s","apiVersion":"v1","metadata":{"namespace":"shop","name":"web","resourceVersion":"11"}}`
	begin := `{"informerscope":"trace","version":1,"level":"transport"}` + "\n"
	for i, r := range [][2]string{{"configmaps", "ConfigMap"}, {"services", "Service"}} {
		begin += fmt.Sprintf(`{"t":0,"id":%[2]d,"req":{"method":"GET","url":"/api/v1/%[3]s?watch=true&resourceVersion=10"}}
{"t":0,"id":%[2]d,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":%[2]d,"event":{"type":"ADDED","object":`+object+`}}
`, r[1], i+1, r[0])
	}
	both := decodeSample(t, []byte(begin+`{"t":1,"call":{"handler":"h","fn":"OnAdd","kind":"Service","key":"shop/web","rv":"11"}}
{"t":1,"call":{"handler":"h","fn":"OnAdd","kind":"ConfigMap","key":"shop/web","rv":"11"}}`))
	if other, calls, others := both.Resources[0].Shared(both.Resources[0].Handlers[0]); other != both.Resources[1] || calls != 1 || others != 1 {
		t.Errorf("the handler of two informers is shared with %v, with %d and %d calls", other, calls, others)
	}
	for kind, want := range map[string]string{"Service": "services", "ConfigMap": "configmaps", "": "configmaps", "web.Service": "configmaps"} {
		tr := decodeSample(t, []byte(begin+fmt.Sprintf(`{"t":1,"call":{"handler":"h","fn":"OnAdd","kind":%q,"key":"shop/web","rv":"11"}}`, kind)))
		for _, r := range tr.Resources {
			if (r.Handler("h") != nil) != (r.Resource == want) {
				t.Errorf("%q: %s has a handler %v, want one of %s", kind, r.Resource, r.Handler("h") != nil, want)
			}
		}
	}
}

// olderLine is what the reader of commit 5be6a76 read of a line. It knew nothing of a
// controller's own work.
type olderLine struct {
	T     int64 `json:"t"`
	ID    int64 `json:"id"`
	Event struct {
		Type   string `json:"type"`
		Object struct {
			Kind string `json:"kind"`
		} `json:"object"`
	} `json:"event"`
	Req  *struct{} `json:"req"`
	Resp *struct {
		Status     int    `json:"status"`
		RetryAfter string `json:"retryAfter"`
	} `json:"resp"`
	Body struct {
		Kind     string `json:"kind"`
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	} `json:"body"`
	End  *struct{} `json:"end"`
	Call *struct{} `json:"call"`
	Mark *struct{} `json:"mark"`

	Remark  *struct{} `json:"remark"`
	Problem *struct{} `json:"problem"`
	Future  *struct{} `json:"future"`
}

// worked writes one line of each kind that tells of a controller's own work.
func worked(t testing.TB, w *Writer) {
	t.Helper()
	for _, err := range []error{
		w.Work(20, Queued{Queue: "web", Fn: "AddWithOpts", Key: "shop/web", After: 5, RateLimited: true, Priority: -100}),
		w.Work(20, Queued{Queue: "web", Fn: "When", Key: "shop/web", After: 5, Requeues: 2}),
		w.Work(21, Queued{Queue: "web", Fn: "Get", Key: "shop/web", Duration: 7}),
		w.Reconcile(22, 3, ReconcileStart{Controller: "web", Key: "shop/web", Worker: 1}),
		w.Write(23, 4, 3, Written{Verb: "update", URL: "/apis/apps/v1/namespaces/shop/replicasets/web/status", Key: "shop/web", RV: "17", UID: "u"}),
		w.Write(23, 5, 3, Written{Verb: "create", URL: "/api/v1/namespaces/shop/pods?dryRun=All", GenerateName: "web-"}),
		w.Write(24, 6, 0, Written{Verb: "patch", Patch: "merge", URL: "/api/v1/namespaces/shop/pods/a", Key: "shop/a"}),
		w.Wrote(25, 5, WriteResult{Status: 201, Key: "shop/web-x7f2k", RV: "18", UID: "v"}),
		w.Wrote(25, 4, WriteResult{Status: 409, Reason: "Conflict"}),
		w.Wrote(26, 6, WriteResult{Deleting: true, Ending: "reset", Error: "connection reset by peer"}),
		w.Calling(26, HandlerCall{Handler: "metrics", Fn: OnUpdate, Key: "shop/web", OldRV: "4", RV: "6", Duration: 9}),
		w.Reconciled(27, 3, Finished{Duration: 5, Result: ResultRequeueAfter, After: 6}),
		w.Reconciled(27, 7, Finished{Duration: 5, Result: ResultError, Error: "Conflict", Message: "the object has been modified"}),
		w.Work(28, Queued{Queue: "web", Fn: "Get", Empty: true}),
		w.Omitted(29, Omitted{Calls: 1, Work: 2, Reconciles: 3, Writes: 4, Requests: 5, Marks: 6}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Readers that don't know the lines of a controller's own work pass over them: nothing in such a
// line is what the reader of 5be6a76 looked for.
func TestOlderReadersPassOverTheControllersWork(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	worked(t, w)
	_, lines, _ := strings.Cut(out.String(), "\n")
	for line := range strings.Lines(lines) {
		var old olderLine
		if err := json.Unmarshal([]byte(line), &old); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if old.T == 0 {
			t.Errorf("no time: %s", line)
		}
		old.T, old.ID = 0, 0
		if !reflect.DeepEqual(old, olderLine{}) {
			t.Errorf("an older reader takes it for something else: %s", line)
		}
	}
	if err := w.ResponseAt(1, 1, LevelMetadata, 200, "application/vnd.kubernetes.protobuf", ""); err != nil {
		t.Fatal(err)
	}
}

// The sample is what a recorder within a controller writes, and what the reader of 5be6a76 made of
// it stands beside it.
func TestOlderReadersReadTheRest(t *testing.T) {
	sample, err := os.ReadFile("testdata/worker.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/worker-5be6a76.txt")
	if err != nil {
		t.Fatal(err)
	}
	tr := decodeSample(t, sample)
	var got strings.Builder
	for _, r := range tr.Resources {
		got.WriteString(r.Name() + "\n" + writeRecords(r))
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if tr.ProblemCount != 0 || len(tr.Marks) != 1 || len(tr.Resources[0].Handlers) != 1 {
		t.Errorf("%d problems, %d marks, handlers %v", tr.ProblemCount, len(tr.Marks), tr.Resources[0].Handlers)
	}
}

// Who asks for the lines that are passed over gets them all, with their times.
func TestOthers(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Mark(1, "x"); err != nil {
		t.Fatal(err)
	}
	worked(t, w)
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	var times []int64
	tr := &Trace{OtherLine: func(at int64, line []byte) error {
		times = append(times, at)
		return nil
	}}
	d, err := NewDecoder(tr, lines[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		if err := d.Line(line, 0); err != nil {
			t.Error(err)
		}
	}
	if len(times) != len(lines)-2 || !slices.IsSorted(times) || times[0] != 20 {
		t.Error(times)
	}
}

// A recording with more handlers than any process has takes no more time and memory than their limit allows, and says so.
func TestManyHandlers(t *testing.T) {
	lines := []string{
		`{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":0,"id":1,"resp":{"status":200}}`,
		`{"t":1,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"3"}}}}`,
	}
	for i := range maxHandlers + 50 {
		bad := ""
		if i >= maxHandlers {
			bad = "!"
		}
		lines = append(lines, fmt.Sprintf(`%s{"t":2,"call":{"id":1,"handler":"h%d","fn":"OnAdd","key":"x/a","rv":"3","took":5}}`, bad, i))
	}
	lines = append(lines, `{"t":3,"call":{"id":1,"handler":"h7","fn":"OnDelete","key":"x/a","rv":"3","took":5}}`)
	r := decode(t, lines...).Resources[0]
	if len(r.Handlers) != maxHandlers || len(r.Handlers[7].Calls) != 2 {
		t.Errorf("%d handlers are kept", len(r.Handlers))
	}
}
