package convert_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

// BenchmarkConvert converts the same events from each format that has one a line.
func BenchmarkConvert(b *testing.B) {
	padding := strings.Repeat("x", 3500)
	for _, f := range []struct{ name, line string }{
		{"watch", `{"type":"%[1]s","object":%[2]s}`},
		{"objects", `%[2]s`},
		{"audit", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%[3]d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/x/pods/x","verb":"update","objectRef":{"resource":"pods","namespace":"x","name":"x","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"responseObject":%[2]s,"requestReceivedTimestamp":"2026-11-20T21:00:00.%06[3]dZ","stageTimestamp":"2026-11-20T21:00:00.%06[3]dZ"}`},
		{"scheduler", `{"time":"2026-11-20T21:00:00.%06[3]dZ","event":"Update","resource":%[2]s}`},
	} {
		var all strings.Builder
		for i := range 5000 {
			object := strings.Replace(converttest.Pod(fmt.Sprint("p", i%500), fmt.Sprint(i%500), fmt.Sprint(1000+i)), `}}`, `},"status":{"message":"`+padding+`","conditions":[{"type":"Ready","status":"True"},{"type":"Initialized","status":"True"}]}}`, 1)
			fmt.Fprintf(&all, f.line+"\n", "MODIFIED", object, i)
		}
		in := converttest.Text(f.name, all.String())
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(in.Size)
			for b.Loop() {
				if _, err := convert.Convert(io.Discard, []convert.Input{in}, convert.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWatch(b *testing.B) {
	converttest.Bench(b, converttest.Beginning(b, "pods.watch.ndjson.gz", 1<<30), 10)
}

func BenchmarkAudit(b *testing.B) {
	converttest.Bench(b, converttest.Beginning(b, "audit.jsonl.gz", 1<<30), 3)
}

func BenchmarkTable(b *testing.B) {
	converttest.Bench(b, converttest.Beginning(b, "pods-table.ndjson.gz", 1<<30), 10)
}
