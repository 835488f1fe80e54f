// Package view describes what the page looks like. Each part of the page is a package of
// functions from the model, or a piece of it, to nodes; here they are put together. Nothing
// is changed by them, and none knows a browser.
package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/hands"
	"github.com/informerscope/informerscope/wasm/view/lesson"
	"github.com/informerscope/informerscope/wasm/view/live"
	"github.com/informerscope/informerscope/wasm/view/panel"
	"github.com/informerscope/informerscope/wasm/view/stage"
	"github.com/informerscope/informerscope/wasm/view/timeline"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// page is one rendering.
type page struct {
	m    *session.Model
	w    *words.Words
	f    *link.Frame // the newest, for numbers and charts
	l    *link.Frame // the one for lists
	kept widget.Kept
}

// View renders pages one after the other. It keeps a part of the page while nothing
// changes from which the part is made; a patcher passes over such a part.
type View struct {
	words  *words.Words
	kept   widget.Kept
	second widget.Kept // of the second machine's stage
}

// speak sees to it that the view has the words of the model's language. What was kept in
// another language is dropped.
func (v *View) speak(m *session.Model, f *link.Frame) {
	if v.words == nil || v.words.Lang != m.Settings.Lang || m.Settings.Words == nil {
		*v = View{words: words.New(m.Settings.Lang), kept: widget.Kept{}}
	}
	v.words.Texts, v.words.Keys, v.words.Listeners = m.Settings.Words, m.Keyboard.KeysOf, f.Processor.Listeners
}

// Page returns the whole page, and the attributes of the document's root element.
// They tell styles and tests the page's state.
func (v *View) Page(m *session.Model) (*tree.Node, map[string]string) {
	p := &page{m: m, f: m.Stage.Frame, l: m.Stage.Lists}
	if p.f == nil {
		p.f = stage.Nothing(&m.Draft.Setup)
		p.l = p.f
	}
	v.speak(m, p.f)
	p.w, p.kept = v.words, v.kept
	notice := p.notice()
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
		tree.Text("p", "visually-hidden", live.Says(p.w, &m.Cluster)).Attr("aria-live", "polite").Attr("aria-atomic", "true"),
	)
	if m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	if m.Site.Embedded {
		root.Without(m.Site.Refuses)
	}
	attrs := p.document()
	if notice != nil {
		attrs["data-notice"] = "true"
	}
	return root, attrs
}

func (p *page) document() map[string]string {
	m := p.m
	attrs := map[string]string{
		"lang":         session.LanguageOf(m.Settings.Lang).Tag,
		"dir":          session.LanguageOf(m.Settings.Lang).Dir,
		"data-ready":   widget.Truth(m.Ready()),
		"data-loading": widget.Truth(m.Open.Loading),
		"data-playing": widget.Truth(m.Transport.Playing || m.Lesson.PlaysOn()),
	}
	if m.Settings.Theme != "" {
		attrs["data-theme"] = m.Settings.Theme
	}
	if m.Stage.Frame != nil {
		attrs["data-step"] = words.Itoa(m.Stage.Frame.Step)
	}
	if m.Plain() {
		attrs["data-density"] = "plain"
	}
	if m.Room.On {
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
			attrs["data-answered"] = map[bool]string{true: "right", false: "wrong"}[g.Right()]
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

// cut reports whether the newest frame appears at once. After a jump, or at a speed that
// no eye can follow, nothing travels or fades.
func cut(m *session.Model) bool {
	return m.Stage.Frame == nil || m.Stage.Frame.Dir == 0 || m.Transport.Crowded()
}

// Motion returns how the change to the newest frame is shown.
func Motion(m *session.Model) *tree.Motion {
	if m.Stage.Frame == nil {
		return &tree.Motion{}
	}
	millis := m.Transport.Millis()
	if cut(m) {
		millis = 0
	}
	return stage.Motion(m.Stage.Frame, millis, !m.Transport.Crowded())
}

// Says returns the sentence about the step that is shown, as text.
func Says(m *session.Model) string {
	if m.Stage.Frame == nil || m.Settings.Words == nil {
		return ""
	}
	w := words.New(m.Settings.Lang)
	w.Texts, w.Listeners = m.Settings.Words, m.Stage.Frame.Processor.Listeners
	return w.Plain(m.Stage.Frame.Said)
}

// stage returns the first machine's stage.
func (p *page) stage() *stage.Stage {
	m := p.m
	st := &stage.Stage{
		Words: p.w, Kept: p.kept, Frame: p.f, Lists: p.l, Plain: m.Plain(),
		Cut: cut(m), Live: m.Cluster.Live != nil && m.Cluster.Live.Following, Chain: chainMarks(m), Room: m.Room.On, Spot: m.Room.Spot, Menu: p.menu,
	}
	if d := m.Second.AtDiffer(); d != nil {
		st.Differs = d.Handler
	}
	if l := m.Lesson.Learning; l != nil {
		st.Lesson = l.Stations
	}
	if m.Stage.Frame == nil {
		st.Curtain = p.curtain()
	}
	return st
}

// liveRegion returns what a screen reader says of the steps: what each did, and why that
// matters.
func (p *page) liveRegion() *tree.Node {
	said := ""
	if p.m.Stage.Frame != nil && p.m.Settings.Words != nil {
		said = p.w.Plain(p.m.Stage.Heard.Said)
		if why := p.m.Stage.Heard.Why; why != nil {
			said += " " + p.w.Plain(*why)
		}
	} else if p.m.Open.Loading {
		said = p.w.T("ui.loading")
	}
	return tree.Text("p", "visually-hidden", said).Attr("aria-live", "polite").Attr("aria-atomic", "true")
}

// transport returns the row of controls with the timeline below, and the futures between them.
func (p *page) transport() *tree.Node {
	w, m := p.w, p.m
	return tree.El("footer", "transport",
		live.Strip(w, &m.Cluster, m.Transport.Following, p.f.Step),
		timeline.Controls(w, m, p.f, hands.Changes(w, m.Hands.Lanes)),
		hands.Futures(w, &m.Hands, m.Open.Trace != nil && m.Open.Trace.Script, timeline.ScaleOf(m, p.f).At),
		timeline.Draw(w, p.kept, m, p.f, covered(m)),
	).Attr("aria-label", w.T("ui.transport"))
}

// covered reports whether what comes next is hidden, since somebody is to guess it.
func covered(m *session.Model) bool {
	return m.Lesson.Learning.OpenQuestion() >= 0 || m.Guess.Asked.Open()
}

// code returns the engine's source for the step, where the viewer wants it.
func (p *page) code() *tree.Node {
	if !p.m.Front.Code {
		return nil
	}
	return panel.Code(p.w, p.l)
}

// menu returns what can be done at a station.
func (p *page) menu(station, title string) *tree.Node {
	m := p.m
	if m.Stage.Frame == nil || m.Open.Trace == nil {
		return nil
	}
	var guards []*tree.Node
	if station == link.StationWork && m.Second.Guard() != "" {
		guards = append(guards, widget.MenuItem(p.w.T("ui.tally.ask"), "", "countGuards", "").Key("count"))
		for _, g := range compare.Guards(m) {
			guards = append(guards, widget.MenuItem(p.w.Tn("ui.guard.beside", "name", p.w.T("ui.guard."+g.Guard)), "", "standBeside", session.Choice(g)).Key(g.Guard))
		}
	}
	return hands.Menu(p.w, m.Rest(), station, title, m.Expr.RunTos(station), m.Hands.Menu == station, guards...)
}

// chainMarks returns the numbers that are drawn over the stage, where the members of the chain
// are. web/page/chain.js reads them from the stage.
func chainMarks(m *session.Model) string {
	var b strings.Builder
	for _, x := range m.Why.Marked() {
		b.WriteString(strconv.Itoa(x.N) + " " + x.Place + "\n")
	}
	return b.String()
}
