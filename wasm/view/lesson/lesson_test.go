package lesson

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// What keeps an exercise from being checked is said in Chinese, too.
func TestExerciseErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	_, err := script.Parse("# a\n# b\ntakes h")
	n := exercise(w, &learn.Learning{Solved: map[int]link.Checked{0: {Why: link.Fault(err)}}}, link.LessonPart{}, 0, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 8 列：缺少：时长或 forever") {
		t.Errorf("the exercise says %q", got)
	}
}
