package k8shark_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/k8shark"
	"github.com/informerscope/informerscope/replay/trace"
)

// sharkFile makes a capture of k8shark, after the format's description.
type sharkFile struct {
	version int
	records []sharkRow
	extra   map[string]string // more entries, as they are
	method  uint16            // of the zip archive
}

// sharkRow is a record: a list, or a watch event of some type.
type sharkRow struct{ path, at, typ, body string }

func packed(s string) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return z.EncodeAll([]byte(s), nil)
}

func (f sharkFile) bytes(t testing.TB) string {
	t.Helper()
	type entry struct {
		Path  string   `json:"api_path"`
		Seqs  []int    `json:"seqs"`
		Times []string `json:"times,omitempty"`
		Types []string `json:"event_types,omitempty"`
	}
	lists, watches := map[string]*entry{}, map[string]*entry{}
	seqs := map[string]int{}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name string, b []byte) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: f.method})
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range f.records {
		seq := seqs[r.path]
		seqs[r.path]++
		to := lists
		record := map[string]any{"id": "x", "captured_at": r.at, "api_path": r.path, "http_method": "GET", "response_code": 200, "response_body": json.RawMessage(r.body)}
		if r.typ != "" {
			to = watches
			record["event_type"] = r.typ
		}
		if to[r.path] == nil {
			to[r.path] = &entry{Path: r.path}
		}
		e := to[r.path]
		e.Seqs = append(e.Seqs, seq)
		if f.version == 2 {
			e.Times = append(e.Times, r.at)
		} else {
			delete(record, "captured_at")
		}
		e.Types = append(e.Types, r.typ)
		b, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(r.path))
		name := "k8shark-capture/records/" + hex.EncodeToString(sum[:8]) + "/" + strconv.Itoa(seq) + ".json.zst"
		if _, replaced := f.extra[name]; !replaced {
			add(name, packed(string(b)))
		}
	}
	for name, all := range map[string]any{"index": lists, "watch-index": watches} {
		if f.version == 2 {
			all = map[string]any{"entries": all}
		}
		b, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		name = "k8shark-capture/" + name + ".json.zst"
		if _, replaced := f.extra[name]; !replaced {
			add(name, packed(string(b)))
		}
	}
	add("k8shark-capture/metadata.json", []byte(`{"format_version":`+strconv.Itoa(f.version)+`,"kubernetes_version":"v1.36.1"}`))
	for name, b := range f.extra {
		if b != "" {
			add(name, []byte(b))
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const sharkPods = "/api/v1/namespaces/x/pods"

// secondOf is a moment of the samples.
func secondOf(s string) string { return "2026-04-10T10:00:" + s + "Z" }

// sharkSample has all that may happen.
var sharkSample = sharkFile{version: 2, records: []sharkRow{
	{sharkPods, secondOf("00"), "", converttest.PodList("10", converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4"))},
	{sharkPods + "?as=Table", secondOf("00.1"), "", `{"kind":"Table"}`},
	{"/api/v1/pods?as=TableSchema", secondOf("00.1"), "", `{"kind":"Table"}`},
	{"/api/v1", secondOf("00.2"), "", `{"kind":"APIResourceList"}`},
	{"/openapi/v2", secondOf("00.2"), "", `{}`},
	{sharkPods + "/a/log?container=x", secondOf("00.3"), "", `"hello"`},
	{"/apis/apps/v1/deployments", secondOf("00.5"), "", `{"kind":"Status","code":403,"message":"no"}`},
	{sharkPods, secondOf("01"), "MODIFIED", converttest.Pod("a", "1", "11")},
	{sharkPods, secondOf("02"), "", converttest.PodList("10", converttest.Pod("a", "1", "3"))},                                   // older than what was watched
	{sharkPods, secondOf("03"), "", converttest.PodList("15", converttest.Pod("a", "1", "14"), converttest.Pod("c", "3", "13"))}, // b is gone
	{sharkPods, secondOf("04"), "ADDED", converttest.Pod("c", "3", "13")},                                                        // listed already
	{sharkPods, secondOf("04.1"), "MODIFIED", converttest.Pod("a", "1", "14")},                                                   // listed already
	{sharkPods, secondOf("04.2"), "DELETED", converttest.Pod("b", "2", "12")},                                                    // listed already
	{sharkPods, secondOf("05"), "DELETED", converttest.Pod("a", "1", "16")},                                                      // heard of by the watch
	{sharkPods, secondOf("06"), "BOOKMARK", `{"kind":"Pod","metadata":{"resourceVersion":"17"}}`},                                // nothing new
	{sharkPods, secondOf("07"), "", converttest.PodList("18", converttest.Pod("c", "3", "13"))},                                  // nothing new
	{sharkPods, secondOf("08"), "ADDED", converttest.Pod("c", "3", "13")},                                                        // a watch begins anew
	{sharkPods, secondOf("08.1"), "ADDED", converttest.Pod("d", "4", "19")},
}}

func TestShark(t *testing.T) {
	const want = "listed x/a/1@3, listed x/b/2@4, MODIFIED x/a/1@11, ADDED x/c/3@13, MODIFIED x/a/1@14, DELETED x/b/2@15, DELETED x/a/1@16, ADDED x/d/4@19"
	v1, deflated := sharkSample, sharkSample
	v1.version, deflated.method = 1, zip.Deflate
	for _, c := range []struct {
		name  string
		f     sharkFile
		times string
	}{{"version 2", sharkSample, ""}, {"version 2, deflated", deflated, ""}, {"version 1", v1, " spaced"}} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", c.f.bytes(t)))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		const pods = " [pods in x v1 Pod: ListBegin 1 ListItem 2 ListEnd 1 WatchOpen 1 ADDED 2 MODIFIED 2 DELETED 2 WatchBookmark 1, keys 4]"
		for i, r := range tr.Resources {
			if r.Resource == "pods" {
				tr.Resources[0], tr.Resources[i] = r, tr.Resources[0]
			}
		}
		summary := converttest.Summary(tr, nil)
		if !strings.HasPrefix(summary, "k8shark"+c.times+pods) || !strings.HasSuffix(summary, " [deployments.apps v1 : ListBegin 1 ListError 1, keys 0] (dumpDifferences 2 )") {
			t.Errorf("%s: %s", c.name, summary)
		}
		if got := converttest.Events(tr); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
		if c.times == "" {
			var at []string
			for _, x := range tr.Resources[0].Records {
				if x.Kind == trace.WatchEvent {
					at = append(at, time.Duration(x.Time).String())
				}
			}
			if got, want := strings.Join(at, " "), "1s 3s 3s 3s 5s 8.1s"; got != want || tr.Header.Start != "2026-04-10T10:00:00Z" || tr.Header.Server != "v1.36.1" {
				t.Errorf("%s: events at %s, want %s; %+v", c.name, got, want, tr.Header)
			}
		}
	}
}

// However an archive comes, it is read; where it can't be, it is said why.
func TestSharkArchives(t *testing.T) {
	whole := sharkSample.bytes(t)
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	if _, err := io.WriteString(z, whole); err != nil {
		t.Fatal(err)
	}
	z.Close()
	stream := converttest.Text("x.kshrk", whole)
	stream.ReaderAt, stream.Size = nil, 0
	with := func(extra map[string]string) string {
		f := sharkSample
		f.extra = extra
		return f.bytes(t)
	}
	sum := sha256.Sum256([]byte(sharkPods))
	dir := "k8shark-capture/records/" + hex.EncodeToString(sum[:8]) + "/"
	const age = "age-encryption.org/v1\n-> scrypt x 18\n"
	bomb := string(packed(strings.Repeat(" ", 1<<20)))
	var plain bytes.Buffer
	p := zip.NewWriter(&plain)
	if _, err := p.Create("pods.json"); err != nil {
		t.Fatal(err)
	}
	p.Close()
	for _, c := range []struct {
		name, want string
		in         convert.Input
		o          convert.Options
	}{
		{"compressed once more", "", converttest.Text("x", gz.String()), convert.Options{}},
		{"from a pipe", "", stream, convert.Options{}},
		{"encrypted", "refused: x.kshrk: the archive is encrypted with age: decrypt it first (age --decrypt -o DECRYPTED FILE), and open what comes out", converttest.Text("x.kshrk", age), convert.Options{}},
		{"encrypted, armored", "refused: x: the archive is encrypted with age", converttest.Text("x", "-----BEGIN AGE ENCRYPTED FILE-----\n"), convert.Options{}},
		{"encrypted, and compressed", "refused: x: the archive is encrypted with age", converttest.Text("x", string(packed(age))), convert.Options{}},
		{"encrypted inside", "refused: x: the archive is encrypted with age", converttest.Text("x", with(map[string]string{dir + "0.json.zst": age})), convert.Options{}},
		{"cut", "refused: x: the zip archive is cut or damaged: its list of files, which is at its end, can't be read", converttest.Text("x", whole[:len(whole)-20]), convert.Options{}},
		{"another archive", "refused: x.zip: none of the 1 files in this archive is a capture", converttest.Text("x.zip", plain.String()), convert.Options{}},
		{"a damaged record", "(damaged /api/v1/namespaces/x/pods 1: invalid input: magic number mismatch)", converttest.Text("x", with(map[string]string{dir + "1.json.zst": "nonsense"})), convert.Options{}},
		{"no JSON", "(damaged /api/v1/namespaces/x/pods 1: the text is not JSON)", converttest.Text("x", with(map[string]string{dir + "1.json.zst": string(packed("{"))})), convert.Options{}},
		{"deep", "(damaged /api/v1/namespaces/x/pods 1: the value nests deeper than 1000)", converttest.Text("x", with(map[string]string{dir + "1.json.zst": string(packed(strings.Repeat("[", 2000)))})), convert.Options{}},
		{"a record that is missing", "(damaged /api/v1/namespaces/x/pods 1: the record is in the index, but not in the archive)", converttest.Text("x", with(map[string]string{dir + "1.json.zst": ""})), convert.Options{}},
		{"a record that is too long", "(damaged /api/v1/namespaces/x/pods 1: the value is longer than 10000 bytes)", converttest.Text("x", with(map[string]string{dir + "1.json.zst": bomb})), convert.Options{MaxLine: 10_000}},
		{"a bomb", "refused: x: the input is more than 20000 bytes when uncompressed, which is the limit", converttest.Text("x", with(map[string]string{dir + "1.json.zst": bomb})), convert.Options{MaxInflated: 20_000}},
		{"a damaged index", "refused: x: index.json.zst: invalid input: magic number mismatch", converttest.Text("x", with(map[string]string{"k8shark-capture/index.json.zst": "nonsense"})), convert.Options{}},
		{"too many entries", "refused: x: the archive has more than 5 entries, which is the limit", converttest.Text("x", whole), convert.Options{MaxObjects: 5}},
		{"too many records", "refused: x: more than 21 records are in the index, which is the limit", converttest.Text("x", with(map[string]string{
			"k8shark-capture/index.json.zst": string(packed(`{"/api/v1/pods":{"seqs":[` + strings.Repeat("1,", 30) + `1]}}`))})), convert.Options{MaxObjects: 21}},
	} {
		_, tr, err := converttest.Converted(t, c.o, c.in)
		got := converttest.Summary(tr, err)
		if c.want == "" {
			c.want = "[pods in x v1 Pod: ListBegin 1 ListItem 2 ListEnd 1 WatchOpen 1 ADDED 2 MODIFIED 2 DELETED 2 WatchBookmark 1, keys 4]"
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func FuzzShark(f *testing.F) {
	converttest.Fuzz(f, k8shark.Form, sharkSample.bytes(f), sharkFile{version: 1, records: sharkSample.records[:2], method: zip.Deflate}.bytes(f))
}

// How far an archive is read is told, and comes to all of it.
func TestSharkProgress(t *testing.T) {
	in := converttest.Text("x", sharkSample.bytes(t))
	var last int64
	o := convert.Options{Progress: func(read, total int64) {
		if read < last || total != in.Size || read > total {
			t.Errorf("%d of %d after %d, and there are %d", read, total, last, in.Size)
		}
		last = read
	}}
	if _, err := convert.Convert(io.Discard, []convert.Input{in}, o); err != nil {
		t.Fatal(err)
	}
	if last != in.Size {
		t.Errorf("%d of %d bytes in the end", last, in.Size)
	}
}

func TestMadeSamples(t *testing.T) {
	v1 := sharkSample
	v1.version = 1
	converttest.CheckTestdata(t, map[string]string{"made-v1.kshrk": v1.bytes(t), "made-v2.kshrk": sharkSample.bytes(t)})
}
