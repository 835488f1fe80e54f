package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	runs "github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Query returns where the indexer and its lister are asked, as a program asks them. It is off while
// nothing is open.
func Query(w *words.Words, x *runs.Indexer, indices []link.Index, off bool) *tree.Node {
	q := x.Query
	choice := func(field, label string, chosen string, all []string) *tree.Node {
		list := tree.El("select", "").Act("editQuery", field).Attr("aria-label", label)
		for _, v := range all {
			list.Add(tree.Text("option", "", v).Attr("value", v))
		}
		if chosen == "" && len(all) > 0 {
			chosen = all[0]
		}
		return list.Prop("value", chosen)
	}
	text := func(field, enter, id, value string) *tree.Node {
		return tree.El("input", "").Attr("type", "text").Attr("id", "query-"+field).Attr("spellcheck", "false").Attr("autocomplete", "off").
			Attr("autocapitalize", "off").Attr("maxlength", "1024").Act("editQuery", field).Attr("data-enter", enter).
			Attr("placeholder", w.T(id)).Attr("aria-label", w.T(id)).Prop("value", value)
	}
	form := tree.El("div", "query", choice("func", w.T("ui.query.func"), q.Func, link.Funcs))
	if x.NeedsIndex() {
		var names []string
		for _, i := range indices {
			names = append(names, i.Name)
		}
		form.Add(choice("index", w.T("ui.index"), q.Index, names).Key("index"))
	}
	if q.Func == link.FuncList || q.Func == link.FuncGet {
		form.Add(text("namespace", "enterNamespace", "ui.query.namespace", q.Namespace).Key("namespace"))
	}
	if q.Func != link.FuncListIndexFuncValues {
		value := text("value", "enterValue", "ui.query.value."+q.Func, q.Value).Key("value")
		if x.Focus > 0 {
			value.Attr("data-focus", "query"+strconv.Itoa(x.Focus))
		}
		form.Add(value)
	}
	return form.Add(widget.Button("", w.T("ui.query.ask"), "ask", "").Flag("disabled", off)).
		Attr("role", "search").Attr("aria-label", w.T("ui.query.open"))
}

// callText writes a question as a call of its function.
func callText(w *words.Words, q link.Query) string {
	quoted := strconv.Quote
	lister := ""
	if q.Namespace != "" {
		lister = "ByNamespace(" + quoted(q.Namespace) + ")."
	}
	switch q.Func {
	case link.FuncByIndex, link.FuncIndexKeys:
		return q.Func + "(" + quoted(q.Index) + ", " + quoted(q.Value) + ")"
	case link.FuncListIndexFuncValues:
		return q.Func + "(" + quoted(q.Index) + ")"
	case link.FuncList, link.FuncGet:
		return lister + q.Func + "(" + quoted(q.Value) + ")"
	case link.FuncListKeys:
		return w.Tn("ui.query.cell", "index", words.Itoa(q.Cell+1))
	}
	return q.Func + "(" + quoted(q.Value) + ")"
}

// Answer shows what the indexer has answered, a part of it at a time.
func Answer(w *words.Words, a *link.Answer) *tree.Node {
	if a == nil {
		return tree.El("div", "answer")
	}
	head := tree.El("header", "answer-head", tree.Text("code", "func", callText(w, a.Query)), widget.IconButton("tiny", "close", w.T("ui.query.close"), "dropAnswer", ""))
	n := tree.El("div", "answer", head)
	if a.Error != nil {
		return n.Add(tree.Text("p", "failure", w.Fault(a.Error)))
	}
	says := w.Tn("ui.answers", "n", words.Grouped(a.Total))
	if a.Total == 0 && a.Query.Func == link.FuncGetByKey {
		says = "exists == false"
	}
	foot := tree.El("p", "quiet answer-says", tree.Text("span", "", says), tree.Text("span", "", w.Tn("ui.query.at", "step", words.Grouped(a.Step))))
	foot.Add(widget.Pager(w, "askPage", a.From, a.From+len(a.Rows), a.Total, link.MaxAnswer))
	list := tree.El("ol", "answer-rows").Attr("start", words.Itoa(a.From+1))
	for _, r := range a.Rows {
		list.Add(answerRow(a.Query, r))
	}
	return n.Add(foot, list)
}

// answerRow leads to the object, or to the objects of a value.
func answerRow(q link.Query, r link.AnswerRow) *tree.Node {
	b := tree.El("button", "", tree.Text("code", "key", words.FirstNonEmpty(r.Text, `""`))).Attr("type", "button")
	if r.Ref != 0 {
		b.Add(tree.Text("code", "rv", r.RV)).Act("inspect", words.Itoa(r.Ref))
	} else {
		b.Add(tree.Text("span", "n", words.Grouped(r.Keys))).Act("inspectIndex", q.Index+"="+r.Text)
	}
	return tree.El("li", "", b)
}
