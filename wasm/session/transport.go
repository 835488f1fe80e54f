package session

import (
	"math"
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Speeds are the speeds at which the page can play, as factors. The last one means as
// fast as the engine can.
var Speeds = []float64{0.25, 0.5, 1, 2, 4, 8, 16, 60, 250, 1000, 0}

const (
	usualSpeed = 2
	baseRate   = 3.0 // units a second at 1×
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
}

// asking is what the page waits for. Only one request that moves the machine is in
// flight at a time; the next one waits here.
type asking struct {
	id            int // the ID of the last request
	openID        int // the ID of the last OpOpen or OpFollow
	moving        int // the ID of the request that moves the machine, 0 for none
	next          *link.Request
	opening       bool // the worker was asked to open something, and has not answered
	complete      bool // all has been read and run
	timeline      int  // the ID of the request for a timeline, 0 for none
	timelineAgain bool
	timed         int64 // when the timeline of a live trace was last asked for, in nanoseconds since its start
}

// Rate is how many units the page plays in a second: 0 while it is paused, and +Inf
// at full speed.
func (m *Model) Rate() float64 {
	switch {
	case !m.Playing:
		return 0
	case Speeds[m.Speed] == 0:
		return math.Inf(1)
	}
	return Speeds[m.Speed] * baseRate
}

// Crowded returns whether steps come faster than a list can be read.
func (m *Model) Crowded() bool { return m.Rate() > 60 }

// Millis is how long a movement takes, in milliseconds; 0 if nothing travels.
func (m *Model) Millis() int {
	rate := m.Rate()
	switch {
	case m.Still || m.Hidden || rate > 20:
		return 0
	case rate == 0:
		return 280
	case rate > 8:
		return max(40, int(800/rate))
	}
	return min(300, int(850/rate))
}

func (m *Model) send(r link.Request, files bool) []Cmd {
	m.ask.id++
	r.ID = m.ask.id
	switch r.Op {
	case link.OpOpen:
		m.ask.openID = r.ID
	case link.OpCancel:
		m.Loading, m.Rereading = false, nil
		if m.Opened == nil {
			m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.canceled"}}
		}
	}
	return []Cmd{Send{r, files}}
}

// move sends a request that moves the machine. It waits until the request before it
// has been answered. Steps of the same unit that wait become one request.
func (m *Model) move(r link.Request) []Cmd {
	if m.Opened == nil || m.Died != "" {
		return nil
	}
	if m.ask.moving != 0 {
		if w := m.ask.next; w != nil && w.Op == link.OpStep && r.Op == link.OpStep && w.Unit == r.Unit {
			r.N += w.N
		}
		m.ask.next = &r
		return nil
	}
	cmds := m.send(r, false)
	m.ask.moving = m.ask.id
	m.play.sent = m.play.now
	return cmds
}

// moveOn sends the request that waits, if there is one and it may be sent.
func (m *Model) moveOn() []Cmd {
	if m.ask.moving != 0 || m.ask.next == nil {
		return nil
	}
	r := *m.ask.next
	m.ask.next = nil
	return m.move(r)
}

func (m *Model) step(unit link.Unit, n int64) []Cmd {
	cmds := m.setPlaying(false)
	return append(cmds, m.move(link.Request{Op: link.OpStep, Unit: unit, N: n})...)
}

// seek jumps to a step. To the next step, or the one before, it is no jump.
func (m *Model) seek(step int64) []Cmd {
	cmds := m.setPlaying(false)
	if f := m.Frame; f != nil && (step < f.Step-1 || step > f.Step+1) && (step < f.Steps || f.Step < f.Steps) {
		cmds = append(cmds, m.leave()...)
	}
	return append(cmds, m.move(link.Request{Op: link.OpSeek, N: step})...)
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
		return append(cmds, m.move(link.Request{Op: link.OpTime, Time: t})...)
	}
	return m.seekFraction(s.Fraction)
}

func (m *Model) setPlaying(on bool) []Cmd {
	on = on && m.Frame != nil && m.Died == ""
	m.Following = false
	if on && m.Live != nil && m.Live.Following && m.Frame.Step >= m.Live.Steps {
		on, m.Following = false, true // there is nothing to play yet, so the page shows what comes
	}
	if on == m.Playing {
		return m.wantTick()
	}
	m.Playing, m.play.until = on, 0
	m.play.due, m.play.running = 1, false
	if on {
		return m.wantTick()
	}
	if f := m.Frame; f != nil {
		m.hear(f)
		if f.Brief { // it lacks what is shown now
			window := m.Window()
			return m.send(link.Request{Op: link.OpWindow, Window: &window}, false)
		}
		m.Lists = f
	}
	return nil
}

func (m *Model) setSpeed(n int) []Cmd {
	m.Speed = min(max(n, 0), len(Speeds)-1)
	m.play.due, m.play.atOnce = 0, 0
	return []Cmd{Keep{"speed", strconv.Itoa(m.Speed)}}
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
		brief := m.Crowded() && m.play.now-m.play.listed <= listEvery
		cmds = m.move(link.Request{Op: link.OpStep, Unit: m.Unit, N: int64(n), Brief: brief})
	}
	return append(cmds, m.wantTick()...)
}

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
	cmds := m.send(link.Request{Op: link.OpTimeline, Axis: m.Axis, Buckets: min(max(m.Width/3, 120), 640)}, false)
	m.ask.timeline = m.ask.id
	return cmds
}
