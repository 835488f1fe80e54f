package session

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// send asks the worker for something, and with files also sends the files that were chosen last.
func (m *Model) send(op link.Op, files bool) []Cmd {
	r := m.ask.next(op)
	if _, is := op.(link.Cancel); is {
		m.Open.Loaded()
		if m.Open.Trace == nil && m.Open.Failure == nil {
			m.Open.Failure = &link.Failure{Sentence: link.Sentence{ID: "fail.withdrawn"}}
		}
	}
	return []Cmd{desk.Send{Request: r, Files: files}}
}

// move asks for something that moves the machine. It waits until the request before it
// has been answered.
func (m *Model) move(op link.Op) []Cmd {
	if m.Open.Trace == nil || m.Open.Died != "" {
		return nil
	}
	m.Find.Missed, m.Expr.Break = nil, ""
	switch op.(type) {
	case link.RunTo, link.SeekMark:
		m.Nav.RequestSent(navigation.OnAskedMark)
	default:
		m.Nav.RequestSent(navigation.OnRequest)
	}
	if m.ask.moving != 0 {
		m.ask.wait(op)
		if searched(op) != m.ask.search {
			return m.Find.End()
		}
		return nil
	}
	cmds := m.send(op, false)
	m.ask.moving, m.ask.search = m.ask.id, searched(op)
	m.Transport.play.sent = m.Transport.play.now
	return cmds
}

// moveOn sends the request that waits, if there is one and it may be sent.
func (m *Model) moveOn() []Cmd {
	if m.ask.moving != 0 || len(m.ask.waiting) == 0 {
		return nil
	}
	return m.move(m.ask.waited())
}

// rerun lets the worker run all of what is open once more: with another setup, or for another informer.
func (m *Model) rerun(op link.Op) []Cmd {
	m.Transport.Playing = false
	m.Nav.Forget()
	m.Open.Loading, m.ask.complete = true, false
	return append(m.move(op), m.askTimeline()...)
}

// askTimeline asks for the timeline, or has it asked for again when one is on its way.
func (m *Model) askTimeline() []Cmd {
	if m.Open.Trace == nil || m.Loop.Shown && !m.ask.complete { // complete asks for it, after the loop's first step
		return nil
	}
	if m.ask.timeline != 0 {
		m.ask.timelineAgain = true
		return nil
	}
	cmds := m.send(link.DrawTimeline{Axis: m.Stage.Axis, Buckets: min(max(m.Screen.Width/3, 120), 640)}, false)
	m.ask.timeline, m.ask.timelineAgain = m.ask.id, false
	return cmds
}

// fit asks for as much of each list as has room in the window.
func (m *Model) fit() []Cmd { return m.send(link.Fit{Window: m.Window()}, false) }

// painted tells the worker when the page has painted what it was told, since the
// worker waits for that. A page that is out of sight tells it at once.
func (m *Model) painted() []Cmd {
	if m.Screen.Hidden {
		return m.send(link.Painted{}, false)
	}
	return []Cmd{Painted{}}
}

// moveWindow shows the rows of a long queue from a number on.
func (m *Model) moveWindow(from int) []Cmd {
	w := m.Window()
	w.QueueFrom = max(0, from)
	return m.send(link.Fit{Window: w}, false)
}

// requests are what the page has asked the worker for, and waits for. Only one request that moves the machine is in
// flight at a time; the next one waits here.
type requests struct {
	id            int       // the ID of the last request
	openID        int       // the ID of the last link.Open or link.FollowCluster
	moving        int       // the ID of the request that moves the machine, 0 for none
	waiting       []link.Op // what is asked for after that, in order
	opening       bool      // the worker was asked to open something, and has not answered
	complete      bool      // all has been read and run
	timeline      int       // the ID of the request for a timeline, 0 for none
	timelineAgain bool      // another one is asked for once that one has come
	search        string    // the key or expression whose step is searched for, "" for none
	timed         int64     // when the timeline of a live trace was last asked for, in nanoseconds since its start
}

func (r *requests) next(op link.Op) link.Request {
	r.id++
	switch op.(type) {
	case link.Open, link.FollowCluster:
		r.openID = r.id
	}
	return link.Request{ID: r.id, Op: op}
}

// wait makes an operation wait until the machine was moved. Of two moves that wait, the machine makes the
// last. What does something to the machine is never left out.
func (r *requests) wait(op link.Op) {
	if n := len(r.waiting); n > 0 && supersedes(op, r.waiting[n-1]) {
		r.waiting[n-1] = merge(r.waiting[n-1], op)
		return
	}
	r.waiting = append(r.waiting, op)
}

// waited returns the operation that has waited longest, or nil.
func (r *requests) waited() (op link.Op) {
	if len(r.waiting) > 0 {
		op, r.waiting = r.waiting[0], r.waiting[1:]
	}
	return op
}

func supersedes(next, prev link.Op) bool {
	_, setsUp := prev.(link.SetUp)
	_, again := next.(link.SetUp)
	return setsUp && again || isSeek(prev) && isSeek(next)
}

// isSeek reports whether an operation shows another moment and does nothing to the machine.
func isSeek(op link.Op) bool {
	switch op.(type) {
	case link.Step, link.Seek, link.SeekTime, link.SeekMark, link.SeekDiffer, link.RunTo, link.ShowNext, link.GoStop, link.VisitLane:
		return true
	}
	return false
}

// merge returns the operation that replaces prev and next, which supersedes it. Steps of the same unit become one.
func merge(prev, next link.Op) link.Op {
	a, isStep := prev.(link.Step)
	b, are := next.(link.Step)
	if isStep && are && a.Unit == b.Unit && a.Key == b.Key {
		b.N += a.N
		return b
	}
	return next
}

// searched returns the key or the expression whose next step an operation looks for, "" for none.
func searched(op link.Op) string {
	switch op := op.(type) {
	case link.Step:
		return op.Key
	case link.RunTo:
		return op.Expr
	}
	return ""
}
