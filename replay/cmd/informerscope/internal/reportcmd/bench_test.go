package reportcmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
)

// BenchmarkReport reads and plays whole captures on one core: one that it makes up,
// and the large ones in the folder that INFORMERSCOPE_TRACES names, if any, both
// compressed and uncompressed. MB/s are of JSON.
func BenchmarkReport(b *testing.B) { benchmarkCores(b, 1) }

// BenchmarkReportBeside does so on two cores.
func BenchmarkReportBeside(b *testing.B) { benchmarkCores(b, 2) }

func benchmarkCores(b *testing.B, cores int) {
	made := filepath.Join(b.TempDir(), "watch")
	if err := os.WriteFile(made, madeUp(20_000), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("made-up", func(b *testing.B) { benchmarkReport(b, made, cores) })
	dir := os.Getenv("INFORMERSCOPE_TRACES")
	if dir == "" {
		return
	}
	for _, name := range []string{"large/pods.watch.ndjson.gz", "large/all.trace.jsonl.gz"} {
		packed := filepath.Join(dir, name)
		plain := filepath.Join(b.TempDir(), "plain")
		if err := unpack(packed, plain); err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) { benchmarkReport(b, packed, cores) })
		b.Run(filepath.Base(name)+" uncompressed", func(b *testing.B) { benchmarkReport(b, plain, cores) })
		if err := os.Remove(plain); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkReport(b *testing.B, name string, cores int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	c, err := files.Open(b.Context(), []string{name}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	o, _ := newReport()
	if err := o.check(); err != nil {
		b.Fatal(err)
	}
	var bytes, events int64
	for b.Loop() {
		run, err := o.play(c)
		if err != nil || run.captured.Trace.ProblemCount > 0 {
			b.Fatal(err, run.captured)
		}
		bytes = run.captured.Bytes
		for _, r := range run.report(nil).Resources {
			events += r.Events.All()
		}
	}
	b.SetBytes(bytes)
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

func unpack(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, z); err != nil {
		return err
	}
	return out.Close()
}

// madeUp returns a watch stream of n events about pods, in the API server's form.
func madeUp(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","generateName":"web-","namespace":"shop","uid":"9f9c2b52-1b7e-4f26-a9a9-%012d","resourceVersion":"%d","labels":{"app":"web","tier":"gold"},"managedFields":[`,
			[]string{"ADDED", "MODIFIED", "MODIFIED", "DELETED"}[i%4], i/4, i/4, 1000+i)
		for j := range 24 {
			fmt.Fprintf(&b, `{"manager":"kubelet-%d","operation":"Update","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:type":{}}}}}},`, j)
		}
		b.WriteString(`{"manager":"kwok"}]},"spec":{"containers":[{"name":"web","image":"nginx:1"}]},"status":{"phase":"Running"}}}` + "\n")
	}
	return b.Bytes()
}
