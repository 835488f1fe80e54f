package follow

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// captured is a real watch body.
func captured(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("../../format/testdata/pods.watch.ndjson.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// follow records a list and then body as its watch, in chunks that cut decides on.
func followed(t testing.TB, body []byte, cut func(left int) int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := trace.NewWriter(&out, trace.Header{Start: "2026-11-20T21:06:42Z"})
	if err != nil {
		t.Fatal(err)
	}
	f := New(NewLog(w), Options{Path: "/api/v1/pods"})
	f.Sent(0)
	f.Response(0, Head{Status: 200})
	f.Data(0, []byte(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`))
	f.End(0, EOF, "")
	f.Sent(0)
	f.Response(0, Head{Status: 200})
	for len(body) > 0 {
		n := cut(len(body))
		chunk := bytes.Clone(body[:n]) // the Follower must keep nothing of the chunk
		if !f.Data(0, chunk) {
			t.Fatal(f.Status().Err)
		}
		clear(chunk)
		body = body[n:]
	}
	f.Stop(int64(time.Second))
	return out.Bytes()
}

// However a stream is cut into chunks, the trace is the same; its events are the
// server's bytes; and it opens again.
func TestChunksDoNotMatter(t *testing.T) {
	body := captured(t)
	whole := followed(t, body, func(left int) int { return left })
	var events []string
	for line := range strings.Lines(string(whole)) {
		if _, event, ok := strings.Cut(line, `"event":`); ok {
			events = append(events, strings.TrimSuffix(event, "}\n")+"\n")
		}
	}
	if strings.Join(events, "") != string(body) {
		t.Error("the events are not what the server sent")
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := 1 << r.IntN(16)
		if got := followed(t, body, func(left int) int { return min(left, 1+r.IntN(most)) }); !bytes.Equal(got, whole) {
			t.Fatalf("seed %d: the trace is another one", seed)
		}
	}
	reader := format.NewReader(format.Options{})
	if err := reader.Write(whole); err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	tr := reader.Trace()
	if len(tr.Resources) != 1 || tr.ProblemCount != 0 || tr.Resources[0].Events != len(events) || tr.Resources[0].Lists != 1 {
		t.Errorf("read again: %d resources, %d problems", len(tr.Resources), tr.ProblemCount)
	}
}

// Whatever a server sends, nothing panics, every line that is written is JSON,
// and there is always something to do next.
func FuzzFollower(f *testing.F) {
	f.Add([]byte(`{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]}`), 200, uint8(0))
	f.Add([]byte(`{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"9"}}}`+"\n"), 200, uint8(1))
	f.Add([]byte(`{"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410}}`+"\n"), 200, uint8(3))
	f.Add([]byte(`{"kind":"Status","code":410,"reason":"Expired"}`), 410, uint8(2))
	f.Add([]byte(`{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n"), 200, uint8(4))
	f.Fuzz(func(t *testing.T, answer []byte, status int, bits uint8) {
		var out bytes.Buffer
		w, _ := trace.NewWriter(&out, trace.Header{})
		fo := New(NewLog(w), Options{Path: "/api/v1/pods", Streaming: bits&4 != 0, MaxEvent: 500, MaxBody: 2000})
		if bits&1 != 0 && bits&4 == 0 { // past the list
			fo.Sent(0)
			fo.Response(0, Head{Status: 200})
			fo.Data(0, []byte(`{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]}`))
			fo.End(0, EOF, "")
		}
		for range 3 {
			if _, ok := fo.Next(); !ok {
				t.Fatal("there is nothing to do next")
			}
			fo.Sent(0)
			if fo.Response(0, Head{Status: status}) {
				half := len(answer) / 2
				fo.Data(0, answer[:half])
				fo.Data(0, answer[half:])
			}
			fo.End(0, EOF+Ending(bits>>4)%5, "x")
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || line[len(line)-1] != '\n' {
				t.Errorf("not a line of JSON: %q", line)
			}
		}
	})
}
