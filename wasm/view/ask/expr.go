// Package ask draws what the viewer asks about the run: expressions with what was found of them,
// questions to the indexer, and chains of causes.
package ask

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	questions "github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Search returns the tab in which the run is asked by expressions: the field, what was found, and the
// breakpoints. The examples are about the listeners of a frame.
func Search(w *words.Words, k widget.Cache, m *session.Model, f *link.Frame) *tree.Node {
	e := &m.Expr
	n := tree.El("div", "panel search", form(w, m))
	x := e.Result()
	switch {
	case e.Asked == "":
		n.Add(tree.El("div", "expr-empty", tree.Text("p", "quiet", w.T("ui.expr.empty")), examples(w, f)))
	case x == nil:
		n.Add(tree.Text("p", "quiet", w.T("ui.expr.begins")).Attr("role", "status"))
	default:
		n.Add(k.Draw("watched", [4]any{x, e.Stopped, m.Open.Loading, m.Expr.Minimised}, func() *tree.Node { return watched(w, m, x) }))
	}
	return n.Add(series(w, m), ownWork(w, m), breaks(w, &m.Expr))
}

// series lists what was measured while the capture was made. It is nil where nothing was.
func series(w *words.Words, m *session.Model) *tree.Node {
	if m.Open.Trace == nil || len(m.Open.Trace.Series) == 0 {
		return nil
	}
	list := tree.El("ul", "expr-examples")
	for _, name := range m.Open.Trace.Series {
		list.Add(tree.El("li", "", widget.TextAction("expr-example", "plotSeries", name, name).Is("aria-pressed", m.Expr.Asked == name)).Key(name))
	}
	return tree.El("section", "measured", tree.Text("h3", "", w.T("ui.expr.series")), list).Attr("aria-label", w.T("ui.expr.series"))
}

// form returns the field with what can be done with the expression in it.
func form(w *words.Words, m *session.Model) *tree.Node {
	e := &m.Expr
	all, wrong := m.Expr.Completions(), m.Expr.SyntaxError()
	in := tree.El("input", "line-in").Attr("type", "search").Attr("id", "expr").Attr("role", "combobox").
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", strconv.Itoa(ask.MaxBytes)).
		Attr("placeholder", "depth() > 100").Attr("aria-label", w.T("ui.do.search")).Attr("aria-autocomplete", "list").
		Attr("aria-controls", "expr-completions").Is("aria-expanded", len(all) > 0).Is("aria-invalid", wrong != nil).
		Attr("aria-describedby", "expr-says").
		Act("writeExpr", "").Attr("data-enter", "enterExpr").Prop("value", e.Text).Flag("disabled", m.Stage.Frame == nil)
	if e.Focus > 0 {
		in.Attr("data-focus", "expr"+strconv.Itoa(e.Focus)).Flag("data-whole", e.Whole)
	}
	list := tree.El("ul", "expr-completions").Attr("id", "expr-completions").Attr("role", "listbox").Attr("aria-label", w.T("ui.expr.completions"))
	for i, c := range all {
		id := "expr-completion-" + strconv.Itoa(i)
		chosen := e.Pick == i+1
		if chosen {
			in.Attr("aria-activedescendant", id)
		}
		help := ""
		if c.Func != "" {
			help = w.T("ask." + c.Func)
		}
		list.Add(tree.El("li", "", tree.Text("code", "", c.Text), tree.Text("span", "quiet", help)).Attr("id", id).Attr("role", "option").
			Is("aria-selected", chosen).Act("takeExpr", e.Text[:c.From]+c.Text+e.Text[c.To:]).Attr("title", c.Detail).Key(c.Text))
	}
	form := tree.El("div", "expr-form", in)
	says := tree.El("div", "expr-says").Attr("id", "expr-says").Attr("role", "status")
	x, _ := ask.Parse(e.Text)
	switch {
	case wrong != nil && len(all) > 0 && wrong.End == len(e.Text): // it is still being written
	case wrong != nil:
		says.Add(tree.El("div", "wrong", tree.Text("pre", "", wrong.Caret(e.Text)), tree.Text("p", "failure", w.Fault(link.Fault(wrong)))))
	case x != nil:
		says.Add(tree.Text("p", "quiet", w.Tn("ui.expr.is", "what", w.T("ui.expr.type."+x.Type().String()))))
	}
	searched := x != nil && wrong == nil && x.Type() == ask.Bool
	form.Add(tree.El("div", "expr-does",
		widget.IconButton("", "left", w.T("ui.do.lastHit")+" (Shift+v)", "lastHit", "").Flag("disabled", !searched),
		widget.Labeled("primary", "right", w.T("ui.expr.runTo"), "nextHit", "").
			Attr("title", w.T("ui.do.nextHit")+" (v)").Flag("disabled", !searched),
		widget.Button("", w.T(map[bool]string{true: "ui.expr.search", false: "ui.expr.plot"}[x == nil || searched]), "watchExpr", "").Flag("disabled", x == nil || wrong != nil || x.Type() == ask.String),
		widget.Button("", w.T("ui.expr.break"), "addBreak", "").Flag("disabled", !searched),
		widget.Button("", w.T("ui.expr.likely"), "likelyExpr", "").Attr("title", w.T("ui.expr.likely.why")).Flag("disabled", !searched),
		widget.IconButton("tiny", "help", w.T("ui.expr.help"), "exprHelp", "")), says, list) // the buttons stay where they are while more or less is said
	return form.Attr("role", "search").Attr("aria-label", w.T("ui.do.search"))
}

func examples(w *words.Words, f *link.Frame) *tree.Node {
	list := tree.El("ul", "expr-examples")
	all := []string{"relist()", "tombstone()", `delta("Deleted")`, "lockWait() > 0s", "depth()", "revisionsBehind()", `metric("workqueue_depth")`}
	for _, l := range f.Processor.Listeners {
		if !l.Unknown {
			all = slices.Insert(all, 3, "behind("+ask.Quote(l.Name)+") > 3")
			break
		}
	}
	for _, text := range all {
		list.Add(tree.El("li", "", widget.TextAction("expr-example", "takeExpr", text, text)))
	}
	return list
}

// watched shows what was found of the expression that is searched or plotted.
func watched(w *words.Words, m *session.Model, x *link.Watched) *tree.Node {
	n := tree.El("section", "watched").Attr("aria-label", x.Text)
	head := tree.El("header", "watched-head", tree.Text("code", "", x.Text), widget.IconButton("tiny", "close", w.T("ui.expr.drop"), "dropExpr", ""))
	n.Add(head)
	if x.Wrong != nil {
		return n.Add(tree.Text("p", "failure", w.Fault(x.Wrong)))
	}
	says := tree.El("p", "quiet watched-says").Attr("role", "status")
	on := "watchExpr"
	if x.Likely {
		on = "likelyExpr"
		says.Add(tree.Text("span", "", w.Tn("ui.expr.runs", "n", words.Grouped(int(x.Step)))))
	} else if x.Plot != nil {
		says.Add(tree.Text("span", "", w.Range(x)))
	} else {
		says.Add(tree.Text("span", "", w.Tn("ui.expr.hits", "n", words.Grouped(x.Hits))))
	}
	switch {
	case !x.Done && x.Likely:
		says.Add(tree.El("progress", "").Attr("max", words.Itoa(x.Steps)).Attr("value", words.Itoa(x.Step)).Attr("aria-label", w.T("ui.expr.likely")), widget.Button("tiny", w.T("ui.cancel"), "stopExpr", ""))
	case !x.Done:
		says.Add(tree.Text("span", "", w.Tn("ui.expr.at", "step", words.Grouped(x.Step), "steps", words.Grouped(x.Steps))), widget.Button("tiny", w.T("ui.cancel"), "stopExpr", ""))
	case m.Expr.Stopped:
		if !x.Likely {
			says.Add(tree.Text("span", "", w.Tn("ui.expr.stopped", "step", words.Grouped(x.Step))))
		}
		says.Add(widget.Button("tiny", w.T("ui.expr.on"), on, ""))
	case m.Open.Loading:
		says.Add(tree.Text("span", "", w.T("ui.expr.reading")))
	}
	if n.Add(says); x.Likely {
		return odds(w, n, x)
	}
	if len(x.Ends) > 0 {
		return n.Add(tree.Text("p", "quiet", w.T("ui.expr.plotted")))
	}
	if x.Plot != nil {
		return n.Add(tree.Text("p", "quiet", w.T("ui.expr.plotted")), widget.Button("", w.T("ui.expr.csv"), "plotted", ""))
	}
	if x.Hits == 0 && x.Done {
		return n.Add(tree.Text("p", "quiet", w.T("ui.expr.none")))
	}
	says.Add(widget.Pager(w, "hits", x.From, x.From+len(x.Rows), x.Hits, link.MaxHits))
	n.Add(smallest(w, m, x.Text))
	list := tree.El("ol", "hits").Attr("start", strconv.Itoa(x.From+1)).Attr("aria-label", w.T("ui.expr.list"))
	for i := range x.Rows {
		h := &x.Rows[i]
		b := widget.Action("", "seek", words.Itoa(h.Step), tree.Text("span", "trail-n", words.Grouped(h.Step)), tree.Text("span", "at", words.Clock(h.Time)), tree.Text("span", "hit-says", w.Plain(h.Sentence)))
		switch {
		case h.To == 0:
			b.Add(tree.Text("span", "quiet", w.T("ui.expr.lasts")))
		case h.To > h.Step:
			b.Add(tree.Text("span", "quiet", w.Tn("ui.expr.until", "step", words.Grouped(h.To))))
		}
		list.Add(tree.El("li", "", b).Key(words.Itoa(h.Step)))
	}
	return n.Add(list)
}

// breaks lists the expressions at which playing stops.
func breaks(w *words.Words, e *questions.Expr) *tree.Node {
	n := tree.El("section", "breaks", tree.Text("h3", "", w.T("ui.expr.breaks"))).Attr("aria-label", w.T("ui.expr.breaks"))
	if len(e.Breaks) == 0 {
		return n.Add(tree.Text("p", "quiet", w.T("ui.expr.noBreaks")))
	}
	list := tree.El("ul", "break-list")
	for _, b := range e.Breaks {
		says := ""
		if x := e.StopResult(b.Text); x != nil && !b.Disabled {
			says = w.Tn("ui.expr.hits", "n", words.Grouped(x.Hits))
			if x.Wrong != nil {
				says = w.Fault(x.Wrong)
			}
		}
		on := tree.El("label", "break-on", tree.El("input", "").Attr("type", "checkbox").Prop("checked", strconv.FormatBool(!b.Disabled)).Act("toggleBreak", b.Text), tree.Text("code", "", b.Text))
		item := tree.El("li", "", on, tree.Text("span", "quiet", says), tree.El("span", "key-steps",
			widget.IconButton("tiny", "left", w.T("ui.do.lastHit"), "runBack", b.Text), widget.IconButton("tiny", "right", w.T("ui.do.nextHit"), "runTo", b.Text),
			widget.IconButton("tiny", "close", w.T("ui.expr.dropBreak"), "dropBreak", b.Text)))
		if e.Break == b.Text {
			item.Attr("data-now", "true")
		}
		list.Add(item.Key(b.Text))
	}
	return n.Add(list)
}

// odds shows how likely an expression is to come about, by the step from which random runs
// begin, and where that changes most.
func odds(w *words.Words, n *tree.Node, x *link.Watched) *tree.Node {
	n.Add(tree.Text("p", "quiet", w.Tn("ui.expr.odds.how", "most", words.Grouped(x.Within))))
	if i := decided(x.Odds); i > 0 {
		a, b := x.Odds[i-1], x.Odds[i]
		n.Add(tree.El("p", "odds-jump", widget.TextAction("expr-example", "seek", words.Itoa(a.Step), w.Tn("ui.expr.odds.jump", "step", words.Grouped(a.Step), "until", words.Grouped(b.Step), "left", words.Percent(thousandths(a)), "right", words.Percent(thousandths(b))))))
	}
	list := tree.El("ol", "odds").Attr("aria-label", w.T("ui.expr.odds.list"))
	for _, o := range x.Odds {
		s := thousandths(o)
		bar := tree.El("span", "odds-bar", tree.El("span", "").Style("width", strconv.FormatInt(s/10, 10)+"%")).Attr("aria-hidden", "true")
		list.Add(tree.El("li", "", widget.Action("", "seek", words.Itoa(o.Step), tree.Text("span", "trail-n", words.Grouped(o.Step)), bar, tree.Text("span", "n", words.Percent(s)), tree.Text("span", "quiet", w.Tn("ui.expr.odds.of", "left", words.Grouped(o.Yes), "right", words.Grouped(o.Runs))))).Key(words.Itoa(o.Step)))
	}
	return n.Add(list)
}

// decided returns the index of the odds that differ most from those before them, 0 for none.
func decided(odds []link.Odds) (best int) {
	most := int64(100) // a difference of less than a tenth may be chance
	for i := 1; i < len(odds); i++ {
		differ := thousandths(odds[i]) - thousandths(odds[i-1])
		if differ = max(differ, -differ); differ > most {
			best, most = i, differ
		}
	}
	return best
}

func thousandths(o link.Odds) int64 { return int64(o.Yes) * 1000 / int64(max(o.Runs, 1)) }

// KeyRuns returns a menu with the ways from a key to what comes about next of it.
func KeyRuns(w *words.Words, key string, runs []questions.RunTo, open bool) *tree.Node {
	says := w.Tn("ui.expr.nextOf", "key", key)
	var list *tree.Node
	if open {
		list = widget.MenuList(says)
		for _, r := range runs {
			list.Add(widget.RunTo(w, r.ID, r.Expr, r.Handler))
		}
	}
	return widget.Menu("menu key-menu", widget.Button("tiny", w.T("ui.expr.next"), "menu", "key").Attr("title", says), list)
}

// Help returns the language on one page.
func Help(w *words.Words) []*tree.Node {
	body := tree.El("div", "dialog-body expr-help").Attr("tabindex", "0")
	for i, s := range ask.Help() {
		list := tree.El("dl", "")
		for j, l := range s.Lines {
			id := "ask." + l.Name
			if l.Name == "" {
				id = "ask.help." + strconv.Itoa(i) + "." + strconv.Itoa(j)
			}
			list.Add(tree.El("dt", "", tree.Text("code", "", l.Form)), tree.Text("dd", "", w.T(id)))
		}
		body.Add(tree.El("section", "", tree.Text("h3", "", w.T("ask.help."+strconv.Itoa(i))), list))
	}
	return []*tree.Node{body}
}

// ownWork shows what the recording tells of the controllers' own work. Each row leads to its time. It
// is nil where there is no recorded controller.
func ownWork(w *words.Words, m *session.Model) *tree.Node {
	if m.Expr.Recorded() == "" {
		return nil
	}
	o, seen := m.Expr.OwnWork, m.Expr.ShowsOwnWork
	n := tree.El("section", "own", widget.Button("", w.T("ui.own"), "askOwn", "").Attr("title", w.T("ui.own.why")).Is("aria-expanded", seen)).Attr("aria-label", w.T("ui.own"))
	switch {
	case !seen:
		return n
	case o == nil:
		return n.Add(tree.Text("p", "quiet", w.T("ui.own.reading")).Attr("role", "status"))
	case o.Wrong != nil:
		return n.Add(tree.Text("p", "failure", w.Fault(o.Wrong)))
	}
	for i := range o.Controllers {
		c := &o.Controllers[i]
		n.Add(tree.El("h3", "", tree.Text("code", "", c.Name), tree.Text("span", "quiet", " "+w.Tn("ui.own.reconciles", "n", words.Grouped(c.Reconciles)))).Key(c.Name))
		for j := range c.Parts {
			n.Add(ownPart(w, &c.Parts[j]).Key(c.Name + " " + c.Parts[j].Name))
		}
	}
	if o.LeftOut {
		n.Add(tree.Text("p", "quiet", w.T("ui.own.leftOut")))
	}
	return n
}

// ownPart returns what the recording answers to one question. It is folded where there is nothing to see.
func ownPart(w *words.Words, p *link.OwnPart) *tree.Node {
	n := tree.El("details", "", tree.El("summary", "", tree.Text("span", "", w.T("ui.own."+p.Name)), tree.Text("span", "n", " "+words.Grouped(p.Total))))
	if p.Total == 0 {
		return n
	}
	list := tree.El("ol", "hits").Attr("aria-label", w.T("ui.own."+p.Name))
	for i := range p.Rows {
		r := &p.Rows[i]
		list.Add(tree.El("li", "", widget.Action("", "toLogged", words.Itoa(r.Time), tree.Text("span", "at", words.Clock(r.Time)), tree.Text("span", "hit-says", w.Plain(r.Sentence)))).Key(words.Itoa(i)))
	}
	if p.Total > len(p.Rows) {
		list.Add(tree.Text("li", "quiet", w.Tn("ui.more", "n", words.Grouped(p.Total-len(p.Rows)))).Key("more"))
	}
	return n.Add(list)
}

// smallest tells how far the search is for the smallest recording in which an expression comes
// about, or offers to begin it.
func smallest(w *words.Words, m *session.Model, text string) *tree.Node {
	n := tree.El("div", "watched-says least").Attr("role", "status")
	l := m.Expr.Minimised
	if l == nil || l.Text != text {
		return n.Add(widget.Button("", w.T("ui.least"), "minimise", "").Attr("title", w.T("ui.least.why")).Flag("disabled", !m.Expr.CanMinimise()))
	}
	left := []string{"n", words.Grouped(l.Events), "of", words.Grouped(l.Total), "objects", words.Grouped(l.Objects), "step", words.Grouped(l.Step), "left", words.Grouped(l.Events), "right", words.Grouped(l.Tries)}
	save := widget.Button("tiny", w.T("ui.least.save"), "saveLeast", "").Flag("disabled", l.Objects == 0)
	switch {
	case !l.Done:
		id := "ui.least.begins"
		if l.Objects > 0 {
			id = "ui.least.left"
		}
		return n.Add(tree.Text("span", "quiet", w.Tn(id, left...)), tree.El("progress", "").Attr("aria-label", w.T("ui.least")), widget.Button("tiny", w.T("ui.cancel"), "stopMinimise", ""))
	case l.Wrong != nil:
		return n.Add(tree.Text("span", "failure", w.Fault(l.Wrong)))
	case l.Never:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.never")))
	case l.Objects == 0:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.cancelled")), widget.Button("tiny", w.T("ui.least"), "minimise", ""))
	case l.Stopped:
		return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.stopped", left...)), save, widget.Button("tiny", w.T("ui.least.again"), "minimise", ""))
	}
	return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.done", left...)), save)
}
