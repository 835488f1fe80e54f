package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// paragraph returns the text of part i of the lesson, or of its summary for -1. Its words of the glossary can be looked up, and
// what one means stands below it.
func (r *reading) paragraph(i int, class string, text []link.Span) *tree.Node {
	if !r.asks {
		return prose("p", class, text)
	}
	n := inline(tree.El("p", class), text, func(s link.Span, says *tree.Node) *tree.Node {
		at := strconv.Itoa(i) + "." + s.Link
		return widget.Action("word", "word", at, says).Is("aria-expanded", r.m.Word == at)
	})
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

// prosaic adds a text to n, whose words of the glossary can't be looked up.
func prosaic(n *tree.Node, spans []link.Span) *tree.Node {
	return inline(n, spans, func(_ link.Span, says *tree.Node) *tree.Node { return says })
}

// inline adds a text to n. word returns what stands for a word of the glossary, given the word as text.
func inline(n *tree.Node, spans []link.Span, word func(s link.Span, says *tree.Node) *tree.Node) *tree.Node {
	written := 0 // bytes of the span that stand behind the one before
	for k, s := range spans {
		x, button := tree.Text(spanTags[s.Kind], "", s.Text[written:]), true
		written = 0
		switch {
		case s.Kind == link.SpanWord || s.Kind == link.SpanWordCode:
			x = word(s, x)
		case s.Kind == link.SpanLink && !strings.HasPrefix(s.Link, "https://github.com/"):
			x = widget.TextAction("inline-link", "lesson", s.Link, s.Text)
		case s.Kind == link.SpanLink:
			x, button = outside(s.Link).Add(x), false
		default:
			button = false
		}
		if button && k+1 < len(spans) && spans[k+1].Kind == "" {
			// A browser may end a line behind any button, and no line begins with a comma.
			next := spans[k+1].Text
			if written = len(next) - len(strings.TrimLeft(next, ".,:;!?)”’。，、：；！？）")); written > 0 {
				x = tree.El("span", "held", x, tree.Text("span", "", next[:written]))
			}
		}
		n.Add(x)
	}
	return n
}

// spanTags are the elements of the kinds of a span.
var spanTags = map[string]string{
	"": "span", link.SpanWord: "span", link.SpanLink: "span", link.SpanCode: "code", link.SpanWordCode: "code", link.SpanEm: "em", link.SpanStrong: "strong",
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
