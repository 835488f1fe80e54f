package script

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// played plays each script of testdata as far as nothing goes wrong, and hands over those
// that make a run.
func played(t *testing.T, do func(t *testing.T, r *Runner, entries []Entry)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var entries []Entry
			r := NewRunner(func(e Entry) { entries = append(entries, e) })
			r.level = logAll
			for n, line := range strings.Split(scriptOf(string(text)), "\n") {
				if strings.HasPrefix(line, "log ") {
					continue
				}
				if r.Line(line, n+1) != nil {
					break
				}
			}
			if r.History() != nil {
				do(t, r, entries)
			}
		})
	}
}

// A session makes the same run again, and all that it expects is met.
func TestASessionMakesItsRunAgain(t *testing.T) {
	played(t, func(t *testing.T, r *Runner, _ []Entry) {
		h := r.History()
		lines, err := Session(h, r.Setup())
		if err != nil {
			t.Fatal(err)
		}
		again := NewRunner(func(Entry) {})
		if err := again.Play(strings.Join(lines, "\n")); err != nil {
			t.Fatalf("%v, in\n%s", err, strings.Join(lines, "\n"))
		}
		if h.Steps() > 0 && (again.History().Steps() != h.Steps() || stepText(again.History().Front()) != stepText(h.Front())) {
			t.Errorf("the session ends in another state:\n%s", strings.Join(lines, "\n"))
		}
		if !strings.Contains(strings.Join(lines, "\n"), "\nexpect store ") {
			t.Errorf("the session expects nothing of the store:\n%s", strings.Join(lines, "\n"))
		}
	})
}

// A transcript that is told later is the same as the one that was told at the
// time, and the run stays where it was.
func TestATellerTellsWhatWasTold(t *testing.T) {
	played(t, func(t *testing.T, r *Runner, entries []Entry) {
		h := r.History()
		at := h.SeekTo(h.Steps() / 2).Steps()
		var again []Entry
		teller := Transcribe(h, r.Setup(), logAll, func(e Entry) { again = append(again, e) })
		for !teller.Advance(7) {
		}
		teller.Drop()
		moves := func(all []Entry) (out []string) {
			for _, e := range all {
				if e.Kind == Moved {
					out = append(out, e.String())
				}
			}
			return out
		}
		if got, want := strings.Join(moves(again), "\n"), strings.Join(moves(entries), "\n"); got != want {
			t.Errorf("told later:\n%s\nand at the time:\n%s", got, want)
		}
		if h.World().Steps() != at {
			t.Errorf("the run stands at %d, and stood at %d", h.World().Steps(), at)
		}
	})
}

// saved/ghost_test.go is the Go test that the page makes of the script
// 14-ghost. It is compiled and run with all other tests.
func TestGoTest(t *testing.T) {
	text, err := os.ReadFile("testdata/14-ghost.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRunner(func(Entry) {})
	if err := r.Play(scriptOf(string(text))); err != nil {
		t.Fatal(err)
	}
	lines, err := Session(r.History(), r.Setup())
	if err != nil {
		t.Fatal(err)
	}
	got := GoTest("14-ghost", strings.Join(lines, "\n")+"\n")
	const golden = "saved/ghost_test.go"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(golden); err != nil || got != string(want) {
		t.Errorf("the saved test differs, %v; got\n%s", err, got)
	}
}

// Whatever a session is named and holds, its test is Go, formatted as gofmt does.
func TestGoTestsAreGo(t *testing.T) {
	for name, want := range map[string]string{
		"14-ghost": "Test14Ghost", "two words.v2": "TestTwoWordsV2", "": "TestSession", "集群": "TestSession", "straße": "TestStraE", "-": "TestSession",
	} {
		got := GoTest(name, "informer pods\nhandler `h`\r\nrun\n")
		if formatted, err := format.Source([]byte(got)); err != nil || string(formatted) != got {
			t.Errorf("%q: %v\n%s", name, err, got)
		}
		if !strings.Contains(got, "func "+want+"(") || !strings.Contains(got, "handler ` + \"`\" + `h` + \"`\" + `\nrun") {
			t.Errorf("%q is not %s:\n%s", name, want, got)
		}
	}
}
