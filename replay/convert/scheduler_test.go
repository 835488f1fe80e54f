package convert

import (
	"strings"
	"testing"
)

func simulatedLine(second, event, object string) string {
	return `{"time":"2026-11-20T20:00:` + second + `Z","event":"` + event + `","resource":` + object + "}\n"
}

func TestScheduler(t *testing.T) {
	const goneA = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"}}`
	whole := simulatedLine("01", "Add", pod("a", "1", "5")) + simulatedLine("02.5", "Update", pod("a", "1", "6")) + simulatedLine("03", "Update", pod("a", "1", "6")) +
		simulatedLine("04", "Add", strings.ReplaceAll(pod("n", "2", "7"), "Pod", "Node")) + simulatedLine("05", "Delete", goneA)
	const want = "scheduler [pods v1 Pod: WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1, keys 1] [nodes v1 Node: WatchOpen 1 ADDED 1, keys 1] (simulatorInformer 0 )"
	for _, c := range []struct{ name, in, want string }{
		{"a record", whole, want},
		{"cut", whole + whole[:50], want + " (cut line 6, byte 790: not JSON)"},
		{"damaged", simulatedLine("00", "Eat", goneA) + simulatedLine("00", "Add", "{}") + simulatedLine("xx", "Add", goneA) + whole,
			want + " (damaged line 1, byte 0: it begins inside something) (damaged line 2, byte 130: a record without an object) (damaged line 3, byte 190: a record without a time)"},
		{"damaged later", whole + simulatedLine("00", "Eat", goneA) + simulatedLine("00", "Add", "{}") + simulatedLine("xx", "Add", goneA),
			want + " (damaged line 6, byte 790: neither Add nor Update nor Delete) (damaged line 7, byte 920: a record without an object) (damaged line 8, byte 980: a record without a time)"},
	} {
		_, tr, err := converted(t, Options{}, text("x", c.in))
		if got := tell(tr, err); got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	_, tr, err := converted(t, Options{}, text("x", whole))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := events(tr), "ADDED x/a/1@5, MODIFIED x/a/1@6, DELETED x/a/1@6"; got != want || tr.Now != 4e9 {
		t.Errorf("in %d ns %s, want %s", tr.Now, got, want)
	}
	// The last state of a Delete that came first isn't known.
	_, tr, err = converted(t, Options{}, text("x", simulatedLine("01", "Delete", goneA)))
	if err != nil || events(tr) != "DELETED x/a/@" {
		t.Errorf("%v: %s", err, tell(tr, err))
	}
}

func FuzzScheduler(f *testing.F) {
	fuzz(f, "scheduler", simulatedLine("01", "Add", pod("a", "1", "5"))+simulatedLine("02", "Delete", pod("a", "", "")), simulatedLine("01", "Update", "{}"), simulatedLine("01", "Delete", pod("a", "1", "x")),
		strings.Replace(simulatedLine("01", "Delete", pod("a", "1", "x")), "resource", "Resource", 1))
}
