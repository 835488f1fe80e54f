package loop

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Answers name what can be answered to whether a slow handler holds up the others, in their order. The catalogues have
// them under "loop.hold.".
var Answers = [...]string{"copy", "code", "lost"}

// Hold is what the viewer expects of a slow handler, and what the machine did. Times are in nanoseconds since the objects
// were changed, and steps are 0 as long as something has not happened.
type Hold struct {
	Answer  int // the viewer's, from 1; 0 for none yet
	Changes int // how many objects were changed after it
	Calls   int // how many times the handler was called for them

	Copied, Notified     int64 // when the cache had all of them, and when the handler was told of the last one
	CopiedStep, ToldStep int64

	Millis int  // how long a call takes now
	Live   bool // the viewer has moved that since, and the objects change by themselves

	begun  int64 // when they were changed
	before int64 // the handler's calls before that
	idle   bool  // nothing is on its way to the handler any more
	paced  int   // how long a call takes in the machine, in milliseconds
	feed   int   // how many more objects change by themselves
	next   float64
	turn   int // which of them is next
}

// What changes by itself while the viewer tries out how long a handler may take.
const (
	feeds     = 40
	feedEvery = 400 // in milliseconds
	changes   = 3
)

// Correct returns the number of the answer that the machine gave, 0 as long as it has given none.
func (h *Hold) Correct() int {
	switch {
	case h.CopiedStep == 0 || !h.idle && h.ToldStep == 0:
		return 0
	case h.Copied >= shortest*1e6:
		return 1
	case h.Calls < h.Changes:
		return 3
	}
	return 2
}

// observe notes what a step has brought. Same says that the cache has what the cluster has.
func (h *Hold) observe(f *link.Frame, same bool) {
	if h.Changes == 0 || h.Correct() > 0 {
		return
	}
	if h.begun == 0 {
		h.begun = f.Time
	}
	if same && h.CopiedStep == 0 {
		h.Copied, h.CopiedStep = f.Time-h.begun, f.Step
	}
	l := slowHandler(f)
	h.Calls = int(l.Calls - h.before)
	if h.Calls == h.Changes && h.ToldStep == 0 {
		h.Notified, h.ToldStep = f.Time-h.begun, f.Step
	}
	h.idle = h.CopiedStep > 0 && l.Behind == 0 && f.Loop.State == link.LoopWaiting
}

// slowHandler returns the first handler, which the question is about.
func slowHandler(f *link.Frame) *link.Listener {
	if len(f.Processor.Listeners) == 0 {
		return &link.Listener{}
	}
	return &f.Processor.Listeners[0]
}

// Waiting returns how many notifications wait for the handler, besides the one that it is called for.
func (m *Model) Waiting() int {
	l := slowHandler(m.Frame)
	if n := l.Behind; n > 0 && l.Handler != nil {
		return n - 1
	}
	return slowHandler(m.Frame).Behind
}

// Guess takes the viewer's answer, from 1, and has the machine judge it: several objects change at once.
func (m *Model) Guess(answer int) []desk.Cmd {
	if m.waits(func() []desk.Cmd { return m.Guess(answer) }) || m.Beat != AtHold || m.Hold.Answer > 0 || answer < 1 || answer > len(Answers) {
		return nil
	}
	m.newest()
	lines := make([]string, changes)
	for i := range lines {
		lines[i] = m.change()
	}
	m.Hold = Hold{Answer: answer, Changes: len(lines), Millis: 1000, paced: 1000, before: slowHandler(m.Frame).Calls, turn: m.Hold.turn}
	return m.play("", lines...)
}

// change returns a line that changes one of the objects, each in its turn. What a worker writes of them stays.
func (m *Model) change() string {
	m.Hold.turn++
	return "patch pod " + m.keys[m.Hold.turn%len(m.keys)] + " image=" + strconv.Itoa(m.Hold.turn)
}

// Slow sets how long a call of the handler takes, in milliseconds up to a second, and lets the objects change.
func (m *Model) Slow(ms int) []desk.Cmd {
	if !m.Visible() || m.Hold.Correct() == 0 || ms < 0 || ms > 1000 || m.Hold.Live && ms == m.Hold.Millis {
		return nil
	}
	m.Hold.Millis = ms
	return m.feed()
}

// feed lets the objects change one after the other, once the machine has judged the answer.
func (m *Model) feed() []desk.Cmd {
	h := &m.Hold
	if m.Beat != AtHold || h.Correct() == 0 {
		return nil
	}
	if h.feed == 0 {
		h.next = m.clock
	}
	h.Live, h.feed, m.Playing = true, feeds, true
	return m.tick()
}

// live plays the line that is due while objects change by themselves, nil for none.
func (m *Model) live() []desk.Cmd {
	h := &m.Hold
	switch {
	case m.popped != nil:
	case h.Live && h.paced != h.Millis:
		h.paced = h.Millis
		return m.play("", "takes yours "+strconv.Itoa(h.Millis)+"ms")
	case h.feed > 0 && m.clock >= h.next:
		h.feed--
		h.next = m.clock + feedEvery*1e6
		return m.play("", m.change())
	}
	return nil
}
