package openmetrics

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// failing is a controller whose reconciles fail, and whose queue fills meanwhile.
const failing = `profile current
informer pods workers=1 work=600ms
handler audit takes=20ms workqueue
exists pod a/x
exists pod a/y
fail reconciles n=2
advance 2s
create pod a/z
advance 1s
`

// played is the text about a run of a script.
func played(t *testing.T, text string, every int64) (string, int64) {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if err := r.Line(line, n+1); err != nil {
			t.Fatal(err)
		}
	}
	h := r.History()
	rec := New(every)
	x := rec.World(h.SeekTo(0), []Labels{{"pods \"here\"", "", "v1", "pods"}})
	last := int64(0)
	h.Find(0, false, func(w *world.World) bool {
		x.Step(w)
		last = w.Now()
		return false
	}).Run(1 << 40)
	x.End(last)
	var b strings.Builder
	if err := rec.Write(1_700_000_000e9, func(part []byte) error { b.Write(part); return nil }); err != nil {
		t.Fatal(err)
	}
	return b.String(), rec.Interval()
}

func TestGolden(t *testing.T) {
	got, _ := played(t, failing, 1e9)
	const golden = "testdata/failing.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the text has changed (-update rewrites it):\n%s", got)
	}
}

// TestALongRunHasFewerSamples holds that a run of days needs no more samples than are kept, at even
// intervals.
func TestALongRunHasFewerSamples(t *testing.T) {
	got, every := played(t, failing+"advance 24h\ncreate pod a/late\nadvance 1s\n", 1e9)
	var times []string
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "workqueue_depth{") {
			times = append(times, strings.Fields(line)[3])
		}
	}
	if n := len(times); n > MostScrapes+1 || n < MostScrapes/2 || every != 16e9 {
		t.Fatalf("%d samples, one for each %d ns", n, every)
	}
	if times[0] != "1700000000" || times[1] != "1700000016" || times[2] != "1700000032" {
		t.Errorf("the samples are at %v", times[:3])
	}
}
