package redact

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// BenchmarkLine takes the secrets out of a recording of a real cluster.
func BenchmarkLine(b *testing.B) {
	f, err := os.Open("../format/testdata/shop.trace.jsonl.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	r := redactor(b, Options{})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range bytes.Lines(text) {
			r.Line(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
}
