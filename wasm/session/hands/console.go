package hands

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// maxTranscript is how many lines of the transcript are kept.
const maxTranscript = 400

// Open shows the console, or the field for its line that an exercise has.
func (m *Model) Open() {
	if m.desk.Surroundings().Solves {
		m.desk.Show(desk.Lesson)
	} else {
		m.desk.Show(desk.Console)
	}
	m.Focus++
}

// Write takes in the console's line.
func (m *Model) Write(line string) { m.Line, m.recall = line, 0 }

// Enter takes in a key in the console's line: the line is played, or one from before comes
// back.
func (m *Model) Enter(key, value string) []desk.Cmd {
	switch key {
	case "ArrowUp":
		m.recallLine(m.recall + 1)
	case "ArrowDown":
		m.recallLine(m.recall - 1)
	case "Escape":
		m.Line, m.Wrong = "", nil
	default:
		return m.Play(value)
	}
	return nil
}

// recallLine brings the line back that was played n lines ago.
func (m *Model) recallLine(n int) {
	if n < 0 || n > len(m.written) {
		return
	}
	m.recall, m.Line = n, ""
	if n > 0 {
		m.Line = m.written[len(m.written)-n]
	}
}

// Transcribe takes in what a line has brought.
func (m *Model) Transcribe(c *link.Console) {
	if c.Whole {
		m.Lines = nil
	}
	m.Lines = append(m.Lines, c.Entries...)
	if c.Whole {
		m.Typed = len(m.Lines)
	}
	if n := len(m.Lines) - maxTranscript; n > 0 {
		m.Lines, m.Typed = m.Lines[n:], max(0, m.Typed-n)
	}
	m.Wrong = c.Failure
	if c.Failure == nil || c.Whole && m.desk.Surroundings().Reads {
		return
	}
	if !c.Whole {
		m.Line = c.Failure.Text // to be mended
	}
	if !m.desk.Surroundings().Solves {
		m.desk.Turn(desk.Console)
	}
}

// Explore takes in how far the search is that a can line has begun. The way to the state that was found
// is played.
func (m *Model) Explore(x *link.Explored) []desk.Cmd {
	m.Explored = nil
	if !x.Done {
		m.Explored = x
		return nil
	}
	if x.Until == 0 {
		return nil
	}
	return m.desk.PlayTo(x.Until, 0)
}

// PlayRandom plays on with a schedule that no other click has given.
func (m *Model) PlayRandom() []desk.Cmd {
	m.Random++
	return m.Play("run random " + strconv.FormatInt(m.Random, 10))
}

// maxCompletions is how many completions a list has at most.
const maxCompletions = 40

// Completions returns lines that begin with what is being written.
func (m *Model) Completions() []string {
	r := m.desk.Surroundings()
	trace, f := r.Trace, r.Frame
	if trace == nil || f == nil || r.Tab != desk.Console && !r.Solves {
		return nil
	}
	var n syntax.Names
	for _, x := range trace.Informers {
		n.Informers = append(n.Informers, x.Name)
	}
	for _, t := range f.Store.Tiles {
		if len(n.Keys) < 12 {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	for _, l := range f.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	for _, a := range f.Actors {
		if a.Ready {
			n.Actors = append(n.Actors, ActorName(f, a.ID))
		}
	}
	for _, x := range f.Store.Indices {
		n.Indices = append(n.Indices, x.Name)
	}
	return syntax.Completions(nil, m.Line, n, maxCompletions)
}

// ActorName returns what lines of script call an actor of a frame: "run/audit" for "run/1".
func ActorName(f *link.Frame, id string) string {
	kind, number, ok := strings.Cut(id, "/")
	if !ok || kind != "pop" && kind != "run" {
		return id
	}
	for _, l := range f.Processor.Listeners {
		if number == strconv.Itoa(l.ID) {
			return kind + "/" + l.Name
		}
	}
	return id
}
