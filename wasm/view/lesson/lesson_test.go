package lesson

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
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

// What keeps an exercise from being checked is said in Chinese, too.
func TestExerciseErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	_, err := script.Parse("# a\n# b\ntakes h")
	n := exercise(w, &learn.Learning{Solved: map[int]link.Checked{0: {Why: link.Fault(err)}}}, link.LessonPart{}, 0, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 8 列：缺少：时长或 forever") {
		t.Errorf("the exercise says %q", got)
	}
}
