package session

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// Update applies a message to the model, and returns the effects that the page has to carry out.
func (m *Model) Update(msg Msg) []Cmd {
	before := m.Window()
	cmds := m.update(msg)
	if m.Window() != before && m.Open.Trace != nil {
		cmds = append(append(cmds, m.fit()...), m.askTimeline()...)
	}
	cmds = append(cmds, m.noteLast()...)
	return append(cmds, m.Nav.Publish()...)
}

func (m *Model) update(msg Msg) []Cmd {
	switch msg := msg.(type) {
	case Started:
		m.Site.URL, m.Site.Embedded = msg.Site, msg.Embedded
		cmds := m.Nav.Begin(msg.Address, msg.Files)
		m.Card.acted = msg.Address != nil // whoever loads the page again stays in the machine
		if msg.Ended != "" && m.Open.Failure == nil {
			m.Open.Failure = &link.Failure{Sentence: link.Sentence{ID: "fail.ended"}, Reason: link.FaultText(msg.Ended)}
		}
		return append([]Cmd{m.Settings.speak(m.Settings.Lang)}, cmds...)
	case Spoke:
		if msg.Words == nil {
			return nil
		}
		if m.Settings.speaks != "" && m.Settings.speaks != msg.Lang { // the palette wants it
			m.Palette.titled(msg)
			return nil
		}
		another := m.Settings.Lang != msg.Lang
		m.Settings.Lang, m.Settings.Words = msg.Lang, msg.Words
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
		return m.carryOut(c, msg.Arg, msg.Value)
	case Pressed:
		return m.press(msg)
	case Chose:
		if m.Site.Embedded {
			return nil
		}
		return m.Nav.Choose(msg.Name, msg.Size)
	case navigation.Offered:
		return m.Nav.Offer(msg)
	case Packed:
		m.Sharing.packed(msg)
	case navigation.Unpacked:
		return m.Nav.Unpacked(msg)
	case save.Reported:
		m.Save.Report.Reported(msg)
	case Copied:
		m.copied(msg.OK)
	case Dragged:
		m.Front.Dragging = msg.Active
	case Scrubbed:
		return m.Transport.scrub(msg)
	case Replied:
		return m.reply(msg.Reply)
	case Perished:
		m.Open.Die(msg.Reason, msg.Memory)
		m.Transport.Playing = false
		m.Find.Search = nil
		m.Save.GiveUp()
		m.ask = requests{id: m.ask.id}
	case Ticked:
		cmds := m.Transport.ticked(msg.Now)
		if m.Loop.Shown {
			return m.tickedLoop(msg.Now)
		}
		return cmds
	case Resized:
		m.Screen.Width, m.Screen.Height = msg.Width, msg.Height
	case Preferred:
		m.Settings.Dark, m.Settings.ReducedMotion = msg.Dark, msg.ReducedMotion
	case navigation.Returned:
		return m.Nav.Return(msg)
	case save.Developed:
		return m.Save.Developed(msg)
	case lesson.Drawn:
		return m.Lesson.Drawn(msg)
	case Versioned:
		m.Site.versioned(Version(msg))
	case Stored:
		m.Site.Offline = Offline(msg)
	case Unkept:
		m.Site.Unkept = true
	case Noted:
		m.Site.Lost = msg.Lost
	case Hid:
		m.Screen.Hidden = msg.Hidden
		return m.Transport.wantTick()
	}
	return nil
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
			m.ask.moving, m.ask.search, m.Find.Search = 0, "", nil
		}
	}
	switch x := r.News.(type) {
	case *link.Opened:
		return m.opened(x)
	case *link.Progress:
		m.Open.Progressed(x)
		if x.Phase == link.Done && m.Open.Trace != nil {
			return m.complete()
		}
		return m.painted()
	case *link.Frame:
		return m.show(x)
	case *link.Timeline:
		m.ask.timeline, m.Stage.Timeline = 0, x
		if m.ask.timelineAgain || x.Axis != m.Stage.Axis {
			return m.askTimeline()
		}
		if m.Open.Loading { // then this frame is the last of the replies that show a new trace
			return m.painted()
		}
	case *link.Card:
		m.Card.Card = x
		if x.Complete && x.Inside && m.HasCard() && !m.Open.Trace.Live {
			return m.Expr.AskOwnWork()
		}
	case *link.Object:
		m.Front.inspected(x)
	case *link.Answer:
		m.Indexer.SetAnswer(x)
	case *link.Log:
		return m.logged(x)
	case *link.Keys:
		return m.Find.SetKeys(x)
	case *link.Causes:
		m.Causes.SetAnswer(r.ID, x)
	case *link.Searching:
		if x.Key == m.ask.search {
			m.Find.Search = x
		}
	case *link.Missed:
		m.Find.Missed = x
		return m.Transport.set(false)
	case *link.Cluster:
		m.Cluster.discovered(x)
	case *link.Live:
		return m.followed(x)
	case *link.Lanes:
		m.Hands.Lanes = x
		return m.askTimeline()
	case *link.Console:
		m.Hands.Transcribe(x)
		m.Loop.Played()
	case *link.Noticed:
		m.Hands.Noticed = x
	case *link.Watched:
		m.Expr.Evaluated(x)
	case *link.Explored:
		m.Lesson.Explored(x)
		return m.Hands.Explore(x)
	case *link.SecondMachine:
		return m.compared(x)
	case *link.Guards:
		m.Second.Counted = x
	case *link.Lesson:
		return m.Lesson.Taught(x)
	case *link.Stopped:
		return m.Lesson.Stopped(x)
	case *link.Written:
		return m.Lesson.Wrote(x)
	case *link.Predicted:
		return m.Guess.predicted(x)
	case *link.Judged:
		return m.Lesson.Judged(x)
	case *link.Checked:
		return m.Lesson.Checked(x)
	case *link.Linked:
		return m.linked(x)
	case *link.Traveled:
		return m.Nav.Traveled(x)
	case *link.SavePreview:
		m.Save.TakeLooked(r.ID, x)
	case *link.Saved:
		return m.Save.TakeSaved(x)
	case *link.Making:
		m.Save.Making = x
	case *link.Minimised:
		m.Expr.Minimised = x
	case *link.OwnWork:
		m.Expr.OwnWork = x
	case *link.Failure:
		return m.failed(r.ID, x)
	default:
		return m.impossible("a reply that tells nothing")
	}
	return nil
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
	return []Cmd{desk.Complain{Text: "impossible: " + event + " comes to a page that " + state}}
}

// copied takes in whether a text was put on the clipboard.
func (m *Model) copied(ok bool) {
	says := map[bool]string{true: "yes", false: "no"}[ok]
	switch {
	case m.Front.Dialog == "save":
		m.Save.Copied = says
	case m.Sharing.Share != nil:
		m.Sharing.Share.Copied = says
	case m.Loop.Shown:
		m.Loop.Copied = ok
	}
}
