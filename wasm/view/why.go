package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// chain shows the causes of a thing, and its effects.
func (p *page) chain() *tree.Node {
	m := p.m
	n := tree.El("div", "panel chain", tree.El("header", "chain-title", tree.Text("h2", "", p.w.T("ui.why.title")), widget.IconButton("tiny", "close", p.w.T("ui.why.close"), "closeWhy", "")))
	w := m.Why.Chain
	if m.Why.Seeks {
		says := p.w.T("ui.why.looking")
		if w != nil && w.Looked > 0 {
			says = p.w.Tn("ui.why.lookingAt", "step", words.Grouped(w.Looked))
		}
		n.Add(tree.El("div", "chain-seeks", tree.Text("span", "", says), widget.Button("small", p.w.T("ui.why.stop"), "stopWhy", "")).Attr("role", "status"))
	}
	if w == nil {
		if !m.Why.Seeks {
			n.Add(tree.Text("p", "quiet", p.w.T("ui.why.none")))
		}
		return n
	}
	n.Add(tree.El("header", "chain-head", tree.Text("code", "key", w.Key),
		tree.El("button", "chain-at", tree.Text("span", "", p.w.Tn("ui.step.n", "n", words.Grouped(w.Step)))).Attr("type", "button").Act("seek", words.Itoa(w.Step)).Attr("title", p.w.Tn("ui.why.asked", "step", words.Grouped(w.Step)))))
	if len(w.Things) == 0 && w.Looked == 0 {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.why.nothing")))
	}
	things := tree.El("ul", "chain-things").Attr("aria-label", p.w.T("ui.why.things"))
	for i, t := range w.Things {
		b := tree.El("button", "", widget.Say(p.w, "span", "", t.Say)).Attr("type", "button").Is("aria-pressed", t.Chosen)
		if t.Place != "" && !t.Chosen {
			b.Act("whyAt", t.Place)
		}
		things.Add(tree.El("li", "", b).Key(strconv.Itoa(i)))
	}
	n.Add(things)
	number := 0
	for i := range w.Parts {
		n.Add(p.chainPart(&w.Parts[i], &number).Key(strconv.Itoa(i)))
	}
	return n
}

// chainPart is a part of the chain as a list whose items lead to their steps.
func (p *page) chainPart(part *link.WhySection, number *int) *tree.Node {
	list := tree.El("ol", "chain-links").Attr("start", strconv.Itoa(*number+1))
	for _, l := range part.Links {
		*number++
		class := "chain-link"
		if l.Branch {
			class += " branch"
		}
		took := ""
		if l.Took > 0 {
			took = "+" + words.Duration(l.Took)
		}
		b := tree.El("button", "", tree.Text("span", "chain-n", strconv.Itoa(*number)), widget.Say(p.w, "span", "chain-say", l.Say), tree.Text("span", "chain-took", took)).
			Attr("type", "button").Act("seek", words.Itoa(l.Step)).Attr("title", p.w.Tn("ui.step.n", "n", words.Grouped(l.Step))+", "+words.Clock(l.Time))
		if p.m.Stage.Frame != nil && l.Step == p.m.Stage.Frame.Step {
			b.Attr("aria-current", "step")
		}
		if p.m.Stage.Frame != nil && l.Step > p.m.Stage.Frame.Step {
			class += " later"
		}
		list.Add(tree.El("li", class, b).Key(strconv.Itoa(*number)))
	}
	n := tree.El("section", "chain-part", tree.Text("h3", "", p.w.T("ui.why."+part.Name)), list)
	if len(part.Spent) > 0 {
		n.Add(p.spent(part.Spent))
	}
	if part.More > 0 {
		n.Add(tree.Text("p", "quiet", p.w.Tn("ui.more", "n", words.Grouped(part.More))))
	}
	return n
}

// spent says where a chain's time went.
func (p *page) spent(all []link.WhySpent) *tree.Node {
	total := int64(0)
	for _, s := range all {
		total += s.Ns
	}
	bar := tree.El("span", "spent-bar").Attr("aria-hidden", "true")
	list := tree.El("ul", "spent")
	for _, s := range all {
		share := strconv.FormatFloat(100*float64(s.Ns)/float64(total), 'f', 1, 64) + "%"
		bar.Add(tree.El("span", "spent-part spent-"+s.At).Style("width", share))
		list.Add(tree.El("li", "", tree.El("span", "spent-dot spent-"+s.At).Attr("aria-hidden", "true"),
			tree.Text("span", "", p.w.T("ui.why.at."+s.At)), tree.Text("b", "", words.Duration(s.Ns))))
	}
	return tree.El("div", "chain-spent", tree.Text("h4", "", p.w.Tn("ui.why.spent", "time", words.Duration(total))), bar, list)
}

// chainMarks are the numbers that are drawn over the stage, where the members of the chain
// are. web/page/chain.js reads them from the stage.
func chainMarks(m *session.Model) string {
	var b strings.Builder
	for _, x := range m.Why.Marked(m.Rest()) {
		b.WriteString(strconv.Itoa(x.N) + " " + x.Place + "\n")
	}
	return b.String()
}
