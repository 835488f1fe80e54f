package lesson

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// A question says what is measured, and whoever has chosen a wrong option reads why it is wrong.
func TestAWrongOptionIsExplained(t *testing.T) {
	text := func(s string) []link.Span { return []link.Span{{Text: s}} }
	l := &learn.Learning{Lesson: &link.Lesson{Stops: []int{0}, Parts: []link.LessonPart{{
		Kind: "question", Asks: text("lists"), Options: []string{"0", "1", "2"}, Notes: [][]link.Span{nil, text("A resync asks for none."), nil},
	}}}}
	r := &reading{w: viewtest.Speaking(viewtest.Catalogue(t, "en")), m: &learn.Model{Learning: l}}
	for _, want := range []struct {
		option  int
		explain bool
	}{{1, true}, {2, false}, {0, false}, {-1, false}} {
		l.Answers = map[int]learn.Guess{0: {Option: want.option, Judged: &link.Judged{Answer: "0"}}}
		got := r.question(0, true).TextContent()
		if !strings.HasPrefix(got, "lists") || strings.Contains(got, "A resync asks for none.") != want.explain {
			t.Errorf("option %d is answered by %q", want.option, got)
		}
	}
}

// Nothing that a stop tells is shown before the machine has come there. Its script is one line of words. The lines of script stand
// behind it, and open by themselves only where the reader is to type some; on paper there are none.
func TestTheTextComesWithTheMachine(t *testing.T) {
	text := func(s string) []link.Span { return []link.Span{{Text: s}} }
	l := &learn.Learning{Lesson: &link.Lesson{Stops: []int{0}, Parts: []link.LessonPart{
		{Kind: link.PartHeading, Text: text("Heading. ")},
		{Kind: link.PartScript, Lines: []string{"profile classic", "run", "expect queue []"}, Sentences: []link.Sentence{{ID: "line.run"}}},
		{Kind: link.PartParagraph, Text: text("Told. ")},
		{Kind: link.PartList, Items: [][]link.Span{text("Item. ")}},
		{Kind: link.PartQuestion, Asks: text("asked"), Options: []string{"0", "1"}},
	}}}
	r := &reading{w: viewtest.Speaking(viewtest.Catalogue(t, "en")), m: &learn.Model{Learning: l}, asks: true}
	says := capital(r.w.T("line.run"))
	script := func(n *tree.Node) (lines string, open bool) {
		n.Find(func(n *tree.Node) bool {
			if n.HasClass("lesson-script") {
				_, open = n.Value("open")
				_, lines, _ = strings.Cut(n.TextContent(), says)
			}
			return false
		})
		return lines, open
	}
	l.Coming = true
	if got := r.stop(0).TextContent(); !strings.HasPrefix(got, "Heading. ") || strings.Contains(got, "Told.") || strings.Contains(got, "Item.") || strings.Contains(got, "asked") {
		t.Errorf("on its way the machine is told of by %q", got)
	}
	l.Coming = false
	if got := r.stop(0).TextContent(); !strings.Contains(got, "Told. Item. asked") {
		t.Errorf("when the machine has come, %q is told", got)
	}
	if lines, open := script(r.stop(0)); lines != "profile classic\nrun" || open {
		t.Errorf("the script is %q, open %t", lines, open)
	}
	l.Parts = append(l.Parts, link.LessonPart{Kind: link.PartExercise})
	if _, open := script(r.stop(0)); !open {
		t.Error("who is to type lines doesn't see those before")
	}
	r.asks = false
	if lines, _ := script(r.stop(0)); lines != "" {
		t.Errorf("on paper the script is %q", lines)
	}
}

// A browser may end a line behind any button, so the comma behind a word or a link stands in one piece with it, and nothing of
// the text is lost.
func TestNoLineBeginsWithAComma(t *testing.T) {
	r := &reading{m: &learn.Model{Learning: &learn.Learning{Lesson: &link.Lesson{}}}, asks: true}
	p := r.paragraph(0, "", []link.Span{
		{Text: "The "}, {Kind: link.SpanWord, Text: "reflector", Link: "0"}, {Text: ", and "}, {Kind: link.SpanLink, Text: "a list", Link: "gone"}, {Text: "."},
		{Kind: link.SpanWord, Text: "队列", Link: "0"}, {Text: "。然后 "}, {Kind: link.SpanLink, Text: "there", Link: "https://github.com/a"}, {Text: ", too."},
	})
	if got := p.TextContent(); got != "The reflector, and a list.队列。然后 there, too." {
		t.Errorf("the paragraph says %q", got)
	}
	var held []string
	p.Find(func(n *tree.Node) bool {
		if n.HasClass("held") {
			held = append(held, n.TextContent())
		}
		return false
	})
	if got := strings.Join(held, "|"); got != "reflector,|a list.|队列。" {
		t.Errorf("in one piece are %s", got)
	}
}

// One button seeks the schedule in which a wrong option would be right, ends the search, and leads back. What was found is
// said, with the bounds of the search.
func TestAScheduleIsOffered(t *testing.T) {
	l := &learn.Learning{Lesson: &link.Lesson{Stops: []int{0}, Parts: []link.LessonPart{{Kind: "question", Options: []string{"0", "1"}, Cans: []string{"can synced()", ""}}}}}
	r := &reading{w: viewtest.Speaking(viewtest.Catalogue(t, "en")), m: &learn.Model{Learning: l}}
	for _, try := range []struct {
		option    int
		sought    *link.Explored
		away, now bool
		want      string
	}{
		{0, nil, false, true, "schedule|Show a schedule in which it would be right"},
		{0, nil, false, false, ""},
		{1, nil, false, true, ""},
		{-1, nil, false, true, ""},
		{0, &link.Explored{States: 1200}, false, true, "enough|StopExploring: 1\u202f200 states"},
		{0, &link.Explored{Done: true, States: 34, Found: link.FoundYes}, true, true, "backToLesson|Back to the lessonIn this schedule it is right. 34 states were tried."},
		{0, &link.Explored{Done: true, States: 34, Found: link.FoundYes}, false, true, "schedule|Show a schedule in which it would be right"},
		{0, &link.Explored{Done: true, States: 1}, false, true, "schedule|Show a schedule in which it would be right"},
		{0, &link.Explored{Done: true, States: 1, Found: link.FoundNo}, false, true, "|There is no such schedule: it is right in none of the 1 state that can be reached if no goroutine is held up for more than 100 ms."},
		{0, &link.Explored{Done: true, States: 9, Found: link.FoundTime}, false, true, "|There is no such schedule within the next 15 minutes: it is right in none of the 9 states that can be reached if no goroutine is held up for more than 100 ms."},
		{0, &link.Explored{Done: true, States: 9, Found: link.FoundSteps}, false, true, "|No such schedule was found. The search tried 9 states, and met its bound of 2000 steps in a row."},
		{0, &link.Explored{Done: true, States: lesson.Bounds.States, Found: link.FoundStates}, false, true, "|No such schedule was found. The search met its bound of 300\u202f000 states."},
	} {
		l.Answers, r.m.Sought, r.diverged = map[int]learn.Guess{0: {Option: try.option, Judged: &link.Judged{Option: 1, Answer: "1"}}}, try.sought, try.away
		got := ""
		r.question(0, try.now).Find(func(n *tree.Node) bool {
			if n.HasClass("lesson-schedule") {
				got = "|" + n.TextContent()
			}
			if act, _ := n.Value("data-act"); got != "" && act != "" {
				got = act + got
			}
			return false
		})
		if got != try.want {
			t.Errorf("option %d and %+v show %q, want %q", try.option, try.sought, got, try.want)
		}
	}
	if b := lesson.Bounds; b.Depth != 2000 || b.Patience != 0 || b.Clock != 0 {
		t.Errorf("the texts name other bounds than %+v", b)
	}
}

// The list of lessons tells how long each takes, each chapter and all of them, and can be searched by
// words of a title, in any order and case. A lesson keeps its number.
func TestTheListOfLessonsIsSearched(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	m := &learn.Model{Course: &link.Course{Chapters: []link.Chapter{
		{Title: "Queues", Lessons: []link.LessonName{{Name: "a", Title: "The slow handler", Minutes: 6}, {Name: "b", Title: "What is a key?", Minutes: 5}}},
		{Title: "Mistakes", Lessons: []link.LessonName{{Name: "c", Title: "A handler that panics", Minutes: 9}}},
	}}}
	for _, try := range []struct{ find, want string }{
		{"", "3 lessons, 20 min|Queues11 min|1The slow handler6 min|2What is a key?5 min|Mistakes9 min|3A handler that panics9 min"},
		{"HANDLER", "2 lessons, 15 min|Queues6 min|1The slow handler6 min|Mistakes9 min|3A handler that panics9 min"},
		{"panics handler", "1 lesson, 9 min|Mistakes9 min|3A handler that panics9 min"},
		{"queues key", "1 lesson, 5 min|Queues5 min|2What is a key?5 min"},
		{"etcd", w.T("ui.course.none")},
	} {
		m.Find = try.find
		var got []string
		Course(w, m)[0].Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); n.TextContent() != "" && (act == "lesson" || n.HasClass("quiet") || n.HasClass("course-chapter")) {
				got = append(got, n.TextContent())
			}
			return false
		})
		if s := strings.Join(got, "|"); s != try.want {
			t.Errorf("with %q the list is\n%s\nwant\n%s", try.find, s, try.want)
		}
	}
}

// What keeps an exercise from being checked is said in Chinese, too.
func TestExerciseErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	_, err := script.Parse("# a\n# b\ntakes h")
	n := (&reading{w: w, m: &learn.Model{Learning: &learn.Learning{Solved: map[int]link.Checked{0: {Reason: link.Fault(err)}}}}}).exercise(link.LessonPart{}, 0, false, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 8 列：缺少：时长或 forever") {
		t.Errorf("the exercise says %q", got)
	}
}
