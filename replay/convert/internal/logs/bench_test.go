package logs_test

import (
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
