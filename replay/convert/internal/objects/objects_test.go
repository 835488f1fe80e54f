package objects_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

func TestObjects(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"pods.watch.ndjson.gz", "watch spaced [pods v1 Pod: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18 WatchBookmark 3, keys 17]"},
		{"kubectl-get-pods-w-events.json.gz", "kubectl spaced [pods v1 Pod: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17]"},
		{"kubectl-get-pods-w-noevents.json.gz", "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 18 MODIFIED 124, keys 17] (typesWorkedOut 0 ) (noDeletions 0 )"},
		{"configmaps.list.p1.json", "list spaced [configmaps v1 ConfigMap: ListBegin 1 ListItem 14 ListEnd 1, keys 14]"},
		{"list-pretty.json", "list spaced [configmaps v1 ConfigMap: ListBegin 1 ListItem 2 ListEnd 1, keys 2] (pagesMissing 0 configmaps)"},
		{"watch-410-events-compacted.ndjson", "watch spaced [objects v1 : WatchOpen 1 ERROR 1 WatchEnd 1, keys 0]"},
		{"watch-cut-midjson-rst.ndjson", "watch spaced [nodes v1 Node: WatchOpen 1 ADDED 8, keys 8] (cut line 9, byte 32970: the JSON ends too early)"},
		{"watch-unauthorized.json", "refused: watch-unauthorized.json: line 1, byte 0: the API server refused: pods is forbidden"},
		{"pods-protobuf.ndjson.gz", "refused: pods-protobuf.ndjson.gz: the input is protobuf: ask the API server for JSON"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, c.name))
		if got := converttest.Summary(tr, err); got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestDifferencesBetweenDumpsAreEvents(t *testing.T) {
	first := converttest.PodList("10", converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4"), converttest.Pod("c", "3", "5"))
	second := converttest.PodList("20", converttest.Pod("d", "4", "15"), converttest.Pod("a", "1", "12"), converttest.Pod("b", "9", "14"))
	const want = "listed x/a/1@3, listed x/b/2@4, listed x/c/3@5, MODIFIED x/a/1@12, DELETED x/b/2@4, ADDED x/b/9@14, ADDED x/d/4@15, DELETED x/c/3@20"
	asKubectl := func(list string) string {
		return strings.NewReplacer(`"kind":"PodList"`, `"kind":"List"`, `"resourceVersion":"10"`, `"resourceVersion":""`, `"resourceVersion":"20"`, `"resourceVersion":""`).Replace(list)
	}
	for _, c := range []struct {
		name, want string
		inputs     []convert.Input
	}{
		{"in one file", want, []convert.Input{converttest.Text("dumps.json", first+"\n"+second)}},
		{"in two files", want, []convert.Input{converttest.Text("a.json", first), converttest.Text("b.json", second)}},
		{"in two files, the later first", want, []convert.Input{converttest.Text("a.json", second), converttest.Text("b.json", first)}},
		{"kubectl's", strings.Replace(want, "@20", "@15", 1), []convert.Input{converttest.Text("1.json", asKubectl(first)), converttest.Text("2.json", asKubectl(second))}},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, c.inputs...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := converttest.Events(tr); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if len(tr.Remarks) != 1 || tr.Remarks[0].ID != remarks.DumpDifferences {
			t.Errorf("%s: remarks %v", c.name, tr.Remarks)
		}
	}
}

// A list that follows watch events was asked for by a reflector, and a list in
// pages is one list.
func TestAListAfterEventsIsAList(t *testing.T) {
	page := strings.Replace(converttest.PodList("10", converttest.Pod("a", "1", "3")), `"10"`, `"10","continue":"next"`, 1)
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", page+converttest.PodList("10", converttest.Pod("b", "2", "4"))+`{"type":"ADDED","object":`+converttest.Pod("c", "3", "11")+"}\n"+converttest.PodList("20", converttest.Pod("a", "1", "3"))))
	if got, want := converttest.Summary(tr, err), "list spaced [pods v1 Pod: ListBegin 2 ListItem 3 ListEnd 2 WatchOpen 1 ADDED 1 WatchEnd 1, keys 3]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// What is odd about resourceVersions is told once, by the summary and by the trace.
func TestOddResourceVersionsAreToldOnce(t *testing.T) {
	in := converttest.AddedEvent(converttest.Pod("a", "1", "5")) + strings.Replace(converttest.AddedEvent(converttest.Pod("a", "1", "9"))+converttest.AddedEvent(converttest.Pod("a", "1", "7")), "ADDED", "MODIFIED", 2)
	var b bytes.Buffer
	sum, err := convert.Convert(&b, []convert.Input{converttest.Text("x", in)}, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
	want := trace.Remark{ID: trace.VersionsBack, Count: 1, Detail: "pods"}
	if err != nil || len(sum.Remarks) != 1 || sum.Remarks[0] != want || len(tr.Remarks) != 1 || tr.Remarks[0] != want {
		t.Errorf("%v: the summary has %v, and the trace %v", err, sum.Remarks, tr.Remarks)
	}
}

func TestMadeSamples(t *testing.T) {
	pod, podList := converttest.Pod, converttest.PodList
	converttest.CheckTestdata(t, map[string]string{
		"made-410.ndjson": converttest.AddedEvent(pod("a", "1", "5")) + `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 5 (9)","reason":"Expired","code":410}}` + "\n",
		"made-dumps.json": podList("10", pod("a", "1", "3"), pod("b", "2", "4")) + "\n" + podList("20", pod("b", "2", "14"), pod("c", "3", "15")) + "\n",
	})
}
