package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view/card"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/dialog"
	"github.com/informerscope/informerscope/wasm/view/hands"
	"github.com/informerscope/informerscope/wasm/view/lesson"
	"github.com/informerscope/informerscope/wasm/view/live"
	"github.com/informerscope/informerscope/wasm/view/loop"
	"github.com/informerscope/informerscope/wasm/view/stage"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Page returns the whole page, and the attributes of the document's root element.
// They tell styles and tests the page's state.
func (v *View) Page(m *session.Model) (*tree.Node, map[string]string) {
	p := &page{m: m, f: m.Stage.Frame, l: m.Stage.Lists}
	if p.f == nil {
		p.f = stage.EmptyFrame(&m.Draft.Setup)
		p.l = p.f
	}
	v.speak(m, p.f)
	p.w, p.cache = v.words, v.cache
	notice := p.notice()
	if m.Loop.Visible() {
		return p.loop(notice)
	}
	if m.OnCard() {
		return p.card(notice)
	}
	root := tree.El("div", "page",
		lesson.Skip(p.w, &m.Lesson),
		p.header(),
		notice,
		p.paneName(0),
		p.stage().Draw().Key("stage"), // it stays the same element when another one comes before it
		p.paneName(1),
		v.secondStage(p),
		p.inspector(),
		p.code(),
		p.transport(),
		lesson.Caption(p.w, m, p.l),
		lesson.Speaker(p.w, m, p.f, p.l),
		lesson.Handout(p.w, &m.Lesson),
		lesson.Record(p.w, &m.Lesson),
		p.dialog(),
		p.liveRegion(),
		lesson.Aloud(p.w, &m.Lesson),
		tree.Text("p", "visually-hidden", live.Status(p.w, &m.Cluster)).Attr("aria-live", "polite").Attr("aria-atomic", "true"),
	)
	if m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	if m.Site.Embedded {
		root.RemoveRefused(m.Site.Refuses)
	}
	attrs := p.document()
	if notice != nil {
		attrs["data-notice"] = "true"
	}
	return root, attrs
}

// loop returns the page where it shows the loop, and the attributes of the root element.
func (p *page) loop(notice *tree.Node) (*tree.Node, map[string]string) {
	root := tree.El("div", "page", loop.Draw(p.w, p.m, notice)...).Add(p.dialog()).Key("loop")
	if p.m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	if p.m.Site.Embedded {
		root.RemoveRefused(p.m.Site.Refuses)
	}
	return root, p.document()
}

// card returns the page where it shows the report card of the capture, and the attributes of the root element.
func (p *page) card(notice *tree.Node) (*tree.Node, map[string]string) {
	m, o := p.m, p.m.Open.Trace
	var remarks []string
	for _, r := range o.Remarks {
		remarks = append(remarks, dialog.Remark(p.w, r))
	}
	root := tree.El("div", "page page-card", lesson.Skip(p.w, &m.Lesson), p.header(), notice, card.Draw(p.w, p.cache, m, remarks),
		live.Strip(p.w, &m.Cluster, m.Transport.Following, p.f.Step), p.dialog())
	if m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	return root, p.document()
}

func (p *page) document() map[string]string {
	m := p.m
	attrs := map[string]string{
		"lang":         session.LanguageOf(m.Settings.Lang).Tag,
		"dir":          session.LanguageOf(m.Settings.Lang).Dir,
		"data-ready":   widget.Truth(m.Ready()),
		"data-arrived": widget.Truth(m.Arrived()), // "informerscope open --picture" waits for it
		"data-loading": widget.Truth(m.Open.Loading),
		"data-playing": widget.Truth(m.Transport.Playing || m.Loop.Playing || m.Lesson.PlaysOn()),
	}
	if m.Settings.Theme != "" {
		attrs["data-theme"] = m.Settings.Theme
	}
	if m.Stage.Frame != nil {
		attrs["data-step"] = words.Itoa(m.Stage.Frame.Step)
	}
	if m.Loop.Visible() {
		attrs["data-view"], attrs["data-beat"] = string(navigation.Loop), words.Itoa(int64(m.Loop.Beat))
	}
	if m.OnCard() {
		attrs["data-view"] = string(navigation.Card)
	}
	if m.Room.Active {
		attrs["data-presenting"] = "true"
	}
	if m.Room.Spot != "" {
		attrs["data-spot"] = m.Room.Spot
	}
	if m.Room.Blank {
		attrs["data-blank"] = "true"
	}
	if f := m.Stage.Frame; f != nil && !hands.HasFutures(&m.Hands) && (f.Work.Controller == nil || len(f.Process.Informers) == 0) {
		attrs["data-strip"] = "true" // what is printed has room below the stage, which rows of futures and a controller below several informers take
	}
	if m.Front.Code {
		attrs["data-source"] = "true"
	}
	if m.Transport.Crowded() {
		attrs["data-crowded"] = "true"
	}
	if compare.Paired(m) {
		attrs["data-beside"] = words.Itoa(m.Stage.Frame.Second.Step)
		attrs["data-pane"] = words.Itoa(m.Second.Pane + 1)
	}
	if m.Front.Dialog != "" {
		attrs["data-dialog"] = m.Front.Dialog
	}
	if m.Lesson.Learning != nil {
		attrs["data-lesson"], attrs["data-stop"] = m.Lesson.Learning.Name, words.Itoa(m.Lesson.Learning.Stop)
		if g, ok := m.Lesson.Learning.Answers[m.Lesson.Learning.Find(link.PartQuestion)]; ok && g.Judged != nil && g.Option >= 0 {
			attrs["data-answered"] = map[bool]string{true: "right", false: "wrong"}[g.Correct()]
		}
	}
	if m.Lesson.OnPaper() {
		attrs["data-handout"] = "true"
	}
	if covered(m) {
		attrs["data-covered"] = "true"
	}
	if m.Cluster.Live != nil {
		attrs["data-live"] = "stopped"
		if m.Cluster.Live.Following {
			attrs["data-live"] = "following"
		}
	}
	return attrs
}
