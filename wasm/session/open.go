package session

import (
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// open opens a source. What was shown disappears at once, so that nobody takes it
// for a part of the new one.
func (m *Model) open(s navigation.Source) []Cmd {
	m.begin(s)
	m.Cluster.keepsUp(address.IsLive(s.URL))
	r := link.Open{URL: s.URL, Name: s.Name, Text: s.Text}
	if s.Own() {
		r.Profile = cmp.Or(s.Profile, m.Nav.Plays)
	}
	if s.Chosen != "" {
		r.Chosen = strings.Split(s.Chosen, "\n")
	}
	return m.send(r, s.URL == "" && s.Text == "")
}

// begin forgets what was open, as s will be. What isn't named here is forgotten.
func (m *Model) begin(s navigation.Source) {
	learn := m.Lesson.Anew(s.Name)
	m.Nav.Opens()
	*m = Model{
		Settings: m.Settings,
		Screen:   m.Screen,
		Site:     m.Site,
		Keyboard: m.Keyboard,
		Palette:  m.Palette,
		Room:     m.Room,

		Open:      m.Open.Next(s),
		Nav:       m.Nav,
		Sharing:   Sharing{usual: m.Sharing.usual},
		Stage:     Stage{Axis: m.Stage.Axis, heard: m.Stage.heard},
		Transport: m.Transport.anew(),
		ask:       asking{id: m.ask.id, opening: true},

		Find:    ask.NewFind(mediator{m}),
		Why:     ask.NewWhy(mediator{m}),
		Expr:    m.Expr.Anew(),
		Indexer: m.Indexer.Anew(),
		Draft:   m.Draft.anew(),
		Hands:   m.Hands.Anew(),
		Second:  m.Second.anew(),
		Lesson:  learn,
		Guess:   Guesses{Score: m.Guess.Score},
		Cluster: m.Cluster.anew(),
		Save:    m.Save.Anew(),
		Front:   m.Front.anew(learn.Learning != nil),
		Density: m.Density.anew(),
	}
}

// restart starts another worker in the place of one that has ended.
func (m *Model) restart() []Cmd {
	if m.Open.Died == "" {
		return nil
	}
	m.Open.Died, m.Open.Memory = "", 0
	// A file at which the worker died would end the next worker, too.
	cmds := append([]Cmd{Restart{}}, m.open(navigation.Bundled)...)
	m.Nav.Replaced()
	return cmds
}

// failed says what has gone wrong in the worker.
func (m *Model) failed(id int, why *link.Failure) []Cmd {
	if m.Open.Trace == nil && m.Open.Source.Lesson() != "" {
		return m.Nav.RefuseLesson(why)
	}
	if m.Open.Trace == nil && (id == m.ask.openID || why.Say.ID == "fail.withdrawn") {
		m.Nav.Refused()
		m.Open.Restore()
		if m.Open.Failure != nil && why.Say.ID == "fail.withdrawn" {
			why = m.Open.Failure // for which it was withdrawn
		}
	}
	m.Open.Failed(why)
	m.Transport.Playing = false
	m.Save.Fail()
	m.Cluster.Seeking = false
	cmds := m.moveOn()
	if why.Draft != "" {
		cmds = append(cmds, m.Nav.Mend(*why)...)
	}
	return cmds
}

// opened takes in what the worker knows of what is open.
func (m *Model) opened(o *link.Opened) []Cmd {
	first := m.Open.Trace == nil
	measured := len(o.Series) > 0 && (first || len(m.Open.Trace.Series) == 0) && m.Expr.Asked == ""
	m.ask.opening = false
	m.Open.Found(o)
	var cmds []Cmd
	if first {
		m.Nav.Opened()
		m.Draft.Setup, m.Sharing.usual = cloneSetup(o.Setup), cloneSetup(o.Setup)
		if m.Expr.Asked != "" || len(m.Expr.Breaks) > 0 {
			cmds = m.Expr.WatchAll()
		}
	}
	if measured { // a viewer who lays series over a capture wants to see one
		m.Front.show(desk.Search)
		cmds = append(cmds, m.Expr.Plot(o.Series[0])...)
	}
	if o.Live && !first {
		return nil // living asks for the timeline now and then
	}
	return append(cmds, m.askTimeline()...)
}

// painted tells the worker when the page has painted what it was told, since the
// worker waits for that. A page that is out of sight tells it at once.
func (m *Model) painted() []Cmd {
	if m.Screen.Hidden {
		return m.send(link.Painted{}, false)
	}
	return []Cmd{Painted{}}
}

// complete is called when all has been read and run: now it is known how many steps
// there are.
func (m *Model) complete() []Cmd {
	m.ask.complete = true
	return append(m.send(link.Fit{Window: m.Window()}, false), m.askTimeline()...)
}

// show puts a frame on the stage.
func (m *Model) show(f *link.Frame) []Cmd {
	if m.ask.opening {
		return nil
	}
	if m.Transport.Playing && m.Transport.ByClock() && m.Stage.Frame != nil && f.Dir == 0 && f.Step > m.Stage.Frame.Step+1 {
		m.Transport.play.rushed = m.Transport.play.now
	}
	m.Stage.Frame = f
	if g := m.Guess.Asked; g != nil && f.Step != g.Step && f.Step != g.Until { // the viewer goes on
		m.Guess.Asked = nil
	}
	if m.ask.complete && (f.Complete || m.Open.Trace.Script) {
		m.Open.Loading = false
	}
	if m.Stage.Lists == nil || !f.Brief {
		m.Stage.Lists, m.Transport.play.listed = f, m.Transport.play.now
	}
	m.Stage.hear(m, f)
	if m.Save.Film != nil {
		return m.Save.Shown()
	}
	if m.ask.moving == 0 && len(m.ask.waiting) == 0 {
		m.Nav.Answered()
	}
	cmds, ok := m.Lesson.Shown(f, m.Hands.Lanes)
	if ok {
		return append(cmds, m.moveOn()...)
	}
	return append(cmds, m.shown(f)...)
}

// shown goes on when a frame is on the stage that leads nowhere in a lesson.
func (m *Model) shown(f *link.Frame) []Cmd {
	if m.Transport.Playing && f.Break != "" {
		m.Expr.Break = f.Break
		return append(m.Transport.set(m, false), m.moveOn()...)
	}
	if m.Transport.Playing && m.Transport.play.until > 0 && f.Step >= m.Transport.play.until {
		return append(m.Transport.set(m, false), m.moveOn()...)
	}
	if cmds := m.Nav.Shown(); cmds != nil {
		return cmds
	}
	if cmds := m.Density.Home.shown(m); cmds != nil {
		return cmds
	}
	live := m.Cluster.Live != nil && m.Cluster.Live.Following
	if m.Transport.Playing && f.Step >= f.Steps && (live || (f.Complete || !m.Open.Loading) && !f.Starved) {
		return append(append(m.Transport.set(m, live), m.Indexer.AskAgain()...), m.moveOn()...)
	}
	return append(m.Indexer.AskAgain(), m.moveOn()...)
}
