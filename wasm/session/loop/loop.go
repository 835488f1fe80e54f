// Package loop is the page's first picture, as its model has it: five parts of the machine on one track, with what the
// cluster has and what the cache has side by side. It plays a script of four objects in human times. It is told in
// beats, which are a table, and waits for the viewer.
//
// A thing is drawn where it was until it has arrived. So Frame, which is drawn, follows the machine's newest frame: that
// one waits while the thing that it has moved is on its leg.
package loop

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is the loop.
type Model struct {
	desk Desk

	Shown   bool        // it is what the page shows
	Beat    int         // the number of the beat, from 1
	Frame   *link.Frame // what is drawn, nil until the story stands at its beginning
	Leg     Leg         // what is under way, or has arrived last
	Playing bool        // the clock goes on
	Cut     Cut         // the last time that the wire was cut
	Hold    Hold        // what the viewer expects of a slow handler, and what it does
	Part    Stop        // what is large where there is room for one part alone: Cluster stands for both shelves
	Copied  bool        // the link was put on the clipboard

	next    *link.Frame       // drawn when the leg is over, nil for none
	keys    []string          // of all objects that there were, in their order
	acted   string            // what was done last
	changed string            // the key of the object to which it was done
	calm    int64             // the step at which the story waits for the viewer first
	acts    int               // how many lines wait for the machine
	pending func() []desk.Cmd // what the viewer has asked for meanwhile, nil for nothing
	played  int               // how many of these were played, whose frames have not come
	peeked  bool              // the machine was asked for the time of the next step
	stepped bool              // a step was asked for, and has not come
	popped  *link.Chip        // what the process loop has in its hand
	clock   float64           // of the run, in nanoseconds
	now     float64           // when the last tick was, in milliseconds
	until   float64           // when the leg is over, in milliseconds
	ticks   bool              // a tick is under way
	drawn   string            // the figure that was drawn last
}

// Desk is what the loop knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// Tick asks for a call of Ticked before the next painting.
	Tick() []desk.Cmd
	// ShowLoop shows the loop, or with false the full microscope.
	ShowLoop(on bool) []desk.Cmd
}

// New returns the Model of a page that doesn't show the loop.
func New(d Desk) Model { return Model{desk: d, Beat: 1, Part: Cluster} }

// Reset forgets what was open. The story begins with a beat, from 1; any other number means the first one.
func (m *Model) Reset(shown bool, beat int) {
	if !ValidBeat(beat) {
		beat = 1
	}
	*m = Model{desk: m.desk, Shown: shown, Beat: beat, Part: Cluster, now: m.now, ticks: m.ticks}
}

// Stop is a place on the track.
type Stop string

// The stops, in the order in which a change of the cluster meets them.
const (
	Cluster Stop = "cluster"
	Watcher Stop = "watcher"
	Queue   Stop = "queue"
	Cache   Stop = "cache"
	Code    Stop = "code"
)

// Enlarge makes one part large.
func (m *Model) Enlarge(part Stop) {
	if slices.Contains([]Stop{Cluster, Watcher, Queue, Code}, part) {
		m.Part = part
	}
}

// Leg is how a thing goes from one stop to the next.
type Leg struct {
	N        int // counts the legs
	From, To Stop
	Chip     link.Chip
	Millis   int // how long it takes; 0 once it has arrived
	Done     int // how much of that was over when it was drawn first
}

// least is how long a leg takes at least, in milliseconds, and dwell how long something is seen that moves within a part.
const (
	shortest = 420
	long     = 640 // round a corner of the track
	dwell    = 340
)

// Row is an object as the cluster and the cache have it.
type Row struct {
	Key           string
	Name          string // without its namespace
	ServerVersion string // the version in the cluster, "" where it is deleted
	Copy          string // the version in the cache, "" where it has none
	Since         int64  // when the cluster's was written, in nanoseconds
	Differ        bool
}

// Rows returns the objects that there are, and those that there were.
func (m *Model) Rows() []Row { return m.rowsOf(m.Frame) }

func (m *Model) rowsOf(f *link.Frame) (rows []Row) {
	for _, key := range m.keys {
		r := Row{Key: key, Name: key[strings.LastIndexByte(key, '/')+1:]}
		for _, h := range f.Server.Holdings {
			if h.Key == key {
				r.ServerVersion, r.Since = h.RV, h.Time
			}
		}
		for _, t := range f.Store.Tiles {
			if t.Key == key {
				r.Copy = t.RV
			}
		}
		r.Differ = r.ServerVersion != r.Copy
		rows = append(rows, r)
	}
	return rows
}

// OldestDifference returns the object that has differed longest, and whether there is one.
func (m *Model) OldestDifference() (worst Row, is bool) {
	for _, r := range m.Rows() {
		if r.Differ && (!is || r.Since < worst.Since) {
			worst, is = r, true
		}
	}
	return worst, is
}

// Staleness returns how long the cache has differed from the cluster, in nanoseconds; 0 where it doesn't differ.
func (m *Model) Staleness() int64 {
	if r, is := m.OldestDifference(); is {
		return max(0, int64(m.clock)-r.Since)
	}
	return 0
}

// Retry returns how long the reflector waits until it tries again, in nanoseconds and to a tenth of a second.
func (m *Model) Retry() int64 {
	w := &m.Frame.Wire
	return max(0, w.Remaining-(int64(m.clock)-m.Frame.Time)) / 1e8 * 1e8
}

// IsCut reports whether no watch is open, since the connection broke.
func (m *Model) IsCut() bool {
	switch m.Frame.Wire.State {
	case link.WireBroken, link.WireBackoff, link.WireRetrying, link.WireClosed:
		return true
	case link.WireOpening:
		return m.Cut.Key != "" && !m.Cut.Finished()
	}
	return false
}

// Relists reports whether the reflector lists once more.
func (m *Model) Relists() bool { return m.Frame.Wire.State == link.WireRelisting }

// Visible reports whether the loop is drawn.
func (m *Model) Visible() bool { return m.Shown && m.Frame != nil }

// FrameShown goes on when a frame of the machine has come. Complete says that all of the story has been run.
func (m *Model) FrameShown(f *link.Frame, complete bool) []desk.Cmd {
	stepped := m.stepped
	m.stepped = false
	switch {
	case m.calm == 0 && f.Step == 0:
		if complete && !m.desk.Surroundings().Moving {
			return m.desk.Move(link.Seek{Step: last})
		}
		return nil
	case m.Frame == nil:
		if m.calm > 0 && f.Step != m.calm {
			return nil // it was asked for before the beat
		}
		m.calm = f.Step
		m.note(f)
		m.show(f)
		return m.begin()
	case m.played > 0:
		m.played--
		m.acts--
		m.note(f)
		m.Cut.noteDeletion(m.rowsOf(f), m.changed)
		m.show(f)
		m.wire()
		if then := m.pending; then != nil && m.acts == 0 {
			m.pending = nil
			return then()
		}
		return nil
	case !stepped || !m.Playing && f.Dir == 0:
		if f.Step != m.Frame.Step {
			m.popped, m.Leg.From, m.Leg.Millis = nil, m.Leg.To, 0
		}
		m.draw(f)
		return nil
	}
	m.leg(f)
	return m.tick()
}

// Played takes in that a line was played. Its frame comes next.
func (m *Model) Played() {
	if m.acts > 0 {
		m.played++
	}
}

// Show shows the loop of a story whose newest frame is f, or no loop.
func (m *Model) Show(on bool, f *link.Frame) {
	m.Shown, m.Playing, m.popped, m.Leg.Millis, m.until, m.stepped = on, false, nil, 0, 0, false
	if on && m.calm > 0 {
		m.draw(f)
	}
}

// last is a step beyond every run.
const last = 1 << 52

func (m *Model) note(f *link.Frame) {
	for _, h := range f.Server.Holdings {
		if !slices.Contains(m.keys, h.Key) {
			m.keys = append(m.keys, h.Key)
		}
	}
	slices.Sort(m.keys)
}

// draw draws a frame that nothing on its way leads to.
func (m *Model) draw(f *link.Frame) {
	m.note(f)
	m.show(f)
	m.wire()
}

func (m *Model) show(f *link.Frame) {
	m.Frame, m.next = f, nil
	m.Cut.observe(f)
	if m.acts == 0 {
		_, differs := m.OldestDifference()
		m.Hold.observe(f, !differs)
	}
	m.clock = max(m.clock, float64(f.Time))
	if f.Dir <= 0 {
		m.clock = float64(f.Time)
	}
}

// leg begins the leg on which the last step has sent something, or draws the frame at once where it hasn't.
func (m *Model) leg(f *link.Frame) {
	m.peeked = false
	if strings.HasPrefix(f.Sentence.ID, "step.store") && m.popped != nil {
		m.send(f, Queue, Cache, *m.popped, long)
		m.popped = nil
		return
	}
	for _, x := range f.Moves {
		from, to := place(x.From), place(x.To)
		switch {
		case to == "loop":
			chip := x.Chip
			m.popped = &chip
			return // it is drawn in the queue until it has reached the cache
		case to == link.PlaceReflector && m.Frame.Wire.State == link.WireRelisting && x.Chip.T != link.LetterReplaced:
			return // one of a list that comes as a stream
		case to == link.PlaceReflector && from == "tape" && m.Leg.To == Watcher && m.Leg.Millis > 0:
			m.Leg.Millis = 0 // it was on its way all the time
			m.show(f)
			return
		case to == link.PlaceReflector:
			m.send(f, Cluster, Watcher, x.Chip, long)
			return
		case from == link.PlaceReflector && to == link.PlaceQueue:
			m.send(f, Watcher, Queue, x.Chip, shortest)
			return
		case from == link.PlaceProcessor && to == "listener":
			ms := long
			if m.Leg.To == Code {
				ms = dwell // the next one of several
			}
			m.send(f, Cache, Code, x.Chip, ms)
			return
		case from == "worker" && to == link.PlaceServer:
			m.send(f, Code, Cluster, x.Chip, long)
			return
		case to == link.PlaceWork || to == "worker":
			m.until = m.now + dwell
		}
	}
	if m.popped == nil {
		m.show(f)
		m.wire()
	}
}

// place returns the first part of a place's name.
func place(name string) string {
	first, rest, _ := strings.Cut(name, "/")
	if first == link.PlaceWork && strings.HasPrefix(rest, "worker") {
		return "worker"
	}
	return first
}

func (m *Model) send(f *link.Frame, from, to Stop, chip link.Chip, ms int) {
	m.Leg = Leg{N: m.Leg.N + 1, From: from, To: to, Chip: chip, Millis: ms}
	m.next, m.until = f, m.now+float64(ms)
}

// arrive draws what was under way as arrived.
func (m *Model) arrive() {
	m.Leg.Millis = 0
	m.show(m.next)
	m.wire()
}

// wire sends what the server has written on its way to the reflector: it takes as long as the machine says.
func (m *Model) wire() {
	x := m.coming()
	if x == nil || m.Leg.Millis > 0 || m.IsCut() || m.Relists() {
		return
	}
	from := m.Frame.Time
	for _, h := range m.Frame.Server.Holdings {
		if h.Key == x.Chip.Key {
			from = h.Time
		}
	}
	chip := x.Chip
	if chip.T == "M" { // a watch says MODIFIED, and the queue Updated
		chip.T = link.LetterUpdated
	}
	ms := int((x.Time - from) / 1e6)
	if ms < long {
		return // it is sent when it has arrived
	}
	m.Leg = Leg{N: m.Leg.N + 1, From: Cluster, To: Watcher, Chip: chip, Millis: ms, Done: int((int64(m.clock) - from) / 1e6)}
}

// coming returns what the server sends next, nil for nothing but bookmarks.
func (m *Model) coming() *link.Tape {
	var first *link.Tape
	for i := range m.Frame.Server.Tape {
		if x := &m.Frame.Server.Tape[i]; !x.Sent && x.Chip.Key != "" && x.Chip.T != link.LetterBookmark && (first == nil || x.Time < first.Time) {
			first = x
		}
	}
	return first
}

// tick asks for a tick while something moves.
func (m *Model) tick() []desk.Cmd {
	if m.ticks || !m.Playing || !m.Visible() {
		return nil
	}
	m.ticks = true
	return m.desk.Tick()
}

// Ticked goes on before a painting, at a time in milliseconds. It reports whether something else is to be seen.
func (m *Model) Ticked(now float64) (cmds []desk.Cmd, seen bool) {
	m.ticks = false
	ms := min(now-m.now, 100) // it doesn't make up for time in which the page was out of sight
	m.now = now
	if !m.Visible() || !m.Playing {
		return nil, false
	}
	cmds, seen = m.advance(ms)
	if says := Figure(m.Staleness()) + " " + Figure(m.Retry()); says != m.drawn {
		m.drawn, seen = says, true
	}
	return append(cmds, m.tick()...), seen
}

// advance ends a leg, lets time pass, or takes the next step when that is due.
func (m *Model) advance(ms float64) (cmds []desk.Cmd, seen bool) {
	if m.now < m.until || m.desk.Surroundings().Moving || m.acts > 0 {
		return nil, false
	}
	if m.next != nil {
		m.arrive()
		return nil, true
	}
	if cmds := m.live(); cmds != nil {
		return cmds, true
	}
	f := m.Frame
	due := float64(f.Next)
	if m.popped != nil {
		due = m.clock // the frame that is drawn is an older one
	}
	if f.Next < 0 && m.popped == nil {
		if !m.peeked {
			m.peeked = true
			return m.desk.Move(link.Seek{Step: f.Step}), false
		}
		due = m.clock
		switch x := m.coming(); {
		case f.Complete || f.Step >= f.Steps && x == nil && !m.IsCut():
			due = math.Inf(1)
		case x != nil:
			due = float64(x.Time)
		}
	}
	feeds := m.Hold.feed > 0 && m.popped == nil
	if feeds {
		due = min(due, m.Hold.next)
	}
	if due-m.clock > idleTime && (math.IsInf(due, 1) || m.coming() == nil) {
		m.Playing = false
		return nil, true
	}
	if m.clock += ms * 1e6; m.clock < due {
		return nil, false
	}
	m.clock = due
	if feeds && due == m.Hold.next {
		return nil, false
	}
	m.stepped = true
	return m.desk.Move(link.Step{Unit: link.Micro, N: 1}), false
}

// idleTime is how long nothing must happen for the loop to wait for the viewer, in nanoseconds.
const idleTime = 8e9

// Figure writes a time as the middle of the loop shows it, in seconds with one decimal.
func Figure(ns int64) string {
	tenths := ns / 1e8
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10)
}
