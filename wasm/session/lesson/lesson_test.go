package lesson

import (
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// table is a desk without a model: it notes what is asked of it.
type table struct {
	Desk   // for what a test doesn't need
	asked  []link.Op
	tab    desk.Tab
	skip   bool
	dialog string
	now    float64
	own    bool // the lesson comes from a file
}

func (t *table) Send(op link.Op) []desk.Cmd { t.asked = append(t.asked, op); return nil }
func (t *table) Move(op link.Op) []desk.Cmd { return t.Send(op) }
func (t *table) Pause() []desk.Cmd          { return nil }
func (t *table) PauseOnTheWay() []desk.Cmd  { return nil }
func (t *table) Show(tab desk.Tab)          { t.tab = tab }
func (t *table) Turn(tab desk.Tab)          { t.tab = tab }
func (t *table) Skip() ([]desk.Cmd, bool)   { return nil, t.skip }
func (t *table) SetDialog(name string)      { t.dialog = name }
func (t *table) Surroundings() desk.Surroundings {
	return desk.Surroundings{Lang: "en", Dialog: t.dialog, Pressed: t.now, Fetched: !t.own}
}

// A lesson begins at the moment that was wanted, and goes on stop by stop: first the open question
// is answered, and while the machine plays to a stop, it is gone there at once.
func TestGoesOn(t *testing.T) {
	d := &table{}
	m := New(d)
	m.BeginAt("second")
	m.Taught(&link.Lesson{Name: "keys", Stops: []int{0, 2, 4}, Parts: []link.LessonPart{
		{Kind: "script"}, {Kind: "question", Options: []string{"a", "b"}}, {Kind: "script", Label: "second"}, {Kind: "paragraph"}, {Kind: "script"},
	}})
	if d.tab != desk.Lesson {
		t.Errorf("a new lesson is shown on the tab %q", d.tab)
	}
	m.Stopped(&link.Stopped{Stop: 1})
	m.Last()
	m.Stopped(&link.Stopped{})
	for d.now = 1000; d.now < 5000; d.now += 2000 {
		m.Next()
	}
	m.Next()
	d.skip = true
	m.Next()
	want := []link.Op{link.GoStop{Stop: 1}, link.ReadCourse{URL: "lessons/en/course.md", Words: "lessons/en/words.md"}, link.GoStop{}, link.AskAnswer{Part: 1}, link.GoStop{Stop: 1, Play: true}}
	if !reflect.DeepEqual(d.asked, want) {
		t.Errorf("the worker is asked for %+v, want %+v", d.asked, want)
	}
}

// A slider stays where it is dragged to, and asks for each place once, though it also says where it is let go.
func TestDrag(t *testing.T) {
	d := &table{}
	m := New(d)
	m.Taught(&link.Lesson{Name: "keys", Stops: []int{0}, Parts: []link.LessonPart{
		{Kind: "script"}, {Kind: link.PartControl, Controls: []link.Control{{Choices: []string{"0s", "1s", "2s"}, Chosen: 2}}},
	}})
	d.asked = nil
	for _, value := range []string{"1", "0", "0", "x"} {
		m.Drag("1.0.", value)
	}
	m.Drag("7.0.", "1")
	if want := []link.Op{link.Turn{Part: 1, Choice: 1}, link.Turn{Part: 1}}; !reflect.DeepEqual(d.asked, want) || m.Learning.Parts[1].Controls[0].Chosen != 0 {
		t.Errorf("the worker is asked for %+v, want %+v, and the slider is at %d", d.asked, want, m.Learning.Parts[1].Controls[0].Chosen)
	}
}

// A lesson that was opened at its first moment stays at the stop that is read when a control is turned there.
func TestAControlKeepsTheStop(t *testing.T) {
	d := &table{}
	m := New(d)
	m.BeginAt("first")
	taught := link.Lesson{Name: "keys", Stops: []int{0, 1}, Parts: []link.LessonPart{{Kind: "script", Label: "first"}, {Kind: "script"}}}
	m.Taught(&taught)
	m.Stopped(&link.Stopped{Stop: 1})
	d.asked = nil
	turned := taught
	turned.Stop = 1
	m.Taught(&turned)
	if len(d.asked) > 0 || m.Learning.Stop != 1 {
		t.Errorf("the reader is led to %+v, and the stop is %d", d.asked, m.Learning.Stop)
	}
}

// The list of lessons is asked for once in a language.
func TestTheCourseIsAskedForOnce(t *testing.T) {
	d := &table{}
	m := New(d)
	m.OpenCourse()
	m.Listed(&link.Course{})
	m.OpenCourse()
	if !reflect.DeepEqual(d.asked, []link.Op{link.ReadCourse{URL: "lessons/en/course.md", Words: "lessons/en/words.md"}}) || d.dialog != "course" {
		t.Errorf("the worker is asked for %+v, and the dialog is %q", d.asked, d.dialog)
	}
}

// What was read is kept, and what was kept can be anything.
func TestReadIsWrittenAndRead(t *testing.T) {
	r := Read{"keys": {3, 8, "2-0", ""}, "a": {0, 2, "", ""}, "b": {1, 2, "1", "-y"}, "c": {1, 2, "", "y"}, "d": {1, 2, "1z-:2,0:0", "k2:y"}}
	if s := r.String(); s != "a=0/2 b=1/2/1/-y c=1/2//y d=1/2/1z-:2,0:0/k2:y keys=3/8/2-0" || !reflect.DeepEqual(ParseRead(s), r) {
		t.Errorf("%q is read as %v", s, ParseRead(s))
	}
	for _, s := range []string{"", "x", "=", "a=1", "a=/", "a=1/x =2/3", "\x00=9", "a=1/2/x", "a=1/2/1/2", "a=1/2/A:1"} {
		if got := ParseRead(s); len(got) != 0 {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}

// visit is a lesson at a visit, with what the page has kept of it.
func visit(t *testing.T, d *table, kept string, parts ...link.LessonPart) *Model {
	t.Helper()
	m := New(d)
	m.Read = ParseRead(kept)
	d.asked = nil
	m.Taught(&link.Lesson{Name: "keys", Stops: []int{0}, Parts: parts})
	return &m
}

// question is a part that asks something.
func question(asks string, options ...string) link.LessonPart {
	return link.LessonPart{Kind: "question", Lines: []string{asks}, Options: options}
}

// What was answered is known again at the next visit, and judged by the machine as before. What
// doesn't fit the lesson is left out.
func TestAnswersAreKnownAgain(t *testing.T) {
	d := &table{}
	first, store, again := question("told", "a", "b"), question("store", "a", "b"), question("told", "a", "b")
	m := visit(t, d, "", first, store, link.LessonPart{Kind: "script"}, again)
	m.Learning.Answers[0], m.Learning.Answers[3] = Guess{Option: 1}, Guess{Option: -1}
	m.Stopped(&link.Stopped{})
	kept := m.Read.String()

	// A later version of the lesson has another question before them, and another order.
	m = visit(t, d, kept, store, question("returned", "a", "b"), first, again)
	want := []link.Op{link.AskAnswer{Part: 2}, link.AskAnswer{Part: 3}, link.ReadCourse{URL: "lessons/en/course.md", Words: "lessons/en/words.md"}}
	if !reflect.DeepEqual(d.asked, want) || !reflect.DeepEqual(m.Learning.Answers, map[int]Guess{2: {Option: 1}, 3: {Option: -1}}) {
		t.Errorf("from %q the worker is asked for %+v, and the answers are %+v", kept, d.asked, m.Learning.Answers)
	}
	m.Judged(&link.Judged{Part: 2, Option: 1})
	m.Judged(&link.Judged{Part: 3, Option: 0})
	if right, all := m.Learning.CountAnswers(); right != 1 || all != 2 {
		t.Errorf("%d of %d are right", right, all)
	}
	if m.Stopped(&link.Stopped{}); m.Read.String() != kept {
		t.Errorf("the page keeps %q, and has kept %q", m.Read, kept)
	}
	if answers, solved := m.Read["keys"].Counts(); answers != 2 || solved != 0 {
		t.Errorf("%d answers and %d solutions are counted", answers, solved)
	}

	// Another question has no answer.
	if m = visit(t, d, kept, question("told", "a", "c"), question("behind h", "a", "b")); len(m.Learning.Answers) != 0 {
		t.Errorf("the answers to other questions are %+v", m.Learning.Answers)
	}
	if m.AnswerAnew(); len(m.Learning.Answers) != 0 || m.Read.String() != "keys=0/1" {
		t.Errorf("after that the page keeps %q", m.Read)
	}
}

// An exercise that was solved is solved at the next visit, too, all of its goals reached, and is
// not asked about again.
func TestSolvedExercisesAreKnownAgain(t *testing.T) {
	exercise := func(lines ...string) link.LessonPart {
		p := link.LessonPart{Kind: "exercise"}
		for i, line := range lines {
			p.Goals = append(p.Goals, link.Goal{Line: line, Part: 2 * i})
		}
		return p
	}
	d := &table{}
	first, second := exercise("expect store []"), exercise("expect store []", "expect synced")
	m := visit(t, d, "", first, link.LessonPart{Kind: "paragraph"}, second)
	m.Checked(&link.Checked{Part: 2})
	if m.Read["keys"].Solved != "" {
		t.Errorf("an exercise that isn't solved is kept as %q", m.Read)
	}
	cmds := m.Checked(&link.Checked{Part: 2, Solved: true})
	kept := m.Read.String()
	if want := []desk.Cmd{desk.StoreSetting{Name: "lessons", Value: kept}}; !reflect.DeepEqual(cmds, want) {
		t.Fatalf("the page keeps %v", cmds)
	}
	m = visit(t, d, kept, second, first)
	if want := map[int]link.Checked{0: {Part: 0, Solved: true, Goals: []bool{true, true, true}}}; !reflect.DeepEqual(m.Learning.Solved, want) {
		t.Errorf("from %q %+v are solved", kept, m.Learning.Solved)
	}
	if m.Stopped(&link.Stopped{}); m.Read.String() != kept {
		t.Errorf("then the page keeps %q", m.Read)
	}
}

// What an earlier version of the page has kept, a letter for each question and each exercise, is still read. It is written
// with keys from then on.
func TestEarlierProgressIsRead(t *testing.T) {
	d := &table{}
	q := question("told", "a", "b")
	m := visit(t, d, "keys=0/1/2-90111/-y", q, question("store", "a", "b"), q, q, link.LessonPart{Kind: "exercise"}, link.LessonPart{Kind: "exercise"})
	if want := map[int]Guess{0: {Option: 1}, 3: {Option: -1}}; !reflect.DeepEqual(m.Learning.Answers, want) || m.Learning.Solved[4].Solved || !m.Learning.Solved[5].Solved {
		t.Errorf("the answers are %+v, and solved is %+v", m.Learning.Answers, m.Learning.Solved)
	}
	if answers, solved := m.Read["keys"].Counts(); answers != 6 || solved != 1 {
		t.Errorf("%d answers and %d solutions are counted", answers, solved)
	}
	m.Stopped(&link.Stopped{})
	if answers, solved := m.Read["keys"].Counts(); answers != 2 || solved != 1 {
		t.Errorf("the page keeps %q", m.Read)
	}
}

// A lesson of the viewer's own has no place in the course, and its text may be another one next time.
func TestALessonFromAFileBeginsAnew(t *testing.T) {
	d := &table{own: true}
	m := New(d)
	m.Read = ParseRead("mine=0/1/1")
	m.Taught(&link.Lesson{Name: "mine", Stops: []int{0}, Parts: []link.LessonPart{{Kind: "question", Options: []string{"a", "b"}}}})
	if len(d.asked) != 0 || len(m.Learning.Answers) != 0 {
		t.Errorf("the worker is asked for %+v, and the answers are %+v", d.asked, m.Learning.Answers)
	}
}

// The stops of a lesson share its minutes: each has some, one with more to read has more, and together they take all.
func TestStopsShareTheMinutes(t *testing.T) {
	long := []link.Span{{Text: strings.Repeat("a word ", 60)}}
	l := Learning{Lesson: &link.Lesson{Minutes: 3, Stops: []int{0, 1, 2}, Parts: []link.LessonPart{{}, {Text: long}, {Options: []string{"0", "1"}}}}}
	end := 0
	var each []int
	for stop := range l.Stops {
		begins, takes := l.Time(stop)
		if begins != end {
			t.Errorf("stop %d begins at %d, and the one before ends at %d", stop, begins, end)
		}
		end = begins + takes
		each = append(each, takes)
	}
	if end != 180 || each[0] < 10 || each[2] <= each[0] || each[1] <= each[2] {
		t.Errorf("the stops take %v of 180 seconds", each)
	}
}

// A schedule is sought for the option that was chosen. What is found belongs to the stop, and is forgotten at another one.
func TestAScheduleIsSought(t *testing.T) {
	d := &table{}
	if m := New(d); m.SeekSchedule() != nil || d.asked != nil {
		t.Error("a schedule is sought where no lesson is open")
	}
	d = &table{own: true}
	m := visit(t, d, "", link.LessonPart{Kind: "paragraph"}, question("told", "a", "b"), link.LessonPart{Kind: "paragraph"})
	m.Learning.Stops = []int{0, 2}
	m.Answer(1)
	d.asked = nil
	if m.SeekSchedule(); !reflect.DeepEqual(d.asked, []link.Op{link.SeekSchedule{Part: 1, Option: 1}}) {
		t.Errorf("the worker is asked for %+v", d.asked)
	}
	m.Explored(&link.Explored{Done: true})
	if m.Sought != nil {
		t.Error("the answer to a line of the console is taken for one of the lesson")
	}
	m.Explored(&link.Explored{Done: true, Part: 1, Found: link.FoundYes})
	m.Stopped(&link.Stopped{Stop: 0})
	if m.Sought == nil {
		t.Error("what was found is forgotten on the way back")
	}
	m.AnswerAnew()
	if m.Answer(0); m.Sought != nil {
		t.Error("what was found is shown with another answer")
	}
	m.Explored(&link.Explored{Done: true, Part: 1, Found: link.FoundNo})
	m.Stopped(&link.Stopped{Stop: 1})
	if m.Sought != nil {
		t.Error("what was found is shown at another stop")
	}
	if d.asked = nil; m.SeekSchedule() != nil || d.asked != nil {
		t.Error("a schedule is sought at a stop without a question")
	}
}
