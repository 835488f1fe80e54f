package panel

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Object returns an object version as JSON, and what changed in it; o is nil while none was chosen.
// Place is where the viewer can ask why the version is there, and followed the key that is
// followed. Lines that are the same as before are shown only with unfold. Runs is the menu with
// what comes about next of the key.
func Object(w *words.Words, o *link.Object, place, followed string, unfold bool, runs *tree.Node) *tree.Node {
	n := tree.El("div", "object-version")
	if o == nil {
		return n.Add(tree.Text("p", "quiet", w.T("ui.object.none")))
	}
	prefix := ""
	if o.SecondOnly {
		prefix = session.SecondPrefix
	}
	step := func(name, text string, ref int32) *tree.Node {
		b := widget.IconButton("tiny", name, text, "inspect", prefix+words.Itoa(ref))
		return b.Flag("disabled", ref == 0)
	}
	n.Add(tree.El("header", "object-head",
		tree.Text("code", "key", o.Key), widget.KeySteps(w, o.Key, followed), widget.IconButton("tiny", "why", w.T("ui.do.why"), "whyAt", place),
		tree.El("div", "versions", step("left", w.T("ui.object.before"), o.Prev), tree.Text("code", "rv", words.FirstNonEmpty(o.RV, w.T("empty.rv"))), step("right", w.T("ui.object.after"), o.Next))))
	n.Add(runs)
	if o.Reason != nil {
		return n.Add(tree.Text("p", "failure", w.Fault(o.Reason)))
	}
	changed := 0
	for _, l := range o.Lines {
		if l.Mark != "" {
			changed++
		}
	}
	switch {
	case o.Prev == 0:
		n.Add(tree.Text("p", "quiet", w.T("ui.object.first")))
	case changed == 0:
		n.Add(tree.Text("p", "quiet", w.Tn("ui.object.same", "rv", o.PrevRV)))
	case len(o.Lines) <= short:
		n.Add(tree.Text("p", "quiet", w.Tn("ui.object.changed", "rv", o.PrevRV)))
	default:
		n.Add(tree.El("p", "quiet", tree.Text("span", "", w.Tn("ui.object.changed", "rv", o.PrevRV)),
			widget.Button("tiny", w.T(map[bool]string{true: "ui.object.fold", false: "ui.object.unfold"}[unfold]), "unfold", "")))
	}
	n.Add(lines(o, changed == 0 || unfold || len(o.Lines) <= short, w.T("ui.object.folded")))
	if o.Cut {
		n.Add(tree.Text("p", "quiet", w.T("ui.object.cut")))
	}
	return n
}

const (
	contextLines = 2    // lines shown around a change
	short        = 150  // an object of so few lines is shown whole
	maxLines     = 1200 // more would keep the page's thread too long
)

// lines shows JSON and what has changed in it: all of it, or only the changes,
// the lines around them, and the lines that open the objects and arrays around
// them.
func lines(o *link.Object, all bool, folded string) *tree.Node {
	pre := tree.El("div", "json").Attr("role", "group").Attr("tabindex", "0").Attr("aria-label", o.Key)
	show := make([]bool, len(o.Lines))
	for i, l := range o.Lines {
		if all {
			show[i] = true
		} else if l.Mark != "" {
			for j := max(0, i-contextLines); j <= min(len(o.Lines)-1, i+contextLines); j++ {
				show[j] = true
			}
		}
	}
	inside(o.Lines, show)
	shown := 0
	for i, l := range o.Lines {
		if !show[i] {
			if i == 0 || show[i-1] {
				pre.Add(tree.Text("div", "fold", folded))
			}
			continue
		}
		if shown++; shown > maxLines {
			pre.Add(tree.Text("div", "fold", folded))
			break
		}
		class := "line"
		switch l.Mark {
		case "+":
			class += " plus"
		case "-":
			class += " minus"
		}
		pre.Add(tree.Text("div", class, words.FirstNonEmpty(l.Mark, " ")+" "+l.Text))
	}
	return pre
}

// inside adds the lines that open the objects and arrays around each shown line.
func inside(lines []link.DiffLine, show []bool) {
	depth := 1 << 30
	for i := len(lines) - 1; i >= 0; i-- {
		d := len(lines[i].Text) - len(strings.TrimLeft(lines[i].Text, " "))
		if show[i] {
			depth = d
		} else if d < depth {
			show[i], depth = true, d
		}
	}
}
