package convert

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
)

// fuzz checks that whatever an input holds, what is written are whole lines of
// JSON whose times don't go back, and that the trace can be read.
func fuzz(f *testing.F, id string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	var only []form
	for _, x := range forms {
		if x.id == id {
			only = append(only, x)
		}
	}
	if len(only) == 0 {
		f.Fatalf("there is no form %s", id)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p := &progress{}
		o := Options{MaxLine: 1 << 20, MaxInflated: 8 << 20, MaxObjects: 1000}
		s := &source{Input: Input{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }, At: bytes.NewReader(b), Size: int64(len(b))}, o: o.withDefaults(), p: p, form: &only[0]}
		var out bytes.Buffer
		_ = run(&out, []*conversion{{source: s}}, &Summary{}) // an error is as good as any
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

// beginning is the first n bytes of a file of testdata, uncompressed.
func beginning(t testing.TB, name string, n int64) string {
	t.Helper()
	s, err := newSource(input(t, name), Options{}.withDefaults(), &progress{})
	if err != nil {
		t.Fatal(err)
	}
	r, closer, err := s.open()
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
