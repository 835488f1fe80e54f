package convert_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

func TestTracesAreMergedOnOneClock(t *testing.T) {
	pods := converttest.OwnTrace("2026-11-20T10:00:05Z",
		`{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`,
		`{"t":1000000000,"id":1,"event":{"type":"ADDED","object":`+converttest.Pod("a", "1", "5")+`}}`)
	nodes := converttest.OwnTrace("2026-11-20T10:00:04Z",
		`{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/nodes?watch=true"}}`,
		`{"t":1500000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","resourceVersion":"4"}}}}`,
		`{"t":3000000000,"mark":{"text":"over"}}`)
	got, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("pods", pods), converttest.Text("nodes", nodes))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"informerscope":"trace","version":1,"start":"2026-11-20T10:00:04Z","recorder":"informerscope convert","from":"trace"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/nodes?watch=true"}}
{"t":1000000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}
{"t":1500000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","resourceVersion":"4"}}}}
{"t":2000000000,"id":2,"event":{"type":"ADDED","object":` + converttest.Pod("a", "1", "5") + `}}
{"t":3000000000,"mark":{"text":"over"}}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Two replicas of a controller count their reconciles alike. In the common trace each write still
// belongs to the reconcile of its own process.
func TestTheWorkOfTwoControllersIsMerged(t *testing.T) {
	replica := func(start, name string) string {
		return converttest.OwnTrace(start,
			`{"t":0,"id":1,"reconcile":{"controller":"web","key":"`+name+`","worker":1}}`,
			`{"t":10,"id":2,"in":1,"write":{"verb":"delete","url":"/api/v1/nodes/`+name+`","key":"`+name+`"}}`,
			`{"t":20,"id":2,"wrote":{"status":200}}`,
			`{"t":30,"id":1,"reconciled":{"result":"done","took":30}}`)
	}
	got, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("a", replica("2026-11-20T10:00:00Z", "a")), converttest.Text("b", replica("2026-11-20T10:00:00.000000005Z", "b")))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"informerscope":"trace","version":1,"start":"2026-11-20T10:00:00Z","recorder":"informerscope convert","from":"trace"}
{"t":0,"id":1,"reconcile":{"controller":"web","key":"a","worker":1}}
{"t":5,"id":2,"reconcile":{"controller":"web","key":"b","worker":1}}
{"t":10,"id":3,"in":1,"write":{"verb":"delete","url":"/api/v1/nodes/a","key":"a"}}
{"t":15,"id":4,"in":2,"write":{"verb":"delete","url":"/api/v1/nodes/b","key":"b"}}
{"t":20,"id":3,"wrote":{"status":200}}
{"t":25,"id":4,"wrote":{"status":200}}
{"t":30,"id":1,"reconciled":{"result":"done","took":30}}
{"t":35,"id":2,"reconciled":{"result":"done","took":30}}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What has no times is put in the order of the resourceVersions: a list before
// the watch that goes on from it, whichever file was named first.
func TestInputsWithoutTimesAreOrderedByResourceVersion(t *testing.T) {
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"))
	watch := `{"type":"MODIFIED","object":` + converttest.Pod("a", "1", "12") + `}{"type":"MODIFIED","object":` + converttest.Pod("a", "1", "16") + `}`
	nodes := `{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","resourceVersion":"14"}}}`
	for _, inputs := range [][]convert.Input{
		{converttest.Text("list", list), converttest.Text("watch", watch), converttest.Text("nodes", nodes)},
		{converttest.Text("nodes", nodes), converttest.Text("watch", watch), converttest.Text("list", list)},
	} {
		got, tr, err := converttest.Converted(t, convert.Options{}, inputs...)
		if err != nil {
			t.Fatal(err)
		}
		if !tr.NoTimes {
			t.Error("its times were made up, and it doesn't say so")
		}
		var order []string
		for _, rv := range []string{`"10"`, `"12"`, `"14"`, `"16"`} {
			if i := strings.Index(got, `"resourceVersion":`+rv); i >= 0 && strings.LastIndex(got[:i], `"t":`) >= 0 {
				order = append(order, rv)
			}
		}
		at := -1
		for _, rv := range order {
			i := strings.Index(got, `"resourceVersion":`+rv)
			if i < at {
				t.Errorf("%s comes too early:\n%s", rv, got)
			}
			at = i
		}
		if want := "list+watch spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 MODIFIED 2, keys 1] [nodes v1 Node: WatchOpen 1 ADDED 1, keys 1]"; converttest.Summary(tr, err) != want {
			t.Errorf("got %s\nwant %s", converttest.Summary(tr, err), want)
		}
	}
}

func TestMergeKeepsWhatIsGoodOfADamagedInput(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("good", converttest.PodList("10", converttest.Pod("a", "1", "3"))), converttest.Text("bad.ndjson", `{"type":"ADDED","object":`+converttest.Pod("b", "2", "12")+"}\n{\"type\":"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "list+watch spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 1, keys 2] (cut line 2, byte"; !strings.HasPrefix(converttest.Summary(tr, err), want) {
		t.Errorf("got %s", converttest.Summary(tr, err))
	}
	if !strings.Contains(tr.Problems[0].Error(), "bad.ndjson: ") {
		t.Errorf("it doesn't say which file: %v", tr.Problems)
	}
}

// The header names the formats of all inputs, also of those that are read together.
func TestFormatsOfManyInputs(t *testing.T) {
	out, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.json", converttest.PodList("10", converttest.Pod("a", "1", "3"))), converttest.Text("b.json", converttest.Pod("b", "2", "4")), converttest.Text("c.json", converttest.Pod("c", "3", "5")), converttest.Text("d.json", converttest.AddedEvent(converttest.Pod("d", "4", "11"))))
	if err != nil || !strings.Contains(out, `"from":"list+objects+watch"`) {
		t.Errorf("%v: %.200s", err, out)
	}
}
