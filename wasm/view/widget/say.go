package widget

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Sentence shows a sentence, with its keys, versions and types set off.
func Sentence(w *words.Words, tag, class string, s link.Sentence) *tree.Node {
	n := tree.El(tag, class)
	var chip *tree.Node // not added yet: a full stop after it must stay on its line
	w.Pieces(s,
		func(text string) {
			if chip != nil {
				stop := len(text) - len(strings.TrimLeft(text, ".,;:!?。，；：！？"))
				n.Add(tree.El("span", "together", chip, tree.Text("span", "", text[:stop])))
				chip, text = nil, text[stop:]
			}
			if text != "" {
				n.Add(tree.Text("span", "", text))
			}
		},
		func(a link.Arg) {
			n.Add(chip)
			chip = nil
			switch a.Kind {
			case "key", "code":
				n.Add(tree.Text("code", "key", a.V))
			case "rv":
				n.Add(tree.Text("code", "rv", a.V))
			case "delta":
				letter := deltaLetter(a.V)
				chip = tree.El("span", "chip chip-"+letter, tree.Text("span", "l", letter), tree.Text("span", "v", a.V))
			default:
				n.Add(tree.Text("span", "arg", w.Value(a)))
			}
		})
	return n.Add(chip)
}

// deltaLetter returns the letter of a delta that client-go calls name.
func deltaLetter(name string) string {
	name = strings.TrimSuffix(name, "All") // ReplacedAll and SyncAll have the letters of Replaced and Sync
	for l, n := range link.DeltaNames {
		if n == name {
			return l
		}
	}
	return link.LetterUnknown
}

// Failure shows what went wrong, where, and why.
func Failure(w *words.Words, f *link.Failure) []*tree.Node {
	out := []*tree.Node{Sentence(w, "p", "failure", f.Say)}
	where := ""
	if f.Line > 0 {
		where = w.Tn("ui.where", "line", words.Grouped(f.Line), "byte", words.Grouped(f.Offset))
	}
	if where != "" {
		out = append(out, tree.Text("p", "quiet", where))
	}
	if f.Why != nil {
		out = append(out, tree.Text("code", "detail", w.Fault(f.Why)))
	}
	return out
}

// Private says, beside a shield, what the page never does with the viewer's data.
func Private(w *words.Words, id string) *tree.Node {
	return tree.El("p", "quiet private", Icon("shield"), tree.Text("span", "", w.T(id)))
}
