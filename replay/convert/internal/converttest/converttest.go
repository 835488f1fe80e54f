// Package converttest has what the tests of package convert and of its formats share: their
// files, small parts of captures, and ways to look at the trace that comes of them.
package converttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// folders are where the tests of convert and of its formats find captures: convert's own,
// and the neighbour's, format.
var folders = []string{"testdata/", "../../testdata/", "../format/testdata/", "../../../format/testdata/"}

// Input returns a captured file.
func Input(t testing.TB, name string) convert.Input {
	t.Helper()
	path := name
	for _, folder := range folders {
		if _, err := os.Stat(folder + name); err == nil {
			path = folder + name
			break
		}
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
	return convert.Input{Name: filepath.Base(name), Size: info.Size(), ReaderAt: f, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// Text returns an input that is only here.
func Text(name, s string) convert.Input {
	return convert.Input{Name: name, Size: int64(len(s)), ReaderAt: strings.NewReader(s), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

// Converted returns the trace that inputs become, as text and read again.
func Converted(t testing.TB, o convert.Options, inputs ...convert.Input) (string, *trace.Trace, error) {
	t.Helper()
	var b bytes.Buffer
	_, err := convert.Convert(&b, inputs, o)
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

// Summary says in a line what is in a trace.
func Summary(t *trace.Trace, err error) string {
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

var update = flag.Bool("update", false, "write the samples that are made after their formats' descriptions")

// CheckTestdata checks that files of testdata hold what a test has built after a format's description.
// With -update it writes them. The browser's tests open them too.
func CheckTestdata(t *testing.T, built map[string]string) {
	t.Helper()
	for name, b := range built {
		if *update {
			if err := os.WriteFile("../../testdata/"+name, []byte(b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, got, err := Converted(t, convert.Options{}, Input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := Converted(t, convert.Options{}, Text(name, b))
		if err != nil {
			t.Fatal(err)
		}
		if Summary(got, nil) != Summary(want, nil) || Played(got) != Played(want) || got.Records < 4 {
			t.Errorf("%s is not what is built (-update):\n got %s\nwant %s", name, Summary(got, nil), Summary(want, nil))
		}
	}
}
