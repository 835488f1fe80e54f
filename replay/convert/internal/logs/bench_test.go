package logs_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

func BenchmarkScheduler(b *testing.B) {
	var all strings.Builder
	for line := range strings.Lines(converttest.Beginning(b, "pods.watch.ndjson.gz", 1<<30)) {
		if i := strings.Index(line, `"object":`); i > 0 && !strings.Contains(line, "BOOKMARK") {
			all.WriteString(converttest.SimulatorLine("01", "Update", strings.TrimSuffix(strings.TrimSpace(line[i+len(`"object":`):]), "}")))
		}
	}
	converttest.Bench(b, all.String(), 10)
}

func BenchmarkSieve(b *testing.B) {
	var all bytes.Buffer
	for line := range strings.Lines(converttest.Beginning(b, "pods.watch.ndjson.gz", 1<<30)) {
		if i := strings.Index(line, `"object":`); i > 0 && !strings.Contains(line, "BOOKMARK") {
			o := strings.TrimSuffix(strings.TrimSpace(line[i+len(`"object":`):]), "}")
			all.WriteString(sieveLine(1, "API-EVENT", "MODIFIED", "k", "pod", "shop", "n", o) + sieveLine(1, "BEFORE-HEAR", "1", "Updated", "pod", o) + sieveLine(1, "AFTER-HEAR", "1", "Updated", "pod", o))
		}
	}
	converttest.Bench(b, all.String(), 5)
}
