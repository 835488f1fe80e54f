package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Gathering returns the dialog that is shown while the handout is gathered.
func Gathering(w *words.Words, m *learn.Model) []*tree.Node {
	n, all := strconv.Itoa(len(m.Handout.Sheets)), strconv.Itoa(len(m.Learning.Stops))
	bar := tree.El("progress", "").Attr("aria-label", w.T("ui.handout")).Attr("max", all).Attr("value", n)
	return []*tree.Node{tree.El("div", "dialog-body", tree.El("p", "", bar), tree.Text("p", "quiet", w.Tn("ui.handout.gathers", "left", n, "all", all))), widget.Foot(widget.Button("", w.T("ui.cancel"), "close", ""))}
}

// Handout returns the lesson on paper: all of its text, a picture with its sentence for each moment,
// its questions, and the machine's answers at the end.
func Handout(w *words.Words, m *learn.Model) *tree.Node {
	h, l := m.Handout, m.Learning
	if h == nil || !h.Ready || l == nil {
		return nil
	}
	r := reading{w: w, m: m}
	body := tree.El("article", "handout-text", tree.Text("h1", "", l.Title), partsOf(w, l), prose("p", "lesson-summary", l.Summary))
	answers := tree.El("ol", "handout-answers")
	questions, pictures := 0, 0
	for stop, sheet := range h.Sheets {
		from, to := l.Range(stop)
		for i := from; i < to; i++ {
			switch x := l.Parts[i]; x.Kind {
			case link.PartNote, link.PartHint, link.PartControl, link.PartCompare, link.PartSolution:
			case link.PartHeading:
				body.Add(prose("h2", "", x.Text))
			case link.PartQuestion:
				questions++
				options := tree.El("ol", "")
				for _, o := range x.Options {
					options.Add(tree.El("li", "", tree.Text("code", "", answer(w, o))))
				}
				body.Add(tree.El("section", "handout-question", tree.Text("h2", "", w.Tn("ui.handout.question", "n", strconv.Itoa(questions))), prose("p", "lesson-measured", x.Asks), options))
				item := tree.El("li", "", tree.Text("code", "", answer(w, h.Answers[i])))
				for k, o := range x.Options {
					if why := because(x, k); why != nil {
						item.Add(tree.El("div", "handout-wrong", tree.Text("span", "", w.T("ui.lesson.wrong")), tree.Text("code", "", answer(w, o)), why))
					}
				}
				answers.Add(item)
			case link.PartMend:
				questions++
				body.Add(r.mendOnPaper(x, questions))
				answers.Add(mendedOnPaper(x))
			case link.PartExercise:
				goals := tree.El("ul", "")
				for _, g := range x.Goals {
					goals.Add(tree.El("li", "", r.goal(g)))
				}
				body.Add(tree.El("section", "handout-question", tree.Text("h2", "", w.T("ui.lesson.exercise")), goals))
			default:
				body.Add(r.part(i, -1))
			}
		}
		if sheet.Picture != "" {
			pictures++
			said := w.Plain(sheet.Sentence)
			body.Add(tree.El("figure", "", tree.El("img", "").Attr("src", sheet.Picture).Attr("alt", said),
				tree.El("figcaption", "", tree.Text("b", "", strconv.Itoa(pictures)), tree.Text("span", "", said))))
		}
	}
	if questions > 0 {
		body.Add(tree.El("section", "handout-end", tree.Text("h2", "", w.T("ui.handout.answers")), answers))
	}
	return paper(w, w.T("ui.handout"), w.T("ui.do.print"), nil, body)
}

// partsOf returns how many parts a lesson has, and how many minutes it takes if it says so.
func partsOf(w *words.Words, l *learn.Learning) *tree.Node {
	if l.Minutes == 0 {
		return nil
	}
	return tree.Text("p", "quiet", w.Tn("ui.lesson.parts", "n", strconv.Itoa(len(l.Stops)), "time", inMinutes(w, l.Minutes)))
}

// paper returns a page to be printed, with the button for that and what else stands above it on the screen.
func paper(w *words.Words, label, print string, above, body *tree.Node) *tree.Node {
	head := tree.El("header", "handout-head", widget.Button("primary", print, "print", ""), widget.Button("", w.T("ui.do.close"), "close", ""), above)
	return tree.El("main", "handout", head, body).Attr("tabindex", "0").Attr("data-focus", "handout").Attr("aria-label", label).Key("handout")
}

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
		case mark.Read > 0 || a+s > 0:
			state = partOf(w, mark)
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
	body.Add(tree.Text("p", "", words.FirstNonEmpty(title, w.T("ui.path.all"))).Key("path"), tree.El("table", "record", head, rows, sum).Key("table"))
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
