package lesson

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Aloud returns what a screen reader says when the reader goes on in a lesson: the text of the stop. A
// question is a part of that text.
func Aloud(w *words.Words, m *learn.Model) *tree.Node {
	said := ""
	if l := m.Learning; l != nil && m.Writing == nil {
		from, to := l.Range(l.Stop)
		for _, x := range l.Parts[from:to] {
			said += plain(x.Text) + " "
			for _, item := range x.Items {
				if x.Kind == link.PartList {
					said += plain(item) + " "
				}
			}
		}
	}
	return tree.Text("p", "visually-hidden", said).Attr("aria-live", "polite").Attr("aria-atomic", "true").Key("aloud")
}

// Skip returns a button that only a keyboard finds. It leads past the stage to where the lesson goes on.
func Skip(w *words.Words, m *learn.Model) *tree.Node {
	if m.Learning == nil || m.Writing != nil || m.Handout != nil {
		return nil
	}
	return tree.Text("button", "button skip visually-hidden", w.T("ui.lesson.skip")).Attr("type", "button").Attr("data-skip", "").Key("skip")
}

// plain returns a text without its marks.
func plain(spans []link.Span) (text string) {
	for _, s := range spans {
		text += s.Text
	}
	return text
}
