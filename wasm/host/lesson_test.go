package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

func lessonOf(r *link.Reply) *link.Lesson   { return news[*link.Lesson](r) }
func stoppedOf(r *link.Reply) *link.Stopped { return news[*link.Stopped](r) }
func judgedOf(r *link.Reply) *link.Judged   { return news[*link.Judged](r) }
func checkedOf(r *link.Reply) *link.Checked { return news[*link.Checked](r) }

// small is a lesson with every kind of block.
const smallLesson = `---
minutes: 5
stations: queue loop store
---

# Two updates

One key.

A pod waits.

` + "```script\nprofile classic\ninformer pods\nqueue add default/web\nqueue update default/web\n```" + `

What does Pop return?

` + "```question\nreturned\n- [Updated default/web@2]\n- [Added default/web@1, Updated default/web@2]\n```" + `

` + "```script popped\nqueue pop\nexpect store [default/web@2]\n```" + `

Both. Now with a handler.

` + "```script\nprofile classic\ninformer pods\nhandler audit takes=20ms\nexists pod a/x\ncreate pod a/y\nrun\n```" + `

Make it slower.

` + "```control\nhandler audit takes={0s 20ms 1s}\n```" + `

` + "```compare\nprofile current\nexpect calls audit 2\n```" + `

` + "```exercise\nexpect store [a/x@1]\n```" + `

> [!TIP]
> Delete it.

` + "```solution\ndelete pod a/y\nrun\n```" + `

That is all.
`

func openLesson(t *testing.T, p *page, text string) *link.Lesson {
	t.Helper()
	p.ask(link.Open{Name: "small.md"}, asFile(text))
	if trace, ok := p.site.(*file); ok {
		p.pump(trace)
	}
	l := last(p.replies, lessonOf)
	if l == nil || last(p.replies, frameOf) == nil {
		t.Fatalf("the lesson isn't open: %s", p.failures())
	}
	return l
}

// part is the number of a lesson's first part of a kind.
func part(t *testing.T, l *link.Lesson, kind link.PartKind) int {
	t.Helper()
	for i, x := range l.Parts {
		if x.Kind == kind {
			return int(i)
		}
	}
	t.Fatalf("the lesson has no %s", kind)
	return 0
}

// Text and machine move together, forwards by playing and back at once.
func TestLessonsMoveTheMachine(t *testing.T) {
	p := newPage(t)
	l := openLesson(t, p, smallLesson)
	if l.Name != "small" || l.Title != "Two updates" || l.Minutes != 5 || len(l.Stops) != 5 || l.Stop != 0 {
		t.Fatalf("the lesson is %+v", l)
	}
	got := p.ask(link.GoStop{Stop: 1, Play: true}, nil)
	s, f := last(got, stoppedOf), last(got, frameOf)
	if s == nil || s.Stop != 1 || s.Until == 0 || f.Step != 0 {
		t.Fatalf("the lesson stands at %+v, and the machine at step %d", s, f.Step)
	}
	if f = p.frame(link.Seek{Step: s.Until}); f.Queue.Depth != 1 || f.Store.Objects != 0 {
		t.Errorf("at the first moment the queue is %+v", f.Queue)
	}
	s = last(p.ask(link.GoStop{Stop: 2, Play: true}, nil), stoppedOf)
	if f = p.frame(link.Seek{Step: s.Until}); f.Store.Objects != 1 {
		t.Errorf("after Pop the store is %+v", f.Store)
	}
	// Another scene is another machine, and begins with nothing.
	got = p.ask(link.GoStop{Stop: 3, Play: true}, nil)
	s, f = last(got, stoppedOf), last(got, frameOf)
	if f.Step != 0 || s.Until < 10 || len(f.Processor.Listeners) != 1 {
		t.Errorf("the next scene stands at %+v, and its frame is %+v", s, f)
	}
	got = p.ask(link.GoStop{Stop: 1}, nil)
	if s, f = last(got, stoppedOf), last(got, frameOf); s.Until != 0 || f.Queue.Depth != 1 || len(f.Processor.Listeners) != 0 {
		t.Errorf("back at the stop before, the lesson stands at %+v, and the queue is %+v", s, f.Queue)
	}
	if f := last(p.ask(link.GoStop{Stop: 9}, nil), failureOf); f == nil {
		t.Error("there is a tenth stop")
	}
}

// The machine judges: answers, controls, other versions and exercises.
func TestLessonsAskTheMachine(t *testing.T) {
	p := newPage(t)
	l := openLesson(t, p, smallLesson)
	p.ask(link.GoStop{Stop: 1}, nil)
	j := last(p.ask(link.AskAnswer{Part: part(t, l, link.PartQuestion)}, nil), judgedOf)
	if j == nil || j.Option != 1 || !strings.Contains(j.Answer, "Updated default/web@2") {
		t.Errorf("the machine's answer is %+v", j)
	}
	f := last(p.ask(link.GoStop{Stop: 3}, nil), frameOf)
	slow := f.Time
	c := part(t, l, link.PartControl)
	if got := l.Parts[c].Controls[0]; got.Chosen != 1 || len(got.Choices) != 3 {
		t.Fatalf("the control is %+v", got)
	}
	got := p.ask(link.Turn{Part: c, Choice: 2}, nil)
	if l, f = last(got, lessonOf), last(got, frameOf); l.Parts[c].Controls[0].Chosen != 2 || f.Time < slow+1e9 {
		t.Errorf("with 1s the moment is at %v, and was at %v", f.Time, slow)
	}
	x := part(t, l, link.PartCompare)
	got = p.ask(link.CompareVersions{Part: x}, nil)
	if s, o, f := last(got, stoppedOf), last(got, openedOf), last(got, frameOf); s == nil || s.Compared != int(x) || o.Setup.Profile != "current" || f.Queue.Kind == link.DeltaFIFO {
		t.Errorf("in the other version the lesson stands at %+v, and the trace is %+v", s, o)
	}
	p.ask(link.GoStop{Stop: 3}, nil)
	e := part(t, l, link.PartExercise)
	if c := last(p.ask(link.CheckExercise{Part: e}, nil), checkedOf); c == nil || c.Solved || c.Reason != nil {
		t.Errorf("before the solution, the check says %+v", c)
	}
	got = p.ask(link.Solve{Part: part(t, l, link.PartSolution)}, nil)
	if lanes := last(got, lanesOf); lanes == nil || len(lanes.List) != 2 || lanes.Shown != 1 {
		t.Errorf("the solution is on the lanes %+v, with the failures %s", lanes, p.failures())
	}
	if c := last(p.ask(link.CheckExercise{Part: e}, nil), checkedOf); !c.Solved {
		t.Errorf("after the solution, the check says %+v", c)
	}
	if lanes := last(p.ask(link.GoStop{Stop: 3}, nil), lanesOf); lanes == nil || lanes.Shown != 0 {
		t.Errorf("back to the lesson shows %+v", lanes)
	}
}

// At an exercise, a line that it forbids is not played, and the rule is said.
func TestAnExerciseRefusesLines(t *testing.T) {
	p := newPage(t)
	text := strings.Replace(smallLesson, "expect store [a/x@1]\n```", "expect store [a/x@1]\nforbid update drop\n> Only delete.\n```", 1)
	l := openLesson(t, p, text)
	p.ask(link.GoStop{Stop: stopOf(l, part(t, l, link.PartExercise))}, nil)
	got := p.ask(link.PlayLine{Line: "update pod a/y"}, nil)
	c := last(got, consoleOf)
	if c == nil || c.Failure == nil || c.Failure.Text != "update pod a/y" || c.Failure.Reason.ID != "error.lineRefused" || c.Failure.Reason.Args["rule"].V != "Only delete." || last(got, lanesOf) != nil {
		t.Errorf("a line that is forbidden is answered with %+v", c)
	}
	if c := last(p.ask(link.PlayLine{Line: "delete pod a/y"}, nil), consoleOf); c == nil || c.Failure != nil {
		t.Errorf("a line that is allowed is answered with %+v", c)
	}
	p.ask(link.GoStop{}, nil)
	if c := last(p.ask(link.PlayLine{Line: "update pod a/y"}, nil), consoleOf); c == nil || c.Failure != nil && c.Failure.Reason.ID == "error.lineRefused" {
		t.Errorf("before the exercise the line is answered with %+v", c)
	}
}

// A lesson opens with the values that were chosen in its controls before. It passes over lines
// that none of its controls makes.
func TestALessonOpensWithChosenValues(t *testing.T) {
	at := func(chosen ...string) (control link.Control, time int64) {
		p := newPage(t)
		p.ask(link.Open{Name: "small.md", Chosen: chosen}, asFile(smallLesson))
		l := last(p.replies, lessonOf)
		control = l.Parts[part(t, l, link.PartControl)].Controls[0]
		return control, last(p.ask(link.GoStop{Stop: 3}, nil), frameOf).Time
	}
	usual, soon := at()
	usual.Chosen = 2
	chosen, late := at("no such line", usual.Line())
	if chosen.Chosen != 2 || chosen.Usual != 1 || late < soon+1e9 {
		t.Errorf("with %q the lesson has %+v, and its moment is at %v, not after %v", usual.Line(), chosen, late, soon)
	}
	if other, same := at("no such line"); other.Chosen != 1 || same != soon {
		t.Errorf("with another line the lesson has %+v, and its moment is at %v, want %v", other, same, soon)
	}
}

// What is wrong with a lesson is said with its line.
func TestAWrongLesson(t *testing.T) {
	p := newPage(t)
	got := p.ask(link.Open{Name: "bad.md"}, asFile(strings.Replace(smallLesson, "queue pop", "queue jump", 1)))
	if f := last(got, failureOf); f == nil || f.Sentence.ID != "fail.openLesson" || !strings.Contains(inWords(f.Reason), " 28 (") {
		t.Errorf("a wrong lesson fails with %+v", f)
	}
	got = p.ask(link.Open{Name: "notes.md"}, asFile("# Notes\n\nWhat I think of informers.\n"))
	if f := last(got, failureOf); f == nil || f.Sentence.ID != "fail.openLesson" || !strings.Contains(inWords(f.Reason), "lessonBegins") {
		t.Errorf("a text that is no lesson fails with %+v", f)
	}
}

// Every lesson of the course can be read to its end, in each language, and each
// question has its answer among the options.
func TestEveryLesson(t *testing.T) {
	files, err := filepath.Glob("../../web/lessons/*/*.md")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for i, name := range files {
		if testing.Short() && i%11 > 0 && filepath.Base(name) != "course.md" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := newPage(t)
		if filepath.Base(name) == "course.md" {
			p.site = asFile(string(text))
			p.h.Handle((&link.Request{ID: 1, Op: link.ReadCourse{URL: name}}).Encode(), nil)
			p.pump(p.site.(*file))
			if c := news[*link.Course](p.replies[len(p.replies)-1]); c == nil || len(c.Chapters) < 4 || len(c.Paths) < 2 || c.Paths[1].Title == "" || c.Paths[1].Lessons[1].Minutes == 0 {
				t.Errorf("%s: the course is %+v, %s", name, c, p.failures())
			}
			continue
		}
		if l, err := lesson.Parse(string(text)); err == nil && l.Trace != "" {
			b, err := os.ReadFile("../../web/lessons/traces/" + l.Trace)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(l.Trace, ".gz") {
				b = unzip(t, b)
			}
			p.site = &file{data: b, piece: 1 << 16}
		}
		l := openLesson(t, p, string(text))
		for stop := range l.Stops {
			got := p.ask(link.GoStop{Stop: stop, Play: true}, nil)
			if s := last(got, stoppedOf); s == nil || s.Stop != stop {
				t.Fatalf("%s, stop %d: %s", name, stop, p.failures())
			}
		}
		for i, x := range l.Parts {
			if x.Kind == link.PartSolution {
				p.ask(link.GoStop{Stop: stopOf(l, i)}, nil)
				p.ask(link.Solve{Part: i}, nil)
				for e := i; e >= 0; e-- {
					if l.Parts[e].Kind != link.PartExercise {
						continue
					}
					if c := last(p.ask(link.CheckExercise{Part: e}, nil), checkedOf); c == nil || !c.Solved {
						t.Errorf("%s: the solution in part %d does not solve part %d: %+v, %s", name, i, e, c, p.failures())
					}
					break
				}
			}
			if x.Kind == link.PartQuestion {
				if j := last(p.ask(link.AskAnswer{Part: i}, nil), judgedOf); j == nil || j.Option < 0 {
					t.Errorf("%s: the answer to the question in part %d is %+v, with the failures %s", name, i, j, p.failures())
				}
			}
		}
	}
}

// stopOf is the stop of a part.
func stopOf(l *link.Lesson, part int) (stop int) {
	for k, first := range l.Stops {
		if first <= part {
			stop = k
		}
	}
	return stop
}

// Another version is shown at the same moment. What the lesson plays on there lies ahead.
func TestAnotherVersionIsShownAtTheMoment(t *testing.T) {
	text, err := os.ReadFile("../../web/lessons/en/ghost.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t)
	l := openLesson(t, p, string(text))
	x := part(t, l, link.PartCompare)
	p.ask(link.GoStop{Stop: stopOf(l, x)}, nil)
	f := last(p.ask(link.CompareVersions{Part: x}, nil), frameOf)
	if f == nil || f.Queue.Rows[0].Key != "default/ghost" || len(f.Queue.Rows[0].Deltas) != 2 || f.Step >= f.Steps {
		t.Errorf("the other version is shown at step %d of %d, with the queue %+v", f.Step, f.Steps, f.Queue.Rows)
	}
}

// A stop whose proofs are about a process shows that one, and what is about the first process shows the first.
func TestTheProcessIsShownThatTheTextIsAbout(t *testing.T) {
	text, err := os.ReadFile("../../web/lessons/en/warm-up.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t)
	l := openLesson(t, p, string(text))
	o := last(p.replies, openedOf)
	var shown []string
	for stop := range l.Stops {
		if x := last(p.ask(link.GoStop{Stop: stop}, nil), openedOf); x != nil {
			o = x
		}
		shown = append(shown, o.Informers[o.Informer].Name)
	}
	if got, want := strings.Join(shown, " "), "shops b/shops b/shops b/shops b/shops shops shops b/shops b/shops"; got != want {
		t.Errorf("the stops show %s, and not %s", got, want)
	}
}
