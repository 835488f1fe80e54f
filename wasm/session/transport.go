package session

import (
	"math"
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Pace is a speed at which the page can play: so many units a second, or so many times as
// fast as the recording's clock. If both are 0, it plays as fast as the engine can.
type Pace struct{ PerSecond, Times float64 }

// Speeds are those that a viewer can choose: first the ones by steps, and then the ones
// by the recording's clock.
var Speeds = []Pace{
	{PerSecond: .75}, {PerSecond: 1.5}, {PerSecond: 3}, {PerSecond: 6}, {PerSecond: 12}, {PerSecond: 24}, {PerSecond: 48}, {PerSecond: 180}, {PerSecond: 750}, {PerSecond: 3000}, {},
	{Times: .01}, {Times: .1}, {Times: .5}, {Times: 1}, {Times: 2}, {Times: 5}, {Times: 10}, {Times: 60}, {Times: 600},
}

// The speed that is chosen at first, and the one when the viewer changes from steps to the clock.
const (
	usualSpeed = 2
	usualClock = 14
)

// listEvery is how often lists are shown while steps come faster than a list can be read,
// in milliseconds.
const listEvery = 250

// pace is what playing knows to keep time.
type pace struct {
	now     float64    // when the last tick was, in milliseconds
	listed  float64    // when lists were last shown
	due     float64    // how many units should have been played by now
	sent    float64    // when the last step was asked for
	atOnce  float64    // how many units a request asks for at full speed
	heard   float64    // when the live region last read something
	passed  *link.Told // the most telling step since then
	running bool       // now is the time of a tick since playing began
	until   int64      // the step at which playing ends, 0 for the last one
	rate    float64    // micro-steps a second, whatever the viewer has chosen; 0 for what he has chosen
	clock   float64    // the recording's clock, in nanoseconds; less than the time of the step shown if that is to be taken
	rushed  float64    // when a frame last came with more steps than can be shown; 0 if none has
	other   int        // the speed of the other kind that was chosen last, 0 for none
}

// asking is what the page waits for. Only one request that moves the machine is in
// flight at a time; the next one waits here.
type asking struct {
	id            int // the ID of the last request
	openID        int // the ID of the last link.Open or link.FollowCluster
	moving        int // the ID of the request that moves the machine, 0 for none
	next          link.Op
	opening       bool // the worker was asked to open something, and has not answered
	complete      bool // all has been read and run
	timeline      int  // the ID of the request for a timeline, 0 for none
	timelineAgain bool
	search        string // the key whose step is searched for, "" for none
	why           int    // the ID of the last link.AskWhy, 0 for none
	timed         int64  // when the timeline of a live trace was last asked for, in nanoseconds since its start
}

// pace is the speed that is chosen.
func (m *Model) pace() Pace {
	if m.play.rate > 0 {
		return Pace{PerSecond: m.play.rate}
	}
	return Speeds[m.Speed]
}

// ByClock returns whether the page plays by the recording's clock.
func (m *Model) ByClock() bool { return m.pace().Times > 0 }

// Rate is how many units the page plays in a second: 0 while it is paused or plays by
// the recording's clock, and +Inf at full speed.
func (m *Model) Rate() float64 {
	switch {
	case !m.Playing || m.ByClock():
		return 0
	case m.pace().PerSecond == 0:
		return math.Inf(1)
	}
	return m.pace().PerSecond
}

// Now is the recording's clock, in nanoseconds. While the page plays by it, it goes on
// between two steps.
func (m *Model) Now() int64 {
	switch {
	case m.Frame == nil:
		return 0
	case m.Playing && m.ByClock() && m.Frame.Next >= 0:
		return min(max(int64(m.play.clock), m.Frame.Time), m.Frame.Next)
	}
	return m.Frame.Time
}

// Crowded returns whether steps come faster than a list can be read.
func (m *Model) Crowded() bool {
	if !m.Playing || !m.ByClock() {
		return m.Rate() > 60
	}
	return m.pace().Times > 10 || m.play.rushed > 0 && m.play.now-m.play.rushed < 500
}

// Millis is how long a movement takes, in milliseconds; 0 if nothing travels.
func (m *Model) Millis() int {
	rate := m.Rate()
	switch {
	case m.Still || m.Hidden || rate > 20:
		return 0
	case m.Playing && m.pace().Times > 1:
		if millis := int(280 / m.pace().Times); millis >= 40 {
			return millis
		}
		return 0
	case rate == 0:
		return 280
	case rate > 8:
		return max(40, int(800/rate))
	}
	return min(300, int(850/rate))
}

// send asks the worker for something, and with files also sends the files that were chosen last.
func (m *Model) send(op link.Op, files bool) []Cmd {
	m.ask.id++
	switch op.(type) {
	case link.Open:
		m.ask.openID = m.ask.id
	case link.Cancel:
		m.Loading, m.Rereading = false, nil
		if m.Opened == nil {
			m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.withdrawn"}}
		}
	}
	return []Cmd{Send{link.Request{ID: m.ask.id, Do: op}, files}}
}

// move asks for something that moves the machine. It waits until the request before it
// has been answered. Steps of the same unit that wait become one request.
func (m *Model) move(op link.Op) []Cmd {
	if m.Opened == nil || m.Died != "" {
		return nil
	}
	search, marks := searched(op)
	m.Missed, m.Expr.Break, m.places.marking = nil, "", marks
	if m.ask.moving != 0 {
		m.ask.next = together(m.ask.next, op)
		if search != m.ask.search {
			return m.endSearch()
		}
		return nil
	}
	cmds := m.send(op, false)
	m.ask.moving, m.ask.search = m.ask.id, search
	m.play.sent = m.play.now
	return cmds
}

// searched returns the key or the expression whose next step an operation looks for, "" for
// none, and reports whether it goes from mark to mark or from hit to hit.
func searched(op link.Op) (search string, marks bool) {
	switch op := op.(type) {
	case link.Step:
		return op.Key, false
	case link.RunTo:
		return op.Expr, true
	case link.SeekMark:
		return "", true
	}
	return "", false
}

// together returns what is to be asked for in place of first and then. Steps of the same
// unit become one.
func together(first, then link.Op) link.Op {
	a, isStep := first.(link.Step)
	b, are := then.(link.Step)
	if isStep && are && a.Unit == b.Unit && a.Key == b.Key {
		b.N += a.N
		return b
	}
	return then
}

// moveOn sends the request that waits, if there is one and it may be sent.
func (m *Model) moveOn() []Cmd {
	if m.ask.moving != 0 || m.ask.next == nil {
		return nil
	}
	op := m.ask.next
	m.ask.next = nil
	return m.move(op)
}

func (m *Model) step(unit link.Unit, n int64) []Cmd {
	cmds := m.setPlaying(false)
	return append(cmds, m.move(link.Step{Unit: unit, N: n, Key: m.Follow})...)
}

// seek goes to a step. Unless that is the next step, or the one before, it is a jump.
func (m *Model) seek(step int64) []Cmd {
	cmds := m.setPlaying(false)
	if f := m.Frame; f != nil && (step < f.Step-1 || step > f.Step+1) && (step < f.Steps || f.Step < f.Steps) {
		cmds = append(cmds, m.leave()...)
	}
	return append(cmds, m.move(link.Seek{Step: step})...)
}

func (m *Model) seekFraction(f float64) []Cmd {
	if m.Frame == nil {
		return nil
	}
	steps := m.Frame.Steps
	if t := m.Timeline; t != nil {
		steps = max(steps, t.Steps) // the run may have grown since the frame
	}
	return m.seek(int64(f * float64(steps)))
}

// scrub goes to where the viewer holds the timeline. However far he drags, that is one
// jump.
func (m *Model) scrub(s Scrubbed) []Cmd {
	if m.Frame == nil {
		return nil
	}
	var cmds []Cmd
	if !m.places.dragged {
		cmds = m.leave()
	}
	m.places.jumping, m.places.dragged = true, s.Held
	return append(cmds, m.scrubTo(s)...)
}

func (m *Model) scrubTo(s Scrubbed) []Cmd {
	if m.Axis == link.ByTime && m.Timeline != nil {
		cmds := m.setPlaying(false)
		t := m.Timeline.Start + int64(s.Fraction*float64(m.Timeline.End-m.Timeline.Start))
		return append(cmds, m.move(link.SeekTime{Time: t})...)
	}
	return m.seekFraction(s.Fraction)
}

// playOrPause plays, or pauses. At the end of the run, playing begins anew.
func (m *Model) playOrPause() []Cmd {
	cmds := m.setPlaying(!m.Playing)
	if f := m.Frame; m.Playing && f.Step > 0 && f.Step >= f.Steps && f.Complete {
		cmds = append(cmds, m.move(link.Seek{Step: 0})...)
	}
	return cmds
}

func (m *Model) setPlaying(on bool) []Cmd {
	on = on && m.Frame != nil && m.Died == ""
	m.Following = false
	m.back = nil // the viewer goes on from where he is
	if on && m.Live != nil && m.Live.Following && m.Frame.Step >= m.Live.Steps {
		on, m.Following = false, true // there is nothing to play yet, so the page shows what comes
	}
	if on == m.Playing {
		return m.wantTick()
	}
	m.Playing, m.play.until, m.play.rate = on, 0, 0
	m.play.due, m.play.running, m.play.clock, m.play.rushed = 1, false, 0, 0
	if on {
		return m.wantTick()
	}
	if f := m.Frame; f != nil {
		m.hear(f)
		if f.Brief { // it lacks what is shown now
			window := m.Window()
			return m.send(link.Fit{Window: window}, false)
		}
		m.Lists = f
	}
	return nil
}

func (m *Model) setSpeed(n int) []Cmd {
	n = min(max(n, 0), len(Speeds)-1)
	if (Speeds[n].Times > 0) != m.ByClock() {
		m.play.other = m.Speed
	}
	m.Speed = n
	m.play.due, m.play.atOnce, m.play.clock = 0, 0, 0
	return []Cmd{Keep{"speed", strconv.Itoa(m.Speed)}}
}

// changeSpeed chooses the n-th faster speed of the same kind.
func (m *Model) changeSpeed(n int) []Cmd {
	to := min(max(m.Speed+n, 0), len(Speeds)-1)
	if (Speeds[to].Times > 0) != m.ByClock() {
		return nil
	}
	return m.setSpeed(to)
}

// changePace changes between playing by steps and by the recording's clock.
func (m *Model) changePace() []Cmd {
	to := usualSpeed
	if !m.ByClock() {
		to = usualClock
	}
	if o := m.play.other; o > 0 && (Speeds[o].Times > 0) != m.ByClock() {
		to = o
	}
	return m.setSpeed(to)
}

func (m *Model) wantTick() []Cmd {
	if m.tick || !m.Playing && !m.Following || m.Hidden {
		return nil
	}
	m.tick = true
	return []Cmd{Tick{}}
}

// ticked plays on, with one request for all the units that are due. It doesn't make
// up for time in which the page was out of sight or the worker had not answered.
func (m *Model) ticked(now float64) []Cmd {
	m.tick = false
	dt := min(now-m.play.now, 250)
	m.play.now = now
	if !m.Playing {
		return append(m.keepUp(now), m.wantTick()...)
	}
	if !m.play.running {
		m.play.running, dt = true, 0
		m.play.heard = now
	}
	var cmds []Cmd
	if m.ByClock() {
		return append(m.playClock(dt), m.wantTick()...)
	}
	if rate := m.Rate(); math.IsInf(rate, 1) {
		if m.ask.moving == 0 {
			m.play.atOnce = m.fitting(now - m.play.sent)
			m.play.due = m.play.atOnce
		}
	} else {
		m.play.due = min(m.play.due+dt*rate/1000, max(1, rate/4))
	}
	if m.ask.moving == 0 && m.play.due >= 1 {
		n := math.Floor(m.play.due)
		m.play.due -= n
		unit := m.Unit
		if m.play.until > 0 {
			unit, n = link.Micro, min(n, max(1, float64(m.play.until-m.Frame.Step)))
		}
		cmds = m.move(link.Step{Unit: unit, N: int64(n), Key: m.Follow, Brief: m.brief(), Play: true})
	}
	return append(cmds, m.wantTick()...)
}

// playClock moves the recording's clock on by so many milliseconds of the viewer's
// clock, and goes to the step that is due by then. At the last known step, it waits.
func (m *Model) playClock(ms float64) []Cmd {
	f := m.Frame
	if m.ask.moving != 0 {
		return nil
	}
	m.play.clock = max(m.play.clock, float64(f.Time))
	if f.Next >= 0 || !f.Complete {
		m.play.clock += ms * 1e6 * m.pace().Times
	}
	if f.Next < 0 && f.Complete || f.Next >= 0 && m.play.clock < float64(f.Next) {
		return nil
	}
	return m.move(link.SeekTime{Time: int64(m.play.clock), Play: true, Key: m.Follow, Brief: m.brief()})
}

// brief returns whether the next frame comes too soon for its lists to be shown.
func (m *Model) brief() bool { return m.Crowded() && m.play.now-m.play.listed <= listEvery }

// fitting is how many units a request asks for at full speed, so that the answer
// comes within two frames of the screen. Took is how long the last answer took.
func (m *Model) fitting(took float64) float64 {
	n := max(m.play.atOnce, 500)
	if m.play.atOnce == 0 {
		return n
	}
	if took < 25 {
		return min(n*2, 1e6)
	}
	return max(n*0.7, 100)
}

func (m *Model) askTimeline() []Cmd {
	if m.Opened == nil {
		return nil
	}
	if m.ask.timeline != 0 {
		m.ask.timelineAgain = true
		return nil
	}
	m.ask.timelineAgain = false
	cmds := m.send(link.DrawTimeline{Axis: m.Axis, Buckets: min(max(m.Width/3, 120), 640)}, false)
	m.ask.timeline = m.ask.id
	return cmds
}
