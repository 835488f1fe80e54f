package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// say shows a sentence, with its keys, versions and types set off.
func (p *page) say(tag, class string, s link.Sentence) *tree.Node {
	n := tree.El(tag, class)
	var chip *tree.Node // not added yet: a full stop after it must stay on its line
	p.w.Pieces(s,
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
				n.Add(tree.Text("span", "arg", p.w.Shown(a)))
			}
		})
	return n.Add(chip)
}
