package widget

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// markShapes are the paths of the marks, on a grid of 10 by 10. Each kind has a shape of
// its own, so that none is known by its colour alone.
var markShapes = map[link.MarkKind]string{
	link.MarkExpired:   "M5 0L10 10H0zM4.3 3.6v3h1.4v-3zM4.3 7.4v1.4h1.4V7.4z",
	link.MarkError:     "M2 0 5 3 8 0l2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3z",
	link.MarkRelist:    "M0 0h10v2.4H0zM0 3.8h10v2.4H0zM0 7.6h10V10H0z",
	link.MarkTombstone: "M1 10V4.5a4 4 0 0 1 8 0V10zM4.3 3v1.3H3v1.4h1.3v2.6h1.4V5.7H7V4.3H5.7V3z",
	link.MarkClosed:    "M0 0h3v10H0zM7 0h3v10H7zM3 4.2h1.2v1.6H3zM5.8 4.2H7v1.6H5.8z",
	link.MarkCommand:   "M0 0h10v10H0z",
	link.MarkNote:      "M0 0h10v7H5.5L3 10V7H0z",
	link.MarkJoined:    "M5 0a5 5 0 1 1 0 10A5 5 0 0 1 5 0z",
	link.MarkList:      "M0 0h10v2.2H2.4V10H0z",
	link.MarkRetry:     "M5 0l5 5H7v5H3V5H0z",
	link.MarkBackoff:   "M1 0h8L6 5l3 5H1l3-5z",
	link.MarkResync:    "M5 0l5 5-5 5-5-5zM5 3 3 5l2 2 2-2z",
}

// MarkShape returns the shape of a kind of marks.
func MarkShape(k link.MarkKind) *tree.Node {
	return tree.El("svg:svg", "mark-shape mark-"+string(k), tree.El("svg:path", "").Attr("d", markShapes[k]).Attr("fill-rule", "evenodd")).
		Attr("viewBox", "0 0 10 10").Attr("aria-hidden", "true")
}
