// Package view describes what the page looks like. Each station has a file with a
// function from the model to nodes. The package changes nothing, and knows no browser.
package view

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// page is one rendering.
type page struct {
	m    *session.Model
	w    *words.Words
	f    *link.Frame // the newest, for numbers and charts
	l    *link.Frame // the one for lists
	view *View
	// second tells that f is the second machine's frame. Its stage can be looked
	// at, and has nothing that changes the machine.
	second bool
}

// View renders pages one after the other. It keeps a part of the page while nothing
// changes from which the part is made; a patcher passes over such a part.
type View struct {
	words  *words.Words
	kept   map[string]kept
	second *View // of the second machine's stage
}

type kept struct {
	of   any
	node *tree.Node
}

// keep renders a part of the page, unless the part was last rendered from the same thing.
func (p *page) keep(part string, of any, render func() *tree.Node) *tree.Node {
	if k, ok := p.view.kept[part]; ok && k.of == of {
		return k.node
	}
	n := render()
	p.view.kept[part] = kept{of, n}
	return n
}

// speak sees to it that the view has the words of the model's language. What was kept in
// another language is dropped.
func (v *View) speak(m *session.Model, f *link.Frame) {
	if v.words == nil || v.words.Lang != m.Settings.Lang || m.Settings.Words == nil {
		*v = View{words: words.New(m.Settings.Lang), kept: map[string]kept{}}
	}
	v.words.Texts, v.words.Keys, v.words.Listeners = m.Settings.Words, m.Keyboard.Of, f.Processor.Listeners
}

// Page returns the whole page, and the attributes of the document's root element.
// They tell styles and tests the page's state.
func (v *View) Page(m *session.Model) (*tree.Node, map[string]string) {
	p := &page{m: m, f: m.Stage.Frame, l: m.Stage.Lists, view: v}
	if p.f == nil {
		p.f = nothing(m)
		p.l = p.f
	}
	v.speak(m, p.f)
	p.w = v.words
	root := tree.El("div", "page",
		p.header(),
		p.notice(),
		p.paneName(0),
		p.stage(),
		p.paneName(1),
		p.secondStage(),
		p.inspector(),
		p.code(),
		p.transport(),
		p.caption(),
		p.speaker(),
		p.handout(),
		p.dialog(),
		p.liveRegion(),
		tree.Text("p", "visually-hidden", p.liveSays()).Attr("aria-live", "polite").Attr("aria-atomic", "true"),
	)
	if m.Front.Dragging {
		root.Add(tree.El("div", "dropping", tree.Text("p", "", p.w.T("ui.dropHere"))).Key("dropping"))
	}
	if m.Site.Embedded {
		root.Without(m.Site.Refuses)
	}
	return root, p.document()
}

func (p *page) document() map[string]string {
	m := p.m
	attrs := map[string]string{
		"lang":         session.LanguageOf(m.Settings.Lang).Tag,
		"dir":          session.LanguageOf(m.Settings.Lang).Dir,
		"data-ready":   truth(m.Ready()),
		"data-loading": truth(m.Open.Loading),
		"data-playing": truth(m.Transport.Playing),
	}
	if m.Settings.Theme != "" {
		attrs["data-theme"] = m.Settings.Theme
	}
	if m.Stage.Frame != nil {
		attrs["data-step"] = words.Itoa(m.Stage.Frame.Step)
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
	if m.Transport.Crowded() {
		attrs["data-crowded"] = "true"
	}
	if p.paired() {
		attrs["data-beside"] = words.Itoa(m.Stage.Frame.Second.Step)
		attrs["data-pane"] = words.Itoa(m.Second.Pane + 1)
	}
	if m.Front.Dialog != "" {
		attrs["data-dialog"] = m.Front.Dialog
	}
	if m.Lesson.Learning != nil {
		attrs["data-lesson"], attrs["data-stop"] = m.Lesson.Learning.Name, words.Itoa(m.Lesson.Learning.Stop)
		if g, ok := m.Lesson.Learning.Answers[m.Lesson.Learning.Find(lesson.Question)]; ok && g.Judged != nil && g.Option >= 0 {
			attrs["data-answered"] = map[bool]string{true: "right", false: "wrong"}[g.Right()]
		}
	}
	if m.Lesson.Handout != nil && m.Lesson.Handout.Ready {
		attrs["data-handout"] = "true"
	}
	if p.covered() {
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

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// nothing is a frame for a stage without a trace, on which all stations are empty.
func nothing(m *session.Model) *link.Frame {
	f := &link.Frame{Said: link.Sentence{ID: "step.start"}}
	f.Queue.Kind = link.DeltaFIFO
	f.Reflector.State, f.Loop.State = link.ReflectorStart, link.LoopWaiting
	f.Wire.State = link.WireNone
	f.Reflector.ResyncIn, f.Server.Next, f.Store.Lit = -1, -1, -1
	for i, h := range m.Draft.Setup.Handlers {
		f.Processor.Listeners = append(f.Processor.Listeners, link.Listener{ID: i, Name: h.Name, Feeds: h.Workqueue})
	}
	return f
}

// cut reports whether the newest frame appears at once. After a jump, or at a speed that
// no eye can follow, nothing travels or fades.
func cut(m *session.Model) bool {
	return m.Stage.Frame == nil || m.Stage.Frame.Dir == 0 || m.Transport.Crowded()
}

// Motion says how the change to the newest frame is shown.
func Motion(m *session.Model) *tree.Motion {
	f := m.Stage.Frame
	if f == nil {
		return &tree.Motion{}
	}
	out := &tree.Motion{Millis: m.Transport.Millis(m), Back: f.Dir < 0}
	if cut(m) {
		out.Millis = 0
	}
	if !m.Transport.Crowded() {
		out.Lit = f.Lit
	}
	if out.Millis == 0 {
		return out
	}
	for _, v := range f.Moves {
		out.Moves = append(out.Moves, tree.Move{Letter: letter(v.Chip), Key: v.Chip.Key, Label: label(v.Chip), From: v.From, To: v.To, How: string(v.How)})
	}
	return out
}

// Says is the sentence about the step that is shown, as text.
func Says(m *session.Model) string {
	if m.Stage.Frame == nil || m.Settings.Words == nil {
		return ""
	}
	w := words.New(m.Settings.Lang)
	w.Texts, w.Listeners = m.Settings.Words, m.Stage.Frame.Processor.Listeners
	return w.Plain(m.Stage.Frame.Said)
}

func (p *page) stage() *tree.Node {
	tag, wires, chain := "main", wires(), chainLine()
	if p.second {
		tag, wires, chain = "section", nil, nil
	}
	s := tree.El(tag, "stage", wires, chain,
		p.server(), p.wire(), p.reflector(), p.queue(), p.loop(), p.store(), p.processor(), p.work(),
	).Attr("aria-label", p.w.T("ui.stage"))
	s.Attr("data-watch", p.f.Wire.State)
	s.Attr("data-aside", strings.Join(p.f.Aside, " "))
	s.Flag("data-writes", p.f.Work.Writes)
	s.Flag("data-simulated", p.f.Server.Simulated)
	s.Attr("data-now", p.actorStation())
	s.Attr("data-chain", p.chainMarks())
	if cut(p.m) {
		s.Attr("data-cut", "true")
	}
	if p.blocked(link.ActorReflector, link.ActorResync) {
		s.Attr("data-blocked", "enqueue")
	} else if p.blocked(link.ActorLoop) {
		s.Attr("data-blocked", "pop")
	}
	if p.m.Stage.Frame == nil {
		s.Add(p.curtain())
	}
	return s
}

// actorStation is the station at which the step was made.
func (p *page) actorStation() string {
	if p.f.Elsewhere != "" {
		return ""
	}
	switch words.Kind(p.f.Actor) {
	case link.ActorReflector, link.ActorResync:
		return link.StationReflector
	case link.ActorLoop:
		return link.StationLoop
	case link.ActorPop, link.ActorRun, link.ActorUser:
		return link.StationProcessor
	case link.ActorWorker, link.ActorDelaying:
		return link.StationWork
	}
	return ""
}

// wires is the element in which web/page/wires.js draws the wires between the
// stations.
func wires() *tree.Node {
	arrow := tree.El("svg:marker", "", tree.El("svg:path", "arrow").Attr("d", "M0 0L8 4L0 8z")).
		Attr("id", "arrow").Attr("viewBox", "0 0 8 8").Attr("refX", "6").Attr("refY", "4").
		Attr("markerWidth", "11").Attr("markerHeight", "11").Attr("markerUnits", "userSpaceOnUse").Attr("orient", "auto")
	return tree.El("svg:svg", "wires", tree.El("svg:defs", "", arrow)).
		Attr("id", "wires").Attr("aria-hidden", "true").Attr("data-transient", "")
}

// station is what all stations have in common: a title, badges at the right, and the
// content.
func (p *page) station(name, title string, aside []*tree.Node, content ...*tree.Node) *tree.Node {
	class := "station st-" + name
	if p.actorStation() == name {
		class += " now"
	}
	if slices.Contains(p.f.Aside, name) || p.stepsAside(name) {
		class += " aside"
	}
	if p.m.Room.Spot == name {
		class += " spot"
	}
	head := tree.El("header", "station-head", tree.Text("h2", "", title), tree.El("div", "station-says", aside...))
	if !p.second {
		head.Add(p.menu(name, title))
	}
	label := title
	if p.second {
		label = letters[1] + ": " + title
	}
	n := tree.El("section", class, head).Add(content...).
		Attr("data-station", name).Attr("aria-label", label)
	if p.m.Room.On { // a click throws light on it
		n.Act("spot", name)
	}
	return n
}

// liveRegion is what a screen reader says of the steps: what each did, and why that
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
