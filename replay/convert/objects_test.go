package convert

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
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
		{"pods-protobuf.ndjson.gz", "refused: pods-protobuf.ndjson.gz: it is protobuf: ask the API server for JSON"},
	} {
		_, tr, err := converted(t, Options{}, input(t, c.name))
		if got := tell(tr, err); got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The direct reader makes the same of a capture and of the converted capture, except for
// the requests that only the converted one has.
func TestConvertedIsTheSame(t *testing.T) {
	for _, name := range []string{
		"pods.watch.ndjson.gz", "pods-streaminglist.ndjson.gz", "watch-pretty.ndjson", "kubectl-get-pods-w-events.json.gz",
		"kubectl-get-configmaps-w-events.json", "configmaps.list.p1.json", "list-pretty.json", "shop.trace.jsonl.gz", "watch-cut-midjson-fin.ndjson",
	} {
		_, got, err := converted(t, Options{}, input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		in, err := input(t, name).Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := file.Read(in, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := played(got), played(want); a != b {
			t.Errorf("%s:\n got %.600s\nwant %.600s", name, a, b)
		}
	}
}

// played is all that an informer gets to see of a trace.
func played(t *trace.Trace) string {
	var b bytes.Buffer
	for _, r := range t.Resources {
		b.WriteString(r.Name() + r.Kind + "\n")
		for _, x := range r.Records {
			if x.Obj != 0 {
				m := r.Table.Meta(x.Obj)
				b.WriteString(r.Table.KeyText(m.Key) + " " + r.Table.Text(m.UID) + " ")
			}
			b.WriteString(x.Kind.String() + " " + x.Type.String() + " " + r.Table.RVText(x.RV) + " " + x.Failure.String() + " " + r.Text(x) + "\n")
		}
	}
	return b.String()
}

func pod(name, uid, rv string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"x","uid":"` + uid + `","resourceVersion":"` + rv + `"}}`
}

func podList(rv string, items ...string) string {
	return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + rv + `"},"items":[` + strings.Join(items, ",") + `]}`
}

// events are the watch events of a trace's first resource.
func events(t *trace.Trace) string {
	var all []string
	r := t.Resources[0]
	for _, x := range r.Records {
		switch x.Kind {
		case trace.ListItem:
			all = append(all, "listed "+describe(r, x.Obj))
		case trace.WatchEvent:
			all = append(all, x.Type.String()+" "+describe(r, x.Obj))
		}
	}
	return strings.Join(all, ", ")
}

func describe(r *trace.Resource, o object.Ref) string {
	m := r.Table.Meta(o)
	return r.Table.KeyText(m.Key) + "/" + r.Table.Text(m.UID) + "@" + r.Table.RVText(m.RV)
}

func TestDifferencesBetweenDumpsAreEvents(t *testing.T) {
	first := podList("10", pod("a", "1", "3"), pod("b", "2", "4"), pod("c", "3", "5"))
	second := podList("20", pod("d", "4", "15"), pod("a", "1", "12"), pod("b", "9", "14"))
	const want = "listed x/a/1@3, listed x/b/2@4, listed x/c/3@5, MODIFIED x/a/1@12, DELETED x/b/2@4, ADDED x/b/9@14, ADDED x/d/4@15, DELETED x/c/3@20"
	asKubectl := func(list string) string {
		return strings.NewReplacer(`"kind":"PodList"`, `"kind":"List"`, `"resourceVersion":"10"`, `"resourceVersion":""`, `"resourceVersion":"20"`, `"resourceVersion":""`).Replace(list)
	}
	for _, c := range []struct {
		name, want string
		inputs     []Input
	}{
		{"in one file", want, []Input{text("dumps.json", first+"\n"+second)}},
		{"in two files", want, []Input{text("a.json", first), text("b.json", second)}},
		{"in two files, the later first", want, []Input{text("a.json", second), text("b.json", first)}},
		{"kubectl's", strings.Replace(want, "@20", "@15", 1), []Input{text("1.json", asKubectl(first)), text("2.json", asKubectl(second))}},
	} {
		_, tr, err := converted(t, Options{}, c.inputs...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := events(tr); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if len(tr.Remarks) != 1 || tr.Remarks[0].ID != DumpDifferences {
			t.Errorf("%s: remarks %v", c.name, tr.Remarks)
		}
	}
}

// A list that follows watch events was asked for by a reflector, and a list in
// pages is one list.
func TestAListAfterEventsIsAList(t *testing.T) {
	page := strings.Replace(podList("10", pod("a", "1", "3")), `"10"`, `"10","continue":"next"`, 1)
	_, tr, err := converted(t, Options{}, text("x", page+podList("10", pod("b", "2", "4"))+`{"type":"ADDED","object":`+pod("c", "3", "11")+"}\n"+podList("20", pod("a", "1", "3"))))
	if got, want := tell(tr, err), "list spaced [pods v1 Pod: ListBegin 2 ListItem 3 ListEnd 2 WatchOpen 1 ADDED 1 WatchEnd 1, keys 3]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// What is odd about resourceVersions is told once, by the summary and by the trace.
func TestOddResourceVersionsAreToldOnce(t *testing.T) {
	in := addedEvent(pod("a", "1", "5")) + strings.Replace(addedEvent(pod("a", "1", "9"))+addedEvent(pod("a", "1", "7")), "ADDED", "MODIFIED", 2)
	var b bytes.Buffer
	sum, err := Convert(&b, []Input{text("x", in)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, tr, err := converted(t, Options{}, text("x", in))
	want := trace.Remark{ID: trace.VersionsBack, Count: 1, Detail: "pods"}
	if err != nil || len(sum.Remarks) != 1 || sum.Remarks[0] != want || len(tr.Remarks) != 1 || tr.Remarks[0] != want {
		t.Errorf("%v: the summary has %v, and the trace %v", err, sum.Remarks, tr.Remarks)
	}
}

// All damage is counted, also what is more than a trace keeps of it.
func TestAllDamageIsCounted(t *testing.T) {
	in := addedEvent(pod("a", "1", "5")) + strings.Repeat("#"+addedEvent(pod("a", "1", "5")), 150)
	var b bytes.Buffer
	sum, err := Convert(&b, []Input{text("x", in)}, Options{})
	if err != nil || sum.Problem != 150 || sum.Lost != 150 || len(sum.Problems) != trace.MaxProblems || strings.Count(b.String(), `"lost":1`) != 150 {
		t.Errorf("%v: %d places, %d events, %d of them kept", err, sum.Problem, sum.Lost, len(sum.Problems))
	}
}

// What is not UTF-8 is a problem of every form, and is never written.
func TestNotUTF8IsNeverWritten(t *testing.T) {
	bad := strings.Replace(pod("a", "1", "5"), `"kind":"Pod"`, `"note":"`+"\xff"+`","kind":"Pod"`, 1)
	for name, in := range map[string]string{
		"watch": addedEvent(bad), "list": podList("10", bad), "object": bad, "audit": auditLine("create", "pods", "a", 1, 201, answer(bad)),
		"scheduler": simulatedLine("01", "Add", bad), "yaml": podYAML("a", "1", "") + "  # \xff\n",
		"own": ownTrace("2026-11-20T10:00:05Z", `{"t":0,"mark":{"text":"`+"\xff"+`"}}`, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":1,"id":1,"event":{"type":"ADDED","object":`+bad+`}}`),
	} {
		out, tr, err := converted(t, Options{}, text("x", in))
		if err != nil || !utf8.ValidString(out) {
			t.Errorf("%s: %v, UTF-8 %v", name, err, utf8.ValidString(out))
			continue
		}
		if tr.ProblemCount == 0 || tr.Problems[0].Kind != trace.Encoding {
			t.Errorf("%s: %v", name, tr.Problems)
		}
	}
}
