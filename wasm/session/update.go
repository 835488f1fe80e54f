package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// bundled is the trace that the page opens first.
var bundled = Source{URL: "traces/shop.trace.jsonl.gz", Name: "shop.trace.jsonl.gz"}

// Update returns the model after a message, and what has to be done.
func Update(m Model, msg Msg) (Model, []Cmd) {
	cmds := m.update(msg)
	return m, append(cmds, m.tell()...)
}

func (m *Model) update(msg Msg) []Cmd {
	switch msg := msg.(type) {
	case Began:
		m.begun, m.Site, m.Embedded = true, msg.Site, msg.Embedded
		cmds := m.start(msg)
		if msg.Ended != "" && m.Failure == nil {
			m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.ended"}, Detail: msg.Ended}
		}
		m.fresh = false
		return append([]Cmd{m.speak(m.Lang), Push{m.places.number(), m.address, true}}, cmds...)
	case Spoke:
		if msg.Words == nil || m.speaks != "" && m.speaks != msg.Lang {
			return nil
		}
		another := m.Lang != msg.Lang
		m.Lang, m.Words = msg.Lang, msg.Words
		if another {
			return m.translate()
		}
	case Acted:
		c := byName[msg.Act]
		if c == nil || !m.Allows(c) {
			return nil
		}
		return c.do(m, msg.Arg, msg.Value)
	case Pressed:
		return m.press(msg)
	case Chose:
		if m.Embedded {
			return nil
		}
		return m.chose(Source{Name: msg.Name, Size: msg.Size})
	case Offered:
		return m.offered(msg)
	case Packed:
		return m.packed(msg)
	case Unpacked:
		return m.unpacked(msg)
	case Copied:
		return m.copied(msg.OK)
	case Dragged:
		m.Dragging = msg.Over
	case Scrubbed:
		return m.scrub(msg)
	case Replied:
		return m.reply(msg.Reply)
	case Perished:
		m.Died, m.Playing, m.Loading = msg.Why, false, false
		m.Rereading, m.Search = nil, nil
		m.Film, m.Saving = nil, false
		m.ask = asking{id: m.ask.id}
	case Ticked:
		return m.ticked(msg.Now)
	case Resized:
		return m.resize(msg.Width, msg.Height)
	case Preferred:
		m.Dark, m.Still = msg.Dark, msg.Still
	case Returned:
		return m.returned(msg)
	case Developed:
		return m.developed(msg)
	case Drawn:
		return m.drawn(msg)
	case Titled:
		m.titled(msg)
	case Stored:
		m.Offline = Offline(msg)
	case Hid:
		m.Hidden = msg.Hidden
		return m.wantTick()
	}
	return nil
}

// open opens a source. What was shown disappears at once, so that nobody takes it
// for a part of the new one.
func (m *Model) open(s Source) []Cmd {
	m.begin(s)
	r := link.Open{URL: s.URL, Name: s.Name, Text: s.Text}
	if s.Chosen != "" {
		r.Chosen = strings.Split(s.Chosen, "\n")
	}
	return m.send(r, s.URL == "" && s.Text == "")
}

// offered opens the trace that the page around this one has sent.
func (m *Model) offered(o Offered) []Cmd {
	if !m.begun { // the page begins with it
		m.offer = &o
		return nil
	}
	m.chosen++
	cmds := m.open(Source{Name: tidyName(o.Title), Size: o.Size, Files: m.chosen})
	m.back = &address.Address{File: m.Source.Name, Way: []link.Waypoint{{When: o.When, Step: o.Step}}}
	return cmds
}

// chose opens the files that the viewer has chosen.
func (m *Model) chose(s Source) []Cmd {
	if m.Expected != nil {
		return m.expected(s)
	}
	m.chosen++
	s.Files = m.chosen
	if m.Dialog == "second" {
		return m.compareCapture(s)
	}
	return m.open(s)
}

// begin forgets what was open, as something else will be.
func (m *Model) begin(s Source) {
	m.part()
	if m.courseLesson() == "" {
		m.left, m.leftFiles = m.Stay(), m.Source.Files
	}
	m.fresh, m.Share, m.Expected, m.otherwise = true, nil, nil, nil
	m.Name, m.Source = s.Name, s
	m.Live, m.Following, m.Saved, m.Saving, m.Film = nil, false, nil, false, nil
	m.Opened, m.Frame, m.Lists, m.Timeline = nil, nil, nil, nil
	m.Object, m.Failure, m.Noticed = nil, nil, false
	m.dropAnswer()
	m.Loading, m.Playing, m.Dialog, m.Dragging = true, false, "", false
	m.Progress, m.Rereading = link.Progress{}, nil
	m.Heard = link.Told{}
	m.places.forget()
	m.Guess, m.Handout, m.Writing = nil, nil, nil
	m.Explored, m.until, m.wanted, m.Least = nil, 0, "", nil
	if m.Learning != nil && s.Name != m.Learning.Name+".md" {
		m.Learning = nil
	}
	m.forgetKeys()
	m.Expr.Watched, m.Expr.Break, m.Expr.From = nil, "", 0
	m.forgetWhy()
	m.Lanes, m.Lines, m.Wrong, m.Line, m.Menu, m.Renames = nil, nil, nil, "", "", 0
	m.back, m.Refused = nil, nil
	m.Beside, m.With, m.Differ = nil, nil, -1
	if m.Tab != Setup && (m.Tab != Lesson || m.Learning == nil) {
		m.Tab = Explain
	}
	m.ask = asking{id: m.ask.id, opening: true}
}

func (m *Model) restart() []Cmd {
	if m.Died == "" {
		return nil
	}
	m.Died = ""
	// A file at which the worker died would end the next worker, too.
	cmds := append([]Cmd{Restart{}}, m.open(bundled)...)
	m.fresh = false
	return cmds
}

func (m *Model) reply(r *link.Reply) []Cmd {
	if r.Course != nil { // it is about nothing that is open
		m.Course = r.Course
		return nil
	}
	if r.ID != 0 && r.ID < m.ask.openID { // it is about what was open before
		return nil
	}
	answered := r.ID != 0 && r.ID == m.ask.moving
	if answered && (r.Frame != nil || r.Failure != nil) {
		m.ask.moving, m.ask.search, m.Search = 0, "", nil
	}
	switch {
	case r.Opened != nil:
		return m.opened(r.Opened)
	case r.Progress != nil && r.Progress.Phase == link.Rereading:
		m.Rereading = r.Progress
		return m.painted()
	case r.Progress != nil:
		m.Progress = *r.Progress
		if r.Progress.Phase == link.Done && m.Opened != nil {
			return m.complete()
		}
		return m.painted()
	case r.Frame != nil:
		return m.show(r.Frame)
	case r.Timeline != nil:
		m.ask.timeline = 0
		m.Timeline = r.Timeline
		if m.ask.timelineAgain || r.Timeline.Axis != m.Axis {
			return m.askTimeline()
		}
		if m.Loading { // then this frame is the last of the replies that show a new trace
			return m.painted()
		}
	case r.Object != nil:
		m.Object, m.Tab = r.Object, Object
	case r.Answer != nil:
		if m.asks {
			m.Answer = r.Answer
		}
	case r.Keys != nil:
		return m.foundKeys(r.Keys)
	case r.Why != nil:
		m.toldWhy(r.ID, r.Why)
	case r.Search != nil:
		if r.Search.Key == m.ask.search {
			m.Search = r.Search
		}
	case r.Missed != nil:
		m.Missed = r.Missed
		return m.setPlaying(false)
	case r.Cluster != nil:
		m.found(r.Cluster)
	case r.Live != nil:
		return m.living(r.Live)
	case r.Lanes != nil:
		m.Lanes = r.Lanes
		return m.askTimeline()
	case r.Console != nil:
		m.transcribe(r.Console)
	case r.Watched != nil:
		m.watched(r.Watched)
	case r.Explored != nil:
		return m.explored(r.Explored)
	case r.Beside != nil:
		return m.besides(r.Beside)
	case r.Lesson != nil:
		return m.taught(r.Lesson)
	case r.Stopped != nil:
		return m.stopped(r.Stopped)
	case r.Written != nil:
		return m.wrote(r.Written)
	case r.Predict != nil:
		return m.predicted(r.Predict)
	case r.Judged != nil:
		return m.judged(r.Judged)
	case r.Checked != nil:
		return m.checked(r.Checked)
	case r.Linked != nil:
		return m.linked(r.Linked)
	case r.Traveled != nil:
		return m.traveled(r.Traveled)
	case r.Saved != nil:
		m.Saving, m.Saved, m.Copied = false, r.Saved, ""
		if r.Saved.Text != "" {
			return []Cmd{Copy{r.Saved.Text}}
		}
	case r.Making != nil:
		m.Making = r.Making
	case r.Minimised != nil:
		m.Least = r.Minimised
	case r.Suspects != nil:
		m.Saving, m.Suspects = false, r.Suspects
	case r.Failure != nil && m.Opened == nil && m.courseLesson() != "":
		return m.notOpened(r.Failure)
	case r.Failure != nil:
		m.Failure, m.Noticed, m.Playing, m.Saving, m.Seeking = r.Failure, false, false, false, false
		m.Rereading = nil
		if m.Opened == nil {
			m.Loading = false
		}
		return m.moveOn()
	}
	return nil
}

func (m *Model) opened(o *link.Opened) []Cmd {
	first := m.Opened == nil
	m.ask.opening, m.Rereading = false, nil
	m.Opened = o
	if o.Name != "" {
		m.Name = o.Name
	}
	if o.Live {
		m.Loading = false // reading it never ends
	}
	var cmds []Cmd
	if first {
		m.Draft, m.usual = cloneSetup(o.Setup), cloneSetup(o.Setup)
		if m.Expr.Asked != "" || len(m.Expr.Breaks) > 0 {
			cmds = m.watchAll()
		}
	}
	if o.Live && !first {
		return nil // living asks for the timeline now and then
	}
	return append(cmds, m.askTimeline()...)
}

// painted tells the worker when the page has painted what it was told, since the
// worker waits for that. A page that is out of sight tells it at once.
func (m *Model) painted() []Cmd {
	if m.Hidden {
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
	if m.Playing && m.ByClock() && m.Frame != nil && f.Dir == 0 && f.Step > m.Frame.Step+1 {
		m.play.rushed = m.play.now
	}
	m.Frame = f
	if g := m.Guess; g != nil && f.Step != g.Step && f.Step != g.Until { // the viewer goes on
		m.Guess = nil
	}
	if m.ask.complete && (f.Complete || m.Opened.Script) {
		m.Loading = false
	}
	if m.Lists == nil || !f.Brief {
		m.Lists, m.play.listed = f, m.play.now
	}
	m.hear(f)
	if m.Film != nil {
		return m.film()
	}
	if m.ask.moving == 0 && m.ask.next == nil && !m.places.dragged {
		m.places.jumping = false
	}
	if m.gathering() {
		return append(m.gather(f), m.moveOn()...)
	}
	if m.until > 0 {
		return append(m.playLesson(f), m.moveOn()...)
	}
	if m.Playing && f.Break != "" {
		m.Expr.Break = f.Break
		return append(m.setPlaying(false), m.moveOn()...)
	}
	if m.Playing && m.play.until > 0 && f.Step >= m.play.until {
		return append(m.setPlaying(false), m.moveOn()...)
	}
	if cmds := m.comeBack(); cmds != nil {
		return cmds
	}
	live := m.Live != nil && m.Live.Following
	if m.Playing && f.Step >= f.Steps && (live || (f.Complete || !m.Loading) && !f.Starved) {
		return append(append(m.setPlaying(live), m.askAgain()...), m.moveOn()...)
	}
	return append(m.askAgain(), m.moveOn()...)
}

func (m *Model) resize(width, height int) []Cmd {
	before := m.Window()
	m.Width, m.Height = width, height
	return m.fit(before)
}

// fit asks for as much of each list as has room now, if the room has changed.
func (m *Model) fit(before link.Window) []Cmd {
	if after := m.Window(); after != before && m.Opened != nil {
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
