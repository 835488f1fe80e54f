package perfetto

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// written is the trace of a whole run.
func written(t *testing.T, h *history.History) []byte {
	t.Helper()
	var b bytes.Buffer
	w := New(func(piece []byte) error { b.Write(piece); return nil })
	var all []*Process
	for i, x := range h.Front().Informers {
		all = append(all, w.Process(x.Config().Name, i))
	}
	for n := range h.Steps() {
		at := h.SeekTo(n + 1)
		for _, p := range all {
			p.Step(at)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// entry is one event as the format describes it.
type entry struct {
	Ph   string
	Pid  int
	Tid  int
	Ts   *float64
	Name string
	ID   int
	Args map[string]any
}

// check holds a trace to the rules of the format: slices are nested and end, the times of
// a thread don't go back, threads have names, and flows lead from slice to slice, both
// about the same key.
func check(t *testing.T, text []byte) (kinds map[string]int) {
	t.Helper()
	var all struct {
		TraceEvents     []entry
		DisplayTimeUnit string
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	type track struct{ pid, tid int }
	type start struct {
		slice string
		ts    float64
	}
	kinds = map[string]int{}
	open, last, named, flows := map[track][]string{}, map[track]float64{}, map[track]bool{}, map[int]start{}
	for _, e := range all.TraceEvents {
		at := track{e.Pid, e.Tid}
		kinds[e.Ph]++
		if e.Ph == "M" {
			if e.Name == "thread_name" {
				if named[at] {
					t.Errorf("the thread %v has two names", at)
				}
				named[at] = true
			}
			continue
		}
		if e.Ts == nil || *e.Ts < last[at] {
			t.Fatalf("the time of %+v goes back to before %f", e, last[at])
		}
		last[at] = *e.Ts
		if !named[at] && e.Ph != "C" {
			t.Errorf("the thread of %+v has no name", e)
		}
		slices := open[at]
		switch e.Ph {
		case "B":
			open[at] = append(slices, e.Name)
		case "E":
			if len(slices) == 0 {
				t.Fatalf("%+v ends nothing", e)
			}
			open[at] = slices[:len(slices)-1]
		case "s":
			if _, ok := flows[e.ID]; ok || len(slices) == 0 {
				t.Fatalf("%+v starts again, or in no slice", e)
			}
			flows[e.ID] = start{slices[0], *e.Ts}
		case "f":
			from, ok := flows[e.ID]
			if !ok || len(slices) == 0 || from.ts > *e.Ts {
				t.Fatalf("%+v ends what did not start before, or in no slice", e)
			}
			delete(flows, e.ID)
			if a, b := keyIn(from.slice), keyIn(slices[0]); strings.Contains(a, "/") && strings.Contains(b, "/") && a != b {
				t.Errorf("a flow leads from %q to %q", from.slice, slices[0])
			}
		case "i", "C":
		default:
			t.Errorf("there is no phase %q", e.Ph)
		}
	}
	for at, slices := range open {
		if len(slices) > 0 {
			t.Errorf("%q of %v never ends", slices, at)
		}
	}
	return kinds
}

// keyIn is the key that a slice is about: the last word of its name.
func keyIn(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

func TestEveryScriptIsATrace(t *testing.T) {
	files, err := filepath.Glob("../../../engine/script/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	sum := map[string]int{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if h := run(t, file); h != nil {
				for k, n := range check(t, written(t, h)) {
					sum[k] += n
				}
			}
		})
	}
	for _, k := range []string{"B", "E", "i", "C", "M", "s", "f"} {
		if sum[k] == 0 {
			t.Errorf("no trace has a %q", k)
		}
	}
	if sum["f"]*2 < sum["s"] {
		t.Errorf("%d flows start, and only %d arrive", sum["s"], sum["f"])
	}
}

// run plays a golden script as far as nothing goes wrong.
func run(t *testing.T, file string) *history.History {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := script.NewRunner(func(script.Entry) {})
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "> "); ok && r.Line(strings.TrimSpace(said), 1) != nil {
			break
		}
	}
	return r.History()
}

// testdata/round-trip.json is the trace of a pod whose way through the informer ends in a
// write.
func TestGolden(t *testing.T) {
	const golden = "testdata/round-trip.json"
	got := written(t, run(t, "../../../engine/script/testdata/00-round-trip.txt"))
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; the trace is\n%s", err, got)
	}
}

// After an error nothing more is written, and End tells of it.
func TestAnErrorIsTold(t *testing.T) {
	full, calls := errors.New("full"), 0
	w := New(func([]byte) error { calls++; return full })
	for range 10 {
		w.flush()
	}
	if err := w.End(); !errors.Is(err, full) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
