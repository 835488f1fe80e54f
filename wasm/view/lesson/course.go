package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Course is the list of lessons.
func Course(w *words.Words, m *learn.Model) []*tree.Node {
	c := m.Course
	if c == nil {
		return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", w.T("ui.loading")))}
	}
	body := tree.El("div", "dialog-body course", prose("p", "quiet", c.Summary))
	n := 0
	for _, ch := range c.Chapters {
		list := tree.El("ol", "course-list").Attr("start", strconv.Itoa(n+1))
		for _, x := range ch.Lessons {
			n++
			b := tree.El("button", "", tree.Text("span", "n", strconv.Itoa(n)), tree.Text("span", "", x.Title)).Attr("type", "button").Act("lesson", x.Name)
			switch far := m.Read[x.Name]; {
			case far.All > 0 && far.Far+1 >= far.All:
				b.Attr("data-read", "all").Add(widget.Icon("check"), tree.Text("span", "visually-hidden", w.T("ui.lesson.read")))
			case far.Far > 0:
				b.Attr("data-read", "some").Add(tree.Text("span", "quiet", strconv.Itoa(far.Far+1)+"/"+strconv.Itoa(far.All)))
			}
			list.Add(tree.El("li", "", b).Key(x.Name))
		}
		body.Add(tree.Text("h3", "", ch.Title), list)
	}
	foot := widget.Foot(widget.Button("", w.T("ui.lesson.forget"), "forgetLessons", "").Flag("disabled", len(m.Read) == 0))
	return []*tree.Node{body, foot}
}
