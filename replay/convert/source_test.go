package convert_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		panic(err)
	}
	z.Close()
	return out.Bytes()
}

func zstandard(b []byte, options ...zstd.EOption) []byte {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, options...)
	if err == nil {
		_, err = z.Write(b)
	}
	if err != nil {
		panic(err)
	}
	z.Close()
	return out.Bytes()
}

// sample returns long samples of some forms, as they are.
func sample(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for id, name := range map[string]string{
		"watch": "pods.watch.ndjson.gz", "kubectl": "kubectl-get-pods-w-events.json.gz", "objects": "kubectl-get-pods-w-noevents.json.gz",
		"list": "configmaps.list.p1.json", "trace": "shop.trace.jsonl.gz", "kwok": "kwokctl-snapshot-record.yaml.gz", "yaml": "kubectl-get-pods-w-events.yaml.gz",
		"k8shark": "made-v2.kshrk", "simkube": "made.sktrace",
	} {
		all[id] = []byte(converttest.Beginning(t, name, 1<<30))
	}
	return all
}

// However an input is compressed, what comes out is the same; and every form can
// be.
func TestCompressed(t *testing.T) {
	samples := sample(t)
	for id, text := range small(t) {
		if !overlaid[id] {
			samples[id+", short"] = []byte(text)
		}
	}
	for id, b := range samples {
		if testing.Short() && len(b) > 1<<20 {
			continue
		}
		want, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", string(b)))
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for name, pack := range map[string]func() []byte{
			"gzip":             func() []byte { return gzipped(b) },
			"gzip, in parts":   func() []byte { return append(gzipped(b[:len(b)/2]), gzipped(b[len(b)/2:])...) },
			"zstd":             func() []byte { return zstandard(b) },
			"zstd, in parts":   func() []byte { return append(zstandard(b[:len(b)/2]), zstandard(b[len(b)/2:])...) },
			"zstd, best":       func() []byte { return zstandard(b, zstd.WithEncoderLevel(zstd.SpeedBestCompression)) },
			"zstd within gzip": func() []byte { return gzipped(zstandard(b)) },
		} {
			if testing.Short() && !strings.HasSuffix(name, "in parts") {
				continue
			}
			if name == "zstd within gzip" && strings.HasSuffix(id, ", short") {
				continue // some of these are compressed already, or have files that are
			}
			got, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", string(pack())))
			if err != nil || got != want {
				t.Errorf("%s, %s: it is not the same, %v", id, name, err)
			}
		}
	}
}

// Every limit has a message that names it.
func TestLimits(t *testing.T) {
	watch := []byte(`{"type":"ADDED","object":` + converttest.Pod("a", "1", "1") + "}\n")
	bare := converttest.Pod("a", "1", "1") + "\n" + converttest.Pod("b", "2", "2") + "\n" + converttest.Pod("c", "3", "3") + "\n"
	deep := `{"type":"ADDED","object":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + "}\n"
	long := []byte(converttest.Beginning(t, "pods.watch.ndjson.gz", 1<<30))
	layers := watch
	for range 4 {
		layers = gzipped(layers)
	}
	// A frame that asks for a window of a gigabyte.
	window := []byte("\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00")
	const stern = "refused: x: the input looks like a log whose lines have no times"
	const begun = "watch spaced [pods v1 Pod: WatchOpen 1 ADDED "
	for _, c := range []struct {
		name, input, want string
		o                 convert.Options
	}{
		{"decompressed size, gzip", string(gzipped(bytes.Repeat(watch, 1000))), begun + "76, keys 1] (source line 77, byte 10000: the input is more than 10000 bytes when uncompressed, which is the limit)", convert.Options{MaxInflated: 10_000}},
		{"decompressed size, zstd", string(zstandard(bytes.Repeat(watch, 1000))), begun + "76, keys 1] (source line 77, byte 10000: the input is more than 10000 bytes when uncompressed, which is the limit)", convert.Options{MaxInflated: 10_000}},
		{"layers", string(layers), "refused: x: the input is compressed more than 3 times", convert.Options{}},
		{"window", string(window), "refused: x: the input is compressed with a window of more than 128 MiB, which is the limit (zstd --long=27 stays below it)", convert.Options{}},
		{"line length", string(watch) + strings.Repeat(" ", 10) + `{"a":"` + strings.Repeat("x", 5000) + "\"}\n" + string(watch), begun + "2, keys 1] (tooLong line 2, byte 141: the value is longer than 1000 bytes)", convert.Options{MaxLine: 1000}},
		{"nesting", string(watch) + deep + string(watch), begun + "2, keys 1] (tooDeep line 2, byte 131: the value nests deeper than 1000)", convert.Options{}},
		{"object count", bare, "refused: x: more than 2 objects are alive at once, which is the limit", convert.Options{MaxObjects: 2}},
		{"object count, YAML", converttest.PodYAML("a", "1", "") + "---\n" + converttest.PodYAML("b", "2", ""), "refused: x: more than 1 objects are alive at once, which is the limit", convert.Options{MaxObjects: 1}},
		{"cut gzip", string(gzipped(long)[:len(gzipped(long))/2]), ": the compressed data ends too early: the file is cut) (cut line ", convert.Options{}},
		{"cut zstd", string(zstandard(long)[:len(zstandard(long))/2]), ": the compressed data ends too early: the file is cut) (cut line ", convert.Options{}},
		{"cut at once", string(gzipped(long)[:20]), "refused: x: the compressed data ends too early: the file is cut", convert.Options{}},
		{"lz4", "\x04\x22\x4d\x18\x64\x40", "refused: x: the input is compressed with lz4: uncompress it (lz4 -d), or compress it with gzip or zstd", convert.Options{}},
		{"server-sent events", "data: {\"type\":\"ADDED\"}\n\n", "refused: x: the input is a stream of server-sent events: keep what follows data: in its lines (sed -n s/^data://p)", convert.Options{}},
		{"a JSON text sequence", "\x1e{\"type\":\"ADDED\"}\n", `refused: x: the input is a JSON text sequence: take out the byte 1E before each value (tr -d \036)`, convert.Options{}},
		{"logs by stern", "web-7d9f8b6c5d-x2k4z nginx 10.0.0.1 - - GET /\n", stern, convert.Options{}},
		{"logs by stern, with namespaces", "shop db-0 postgres ready\n", stern, convert.Options{}},
		{"logs by stern, as JSON", `{"message":"ready","nodeName":"n","namespace":"shop","podName":"db-0","containerName":"postgres"}` + "\n", stern, convert.Options{}},
		{"logs by stern, with what it follows", "+ db-0 › postgres\ndb-0 postgres ready\n", stern, convert.Options{}},
		{"logs by kubectl", "[pod/db-0/postgres] ready\n", stern, convert.Options{}},
		{"what Java prints", "V1Pod(apiVersion=v1, kind=Pod)\n", "refused: x: the input looks like what Java prints of an object, which is not JSON: print new io.kubernetes.client.openapi.JSON()", convert.Options{}},
		{"what Node prints", "{\n  kind: 'Pod',\n  metadata: { name: 'a' }\n}\n", "refused: x: the input looks like what Node.js prints of an object, which is not JSON: print JSON.stringify(x)", convert.Options{}},
		{"what Java prints in a log", "10:00:00.123 [main] INFO  Watch - ADDED Pod(apiVersion=v1, kind=Pod)\n", "refused: x: the input looks like what Java prints of an object", convert.Options{}},
		{"a log of Java without days", "10:00:00.123 [main] INFO  c.e.App - ready\n", stern, convert.Options{}},
		{"what Node prints below a word", "ADDED\n{\n  kind: 'Pod',\n  metadata: { name: 'a' }\n}\n", "refused: x: the input looks like what Node.js prints of an object", convert.Options{}},
		{"what Python prints below a line", "Event: ADDED a\n{'kind': 'Pod', 'metadata': {'name': 'a'}}\n", "watch spaced [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1]", convert.Options{}},
		{"watch events below a line that has a verb", "Event: ADDED a\n{\"type\":\"ADDED\",\"object\":" + converttest.Pod("a", "1", "3") + "}\n{\"type\":\"DELETED\",\"object\":" + converttest.Pod("a", "1", "4") + "}\n", "watch spaced [pods v1 Pod: WatchOpen 1 ADDED 1 DELETED 1, keys 1]", convert.Options{}},
		{"a bookmark of Go's, which says no kind", "{\"Type\":\"ADDED\",\"Object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"},\"data\":{\"k\":\"v\"}}}\n{\"Type\":\"BOOKMARK\",\"Object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n", "watch spaced [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1 WatchBookmark 1, keys 1] (kindFromShape 0 ConfigMap) (kindFromOthers 0 ConfigMap)", convert.Options{}},
		{"what Python prints below a line, over lines", "Start\nEvent: MODIFIED a\n{'apiVersion': 'v1',\n 'kind': 'Pod',\n 'metadata': {'name': 'a',\n              'labels': {}},\n 'status': {}}\nINFO:root:DELETED {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'a'}}\n",
			"kubectl spaced [pods v1 Pod: WatchOpen 1 MODIFIED 1 DELETED 1, keys 1] (linesPassed 1 )", convert.Options{}},
		{"the events of a hook", `[{"binding":"b","type":"Event","watchEvent":"Added","object":` + converttest.Pod("a", "1", "5") + `},{"binding":"b","type":"Event","watchEvent":"Deleted","object":` + converttest.Pod("a", "1", "6") + "}]",
			"watch spaced [pods v1 Pod: WatchOpen 1 ADDED 1 DELETED 1, keys 1]", convert.Options{}},
		{"cloud events", `{"specversion":"1.0","type":"dev.knative.apiserver.resource.delete","data":` + converttest.Pod("a", "1", "5") + "}\n", "watch spaced [pods v1 Pod: WatchOpen 1 DELETED 1, keys 1]", convert.Options{}},
		{"kubectl's table below a prompt", "$ kubectl get pods -w\nNAME  READY\na     1/1\n", "refused: x: the input is what kubectl prints for people", convert.Options{}},
		{"kubectl's table in a cast", "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0.2, \"o\", \"$ kubectl get pods\\r\\n\"]\n[0.4, \"o\", \"NAME  READY\\r\\na     1/1\\r\\n\"]\n", "refused: x: the input is what kubectl prints for people", convert.Options{}},
		{"packets", "listening on any\n10:22:03.456789 lo  In  IP 127.0.0.1.45678 > 127.0.0.1.8001: Flags [P.], seq 1:200\nE..@.GET /api/v1/pods HTTP/1.1\n", "refused: x: the input is packets that tcpdump prints", convert.Options{}},
		{"goroutines", "goroutine 20 [running]:\nmain.main()\n", stern, convert.Options{}},
		{"an answer of a webhook", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a","allowed":true}}`, "refused: x: line 1, byte 0: the AdmissionReview has no object that was to be stored", convert.Options{}},
		{"elements without their array", strings.Replace(string(watch), "}}\n", "}},\n", -1), begun, convert.Options{}},
		{"what Java prints", "class V1Pod {\n    apiVersion: v1\n", "refused: x: the input looks like what Java prints of an object, which is not JSON: print new io.kubernetes", convert.Options{}},
		{"what Node prints after a word", "ADDED {\n  kind: 'Pod',\n  metadata: { name: 'a' }\n}\n", "refused: x: the input looks like what Node.js prints of an object", convert.Options{}},
		{"what Rust prints", "Applied(Pod { metadata: ObjectMeta { name: Some(\"a\") } })\n", "refused: x: the input looks like what Rust prints of an object", convert.Options{}},
		{"what Go prints with klog", "I0304 10:00:00.1       1 main.go:1] &Pod{ObjectMeta:{a  x  u 5 0", "refused: x: the input looks like what Go prints of an object", convert.Options{}},
		{"what Go prints", "&Pod{ObjectMeta:{a  x  u 5 0 2026-01-01 10:00:00 +0000 UTC <nil>", "refused: x: the input looks like what Go prints of an object, which is not JSON: print json.Marshal(x)", convert.Options{}},
		{"xz", "\xfd7zXZ\x00", "refused: x: the input is compressed with xz: uncompress it (xz -d), or compress it with gzip or zstd", convert.Options{}},
		{"nothing", "", "refused: x: the input is empty", convert.Options{}},
		{"nothing, compressed", string(gzipped(nil)), "refused: x: the input is empty", convert.Options{}},
	} {
		_, tr, err := converttest.Converted(t, c.o, converttest.Text("x", c.input))
		if got := converttest.Summary(tr, err); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Protobuf is recognised, in whatever it is packed, and what gets JSON is said.
func TestProtobuf(t *testing.T) {
	watch := []byte(converttest.Beginning(t, "pods-protobuf.ndjson.gz", 1<<30))
	i := bytes.Index(watch, []byte("k8s\x00"))
	for name, b := range map[string][]byte{
		"watch": watch, "an object": watch[i:], "watch, gzip": gzipped(watch), "watch, zstd": zstandard(watch), "an object, zstd": zstandard(watch[i:]),
	} {
		for _, file := range []string{"x", "pods.json"} {
			_, err := convert.Convert(io.Discard, []convert.Input{converttest.Text(file, string(b))}, convert.Options{})
			const want = ": the input is protobuf: ask the API server for JSON, with the header Accept: application/json (client-go: AcceptContentTypes and ContentType of rest.Config; Kubernetes' own components: --kube-api-content-type=application/json)"
			if err == nil || err.Error() != file+want {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
