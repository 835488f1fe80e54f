package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// frames returns the second machine's frames: for numbers, and for lists.
func (p *page) frames() (f, l *link.Frame) {
	f = p.f.Second
	if p.l != nil && p.l.Second != nil {
		return f, p.l.Second
	}
	return f, f
}

func (v *View) secondStage(p *page) *tree.Node {
	if !compare.Paired(p.m) {
		v.second = nil
		return nil
	}
	if v.second == nil {
		v.second = widget.Cache{}
	}
	prefix := ""
	switch p.m.Second.Standing().(type) {
	case link.SecondProfile:
		if p.m.Open.Trace.Script { // it has played its objects anew
			prefix = session.SecondPrefix
		}
	case link.SecondCapture:
		prefix = session.SecondPrefix
	}
	st := p.stage()
	st.Second, st.Cache = true, v.second
	st.Frame, st.Lists = p.frames()
	st.Words = p.w.WithListeners(st.Frame.Processor.Listeners)
	s := st.Draw().Inert("inspect", prefix)
	return tree.El("div", "beside", s.Attr("aria-label", p.w.Tn("ui.compare.stage", "name", compare.Name(p.w, p.m, 1)))).Key("beside")
}

// paneName stands above the stage of a machine, and says which one it is and what its
// last step did.
func (p *page) paneName(i int) *tree.Node {
	if !compare.Paired(p.m) {
		return nil
	}
	f, l := p.f, p.l
	if i == 1 {
		f, l = p.frames()
	}
	class := "pane-name pane-" + strconv.Itoa(i+1)
	if p.m.Second.AtDiffer() != nil {
		class += " differs"
	}
	sentence, _ := l.Sentences()
	says, said := compare.Name(p.w, p.m, i), p.w.Plain(sentence)
	name := tree.Text("b", "", says)
	if p.m.Screen.Narrow() { // one of the two is shown
		name = widget.Button("pane-tab", says, "pane", strconv.Itoa(i)).Is("aria-pressed", p.m.Second.Pane == i).Attr("title", says)
	}
	return tree.El("section", class, tree.Text("b", "pane-letter", widget.Letters[i]).Attr("aria-hidden", "true"), name,
		tree.Text("span", "quiet", p.w.Tn("ui.compare.at", "step", words.Grouped(f.Step), "time", words.Clock(f.Time))),
		tree.Text("span", "pane-said", said).Attr("title", said)).Attr("aria-label", widget.Letters[i]+": "+says).Key("pane" + strconv.Itoa(i))
}
