package lesson

import (
	"reflect"
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
func (t *table) Rest() desk.Rest {
	return desk.Rest{Lang: "en", Dialog: t.dialog, Pressed: t.now, Fetched: !t.own}
}

// A lesson begins at the moment that was wanted, and goes on stop by stop: first the open question
// is answered, and while the machine plays to a stop, it is gone there at once.
func TestGoesOn(t *testing.T) {
	var m Model
	d := &table{}
	m.Want("second")
	m.Taught(d, &link.Lesson{Name: "keys", Stops: []int{0, 2, 4}, Parts: []link.LessonPart{
		{Kind: "script"}, {Kind: "question", Options: []string{"a", "b"}}, {Kind: "script", Label: "second"}, {Kind: "paragraph"}, {Kind: "script"},
	}})
	if d.tab != desk.Lesson {
		t.Errorf("a new lesson is shown on the tab %q", d.tab)
	}
	m.Stopped(&link.Stopped{Stop: 1})
	m.Last(d)
	m.Stopped(&link.Stopped{})
	for d.now = 1000; d.now < 5000; d.now += 2000 {
		m.Next(d)
	}
	m.Next(d)
	d.skip = true
	m.Next(d)
	want := []link.Op{link.GoStop{Stop: 1}, link.ReadCourse{URL: "lessons/en/course.md"}, link.GoStop{}, link.AskAnswer{Part: 1}, link.GoStop{Stop: 1, Play: true}}
	if !reflect.DeepEqual(d.asked, want) {
		t.Errorf("the worker is asked for %+v, want %+v", d.asked, want)
	}
}

// The list of lessons is asked for once in a language.
func TestTheCourseIsAskedForOnce(t *testing.T) {
	var m Model
	d := &table{}
	m.OpenCourse(d)
	m.Listed(&link.Course{})
	m.OpenCourse(d)
	if !reflect.DeepEqual(d.asked, []link.Op{link.ReadCourse{URL: "lessons/en/course.md"}}) || d.dialog != "course" {
		t.Errorf("the worker is asked for %+v, and the dialog is %q", d.asked, d.dialog)
	}
}

// What was read is kept, and what was kept can be anything.
func TestReadIsWrittenAndRead(t *testing.T) {
	r := Read{"keys": {3, 8, "2-0", ""}, "a": {0, 2, "", ""}, "b": {1, 2, "1", "-y"}, "c": {1, 2, "", "y"}}
	if s := r.String(); s != "a=0/2 b=1/2/1/-y c=1/2//y keys=3/8/2-0" || !reflect.DeepEqual(ParseRead(s), r) {
		t.Errorf("%q is read as %v", s, ParseRead(s))
	}
	for _, s := range []string{"", "x", "=", "a=1", "a=/", "a=1/x =2/3", "\x00=9", "a=1/2/x", "a=1/2/1/2"} {
		if got := ParseRead(s); len(got) != 0 {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}

// What was answered is known again at the next visit, and judged by the machine as before. What
// doesn't fit the lesson is left out.
func TestAnswersAreKnownAgain(t *testing.T) {
	question := link.LessonPart{Kind: "question", Options: []string{"a", "b"}}
	l := &link.Lesson{Name: "keys", Stops: []int{0}, Parts: []link.LessonPart{question, {Kind: "script"}, question, question, question}}
	var m Model
	d := &table{}
	m.Restore("keys=0/1/2-90111")
	m.Taught(d, l)
	want := []link.Op{link.AskAnswer{Part: 0}, link.AskAnswer{Part: 4}, link.ReadCourse{URL: "lessons/en/course.md"}}
	if !reflect.DeepEqual(d.asked, want) || !reflect.DeepEqual(m.Learning.Answers, map[int]Guess{0: {Option: 1}, 4: {Option: -1}}) {
		t.Errorf("the worker is asked for %+v, and the answers are %+v", d.asked, m.Learning.Answers)
	}
	m.Judged(d, &link.Judged{Part: 0, Option: 1})
	m.Judged(d, &link.Judged{Part: 4, Option: 0})
	if right, all := m.Learning.Count(); right != 1 || all != 2 {
		t.Errorf("%d of %d are right", right, all)
	}
	if m.Stopped(&link.Stopped{}); m.Read.String() != "keys=0/1/2--0" {
		t.Errorf("the page keeps %q", m.Read)
	}
	if m.AnswerAnew(); len(m.Learning.Answers) != 0 || m.Read.String() != "keys=0/1" {
		t.Errorf("after that the page keeps %q", m.Read)
	}
}

// An exercise that was solved is solved at the next visit, too, all of its goals reached, and is
// not asked about again.
func TestSolvedExercisesAreKnownAgain(t *testing.T) {
	exercise := link.LessonPart{Kind: "exercise", Goals: []link.Goal{{Part: 0}, {Part: 2}}}
	l := &link.Lesson{Name: "build", Stops: []int{0}, Parts: []link.LessonPart{exercise, {Kind: "paragraph"}, exercise}}
	var m Model
	d := &table{}
	m.Taught(d, l)
	m.Checked(&link.Checked{Part: 2})
	if m.Read["build"].Solved != "" {
		t.Errorf("an exercise that isn't solved is kept as %q", m.Read)
	}
	cmds := m.Checked(&link.Checked{Part: 2, Solved: true})
	if want := []desk.Cmd{desk.Keep{Name: "lessons", Value: "build=0/1//-y"}}; !reflect.DeepEqual(cmds, want) {
		t.Fatalf("the page keeps %v", cmds)
	}
	next := Model{}
	next.Restore(m.Read.String())
	next.Taught(d, l)
	want := map[int]link.Checked{2: {Part: 2, Solved: true, Goals: []bool{true, true, true}}}
	if !reflect.DeepEqual(next.Learning.Solved, want) {
		t.Errorf("after a reload %+v are solved", next.Learning.Solved)
	}
	if next.Stopped(&link.Stopped{}); next.Read.String() != "build=0/1//-y" {
		t.Errorf("then the page keeps %q", next.Read)
	}
}

// A lesson of the viewer's own has no place in the course, and its text may be another one next time.
func TestALessonFromAFileBeginsAnew(t *testing.T) {
	var m Model
	d := &table{own: true}
	m.Restore("mine=0/1/1")
	m.Taught(d, &link.Lesson{Name: "mine", Stops: []int{0}, Parts: []link.LessonPart{{Kind: "question", Options: []string{"a", "b"}}}})
	if len(d.asked) != 0 || len(m.Learning.Answers) != 0 {
		t.Errorf("the worker is asked for %+v, and the answers are %+v", d.asked, m.Learning.Answers)
	}
}
