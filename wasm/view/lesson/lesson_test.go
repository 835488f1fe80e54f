package lesson

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
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
	n := exercise(w, &learn.Learning{Solved: map[int]link.Checked{0: {Why: link.Fault(err)}}}, link.LessonPart{}, 0, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 8 列：缺少：时长或 forever") {
		t.Errorf("the exercise says %q", got)
	}
}
