package format

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// BenchmarkRead reads a made-up watch stream, and the large captures where
// INFORMERSCOPE_TRACES is the folder that holds them.
func BenchmarkRead(b *testing.B) {
	b.Run("made-up", func(b *testing.B) { benchmark(b, madeUp(2000)) })
	if dir := os.Getenv("INFORMERSCOPE_TRACES"); dir != "" {
		for _, name := range []string{"large/pods.watch.ndjson.gz", "large/all.trace.jsonl.gz"} {
			f, err := os.Open(filepath.Join(dir, name))
			if err != nil {
				b.Fatal(err)
			}
			z, err := gzip.NewReader(f)
			if err != nil {
				b.Fatal(err)
			}
			input, err := io.ReadAll(z)
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
			b.Run(filepath.Base(name), func(b *testing.B) { benchmark(b, input) })
		}
	}
}

func benchmark(b *testing.B, input []byte) {
	const chunk = 1 << 20
	b.SetBytes(int64(len(input)))
	var records, kept int64
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		r := NewReader(Options{})
		for from := 0; from < len(input); from += chunk {
			if err := r.Write(input[from:min(from+chunk, len(input))]); err != nil {
				b.Fatal(err)
			}
		}
		if err := r.Close(); err != nil || r.Trace().ProblemCount > 0 {
			b.Fatal(err, r.Trace().Problems)
		}
		records += r.Trace().Records
		if kept == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			kept = int64(m.HeapAlloc) - int64(before.HeapAlloc)
			runtime.KeepAlive(r)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(records), "allocs/record")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(records), "B/record")
	b.ReportMetric(float64(kept)/float64(len(input)), "kept/input")
}

// madeUp is a watch stream of n events about pods, in the API server's shape.
func madeUp(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","generateName":"web-","namespace":"shop","uid":"9f9c2b52-1b7e-4f26-a9a9-%012d","resourceVersion":"%d","generation":1,"creationTimestamp":"2026-11-20T21:06:42Z","labels":{"app":"web","pod-template-hash":"7c5ddbdf54","tier":"gold"},"managedFields":[`,
			[]string{"ADDED", "MODIFIED", "MODIFIED", "DELETED"}[i%4], i/4, i/4, 1000+i)
		for j := range 24 {
			fmt.Fprintf(&b, `{"manager":"kubelet-%d","operation":"Update","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:type":{}}}}}},`, j)
		}
		b.WriteString(`{"manager":"kwok"}]},"spec":{"containers":[{"name":"web","image":"nginx:1","resources":{}}]},"status":{"phase":"Running"}}}` + "\n")
	}
	return b.Bytes()
}
