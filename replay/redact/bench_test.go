package redact

import (
	"bytes"
	"hash/fnv"
	"regexp"
	"strconv"
	"testing"
)

// BenchmarkNames replaces the names in it, which are learnt first.
func BenchmarkNames(b *testing.B) {
	text := unzipped(b, "../format/testdata/shop.trace.jsonl.gz")
	r := redactor(b, Options{Rules: Default | Names, Key: testKey})
	for line := range bytes.Lines(text) {
		r.Learn(bytes.TrimSuffix(line, []byte("\n")))
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range bytes.Lines(text) {
			r.Line(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
}

// BenchmarkLine takes the secrets out of a recording of a real cluster.
func BenchmarkLine(b *testing.B) {
	text := unzipped(b, "../format/testdata/shop.trace.jsonl.gz")
	r := redactor(b, Options{})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range bytes.Lines(text) {
			r.Line(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
}

// perPod is what differs from pod to pod and from event to event: UIDs, times, the ends of
// names, addresses, resourceVersions and the names of containers' runs.
var perPod = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|T\d\d:\d\d:\d\dZ|-[a-z0-9]{5}"|"10\.\d+\.\d+\.\d+"|"resourceVersion":"\d+"`)

// podEvents are the lines of a watch of pods, times over, each time of other pods.
func podEvents(tb testing.TB, times int) [][]byte { return varied(tb, times, perPod) }

// varied are the lines of a watch of pods, times over, each time with other texts where differs
// finds one.
func varied(tb testing.TB, times int, differs *regexp.Regexp) (lines [][]byte) {
	tb.Helper()
	events := bytes.Split(bytes.TrimSpace(unzipped(tb, "../format/testdata/pods.watch.ndjson.gz")), []byte("\n"))
	for n := range times {
		for _, e := range events {
			e = differs.ReplaceAllFunc(e, func(old []byte) []byte { return another(old, n) })
			lines = append(lines, append(append([]byte(`{"t":1,"id":1,"event":`), e...), '}'))
		}
	}
	return lines
}

// another is a text of the same form as old, and always the same for old and n.
func another(old []byte, n int) []byte {
	out := bytes.Clone(old)
	h := fnv.New64a()
	h.Write(old)
	h.Write(strconv.AppendInt(nil, int64(n), 10))
	x := h.Sum64()
	from := 0
	if i := bytes.IndexByte(old, ':'); i > 0 && old[0] == '"' {
		from = i
	}
	for i := from; i < len(out); i++ {
		x = x*6364136223846793005 + 1442695040888963407
		switch c := out[i]; {
		case '1' <= c && c <= '2':
			out[i] = '1' + byte(x>>60)%2
		case '4' <= c && c <= '9':
			out[i] = '4' + byte(x>>60)%6
		case 'a' <= c && c <= 'f':
			out[i] = 'a' + byte(x>>60)%6
		case 'g' <= c && c <= 'z':
			out[i] = 'g' + byte(x>>59)%20
		}
	}
	return out
}

// perEvent is what differs from event to event of a pod that is there already.
var perEvent = regexp.MustCompile(`:\d\dZ|"resourceVersion":"\d+"`)

// BenchmarkUpdates takes the secrets out of updates of pods that came before.
func BenchmarkUpdates(b *testing.B) { lineByLine(b, varied(b, 10, perEvent)) }

// BenchmarkPods takes the secrets out of the events of pods that are new each time.
func BenchmarkPods(b *testing.B) { lineByLine(b, podEvents(b, 10)) }

func lineByLine(b *testing.B, lines [][]byte) {
	r := redactor(b, Options{})
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		line := lines[n%len(lines)]
		n++
		b.SetBytes(int64(len(line)))
		r.Line(line)
	}
}
