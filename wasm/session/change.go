package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// What the viewer does to the machine is always a line of script. This file has the
// console, in which such lines are written, the gestures at the stations, each of
// which writes one, and the futures that come of them.

// maxTranscript is how many lines of the transcript are kept.
const maxTranscript = 400

// Scripts are the scripts that the page brings along, by the names of their files
// without ".txt". The catalogues have a line on each, after "script.".
var Scripts = []string{
	"01-delta-fifo-alone", "20-dedup", "20-no-dedup-in-order", "02-list-then-watch", "03-known-objects-nil", "04-known-objects",
	"05-one-handler", "05-deltas-pile-up", "07-two-handlers", "08-custom-key", "09-index-follows-labels", "10-factory",
	"11-resync", "13-resync-skips-queued", "14-sync-decision", "14-ghost", "19-has-synced", "19-has-synced-empty", "19-has-synced-empty-current",
	"15-slow-handler", "15-handler-paced", "16-late-handler", "17-run-twice-late", "17-run-twice", "18-requeue",
	"12-errors", "12-expired", "12-half-open", "12-very-short-watch", "12-pages", "12-selector", "23-streaming-list", "23-streaming-list-falls-back",
	"24-lagging-replica", "24-restore", "24-slow-watcher", "22-mutation-detector", "22-mutated-object",
	"21-workqueue-alone", "20-workqueue", "20-rate-limited", "00-round-trip",
}

// openScript opens one of the Scripts.
func (m *Model) openScript(name string) []Cmd {
	return m.open(Source{URL: "scripts/" + name + ".txt", Name: name + ".txt"})
}

func (m *Model) openConsole() []Cmd {
	m.Tab, m.Sheet = Console, true
	m.Focus++
	return nil
}

// transcribe takes in what a line has brought.
func (m *Model) transcribe(c *link.Console) {
	if c.Whole {
		m.Lines = nil
	}
	m.Lines = append(m.Lines, c.Entries...)
	if n := len(m.Lines) - maxTranscript; n > 0 {
		m.Lines = m.Lines[n:]
	}
	m.Wrong = c.Failure
	if c.Failure != nil {
		if !c.Whole {
			m.Line = c.Failure.Text // to be mended
		}
		m.Tab = Console
	}
}

// enter is a key in the console's line: it is played, or one from before comes
// back.
func (m *Model) enter(key, value string) []Cmd {
	switch key {
	case "ArrowUp":
		return m.remember(m.recall + 1)
	case "ArrowDown":
		return m.remember(m.recall - 1)
	case "Escape":
		m.Line, m.Wrong = "", nil
		return nil
	}
	return m.playLine(value)
}

func (m *Model) remember(n int) []Cmd {
	if n < 0 || n > len(m.written) {
		return nil
	}
	m.recall, m.Line = n, ""
	if n > 0 {
		m.Line = m.written[len(m.written)-n]
	}
	return nil
}

// playLine plays a line where the viewer is.
func (m *Model) playLine(line string) []Cmd {
	line = strings.TrimSpace(line)
	if line == "" || m.Opened == nil {
		return nil
	}
	if n := len(m.written); n == 0 || m.written[n-1] != line {
		m.written = append(m.written, line)
	}
	m.Line, m.recall, m.Wrong, m.Menu = "", 0, nil, ""
	cmds := m.setPlaying(false)
	return append(cmds, m.move(link.Request{Op: link.OpLine, Line: line})...)
}

func (m *Model) toggleMenu(s string) []Cmd {
	if m.Menu == s {
		s = ""
	}
	m.Menu = s
	return nil
}

// gesture does what an entry of a station's menu says. A line that ends in a space,
// or has something to fill in, goes to the console first.
func (m *Model) gesture(line string) []Cmd {
	m.Menu = ""
	if !strings.ContainsRune(line, '…') {
		m.Tab = Explain // which says what came of it
		return m.playLine(line)
	}
	m.Line = strings.TrimSuffix(line, "…")
	return m.openConsole()
}

// lane does something to a future.
func (m *Model) lane(op link.LaneOp, n int, name string) []Cmd {
	if m.Opened == nil || m.Lanes == nil {
		return nil
	}
	m.Renames = 0
	cmds := m.setPlaying(false)
	return append(cmds, m.move(link.Request{Op: link.OpLane, Lane: op, N: int64(n), Name: name})...)
}

func (m *Model) nameLane(arg, name string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	return m.lane(link.RenameLane, n, name)
}

// flip shows the future that the one on the stage has left, or, of the first, the
// newest.
func (m *Model) flip() []Cmd {
	if m.Lanes == nil || len(m.Lanes.All) < 2 {
		return nil
	}
	to := m.Lanes.All[len(m.Lanes.All)-1].ID
	for _, l := range m.Lanes.All {
		if l.ID == m.Lanes.Shown && l.Of >= 0 {
			to = l.Of
		}
	}
	return m.lane(link.ShowLane, to, "")
}

// Gesture is an entry of a station's menu: the line that it writes, and the handler
// that it does something to, where it is one's. The catalogues name it after
// "gesture." and its ID.
type Gesture struct{ ID, Line, Handler string }

// word writes a name as one word of a line.
func word(name string) string {
	if strings.ContainsAny(name, " \t#[]") {
		return `"` + name + `"`
	}
	return name
}

// HasGestures tells whether something can be done at a station.
func (m *Model) HasGestures(s string) bool {
	if m.Opened == nil || m.Frame == nil || m.Opened.Informer >= len(m.Opened.Informers) {
		return false
	}
	switch s {
	case link.StationServer, link.StationReflector, link.StationLoop, link.StationStore, link.StationProcessor:
		return true
	}
	return false
}

// Gestures are what can be done at a station.
func (m *Model) Gestures(s string) []Gesture {
	if !m.HasGestures(s) {
		return nil
	}
	in := word(m.Opened.Informers[m.Opened.Informer].Name)
	suffix := ""
	if m.Opened.Script && m.Opened.Informer > 0 {
		suffix = " " + in
	}
	key := "default/new"
	if m.Object != nil && m.Object.Key != "" {
		key = m.Object.Key
	} else if len(m.Frame.Store.Tiles) > 0 {
		key = m.Frame.Store.Tiles[0].Key
	}
	switch s {
	case link.StationServer:
		return []Gesture{
			{ID: "create", Line: "create " + in + " default/new app=new…"}, {ID: "update", Line: "update " + in + " " + key + " changed=yes…"}, {ID: "delete", Line: "delete " + in + " " + key + "…"},
			{ID: "breakWatch", Line: "break watch" + suffix}, {ID: "silenceWatch", Line: "silence watch" + suffix},
			{ID: "fail429", Line: "fail requests toomany" + suffix}, {ID: "fail500", Line: "fail requests internal" + suffix}, {ID: "fail410", Line: "fail requests expired" + suffix}, {ID: "refuse", Line: "fail requests refused" + suffix},
			{ID: "compact", Line: "compact" + suffix}, {ID: "restart", Line: "restart server down=1s" + suffix}, {ID: "lag", Line: "lag server 5s" + suffix},
		}
	case link.StationReflector:
		out := []Gesture{{ID: "breakWatch", Line: "break watch" + suffix}}
		if in := m.Frame.Reflector.ResyncIn; in >= 0 {
			out = append(out, Gesture{ID: "resync", Line: "advance " + strconv.FormatInt(in/1e6+5, 10) + "ms"}) // and 4 ms or more in which to see it
		}
		return append(out, Gesture{ID: "advance", Line: "advance 30s"}, Gesture{ID: "advanceBy", Line: "advance 10m…"})
	case link.StationLoop:
		return []Gesture{{ID: "stop", Line: "stop" + suffix}, {ID: "startAgain", Line: "start again" + suffix}, {ID: "timeless", Line: "steps take no time"}}
	case link.StationStore:
		return []Gesture{{ID: "mutate", Line: "mutate " + in + " " + key + " changed=yes…"}}
	case link.StationProcessor:
		out := []Gesture{{ID: "addHandler", Line: "handler another informer=" + in + " takes=1ms…"}, {ID: "addSlow", Line: "handler slow informer=" + in + " takes=1s…"}}
		for _, l := range m.Frame.Processor.Listeners {
			if l.Joined {
				out = append(out, Gesture{ID: "pace", Line: "takes " + word(l.Name) + " 1s…", Handler: l.Name}, Gesture{ID: "removeHandler", Line: "remove handler " + word(l.Name), Handler: l.Name})
			}
		}
		return out
	}
	return nil
}
