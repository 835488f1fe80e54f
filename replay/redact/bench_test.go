package redact

import (
	"bytes"
	"testing"
)

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
