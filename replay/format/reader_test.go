package format

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// sample reads a capture from testdata, uncompressed.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// read reads input in chunks, each in a slice of its own that is spoilt after.
func read(input []byte, chunk int, o Options) (*trace.Trace, error) {
	r := NewReader(o)
	err := feed(r, input, chunk)
	return r.Trace(), err
}

func feed(r *Reader, input []byte, chunk int) error {
	for from := 0; from < len(input); from += chunk {
		b := bytes.Clone(input[from:min(from+chunk, len(input))])
		_ = r.Write(b)
		for i := range b {
			b[i] = 'X'
		}
	}
	return r.Close()
}

// summarize says in a line what is in a trace.
func summarize(t *trace.Trace, err error) string {
	var b strings.Builder
	b.WriteString(t.Format)
	for _, r := range t.Resources {
		counts := map[trace.Kind]int{}
		for _, x := range r.Records {
			counts[x.Kind]++
		}
		fmt.Fprintf(&b, " [%s %s %s:", r.Name(), r.Version, r.Kind)
		for k := trace.ListBegin; k <= trace.WatchEnd; k++ {
			if counts[k] > 0 {
				fmt.Fprintf(&b, " %v %d", k, counts[k])
			}
		}
		fmt.Fprintf(&b, ", keys %d]", r.Table.Keys()-1)
	}
	for _, p := range t.Problems {
		fmt.Fprintf(&b, " (%s %v)", p.Kind, p)
	}
	if err != nil {
		fmt.Fprintf(&b, " refused: %v", err)
	}
	return b.String()
}

func TestSamples(t *testing.T) {
	const gold = "unknown format (starts with "
	for _, c := range []struct{ name, want string }{
		{"pods.watch.ndjson.gz", "watch [pods v1 Pod: WatchOpen 1 WatchEvent 142 WatchBookmark 3, keys 17]"},
		{"pods-streaminglist.ndjson.gz", "watch [pods v1 Pod: WatchOpen 1 WatchEvent 142 WatchBookmark 4 InitialEnd 1, keys 17]"},
		{"watch-pretty.ndjson", "watch [configmaps v1 ConfigMap: WatchOpen 1 WatchEvent 16, keys 16]"},
		{"kubectl-get-pods-w-events.json.gz", "kubectl [pods v1 Pod: WatchOpen 1 WatchEvent 142, keys 17]"},
		{"kubectl-get-configmaps-w-events.json", "kubectl [configmaps v1 ConfigMap: WatchOpen 1 WatchEvent 67, keys 19]"},
		{"configmaps.list.p1.json", "list [configmaps v1 ConfigMap: ListBegin 1 ListItem 14 ListEnd 1, keys 14]"},
		{"list-pretty.json", "list [configmaps v1 ConfigMap: ListBegin 1 ListItem 2 ListEnd 1, keys 2]"},
		{"watch-410-events-compacted.ndjson", "watch [objects  : WatchOpen 1 WatchEvent 1 WatchEnd 1, keys 0]"},
		{"watch-cut-midjson-fin.ndjson", "watch [nodes v1 Node: WatchOpen 1 WatchEvent 5, keys 5] (cut line 6, byte 19664: "},
		{"watch-cut-midjson-rst.ndjson", "watch [nodes v1 Node: WatchOpen 1 WatchEvent 8, keys 8] (cut line 9, byte 32970: "},
		{"list-table.json", " refused: a Table holds no objects"},
		{"../../convert/testdata/list-pom.json", " refused: PartialObjectMetadata may be of any kind"},
		{"../../convert/testdata/pods-partialobjectmetadata.ndjson.gz", " refused: PartialObjectMetadata may be of any kind"},
		{"watch-unauthorized.json", " (strange line 1, byte 0: the API server refused: pods is forbidden"},
		{"kubectl-get-pods-w-noevents.json.gz", " refused: an object (Pod) stands without its watch event"},
		{"pods-protobuf.ndjson.gz", " refused: " + gold},
		{"pods-yaml-accept.ndjson", " refused: " + gold},
		{"shop.trace.jsonl.gz", "trace [leases.coordination.k8s.io v1 Lease: ListBegin 1 ListItem 23 ListEnd 1 WatchOpen 1 WatchEvent 710 WatchBookmark 3, keys 23] [pods v1 Pod: ListBegin 1 ListEnd 1 WatchOpen 1 WatchEvent 142 WatchBookmark 3, keys 17]"},
	} {
		input := sample(t, c.name)
		whole := summarize(read(input, len(input), Options{}))
		if !strings.HasPrefix(whole, c.want) {
			t.Errorf("%s:\n got %.400s\nwant %s", c.name, whole, c.want)
		}
		for _, chunk := range []int{1 + len(input)/3, 1000, 7} {
			if got := summarize(read(input, chunk, Options{})); got != whole {
				t.Errorf("%s in chunks of %d:\n got %.400s\nwant %.400s", c.name, chunk, got, whole)
			}
		}
	}
}

func TestFormatsWithoutTimesAreEvenlySpaced(t *testing.T) {
	tr, err := read(sample(t, "pods.watch.ndjson.gz"), 1<<20, Options{})
	if err != nil || !tr.NoTimes || !tr.Complete {
		t.Fatal(err, tr.NoTimes, tr.Complete)
	}
	r := tr.Resources[0]
	for i, x := range r.Records[1:] {
		if x.Time != int64(i)*Spacing {
			t.Fatalf("record %d at %d", i+1, x.Time)
		}
	}
	if tr, _ := read(sample(t, "shop.trace.jsonl.gz"), 1<<20, Options{}); tr.NoTimes {
		t.Error("our own format is read as one without times")
	}
}

// Each object is found again where its Source says, and is the one that the row
// says.
func TestRawIsTheObject(t *testing.T) {
	for _, name := range []string{"pods.watch.ndjson.gz", "watch-pretty.ndjson", "list-pretty.json", "shop.trace.jsonl.gz", "kubectl-get-pods-w-events.json.gz"} {
		input := sample(t, name)
		tr, err := read(input, 4096, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range tr.Resources {
			for i := 1; i < r.Table.Len(); i++ {
				m := r.Table.Meta(object.Ref(i))
				raw, err := trace.Raw(input[m.Source.Offset:m.Source.Offset+int64(m.Source.Length)], m.Source)
				if err != nil {
					t.Fatal(name, m.Source, err)
				}
				var o struct {
					Metadata struct {
						Name, Namespace, UID, ResourceVersion string
						Labels                                map[string]string
					}
				}
				if err := json.Unmarshal(raw, &o); err != nil {
					t.Fatal(name, err)
				}
				md := o.Metadata
				if md.Name != r.Table.Text(m.Name) || md.Namespace != r.Table.Text(m.Namespace) || md.UID != r.Table.Text(m.UID) || md.ResourceVersion != r.Table.RVText(m.RV) {
					t.Fatalf("%s: row %+v is not %+v", name, m, md)
				}
				labels := map[string]string{}
				for _, l := range r.Table.LabelsOf(m.Labels) {
					labels[r.Table.Text(l.Name)] = r.Table.Text(l.Value)
				}
				if fmt.Sprint(labels) != fmt.Sprint(md.Labels) {
					t.Fatalf("%s: labels %v are not %v", name, labels, md.Labels)
				}
			}
		}
	}
}

// A file that ends anywhere gives what was whole, and one problem that says
// where it ends.
func TestCutAnywhere(t *testing.T) {
	lines := bytes.SplitAfter(madeUp(3), []byte("\n"))
	pretty := new(bytes.Buffer)
	if err := json.Indent(pretty, bytes.TrimSpace(lines[0]), "", "  "); err != nil {
		t.Fatal(err)
	}
	input := []byte(`{"informerscope":"trace","version":1}` + "\n" + `{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}` + "\n" +
		`{"t":2,"id":1,"event":` + strings.TrimSpace(string(lines[0])) + "}\n")
	stride := 1
	if testing.Short() {
		stride = 4
	}
	for name, input := range map[string][]byte{
		"lines": bytes.Join(lines, nil), "pretty": append(pretty.Bytes(), pretty.Bytes()...),
		"together": bytes.ReplaceAll(bytes.Join(lines, nil), []byte("\n"), nil), "own": input,
	} {
		var last int64
		for n := 1; n <= len(input); n += stride * (1 + n%5) {
			tr, err := read(input[:n], 100, Options{})
			if tr.Records < last {
				t.Fatalf("%s: %d bytes give %d records, and fewer gave %d", name, n, tr.Records, last)
			}
			last = tr.Records
			if tr.ProblemCount > 1 {
				t.Fatalf("%s: %d bytes: %v", name, n, tr.Problems)
			}
			for _, p := range tr.Problems {
				line := int64(bytes.Count(input[:p.Offset], newline)) + 1
				if p.Kind != trace.Cut || p.Offset > int64(n) || p.Line != line {
					t.Fatalf("%s: %d bytes: %s %v, which is line %d", name, n, p.Kind, p, line)
				}
			}
			if err != nil && tr.Records > 0 {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
		}
	}
}
