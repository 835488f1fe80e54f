package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// input is a file of testdata, or of the neighbour's.
func input(t testing.TB, name string) Input {
	t.Helper()
	path := "testdata/" + name
	if _, err := os.Stat(path); err != nil {
		path = "../format/testdata/" + name
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return Input{Name: filepath.Base(name), Size: info.Size(), At: f, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// text is an input that is only here.
func text(name, s string) Input {
	return Input{Name: name, Size: int64(len(s)), At: strings.NewReader(s), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

// converted is the trace that inputs become, as text and read again.
func converted(t testing.TB, o Options, inputs ...Input) (string, *trace.Trace, error) {
	t.Helper()
	var b bytes.Buffer
	_, err := Convert(&b, inputs, o)
	for line := range bytes.Lines(b.Bytes()) {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %.300s", line)
		}
	}
	if err != nil {
		return b.String(), nil, err
	}
	tr, err := file.Read(bytes.NewReader(b.Bytes()), format.Options{})
	if err != nil {
		t.Fatalf("%v\n%.300s", err, b.String())
	}
	return b.String(), tr, nil
}

// tell says in a line what is in a trace.
func tell(t *trace.Trace, err error) string {
	if err != nil {
		return "refused: " + err.Error()
	}
	var b strings.Builder
	b.WriteString(t.Format)
	if t.NoTimes {
		b.WriteString(" spaced")
	}
	for _, r := range t.Resources {
		counts := map[string]int{}
		for _, x := range r.Records {
			name := x.Kind.String()
			if x.Kind == trace.WatchEvent {
				name = x.Type.String()
			}
			counts[name]++
		}
		fmt.Fprintf(&b, " [%s %s %s:", r.Name(), r.Version, r.Kind)
		for _, k := range []string{"ListBegin", "ListItem", "ListEnd", "ListError", "WatchOpen", "WatchError", "ADDED", "MODIFIED", "DELETED", "ERROR", "unknown", "WatchBookmark", "InitialEnd", "WatchEnd"} {
			if counts[k] > 0 {
				fmt.Fprintf(&b, " %v %d", k, counts[k])
			}
		}
		fmt.Fprintf(&b, ", keys %d", r.Table.Keys()-1)
		for _, h := range r.Handlers {
			fmt.Fprintf(&b, ", %s called %d times", h.Name, len(h.Calls))
		}
		b.WriteByte(']')
	}
	for _, r := range t.Remarks {
		fmt.Fprintf(&b, " (%s %d %s)", r.ID, r.Count, r.Detail)
	}
	for _, p := range t.Problems {
		fmt.Fprintf(&b, " (%s %v)", p.Kind, p)
	}
	return b.String()
}
