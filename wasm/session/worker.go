package session

import (
	"strconv"

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
			m.Open.Failure = &link.Failure{Say: link.Sentence{ID: "fail.withdrawn"}}
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
	if m.Open.Trace == nil {
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
