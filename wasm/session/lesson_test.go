package session

import (
	"os"
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	course "github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// twoStops is a lesson with a question at its first stop, and an exercise at the
// second.
func twoStops() *link.Lesson {
	return &link.Lesson{Name: "keys", Stops: []int{0, 3}, Parts: []link.LessonPart{
		{Kind: "paragraph"}, {Kind: "script", Label: "begun"}, {Kind: "question", Options: []string{"a", "b"}},
		{Kind: "script"}, {Kind: "paragraph"}, {Kind: "exercise"}, {Kind: "hint"}, {Kind: "solution"},
	}}
}

// reading is a page on which that lesson is open.
func reading() *Model {
	m := atWork()
	m.Open.Source = navigation.Source{URL: "lessons/en/keys.md"}
	m.Update(Replied{Reply: &link.Reply{News: twoStops()}})
	return m
}

func replied(m *Model, r link.Reply) []Cmd {
	cmds := m.Update(Replied{Reply: &r})
	return cmds
}

func press(m *Model, key string) []link.Request {
	cmds := m.Update(Pressed{Key: key})
	return sent(cmds)
}

// A question takes the number keys while it is open. Next shows its answer only to who has seen that
// an answer is asked for. The machine's answer closes it.
func TestAnswersAreJudged(t *testing.T) {
	m := reading()
	if m.Front.Tab != desk.Lesson || m.Lesson.Learning.OpenQuestion() != 2 {
		t.Fatalf("the tab is %s, and the open question is %d", m.Front.Tab, m.Lesson.Learning.OpenQuestion())
	}
	if q := press(m, "9"); len(q) != 0 || m.Lesson.Learning.OpenQuestion() != 2 {
		t.Errorf("an option that isn't there sends %+v", q)
	}
	next := func(m *Model, now float64) []link.Request {
		return sent(m.Update(Pressed{Key: "PageDown", Now: now}))
	}
	hasty := func() *Model {
		m := reading()
		for _, now := range []float64{1000, 1400, 1800, 2200, 2600} {
			if q := next(m, now); len(q) != 0 || m.Lesson.Learning.OpenQuestion() != 2 || m.Lesson.Learning.Prompted != now {
				t.Fatalf("Next that is pressed again and again sends %+v", q)
			}
		}
		return m
	}
	again := hasty()
	if replied(again, link.Reply{News: &link.Stopped{Stop: 1}}); again.Lesson.Learning.Prompted != 0 {
		t.Error("the next stop asks for an answer to this one")
	}
	shown := hasty()
	q := next(shown, 3700)
	if len(q) != 1 || q[0].Op != link.Op(link.AskAnswer{Part: 2}) || shown.Lesson.Learning.Answers[2].Option != -1 {
		t.Errorf("Next sends %+v", q)
	}
	q = press(m, "1")
	if len(q) != 1 || q[0].Op != link.Op(link.AskAnswer{Part: 2}) || m.Lesson.Learning.OpenQuestion() != -1 {
		t.Fatalf("1 sends %+v", q)
	}
	replied(m, link.Reply{ID: 9, News: &link.Judged{Part: 2, Option: 1, Answer: "b"}})
	if g := m.Lesson.Learning.Answers[2]; g.Correct() || g.Judged.Answer != "b" {
		t.Errorf("after the machine's answer, the guess is %+v", g)
	}
	if right, all := m.Lesson.Learning.CountAnswers(); right != 0 || all != 1 {
		t.Errorf("the page counts %d right answers of %d", right, all)
	}
	// With no question open, a number goes to a tenth again.
	if q := press(m, "5"); len(q) != 1 || link.Name(q[0].Op) != "Seek" {
		t.Errorf("5 sends %+v", q)
	}
}

// Next plays to the next stop, fast enough to be there soon, and a second Next jumps there.
func TestNextPlaysToTheStop(t *testing.T) {
	m := reading()
	m.Lesson.Learning.Answers[2] = lesson.Guess{Option: 1, Judged: &link.Judged{Part: 2, Option: 1}}
	q := press(m, "PageDown")
	if len(q) != 1 || q[0].Op != link.Op(link.GoStop{Stop: 1, Play: true}) {
		t.Fatalf("Next sends %+v", q)
	}
	id := q[0].ID
	cmds := replied(m, link.Reply{ID: id, News: &link.Stopped{Stop: 1, Until: 600}})
	if !reflect.DeepEqual(cmds, []Cmd{desk.StoreSetting{Name: "lessons", Value: "keys=1/2/6omqjk:2"}, desk.StoreSetting{Name: "last", Value: "lesson keys#.2 "}}) || m.Lesson.Learning.Stop != 1 {
		t.Errorf("the page keeps %+v at stop %d", cmds, m.Lesson.Learning.Stop)
	}
	replied(m, link.Reply{ID: id, News: &link.Frame{Step: 0, Steps: 900}})
	if !m.Transport.Playing || m.Transport.Rate() != 100 {
		t.Fatalf("playing %v at %v a second", m.Transport.Playing, m.Transport.Rate())
	}
	replied(m, link.Reply{News: &link.Frame{Step: 600, Steps: 900}})
	if m.Transport.Playing {
		t.Error("it plays past the stop")
	}
	m.Transport.playTo(800, 0)
	q = press(m, "PageDown")
	if len(q) != 1 || q[0].Op != link.Op(link.Seek{Step: 800}) {
		t.Errorf("a second Next sends %+v", q)
	}
	replied(m, link.Reply{ID: q[0].ID, News: &link.Frame{Step: 800, Steps: 900}})
	m.Settings.ReducedMotion = true
	if q := press(m, "PageUp"); len(q) != 1 || q[0].Op != link.Op(link.GoStop{}) {
		t.Errorf("back sends %+v", q)
	}
}

// The goals of an exercise are looked at once for each step at which the machine comes to rest, and again
// for another run, from the reader's first act on. Who types a line that is wrong stays in the lesson.
func TestGoalsAreTickedAsTheyComeTrue(t *testing.T) {
	m := reading()
	replied(m, link.Reply{News: &link.Stopped{Stop: 1}})
	checks := func(news link.News) (n int) {
		cmds := replied(m, link.Reply{News: news})
		for _, q := range sent(cmds) {
			if q.Op == link.Op(link.CheckExercise{Part: 5}) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		news link.News
		want int
	}{
		{&link.Frame{Step: 7, Steps: 9}, 0}, // nobody has done anything
		{&link.Lanes{List: []link.Lane{{}, {}}, Shown: 1}, 0},
		{&link.Frame{Step: 7, Steps: 9}, 1},
		{&link.Frame{Step: 7, Steps: 9}, 0},
		{&link.Lanes{List: []link.Lane{{}, {}, {}}, Shown: 2}, 0},
		{&link.Frame{Step: 7, Steps: 9}, 1},
		{&link.Checked{Part: 5, Solved: true}, 0},
		{&link.Frame{Step: 8, Steps: 9}, 0},
	} {
		if n := checks(c.news); n != c.want {
			t.Errorf("after %+v the goals are looked at %d times, not %d", c.news, n, c.want)
		}
	}
	checks(&link.Console{Failure: &link.LineFailure{Text: "drop event", Reason: &link.Sentence{ID: "error.lineRefused"}}})
	if m.Front.Tab != desk.Lesson || m.Hands.Line != "drop event" || m.Hands.Wrong == nil {
		t.Errorf("a line that was refused turns to %s, with the line %q", m.Front.Tab, m.Hands.Line)
	}
	was := m.Hands.Focus
	if act(m, "console", "", ""); m.Front.Tab != desk.Lesson || m.Hands.Focus == was {
		t.Errorf("the console's key turns to %s", m.Front.Tab)
	}
}

// Hints come one by one, and then the solution. Another stop hides them.
func TestHintsComeOneByOne(t *testing.T) {
	m := reading()
	replied(m, link.Reply{News: &link.Stopped{Stop: 1}})
	for _, want := range []struct {
		hints    int
		solution bool
	}{{1, false}, {1, true}, {1, true}} {
		if act(m, "hint", "", ""); m.Lesson.Learning.Hints != want.hints || m.Lesson.Learning.Solution != want.solution {
			t.Errorf("the page shows %d hints and the solution: %v; want %+v", m.Lesson.Learning.Hints, m.Lesson.Learning.Solution, want)
		}
	}
	if q := act(m, "solve", "", ""); len(q) != 2 || q[0].Op != link.Op(link.Solve{Part: 7}) || q[1].Op != link.Op(link.CheckExercise{Part: 5}) {
		t.Errorf("solving sends %+v", q)
	}
	if replied(m, link.Reply{News: &link.Stopped{Stop: 0}}); m.Lesson.Learning.Hints != 0 || m.Lesson.Learning.Solution {
		t.Error("another stop shows the hints")
	}
}

// In another language the reader is at the same stop, with the same answers.
func TestTheReaderStaysInAnotherLanguage(t *testing.T) {
	m := reading()
	press(m, "2")
	replied(m, link.Reply{News: &link.Stopped{Stop: 1}})
	cmds := m.Update(Spoke{Lang: "zh", Words: map[string]string{"a": "b"}})
	q := sent(cmds)
	if len(q) != 1 || q[0].Op.(link.Open).URL != "lessons/zh/keys.md" || m.Lesson.Learning == nil {
		t.Fatalf("another language sends %+v", q)
	}
	replied(m, link.Reply{ID: q[0].ID, News: &link.Opened{Script: true, Informers: []link.Informer{{Name: "pods"}}}})
	cmds = replied(m, link.Reply{News: twoStops()})
	if q = sent(cmds); len(q) != 1 || q[0].Op != link.Op(link.GoStop{Stop: 1}) || m.Lesson.Learning.Answers[2].Option != 1 {
		t.Errorf("the page sends %+v, and has the answers %+v", q, m.Lesson.Learning.Answers)
	}
	// Something else that is opened ends the lesson.
	if act(m, "script", "01-delta-fifo-alone", ""); m.Lesson.Learning != nil || m.Front.Tab == desk.Lesson {
		t.Error("a script leaves the lesson open")
	}
}

// The viewer can have it forgotten what was read.
func TestWhatWasReadIsForgotten(t *testing.T) {
	m := reading()
	m.Lesson.Read = lesson.Read{"keys": {Read: 3, Stops: 8}}
	cmds := m.Update(Acted{Act: "forgetLessons"})
	if len(m.Lesson.Read) != 0 || len(m.Lesson.Learning.Answers) != 0 || !reflect.DeepEqual(cmds, []Cmd{desk.StoreSetting{Name: "lessons"}, desk.StoreSetting{Name: "last"}}) {
		t.Errorf("after forgetting, the lessons read are %v, and the commands are %+v", m.Lesson.Read, cmds)
	}
}

// The page's first lesson is the course's.
func TestTheFirstLesson(t *testing.T) {
	for _, l := range Languages {
		text, err := os.ReadFile("../../web/lessons/" + l.Code + "/course.md")
		if err != nil {
			t.Fatal(err)
		}
		c, err := course.ParseCourse(string(text))
		if err != nil || c.Chapters[0].Lessons[0] != lesson.First {
			t.Errorf("%s: %v begins with %v", l.Code, err, c)
		}
	}
}

// The lesson beside which a faulty text is mended is one itself. Without a faulty text nothing is mended.
func TestMendingBeginsWithALesson(t *testing.T) {
	l, err := course.Parse(navigation.Blank)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&course.Player{Lesson: l}).Check(func(script.Entry) {}); err != nil || len(l.Stops()) == 0 {
		t.Errorf("the lesson has the stops %v, and its check says %v", l.Stops(), err)
	}
	m := reading()
	why := navigation.Failure("fail.openLesson")
	if cmds := m.Update(Replied{&link.Reply{News: why}}); len(sent(cmds)) != 0 {
		t.Errorf("without a text the page sends %+v", sent(cmds))
	}
	why.Draft = "---\n# Mine\n"
	cmds := m.Update(Replied{&link.Reply{News: why}})
	if q := sent(cmds); len(q) != 1 || q[0].Op.(link.Open).Text != navigation.Blank || m.Nav.Goal.Draft != why.Draft || m.Nav.Notice.Sentence.ID != why.Sentence.ID {
		t.Errorf("the page sends %+v", q)
	}
}

// Check judges nothing before the first act. Who leaves an exercise unsolved is asked once, and what is solved at a later
// stop counts.
func TestAnExerciseIsSolvedLater(t *testing.T) {
	m := reading()
	l := m.Lesson.Learning
	l.Parts, l.Stops = append(l.Parts, link.LessonPart{Kind: link.PartScript}, link.LessonPart{Kind: link.PartParagraph}), append(l.Stops, 8)
	replied(m, link.Reply{News: &link.Stopped{Stop: 1}})
	if q := act(m, "check", "", ""); len(q) != 0 {
		t.Errorf("before the first act Check sends %+v", q)
	}
	if q := act(m, "nextStop", "", ""); len(q) != 0 || m.Lesson.Learning.Prompted == 0 {
		t.Errorf("Next leaves the exercise with %+v", q)
	}
	next := act(m, "nextStop", "", "")
	if len(next) != 1 || next[0].Op != link.Op(link.GoStop{Stop: 2, Play: true}) {
		t.Fatalf("Next, once more, sends %+v", next)
	}
	replied(m, link.Reply{ID: next[0].ID, News: &link.Stopped{Stop: 2}})
	replied(m, link.Reply{ID: next[0].ID, News: &link.Frame{Step: 6, Steps: 9}})
	replied(m, link.Reply{News: &link.Lanes{List: []link.Lane{{}, {}}, Shown: 1}})
	q := sent(replied(m, link.Reply{News: &link.Frame{Step: 7, Steps: 9}}))
	if len(q) != 1 || q[0].Op != link.Op(link.CheckExercise{Part: 5}) {
		t.Errorf("at a later stop the page sends %+v", q)
	}
}
