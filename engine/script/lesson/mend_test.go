package lesson

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// readMended reads testdata/mended.txt: what the real client-go printed, by the lesson and a choice's line.
func readMended(t *testing.T) map[string][]Line {
	t.Helper()
	text, err := os.ReadFile("testdata/mended.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, lesson, id := map[string][]Line{}, "", ""
	for i, line := range strings.Split(string(text), "\n") {
		switch choice, is := strings.CutPrefix(line, "- "); {
		case line == "" || line[0] == '#':
			lesson = ""
		case is:
			id = lesson + " " + choice
			all[id] = nil
		case lesson == "":
			lesson = line
		default:
			all[id] = append(all[id], Line{Text: line, N: i + 1})
		}
	}
	return all
}

// TestMendsDoWhatClientGoDoes: with each choice of a mend the engine comes to what the real client-go printed with that Go. The
// tests of engine/conformance/live/v037 run the Go. At least six lessons have a mend, each with a right choice and two wrong ones.
func TestMendsDoWhatClientGoDoes(t *testing.T) {
	real, mends := readMended(t), 0
	eachLesson(t, func(language, name string, l *Lesson) {
		for i := range l.Parts {
			part := &l.Parts[i]
			if part.Kind != Mend || language != "en" {
				continue
			}
			mends++
			right := 0
			p := &Player{Lesson: l}
			for k := range part.Mend.Choices {
				id := name + " " + part.Controls[0].Choices[k]
				printed := real[id]
				if printed == nil {
					t.Errorf("nobody has run %s", id)
				}
				delete(real, id)
				with := p.WithControl(i, &part.Controls[0], k)
				lines := WithoutExpectations(with.Lines(i))
				if reached, err := with.Reached(i, lines); err != nil {
					t.Errorf("%s: %v", id, err)
				} else if AllReached(reached) {
					right++
				}
				for n, line := range printed {
					if strings.HasPrefix(line.Text, "panic: ") {
						printed[n].Text = "expect crashed()"
					}
				}
				if err := play(p.machine(func(script.Entry) {}), slices.Concat(lines, printed)); err != nil {
					t.Errorf("%s: the real client-go printed something else: %v", id, err)
				}
			}
			if wrong := len(part.Mend.Choices) - right; right == 0 || wrong < 2 {
				t.Errorf("%s has %d right choices and %d wrong ones", name, right, wrong)
			}
		}
	})
	if mends < 6 {
		t.Errorf("%d lessons have something to mend", mends)
	}
	for id := range real {
		t.Errorf("no lesson has %s any more", id)
	}
}

// TestMends: the Go of a mend is read with its spaces, and a choice that doesn't do what is said of it fails the check.
func TestMends(t *testing.T) {
	mend := func(lines ...string) string {
		return head + scene + fenced("mend", append([]string{"expect store [a/y@1]", "> y", "| Func: func() {", "|", "- exists pod a/x", "+ \tcall()", "> It calls."}, lines...)...)
	}
	l, err := Parse(mend("- exists pod a/y", "+ \twait()", "+ \tcall()", "> It comes late.", "expect store [a/y@1]", "| },"))
	if err != nil {
		t.Fatal(err)
	}
	m := &l.Parts[1].Mend
	if got := strings.Join(slices.Concat(m.Before, m.Choices[1].Code, m.After), "\n"); got != "Func: func() {\n\n\twait()\n\tcall()\n}," {
		t.Errorf("the Go is %q", got)
	}
	for _, c := range []struct{ text, want string }{
		{mend("- exists pod a/y", "+ wait()", "> It comes late."), "none"},
		{mend("- exists pod a/y", "+ wait()", "> It comes late.", "expect store []"), "29:14: got [a/y@1], not []"},
		{mend("- exists pod a/z", "+ wait()", "> It waits."), "18:1: the solution does not solve"},
		{mend("- exists pod a/y", "+ wait()"), "26:1: each choice has"},
		{mend("- exists pod a/y", "> It comes late."), "26:1: each choice has"},
		{mend(), "18:1: goals come first"},
		{head + scene + fenced("mend", "- exists pod a/x", "+ a()", "> A.", "- exists pod a/z", "+ b()", "> B."), "18:1: goals come first"},
		{head + scene + fenced("mend", "expect store []", "+ a()"), "20:1: "},
		{head + scene + fenced("mend", "expect store [a/x@1]", "- exists pod a/x", "+ a()", "> A.", "- exists pod a/z", "+ b()", "> B."), "20:1: the exercise is solved before"},
	} {
		if got := place(check(c.text)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
