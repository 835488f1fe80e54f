package lesson

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// head is the beginning of a lesson.
const head = "---\nminutes: 5\nstations: queue\n---\n\n# Title\n\nSummary.\n\n"

// fenced is a block.
func fenced(kind string, lines ...string) string {
	return "```" + kind + "\n" + strings.Join(lines, "\n") + "\n```\n\n"
}

// scene is a script that begins a scene, and ends at the moment start.
var scene = fenced("script start", "profile classic", "informer pods", "handler h takes=0s", "exists pod a/x", "run")

func TestParts(t *testing.T) {
	l, err := Parse(head + "First `code`, *new* and **firm**; see [k/k#1](https://github.com/k/k/issues/1) and [next](other.md#start).\nIts second line.\n\n" +
		scene + "At start.\n\n> [!NOTE]\n> One.\n>\n> Two.\n\n" + fenced("script", "break watch", "run") + "Later.\n\n<!-- at start -->\n\nBack.\n\n## Section\n\n- a\n- b\n")
	if err != nil {
		t.Fatal(err)
	}
	if l.Title != "Title" || PlainText(l.Summary) != "Summary." || l.Minutes != 5 || strings.Join(l.Stations, " ") != "queue" {
		t.Errorf("the lesson is parsed as %+v", l)
	}
	want := []struct {
		kind Kind
		n    int
		at   int
		text string
	}{
		{Paragraph, 10, -1, "First code, new and firm; see k/k#1 and next. Its second line."}, {Script, 13, 1, ""}, {Paragraph, 21, 1, "At start."},
		{Note, 23, 1, "One.|Two."}, {Script, 28, 4, ""}, {Paragraph, 33, 4, "Later."}, {Paragraph, 37, 1, "Back."}, {Heading, 39, 1, "Section"}, {List, 41, 1, "a|b"},
	}
	if len(l.Parts) != len(want) {
		t.Fatalf("the lesson has %d parts", len(l.Parts))
	}
	for i, p := range l.Parts {
		text := PlainText(p.Text)
		for j, item := range p.Items {
			if j > 0 {
				text += "|"
			}
			text += PlainText(item)
		}
		if w := want[i]; p.Kind != w.kind || p.N != w.n || p.ScriptIndex != w.at || text != w.text {
			t.Errorf("part %d is %v in line %d at %d: %q", i, p.Kind, p.N, p.ScriptIndex, text)
		}
	}
	var kinds []SpanKind
	for _, s := range l.Parts[0].Text {
		kinds = append(kinds, s.Kind)
	}
	if got := l.Parts[0].Text; len(got) != 11 || got[1].Kind != Literal || got[3].Kind != Emphasis || got[5].Kind != Strong || got[7].Link != "https://github.com/k/k/issues/1" || got[9].Link != "other.md#start" {
		t.Errorf("the parts are of the kinds %v, and the references are %+v", kinds, got)
	}
	if i, ok := l.Moment("2"); !ok || i != 4 {
		t.Error("the second moment is part", i)
	}
}

func TestTextIsNeverMarkup(t *testing.T) {
	l, err := Parse(head + "An <img src=x onerror=alert(1)> &amp; `<b>`.\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := PlainText(l.Parts[0].Text); got != "An <img src=x onerror=alert(1)> &amp; <b>." {
		t.Error(got)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	paragraph := "Asked?\n\n"
	for _, c := range []struct{ text, want string }{
		{"# Title\n", "1:1: a lesson begins with a line of three hyphens"},
		{"---\nminutes: 5\n", "2:1: missing line of three hyphens"},
		{"---\nminutes: 5\ncolour: red\n---\n", `3:1: unknown field "colour" of a lesson; want minutes, stations, trace`},
		{"---\n---\n# T\n\nS.\n", "2:1: a lesson takes 1 to 60 minutes"},
		{"---\nminutes: 5\n---\n\nSummary.\n", "5:1: expected the title"},
		{"---\nminutes: 5\n---\n\n# T\n\n## S\n", "7:1: expected a paragraph under the title"},
		{head + "### Deep\n", "10:1: a lesson has headings with ##"},
		{head + "<b>Markup</b>\n", "10:1: a lesson has headings with ##"},
		{head + "A `b.\n", "10:1: ` has no counterpart"},
		{head + "A [page](https://example.com/).\n", "10:1: a link leads to another lesson"},
		{head + "A [page](https://github.com/k/k/issues/1).\n", "10:1: the text of this link should be the repository"},
		{head + "> Said.\n", "10:1: expected > [!NOTE]"},
		{head + "> [!TIP]\n> Think.\n", "10:1: missing exercise above this hint"},
		{head + "<!-- at start -->\n", "10:1: expected <!-- at NAME -->"},
		{head + "```drawing\n```\n", `10:1: unknown block "drawing"`},
		{head + "```script\nprofile classic\n", "10:1: the block has no end"},
		{head + fenced("script", "informer pods"), "10:1: the first script begins with its profile"},
		{head + fenced("script", "profile classic", "informer pods", "bogus"), `13:1: unknown command "bogus"`},
		{head + scene + fenced("script start", "run"), "18:1: the name of a moment"},
		{head + scene + fenced("question", "store", "- []", "- [x]"), "18:1: the paragraph that asks"},
		{head + scene + paragraph + fenced("question", "store", "- []", "- [x]"), "20:1: a script that shows the answer"},
		{head + scene + paragraph + fenced("question", "colour", "- red", "- blue"), `21:6: unknown subject "colour"`},
		{head + scene + paragraph + fenced("question", "store", "- []", "- [ ]"), "23:1: duplicate option"},
		{head + scene + paragraph + fenced("question", "store", "- []", "label: late", "- [x]"), "23:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "store", "> early", "- []", "- [x]"), "22:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "store", "- []", "> a", "> b", "- [x]"), "24:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "store", "label: *open", "- []", "- [x]"), "22:1: * has no counterpart"},
		{head + scene + paragraph + fenced("question", "store", "can synced()", "- []", "- [x]"), "22:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "store", "- []", "can synced()", "can synced()", "- [x]"), "24:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "store", "- []", "> a", "can boil()", "- [x]"), `24:5: unknown function "boil"`},
		{head + scene + paragraph + fenced("question", "can h OnAdd a/x", "- yes", "can synced()", "- no"), "23:1: an option begins with a hyphen"},
		{head + scene + paragraph + fenced("question", "count Boiled", "- 1", "- 2"), `21:1: unknown event "Boiled"`},
		{head + scene + fenced("control", "handler h takes=0s"), "19:1: a control is a line of script"},
		{head + scene + fenced("control", "handler g takes={0s 1s}"), "19:1: a control should match one line"},
		{head + scene + fenced("compare", "expect store []"), "18:1: a compare begins with the profile"},
		{head + scene + fenced("exercise", "create pod a/y"), "19:1: what an exercise wants"},
		{head + scene + fenced("exercise", "> nothing"), "19:1: what an exercise wants"},
		{head + scene + fenced("exercise", "expect store []"), "18:1: a solution should follow"},
		{head + scene + fenced("solution", "run"), "18:1: missing exercise above"},
		{head + scene + fenced("source", "reflector.go"), "19:1: a line of a source"},
	} {
		_, err := Parse(c.text)
		if got := place(err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", strings.TrimPrefix(c.text, head), got, c.want)
		}
	}
}

// place writes an error as "line:column: text".
func place(err error) string {
	var e Error
	if !errors.As(err, &e) {
		return "none"
	}
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Err.Error()
}

func check(text string) error {
	l, err := Parse(text)
	if err != nil {
		return err
	}
	p := Player{Lesson: l}
	return p.Check(func(script.Entry) {})
}

func TestCheckFindsWhatDoesNotHold(t *testing.T) {
	asked := "Asked?\n\n"
	step := fenced("script", "update pod a/x", "run")
	for _, c := range []struct{ text, want string }{
		{scene, "none"},
		{scene + fenced("script", "expect store []"), "19:14: got [a/x@1], not []"},
		{scene + asked + fenced("question", "told", "- [h OnUpdate a/x@1->2]", "- []") + step, "none"},
		{scene + asked + fenced("question", "told h", "- [OnUpdate a/x@1]", "- []") + step, "21:1: the machine answers [OnUpdate a/x@1->2]"},
		{scene + asked + fenced("question", "count StoreUpdated a/x", "- 0", "- 1") + step, "none"},
		{scene + asked + fenced("question", "count StoreUpdated a/x", "label: writes", "- 0", "> The loop *writes*.", "- 1") + step, "none"},
		{scene + asked + fenced("question", "count StoreUpdated a/x", "- yes", "- 1") + step, "21:1: the option yes is of another kind than the machine's answer 1"},
		{scene + asked + fenced("question", "told h", "- [OnUpdate a/x@1->2]", "- 2") + step, "21:1: the option 2 is of another kind"},
		{scene + asked + fenced("question", "count StoreUpdated a/x", "- 0", "- 1", "> Why?") + step, "21:1: the machine answers 1, and the lesson says why that is wrong"},
		{scene + asked + fenced("question", "told", "- [h OnUpdate a/x@1->2]", "- []", "can h OnAdd a/x") + step, "none"},
		{scene + asked + fenced("question", "told", "- [h OnUpdate a/x@1->2]", "can h OnAdd a/x", "- []") + step, "21:1: the machine answers [h OnUpdate a/x@1->2], and the lesson says why that is wrong"},
		{scene + fenced("script", "stop", "run") + asked + fenced("question", "can h OnUpdate a/x", "- yes", "- no"), "none"},
		{scene + fenced("compare", "profile current", "expect store [a/x@1]"), "none"},
		{scene + fenced("compare", "profile current", "expect store []"), "20:14: got [a/x@1], not []"},
		{scene + fenced("control", "handler h takes={0s 20ms}"), "none"},
		{scene + fenced("script", "step 1 resync") + fenced("control", "handler h takes={0s 20ms}"), "19:8: resync cannot move: it waits for stopped"},
		{scene + fenced("exercise", "expect store [a/x@2]") + fenced("solution", "update pod a/x", "run"), "none"},
		{scene + fenced("exercise", "expect store [a/x@2]", "> changed", "forbid drop delete") + fenced("solution", "update pod a/x", "run"), "none"},
		{scene + fenced("exercise", "expect store [a/x@2]", "forbid drop update") + fenced("solution", "update pod a/x", "run"), "18:1: the solution does not solve"},
		{scene + fenced("exercise", "expect store [a/x@2]", "only update") + fenced("solution", "update pod a/x", "run"), "18:1: the solution does not solve"},
		{scene + fenced("exercise", "run", "expect store [a/x@2]", "only update") + fenced("solution", "update pod a/x"), "none"},
		{scene + fenced("exercise", "expect calls h >=1") + fenced("solution", "update pod a/x", "run"), "18:1: the exercise is solved before"},
		{scene + fenced("exercise", "expect store [a/x@3]") + fenced("solution", "update pod a/x", "run"), "18:1: the solution does not solve"},
		{scene + fenced("exercise", "can h OnDelete a/x") + fenced("solution", "delete pod a/x"), "none"},
		{scene + fenced("exercise", "expect called h OnUpdate a/x@1->2 1") + fenced("solution", "update pod a/x", "run"), "none"},
	} {
		if got := place(check(head + c.text)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestTheMachineJudges: the same question has another answer when the scenario is
// another one. No answer is written in the lesson.
func TestTheMachineJudges(t *testing.T) {
	ask := "What?\n\n" + fenced("question", "deltas a/x", "- []", "- [Updated@2]", "- [Updated@2 Updated@3]", "- [Updated@2 Updated@3 Deleted@4]")
	for script, want := range map[string]int{
		"run until pop a/x": 1,
		"update pod a/x\nstep 6 reflector\nrun until pop a/x":                 2,
		"update pod a/x\ndelete pod a/x\nstep 9 reflector\nrun until pop a/x": 3,
		"run": 0,
	} {
		l, err := Parse(head + scene + fenced("script", "update pod a/x") + ask + fenced("script", strings.Split(script, "\n")...))
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.Parts {
			if l.Parts[i].Kind != Question {
				continue
			}
			p := Player{Lesson: l}
			answer, err := p.Answer(i)
			if got := l.Parts[i].Ask.Option(answer); err != nil || got != want {
				t.Errorf("for %q the machine answers %s, %v", script, answer, err)
			}
		}
	}
}

// TestRefusals: an exercise refuses lines by their verb, and says its rule. To look is always allowed.
func TestRefusals(t *testing.T) {
	exercise := func(rules ...string) *Part {
		l, err := Parse(head + scene + fenced("exercise", append([]string{"expect store []"}, rules...)...) + fenced("solution", "run"))
		if err != nil {
			t.Fatal(err)
		}
		return &l.Parts[1]
	}
	for _, c := range []struct {
		part *Part
		line string
		want string
	}{
		{exercise("forbid drop spoil", "> Lose *no* event."), " drop event", "this exercise does without drop: Lose no event."},
		{exercise("forbid drop spoil"), "spoil event kind", "this exercise does without spoil: forbid drop spoil"},
		{exercise("forbid drop spoil"), "delay event 1s", ""},
		{exercise("only step run", "> Choose who moves."), "update pod a/x", "this exercise does without update: Choose who moves."},
		{exercise("only step run"), "run until call h", ""},
		{exercise("only step run"), "show store", ""},
		{exercise("only step run"), "log all", ""},
		{exercise("only step run"), "", ""},
		{exercise(), "drop event", ""},
		{&Part{Kind: Paragraph}, "drop event", ""},
	} {
		got := ""
		if err := c.part.Refusal(c.line); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q is refused with %q, not %q", c.line, got, c.want)
		}
	}
}

// TestAControlRewritesOneLine: with another value chosen the same moment is
// another state.
func TestAControlRewritesOneLine(t *testing.T) {
	l, err := Parse(head + scene + fenced("script", "update pod a/x", "advance 10ms") + fenced("control", "handler h takes={0s 1s}"))
	if err != nil {
		t.Fatal(err)
	}
	i := len(l.Parts) - 1
	p := Player{Lesson: l}
	n := p.Line(i, &l.Parts[i].Controls[0])
	for choice, want := range []string{"0", "1"} {
		p.Chosen = map[int]string{n: l.Parts[i].Controls[0].Line(choice)}
		got := ""
		r := script.NewRunner(func(e script.Entry) {
			if e.Kind == script.Value {
				got = e.Text
			}
		})
		if err := play(r, append(p.Lines(i), Line{"show behind h", 1})); err != nil || got != want {
			t.Errorf("with choice %d the machine answers %s, %v", choice, got, err)
		}
	}
}

// A reader's own value is one more choice, if the line with it is one that the template makes.
func TestAControlTakesAnOwnValue(t *testing.T) {
	l, err := Parse(head + scene + fenced("script", "update pod a/x", "advance 10ms") + fenced("control", "handler h takes={0s 1s}"))
	if err != nil {
		t.Fatal(err)
	}
	c := &l.Parts[len(l.Parts)-1].Controls[0]
	for _, text := range []string{"handler h takes=13.7ms", "handler h takes=13.7ms", "handler h takes=1s", "handler h takes=", "handler h takes=late", "handler h takes=1s resync=2s", "handler other takes=2s", ""} {
		c.AddOwn(text)
	}
	if got := strings.Join(c.Choices, " "); got != "0s 1s 13.7ms" {
		t.Errorf("the choices are %s", got)
	}
}

func TestCourse(t *testing.T) {
	c, err := ParseCourse("# The course\n\nAll of it.\n\n## One\n\n- [A](a.md)\n- [B](b.md)\n\n## Two\n\n- [C](c.md)\n")
	if err != nil || c.Title != "The course" || len(c.Chapters) != 2 || strings.Join(c.Chapters[0].Lessons, " ") != "a b" || c.Chapters[1].Titles[0] != "C" {
		t.Errorf("the course is parsed as %+v, %v", c, err)
	}
	c, err = ParseCourse("# The course\n\nAll of it.\n\n## `short 20` A way\n\nYou can *walk*.\n\n- [A](a.md)\n\n## One\n\nYou can run.\n\n- [A](a.md) (3 min)\n")
	if err != nil || len(c.Paths) != 1 || c.Paths[0].Name != "short" || c.Paths[0].Minutes != 20 || c.Paths[0].Title != "A way" || PlainText(c.Paths[0].Goal) != "You can walk." ||
		c.Paths[0].Lessons[0] != "a" || len(c.Chapters) != 1 || PlainText(c.Chapters[0].Goal) != "You can run." || c.Chapters[0].Minutes[0] != 3 {
		t.Errorf("a course with a path is parsed as %+v, %v", c, err)
	}
	for _, bad := range []string{"## `short` A way\n\n- [A](a.md)\n", "## `short 0` A way\n\n- [A](a.md)\n", "## `a_b 20` A way\n", "## One\n\n- [A](a.md)\n\nToo late.\n", "## One\n\nOnce.\n\nTwice.\n"} {
		if _, err := ParseCourse("# The course\n\nAll of it.\n\n" + bad); err == nil {
			t.Errorf("a course is read from %q", bad)
		}
	}
	if _, err := ParseCourse("# The course\n\nAll of it.\n\n## One\n\n- A\n"); !strings.HasPrefix(place(err), "7:1: expected a link") {
		t.Error(err)
	}
}

// FuzzParse: any text is a lesson or an Error with a place in it, and what was
// parsed can be asked for its moments.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../../web/lessons/*/*.md")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	f.Add(head + scene)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(text)
		if err != nil {
			if e := (Error{}); !errors.As(err, &e) || e.Line < 1 || e.Line > strings.Count(text, "\n")+1 || e.Col < 1 || e.Err.Error() == "" {
				t.Fatalf("the error has no place in the text: %#v", err)
			}
			return
		}
		p := Player{Lesson: l}
		for i := range l.Parts {
			for _, line := range p.Lines(i) {
				if line.N < 1 || line.Text == "" {
					t.Fatalf("part %d has a line without a place: %+v", i, line)
				}
			}
		}
	})
}
