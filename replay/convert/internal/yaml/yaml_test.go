package yaml_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

func TestYAML(t *testing.T) {
	events := "object:\n" + converttest.PodYAML("a", "1", "  ") + "type: ADDED\n---\nobject:\n" + converttest.PodYAML("a", "2", "  ") + "type: DELETED\n"
	list := func(items, rv string) string {
		return "apiVersion: v1\nitems:\n" + items + "kind: List\nmetadata:\n  resourceVersion: \"" + rv + "\"\n"
	}
	const kubectl = "[pods v1 Pod: WatchOpen 1 ADDED 1 DELETED 1, keys 1]"
	const two = "list spaced [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2]"
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name, want string
		in         convert.Input
	}{
		{"watched", "kubectl spaced [pods v1 Pod: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17]", converttest.Input(t, "kubectl-get-pods-w-events.yaml.gz")},
		{"events", "kubectl spaced " + kubectl, converttest.Text("x", events)},
		{"events, as Windows writes them", "kubectl spaced " + kubectl, converttest.Text("x", "\ufeff"+strings.ReplaceAll(events, "\n", "\r\n"))},
		{"events with markers and comments", "kubectl spaced " + kubectl, converttest.Text("x", "%YAML 1.1\n---\n# hello\n"+events+"...\n---\n")},
		{"objects", "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 2 MODIFIED 1, keys 2] (typesWorkedOut 0 ) (noDeletions 0 )",
			converttest.Text("x", converttest.PodYAML("a", "1", "")+"---\n"+converttest.PodYAML("b", "2", "")+"--- # again\n"+converttest.PodYAML("b", "2", "")+"---\n"+converttest.PodYAML("a", "3", ""))},
		{"a list", two, converttest.Text("x", list(converttest.ItemYAML("a", "1", "")+converttest.ItemYAML("b", "2", ""), ""))},
		{"a list that is indented", two, converttest.Text("x", list("\n  # items\n"+converttest.ItemYAML("a", "1", "  ")+"\n"+converttest.ItemYAML("b", "2", "  "), ""))},
		{"a list with its items last", two, converttest.Text("x", "kind: PodList\nmetadata: {resourceVersion: '7'}\napiVersion: v1\nitems:\n"+converttest.ItemYAML("a", "1", "")+converttest.ItemYAML("b", "2", ""))},
		{"a list as flow", two, converttest.Text("x", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, metadata: {name: a}}, {apiVersion: v1, kind: Pod, metadata: {name: b}}]\n")},
		{"a list after a comment", two, converttest.Text("x", "# kubectl get pods -o yaml\n---\n"+list(converttest.ItemYAML("a", "1", "")+converttest.ItemYAML("b", "2", ""), ""))},
		{"an empty list", "list spaced [pods v1 Pod: ListBegin 1 ListEnd 1, keys 0]", converttest.Text("x", "apiVersion: v1\nitems: []\nkind: PodList\n")},
		{"a list of nothing", "list spaced [pods v1 Pod: ListBegin 1 ListEnd 1, keys 0]", converttest.Text("x", "apiVersion: v1\nkind: PodList\nitems:\n")},
		{"by its name", "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (typesWorkedOut 0 ) (noDeletions 0 )",
			converttest.Text("x.yml.gz", "metadata: {name: a}\nkind: Pod\napiVersion: v1\n")},
		{"damaged", "kubectl spaced " + kubectl + " (damaged line 22, byte 262: mapping values are not allowed in this context)",
			converttest.Text("x", events+"---\nobject:\n  a: b: c\n---\n")},
		{"cut", "kubectl spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (cut line 11, byte 130: the input ends inside a line, so the last document may be cut)",
			converttest.Text("x", strings.TrimSuffix(events, "TED\n"))},
		{"a line that is too long", "kubectl spaced " + kubectl + " (tooLong line 3, byte 15: the line is longer than 1000 bytes)",
			converttest.Text("x", "object:\n  a: b\n  c: "+long+"\ntype: ADDED\n---\n"+events)},
		{"a document that is too long", "kubectl spaced " + kubectl + " (tooLong line 1, byte 0: the document is longer than 1000 bytes)",
			converttest.Text("x", "object:\n  a: b\n"+strings.Repeat("  c: d\n", 300)+"type: ADDED\n---\n"+events)},
		{"something else in YAML", "refused: x: line 1, byte 0: the value is neither a watch event nor an object nor a list, such as kubectl get -w --output-watch-events -o json prints", converttest.Text("x", "apiVersion: v1\nkind: Config\n")},
	} {
		o := convert.Options{}
		if strings.Contains(c.name, "too long") {
			o.MaxLine = 1000
		}
		_, tr, err := converttest.Converted(t, o, c.in)
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// YAML of kubectl gives the same trace as its JSON.
func TestYAMLIsJSON(t *testing.T) {
	asJSON, _, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "kubectl-get-pods-w-events.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	asYAML, _, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "kubectl-get-pods-w-events.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(asJSON, "\n"), strings.Split(asYAML, "\n")
	if len(a) != len(b) {
		t.Fatalf("%d lines of JSON, %d of YAML", len(a), len(b))
	}
	for i := 1; i < len(a)-1; i++ {
		var x, y any
		if err := errors.Join(json.Unmarshal([]byte(a[i]), &x), json.Unmarshal([]byte(b[i]), &y)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(x, y) {
			t.Errorf("line %d\nJSON %s\nYAML %s", i, a[i], b[i])
		}
	}
}

// Several dumps of a cluster make one trace, whichever syntax each of them has.
func TestYAMLDumps(t *testing.T) {
	list := func(items string) string { return "apiVersion: v1\nitems:\n" + items + "kind: List\n" }
	_, tr, err := converttest.Converted(t, convert.Options{},
		converttest.Text("1.yaml", list(converttest.ItemYAML("a", "1", "")+converttest.ItemYAML("b", "2", ""))),
		converttest.Text("2.yaml", list(converttest.ItemYAML("a", "3", "")+converttest.ItemYAML("c", "4", ""))),
		converttest.Text("3.json", `{"kind":"List","apiVersion":"v1","items":[`+converttest.Pod("c", "c", "5")+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "listed x/a/a@1, listed x/b/b@2, MODIFIED x/a/a@3, ADDED x/c/c@4, DELETED x/b/b@4, MODIFIED x/c/c@5, DELETED x/a/a@5"
	if got := converttest.Events(tr); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte(converttest.Beginning(f, "kubectl-get-pods-w-events.yaml.gz", 20_000)))
	f.Add([]byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n- &x\n  a: *x\nkind: List\n---\nobject: !!binary aGk=\ntype: ADDED\n...\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := append([]byte("apiVersion: v1\nkind: Pod\n---\n"), b...) // so that no other format fits
		var out bytes.Buffer
		_, err := convert.Convert(&out, []convert.Input{{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(in)), nil }}}, convert.Options{MaxLine: 50_000, MaxObjects: 100})
		if err == nil && !bytes.HasSuffix(out.Bytes(), []byte("}\n")) {
			t.Fatal("there is neither a trace nor an error")
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !jsonscan.WithinMaxDepth(line) || !json.Valid(line) {
				t.Fatalf("this is not a line of a trace: %.300q", line)
			}
		}
	})
}

func BenchmarkYAML(b *testing.B) {
	s := converttest.Beginning(b, "kubectl-get-pods-w-events.yaml.gz", 1<<30)
	in := converttest.Text("x", s)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, err := convert.Convert(io.Discard, []convert.Input{in}, convert.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestMadeSamples(t *testing.T) {
	podYAML, itemYAML := converttest.PodYAML, converttest.ItemYAML
	converttest.CheckTestdata(t, map[string]string{
		"made-noevents.yaml": podYAML("a", "1", "") + "---\n" + podYAML("b", "2", "") + "---\n" + podYAML("a", "3", ""),
		"made-list.yaml":     "apiVersion: v1\nitems:\n" + itemYAML("a", "1", "") + itemYAML("b", "2", "") + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
	})
}
