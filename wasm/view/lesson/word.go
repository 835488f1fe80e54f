package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
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
	w := r.m.LookedUp(i)
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
	return tree.El("div", "looked-up", n, prosaic(says.Add(tree.Text("span", "", ": ")), w.Says))
}
