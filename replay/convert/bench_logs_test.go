package convert

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// bench measures how fast a form is read, in bytes of its input as it is when it
// isn't compressed.
func bench(b *testing.B, input string, times int) {
	in := text("x", strings.Repeat(input, times))
	b.SetBytes(in.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Convert(io.Discard, []Input{in}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWatch(b *testing.B) { bench(b, beginning(b, "pods.watch.ndjson.gz", 1<<30), 10) }

func BenchmarkAudit(b *testing.B) { bench(b, beginning(b, "audit.jsonl.gz", 1<<30), 3) }

func BenchmarkTable(b *testing.B) { bench(b, beginning(b, "pods-table.ndjson.gz", 1<<30), 10) }

func BenchmarkScheduler(b *testing.B) {
	var all strings.Builder
	for line := range strings.Lines(beginning(b, "pods.watch.ndjson.gz", 1<<30)) {
		if i := strings.Index(line, `"object":`); i > 0 && !strings.Contains(line, "BOOKMARK") {
			all.WriteString(simulatedLine("01", "Update", strings.TrimSuffix(strings.TrimSpace(line[i+len(`"object":`):]), "}")))
		}
	}
	bench(b, all.String(), 10)
}

func BenchmarkSieve(b *testing.B) {
	var all bytes.Buffer
	for line := range strings.Lines(beginning(b, "pods.watch.ndjson.gz", 1<<30)) {
		if i := strings.Index(line, `"object":`); i > 0 && !strings.Contains(line, "BOOKMARK") {
			o := strings.TrimSuffix(strings.TrimSpace(line[i+len(`"object":`):]), "}")
			all.WriteString(sieveLine(1, "API-EVENT", "MODIFIED", "k", "pod", "shop", "n", o) + sieveLine(1, "BEFORE-HEAR", "1", "Updated", "pod", o) + sieveLine(1, "AFTER-HEAR", "1", "Updated", "pod", o))
		}
	}
	bench(b, all.String(), 5)
}
