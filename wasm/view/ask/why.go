package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	runs "github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Chain shows the causes of a thing, and its effects, in the place of the explanation. Links later
// than the step at which the viewer is are dimmed.
func Chain(w *words.Words, why *runs.Causes, step int64) *tree.Node {
	n := tree.El("div", "panel chain", tree.El("header", "chain-title", tree.Text("h2", "", w.T("ui.why.title")), widget.IconButton("tiny", "close", w.T("ui.why.close"), "closeWhy", "")))
	x := why.Chain
	if why.Seeks {
		says := w.T("ui.why.looking")
		if x != nil && x.Looked > 0 {
			says = w.Tn("ui.why.lookingAt", "step", words.Grouped(x.Looked))
		}
		n.Add(tree.El("div", "chain-seeks", tree.Text("span", "", says), widget.Button("small", w.T("ui.why.stop"), "stopWhy", "")).Attr("role", "status"))
	}
	if x == nil {
		if !why.Seeks {
			n.Add(tree.Text("p", "quiet", w.T("ui.why.none")))
		}
		return n
	}
	about := tree.Text("code", "key", x.Key)
	if x.Key == "" {
		about = tree.Text("span", "", w.T("ui.why.whole"))
	}
	n.Add(tree.El("header", "chain-head", about,
		widget.Action("chain-at", "seek", words.Itoa(x.Step), tree.Text("span", "", w.Tn("ui.step.n", "n", words.Grouped(x.Step)))).Attr("title", w.Tn("ui.why.asked", "step", words.Grouped(x.Step)))))
	if len(x.Subjects) == 0 && x.Looked == 0 {
		return n.Add(tree.Text("p", "quiet", w.T("ui.why.nothing")))
	}
	things := tree.El("ul", "chain-things").Attr("aria-label", w.T("ui.why.things"))
	for i, t := range x.Subjects {
		b := tree.El("button", "", widget.Sentence(w, "span", "", t.Name)).Attr("type", "button").Is("aria-pressed", t.Chosen)
		if t.Place != "" && !t.Chosen {
			b.Act("whyAt", t.Place)
		}
		things.Add(tree.El("li", "", b).Key(strconv.Itoa(i)))
	}
	n.Add(things)
	number := 0
	for i := range x.Parts {
		n.Add(chainPart(w, step, &x.Parts[i], &number).Key(strconv.Itoa(i)))
	}
	return n
}

// chainPart returns a part of the chain as a list whose items lead to their steps.
func chainPart(w *words.Words, step int64, part *link.WhySection, number *int) *tree.Node {
	list := tree.El("ol", "chain-links").Attr("start", strconv.Itoa(*number+1))
	for _, l := range part.Links {
		*number++
		class := "chain-link"
		if l.Branch {
			class += " branch"
		}
		took := ""
		if l.Duration > 0 {
			took = "+" + words.Duration(l.Duration)
		}
		b := widget.Action("", "seek", words.Itoa(l.Step), tree.Text("span", "chain-n", strconv.Itoa(*number)), widget.Sentence(w, "span", "chain-say", l.Sentence), tree.Text("span", "chain-took", took)).Attr("title", w.Tn("ui.step.n", "n", words.Grouped(l.Step))+", "+words.Clock(l.Time))
		if l.Step == step {
			b.Attr("aria-current", "step")
		}
		if l.Step > step {
			class += " later"
		}
		list.Add(tree.El("li", class, b).Key(strconv.Itoa(*number)))
	}
	n := tree.El("section", "chain-part", tree.Text("h3", "", w.T("ui.why."+part.Name)), list)
	if len(part.Spent) > 0 {
		n.Add(spent(w, part.Spent))
	}
	if part.More > 0 {
		n.Add(tree.Text("p", "quiet", w.Tn("ui.more", "n", words.Grouped(part.More))))
	}
	return n
}

// spent shows where a chain's time went.
func spent(w *words.Words, all []link.WhySpent) *tree.Node {
	total := int64(0)
	for _, s := range all {
		total += s.Ns
	}
	bar := tree.El("span", "spent-bar").Attr("aria-hidden", "true")
	list := tree.El("ul", "spent")
	for _, s := range all {
		share := strconv.FormatFloat(100*float64(s.Ns)/float64(total), 'f', 1, 64) + "%"
		bar.Add(tree.El("span", "spent-part spent-"+s.Station).Style("width", share))
		list.Add(tree.El("li", "", tree.El("span", "spent-dot spent-"+s.Station).Attr("aria-hidden", "true"),
			tree.Text("span", "", w.T("ui.why.at."+s.Station)), tree.Text("b", "", words.Duration(s.Ns))))
	}
	return tree.El("div", "chain-spent", tree.Text("h4", "", w.Tn("ui.why.spent", "time", words.Duration(total))), bar, list)
}
