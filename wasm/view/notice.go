package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/dialog"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// notice shows above the stage what went wrong, where, and what to do. The stage can
// still be used.
func (p *page) notice() *tree.Node {
	m := p.m
	if m.Open.Died != "" {
		n := tree.El("div", "notice bad").Attr("role", "alert").Key("notice")
		if m.Open.Memory > 0 {
			n.Add(tree.Text("p", "", p.w.Tn("ui.died.memory", "size", words.Weight(m.Open.Memory), "name", m.Open.Name)))
		} else {
			n.Add(tree.Text("p", "", p.w.T("ui.died")), tree.Text("p", "quiet", m.Open.Died))
		}
		return n.Add(widget.Button("primary", p.w.T("ui.restart"), "restart", ""))
	}
	if m.Stage.Frame == nil {
		return nil
	}
	if n := p.problem(); n != nil {
		return n
	}
	v := &m.Site.Version
	switch {
	case !v.Noticed && (v.Newer() || v.Program != ""):
	case m.Site.Unkept && !m.Site.Noticed && !m.Site.Embedded:
		return tree.El("div", "notice note", widget.Icon("info"), tree.Text("p", "", p.w.T("ui.unkept"))).Attr("role", "status").Key("unkept").
			Add(widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "unkept", ""))
	default:
		return nil
	}
	n := tree.El("div", "notice note", widget.Icon("info")).Attr("role", "status").Key("newer")
	if v.Newer() {
		n.Add(tree.Text("p", "", p.w.T("ui.newer")), widget.Button("tiny", p.w.T("ui.reload"), "reload", ""))
	} else {
		n.Add(tree.Text("p", "", p.w.Tn("ui.program.differs", "name", v.Program)))
	}
	return n.Add(widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "old", ""))
}

func (p *page) problem() *tree.Node {
	m := p.m
	if m.Open.Failure != nil {
		n := tree.El("div", "notice").Add(widget.Failure(p.w, m.Open.Failure)...)
		if m.NeedsKind() {
			n.Add(dialog.Kind(p.w, m))
		}
		return n.Add(widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "close", "")).
			Attr("role", "alert").Key("notice")
	}
	o := m.Open.Trace
	if o == nil || m.Open.Noticed || m.OnCard() { // the card says it itself
		return nil
	}
	more := widget.Button("tiny link", p.w.T("ui.about.all"), "about", "")
	away := widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "notice", "")
	switch {
	case len(o.Problems) > 0:
		return tree.El("div", "notice").Add(widget.Failure(p.w, &o.Problems[0])...).Add(dialog.Damage(p.w, o), more, away).Attr("role", "alert").Key("notice")
	case len(o.Remarks) > 0:
		n := tree.El("div", "notice note", widget.Icon("info"), tree.Text("p", "", dialog.Remark(p.w, o.Remarks[0])))
		if others := len(o.Remarks) - 1; others > 0 {
			n.Add(tree.Text("span", "quiet", p.w.Tn("ui.more", "n", words.Grouped(others))))
		}
		return n.Add(more, away).Attr("role", "status").Key("notice")
	}
	return nil
}

// curtain covers an empty stage, and says why it is empty.
func (p *page) curtain() *tree.Node {
	m := p.m
	c := tree.El("div", "curtain").Key("curtain")
	switch {
	case m.Open.Died != "":
		return nil
	case m.Open.Failure != nil:
		box := tree.El("div", "curtain-box", widget.Icon("file"))
		box.Add(widget.Failure(p.w, m.Open.Failure)...)
		if m.NeedsKind() {
			box.Add(dialog.Kind(p.w, m))
		}
		box.Add(p.instructions())
		return c.Add(box)
	case m.Open.Loading:
		return c.Add(tree.El("div", "curtain-box", tree.El("div", "spinner"), tree.Text("p", "", p.w.T("ui.loading")), tree.Text("p", "quiet", m.Open.Name)))
	}
	return c.Add(tree.El("div", "curtain-box", widget.Icon("file"), tree.Text("p", "", p.w.T("ui.empty")), p.instructions()))
}

// kubectl is a command that makes a capture with what everyone has.
const kubectl = "kubectl get pods -w --output-watch-events -o json > pods.json"

// record is a command that makes a trace with lists, times and several resources.
const record = "informerscope record -o cluster.trace.jsonl.gz pods deployments.apps"

func (p *page) instructions() *tree.Node {
	if p.m.Site.Embedded {
		return widget.Button("", p.w.T("ui.bundled"), "bundled", "")
	}
	return tree.El("div", "how-to",
		tree.Text("p", "", p.w.T("ui.howTo")),
		tree.El("dl", "ways",
			tree.Text("dt", "", p.w.T("ui.howTo.kubectl")), tree.El("dd", "", widget.Command(kubectl)),
			tree.Text("dt", "", p.w.T("ui.howTo.record")), tree.El("dd", "", widget.Command(record)),
			tree.Text("dt", "", p.w.T("ui.howTo.live")), tree.El("dd", "", widget.Button("", p.w.T("ui.do.live"), "live", ""))),
		tree.El("p", "buttons", widget.Button("primary", p.w.T("ui.do.open"), "open", ""), widget.Button("", p.w.T("ui.bundled"), "bundled", "")),
		widget.Private(p.w, "ui.private"))
}
