package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Record returns a page to be printed with what the reader has read, answered and solved on a path, and the name that was
// typed for it.
func Record(w *words.Words, m *learn.Model) *tree.Node {
	r := m.Record
	if r == nil || m.Handout != nil {
		return nil
	}
	title, lessons := m.Lessons(r.Path)
	rows := tree.El("tbody", "")
	read, answers, solved := 0, 0, 0
	for _, x := range lessons {
		mark := m.Read[x.Name]
		a, s := mark.Counts()
		answers, solved = answers+a, solved+s
		state := ""
		switch {
		case mark.Done():
			read++
			state = w.T("ui.lesson.read")
		case mark.Far > 0 || a+s > 0:
			state = strconv.Itoa(mark.Far+1) + "/" + strconv.Itoa(mark.All)
		}
		rows.Add(tree.El("tr", "", tree.Text("th", "", x.Title).Attr("scope", "row"), tree.Text("td", "", state), tree.Text("td", "", number(a)), tree.Text("td", "", number(s))).Key(x.Name))
	}
	head := tree.El("thead", "", widget.Row("th", w.T("ui.record.lesson"), w.T("ui.record.read"), w.T("ui.record.answered"), w.T("ui.record.solved")))
	sum := tree.El("tfoot", "", tree.El("tr", "", tree.Text("th", "", w.T("ui.record.sum")).Attr("scope", "row"),
		tree.Text("td", "", strconv.Itoa(read)+"/"+strconv.Itoa(len(lessons))), tree.Text("td", "", number(answers)), tree.Text("td", "", number(solved))))
	body := tree.El("article", "handout-text", tree.Text("h1", "", w.T("ui.record")))
	if r.Name != "" {
		body.Add(tree.Text("p", "record-name", r.Name).Key("name"))
	}
	body.Add(tree.Text("p", "", words.Or(title, w.T("ui.path.all"))).Key("path"), tree.El("table", "record", head, rows, sum).Key("table"))
	name := tree.El("label", "record-field", tree.Text("span", "", w.T("ui.record.name")), tree.El("input", "").Attr("type", "text").Attr("maxlength", "80").Attr("autocomplete", "off").Attr("spellcheck", "false").
		Act("reader", "").Prop("value", r.Name), tree.Text("span", "quiet", w.T("ui.record.private")))
	return paper(w, w.T("ui.record"), w.T("ui.record.print"), name, body)
}

// number returns a count, and nothing for none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
