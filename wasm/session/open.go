package session

import (
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// open opens a source. What was shown disappears at once, so that nobody takes it
// for a part of the new one.
func (m *Model) open(s navigation.Source) []Cmd {
	m.begin(s)
	m.Transport.Following = address.IsLive(s.URL)
	m.Kinds.Typed = m.Kinds.Named(&s)
	r := link.Open{URL: s.URL, Name: s.Name, Text: s.Text, Kind: m.Kinds.Typed}
	if s.IsViewers() {
		r.Profile = cmp.Or(s.Profile, m.Nav.Plays)
	}
	if s.Chosen != "" {
		r.Chosen = strings.Split(s.Chosen, "\n")
	}
	return m.send(r, s.URL == "" && s.Text == "")
}

// begin forgets what was open, since s is opened now. A concern without a line here has nothing to forget.
func (m *Model) begin(s navigation.Source) {
	m.Nav.Opens()
	m.Lesson.Reset(s.Name)
	m.Open = m.Open.Next(s)
	m.Sharing.Share = nil
	m.Stage = Stage{Axis: m.Stage.Axis, heard: m.Stage.heard}
	m.Transport.reset()
	m.ask = requests{id: m.ask.id, opening: true}
	m.Find.Reset()
	m.Expr.Reset()
	m.Indexer.Reset()
	m.Causes.Forget()
	m.Draft.Refused = nil
	m.Hands.Reset()
	m.Second.reset()
	m.Guess.Asked = nil
	m.Cluster.Live = nil
	m.Save.Reset()
	m.Front.reset(m.Lesson.Learning != nil)
	m.Loop.Reset(m.Open.View == navigation.Loop, 1)
	m.Card = Card{}
}

// restart starts another worker in the place of one that has ended.
func (m *Model) restart() []Cmd {
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
	if m.Open.Trace == nil {
		m.Kinds.refusedKind(m.Open.Source, false, why)
	} else {
		m.Kinds.refusedKind(m.Second.source, true, why)
	}
	if m.Open.Trace == nil && (id == m.ask.openID || why.Sentence.ID == "fail.withdrawn") {
		m.Nav.Refused()
		m.Open.Restore()
		if m.Open.Failure != nil && why.Sentence.ID == "fail.withdrawn" {
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
	edited := !first && m.Draft.Edited()
	m.Open.SetOpened(o)
	var cmds []Cmd
	if first || !o.Chosen {
		m.Sharing.usual = cloneSetup(o.Setup)
		if !edited { // another informer has other handlers
			m.Draft.Setup = cloneSetup(o.Setup)
		}
	}
	if first {
		m.Nav.Opened()
		m.chooseView()
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

// complete takes in that all has been read and run: now it is known how many steps
// there are.
func (m *Model) complete() []Cmd {
	m.ask.complete = true
	var cmds []Cmd
	if f := m.Stage.Frame; f != nil && m.Loop.Shown { // which waits for its first step
		cmds = m.Loop.FrameShown(f, true)
	}
	return append(append(cmds, m.fit()...), m.askTimeline()...)
}

func (m *Model) show(f *link.Frame) []Cmd {
	if m.ask.opening {
		return nil
	}
	if m.Transport.Playing && m.Transport.byClock() && m.Stage.Frame != nil && f.Dir == 0 && f.Step > m.Stage.Frame.Step+1 {
		m.Transport.play.rushed = m.Transport.play.now
	}
	m.Stage.Frame = f
	m.Guess.stepShown(f.Step)
	if m.ask.complete && (f.Complete || m.Open.Trace.Script) {
		m.Open.Loading = false
	}
	if m.Stage.Lists == nil || !f.Brief {
		m.Stage.Lists, m.Transport.play.listed = f, m.Transport.play.now
	}
	m.Stage.hear(f, m.Transport.byItself(), m.Transport.play.now)
	if m.Save.Film != nil {
		return m.Save.FrameShown()
	}
	if m.ask.moving == 0 && len(m.ask.waiting) == 0 {
		m.Nav.RequestsDone()
	}
	cmds, ok := m.Lesson.FrameShown(f, m.Hands.Lanes)
	if ok {
		return append(cmds, m.moveOn()...)
	}
	return append(cmds, m.frameShown(f)...)
}

// frameShown goes on after a frame after which the lesson has nothing to do.
func (m *Model) frameShown(f *link.Frame) []Cmd {
	if m.Transport.Playing && f.Break != "" {
		m.Expr.Break = f.Break
		return append(m.Transport.set(false), m.moveOn()...)
	}
	if m.Transport.Playing && m.Transport.play.until > 0 && f.Step >= m.Transport.play.until {
		return append(m.Transport.set(false), m.moveOn()...)
	}
	if cmds := m.Nav.StepShown(); cmds != nil {
		return cmds
	}
	if m.Loop.Shown {
		return append(m.moveOn(), m.Loop.FrameShown(f, m.ask.complete)...)
	}
	live := m.Cluster.Live != nil && m.Cluster.Live.Following
	if m.Transport.Playing && f.Step >= f.Steps && (live || (f.Complete || !m.Open.Loading) && !f.Starved) {
		return append(append(m.Transport.set(live), m.Indexer.AskAgain()...), m.moveOn()...)
	}
	return append(m.Indexer.AskAgain(), m.moveOn()...)
}

// showInformer shows the informer with a number, or the next one if there is none.
func (m *Model) showInformer(i int) []Cmd {
	o := m.Open.Trace
	if i < 0 || i >= len(o.Informers) {
		i = (o.Informer + 1) % len(o.Informers)
	}
	m.forgetInformer(i)
	return m.rerun(link.ShowInformer{Informer: i})
}

// followCluster lets the worker watch what was chosen.
func (m *Model) followCluster() []Cmd {
	if !m.Cluster.ready() {
		return nil
	}
	m.begin(navigation.Source{Name: m.Cluster.Found.Title()})
	m.Transport.Following = true
	cmds := m.send(link.FollowCluster{Name: m.Open.Name, Follow: m.Cluster.Want}, false)
	return append(cmds, m.Transport.wantTick()...)
}

// timelineEvery is how often the page asks for the timeline of a live trace, in
// nanoseconds. The longer the trace, the longer the worker needs to gather it.
const timelineEvery = 1e9

func (m *Model) followed(l *link.Live) []Cmd {
	before := m.Cluster.Live
	ended := before != nil && before.Following && !l.Following
	grown := before == nil || l.Steps != before.Steps
	m.Cluster.Live = l
	if before != nil {
		m.minute(before.Now, l.Now)
	}
	m.Transport.Following = m.Transport.Following && l.Following
	cmds := m.Transport.wantTick()
	if ended || grown && l.Now-m.ask.timed >= timelineEvery {
		m.ask.timed = l.Now
		cmds = append(cmds, m.askTimeline()...)
	}
	return cmds
}

// logged takes in what was logged near the step shown. A log that the viewer has just laid over the trace is shown,
// and from now on the trace belongs to what was chosen with it: a reload opens both.
func (m *Model) logged(x *link.Log) []Cmd {
	m.Stage.Log = x
	under := m.Open.Before
	if !x.Laid || under == nil {
		return nil
	}
	m.Front.show(desk.Log)
	return []Cmd{navigation.Rechoose{N: under.Files, WithSecond: true, URL: under.URL}}
}

func (m *Model) compared(b *link.SecondMachine) []Cmd {
	m.Second.compared(b)
	if m.Second.Comparison == nil {
		m.Stage.removeSecond()
	}
	if _, is := m.Second.Chosen.(link.SecondCapture); is {
		return m.painted() // it is read once that was painted
	}
	return nil
}
