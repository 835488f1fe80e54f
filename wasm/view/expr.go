package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// search is where the run is asked by expressions: the field, what was found, and the
// breakpoints.
func (p *page) search() *tree.Node {
	m, e := p.m, &p.m.Expr
	n := tree.El("div", "panel search", p.exprForm())
	w := e.Shown()
	switch {
	case e.Asked == "":
		n.Add(tree.El("div", "expr-empty", tree.Text("p", "quiet", p.w.T("ui.expr.empty")), p.exprExamples()))
	case w == nil:
		n.Add(tree.Text("p", "quiet", p.w.T("ui.expr.begins")).Attr("role", "status"))
	default:
		n.Add(p.kept.Keep("watched", [4]any{w, e.Stopped, m.Open.Loading, m.Expr.Least}, func() *tree.Node { return p.watched(w) }))
	}
	return n.Add(p.breaks())
}

// exprForm is the field with what can be done with the expression in it.
func (p *page) exprForm() *tree.Node {
	m, e := p.m, &p.m.Expr
	all, wrong := m.Expr.Completions(m.Rest()), m.Expr.Wrong(m.Rest())
	in := tree.El("input", "line-in").Attr("type", "search").Attr("id", "expr").Attr("role", "combobox").
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", strconv.Itoa(ask.MaxBytes)).
		Attr("placeholder", `behind("audit") > 100`).Attr("aria-label", p.w.T("ui.do.search")).Attr("aria-autocomplete", "list").
		Attr("aria-controls", "expr-completions").Is("aria-expanded", len(all) > 0).Is("aria-invalid", wrong != nil).
		Attr("aria-describedby", "expr-says").
		Act("writeExpr", "").Attr("data-enter", "enterExpr").Prop("value", e.Text).Flag("disabled", m.Stage.Frame == nil)
	if e.Focus > 0 {
		in.Attr("data-focus", "expr"+strconv.Itoa(e.Focus))
	}
	list := tree.El("ul", "expr-completions").Attr("id", "expr-completions").Attr("role", "listbox").Attr("aria-label", p.w.T("ui.expr.completions"))
	for i, c := range all {
		id := "expr-completion-" + strconv.Itoa(i)
		chosen := e.Pick == i+1
		if chosen {
			in.Attr("aria-activedescendant", id)
		}
		help := ""
		if c.Func != "" {
			help = p.w.T("ask." + c.Func)
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
		says.Add(tree.El("div", "wrong", tree.Text("pre", "", wrong.Caret(e.Text)), tree.Text("p", "failure", p.w.Why(link.Fault(wrong)))))
	case x != nil:
		says.Add(tree.Text("p", "quiet", p.w.Tn("ui.expr.is", "what", p.w.T("ui.expr.type."+x.Type().String()))))
	}
	searched := x != nil && wrong == nil && x.Type() == ask.Bool
	form.Add(tree.El("div", "expr-does",
		widget.IconButton("", "left", p.w.T("ui.do.lastHit")+" (Shift+v)", "lastHit", "").Flag("disabled", !searched),
		tree.El("button", "button primary", widget.Icon("right"), tree.Text("span", "", p.w.T("ui.expr.runTo"))).Attr("type", "button").Act("nextHit", "").
			Attr("title", p.w.T("ui.do.nextHit")+" (v)").Flag("disabled", !searched),
		widget.Button("", p.w.T(map[bool]string{true: "ui.expr.search", false: "ui.expr.plot"}[x == nil || searched]), "watchExpr", "").Flag("disabled", x == nil || wrong != nil || x.Type() == ask.String),
		widget.Button("", p.w.T("ui.expr.break"), "addBreak", "").Flag("disabled", !searched),
		widget.Button("", p.w.T("ui.expr.likely"), "likelyExpr", "").Attr("title", p.w.T("ui.expr.likely.why")).Flag("disabled", !searched),
		widget.IconButton("tiny", "help", p.w.T("ui.expr.help"), "exprHelp", "")), says, list) // the buttons stay where they are while more or less is said
	return form.Attr("role", "search").Attr("aria-label", p.w.T("ui.do.search"))
}

// exprExamples are expressions to begin with.
func (p *page) exprExamples() *tree.Node {
	list := tree.El("ul", "expr-examples")
	first := "handler"
	if l := p.f.Processor.Listeners; len(l) > 0 {
		first = l[0].Name
	}
	for _, text := range []string{"relist()", "tombstone()", `delta("Deleted")`, "behind(" + ask.Quote(first) + ") > 3", "lockWait() > 0s", "depth()", "revisionsBehind()"} {
		list.Add(tree.El("li", "", tree.Text("button", "expr-example", text).Attr("type", "button").Act("takeExpr", text)))
	}
	return list
}

// watched shows what was found of the expression that is searched or plotted.
func (p *page) watched(w *link.Watched) *tree.Node {
	n := tree.El("section", "watched").Attr("aria-label", w.Text)
	head := tree.El("header", "watched-head", tree.Text("code", "", w.Text), widget.IconButton("tiny", "close", p.w.T("ui.expr.drop"), "dropExpr", ""))
	n.Add(head)
	if w.Wrong != nil {
		return n.Add(tree.Text("p", "failure", p.w.Why(w.Wrong)))
	}
	says := tree.El("p", "quiet watched-says").Attr("role", "status")
	on := "watchExpr"
	if w.Likely {
		on = "likelyExpr"
		says.Add(tree.Text("span", "", p.w.Tn("ui.expr.runs", "n", words.Grouped(int(w.Step)))))
	} else if w.Plot != nil {
		says.Add(tree.Text("span", "", p.w.Tn("ui.expr.range", "left", p.value(w, w.Least), "right", p.value(w, w.Most))))
	} else {
		says.Add(tree.Text("span", "", p.w.Tn("ui.expr.hits", "n", words.Grouped(w.Hits))))
	}
	switch {
	case !w.Done && w.Likely:
		says.Add(tree.El("progress", "").Attr("max", words.Itoa(w.Steps)).Attr("value", words.Itoa(w.Step)).Attr("aria-label", p.w.T("ui.expr.likely")), widget.Button("tiny", p.w.T("ui.cancel"), "stopExpr", ""))
	case !w.Done:
		says.Add(tree.Text("span", "", p.w.Tn("ui.expr.at", "step", words.Grouped(w.Step), "steps", words.Grouped(w.Steps))), widget.Button("tiny", p.w.T("ui.cancel"), "stopExpr", ""))
	case p.m.Expr.Stopped:
		if !w.Likely {
			says.Add(tree.Text("span", "", p.w.Tn("ui.expr.stopped", "step", words.Grouped(w.Step))))
		}
		says.Add(widget.Button("tiny", p.w.T("ui.expr.on"), on, ""))
	case p.m.Open.Loading:
		says.Add(tree.Text("span", "", p.w.T("ui.expr.reading")))
	}
	if n.Add(says); w.Likely {
		return p.odds(n, w)
	}
	if w.Plot != nil {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.expr.plotted")), widget.Button("", p.w.T("ui.expr.csv"), "plotted", ""))
	}
	if w.Hits == 0 && w.Done {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.expr.none")))
	}
	if last := w.From + len(w.Rows); w.From > 0 || last < w.Hits {
		says.Add(tree.El("span", "pager",
			widget.IconButton("tiny", "up", p.w.T("ui.earlier"), "hits", strconv.Itoa(max(0, w.From-link.MaxHits))).Flag("disabled", w.From == 0),
			tree.Text("span", "", words.Grouped(w.From+1)+"–"+words.Grouped(last)),
			widget.IconButton("tiny", "down", p.w.T("ui.later"), "hits", strconv.Itoa(last)).Flag("disabled", last >= w.Hits)))
	}
	n.Add(p.least(w.Text))
	list := tree.El("ol", "hits").Attr("start", strconv.Itoa(w.From+1)).Attr("aria-label", p.w.T("ui.expr.list"))
	for i := range w.Rows {
		h := &w.Rows[i]
		b := tree.El("button", "", tree.Text("span", "trail-n", words.Grouped(h.Step)), tree.Text("span", "at", words.Clock(h.Time)), tree.Text("span", "hit-says", p.w.Plain(h.Said))).
			Attr("type", "button").Act("seek", words.Itoa(h.Step))
		switch {
		case h.To == 0:
			b.Add(tree.Text("span", "quiet", p.w.T("ui.expr.lasts")))
		case h.To > h.Step:
			b.Add(tree.Text("span", "quiet", p.w.Tn("ui.expr.until", "step", words.Grouped(h.To))))
		}
		list.Add(tree.El("li", "", b).Key(words.Itoa(h.Step)))
	}
	return n.Add(list)
}

// value writes a value of an expression, or a share.
func (p *page) value(w *link.Watched, v int64) string {
	if w.Likely {
		return words.Percent(v)
	}
	if w.Type == ask.Duration.String() {
		return words.Duration(v)
	}
	return strings.ReplaceAll(words.Grouped(v), "-", "−")
}

// breaks lists the expressions at which playing stops.
func (p *page) breaks() *tree.Node {
	e := &p.m.Expr
	n := tree.El("section", "breaks", tree.Text("h3", "", p.w.T("ui.expr.breaks"))).Attr("aria-label", p.w.T("ui.expr.breaks"))
	if len(e.Breaks) == 0 {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.expr.noBreaks")))
	}
	list := tree.El("ul", "break-list")
	for _, b := range e.Breaks {
		says := ""
		if w := e.Found(b.Text); w != nil && !b.Off {
			says = p.w.Tn("ui.expr.hits", "n", words.Grouped(w.Hits))
			if w.Wrong != nil {
				says = p.w.Why(w.Wrong)
			}
		}
		on := tree.El("label", "break-on", tree.El("input", "").Attr("type", "checkbox").Prop("checked", widget.Truth(!b.Off)).Act("toggleBreak", b.Text), tree.Text("code", "", b.Text))
		item := tree.El("li", "", on, tree.Text("span", "quiet", says), tree.El("span", "key-steps",
			widget.IconButton("tiny", "left", p.w.T("ui.do.lastHit"), "runBack", b.Text), widget.IconButton("tiny", "right", p.w.T("ui.do.nextHit"), "runTo", b.Text),
			widget.IconButton("tiny", "close", p.w.T("ui.expr.dropBreak"), "dropBreak", b.Text)))
		if e.Break == b.Text {
			item.Attr("data-now", "true")
		}
		list.Add(item.Key(b.Text))
	}
	return n.Add(list)
}

// runTos are the entries of a menu that run to the next step at which something comes about.
func (p *page) runTos(list *tree.Node, all []string) {
	for _, text := range all {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("code", "", text)).Attr("type", "button").Attr("role", "menuitem").Act("runTo", text)).Attr("role", "none").Key(text))
	}
}

// keyRuns are the ways from a key to what comes about next of it.
func (p *page) keyRuns(key string) *tree.Node {
	open := p.m.Hands.Menu == "key"
	says := p.w.Tn("ui.expr.nextOf", "key", key)
	n := tree.El("div", "menu key-menu", widget.Button("tiny", p.w.T("ui.expr.next"), "menu", "key").Attr("aria-haspopup", "menu").Is("aria-expanded", open).Attr("title", says))
	if !open {
		return n
	}
	list := tree.El("ul", "menu-list").Attr("role", "menu").Attr("aria-label", says)
	p.runTos(list, p.m.Expr.RunTosOf(key))
	return n.Add(list)
}

// expressions is the language on one page.
func (p *page) expressions() []*tree.Node {
	body := tree.El("div", "dialog-body expr-help").Attr("tabindex", "0")
	for i, s := range ask.Help() {
		list := tree.El("dl", "")
		for j, l := range s.Lines {
			id := "ask." + l.Name
			if l.Name == "" {
				id = "ask.help." + strconv.Itoa(i) + "." + strconv.Itoa(j)
			}
			list.Add(tree.El("dt", "", tree.Text("code", "", l.Form)), tree.Text("dd", "", p.w.T(id)))
		}
		body.Add(tree.El("section", "", tree.Text("h3", "", p.w.T("ask.help."+strconv.Itoa(i))), list))
	}
	return []*tree.Node{body}
}
