package view

import (
	"strconv"

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
	root, attrs := p.document(root)
	if notice != nil {
		attrs["data-notice"] = "true"
	}
	return root, attrs
}

// loop returns the page where it shows the loop, and the attributes of the root element.
func (p *page) loop(notice *tree.Node) (*tree.Node, map[string]string) {
	return p.document(tree.El("div", "page", loop.Draw(p.w, p.m, notice)...).Add(p.dialog()).Key("loop"))
}

// card returns the page where it shows the report card of the capture, and the attributes of the root element.
func (p *page) card(notice *tree.Node) (*tree.Node, map[string]string) {
	m, o := p.m, p.m.Open.Trace
	var remarks []string
	for _, r := range o.Remarks {
		remarks = append(remarks, dialog.Remark(p.w, r))
	}
	return p.document(tree.El("div", "page page-card", lesson.Skip(p.w, &m.Lesson), p.header(), notice, card.Draw(p.w, p.cache, m, remarks),
		live.Strip(p.w, &m.Cluster, m.Transport.Following, p.f.Step), p.dialog()))
}

// document completes the page by what it has whatever it shows, and returns the attributes of the root element, too.
func (p *page) document(root *tree.Node) (*tree.Node, map[string]string) {
	m := p.m
	if m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	if m.Site.Embedded {
		root.RemoveRefused(m.Site.Refuses)
	}
	attrs := map[string]string{
		"lang":         session.LanguageOf(m.Settings.Lang).Tag,
		"dir":          session.LanguageOf(m.Settings.Lang).Dir,
		"data-ready":   strconv.FormatBool(m.Ready()),
		"data-arrived": strconv.FormatBool(m.Arrived()), // "informerscope open --picture" waits for it
		"data-loading": strconv.FormatBool(m.Open.Loading),
		"data-playing": strconv.FormatBool(m.Transport.Playing || m.Loop.Playing || m.Lesson.PlaysOn()),
	}
	text := func(name, value string) {
		if value != "" {
			attrs[name] = value
		}
	}
	flag := func(name string, on bool) {
		if on {
			attrs[name] = "true"
		}
	}
	text("data-theme", m.Settings.Theme)
	if m.Loop.Visible() {
		attrs["data-view"], attrs["data-beat"] = string(navigation.Loop), words.Itoa(int64(m.Loop.Beat))
	}
	if m.OnCard() {
		attrs["data-view"] = string(navigation.Card)
	}
	flag("data-presenting", m.Room.Active)
	text("data-spot", m.Room.Spot)
	flag("data-blank", m.Room.Blank)
	if f := m.Stage.Frame; f != nil {
		attrs["data-step"] = words.Itoa(f.Step)
		// What is printed has room below the stage, which rows of futures and a controller below several informers take.
		flag("data-strip", !hands.HasFutures(&m.Hands) && (f.Work.Controller == nil || len(f.Process.Informers) == 0))
	}
	flag("data-source", m.Front.Code)
	flag("data-crowded", m.Transport.Crowded())
	if compare.Paired(m) {
		attrs["data-beside"] = words.Itoa(m.Stage.Frame.Second.Step)
		attrs["data-pane"] = words.Itoa(m.Second.Pane + 1)
	}
	text("data-dialog", m.Front.Dialog)
	if m.Lesson.Learning != nil {
		attrs["data-lesson"], attrs["data-stop"] = m.Lesson.Learning.Name, words.Itoa(m.Lesson.Learning.Stop)
		if g, ok := m.Lesson.Learning.Answers[m.Lesson.Learning.Find(link.PartQuestion)]; ok && g.Judged != nil && g.Option >= 0 {
			attrs["data-answered"] = map[bool]string{true: "right", false: "wrong"}[g.Correct()]
		}
	}
	flag("data-handout", m.Lesson.OnPaper())
	flag("data-covered", covered(m))
	if m.Cluster.Live != nil {
		attrs["data-live"] = map[bool]string{true: "following", false: "stopped"}[m.Cluster.Live.Following]
	}
	return root, attrs
}
