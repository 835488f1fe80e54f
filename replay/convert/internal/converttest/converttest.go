// Package converttest has what the tests of package convert and of its formats share: their
// files, small parts of captures, and ways to look at the trace that comes of them.
package converttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// folders are where the tests of convert and of its formats find captures: convert's own,
// and the neighbour's, format.
var folders = []string{"testdata/", "../../testdata/", "../format/testdata/", "../../../format/testdata/"}

// Input returns a captured file.
func Input(t testing.TB, name string) convert.Input {
	t.Helper()
	path := name
	for _, folder := range folders {
		if _, err := os.Stat(folder + name); err == nil {
			path = folder + name
			break
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return convert.Input{Name: filepath.Base(name), Size: info.Size(), ReaderAt: f, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// Text returns an input that is only here.
func Text(name, s string) convert.Input {
	return convert.Input{Name: name, Size: int64(len(s)), ReaderAt: strings.NewReader(s), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

// Converted returns the trace that inputs become, as text and read again.
func Converted(t testing.TB, o convert.Options, inputs ...convert.Input) (string, *trace.Trace, error) {
	t.Helper()
	var b bytes.Buffer
	_, err := convert.Convert(&b, inputs, o)
	for line := range bytes.Lines(b.Bytes()) {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %.300s", line)
		}
	}
	if err != nil {
		return b.String(), nil, err
	}
	tr, err := file.Read(bytes.NewReader(b.Bytes()), format.Options{})
	if err != nil {
		t.Fatalf("%v\n%.300s", err, b.String())
	}
	return b.String(), tr, nil
}

// Summary says in a line what is in a trace.
func Summary(t *trace.Trace, err error) string {
	if err != nil {
		return "refused: " + err.Error()
	}
	var b strings.Builder
	b.WriteString(t.Format)
	if t.NoTimes {
		b.WriteString(" spaced")
	}
	for _, r := range t.Resources {
		counts := map[string]int{}
		for _, x := range r.Records {
			name := x.Kind.String()
			if x.Kind == trace.WatchEvent {
				name = x.Type.String()
			}
			counts[name]++
		}
		fmt.Fprintf(&b, " [%s %s %s:", r.Name(), r.Version, r.Kind)
		for _, k := range []string{"ListBegin", "ListItem", "ListEnd", "ListError", "WatchOpen", "WatchError", "ADDED", "MODIFIED", "DELETED", "ERROR", "unknown", "WatchBookmark", "InitialEnd", "WatchEnd"} {
			if counts[k] > 0 {
				fmt.Fprintf(&b, " %v %d", k, counts[k])
			}
		}
		fmt.Fprintf(&b, ", keys %d", r.Table.Keys()-1)
		for _, h := range r.Handlers {
			fmt.Fprintf(&b, ", %s called %d times", h.Name, len(h.Calls))
		}
		b.WriteByte(']')
	}
	for _, r := range t.Remarks {
		fmt.Fprintf(&b, " (%s %d %s)", r.ID, r.Count, r.Detail)
	}
	for _, p := range t.Problems {
		fmt.Fprintf(&b, " (%s %v)", p.Kind, p)
	}
	return b.String()
}

var update = flag.Bool("update", false, "write the samples that are made after their formats' descriptions")

// CheckTestdata checks that files of testdata hold what a test has built after a format's description.
// With -update it writes them. The browser's tests open them too.
func CheckTestdata(t *testing.T, built map[string]string) {
	t.Helper()
	for name, b := range built {
		if *update {
			if err := os.WriteFile("../../testdata/"+name, []byte(b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, got, err := Converted(t, convert.Options{}, Input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := Converted(t, convert.Options{}, Text(name, b))
		if err != nil {
			t.Fatal(err)
		}
		if Summary(got, nil) != Summary(want, nil) || Played(got) != Played(want) || got.Records < 4 {
			t.Errorf("%s is not what is built (-update):\n got %s\nwant %s", name, Summary(got, nil), Summary(want, nil))
		}
	}
}

// Fuzz checks that whatever an input of a form holds, what is written are whole lines of
// JSON whose times don't go back, and that the trace can be read.
func Fuzz(f *testing.F, form capture.Form, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := capture.New(&capture.Source{
			Name: "x", Size: int64(len(b)), ReaderAt: bytes.NewReader(b), File: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil },
			Limits:   capture.Limits{MaxLine: 1 << 20, MaxInflated: 8 << 20, MaxObjects: 1000, MaxHeld: convert.MaxHeld},
			Progress: &capture.Progress{}, Form: &form,
		})
		var out bytes.Buffer
		c.Out.Sink, c.Findings = &out, &trace.Trace{}
		_ = c.Convert() // an error is as good as any
		var last int64
		for line := range bytes.Lines(out.Bytes()) {
			var l struct{ T int64 }
			if !json.Valid(line) || line[len(line)-1] != '\n' || json.Unmarshal(line, &l) != nil {
				t.Fatalf("not a line of a trace: %.300q", line)
			}
			if l.T < last {
				t.Fatalf("the time goes back from %d to %d", last, l.T)
			}
			last = l.T
		}
	})
}

// Beginning returns the first n bytes of a file of testdata, uncompressed.
func Beginning(t testing.TB, name string, n int64) string {
	t.Helper()
	in := Input(t, name)
	s := &capture.Source{Name: in.Name, File: in.Open, Limits: capture.Limits{MaxInflated: convert.MaxInflated}, Progress: &capture.Progress{}}
	r, closer, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	b, err := io.ReadAll(io.LimitReader(r, n))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Bench measures how fast a form is read, in bytes of its input as it is when it
// isn't compressed.
func Bench(b *testing.B, input string, times int) {
	in := Text("x", strings.Repeat(input, times))
	b.SetBytes(in.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := convert.Convert(io.Discard, []convert.Input{in}, convert.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Columns and Row are parts of a Table.
const (
	Columns = `[{"name":"Name"},{"name":"Ready"},{"name":"Ready"}]`
	Row     = `{"cells":["a","0/1",3,"more"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5"}}}`
)

// Played returns all that an informer gets to see of a trace.
func Played(t *trace.Trace) string {
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

// Pod returns a pod of the namespace x.
func Pod(name, uid, rv string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"x","uid":"` + uid + `","resourceVersion":"` + rv + `"}}`
}

// PodList returns a list of pods.
func PodList(rv string, items ...string) string {
	return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + rv + `"},"items":[` + strings.Join(items, ",") + `]}`
}

// Events returns the watch events of a trace's first resource.
func Events(t *trace.Trace) string {
	var all []string
	r := t.Resources[0]
	for _, x := range r.Records {
		switch x.Kind {
		case trace.ListItem:
			all = append(all, "listed "+Describe(r, x.Obj))
		case trace.WatchEvent:
			all = append(all, x.Type.String()+" "+Describe(r, x.Obj))
		}
	}
	return strings.Join(all, ", ")
}

// Describe returns the key, the UID and the resourceVersion of an object.
func Describe(r *trace.Resource, o object.Ref) string {
	m := r.Table.Meta(o)
	return r.Table.KeyText(m.Key) + "/" + r.Table.Text(m.UID) + "@" + r.Table.RVText(m.RV)
}

// Remarked returns the count of a remark, 0 where the trace doesn't have it.
func Remarked(t *trace.Trace, id string) int64 {
	for _, r := range t.Remarks {
		if r.ID == id {
			return max(r.Count, 1)
		}
	}
	return 0
}

// KubectlList returns a list as kubectl get -o json prints it.
func KubectlList(items ...string) string {
	return `{"apiVersion":"v1","items":[` + strings.Join(items, ",") + `],"kind":"List","metadata":{"resourceVersion":""}}`
}

// Versions returns a resource's events as watchers get them, one a line.
func Versions(t *trace.Trace, resource string) []string {
	var all []string
	for _, r := range t.Resources {
		for _, x := range r.Records {
			if r.Name() == resource && x.Kind == trace.WatchEvent {
				all = append(all, x.Type.String()+" "+Describe(r, x.Obj))
			}
		}
	}
	return all
}

// AuditLine returns a line of the log at level RequestResponse.
func AuditLine(verb, resource, name string, second float64, code int, more string) string {
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%s-%s","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/x/%s/%s","verb":"%s","objectRef":{"resource":"%s","namespace":"x","name":"%s","apiVersion":"v1"},"responseStatus":{"code":%d}%s,"stageTimestamp":"2026-11-20T20:00:%09.6fZ"}`,
		verb, name, resource, name, verb, resource, name, code, more, second) + "\n"
}

// Answer returns the field of an audit event that has the answer.
func Answer(object string) string { return `,"responseObject":` + object }

const yamlPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n  namespace: x\n  resourceVersion: \"RV\"\n  uid: NAME\n"

// PodYAML returns a pod of the namespace x.
func PodYAML(name, rv, indent string) string {
	s := strings.NewReplacer("NAME", name, "RV", rv).Replace(yamlPod)
	return indent + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n"+indent), indent)
}

// ItemYAML returns a pod as an item of a list.
func ItemYAML(name, rv, indent string) string {
	return indent + "- " + strings.TrimPrefix(PodYAML(name, rv, indent+"  "), indent+"  ")
}

// AddedEvent returns a watch event.
func AddedEvent(p string) string { return `{"type":"ADDED","object":` + p + "}\n" }

// TableOf returns a Table.
func TableOf(rv, columns string, rows ...string) string {
	return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"` + rv + `"},"columnDefinitions":` + columns + `,"rows":[` + strings.Join(rows, ",") + `]}`
}

// OwnTrace returns a trace of informerscope.
func OwnTrace(start string, lines ...string) string {
	return `{"informerscope":"trace","version":1,"start":"` + start + `"}` + "\n" + strings.Join(lines, "\n") + "\n"
}

// SimulatorLine returns a record of kube-scheduler-simulator.
func SimulatorLine(second, event, object string) string {
	return `{"time":"2026-11-20T20:00:` + second + `Z","event":"` + event + `","resource":` + object + "}\n"
}
