package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Aloud is what a screen reader says when the reader goes on in a lesson: the text of the stop. A
// question is a part of that text.
func Aloud(w *words.Words, m *learn.Model) *tree.Node {
	var said []string
	if l := m.Learning; l != nil && m.Writing == nil {
		from, to := l.Range(l.Stop)
		for i := from; i < to; i++ {
			switch x := l.Parts[i]; x.Kind {
			case lesson.Heading.String(), lesson.Paragraph.String():
				said = append(said, plain(x.Text))
			case lesson.List.String():
				for _, item := range x.Items {
					said = append(said, plain(item))
				}
			case lesson.Exercise.String():
				said = append(said, w.T("ui.lesson.exercise"))
			}
		}
	}
	return tree.Text("p", "visually-hidden", strings.Join(said, " ")).Attr("aria-live", "polite").Attr("aria-atomic", "true").Key("aloud")
}

// Skip is a button that only a keyboard finds. It leads past the stage to where the lesson goes on.
func Skip(w *words.Words, m *learn.Model) *tree.Node {
	if m.Learning == nil || m.Writing != nil || m.Handout != nil {
		return nil
	}
	return tree.Text("button", "button skip visually-hidden", w.T("ui.lesson.skip")).Attr("type", "button").Attr("data-skip", "").Key("skip")
}

// plain is a text without its marks.
func plain(spans []link.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
