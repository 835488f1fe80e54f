// Package dialog draws the dialogs that concern the whole page.
package dialog

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// shownProblems is how many of a file's problems are listed.
const shownProblems = 20

// About returns the dialog that says where the trace comes from and what is wrong with it.
func About(w *words.Words, m *session.Model) []*tree.Node {
	o := m.Open.Trace
	body := tree.El("div", "dialog-body", tree.Text("p", "about-name", words.FirstNonEmpty(m.Open.Name, w.T("ui.pasted"))))
	facts := tree.El("dl", "about-facts")
	row := func(name, value string) {
		if value != "" {
			facts.Add(tree.Text("dt", "", name), tree.Text("dd", "", value))
		}
	}
	row(w.T("ui.about.format"), Formats(w, o.Format))
	row(w.T("ui.about.start"), words.FirstNonEmpty(strings.Replace(strings.Replace(o.Start, "T", " ", 1), "Z", " UTC", 1), w.T("ui.about.unknown")))
	row(w.T("ui.about.server"), words.FirstNonEmpty(o.Server, w.T("ui.about.unknown")))
	row(w.T("ui.about.note"), o.Note)
	if o.NoTimes {
		row(w.T("ui.about.times"), w.T("card.noTimes"))
	} else {
		row(w.T("ui.about.times"), w.T("ui.about.timesTrue"))
	}
	if o.Truncated {
		row(w.T("ui.about.missing"), w.T("ui.about.truncated"))
	}
	row(w.T("ui.about.redacted"), redactionText(w, o.Redacted))
	if v := &m.Site.Version; v.Current != "" {
		row(w.T("ui.version"), strings.TrimSpace(v.Current+" "+release(v)))
		row("informerscope", v.Program)
		facts.Add(tree.Text("dt", "", w.T("ui.licences")), tree.El("dd", "", tree.Text("a", "", "NOTICES.txt").Attr("href", v.Current+"/NOTICES.txt").Attr("target", "_blank").Attr("rel", "noopener")))
	}
	if kept := m.Site.Offline; kept.State != "" {
		row(w.T("ui.offline"), w.Tn("ui.offline."+kept.State, "size", words.Weight(kept.Bytes)))
	}
	body.Add(facts)
	if m.Kinds.Named(&m.Open.Source) != "" {
		body.Add(Kind(w, m))
	}

	body.Add(tree.Text("h3", "", w.T("ui.about.remarks")))
	if len(o.Remarks) == 0 {
		body.Add(tree.Text("p", "quiet", w.T("ui.about.noRemarks")))
	} else {
		list := tree.El("ul", "remarks")
		for _, r := range o.Remarks {
			list.Add(tree.Text("li", "", Remark(w, r)))
		}
		body.Add(list)
	}
	if n := len(o.Problems); n > 0 {
		list := tree.El("ol", "problems")
		for i := range o.Problems[:min(n, shownProblems)] {
			list.Add(tree.El("li", "", widget.Failure(w, &o.Problems[i])...))
		}
		body.Add(tree.Text("h3", "", w.T("ui.about.problems")), Damage(w, o), list)
		if more := max(int(o.Places), n) - shownProblems; more > 0 {
			body.Add(tree.Text("p", "quiet", w.Tn("ui.more", "n", words.Grouped(more))))
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
	body.Add(tree.Text("h3", "", w.T("ui.about.resources")), tree.El("table", "about-resources",
		tree.El("thead", "", widget.Row("th", w.T("ui.about.resource"), w.T("ui.timeline.events"), w.T("ui.lists"))), rows))
	if m.Site.Embedded {
		return []*tree.Node{body}
	}
	var card *tree.Node // a header with little room has no button of it
	if m.HasCard() && !m.OnCard() {
		card = widget.Labeled("", "card", w.T("ui.card.report"), "card", "")
	}
	return []*tree.Node{body, widget.Foot(card,
		widget.SaveButton(w),
		widget.Labeled("", "open", w.T("ui.openAnother"), "open", ""))}
}

// Damage shows how much could not be read. It is nil if that is a single place without events.
func Damage(w *words.Words, o *link.Opened) *tree.Node {
	switch {
	case o.Lost > 0:
		return tree.Text("p", "quiet", w.Tn("ui.damage.events", "n", words.Grouped(int(o.Places)), "lost", words.Grouped(int(o.Lost))))
	case o.Places > 1:
		return tree.Text("p", "quiet", w.Tn("ui.damage", "n", words.Grouped(int(o.Places))))
	}
	return nil
}

// Formats names the formats that a trace was read from. The argument is their ids,
// joined by +.
func Formats(w *words.Words, ids string) string {
	if ids == "" {
		return w.T("ui.about.unknown")
	}
	var names []string
	for id := range strings.SplitSeq(ids, "+") {
		names = append(names, w.Named("format.", id))
	}
	return strings.Join(names, " + ")
}

// redactionText returns what was taken out of a trace: names with counts, as replay/redact
// writes them, without the counts of 0.
func redactionText(w *words.Words, counts []string) string {
	var out []string
	for _, s := range counts {
		name, n := s, ""
		if i := strings.LastIndex(s, ": "); i >= 0 {
			name, n = s[:i], s[i:]
		}
		if n != ": 0" && name != "values kept" { // a remark says that
			out = append(out, w.Named("taken.", name)+n)
		}
	}
	return words.FirstNonEmpty(strings.Join(out, ", "), w.T("ui.about.nothing"))
}

// Remark returns a remark in words.
func Remark(w *words.Words, r link.Remark) string {
	if w.Texts["remark."+r.ID] == "" { // a newer informerscope has written it
		return strings.TrimSpace(r.ID + " " + r.Detail)
	}
	return w.Tn("remark."+r.ID, "detail", r.Detail, "count", words.Grouped(r.Count))
}

// release returns what people call the version that runs, where that is known.
func release(v *session.Version) string {
	if v.Newer() || v.Release == "" {
		return ""
	}
	return "(" + v.Release + ")"
}
