package session

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// asking is what the page waits for. Only one request that moves the machine is in
// flight at a time; the next one waits here.
type asking struct {
	id            int       // the ID of the last request
	openID        int       // the ID of the last link.Open or link.FollowCluster
	moving        int       // the ID of the request that moves the machine, 0 for none
	waiting       []link.Op // what is asked for after that, in order
	opening       bool      // the worker was asked to open something, and has not answered
	complete      bool      // all has been read and run
	timeline      int       // the ID of the request for a timeline, 0 for none
	timelineAgain bool
	search        string // the key whose step is searched for, "" for none
	timed         int64  // when the timeline of a live trace was last asked for, in nanoseconds since its start
}

// count gives the next request its ID.
func (a *asking) count() { a.id++ }

// opens notes that the last request opens something.
func (a *asking) opens() { a.openID = a.id }

// opened notes that the worker has answered that.
func (a *asking) opened() { a.opening = false }

// begin notes that the worker reads or runs it.
func (a *asking) begin() { a.complete = false }

// finish notes that all has been read and run.
func (a *asking) finish() { a.complete = true }

// end waits for nothing, as the worker has ended.
func (a *asking) end() { *a = asking{id: a.id} }

// move notes that the last request moves the machine, and the key or expression that it looks for.
func (a *asking) move(search string) { a.moving, a.search = a.id, search }

// moved notes that the worker has answered that.
func (a *asking) moved() { a.moving, a.search = 0, "" }

// endSearch no longer waits for the step that is searched for.
func (a *asking) endSearch() { a.search = "" }

// wait has an operation wait until the machine was moved. Of two moves that wait, the machine makes the
// last. What does something to the machine is never left out.
func (a *asking) wait(op link.Op) {
	if n := len(a.waiting); n > 0 && stead(a.waiting[n-1], op) {
		op = together(a.waiting[n-1], op)
		a.waiting = a.waiting[:n-1]
	}
	a.waiting = append(a.waiting, op)
}

// stead reports whether an operation can stand in the place of the one before it.
func stead(first, then link.Op) bool {
	_, setsUp := first.(link.SetUp)
	_, again := then.(link.SetUp)
	return setsUp && again || goes(first) && goes(then)
}

// goes reports whether an operation shows another moment and does nothing to the machine.
func goes(op link.Op) bool {
	switch op.(type) {
	case link.Step, link.Seek, link.SeekTime, link.SeekMark, link.SeekDiffer, link.RunTo, link.ShowNext, link.GoStop, link.VisitLane:
		return true
	}
	return false
}

// waited returns the operation that has waited longest, or nil.
func (a *asking) waited() (op link.Op) {
	if len(a.waiting) > 0 {
		op, a.waiting = a.waiting[0], a.waiting[1:]
	}
	return op
}

// draw notes that the last request is for a timeline.
func (a *asking) draw() { a.timeline, a.timelineAgain = a.id, false }

// drawAgain asks for another timeline once that one has come.
func (a *asking) drawAgain() { a.timelineAgain = true }

// drew notes that the timeline has come.
func (a *asking) drew() { a.timeline = 0 }

// time notes when the timeline of a live trace was last asked for.
func (a *asking) time(now int64) { a.timed = now }

// send asks the worker for something, and with files also sends the files that were chosen last.
func (m *Model) send(op link.Op, files bool) []Cmd {
	m.ask.count()
	switch op.(type) {
	case link.Open:
		m.ask.opens()
	case link.Cancel:
		m.Open.Loaded()
		if m.Open.Trace == nil && m.Open.Failure == nil {
			m.Open.Failure = &link.Failure{Say: link.Sentence{ID: "fail.withdrawn"}}
		}
	}
	return []Cmd{desk.Send{Request: link.Request{ID: m.ask.id, Do: op}, Files: files}}
}

// move asks for something that moves the machine. It waits until the request before it
// has been answered. Steps of the same unit that wait become one request.
func (m *Model) move(op link.Op) []Cmd {
	if m.Open.Trace == nil || m.Open.Died != "" {
		return nil
	}
	search, to := searched(op)
	m.Find.Missed, m.Expr.Break = nil, ""
	m.Nav.Asked(to)
	if m.ask.moving != 0 {
		m.ask.wait(op)
		if search != m.ask.search {
			return m.Find.End()
		}
		return nil
	}
	cmds := m.send(op, false)
	m.ask.move(search)
	m.Transport.asked()
	return cmds
}

// searched returns the key or the expression whose next step an operation looks for, "" for
// none, and what it is to the browser's history.
func searched(op link.Op) (search string, to navigation.Event) {
	switch op := op.(type) {
	case link.Step:
		return op.Key, navigation.OnAsked
	case link.RunTo:
		return op.Expr, navigation.OnAskedMark
	case link.SeekMark:
		return "", navigation.OnAskedMark
	}
	return "", navigation.OnAsked
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
	if m.ask.moving != 0 || len(m.ask.waiting) == 0 {
		return nil
	}
	return m.move(m.ask.waited())
}

func (m *Model) askTimeline() []Cmd {
	if m.Open.Trace == nil {
		return nil
	}
	if m.ask.timeline != 0 {
		m.ask.drawAgain()
		return nil
	}
	cmds := m.send(link.DrawTimeline{Axis: m.Stage.Axis, Buckets: min(max(m.Screen.Width/3, 120), 640)}, false)
	m.ask.draw()
	return cmds
}
