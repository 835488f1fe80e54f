package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

const yamlPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n  namespace: x\n  resourceVersion: \"RV\"\n  uid: NAME\n"

func podYAML(name, rv, indent string) string {
	s := strings.NewReplacer("NAME", name, "RV", rv).Replace(yamlPod)
	return indent + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n"+indent), indent)
}

// itemYAML is a pod as an item of a list.
func itemYAML(name, rv, indent string) string {
	return indent + "- " + strings.TrimPrefix(podYAML(name, rv, indent+"  "), indent+"  ")
}

func TestYAML(t *testing.T) {
	events := "object:\n" + podYAML("a", "1", "  ") + "type: ADDED\n---\nobject:\n" + podYAML("a", "2", "  ") + "type: DELETED\n"
	list := func(items, rv string) string {
		return "apiVersion: v1\nitems:\n" + items + "kind: List\nmetadata:\n  resourceVersion: \"" + rv + "\"\n"
	}
	const kubectl = "[pods v1 Pod: WatchOpen 1 ADDED 1 DELETED 1, keys 1]"
	const two = "list spaced [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2]"
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name, want string
		in         Input
	}{
		{"watched", "kubectl spaced [pods v1 Pod: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17]", input(t, "kubectl-get-pods-w-events.yaml.gz")},
		{"events", "kubectl spaced " + kubectl, text("x", events)},
		{"events, as Windows writes them", "kubectl spaced " + kubectl, text("x", "\ufeff"+strings.ReplaceAll(events, "\n", "\r\n"))},
		{"events with markers and comments", "kubectl spaced " + kubectl, text("x", "%YAML 1.1\n---\n# hello\n"+events+"...\n---\n")},
		{"objects", "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 2 MODIFIED 1, keys 2] (typesWorkedOut 0 ) (noDeletions 0 )",
			text("x", podYAML("a", "1", "")+"---\n"+podYAML("b", "2", "")+"--- # again\n"+podYAML("b", "2", "")+"---\n"+podYAML("a", "3", ""))},
		{"a list", two, text("x", list(itemYAML("a", "1", "")+itemYAML("b", "2", ""), ""))},
		{"a list that is indented", two, text("x", list("\n  # items\n"+itemYAML("a", "1", "  ")+"\n"+itemYAML("b", "2", "  "), ""))},
		{"a list with its items last", two, text("x", "kind: PodList\nmetadata: {resourceVersion: '7'}\napiVersion: v1\nitems:\n"+itemYAML("a", "1", "")+itemYAML("b", "2", ""))},
		{"a list as flow", two, text("x", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, metadata: {name: a}}, {apiVersion: v1, kind: Pod, metadata: {name: b}}]\n")},
		{"a list after a comment", two, text("x", "# kubectl get pods -o yaml\n---\n"+list(itemYAML("a", "1", "")+itemYAML("b", "2", ""), ""))},
		{"an empty list", "list spaced [pods v1 Pod: ListBegin 1 ListEnd 1, keys 0]", text("x", "apiVersion: v1\nitems: []\nkind: PodList\n")},
		{"a list of nothing", "list spaced [pods v1 Pod: ListBegin 1 ListEnd 1, keys 0]", text("x", "apiVersion: v1\nkind: PodList\nitems:\n")},
		{"by its name", "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (typesWorkedOut 0 ) (noDeletions 0 )",
			text("x.yml.gz", "metadata: {name: a}\nkind: Pod\napiVersion: v1\n")},
		{"damaged", "kubectl spaced " + kubectl + " (damaged line 22, byte 262: mapping values are not allowed in this context)",
			text("x", events+"---\nobject:\n  a: b: c\n---\n")},
		{"cut", "kubectl spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (cut line 11, byte 130: it ends inside a line, so the last document may be cut)",
			text("x", strings.TrimSuffix(events, "TED\n"))},
		{"a line that is too long", "kubectl spaced " + kubectl + " (tooLong line 3, byte 15: longer than 1000 bytes)",
			text("x", "object:\n  a: b\n  c: "+long+"\ntype: ADDED\n---\n"+events)},
		{"a document that is too long", "kubectl spaced " + kubectl + " (tooLong line 1, byte 0: a document longer than 1000 bytes)",
			text("x", "object:\n  a: b\n"+strings.Repeat("  c: d\n", 300)+"type: ADDED\n---\n"+events)},
		{"something else in YAML", "refused: x: line 1, byte 0: neither a watch event nor an object nor a list", text("x", "apiVersion: v1\nkind: Config\n")},
	} {
		o := Options{}
		if strings.Contains(c.name, "too long") {
			o.MaxLine = 1000
		}
		_, tr, err := converted(t, o, c.in)
		if got := tell(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// YAML of kubectl gives the same trace as its JSON.
func TestYAMLIsJSON(t *testing.T) {
	asJSON, _, err := converted(t, Options{}, input(t, "kubectl-get-pods-w-events.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	asYAML, _, err := converted(t, Options{}, input(t, "kubectl-get-pods-w-events.yaml.gz"))
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
	_, tr, err := converted(t, Options{},
		text("1.yaml", list(itemYAML("a", "1", "")+itemYAML("b", "2", ""))),
		text("2.yaml", list(itemYAML("a", "3", "")+itemYAML("c", "4", ""))),
		text("3.json", `{"kind":"List","apiVersion":"v1","items":[`+pod("c", "c", "5")+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "listed x/a/a@1, listed x/b/b@2, MODIFIED x/a/a@3, ADDED x/c/c@4, DELETED x/b/b@4, MODIFIED x/c/c@5, DELETED x/a/a@5"
	if got := events(tr); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// Values get the types that Kubernetes gives them (sigs.k8s.io/yaml).
func TestYAMLTypes(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{`a: yes`, `{"a":true}`}, {`a: Off`, `{"a":false}`}, {`a: "yes"`, `{"a":"yes"}`}, {`a: y`, `{"a":true}`}, {`a: !!str yes`, `{"a":"yes"}`},
		{`a: true`, `{"a":true}`}, {`a: FALSE`, `{"a":false}`}, {`y: 1`, `{"true":1}`}, {`1: a`, `{"1":"a"}`}, {`"n": 'n'`, `{"n":"n"}`},
		{`a: ~`, `{"a":null}`}, {`a:`, `{"a":null}`}, {`a: ""`, `{"a":""}`}, {`~: 1`, `{"null":1}`},
		{`a: 12`, `{"a":12}`}, {`a: -0`, `{"a":-0}`}, {`a: 010`, `{"a":8}`}, {`a: 0x10`, `{"a":16}`}, {`a: 1_000`, `{"a":1000}`}, {`a: +1`, `{"a":1}`},
		{`a: 18446744073709551615`, `{"a":18446744073709551615}`}, {`a: 1.50`, `{"a":1.50}`}, {`a: .5`, `{"a":0.5}`}, {`a: 1e3`, `{"a":1e3}`}, {`a: 1.`, `{"a":1}`},
		{`a: 2001-01-01`, `{"a":"2001-01-01"}`}, {`a: 2001-01-01T00:00:00Z`, `{"a":"2001-01-01T00:00:00Z"}`}, {`a: 1:30`, `{"a":"1:30"}`}, {`a: 50m`, `{"a":"50m"}`},
		{"a: |\n  x\n  \"y\"\n", `{"a":"x\n\"y\"\n"}`}, {"a: >-\n  x\n  y\n", `{"a":"x y"}`}, {`a: "\U0001F680 <é>"`, `{"a":"🚀 <é>"}`},
		{`a: !!binary aGk=`, `{"a":"hi"}`}, {`a: [1, {b: c}, []]`, `{"a":[1,{"b":"c"},[]]}`},
		{"a: &x {b: 1}\nc: *x", `{"a":{"b":1},"c":{"b":1}}`},
		{`a: .nan`, `a number that JSON can't hold: ".nan"`}, {`a: -.inf`, `a number that JSON can't hold: "-.inf"`}, {"a: &x {b: 1}\n<<: *x", `a merge key (<<), which is not read`},
		{`? [a]`, `a key that is no text`}, {`a: !!binary "*"`, `!!binary that is not base64`}, {`a: *x`, `unknown anchor 'x' referenced`},
		{`# nothing`, ``}, {`~`, ``}, {`a: 08`, `{"a":8}`},
		{"&x [*x]", "nested deeper than 1000"},
		{strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "nested deeper than 1000"},
		{strings.Repeat("[", 20000), "nested deeper than 1000"},
		{strings.Repeat("- ", 20000), "nested deeper than 1000"},
		{bomb(9), "its aliases stand for more than 100000 nodes, which is the limit"},
		{"a: &x " + strings.Repeat("x", 50_000) + "\nb: [" + strings.Repeat("*x,", 100) + "]", "longer than 1000000 bytes as JSON"},
	} {
		var y yamlTree
		b, err := y.json([]byte(c.yaml), 1_000_000)
		got := string(b)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.100s: got %.200s, want %s", c.yaml, got, c.want)
		}
	}
}

// bomb is a document whose aliases stand for ten to the power of n nodes.
func bomb(n int) string {
	s := "a0: &a0 x\n"
	for i := 1; i <= n; i++ {
		name := "a" + itoa(int64(i))
		s += name + ": &" + name + " [" + strings.Repeat("*a"+itoa(int64(i-1))+",", 10) + "]\n"
	}
	return s
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte(beginning(f, "kubectl-get-pods-w-events.yaml.gz", 20_000)))
	f.Add([]byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n- &x\n  a: *x\nkind: List\n---\nobject: !!binary aGk=\ntype: ADDED\n...\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := append([]byte("apiVersion: v1\nkind: Pod\n---\n"), b...) // so that no other format fits
		var out bytes.Buffer
		_, err := Convert(&out, []Input{{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(in)), nil }}}, Options{MaxLine: 50_000, MaxObjects: 100})
		if err == nil && !bytes.HasSuffix(out.Bytes(), []byte("}\n")) {
			t.Fatal("there is neither a trace nor an error")
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !trace.Shallow(line) || !json.Valid(line) {
				t.Fatalf("this is not a line of a trace: %.300q", line)
			}
		}
	})
}

func BenchmarkYAML(b *testing.B) {
	s := beginning(b, "kubectl-get-pods-w-events.yaml.gz", 1<<30)
	in := text("x", s)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, err := Convert(io.Discard, []Input{in}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
