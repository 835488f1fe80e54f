package controller

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// recordingOf returns a recording of one controller whose reconciles of shop/a are given by when they began and what they wrote.
func recordingOf(ended int64, runs ...*run) *Report {
	r := NewReading(&trace.Trace{Now: ended}, &worker.Log{}, 0)
	r.tables = &full{backs: map[*work][]*Echo{}, putOff: map[*work][]PutOff{}, runs: map[*work][]*run{}}
	for i, given := range runs {
		l := given.Reconcile
		l.ID, l.Controller, l.Key = int64(i+1), "web", "shop/a"
		r.beginReconcile(&l)
		x := r.runs[l.ID]
		for _, b := range given.unseen {
			b.Reconcile, b.Key, b.kind, b.Resource = x.ID, x.Key, "pods", "pods"
			if b.Object == x.Key {
				b.kind, b.Resource = "replicasets", "replicasets"
			}
			if !b.lost {
				r.tables.addEcho(x.work, b)
			}
			if b.Verb == "create" {
				x.created = []string{"pods"}
			}
			if b.lost {
				x.lost = b.Sent
			}
			x.key.addEcho(b)
			x.addDuplicates(b)
		}
	}
	return r.Report()
}

// reconcile returns one that began at a time, and what it wrote.
func reconcile(began int64, writes ...*Echo) *run {
	return &run{Reconcile: worker.Reconcile{Began: began}, unseen: writes}
}

// writeLines returns a write that was sent and answered at a time, and came back at another one, 0 for never.
func writeLines(verb, object string, at, seen int64) *Echo {
	b := &Echo{Verb: verb, Object: "shop/" + object, RV: "7", Sent: at, Answered: at, Received: seen}
	if verb == "create" {
		b.generate = "a-"
	}
	return b
}

func unanswered(b *Echo) *Echo {
	b.lost, b.RV = true, ""
	return b
}

// TestGuards says what each guard would have done in a few situations, in the order of rules: y for yes, n for no, and u for
// unknown.
func TestGuards(t *testing.T) {
	for _, c := range []struct {
		what              string
		report            *Report
		stale, duplicates string // of each one
		waits             string // of the first one that is stale
	}{
		{"a create is missing", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 30)), reconcile(10)), "yyyynn", "", "20 20 20 0 0 0"},
		{"an update of the object is missing", recordingOf(99, reconcile(1, writeLines("update", "a", 2, 30)), reconcile(10)), "nyyyny", "", "0 20 20 0 0 20"},
		{"an update of a child is missing", recordingOf(99, reconcile(1, writeLines("update", "a-x", 2, 30)), reconcile(10)), "nyyynn", "", "0 20 20 0 0 0"},
		{"a delete is missing", recordingOf(99, reconcile(1, writeLines("delete", "a-x", 2, 30)), reconcile(10)), "ynynnn", "", "20 0 20 0 0 0"},
		{"both are missing, and the update longer", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 20), writeLines("update", "a", 3, 30)), reconcile(10)), "nyyyny", "", "10 20 20 0 0 20"},
		{"both are missing, and the create longer", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 30), writeLines("update", "a", 3, 20)), reconcile(10)), "yyyynn", "", "20 20 20 0 0 10"},
		{"a create never comes", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 0)), reconcile(10)), "yyyynn", "", "never never never 0 0 0"},
		{"it never comes within five minutes", recordingOf(9*minute, reconcile(1, writeLines("create", "a-x", 2, 0)), reconcile(10)), "nyyynn", "", "299999999992 never never 0 0 0"},
		{"expectations are over, and the mutation cache has forgotten", recordingOf(9*minute, reconcile(1, writeLines("create", "a-x", 2, 8*minute)), reconcile(6*minute)),
			"nyynnn", "", "0 120000000000 120000000000 0 0 0"},
		{"two are created", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 30)), reconcile(10, writeLines("create", "a-y", 11, 31))), "yyyyyn", "yyyyyn", "20 20 20 0 0 0"},
		{"two are created, and the first answer is lost", recordingOf(99, reconcile(1, unanswered(writeLines("create", "a-x", 2, 30))), reconcile(10, writeLines("create", "a-y", 11, 31))), "", "nnnnun", ""},
		{"the same, and the first one has come", recordingOf(99, reconcile(1, unanswered(writeLines("create", "a-x", 2, 12))), reconcile(10, writeLines("create", "a-y", 13, 31))), "", "nnnnyn", ""},
		{"a create is missing, and what one whose answer was lost has made will come", recordingOf(99, reconcile(1, unanswered(writeLines("create", "a-x", 2, 40))), reconcile(10, writeLines("create", "a-y", 11, 50)), reconcile(20)),
			"uyyyun", "nnnnun", "0 30 30 0 0 0"},
		{"a write of a reconcile that is held back is missing", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 30)), reconcile(10, writeLines("update", "a", 11, 60)), reconcile(40)),
			"yyyynn uyyyny", "", "20 20 20 0 0 0"},
		{"the guard holds back for another write", recordingOf(99, reconcile(1, writeLines("create", "a-x", 2, 20), writeLines("update", "a", 3, 30)), reconcile(10, writeLines("create", "a-y", 11, 31))), "nyyyny", "yyyyyy", "10 20 20 0 0 20"},
	} {
		g := c.report.Guards()[0]
		if got := letters(g.Stale); got != c.stale {
			t.Errorf("%s: stale reads %s, want %s", c.what, got, c.stale)
		}
		if got := letters(g.Duplicates); got != c.duplicates {
			t.Errorf("%s: duplicates %s, want %s", c.what, got, c.duplicates)
		}
		var waits []string
		for i := range g.Stale {
			for _, a := range g.Stale[i].Answers {
				wait := fmt.Sprint(a.Wait)
				if a.Never {
					wait = "never"
				}
				waits = append(waits, wait)
			}
			break
		}
		if got := strings.Join(waits, " "); got != c.waits {
			t.Errorf("%s: the reconcile waits %s, want %s", c.what, got, c.waits)
		}
	}
}

func letters(all []Guarding) string {
	var each []string
	for _, g := range all {
		text := ""
		for _, a := range g.Answers {
			text += string(a.Helps[0])
		}
		each = append(each, text)
	}
	return strings.Join(each, " ")
}

// Each guard answers for each stale read and each duplicate of real controllers, at most a third are unknown, and what waits
// for every write of the controller prevents all stale reads and all duplicates whose answers came.
func TestGuardsOfRecordings(t *testing.T) {
	names, err := filepath.Glob("testdata/*.trace.jsonl.gz")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		r := read(t, name)
		c, g := onlyController(t, r), r.Guards()[0]
		if len(g.Stale) != len(c.Stale) || len(g.Duplicates) != len(c.Duplicates) {
			t.Errorf("%s: %d and %d answers", name, len(g.Stale), len(g.Duplicates))
		}
		var sum Helped
		for i, k := range g.Guards {
			for _, h := range []Helped{k.Stale, k.Duplicates} {
				sum.Yes, sum.No, sum.Unknown = sum.Yes+h.Yes, sum.No+h.No, sum.Unknown+h.Unknown
			}
			for _, guarding := range slices.Concat(g.Stale, g.Duplicates) {
				if a := guarding.Answers[i]; a.Wait < 0 || a.Never && a.Wait != 0 {
					t.Errorf("%s: %s gives %+v", name, k.Name, a)
				}
			}
			if k.Name == "read-your-writes" && (k.Stale != Helped{Yes: int64(len(c.Stale))} || k.Duplicates != Helped{Yes: int64(len(c.Duplicates))}) {
				t.Errorf("%s: %+v", name, k)
			}
		}
		if all := sum.Yes + sum.No + sum.Unknown; all == 0 || sum.Unknown*3 > all {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}
