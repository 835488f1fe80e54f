package widget

import "github.com/informerscope/informerscope/wasm/dom/tree"

// Kept has the parts of a page that are drawn again only when they have changed. A patcher
// passes over a part that is the same node as before.
type Kept map[string]kept

type kept struct {
	of   any
	node *tree.Node
}

// Keep draws a part of the page, unless the part was last drawn from the same thing. Of must be
// comparable.
func (k Kept) Keep(part string, of any, draw func() *tree.Node) *tree.Node {
	if last, ok := k[part]; ok && last.of == of {
		return last.node
	}
	n := draw()
	k[part] = kept{of, n}
	return n
}
