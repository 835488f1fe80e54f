package session

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// bundled is the trace that the page opens first.
var bundled = Source{URL: "traces/shop.trace.jsonl.gz", Name: "shop.trace.jsonl.gz"}

// Update changes the model by a message, and returns what has to be done.
func (m *Model) Update(msg Msg) []Cmd {
	cmds := m.update(msg)
	cmds = append(cmds, m.Density.Last.note(m)...)
	return append(cmds, m.Nav.update(m)...)
}

func (m *Model) update(msg Msg) []Cmd {
	switch msg := msg.(type) {
	case Began:
		m.Site.from(msg)
		cmds := m.Nav.began(m, &msg)
		m.Density.Home.await(m, &msg)
		if msg.Ended != "" && m.Open.Failure == nil {
			m.Open.fail(&link.Failure{Say: link.Sentence{ID: "fail.ended"}, Why: link.FaultText(msg.Ended)})
		}
		return append([]Cmd{m.Settings.speak(m.Settings.Lang), Push{m.Nav.History.number(), m.Nav.History.address, true}}, cmds...)
	case Spoke:
		if msg.Words == nil || m.Settings.speaks != "" && m.Settings.speaks != msg.Lang {
			return nil
		}
		another := m.Settings.Lang != msg.Lang
		m.Settings.spoke(msg)
		if another {
			return m.Lesson.Translate()
		}
	case Acted:
		c := byName[msg.Act]
		if c == nil {
			return m.impossible("the command " + msg.Act)
		}
		if !m.Site.Allows(c) {
			return nil
		}
		if msg.Act != "menu" && msg.Act != "close" { // these say themselves which menu stays
			m.Hands.Menu = ""
		}
		m.Save.Report.Note(c.Name)
		return c.do(m, msg.Arg, msg.Value)
	case Pressed:
		return m.Keyboard.press(m, msg)
	case Chose:
		if m.Site.Embedded {
			return nil
		}
		return m.Nav.chose(m, Source{Name: msg.Name, Size: msg.Size})
	case Offered:
		return m.Nav.travel(m, navigation.OnOffered, &occasion{offer: &msg})
	case Packed:
		return m.Sharing.packed(m, msg)
	case Unpacked:
		return m.Nav.unpacked(m, msg)
	case save.Reported:
		m.Save.Report.Take(msg)
	case Copied:
		m.copied(msg.OK)
	case Dragged:
		m.Front.drag(msg.Over)
	case Scrubbed:
		return m.Transport.scrub(m, msg)
	case Replied:
		return m.reply(msg.Reply)
	case Perished:
		m.Open.die(msg)
		m.Transport.stop()
		m.Find.Search = nil
		m.Save.GiveUp()
		m.ask.end()
	case Ticked:
		return m.Transport.ticked(m, msg.Now)
	case Resized:
		return m.resize(msg.Width, msg.Height)
	case Preferred:
		m.Settings.prefer(msg)
	case Returned:
		return m.Nav.returned(m, msg)
	case save.Developed:
		return m.Save.Developed(msg)
	case lesson.Drawn:
		return m.Lesson.Drawn(msg)
	case Titled:
		m.Palette.take(msg)
	case Versioned:
		m.Site.versioned(Version(msg))
	case Stored:
		m.Site.stored(Offline(msg))
	case Hid:
		m.Screen.hide(msg.Hidden)
		return m.Transport.wantTick(m)
	}
	return nil
}

// open opens a source. What was shown disappears at once, so that nobody takes it
// for a part of the new one.
func (m *Model) open(s Source) []Cmd {
	m.begin(s)
	m.Cluster.keepsUp(address.IsLive(s.URL))
	r := link.Open{URL: s.URL, Name: s.Name, Text: s.Text}
	if m.Own() {
		r.Profile = cmp.Or(s.Profile, m.Nav.plays)
	}
	if s.Chosen != "" {
		r.Chosen = strings.Split(s.Chosen, "\n")
	}
	return m.send(r, s.URL == "" && s.Text == "")
}

// offered opens the trace that the page around this one has sent. The first release played any trace
// as v0.22, and its moments and steps are counted there, so a trace with one is still played so.
func (n *Navigation) offered(m *Model, o *Offered) []Cmd {
	n.chosen++
	s := Source{Name: tidyName(o.Title), Size: o.Size, Files: n.chosen}
	if o.When != "" || o.Step > 0 {
		s.Profile = "classic"
	}
	cmds := m.open(s)
	n.comeTo(m, &address.Address{Source: address.Source{File: m.Open.Source.Name}, Way: []link.Waypoint{{When: o.When, Step: o.Step}}})
	return cmds
}

// chose opens the files that the viewer has chosen.
func (n *Navigation) chose(m *Model, s Source) []Cmd {
	n.chosen++
	s.Files = n.chosen
	return n.travel(m, navigation.OnChose, &occasion{chosen: &s})
}

// choose opens the files, or has them stand beside what is open where the viewer wants that.
func (n *Navigation) choose(m *Model, s *Source) []Cmd {
	if m.Front.Dialog == "second" {
		return m.Second.capture(m, *s)
	}
	return m.open(*s)
}

func (m *Model) restart() []Cmd {
	if m.Open.Died == "" {
		return nil
	}
	m.Open.die(Perished{})
	// A file at which the worker died would end the next worker, too.
	cmds := append([]Cmd{Restart{}}, m.open(bundled)...)
	m.Nav.History.replaced(m)
	return cmds
}

func (m *Model) reply(r *link.Reply) []Cmd {
	switch x := r.News.(type) { // some news are about nothing that is open
	case *link.Course:
		m.Lesson.Listed(x)
		return nil
	case *link.FoundLessons:
		m.Lesson.LessonsFound(x)
		return nil
	}
	if r.ID != 0 && r.ID < m.ask.openID { // it is about what was open before
		return nil
	}
	switch r.News.(type) {
	case *link.Frame, *link.Failure:
		if r.ID != 0 && r.ID == m.ask.moving {
			m.ask.moved()
			m.Find.Search = nil
		}
	}
	switch x := r.News.(type) {
	case *link.Opened:
		return m.opened(x)
	case *link.Progress:
		m.Open.progressed(x)
		if x.Phase == link.Done && m.Open.Trace != nil {
			return m.complete()
		}
		return m.painted()
	case *link.Frame:
		return m.show(x)
	case *link.Timeline:
		m.ask.drew()
		m.Stage.drawn(x)
		if m.ask.timelineAgain || x.Axis != m.Stage.Axis {
			return m.askTimeline()
		}
		if m.Open.Loading { // then this frame is the last of the replies that show a new trace
			return m.painted()
		}
	case *link.Object:
		m.Front.inspected(x)
	case *link.Answer:
		m.Indexer.Answered(x)
	case *link.Log:
		return m.Stage.logged(m, x)
	case *link.Keys:
		return m.Find.Found(x)
	case *link.Why:
		m.Why.Told(r.ID, x)
	case *link.Searching:
		if x.Key == m.ask.search {
			m.Find.Search = x
		}
	case *link.Missed:
		m.Find.Missed = x
		return m.Transport.set(m, false)
	case *link.Cluster:
		m.Cluster.told(x)
	case *link.Live:
		return m.Cluster.living(m, x)
	case *link.Lanes:
		m.Hands.Lanes = x
		return m.askTimeline()
	case *link.Console:
		m.Hands.Transcribe(x)
	case *link.Watched:
		m.Expr.Told(x)
	case *link.Explored:
		m.Lesson.Explored(x)
		return m.Hands.Explore(x)
	case *link.Beside:
		return m.Second.told(m, x)
	case *link.Guards:
		m.Second.counts(x)
	case *link.Lesson:
		return m.Lesson.Taught(x)
	case *link.Stopped:
		return m.Lesson.Stopped(x)
	case *link.Written:
		return m.Lesson.Wrote(x)
	case *link.Predicted:
		return m.Guess.told(m, x)
	case *link.Judged:
		return m.Lesson.Judged(x)
	case *link.Checked:
		return m.Lesson.Checked(x)
	case *link.Linked:
		return m.Sharing.linked(m, x)
	case *link.Traveled:
		return m.Nav.traveled(m, x)
	case *link.Looked:
		m.Save.TakeLooked(r.ID, x)
	case *link.Saved:
		return m.Save.TakeSaved(x)
	case *link.Making:
		m.Save.Making = x
	case *link.Minimised:
		m.Expr.Least = x
	case *link.OwnWork:
		m.Expr.Own = x
	case *link.Suspects:
		m.Save.TakeSuspects(r.ID, x)
	case *link.Failure:
		return m.failed(r.ID, x)
	default:
		return m.impossible("a reply that tells nothing")
	}
	return nil
}

// failed says what has gone wrong in the worker.
func (m *Model) failed(id int, why *link.Failure) []Cmd {
	if m.Open.Trace == nil && m.Open.Source.lesson() != "" {
		return m.Nav.notOpened(m, why)
	}
	if m.Open.Trace == nil && (id == m.ask.openID || why.Say.ID == "fail.withdrawn") {
		m.Nav.travel(m, navigation.OnRefused, nil)
		m.Open.restore()
		if m.Open.Failure != nil && why.Say.ID == "fail.withdrawn" {
			why = m.Open.Failure // for which it was withdrawn
		}
	}
	m.Open.failed(why)
	m.Transport.stop()
	m.Save.Fail()
	m.Cluster.failed()
	cmds := m.moveOn()
	if why.Draft != "" {
		cmds = append(cmds, m.Nav.mend(m, *why)...)
	}
	return cmds
}

// impossible tells the console that something came that can't come to the page as it is. The page
// stays as it is. Tests stop at it.
func (m *Model) impossible(event string) []Cmd {
	state := "has something open"
	switch {
	case m.Open.Died != "":
		state = "has no worker"
	case m.Open.Trace == nil:
		state = "opens something"
	}
	return []Cmd{Complain{"impossible: " + event + " comes to a page that " + state}}
}

func (m *Model) opened(o *link.Opened) []Cmd {
	first := m.Open.Trace == nil
	measured := len(o.Series) > 0 && (first || len(m.Open.Trace.Series) == 0) && m.Expr.Asked == ""
	m.ask.opened()
	m.Open.reread()
	m.Open.found(o)
	var cmds []Cmd
	if first {
		m.Nav.travel(m, navigation.OnOpened, nil)
		m.Draft.take(o.Setup)
		m.Sharing.usually(o.Setup)
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
	m.ask.finish()
	return append(m.send(link.Fit{Window: m.Window()}, false), m.askTimeline()...)
}

// show puts a frame on the stage.
func (m *Model) show(f *link.Frame) []Cmd {
	if m.ask.opening {
		return nil
	}
	if m.Transport.Playing && m.Transport.ByClock() && m.Stage.Frame != nil && f.Dir == 0 && f.Step > m.Stage.Frame.Step+1 {
		m.Transport.rushed()
	}
	m.Stage.show(f)
	if g := m.Guess.Asked; g != nil && f.Step != g.Step && f.Step != g.Until { // the viewer goes on
		m.Guess.end()
	}
	if m.ask.complete && (f.Complete || m.Open.Trace.Script) {
		m.Open.run()
	}
	if m.Stage.Lists == nil || !f.Brief {
		m.Stage.list(f)
		m.Transport.listed()
	}
	m.Stage.hear(m, f)
	if m.Save.Film != nil {
		return m.Save.Shown()
	}
	if m.ask.moving == 0 && len(m.ask.waiting) == 0 {
		m.Nav.History.leap(m, navigation.OnAnswered)
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
	if cmds := m.Nav.travel(m, navigation.OnShown, nil); cmds != nil {
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

func (m *Model) resize(width, height int) []Cmd {
	before := m.Window()
	m.Screen.resize(width, height)
	return m.fit(before)
}

// fit asks for as much of each list as has room now, if the room has changed.
func (m *Model) fit(before link.Window) []Cmd {
	if after := m.Window(); after != before && m.Open.Trace != nil {
		return append(m.send(link.Fit{Window: after}, false), m.askTimeline()...)
	}
	return nil
}

// moveWindow shows the rows of a long queue from number arg on.
func (m *Model) moveWindow(arg string) []Cmd {
	from, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	w := m.Window()
	w.QueueFrom = max(0, from)
	return m.send(link.Fit{Window: w}, false)
}
