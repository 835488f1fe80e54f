package logs_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
)

func TestScheduler(t *testing.T) {
	const goneA = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"}}`
	whole := converttest.SimulatorLine("01", "Add", converttest.Pod("a", "1", "5")) + converttest.SimulatorLine("02.5", "Update", converttest.Pod("a", "1", "6")) + converttest.SimulatorLine("03", "Update", converttest.Pod("a", "1", "6")) +
		converttest.SimulatorLine("04", "Add", strings.ReplaceAll(converttest.Pod("n", "2", "7"), "Pod", "Node")) + converttest.SimulatorLine("05", "Delete", goneA)
	const want = "scheduler [pods v1 Pod: WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1, keys 1] [nodes v1 Node: WatchOpen 1 ADDED 1, keys 1] (simulatorInformer 0 )"
	for _, c := range []struct{ name, in, want string }{
		{"a record", whole, want},
		{"cut", whole + whole[:50], want + " (cut line 6, byte 790: the text is not JSON)"},
		{"damaged", converttest.SimulatorLine("00", "Eat", goneA) + converttest.SimulatorLine("00", "Add", "{}") + converttest.SimulatorLine("xx", "Add", goneA) + whole,
			want + " (damaged line 1, byte 0: the input begins inside something) (damaged line 2, byte 130: the record has no object) (damaged line 3, byte 190: the record has no time)"},
		{"damaged later", whole + converttest.SimulatorLine("00", "Eat", goneA) + converttest.SimulatorLine("00", "Add", "{}") + converttest.SimulatorLine("xx", "Add", goneA),
			want + " (damaged line 6, byte 790: the record is neither Add nor Update nor Delete) (damaged line 7, byte 920: the record has no object) (damaged line 8, byte 980: the record has no time)"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", c.in))
		if got := converttest.Summary(tr, err); got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", whole))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := converttest.Events(tr), "ADDED x/a/1@5, MODIFIED x/a/1@6, DELETED x/a/1@6"; got != want || tr.Now != 4e9 {
		t.Errorf("in %d ns %s, want %s", tr.Now, got, want)
	}
	// The last state of a Delete that came first isn't known.
	_, tr, err = converttest.Converted(t, convert.Options{}, converttest.Text("x", converttest.SimulatorLine("01", "Delete", goneA)))
	if err != nil || converttest.Events(tr) != "DELETED x/a/@" {
		t.Errorf("%v: %s", err, converttest.Summary(tr, err))
	}
}

// What the functions of the simulator's recorder.go wrote, shortened, with a fake client that has a node and two pods.
func TestSchedulersRecorder(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "scheduler-recorder.jsonl"))
	const want = "scheduler [nodes v1 Node: WatchOpen 1 ADDED 1, keys 1] [pods v1 Pod: WatchOpen 1 ADDED 2 MODIFIED 1 DELETED 1, keys 2] (simulatorInformer 0 )"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzScheduler(f *testing.F) {
	converttest.Fuzz(f, logs.Scheduler, converttest.SimulatorLine("01", "Add", converttest.Pod("a", "1", "5"))+converttest.SimulatorLine("02", "Delete", converttest.Pod("a", "", "")), converttest.SimulatorLine("01", "Update", "{}"), converttest.SimulatorLine("01", "Delete", converttest.Pod("a", "1", "x")),
		strings.Replace(converttest.SimulatorLine("01", "Delete", converttest.Pod("a", "1", "x")), "resource", "Resource", 1))
}
