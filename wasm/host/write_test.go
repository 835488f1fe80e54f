package host

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

func writtenOf(r *link.Reply) *link.Written { return news[*link.Written](r) }

// A lesson is edited while the stage shows the moment of the line that is written. What is wrong is
// told with its line, and the lesson stays what it was. It is saved as it was written.
func TestALessonIsRewritten(t *testing.T) {
	p := newPage(t)
	openLesson(t, p, smallLesson)
	if w := last(p.ask(link.ReadText{}, nil), writtenOf); w == nil || w.Text != smallLesson {
		t.Fatal("the text isn't the lesson's")
	}
	lineOf := func(text, what string) int {
		before, _, found := strings.Cut(text, what)
		if !found {
			t.Fatalf("no %q", what)
		}
		return strings.Count(before, "\n") + 1
	}
	write := func(text, at string, check bool) (*link.Written, *link.Frame) {
		got := p.ask(link.Rewrite{Text: text, Line: lineOf(text, at), Check: check}, nil)
		return last(got, writtenOf), last(got, frameOf)
	}
	longer := strings.Replace(smallLesson, "queue update default/web\n", "queue update default/web\nqueue add default/db\n", 1)
	w, f := write(longer, "What does Pop return", false)
	if w == nil || w.Reason != nil || w.Checked || f == nil || f.Queue.Depth != 2 {
		t.Fatalf("%+v, on the stage %+v", w, f)
	}
	l := last(p.replies, lessonOf)
	if l.Stop != 1 || len(l.Stops) != 5 {
		t.Errorf("it stands at stop %d of %d", l.Stop, len(l.Stops))
	}

	for _, c := range []struct{ old, new, at, why string }{
		{"queue pop", "queue hop", "queue hop", ""},
		{"expect store [default/web@2]", "expect store []", "expect store []", "unmet"},
		{"```question\nreturned\n", "```question\n", "```question", ""},
		{"minutes: 5\n", "minutes: 5\ntrace: other.jsonl\n", "trace:", "otherTrace"},
	} {
		wrong := strings.Replace(longer, c.old, c.new, 1)
		w, f := write(wrong, c.at, false)
		if w == nil || w.Reason == nil || f != nil || !strings.Contains(inWords(w.Reason), c.why) {
			t.Errorf("of %q it is said: %+v, %+v", c.new, w, f)
		} else if at := lineOf(wrong, c.at); c.why != "otherTrace" && (w.Line < at || w.Line > at+1) {
			t.Errorf("%q is in line %d, and is said to be in line %d", c.new, at, w.Line)
		}
	}
	if f := p.frame(link.Fit{Window: picture.DefaultWindow}); f.Queue.Depth != 2 {
		t.Error("the lesson isn't what it was before the error")
	}

	if w, _ := write(longer, "One key", true); !w.Checked || w.Reason != nil {
		t.Errorf("all of it is checked: %+v", w)
	}
	wrong := strings.Replace(longer, "- [Added default/web@1, Updated default/web@2]", "- []", 1)
	if w, f := write(wrong, "One key", true); w.Reason == nil || w.Line != lineOf(wrong, "```question") && w.Line != lineOf(wrong, "returned") || f == nil {
		t.Errorf("a question without a right option: %+v", w)
	}
	if got := p.linked(); got.Text != wrong {
		t.Error("the link doesn't hold the text")
	}
}
