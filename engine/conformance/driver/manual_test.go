package driver

import (
	"fmt"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// script is an API server that answers when a script says so, and takes down
// what it is asked. Where there are several connections, because Run was called
// more than once, requests are answered in the order in which they came.
type script struct {
	t     *object.Table
	calls []string
	conns []*manual
	turn  int64
}

// manual is a connection to it.
type manual struct {
	*script
	state        apiserver.State
	pendingSince int64              // when it came to that, among the others
	answers      []apiserver.Answer // that the informer has not taken yet
	listOptions  object.ListOptions // of the request that is pending, or of the open watch
}

var _ apiserver.Server = (*manual)(nil)

// Dial returns another connection.
func (s *script) Dial() apiserver.Server {
	m := &manual{script: s}
	s.conns = append(s.conns, m)
	return m
}

// connectionIn returns the connection that came to a state as the n-th, 0 being the first,
// and is in it still; nil if there is none.
func (s *script) connectionIn(state apiserver.State, n int) *manual {
	var found []*manual
	for _, m := range s.conns {
		if m.state == state {
			found = append(found, m)
		}
	}
	if n < 0 || n >= len(found) {
		return nil
	}
	slices.SortFunc(found, func(a, b *manual) int { return int(a.pendingSince - b.pendingSince) })
	return found[n]
}

// awaiting lists the requests that nobody has answered.
func (s *script) awaiting() []string {
	out := []string{}
	for _, m := range s.conns {
		if m.state == apiserver.Listing && len(m.answers) == 0 {
			out = append(out, "list")
		}
	}
	for _, m := range s.conns {
		if m.state == apiserver.Opening && len(m.answers) == 0 {
			out = append(out, "watch")
		}
	}
	return out
}

func (m *manual) setState(state apiserver.State) {
	m.turn++
	m.state, m.pendingSince = state, m.turn
}

// List takes down a list. A watch that is open then was forgotten by the
// informer, and is not stopped.
func (m *manual) List(o object.ListOptions, _ int64) {
	m.listOptions = o
	m.setState(apiserver.Listing)
	m.calls = append(m.calls, "list "+m.options(o))
}

func (m *manual) Watch(o object.ListOptions, _ int64) {
	m.listOptions = o
	m.setState(apiserver.Opening)
	m.calls = append(m.calls, "watch "+m.options(o))
}

// options writes what is asked for. Time-outs are random within a range.
func (m *manual) options(o object.ListOptions) string {
	s := fmt.Sprintf("rv=%q", m.t.RVText(o.RV))
	if o.Match != object.AnyMatch {
		s += " match=" + o.Match.String()
	}
	if o.Limit != 0 {
		s += fmt.Sprintf(" limit=%d", o.Limit)
	}
	if o.Continue != 0 {
		s += fmt.Sprintf(" continue=%q", m.t.Text(o.Continue))
	}
	if o.Bookmarks {
		s += " bookmarks"
	}
	if o.SendInitialEvents {
		s += " sendInitialEvents=true"
	}
	if !o.Shard.Empty() {
		s += fmt.Sprintf(" shardSelector=%q", o.Shard.Selector())
	}
	if o.Timeout != 0 {
		s += " timeout=[300,600]"
	}
	return s
}

// Due returns now if the script has answered, or else never.
func (m *manual) Due() (at int64, ok bool) {
	if len(m.answers) == 0 {
		return actor.Never, true
	}
	return 0, true
}

func (m *manual) Take() apiserver.Answer {
	a := m.answers[0]
	m.answers = m.answers[1:]
	switch a.Answer {
	case apiserver.Opened:
		m.setState(apiserver.Open)
	case apiserver.Closed:
		m.Hangup()
	case apiserver.Listed, apiserver.ListFailed, apiserver.OpenFailed:
		m.state = apiserver.Idle
	}
	return a
}

// Hangup takes down that an open watch is stopped.
func (m *manual) Hangup() {
	if m.state == apiserver.Open {
		m.calls = append(m.calls, "watch.stop")
	}
	m.state, m.answers = apiserver.Idle, nil
}

func (m *manual) Cut() { m.answer(apiserver.Answer{Answer: apiserver.Closed}) }

func (m *manual) State() apiserver.State { return m.state }

// View says what the connection does; nobody looks at the rest.
func (m *manual) View(int, int) apiserver.View { return apiserver.View{State: m.state, Total: -1} }

// KnownUntil returns 0: what the script says next never depends on what has not been read.
func (m *manual) KnownUntil() int64 { return 0 }

// Retried reports true: the scripts' informers have no rest.Request below them.
func (m *manual) Retried() bool { return true }

// Quiet reports false: the script may say anything.
func (m *manual) Quiet() bool { return false }

// NextRequest reports false: no client was recorded.
func (m *manual) NextRequest() (at int64, ok bool) { return 0, false }

// CopyTo returns m itself: a driver's world is never copied.
func (m *manual) CopyTo(apiserver.Server) apiserver.Server { return m }

// Hash adds nothing: a driver's world is never explored.
func (m *manual) Hash(*actor.Hash, int64) {}

func (m *manual) answer(a apiserver.Answer) { m.answers = append(m.answers, a) }

// failed returns the answer that an error's name stands for.
func failed(kind apiserver.AnswerKind, name string) apiserver.Answer {
	a := apiserver.Answer{Answer: kind}
	a.Failure, a.Code = apiserver.OtherFailure, 500
	switch name {
	case "expired":
		a.Failure, a.Code = apiserver.Expired, 410
	case "gone":
		a.Failure, a.Code = apiserver.Gone, 410
	case "toolarge":
		a.Failure, a.Code = apiserver.TooLarge, 504
	case "toomany":
		a.Failure, a.Code = apiserver.TooManyRequests, 429
	case "internal":
		a.Failure = apiserver.InternalError
	case "refused":
		a.Failure, a.Code = apiserver.Refused, 0
	case "notfound":
		a.Code = 404
	case "invalid":
		a.Code = 422
	}
	return a
}

// watchEvent is one event of inf.events.
type watchEvent struct {
	T   string
	O   *objectSpec
	RV  string
	End bool
	Err string

	WrongKind bool `json:"other"` // its object is not of the kind that was asked for
}

func (o *objects) event(e *watchEvent) apiserver.Answer {
	a := apiserver.Answer{Answer: apiserver.Event}
	if e.WrongKind {
		a.Failure = apiserver.OtherKind
	}
	a.Kind = apiserver.WatchEvent
	switch e.T {
	case "BOOKMARK":
		a.Kind, a.RV = apiserver.WatchBookmark, o.t.RV(e.RV)
		if e.End {
			a.Kind = apiserver.InitialEnd
		}
		return a
	case "ERROR":
		a = failed(apiserver.Event, e.Err)
		a.Kind, a.Delta = apiserver.WatchEvent, event.Error
		if a.Failure == apiserver.Refused { // nobody can say that on a connection
			a.Failure = apiserver.OtherFailure
		}
		return a
	case "ADDED":
		a.Delta = event.Added
	case "MODIFIED":
		a.Delta = event.Updated
	case "DELETED":
		a.Delta = event.Deleted
	default:
		a.Delta = event.Unknown
	}
	if e.O == nil || e.O.T == "bad" {
		return a // it has no metadata
	}
	a.Obj = o.item(e.O).Obj
	a.RV = o.t.RVOf(a.Obj)
	return a
}
