package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
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
	"05-one-handler", "05-deltas-pile-up", "06-processor-alone", "07-two-handlers", "08-custom-key", "08-no-metadata", "09-index-follows-labels", "10-factory", "10-factory-versions", "10-one-shared", "10-n-separate",
	"11-resync", "13-resync-skips-queued", "13-resync-gone", "13-resync-not-due", "14-sync-decision", "14-every-delta", "14-ghost", "19-has-synced", "19-has-synced-empty", "19-has-synced-empty-current",
	"15-slow-handler", "15-handler-paced", "16-late-handler", "17-run-twice", "17-run-twice-classic", "17-run-twice-late", "18-requeue",
	"12-errors", "12-expired", "12-half-open", "12-very-short-watch", "12-skipped-events", "12-bookmark", "12-pages", "12-selector", "23-streaming-list", "23-streaming-list-falls-back",
	"24-lagging-replica", "24-restore", "24-slow-watcher",
	"26-lost-event", "26-late-events", "26-initial-end-withheld", "26-retry-after",
	"27-blocked-handler", "27-handler-panics", "27-blind-handler", "27-key-function-refuses-tombstones", "28-late-index", "28-killed-process",
	"22-mutation-detector", "22-mutated-object",
	"21-workqueue-alone", "21-shutdown-with-drain", "20-workqueue", "20-rate-limited", "20-reconciles-fail", "26-explore", "00-round-trip",
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
	if c.Failure != nil && m.Learning == nil || c.Failure != nil && !c.Whole {
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
	return append(cmds, m.move(link.PlayLine{Line: line})...)
}

// explored takes in how far the answer to a can line is. The way to what was asked
// for is played.
func (m *Model) explored(x *link.Explored) []Cmd {
	m.Explored = nil
	if !x.Done {
		m.Explored = x
		return nil
	}
	if x.Until == 0 {
		return nil
	}
	cmds := m.setPlaying(true)
	m.play.until = x.Until
	return cmds
}

// random plays on with a schedule that no other click has given.
func (m *Model) random() []Cmd {
	m.Random++
	return m.playLine("run random " + strconv.FormatInt(m.Random, 10))
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
		if m.Tab != Lesson {
			m.Tab = Explain // which says what came of it
		}
		return m.playLine(line)
	}
	m.Line = strings.TrimSuffix(line, "…")
	return m.openConsole()
}

// lane does something to the futures.
func (m *Model) lane(op link.Op) []Cmd {
	if m.Opened == nil || m.Lanes == nil {
		return nil
	}
	m.Renames = 0
	cmds := m.setPlaying(false)
	return append(cmds, m.move(op)...)
}

func (m *Model) nameLane(arg, name string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	return m.lane(link.RenameLane{Lane: n, Name: name})
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
	return m.lane(link.ShowLane{Lane: to})
}

// Gesture is an entry of a station's menu: the line that it writes, and the handler
// that it does something to, where it is one's. The catalogues name it after
// "gesture." and its ID.
type Gesture struct{ ID, Line, Handler string }

// HasGestures tells whether something can be done at a station.
func (m *Model) HasGestures(s string) bool {
	if m.Opened == nil || m.Frame == nil || m.Opened.Informer >= len(m.Opened.Informers) {
		return false
	}
	switch s {
	case link.StationServer, link.StationReflector, link.StationLoop, link.StationStore, link.StationProcessor:
		return true
	case link.StationWork:
		return m.Frame.Work.Fed
	}
	return false
}

// Gestures are what can be done at a station.
func (m *Model) Gestures(s string) []Gesture {
	if !m.HasGestures(s) {
		return nil
	}
	in := m.Opened.Informers[m.Opened.Informer].Name
	which := "" // where it is not the first
	if m.Opened.Script && m.Opened.Informer > 0 {
		which = in
	}
	key := "default/new"
	if m.Object != nil && m.Object.Key != "" {
		key = m.Object.Key
	} else if len(m.Frame.Store.Tiles) > 0 {
		key = m.Frame.Store.Tiles[0].Key
	}
	now := func(id string, kind world.CommandKind, values ...string) Gesture {
		return Gesture{ID: id, Line: script.Line(kind, values...)}
	}
	first := func(id string, kind world.CommandKind, values ...string) Gesture {
		return Gesture{ID: id, Line: script.Line(kind, values...) + "…"}
	}
	switch s {
	case link.StationServer:
		return []Gesture{
			first("create", world.Create, in, "default/new", "app=new"), first("update", world.Update, in, key, "changed=yes"), first("delete", world.Delete, in, key),
			now("breakWatch", world.BreakWatch, which), now("silenceWatch", world.SilenceWatch, which),
			now("dropEvent", world.DropEvent, which), now("delayEvent", world.DelayEvent, "5s", which),
			now("duplicateEvent", world.DuplicateEvent, which), now("swapEvents", world.SwapEvents, which), now("withholdInitialEnd", world.WithholdInitialEnd, which),
			now("fail429", world.FailRequests, "toomany", "", "", which), now("retryAfter", world.FailRequests, "toomany", "", "5s", which),
			now("fail500", world.FailRequests, "internal", "", "", which), now("fail410", world.FailRequests, "expired", "", "", which),
			now("refuse", world.FailRequests, "refused", "", "", which),
			now("compact", world.Compact, which), now("restart", world.RestartServer, "1s", "", which), now("lag", world.LagServer, "5s", which),
		}
	case link.StationReflector:
		out := []Gesture{now("breakWatch", world.BreakWatch, which)}
		if in := m.Frame.Reflector.ResyncIn; in >= 0 {
			out = append(out, now("resync", world.PassTime, strconv.FormatInt(in/1e6+5, 10)+"ms")) // and 4 ms or more in which to see it
		}
		return append(out, now("advance", world.PassTime, "30s"), first("advanceBy", world.PassTime, "10m"))
	case link.StationLoop:
		return []Gesture{now("stop", world.StopInformer, which), now("startAgain", world.RunAgain, which), now("timeless", world.TakeNoTime), now("killProcess", world.KillProcess)}
	case link.StationStore:
		return []Gesture{first("mutate", world.MutateCached, in, key, "changed=yes"), first("addIndex", world.AddIndex, "app", which), now("refuseTombstones", world.RefuseTombstones, which)}
	case link.StationProcessor:
		out := []Gesture{first("addHandler", world.AddHandler, "another", in, "1ms"), first("addSlow", world.AddHandler, "slow", in, "1s")}
		for _, l := range m.Frame.Processor.Listeners {
			if l.Joined {
				of := []Gesture{first("pace", world.PaceHandler, l.Name, "1s")}
				switch l.Fault {
				case "":
					of = append(of, now("block", world.PaceHandler, l.Name, "forever"), now("panic", world.PanicHandler, l.Name),
						now("blind", world.BlindHandler, l.Name), now("assert", world.BlindHandler, l.Name, "panics"))
				case link.FaultBlocks:
					of = append(of, now("unblock", world.PaceHandler, l.Name, "1ms"))
				default:
					of = append(of, now("mend", world.MendHandler, l.Name))
				}
				of = append(of, now("removeHandler", world.RemoveHandler, l.Name))
				for i := range of {
					of[i].Handler = l.Name
				}
				out = append(out, of...)
			}
		}
		return out
	case link.StationWork:
		out := []Gesture{now("failReconcile", world.FailReconciles, "", "", which), now("failReconciles", world.FailReconciles, "all", "", which), first("failKey", world.FailReconciles, "all", key, which)}
		if m.Frame.Work.Fails != 0 {
			out = append(out, now("mendReconciles", world.FailReconciles, "0", "", which))
		}
		return out
	}
	return nil
}
