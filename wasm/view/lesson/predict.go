package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Prediction returns a question about what comes next, and how well the viewer has guessed.
func Prediction(w *words.Words, gs *session.Guesses) *tree.Node {
	g := gs.Asked
	if g == nil {
		return nil
	}
	n := tree.El("div", "lesson-question prediction").Attr("role", "group").Attr("aria-label", w.T("ui.do.predict")).Key("prediction")
	if g.Ask == "" {
		return n.Add(tree.Text("p", "", w.T("ui.predict.none")).Attr("role", "status"))
	}
	n.Add(tree.Text("p", "prediction-ask", w.T("ui.predict."+g.Ask)).Attr("role", "status"))
	named := func(k int) string {
		if g.Ask == link.AskWho {
			return w.Actor(g.Options[k])
		}
		return g.Options[k]
	}
	list := tree.El("ol", "lesson-options")
	for k := range g.Options {
		b := tree.El("button", "option", tree.Text("kbd", "", strconv.Itoa(k+1)), tree.Text("code", "", named(k))).Attr("type", "button").
			Act("guess", strconv.Itoa(k)).Flag("disabled", !g.Open())
		switch {
		case g.Open():
		case k == g.Right:
			b.Attr("data-right", "true").Add(tree.Text("span", "verdict", w.T("ui.lesson.right")))
		case k == g.Chosen:
			b.Attr("data-wrong", "true").Add(tree.Text("span", "verdict", w.T("ui.lesson.wrong")))
		}
		list.Add(tree.El("li", "", b))
	}
	n.Add(list)
	if g.Open() {
		return n.Add(tree.El("p", "quiet", tree.Text("span", "", w.T("ui.lesson.covered")), widget.Button("tiny link", w.T("ui.lesson.show"), "guess", "-1")))
	}
	says := w.Tn("ui.lesson.answerIs", "answer", named(g.Right))
	switch {
	case g.Chosen == g.Right:
		says = w.T("ui.predict.yes")
	case g.Chosen >= 0:
		says = w.Tn("ui.predict.no", "answer", named(g.Right))
	}
	foot := tree.El("p", "prediction-foot", widget.Button("", w.T("ui.predict.again"), "predict", "").Attr("title", w.Title("predict")))
	if s := gs.Score; s.All > 0 {
		foot.Add(tree.Text("span", "quiet", w.Tn("ui.lesson.score", "right", strconv.Itoa(s.Right), "all", strconv.Itoa(s.All))), widget.Button("tiny link", w.T("ui.predict.forget"), "forgetScore", ""))
	}
	return n.Add(tree.Text("p", "verdict-text", says).Attr("role", "status"), foot)
}
