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
	"github.com/informerscope/informerscope/wasm/view/live"
	"github.com/informerscope/informerscope/wasm/view/panel"
	"github.com/informerscope/informerscope/wasm/view/stage"
	"github.com/informerscope/informerscope/wasm/view/timeline"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// page is one rendering.
type page struct {
	m     *session.Model
	w     *words.Words
	f     *link.Frame // the newest, for numbers and charts
	l     *link.Frame // the one for lists
	cache widget.Cache
}

// View renders pages one after the other. It keeps a part of the page while nothing
// changes from which the part is made; a patcher passes over such a part.
type View struct {
	words  *words.Words
	cache  widget.Cache
	second widget.Cache // of the second machine's stage
}

// speak sees to it that the view has the words of the model's language. What was kept in
// another language is dropped.
func (v *View) speak(m *session.Model, f *link.Frame) {
	if v.words == nil || v.words.Lang != m.Settings.Lang || m.Settings.Words == nil {
		*v = View{words: words.New(m.Settings.Lang), cache: widget.Cache{}}
	}
	v.words.Texts, v.words.Keys, v.words.Listeners = m.Settings.Words, m.Keyboard.KeysOf, f.Processor.Listeners
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

// Sentence returns the sentence about the step that is shown, as text.
func Sentence(m *session.Model) string {
	if m.Stage.Frame == nil || m.Settings.Words == nil {
		return ""
	}
	w := words.New(m.Settings.Lang)
	w.Texts, w.Listeners = m.Settings.Words, m.Stage.Frame.Processor.Listeners
	said, _ := m.Stage.Frame.Sentences()
	return w.Plain(said)
}

// stage returns the first machine's stage.
func (p *page) stage() *stage.Stage {
	m := p.m
	st := &stage.Stage{
		Words: p.w, Cache: p.cache, Frame: p.f, Lists: p.l,
		Cut: cut(m), Live: m.Cluster.Live != nil && m.Cluster.Live.Following, Chain: chainMarks(m), Room: m.Room.Active, Source: m.Room.Active && m.Front.Code, Spot: m.Room.Spot, Menu: p.menu, Grip: p.grip, OpenMenu: m.Hands.Menu, Cuts: p.cuts,
	}
	if d := m.Second.AtDiffer(); d != nil {
		st.Differs = d.Handler
	}
	if st.Lesson = m.Subjects(); st.Lesson != nil {
		st.Alone = true
	} else if l := m.Lesson.Learning; l != nil {
		st.Lesson = l.Stations
	}
	if m.Stage.Frame == nil {
		st.Curtain = p.curtain()
	}
	return st
}

// liveRegion returns what a screen reader says of the steps: what each did, and why that
// matters. While steps follow one another slowly, it says nothing of a step that isn't shown any more, and nothing while
// the machine is on its way to a stop of a lesson, whose text comes next.
func (p *page) liveRegion() *tree.Node {
	said, l, t := "", p.m.Lesson.Learning, &p.m.Transport
	if l != nil && l.Coming || t.Playing && t.Rate() < 5 && p.m.Stage.Frame != nil && p.m.Stage.Heard.Step != p.m.Stage.Frame.Step {
		// it has been said, or is not worth it
	} else if p.m.Stage.Frame != nil && p.m.Settings.Words != nil {
		said = p.w.Plain(p.m.Stage.Heard.Sentence)
		if why := p.m.Stage.Heard.Reason; why != nil {
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
		hands.Futures(w, &m.Hands, m.Open.Trace != nil && m.Open.Trace.Script, timeline.ScaleOf(m, p.f).Position),
		timeline.Draw(w, p.cache, m, p.f, covered(m)),
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
	return hands.Menu(p.w, m.Surroundings(), station, title, m.Expr.RunTos(station), m.Hands.Menu == station, guards...)
}

// grip returns what can be done at a handler or an object.
func (p *page) grip(station, name string) *tree.Node {
	if p.m.Stage.Frame == nil || p.m.Open.Trace == nil {
		return nil
	}
	return hands.Grip(p.w, p.m.Surroundings(), station, name, p.m.Hands.Menu)
}

// cuts returns what a click on the wire does, which is nothing while somebody is to guess what comes next.
func (p *page) cuts() (says, line string) {
	if covered(p.m) {
		return "", ""
	}
	return hands.Wire(p.w, p.m.Surroundings())
}

// chainMarks returns the numbers that are drawn over the stage, where the members of the chain
// are. web/page/chain.js reads them from the stage.
func chainMarks(m *session.Model) string {
	var b strings.Builder
	for _, x := range m.Causes.Marked() {
		b.WriteString(strconv.Itoa(x.N) + " " + x.Place + "\n")
	}
	return b.String()
}

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
