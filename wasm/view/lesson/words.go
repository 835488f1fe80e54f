package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// paragraph returns the text of part i of the lesson, or of its summary for -1. Its words of the glossary can be looked up, and
// what one means stands below it.
func (r *reading) paragraph(i int, class string, text []link.Span) *tree.Node {
	if !r.asks {
		return prose("p", class, text)
	}
	n := tree.El("p", class)
	for k, s := range text {
		if s.Kind != link.SpanWord && s.Kind != link.SpanWordCode {
			prosaic(n, text[k:k+1])
			continue
		}
		at := strconv.Itoa(i) + "." + s.Link
		tag := "span"
		if s.Kind == link.SpanWordCode {
			tag = "code"
		}
		n.Add(tree.El("button", "word", tree.Text(tag, "", s.Text)).Attr("type", "button").Act("word", at).Is("aria-expanded", r.m.Word == at))
	}
	w := r.m.GlossaryWord(i)
	if w == nil {
		return n
	}
	says := tree.El("p", "word-says").Attr("role", "note")
	for k, term := range w.Terms {
		if k > 0 {
			says.Add(tree.Text("span", "", ", "))
		}
		says.Add(tree.Text("strong", "", term.Text))
	}
	return tree.El("div", "looked-up", n, prosaic(says.Add(tree.Text("span", "", ": ")), w.Meaning))
}

// reading is a lesson as its reader has it.
type reading struct {
	w        *words.Words
	m        *learn.Model
	trace    *link.Opened // what is open, or nil
	diverged bool         // the reader has left the lesson's own future
	noticed  *tree.Node   // who has noticed what the reader has broken, nil for nothing
	line     *tree.Node   // where lines of script are typed, for an exercise
	asks     bool         // words can be looked up
}

// prose returns a text with its code, its emphasis and its links. All of it is text.
func prose(tag, class string, spans []link.Span) *tree.Node {
	return prosaic(tree.El(tag, class), spans)
}

// prosaic adds a text to n.
func prosaic(n *tree.Node, spans []link.Span) *tree.Node {
	for _, s := range spans {
		switch s.Kind {
		case link.SpanCode, link.SpanWordCode:
			n.Add(tree.Text("code", "", s.Text))
		case link.SpanEm:
			n.Add(tree.Text("em", "", s.Text))
		case link.SpanStrong:
			n.Add(tree.Text("strong", "", s.Text))
		case link.SpanLink:
			if strings.HasPrefix(s.Link, "https://github.com/") {
				n.Add(outside(s.Link).Add(tree.Text("span", "", s.Text)))
			} else {
				n.Add(tree.Text("button", "inline-link", s.Text).Attr("type", "button").Act("lesson", s.Link))
			}
		default:
			n.Add(tree.Text("span", "", s.Text))
		}
	}
	return n
}

// outside returns a link that leads away from the page, to a tab of its own.
func outside(address string) *tree.Node {
	return tree.El("a", "").Attr("href", address).Attr("target", "_blank").Attr("rel", "noopener noreferrer")
}

// Aloud returns what a screen reader says when the reader goes on in a lesson: the text of the stop, as soon as the machine
// has come there. A question is a part of that text.
func Aloud(w *words.Words, m *learn.Model) *tree.Node {
	said := ""
	if l := m.Learning; l != nil && m.Writing == nil && !l.Coming {
		from, to := l.Range(l.Stop)
		for _, x := range l.Parts[from:to] {
			said += plain(x.Text)
			if x.Kind == link.PartHeading {
				said += "."
			}
			said += " "
			for _, item := range x.Items {
				if x.Kind == link.PartList {
					said += plain(item) + " "
				}
			}
		}
	}
	return tree.Text("p", "visually-hidden", said).Attr("aria-live", "polite").Attr("aria-atomic", "true").Key("aloud")
}

// Skip returns a button that only a keyboard finds. It leads past header and stage to where a lesson goes on, or past the
// header alone.
func Skip(w *words.Words, m *learn.Model) *tree.Node {
	says, to := "ui.skip", "main"
	if m.Learning != nil && m.Writing == nil && m.Handout == nil {
		says, to = "ui.lesson.skip", "[data-goes-on=true]"
	}
	return tree.Text("button", "button skip visually-hidden", w.T(says)).Attr("type", "button").Attr("data-skip", to).Key("skip")
}

// plain returns a text without its marks.
func plain(spans []link.Span) (text string) {
	for _, s := range spans {
		text += s.Text
	}
	return text
}
