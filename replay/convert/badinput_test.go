package convert_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// patience is for how long anything may keep this process busy without progress: see busy.
const patience = 2 * time.Second

// small are short samples of every format that can be read.
func small(t testing.TB) map[string]string {
	t.Helper()
	a, b := converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4")
	begin := func(name string, n int64) string { return converttest.Beginning(t, name, n) }
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	audit := converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(a)) + converttest.AuditLine("delete", "pods", "a", 2, 200, converttest.Answer(a))
	wrapped := func(name string) string {
		return around[name](strings.Split(strings.TrimSpace(audit), "\n"), []time.Time{at, at.Add(time.Second)})
	}
	return map[string]string{
		"own": converttest.OwnTrace("2026-01-01T10:00:00Z", `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":0,"id":1,"resp":{"status":200}}`,
			`{"t":1,"id":1,"event":{"type":"ADDED","object":`+a+`}}`, `{"t":2,"call":{"id":1,"handler":"h","fn":"OnAdd","key":"x/a","rv":"3","took":5}}`, `{"t":3,"work":{"queue":"q","fn":"Add","key":"x/a"}}`, `{"t":4,"id":1,"end":{"how":"eof"}}`),
		"watch": converttest.AddedEvent(a) + `{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9"}}}` + "\n" +
			`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old","reason":"Expired","code":410}}` + "\n",
		"pretty":         indented(converttest.AddedEvent(a)) + indented(converttest.AddedEvent(b)),
		"objects":        a + "\n" + b + "\n" + a + "\n",
		"list":           converttest.PodList("10", a, b),
		"dumps":          begin("made-dumps.json", 4000),
		"array":          "[" + converttest.PodList("10", a) + "," + converttest.PodList("11", b) + "]",
		"Go":             `{"Type":"ADDED","Object":{"metadata":{"name":"a","uid":"1","resourceVersion":"5"},"spec":{"containers":[]},"status":{"phase":"Pending"}}}` + "\n",
		"Python":         `{"api_version":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x","resource_version":"5","creation_timestamp":null},"spec":{"node_name":"n","tolerations":null}}` + "\n",
		"Python's print": "[{'type': 'ADDED', 'object': {'kind': 'Pod', 'api_version': 'v1', 'metadata': {'name': 'a\\x41', 'uid': u'1', 'resource_version': \"5\", 'x': None, 'creation_timestamp': datetime.datetime(2026, 1, 1, 10, 0, tzinfo=tzutc())}}}]\n",
		"logged":         "I0101 10:00:00.000000       1 a.go:1] event ADDED: " + a + "\n2026-01-01 10:00:01,000 INFO x: MODIFIED " + a + "\n",
		"over lines":     "Event: ADDED\n" + indented(a) + "MODIFIED " + indented(a) + "Event: DELETED\n" + indented(a),
		"asciinema":      wrapped("asciinema"),
		"asciinema, old": `{"version":1,"width":80,"height":24,"stdout":[[0.5,` + quote(converttest.AddedEvent(a)) + `],[1,` + quote(converttest.AddedEvent(b)) + "]]}",
		"in a field":     inField([]string{strings.TrimSpace(converttest.AddedEvent(a))}, []time.Time{at}),
		"admission":      `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"operation":"CREATE","object":` + a + "}}\n",
		"exported":       wrapped("journalctl -o export, in bytes"),
		"times":          "2026-01-01T10:00:00Z " + converttest.AddedEvent(a) + "2026-01-01T10:00:01Z " + converttest.AddedEvent(b),
		"YAML":           converttest.PodYAML("a", "1", "") + "---\n" + converttest.PodYAML("b", "2", ""),
		"YAML, list":     begin("made-list.yaml", 4000),
		"YAML, sequence": converttest.ItemYAML("a", "1", "") + converttest.ItemYAML("b", "2", ""),
		"YAML, events":   "object:\n" + converttest.PodYAML("a", "1", "  ") + "type: ADDED\n---\nobject:\n" + converttest.PodYAML("a", "2", "  ") + "type: DELETED\n",
		"Table":          converttest.TableOf("9", converttest.Columns, converttest.Row),
		"audit":          audit,
		"Docker":         wrapped("Docker, in parts"),
		"CloudWatch":     wrapped("CloudWatch"),
		"Loki":           wrapped("Loki, newest first"),
		"Elasticsearch":  wrapped("Elasticsearch"),
		"journald":       wrapped("journald, as JSON"),
		"kwok":           begin("kwokctl-snapshot-record.yaml.gz", 3000),
		"k8shark":        begin("made-v2.kshrk", 9000),
		"SimKube":        begin("made.sktrace", 4000),
		"scheduler":      begin("made-scheduler.jsonl", 4000),
		"HAR":            begin("made.har", 4000),
		"klog": `I1231 23:59:59.500000   22201 round_trippers.go:632] "Response" verb="GET" url="https://127.0.0.1:26443/api/v1/pods?limit=500" status="200 OK" headers=<` + "\n\tDate: Thu, 31 Dec 2026 21:59:59 GMT\n >\n" +
			`I1231 23:59:59.600000   22201 helper.go:113] "Response Body" body=<` + "\n\t" + converttest.PodList("10", a, b) + "\n >\n",
		"log":        "I0101 10:00:02.000000       1 a.go:1] text\n" + `{"level":"warn","ts":"2026-01-01T10:00:03Z","msg":"x"}` + "\n",
		"Prometheus": `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","job":"x"},"values":[[1767261600,"1"],[1767261601,"0.5"]]}]}}`,
		"metrics":    "# TYPE workqueue_depth gauge\nworkqueue_depth{name=\"x\"} 3 1767261600000\nworkqueue_depth{name=\"y\"} 4\n",
		"UTF-16":     "\xff\xfe" + regexp.MustCompile(`.`).ReplaceAllString(strings.TrimSpace(converttest.AddedEvent(a)), "$0\x00"),
		"tar":        string(gzipped(tarOf(t, []packedFile{{"x/pods.json", converttest.PodList("10", a)}, {"x/b.yaml", converttest.PodYAML("b", "2", "")}}))),
		"zip":        string(zipOf(t, []packedFile{{"x/pods.json", converttest.PodList("10", a)}, {"x/b.yaml", converttest.PodYAML("b", "2", "")}})),
		"gzip":       string(gzipped([]byte(converttest.AddedEvent(a) + converttest.AddedEvent(b)))),
		"zstd":       string(zstandard([]byte(converttest.AddedEvent(a) + converttest.AddedEvent(b)))),
	}
}

// overlaid are the formats that need a capture which they are laid over.
var overlaid = map[string]bool{"log": true, "Prometheus": true, "metrics": true}

// readAny reads an input as the command does: by the direct reader, and else by converting it. It returns what is there in the end, and
// fails the test where that is neither a trace nor an error that names the input, where a problem has no reason, and where it takes too long.
func readAny(t *testing.T, name, in string, limits convert.Options) *trace.Trace {
	t.Helper()
	began := busy(t)
	limits.MaxLine, limits.MaxInflated, limits.MaxObjects = 1<<20, 8<<20, 1000
	r := format.NewReader(format.Options{MaxLine: 1 << 20}) // of a packed input file.Read is tested elsewhere
	r.Write([]byte(in))
	direct, err := r.Trace(), r.Close()
	if err == nil || !errors.As(err, new(format.Foreign)) {
		explained(t, in, direct, err)
	}
	inputs := []convert.Input{converttest.Text("FILE", in)}
	if overlaid[name] {
		inputs = append([]convert.Input{converttest.Text("r.trace.jsonl", converttest.OwnTrace("2026-01-01T10:00:00Z", `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":60000000000}`))}, inputs...)
	}
	_, tr, err := converttest.Converted(t, limits, inputs...)
	if err != nil && !strings.Contains(err.Error(), "FILE") && len(inputs) > 1 {
		t.Errorf("the error doesn't name the input: %v\n%.300q", err, in)
	}
	explained(t, in, tr, err)
	if d := busy(t) - began; d > patience {
		t.Errorf("it took %v\n%.300q", d, in)
	}
	return tr
}

// explained fails the test where a trace's problems don't say why, or lie outside of the input.
func explained(t *testing.T, in string, tr *trace.Trace, err error) {
	t.Helper()
	if err != nil {
		if strings.Contains(err.Error(), "Go ") {
			t.Errorf("the error has the words of a library: %v\n%.300q", err, in)
		}
		return
	}
	for _, p := range tr.Problems {
		if p.Err == nil || p.Err.Error() == "" || p.Line < 0 || p.Offset < 0 {
			t.Errorf("a problem says nothing: %s %+v\n%.300q", p.Kind, p, in)
		}
	}
}

// rounds is how often each sample is damaged.
func rounds() int {
	switch {
	case runtime.GOARCH == "wasm":
		return 8
	case testing.Short():
		return 30
	}
	return 100
}

// Every format may end at any byte. Of long samples, some of the places are tried.
func TestCutAtEachByte(t *testing.T) {
	missing := convert.Formats()
	for name, in := range small(t) {
		t.Run(name, func(t *testing.T) {
			tr := readAny(t, name, in, convert.Options{})
			if tr == nil || tr.Records+int64(len(tr.Log)+len(tr.Series)) == 0 {
				t.Fatalf("the whole sample is not read: %v", tr)
			}
			missing = slices.DeleteFunc(missing, func(id string) bool { return slices.Contains(strings.Split(tr.Format, "+"), id) })
			step := max(len(in)/rounds(), 1)
			if len(in) <= eachByte && runtime.GOARCH != "wasm" && !testing.Short() {
				step = 1
			}
			for n := len(in) % step; n < len(in) && !t.Failed(); n += step {
				readAny(t, name, in[:n], convert.Options{})
			}
		})
	}
	if missing = slices.DeleteFunc(missing, func(id string) bool { return id == encrypted }); len(missing) > 0 && !t.Failed() {
		t.Errorf("small has no sample of %q", missing)
	}
}

// Samples of at most eachByte bytes are cut at each byte. Nothing is read of the format encrypted.
const (
	eachByte  = 600
	encrypted = "age"
)

// value finds the values in JSON and the like that are no objects or arrays.
var value = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\b[0-9][0-9.eE+-]*\b|\b(?:true|false|null)\b`)

// Wherever a value stands, another kind of value may stand.
func TestWrongKinds(t *testing.T) {
	const deep = 3000
	kinds := []string{"null", "true", "5", "-1e400", `""`, `"x"`, "[]", "{}", "[null]", `{"a":1}`, "99999999999999999999", `"\u0000"`, "\"\x00\"", "\x00", `"` + "\xff" + `"`,
		strings.Repeat("[", deep) + strings.Repeat("]", deep), strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep), strings.Repeat("[", deep), strings.Repeat("- ", deep), `"1996-01-01T00:00:00Z"`}
	const seed = 604
	for name, in := range small(t) {
		places := value.FindAllStringIndex(in, -1)
		if len(places) == 0 { // it is binary
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			for range rounds() {
				at, kind := places[r.IntN(len(places))], kinds[r.IntN(len(kinds))]
				if readAny(t, name, in[:at[0]]+kind+in[at[1]:], convert.Options{}); t.Failed() {
					t.Fatalf("seed %d: %.40q at byte %d", seed, kind, at[0])
				}
			}
		})
	}
}

// date finds the years of times.
var date = regexp.MustCompile(`\b20\d\d([-/]\d\d[-/]\d\d)|\b1767(2\d\d{4})`)

// Thirty years may lie between two times of any format that has times, in either direction. What comes of that can be played at once.
func TestThirtyYears(t *testing.T) {
	for name, in := range small(t) {
		all := date.FindAllStringSubmatchIndex(in, -1)
		for _, place := range all {
			for _, later := range []bool{false, true} {
				rest := in[place[0]+4:]
				year := map[bool]string{false: "1996", true: "2056"}[later]
				if place[4] >= 0 { // seconds since 1970
					year = map[bool]string{false: "0820", true: "2713"}[later]
				}
				tr := readAny(t, name, in[:place[0]]+year+rest, convert.Options{})
				if tr == nil {
					continue
				}
				began := busy(t)
				p := report.Play(tr, report.Options{Profile: world.Current})
				err := p.Grown()
				if d := busy(t) - began; d > patience {
					t.Errorf("%s, %s at byte %d: it took %v to play it: %v", name, year, place[0], d, err)
				}
			}
		}
		if len(all) == 0 && (name == "own" || name == "audit" || name == "log") {
			t.Errorf("%s has no time", name)
		}
	}
}

// Bytes may be damaged anywhere, in a compressed input, too.
func TestDamagedBytes(t *testing.T) {
	const seed = 604
	for name, in := range small(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			for range rounds() {
				b := []byte(in)
				for range 1 + r.IntN(3) {
					b[r.IntN(len(b))] = []byte{0, 0xff, '"', '{', ']', '\n', ' ', '9'}[r.IntN(8)]
				}
				if readAny(t, name, string(b), convert.Options{}); t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// An event with NUL bytes can't be read, and is counted as lost.
func TestNULsAreCounted(t *testing.T) {
	event := converttest.AddedEvent(converttest.Pod("a", "1", "5"))
	for name, bad := range map[string]string{
		"within": strings.Replace(event, `"uid":"1"`, "\"uid\":\"\x00\"", 1), "between": strings.Replace(event, `,"object"`, ",\x00\x00\"object\"", 1),
		"a block of zeros": strings.Repeat("\x00", 4096) + "\n" + event[40:],
	} {
		in := event + bad + event
		direct, err := file.Read(strings.NewReader(in), format.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		_, converted, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
		if err != nil {
			t.Fatal(name, err)
		}
		for way, tr := range map[string]*trace.Trace{"direct": direct, "converted": converted} {
			if tr.ProblemCount == 0 || tr.Lost == 0 || tr.Problems[0].Line != 2 {
				t.Errorf("%s, %s: %s, %d lost", name, way, converttest.Summary(tr, nil), tr.Lost)
			}
		}
	}
}

// What follows a whole member of gzip is told as that, and all that was whole is read.
func TestGarbageBehindGzip(t *testing.T) {
	in := string(gzipped([]byte(converttest.AddedEvent(converttest.Pod("a", "1", "5"))))) + "garbage that is none"
	direct, err := file.Read(strings.NewReader(in), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, converted, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
	if err != nil {
		t.Fatal(err)
	}
	for way, tr := range map[string]*trace.Trace{"direct": direct, "converted": converted} {
		if tr.Records < 2 || tr.ProblemCount != 1 || strings.Contains(tr.Problems[0].Error(), "cut") {
			t.Errorf("%s: %s", way, converttest.Summary(tr, nil))
		}
	}
}

// filled reads as a text, then as many bytes of a filling, and then as another text.
type filled struct {
	before  string
	filling string
	many    int64
	after   string
}

func (n *filled) Read(p []byte) (int, error) {
	from := &n.before
	if n.before == "" {
		if n.many > 0 {
			p = p[:min(int64(len(p)), n.many)]
			for i := range p {
				p[i] = n.filling[(n.many-int64(i))%int64(len(n.filling))]
			}
			n.many -= int64(len(p))
			return len(p), nil
		}
		from = &n.after
	}
	i := copy(p, *from)
	if *from = (*from)[i:]; i == 0 {
		return 0, io.EOF
	}
	return i, nil
}

// Half a gigabyte of newlines or of spaces in three formats, and sixteen megabytes of them in every one of text, are read with progress,
// in little memory and time. A line of spaces that is too long is a problem of its place.
func TestEmptyLines(t *testing.T) {
	samples := small(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // what is measured is no garbage that may wait
	for _, filling := range []string{"\n", "\n\r", " "} {
		emptyLines(t, samples, filling)
	}
}

func emptyLines(t *testing.T, samples map[string]string, filling string) {
	for name, sample := range samples {
		many := int64(16 << 20)
		if !utf8.ValidString(sample) || strings.Contains(sample, "\x00") { // it is no text
			continue
		}
		if !testing.Short() && filling != "\n\r" && (name == "watch" || name == "YAML, list" || name == "log") {
			many = 500 << 20
		}
		in := convert.Input{Name: "FILE", Size: many, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(&filled{sample, filling, many, sample}), nil
		}}
		inputs := []convert.Input{in}
		if overlaid[name] {
			inputs = append(inputs, converttest.Text("r.trace.jsonl", converttest.OwnTrace("2026-01-01T10:00:00Z", `{"t":60000000000}`)))
		}
		room := uint64(100 << 20)
		if filling == " " {
			room = 300 << 20 // a line of up to 64 MB is kept whole, beside what it grew from
		}
		var most uint64
		longest := time.Duration(0)
		runtime.GC()
		var before, heap runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		began := busy(t)
		last := began
		_, err := convert.Convert(io.Discard, inputs, convert.Options{Progress: func(read, total int64) {
			now := busy(t)
			longest, last = max(longest, now-last), now
			if n++; n%256 == 0 {
				runtime.ReadMemStats(&heap)
				most = max(most, heap.HeapInuse)
			}
		}})
		longest = max(longest, busy(t)-last)
		t.Logf("%s, %q: %v, %d MB, at most %v without progress: %v", name, filling, busy(t)-began, most>>20, longest, err)
		if err != nil && filling == " " && strings.HasPrefix(err.Error(), "FILE: line ") { // the line that they are part of can't be read
			err = nil
		}
		const half = 500 << 20 // bytes, which no format takes longer than a minute to read
		if err != nil || most > before.HeapInuse+room || longest > patience || busy(t)-began > patience+time.Duration(many)*(time.Minute/half) {
			t.Errorf("%s, %q: %v, %d MB, at most %v without progress", name, filling, err, most>>20, longest)
		}
	}
}
