package file

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/internal/compresstest"
	"github.com/informerscope/informerscope/replay/trace"
)

func TestRead(t *testing.T) {
	packed, err := os.ReadFile("../testdata/pods.watch.ndjson.gz")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := os.ReadFile("../testdata/watch-pretty.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	cutZstd := compresstest.Zstd(t, bytes.Repeat(plain, 40))
	cutZstd = cutZstd[:len(cutZstd)-10]
	for _, c := range []struct {
		name    string
		input   []byte
		records int64
		problem trace.ProblemKind
		refused string
	}{
		{"gzip", packed, 146, "", ""},
		{"plain", plain, 17, "", ""},
		{"gzip, cut", packed[:len(packed)/2], -1, trace.Source, ""},
		{"gzip, broken", append(bytes.Clone(packed[:3000]), make([]byte, 500)...), -1, trace.Source, ""},
		{"gzip, begun", packed[:2], 0, trace.Source, "the file is cut"},
		{"zstd", compresstest.Zstd(t, plain), 17, "", ""},
		{"zstd, cut", cutZstd, -1, trace.Source, ""},
		{"nothing", nil, 0, "", "empty"},
		{"gzip twice", compresstest.Gzip(t, packed), 0, "", `\x1f\x8b`},
	} {
		tr, err := Read(bytes.NewReader(c.input), format.Options{})
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.records >= 0 && tr.Records != c.records || c.records < 0 && tr.Records < 10 {
			t.Errorf("%s is read as %d records", c.name, tr.Records)
		}
		var kind trace.ProblemKind
		for _, p := range tr.Problems {
			if p.Kind == trace.Source {
				kind = p.Kind
			}
		}
		if kind != c.problem || !tr.Complete {
			t.Errorf("%s has the problems %v, complete: %v", c.name, tr.Problems, tr.Complete)
		}
	}
}

// TestInflated: a few bytes that stand for more than anyone can hold end where
// the limit is, and say so.
func TestInflated(t *testing.T) {
	b := newBounded(io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), 60)
	got, err := io.ReadAll(b)
	if len(got) != 60 || err == nil || !strings.Contains(err.Error(), "which is the limit") {
		t.Errorf("%d bytes came out, and the error is %v", len(got), err)
	}
}
