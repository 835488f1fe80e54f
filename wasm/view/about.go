package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// shownProblems is how many of a file's problems are listed.
const shownProblems = 20

// about is the dialog that says where the trace comes from and what is wrong with it.
func (p *page) about() []*tree.Node {
	o := p.m.Open.Trace
	body := tree.El("div", "dialog-body", tree.Text("p", "about-name", words.Or(p.m.Open.Name, p.w.T("ui.pasted"))))
	facts := tree.El("dl", "about-facts")
	row := func(name, value string) {
		if value != "" {
			facts.Add(tree.Text("dt", "", name), tree.Text("dd", "", value))
		}
	}
	row(p.w.T("ui.about.format"), p.formats(o.Format))
	row(p.w.T("ui.about.start"), words.Or(strings.Replace(strings.Replace(o.Start, "T", " ", 1), "Z", " UTC", 1), p.w.T("ui.about.unknown")))
	row(p.w.T("ui.about.server"), words.Or(o.Server, p.w.T("ui.about.unknown")))
	row(p.w.T("ui.about.note"), o.Note)
	if o.NoTimes {
		row(p.w.T("ui.about.times"), p.w.T("ui.noTimes.long"))
	} else {
		row(p.w.T("ui.about.times"), p.w.T("ui.about.timesTrue"))
	}
	if o.Truncated {
		row(p.w.T("ui.about.missing"), p.w.T("ui.about.truncated"))
	}
	row(p.w.T("ui.about.redacted"), p.takenOut(o.Redacted))
	if kept := p.m.Site.Offline; kept.State != "" {
		row(p.w.T("ui.offline"), p.w.Tn("ui.offline."+kept.State, "size", words.Weight(kept.Bytes)))
	}
	body.Add(facts)

	body.Add(tree.Text("h3", "", p.w.T("ui.about.remarks")))
	if len(o.Remarks) == 0 {
		body.Add(tree.Text("p", "quiet", p.w.T("ui.about.noRemarks")))
	} else {
		list := tree.El("ul", "remarks")
		for _, r := range o.Remarks {
			list.Add(tree.Text("li", "", p.remark(r)))
		}
		body.Add(list)
	}
	if n := len(o.Problems); n > 0 {
		list := tree.El("ol", "problems")
		for i := range o.Problems[:min(n, shownProblems)] {
			list.Add(tree.El("li", "", widget.Failure(p.w, &o.Problems[i])...))
		}
		body.Add(tree.Text("h3", "", p.w.T("ui.about.problems")), p.damage(), list)
		if more := max(int(o.Places), n) - shownProblems; more > 0 {
			body.Add(tree.Text("p", "quiet", p.w.Tn("ui.more", "n", words.Grouped(more))))
		}
	}
	rows := tree.El("tbody", "")
	for i, x := range o.Informers {
		name := x.Name
		if x.Version != "" {
			name += " " + x.Version
		}
		r := widget.Row("td", name, words.Grouped(x.Events), words.Grouped(x.Lists))
		if i == o.Informer {
			r.Attr("aria-current", "true")
		}
		rows.Add(r)
	}
	body.Add(tree.Text("h3", "", p.w.T("ui.about.resources")), tree.El("table", "about-resources",
		tree.El("thead", "", widget.Row("th", p.w.T("ui.about.resource"), p.w.T("ui.timeline.events"), p.w.T("ui.lists"))), rows))
	if p.m.Site.Embedded {
		return []*tree.Node{body}
	}
	return []*tree.Node{body, widget.Foot(
		widget.SaveButton(p.w),
		tree.El("button", "button", widget.Icon("open"), tree.Text("span", "", p.w.T("ui.openAnother"))).Attr("type", "button").Act("open", ""))}
}

// damage says how much could not be read. It is nil if that is a single place without events.
func (p *page) damage() *tree.Node {
	o := p.m.Open.Trace
	switch {
	case o.Lost > 0:
		return tree.Text("p", "quiet", p.w.Tn("ui.damage.events", "n", words.Grouped(int(o.Places)), "lost", words.Grouped(int(o.Lost))))
	case o.Places > 1:
		return tree.Text("p", "quiet", p.w.Tn("ui.damage", "n", words.Grouped(int(o.Places))))
	}
	return nil
}

// formats names the formats that a trace was read from. The argument is their ids,
// joined by +.
func (p *page) formats(ids string) string {
	if ids == "" {
		return p.w.T("ui.about.unknown")
	}
	var names []string
	for id := range strings.SplitSeq(ids, "+") {
		names = append(names, p.w.Named("format.", id))
	}
	return strings.Join(names, " + ")
}

// takenOut says what was taken out of a trace: names with counts, as replay/redact
// writes them, without the counts of 0.
func (p *page) takenOut(counts []string) string {
	var out []string
	for _, s := range counts {
		name, n := s, ""
		if i := strings.LastIndex(s, ": "); i >= 0 {
			name, n = s[:i], s[i:]
		}
		if n != ": 0" {
			out = append(out, p.w.Named("taken.", name)+n)
		}
	}
	return words.Or(strings.Join(out, ", "), p.w.T("ui.about.nothing"))
}

// remark returns a remark in words.
func (p *page) remark(r link.Remark) string {
	if p.w.Texts["remark."+r.ID] == "" { // a newer informerscope has written it
		return strings.TrimSpace(r.ID + " " + r.Detail)
	}
	return p.w.Tn("remark."+r.ID, "detail", r.Detail, "count", words.Grouped(r.Count))
}

// aboutButton opens the dialog about the trace, and shows how many remarks and problems there are.
func (p *page) aboutButton() *tree.Node {
	o := p.m.Open.Trace
	if o == nil {
		return widget.IconButton("", "info", p.w.T("ui.do.about"), "about", "").Flag("disabled", true)
	}
	n := len(o.Remarks) + max(int(o.Places), len(o.Problems))
	if n == 0 {
		return widget.IconButton("", "info", p.w.T("ui.do.about"), "about", "")
	}
	b := widget.IconButton("counted", "info", p.w.T("ui.do.about")+": "+p.w.Tn("ui.about.count", "n", words.Grouped(n)), "about", "")
	return b.Add(tree.Text("span", "count", words.Grouped(n)).Attr("aria-hidden", "true"))
}
