package stage

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// letter returns the letter that a chip bears, and its class ends in.
func letter(c link.Chip) string {
	if _, ok := link.DeltaNames[c.T]; ok {
		return c.T
	}
	return link.LetterUnknown
}

// label returns what a chip says after its letter: its resourceVersion, or the end of a
// long one, or how many objects it stands for.
func label(c link.Chip) string {
	if c.Name != "" {
		return "×" + words.Grouped(c.N)
	}
	if len(c.RV) > 8 {
		return "…" + c.RV[len(c.RV)-6:]
	}
	return c.RV
}

// nameOf returns what a chip stands for where it has no key.
func nameOf(c link.Chip) string { return words.FirstNonEmpty(c.Name, link.DeltaNames[c.T]) }

func title(c link.Chip) string {
	s := nameOf(c)
	if c.Name != "" {
		s += " ×" + words.Grouped(c.N)
	}
	if c.Tomb {
		s += " DeletedFinalStateUnknown"
	}
	if c.Key != "" {
		s += " " + c.Key
	}
	if c.RV != "" {
		s += " @" + c.RV
	}
	return s
}

// chip shows an object version. With a place, things can fly there.
func chip(c link.Chip, place string) *tree.Node {
	class := ""
	if c.Name != "" {
		class = "stack"
	}
	return chipOf(c, class, label(c), place)
}

// smallChip shows an object version by its letter.
func smallChip(c link.Chip, place string) *tree.Node { return chipOf(c, "small", "", place) }

func chipOf(c link.Chip, class, label, place string) *tree.Node {
	class = strings.TrimSpace("chip spoken chip-" + letter(c) + " " + class)
	if c.Tomb {
		class += " tomb"
	}
	tag := "span"
	if c.Ref != 0 {
		tag = "button"
	}
	n := tree.El(tag, class, tree.Text("span", "l", letter(c)).Attr("aria-hidden", "true"))
	if label != "" {
		n.Add(tree.Text("span", "v", label).Attr("aria-hidden", "true"))
	}
	n.Attr("title", title(c))
	if c.Ref != 0 {
		n.Act("inspect", words.Itoa(c.Ref)).Attr("type", "button")
	}
	if place != "" {
		n.Place(place)
	}
	return n
}

// rooms are how many deltas of a row are shown beside the whole one where the
// row has little room, more room, and much room. The styles say how wide these
// rows are.
var rooms = [...]int{0, 2, 5}

// deltaChips shows one of some deltas whole and those beside it by their letters. The
// others, and those before and after all, are counted: no chip is ever cut. The
// function says at which place each delta is.
func deltaChips(all []link.Chip, whole, before, after int, place func(i int, n *tree.Node)) *tree.Node {
	room := make([]int, len(all)) // the least room in which each delta is shown
	var from, to [len(rooms)]int  // the deltas that are shown
	first, last := whole, whole
	for r, beside := range rooms {
		for last-first < min(beside, len(all)-1) {
			if first > 0 && (whole-first <= last-whole || last == len(all)-1) {
				first--
				room[first] = r
			} else {
				last++
				room[last] = r
			}
		}
		from[r], to[r] = first, last
	}
	deltas := tree.El("span", "deltas")
	count := func(side string, n func(r int) int) {
		for r := range rooms {
			if k := n(r); k > 0 {
				deltas.Add(tree.Text("span", "more only"+words.Itoa(r+1), "+"+words.Grouped(k)).Key("\x00" + side + words.Itoa(r)))
			}
		}
	}
	count("before", func(r int) int { return before + from[r] })
	for i := first; i <= last; i++ {
		n := chip(all[i], "")
		if i != whole {
			n = chipOf(all[i], "small room"+words.Itoa(room[i]+1), "", "")
		}
		place(i, n)
		deltas.Add(n.Key(words.Itoa(before + i)))
	}
	count("after", func(r int) int { return after + len(all) - 1 - to[r] })
	return deltas
}

// mini returns a chip in a crowd: it shows only the letter.
func mini(c link.Chip) *tree.Node {
	class := "mini chip-" + letter(c)
	if c.Tomb {
		class += " tomb"
	}
	return tree.Text("span", class, letter(c)).Attr("title", title(c))
}

// slot returns a place for one chip. It can be seen while it is empty, too.
func slot(c *link.Chip, place, class string) *tree.Node {
	n := tree.El("span", "slot "+class)
	if c == nil {
		return n.Place(place)
	}
	n.Attr("data-full", "")
	return n.Add(chip(*c, place))
}
