package redact

import (
	"bytes"
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
