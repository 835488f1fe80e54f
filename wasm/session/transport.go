package session

import (
	"math"
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Pace is a speed at which the page can play, in units a second or as a multiple of
// the recording's clock. If both are 0, it plays as fast as the engine can.
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

// Transport is how the viewer goes through the run.
type Transport struct {
	desk    transportDesk
	nav     *navigation.Model
	stage   *Stage
	cluster *Cluster
	screen  *Screen
	find    *ask.Find

	Unit    link.Unit
	Speed   int // an index of Speeds
	Playing bool
	// Following says that the newest step of what is being recorded is shown as it comes.
	Following bool
	play      pace
	tick      bool // a Tick is under way
}

// transportDesk is what playing knows of the rest of the model, and does to it.
type transportDesk interface {
	desk.Desk

	// Fit asks for as much of each list as has room.
	Fit() []Cmd
}

// pace keeps the time while the page plays.
type pace struct {
	now        float64 // when the last tick was, in milliseconds
	listed     float64 // when lists were last shown
	due        float64 // how many units should have been played by now
	sent       float64 // when the last step was asked for
	atOnce     float64 // how many units a request asks for at full speed
	running    bool    // now is the time of a tick since playing began
	until      int64   // the step at which playing ends, 0 for the last one
	rate       float64 // micro-steps a second, whatever the viewer has chosen; 0 for what was chosen
	clock      float64 // the recording's clock, in nanoseconds; less than the time of the step shown if that is to be taken
	rushed     float64 // when a frame last came with more steps than can be shown; 0 if none has
	otherSpeed int     // the speed of the other kind that was chosen last, 0 for none
}

// pace returns the speed that is chosen.
func (t *Transport) pace() Pace {
	if t.play.rate > 0 {
		return Pace{PerSecond: t.play.rate}
	}
	return Speeds[t.Speed]
}

// byItself reports whether steps follow one another by themselves.
func (t *Transport) byItself() bool { return t.Playing || t.Following }

// byClock reports whether the page plays by the recording's clock.
func (t *Transport) byClock() bool { return t.pace().Times > 0 }

// Rate returns how many units the page plays in a second: 0 while it is paused or plays by
// the recording's clock, and +Inf at full speed.
func (t *Transport) Rate() float64 {
	switch {
	case !t.Playing || t.byClock():
		return 0
	case t.pace().PerSecond == 0:
		return math.Inf(1)
	}
	return t.pace().PerSecond
}

// Now returns the recording's clock, in nanoseconds. While the page plays by it, it goes on
// between two steps.
func (t *Transport) Now() int64 {
	switch {
	case t.stage.Frame == nil:
		return 0
	case t.Playing && t.byClock() && t.stage.Frame.Next >= 0:
		return min(max(int64(t.play.clock), t.stage.Frame.Time), t.stage.Frame.Next)
	}
	return t.stage.Frame.Time
}

// Crowded reports whether steps come faster than a list can be read.
func (t *Transport) Crowded() bool {
	if !t.Playing || !t.byClock() {
		return t.Rate() > 60
	}
	return t.pace().Times > 10 || t.play.rushed > 0 && t.play.now-t.play.rushed < 500
}

// Millis returns how long a movement takes, in milliseconds; 0 if nothing travels.
func (t *Transport) Millis() int {
	rate := t.Rate()
	switch {
	case t.desk.Surroundings().ReducedMotion || t.screen.Hidden || rate > 20:
		return 0
	case t.Playing && t.pace().Times > 1:
		if millis := int(280 / t.pace().Times); millis >= 40 {
			return millis
		}
		return 0
	case rate == 0:
		return 280
	case rate > 8:
		return max(40, int(800/rate))
	}
	return min(300, int(550/rate)) // what has moved is read until the next step
}

// step goes on by n units, or back.
func (t *Transport) step(unit link.Unit, n int64) []Cmd {
	cmds := t.set(false)
	return append(cmds, t.desk.Move(link.Step{Unit: unit, N: n, Key: t.find.Follow})...)
}

// seek goes to a step. Unless that is the next step, or the one before, it is a jump.
func (t *Transport) seek(step int64) []Cmd {
	cmds := t.set(false)
	if f := t.stage.Frame; f != nil && (step < f.Step-1 || step > f.Step+1) && (step < f.Steps || f.Step < f.Steps) {
		cmds = append(cmds, t.nav.Leave(navigation.OnJump)...)
	}
	return append(cmds, t.desk.Move(link.Seek{Step: step})...)
}

func (t *Transport) seekFraction(f float64) []Cmd {
	steps := t.stage.Frame.Steps
	if line := t.stage.Timeline; line != nil {
		steps = max(steps, line.Steps) // the run may have grown since the frame
	}
	return t.seek(int64(f * float64(steps)))
}

// scrub goes to where the viewer holds the timeline. However far that goes, it is one
// jump.
func (t *Transport) scrub(s Scrubbed) []Cmd {
	if t.stage.Frame == nil {
		return nil
	}
	how := navigation.OnDragEnd
	if s.Dragging {
		how = navigation.OnDragStart
	}
	return append(t.nav.Leave(how), t.scrubTo(s)...)
}

func (t *Transport) scrubTo(s Scrubbed) []Cmd {
	if t.stage.Axis == link.ByTime && t.stage.Timeline != nil {
		cmds := t.set(false)
		at := t.stage.Timeline.Start + int64(s.Fraction*float64(t.stage.Timeline.End-t.stage.Timeline.Start))
		return append(cmds, t.desk.Move(link.SeekTime{Time: at})...)
	}
	return t.seekFraction(s.Fraction)
}

// toggle plays, or pauses. At the end of the run, playing begins anew.
func (t *Transport) toggle() []Cmd {
	cmds := t.set(!t.Playing)
	if f := t.stage.Frame; t.Playing && f.Step > 0 && f.Step >= f.Steps && f.Complete {
		cmds = append(cmds, t.desk.Move(link.Seek{Step: 0})...)
	}
	return cmds
}

// set plays, or pauses, as the viewer wants it, who goes on from here.
func (t *Transport) set(on bool) []Cmd {
	t.nav.Elsewhere()
	return t.turn(on)
}

// turn plays, or pauses.
func (t *Transport) turn(on bool) []Cmd {
	on = on && t.stage.Frame != nil && !t.desk.Surroundings().Died
	t.Following = false
	if on && t.cluster.Live != nil && t.cluster.Live.Following && t.stage.Frame.Step >= t.cluster.Live.Steps {
		on = false
		t.Following = true // there is nothing to play yet, so the page shows what comes
	}
	if on == t.Playing {
		return t.wantTick()
	}
	t.Playing, t.play.until, t.play.rate = on, 0, 0
	t.play.due, t.play.running, t.play.clock, t.play.rushed = 1, false, 0, 0
	if on {
		return t.wantTick()
	}
	if f := t.stage.Frame; f != nil {
		t.stage.hear(f, t.byItself(), t.play.now)
		if f.Brief { // it lacks what is shown now
			return t.desk.Fit()
		}
		t.stage.showLists()
	}
	return nil
}

// setSpeed chooses one of Speeds.
func (t *Transport) setSpeed(n int) []Cmd {
	n = min(max(n, 0), len(Speeds)-1)
	if (Speeds[n].Times > 0) != t.byClock() {
		t.play.otherSpeed = t.Speed
	}
	t.Speed = n
	t.play.due, t.play.atOnce, t.play.clock = 0, 0, 0
	return []Cmd{desk.StoreSetting{Name: "speed", Value: strconv.Itoa(t.Speed)}}
}

// changeSpeed chooses the n-th faster speed of the same kind.
func (t *Transport) changeSpeed(n int) []Cmd {
	to := min(max(t.Speed+n, 0), len(Speeds)-1)
	if (Speeds[to].Times > 0) != t.byClock() {
		return nil
	}
	return t.setSpeed(to)
}

// changePace changes between playing by steps and by the recording's clock.
func (t *Transport) changePace() []Cmd {
	to := usualSpeed
	if !t.byClock() {
		to = usualClock
	}
	if o := t.play.otherSpeed; o > 0 && (Speeds[o].Times > 0) != t.byClock() {
		to = o
	}
	return t.setSpeed(to)
}

// wantTick asks for a tick while steps follow one another by themselves.
func (t *Transport) wantTick() []Cmd {
	if t.tick || !t.byItself() || t.screen.Hidden {
		return nil
	}
	t.tick = true
	return []Cmd{Tick{}}
}

// ticked plays on, with one request for all the units that are due. It doesn't make
// up for time in which the page was out of sight or the worker had not answered.
func (t *Transport) ticked(now float64) []Cmd {
	t.tick = false
	dt := min(now-t.play.now, 250)
	t.play.now = now
	if !t.Playing {
		return t.tickAgain(t.keepUp(), false)
	}
	begins := !t.play.running
	if begins {
		t.play.running, dt = true, 0
		t.stage.quiet(now)
	}
	var cmds []Cmd
	if t.byClock() {
		return t.tickAgain(t.playClock(dt), true)
	}
	if rate := t.Rate(); math.IsInf(rate, 1) {
		if !t.desk.Surroundings().Moving {
			t.play.atOnce = t.fitting(now - t.play.sent)
			t.play.due = t.play.atOnce
		}
	} else {
		t.play.due = min(t.play.due+dt*rate/1000, max(1, rate/4))
	}
	if !t.desk.Surroundings().Moving && t.play.due >= 1 {
		n := math.Floor(t.play.due)
		t.play.due -= n
		unit := t.Unit
		if t.play.until > 0 {
			unit, n = link.Micro, min(n, max(1, float64(t.play.until-t.stage.Frame.Step)))
		}
		cmds = t.desk.Move(link.Step{Unit: unit, N: int64(n), Key: t.find.Follow, Brief: t.brief(), Play: true})
	}
	return t.tickAgain(cmds, begins)
}

// tickAgain returns the commands of a tick that has led to some. A tick that has only waited is unseen: at three steps
// a second there are twenty of them for each step.
func (t *Transport) tickAgain(cmds []Cmd, seen bool) []Cmd {
	if len(cmds) == 0 && !seen {
		cmds = []Cmd{Unseen{}}
	}
	return append(cmds, t.wantTick()...)
}

// playClock moves the recording's clock on by so many milliseconds of the viewer's
// clock, and goes to the step that is due by then. At the last known step, it waits.
func (t *Transport) playClock(ms float64) []Cmd {
	f := t.stage.Frame
	if t.desk.Surroundings().Moving {
		return nil
	}
	t.play.clock = max(t.play.clock, float64(f.Time))
	if f.Next >= 0 || !f.Complete {
		t.play.clock += ms * 1e6 * t.pace().Times
	}
	if f.Next < 0 && f.Complete || f.Next >= 0 && t.play.clock < float64(f.Next) {
		return nil
	}
	return t.desk.Move(link.SeekTime{Time: int64(t.play.clock), Play: true, Key: t.find.Follow, Brief: t.brief()})
}

// brief reports whether the next frame comes too soon for its lists to be shown.
func (t *Transport) brief() bool { return t.Crowded() && t.play.now-t.play.listed <= listEvery }

// fitting returns how many units a request asks for at full speed, so that the answer
// comes within two frames of the screen. Took is how long the last answer took.
func (t *Transport) fitting(took float64) float64 {
	n := max(t.play.atOnce, 500)
	if t.play.atOnce == 0 {
		return n
	}
	if took < 25 {
		return min(n*2, 1e6)
	}
	return max(n*0.7, 100)
}

// playTo plays to a step, which takes at most so many seconds; with 0, at the speed that the viewer
// has chosen.
func (t *Transport) playTo(step int64, seconds float64) []Cmd {
	cmds := t.set(true)
	t.play.until, t.play.rate = step, 0
	if seconds > 0 {
		t.play.rate = max(Speeds[usualSpeed].PerSecond, float64(step-t.stage.Frame.Step)/seconds)
	}
	return cmds
}

// skip goes to the step at which playing ends. It reports false if that is the last one, or nothing
// is played.
func (t *Transport) skip() (cmds []Cmd, ok bool) {
	if !t.Playing || t.play.until == 0 {
		return nil, false
	}
	return t.seek(t.play.until), true
}

// followSteps is how many operations the page may be behind the newest step to show each as it happens. If it is
// further behind, it jumps. It does either once in so many milliseconds.
const (
	followSteps = 80
	followEvery = 110
)

// newest is a step beyond every run. Seeking it leads to the last step.
const newest = 1 << 52

// catchUp goes to the newest step, and stays there while more comes.
func (t *Transport) catchUp() []Cmd {
	cmds := t.seek(newest)
	if t.cluster.Live == nil {
		return cmds
	}
	t.Following = t.cluster.Live.Following
	return append(cmds, t.wantTick()...)
}

// keepUp shows at a tick what has come since.
func (t *Transport) keepUp() []Cmd {
	f, c := t.stage.Frame, t.cluster
	if !t.Following || f == nil || c.Live == nil || t.desk.Surroundings().Moving || t.play.now-t.play.sent < followEvery {
		return nil
	}
	switch behind := c.Live.Steps - f.Step; {
	case behind <= 0:
		return nil
	case behind <= followSteps:
		return t.desk.Move(link.Step{Unit: link.Operation, N: 1})
	}
	return t.desk.Move(link.Seek{Step: newest})
}

// seekLogged goes to the step at which the process had done what is recorded at a time, which is in nanoseconds: it had
// logged something, or its controller had begun or written something.
func (t *Transport) seekLogged(time int64) []Cmd {
	cmds := append(t.set(false), t.nav.Leave(navigation.OnJump)...)
	return append(cmds, t.desk.Move(link.SeekTime{Time: time})...)
}

func (t *Transport) reset() { t.Playing, t.Following = false, false }
