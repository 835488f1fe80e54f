package convert_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format"
)

// packedFile is a file of an archive.
type packedFile struct{ name, text string }

func tarOf(t testing.TB, files []packedFile) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o600, Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, f.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, files []packedFile) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		x, err := w.Create(f.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(x, f.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The three kinds of archives that are asked for most, as their programs lay them out.
func archiveSamples() map[string][]packedFile {
	pods := func(namespace string, items ...string) string {
		return strings.ReplaceAll(converttest.PodList("10", items...), `"namespace":"x"`, `"namespace":"`+namespace+`"`)
	}
	node := strings.ReplaceAll(converttest.PodList("9", `{"metadata":{"name":"n1","uid":"5","resourceVersion":"2"}}`), "PodList", "NodeList")
	return map[string][]packedFile{
		"cluster-info": { // kubectl cluster-info dump --all-namespaces --output-directory=cluster-info
			{"cluster-info/nodes.json", node}, {"cluster-info/default/pods.json", pods("default", converttest.Pod("a", "1", "3"))},
			{"cluster-info/kube-system/pods.json", pods("kube-system", converttest.Pod("dns", "2", "4"))},
			{"cluster-info/empty/pods.json", pods("")}, {"cluster-info/default/a/logs.txt", "{\"level\":\"info\"}\nhello\n"},
		},
		"must-gather": {
			{"must-gather/version", "4.18\n"}, {"must-gather/quay/cluster-scoped-resources/core/nodes/n1.yaml", "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  uid: \"5\"\n  resourceVersion: \"2\"\n"},
			{"must-gather/quay/namespaces/default/core/pods.yaml", "---\napiVersion: v1\nitems:\n" + strings.ReplaceAll(converttest.ItemYAML("a", "3", ""), "namespace: x", "namespace: default") + "kind: PodList\nmetadata:\n  resourceVersion: \"10\"\n"},
			{"must-gather/quay/namespaces/kube-system/pods/dns/dns.yaml", strings.ReplaceAll("---\n"+converttest.PodYAML("dns", "4", ""), "namespace: x", "namespace: kube-system")},
			{"must-gather/quay/namespaces/default/pods/a/a/a/logs/current.log", "2026-11-20T21:06:42.768Z starting {}\n"},
			{"must-gather/event-filter.html", "<html></html>"},
		},
		"velero": {
			{"metadata/version", "1.1.0"}, {"resources/nodes/cluster/n1.json", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"5","resourceVersion":"2"}}`},
			{"resources/pods/namespaces/default/a.json", strings.ReplaceAll(converttest.Pod("a", "1", "3"), `"x"`, `"default"`)},
			{"resources/pods/v1-preferredversion/namespaces/default/a.json", strings.ReplaceAll(converttest.Pod("a", "1", "3"), `"x"`, `"default"`)},
			{"resources/pods/namespaces/kube-system/dns.json", strings.ReplaceAll(converttest.Pod("dns", "2", "4"), `"x"`, `"kube-system"`)},
		},
	}
}

// An archive is one state, however it is packed; what is no capture is counted.
func TestArchives(t *testing.T) {
	passed := map[string]int64{"cluster-info": 1, "must-gather": 2, "velero": 1}
	for name, files := range archiveSamples() {
		folder := func() (in []convert.Input) {
			for _, f := range files {
				x := converttest.Text(f.name, f.text)
				x.Loose = true
				in = append(in, x)
			}
			return in
		}
		packed := zipOf(t, files)
		piped := converttest.Text("x", string(packed))
		piped.ReaderAt = nil
		for how, in := range map[string][]convert.Input{
			"tar": {converttest.Text("x.tar", string(tarOf(t, files)))}, "tar.gz": {converttest.Text("x.tar.gz", string(gzipped(tarOf(t, files))))}, "tar.zst": {converttest.Text("x", string(zstandard(tarOf(t, files))))},
			"zip": {converttest.Text("x.zip", string(packed))}, "zip from a pipe": {piped}, "a folder": folder(),
			"tar.gz in a zip": {converttest.Text("x.zip", string(zipOf(t, []packedFile{{"dump.tar.gz", string(gzipped(tarOf(t, files)))}})))},
		} {
			_, tr, err := converttest.Converted(t, convert.Options{}, in...)
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			var got []string
			for _, r := range tr.Resources {
				got = append(got, r.Name())
			}
			slices.Sort(got)
			for i, want := range []string{"nodes", "pods"} {
				if i >= len(got) || !strings.HasPrefix(got[i], want) {
					t.Errorf("%s, %s: %v", name, how, got)
				}
			}
			logs := int64(0)
			if name == "must-gather" {
				logs = 1
			}
			if n := converttest.Remarked(tr, remarks.PassedOver); n != passed[name] || converttest.Remarked(tr, remarks.LogsNamed) != logs || len(tr.Remarks) != 1+int(logs) || len(tr.Problems) != 0 || len(got) != 2 {
				t.Errorf("%s, %s: %d passed over, %v %v %v", name, how, n, got, tr.Remarks, tr.Problems)
			}
			for _, r := range tr.Resources {
				if r.Resource == "pods" && (r.Table.Keys() != 3 || r.Events != 0 || r.Lists != 1) {
					t.Errorf("%s, %s: %d pods, %d events, %d lists", name, how, r.Table.Keys()-1, r.Events, r.Lists)
				}
			}
		}
	}
}

// A file that can't be read doesn't keep the others from being read, and is a problem.
func TestOneBadFileCostsNoOther(t *testing.T) {
	good := converttest.Text("good.json", converttest.PodList("10", converttest.Pod("a", "1", "3")))
	watch := converttest.Text("watch.json", converttest.AddedEvent(converttest.Pod("b", "2", "11")))
	archive := converttest.Text("bad.zip", "PK\x03\x04 and no more")
	for name, bad := range map[string]convert.Input{
		"unknown": converttest.Text("bad", "what is this?"), "gzip": converttest.Text("bad", "\x1f\x8bbad"), "zip": archive, "a list whose items are a number": converttest.Text("bad.json", `{"kind":"PodList","apiVersion":"v1","items":7}`),
		"missing": {Name: "bad", Open: func() (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }},
	} {
		for _, in := range [][]convert.Input{{good, bad}, {bad, good}, {bad, watch, good}} {
			_, tr, err := converttest.Converted(t, convert.Options{}, in...)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := converttest.Summary(tr, nil); !strings.Contains(got, "ListItem 1") || tr.ProblemCount != 1 || !strings.Contains(tr.Problems[0].Error(), "bad") {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	_, err := convert.Convert(io.Discard, []convert.Input{archive, converttest.Text("x", "what is this?")}, convert.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "bad.zip: the zip archive is cut or damaged") || !strings.HasSuffix(err.Error(), "; nor can 1 more be read") {
		t.Errorf("of nothing: %v", err)
	}
}

// What stands around the values is taken away, and no place moves by that.
func TestLayouts(t *testing.T) {
	first, two := `{"type":"ADDED","object":`+converttest.Pod("a", "1", "5")+`}`, `{"type":"MODIFIED","object":`+converttest.Pod("a", "1", "6")+`}`
	plain := first + "\n" + two + "\n"
	const want = "watch spaced [pods v1 Pod: WatchOpen 1 ADDED 1 MODIFIED 1, keys 1]"
	const timed = "watch [pods v1 Pod: WatchOpen 1 ADDED 1 MODIFIED 1, keys 1] (lineTimes 0 )"
	const local = timed + " (lineTimesLocal 0 )"
	pretty := strings.NewReplacer("{", "{\n  ", ",", ",\n  ").Replace(first) + "\n" + two
	sixteen := func(order binary.AppendByteOrder, s string) string {
		b := order.AppendUint16(nil, 0xfeff)
		for _, c := range utf16.Encode([]rune(s)) {
			b = order.AppendUint16(b, c)
		}
		return string(b)
	}
	stamped := func(s, t string) string { return s + " " + first + "\n" + t + " " + two + "\n" }
	for _, c := range []struct {
		name, in, want string
		ns             int64 // between the events, where there are times
	}{
		{"UTF-16, little endian", sixteen(binary.LittleEndian, plain), want, 0},
		{"UTF-16, big endian", sixteen(binary.BigEndian, plain), want, 0},
		{"UTF-16 without a mark", sixteen(binary.LittleEndian, plain)[2:], want, 0},
		{"UTF-16 without a mark, big endian", sixteen(binary.BigEndian, plain)[2:], want, 0},
		{"UTF-16, compressed", string(gzipped([]byte(sixteen(binary.LittleEndian, plain)))), want, 0},
		{"UTF-16, cut", sixteen(binary.LittleEndian, plain+`{"type":"DELETED"`)[:2*len(plain)+21], want + " (cut line 3, byte " + strconv.Itoa(len(plain)+10) + ": the JSON ends too early)", 0},
		{"an array", "[" + first + "," + two + "]", want, 0},
		{"an array with spaces", " [\n" + pretty[:len(pretty)-len(two)-1] + "\n,\n" + two + "\n]\n", want, 0},
		{"an array of lists", "[" + converttest.PodList("5", converttest.Pod("a", "1", "5")) + "]", "list spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1]", 0},
		{"an array with something else", "[" + first + `,7,` + two + "]", want + " (damaged byte 132: expected a JSON object)", 0},
		{"a prompt", "$ kubectl get pods -w -o json --output-watch-events\nWarning: v1 is old\n" + plain, want + " (linesAbove 2 )", 0},
		{"a prompt above an array", "$ cat x\n[" + first + "," + two + "]\n", want + " (linesAbove 1 )", 0},
		{"a prompt above YAML", "$ kubectl get pods -o yaml\n" + converttest.PodYAML("a", "1", ""), "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (linesAbove 1 ) (typesWorkedOut 0 ) (noDeletions 0 )", 0},
		{"a cut beginning", first[20:] + "\n" + plain, want + " (damaged line 1, byte 0: the input begins inside something)", 0},
		{"RFC 3339", stamped("2026-11-20T21:06:42.5Z", "2026-11-20T21:06:44.75Z"), timed, 2_250_000_000},
		{"with a zone", stamped("2026-11-20T21:06:42+01:00", "2026-11-20T21:06:44+01:00"), timed, 2_000_000_000},
		{"journald", stamped("2026-11-20T21:06:42+0100", "2026-11-20T21:06:44+0100"), timed, 2_000_000_000},
		{"seconds since 1970", stamped("1763672802.250000", "1763672802.500000"), timed, 250_000_000},
		{"in brackets", stamped("[2026-11-20 21:06:42]", "[2026-11-20 21:06:43]"), local, 1_000_000_000},
		{"ts", stamped("Nov 20 21:06:42", "Nov 20 21:06:45"), local, 3_000_000_000},
		{"ts, at the end of a year", stamped("Dec 31 23:59:59", "Jan  1 00:00:01"), local, 2_000_000_000},
		{"ts -s", stamped("00:00:05", "00:01:05"), local, 60_000_000_000},
		{"over midnight", stamped("23:59:59.5", "00:00:00"), local, 500_000_000},
		{"on each line", "2026-11-20T21:06:42Z " + strings.ReplaceAll(pretty, "\n", "\n2026-11-20T21:06:43Z "), timed, 1_000_000_000},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", c.in))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
			continue
		}
		if records := tr.Resources[0].Records; c.ns != 0 && records[2].Time-records[1].Time != c.ns {
			t.Errorf("%s: %d ns between the events, not %d", c.name, records[2].Time-records[1].Time, c.ns)
		}
	}
}

// An audit log as an array has its events on any lines.
func TestAnArrayOfAuditEvents(t *testing.T) {
	line := converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "5")))
	pretty := strings.ReplaceAll(line, ",", ",\n  ")
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", "[\n"+pretty+",\n"+strings.ReplaceAll(line, `"5"`, `"6"`)+"]"))
	if err != nil || len(tr.Resources) != 1 || tr.Resources[0].Events == 0 {
		t.Errorf("%s", converttest.Summary(tr, err))
	}
}

// A snapshot of etcd is refused, with how to get a list.
func TestSnapshotOfEtcd(t *testing.T) {
	page := make([]byte, 4096)
	copy(page[16:], "\xed\xda\x0c\xed\x02\x00\x00\x00")
	_, err := convert.Convert(io.Discard, []convert.Input{converttest.Text("snapshot.db", string(page))}, convert.Options{})
	if err == nil || !strings.Contains(err.Error(), "the input is an etcd snapshot") || !strings.Contains(err.Error(), "kubectl get") {
		t.Errorf("%v", err)
	}
}

// What is small and stands for more than anyone can hold ends where its limit is.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 4<<20)
	capture := `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[` + string(bytes.Repeat([]byte{' '}, 4<<20))
	o := convert.Options{MaxInflated: 1 << 20, MaxHeld: 1 << 18, MaxLine: 1 << 20}
	for _, c := range []struct {
		name, want string
		in         []byte
	}{
		{"gzip", "the input is more than 1048576 bytes when uncompressed, which is the limit", gzipped([]byte(capture))},
		{"zstd", "the input is more than 1048576 bytes when uncompressed, which is the limit", zstandard([]byte(capture))},
		{"tar.gz of zeros", "the input is more than 1048576 bytes when uncompressed, which is the limit", gzipped(tarOf(t, []packedFile{{"a", string(zeros)}}))},
		{"tar of captures", "the captures in the archive are more than 262144 bytes, which is the limit: unpack it, and open the folder", tarOf(t, []packedFile{{"a.json", capture[:1<<19]}})},
		{"zip", "the input is more than 1048576 bytes when uncompressed, which is the limit", zipOf(t, []packedFile{{"a.json", capture}})},
		{"many small files in a zip", "the input is more than 1048576 bytes when uncompressed, which is the limit", zipOf(t, slices.Repeat([]packedFile{{"a.txt", string(zeros[:1<<17])}}, 20))},
		{"gzip in a zip", "the input is more than 1048576 bytes when uncompressed, which is the limit", zipOf(t, []packedFile{{"a.gz", string(gzipped([]byte(capture)))}})},
	} {
		_, tr, err := converttest.Converted(t, o, converttest.Text("x", string(c.in)))
		if got := converttest.Summary(tr, err); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// kubectl cluster-info dump prints lists, and then the logs of all containers.
func TestClusterInfoOnStandardOutput(t *testing.T) {
	log := "==== START logs for container web of pod shop/web ====\nhello\n{\"level\":\"info\"}\n==== END logs for container web of pod shop/web ====\n"
	in := strings.ReplaceAll(converttest.PodList("9", `{"metadata":{"name":"n1","uid":"5","resourceVersion":"2"}}`), "PodList", "NodeList") + "\n" + converttest.PodList("10", converttest.Pod("a", "1", "3")) + "\n" + log + log
	for _, tail := range []string{"", "==== START logs for container x of pod shop/x ====\ncut"} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("dump.json", in+tail))
		want := "list spaced [nodes v1 Node: ListBegin 1 ListItem 1 ListEnd 1, keys 1] [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1] (logsPassed 2 )"
		if tail != "" {
			want = strings.Replace(want, "2 )", "3 )", 1)
		}
		if converttest.Summary(tr, err) != want {
			t.Errorf("got %s\nwant %s", converttest.Summary(tr, err), want)
		}
	}
	direct := format.NewReader(format.Options{})
	if err := direct.Write([]byte(in)); !errors.As(err, new(format.Foreign)) {
		t.Errorf("read directly: %v", err)
	}
}
