package converttest

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/trace"
)

// Fuzz checks that whatever an input of a form holds, what is written are whole lines of
// JSON whose times don't go back, and that the trace can be read.
func Fuzz(f *testing.F, form capture.Form, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := capture.New(&capture.Source{
			Name: "x", Size: int64(len(b)), ReaderAt: bytes.NewReader(b), File: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil },
			Limits:   capture.Limits{MaxLine: 1 << 20, MaxInflated: 8 << 20, MaxObjects: 1000, MaxHeld: convert.MaxHeld},
			Progress: &capture.Progress{}, Form: &form,
		})
		var out bytes.Buffer
		c.Out.Sink, c.Findings = &out, &trace.Trace{}
		_ = c.Convert() // an error is as good as any
		var last int64
		for line := range bytes.Lines(out.Bytes()) {
			var l struct{ T int64 }
			if !json.Valid(line) || line[len(line)-1] != '\n' || json.Unmarshal(line, &l) != nil {
				t.Fatalf("not a line of a trace: %.300q", line)
			}
			if l.T < last {
				t.Fatalf("the time goes back from %d to %d", last, l.T)
			}
			last = l.T
		}
	})
}

// Beginning returns the first n bytes of a file of testdata, uncompressed.
func Beginning(t testing.TB, name string, n int64) string {
	t.Helper()
	in := Input(t, name)
	s := &capture.Source{Name: in.Name, File: in.Open, Limits: capture.Limits{MaxInflated: convert.MaxInflated}, Progress: &capture.Progress{}}
	r, closer, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	b, err := io.ReadAll(io.LimitReader(r, n))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Bench measures how fast a form is read, in bytes of its input as it is when it
// isn't compressed.
func Bench(b *testing.B, input string, times int) {
	in := Text("x", strings.Repeat(input, times))
	b.SetBytes(in.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := convert.Convert(io.Discard, []convert.Input{in}, convert.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
