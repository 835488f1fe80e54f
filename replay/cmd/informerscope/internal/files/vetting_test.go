package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// captures are a capture, one in which a line is damaged, and one that is converted. The first is
// some megabytes long, so that it comes in several pieces.
func captures(t *testing.T) (names []string) {
	t.Helper()
	long := []byte(`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"7","managedFields":[]},"spec":{"x":"` +
		string(bytes.Repeat([]byte("y"), 4000)) + `"}}}` + "\n")
	damaged := bytes.Repeat(long, 700)
	copy(damaged[len(long)*500+3000:], `"`)
	for name, b := range map[string][]byte{"long.ndjson": bytes.Repeat(long, 700), "damaged.ndjson": damaged} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, file)
	}
	const replay = "../../../../"
	return append(names, replay+"format/testdata/pods.watch.ndjson.gz", replay+"format/testdata/kubectl-get-pods-w-noevents.json.gz")
}

// A capture is read the same on one core as on two, where it is vetted, and converted, beside the
// reading.
func TestCoresMakeNoDifference(t *testing.T) {
	for _, name := range captures(t) {
		var said [2]string
		for i := range said {
			before := runtime.GOMAXPROCS(i + 1)
			c, err := Open(t.Context(), []string{name}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			grew := 0
			out, err := c.Read(func(*trace.Trace) func() error { return func() error { grew++; return nil } })
			runtime.GOMAXPROCS(before)
			if err != nil || out.Trace.Records == 0 || grew == 0 {
				t.Fatalf("%s: %v, %d times grown", name, err, grew)
			}
			said[i] = fmt.Sprint(out.Bytes, out.Trace.Records, out.Trace.Problems, out.Trace.Resources[0].Records)
		}
		if said[0] != said[1] {
			t.Errorf("%s is read on one core as\n%.500s\nand on two as\n%.500s", name, said[0], said[1])
		}
	}
}

// A reading ends with the error of what is done with it, and with its context.
func TestAReadingEnds(t *testing.T) {
	enough := errors.New("enough")
	for _, name := range captures(t) {
		ctx, cancel := context.WithCancel(t.Context())
		c, err := Open(ctx, []string{name}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(func(*trace.Trace) func() error { return func() error { return enough } }); err != enough {
			t.Errorf("%s: the reading ends with %v", name, err)
		}
		if _, err := c.Read(func(*trace.Trace) func() error { return func() error { cancel(); return nil } }); !errors.Is(err, context.Canceled) && err != nil {
			t.Errorf("%s: the reading ends with %v", name, err)
		}
		cancel()
		if _, err := c.Read(func(*trace.Trace) func() error { return func() error { return nil } }); err == nil {
			t.Errorf("%s is read after its context has ended", name)
		}
	}
}
