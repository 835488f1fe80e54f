package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// What the viewer does to the machine is always a line of script. This file has the
// console, in which such lines are written, the gestures at the stations, each of
// which writes one, and the futures that come of them.

// Hands are what the viewer does to the machine.
type Hands struct {
	Lanes    *link.Lanes        // the futures that there are, nil before anything is open
	Lines    []link.ConsoleLine // the console's transcript
	Wrong    *link.LineFailure  // what is wrong with the line played last, nil for nothing
	Line     string             // as it is being written
	written  []string           // the lines played, the newest last
	recall   int                // which of them is in Line, counted from the newest; 0 for none
	Menu     string             // whose gestures are shown, "" for none's
	Renames  int                // the lane whose name is being edited, 0 for none
	Explored *link.Explored     // a can line whose answer is being looked for, nil for none
	Random   int64              // the seed of the next random schedule
	Focus    int                // counts the times that the console's line is to have the focus
}

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

func (h *Hands) open(m *Model) []Cmd {
	m.Front.show(desk.Console)
	h.Focus++
	return nil
}

// transcribe takes in what a line has brought.
func (h *Hands) transcribe(m *Model, c *link.Console) {
	if c.Whole {
		h.Lines = nil
	}
	h.Lines = append(h.Lines, c.Entries...)
	if n := len(h.Lines) - maxTranscript; n > 0 {
		h.Lines = h.Lines[n:]
	}
	h.Wrong = c.Failure
	if c.Failure != nil && m.Lesson.Learning == nil || c.Failure != nil && !c.Whole {
		if !c.Whole {
			h.Line = c.Failure.Text // to be mended
		}
		m.Front.turn(desk.Console)
	}
}

// enter is a key in the console's line: it is played, or one from before comes
// back.
func (h *Hands) enter(m *Model, key, value string) []Cmd {
	switch key {
	case "ArrowUp":
		return h.remember(h.recall + 1)
	case "ArrowDown":
		return h.remember(h.recall - 1)
	case "Escape":
		h.Line, h.Wrong = "", nil
		return nil
	}
	return h.play(m, value)
}

func (h *Hands) remember(n int) []Cmd {
	if n < 0 || n > len(h.written) {
		return nil
	}
	h.recall, h.Line = n, ""
	if n > 0 {
		h.Line = h.written[len(h.written)-n]
	}
	return nil
}

// play plays a line where the viewer is.
func (h *Hands) play(m *Model, line string) []Cmd {
	line = strings.TrimSpace(line)
	if line == "" || m.Open.Trace == nil {
		return nil
	}
	if n := len(h.written); n == 0 || h.written[n-1] != line {
		h.written = append(h.written, line)
	}
	h.Line, h.recall, h.Wrong, h.Menu = "", 0, nil, ""
	cmds := m.Transport.set(m, false)
	return append(cmds, m.move(link.PlayLine{Line: line})...)
}

// explored takes in how far the answer to a can line is. The way to what was asked
// for is played.
func (h *Hands) explored(m *Model, x *link.Explored) []Cmd {
	h.Explored = nil
	if !x.Done {
		h.Explored = x
		return nil
	}
	if x.Until == 0 {
		return nil
	}
	cmds := m.Transport.set(m, true)
	m.Transport.until(x.Until, 0)
	return cmds
}

// random plays on with a schedule that no other click has given.
func (h *Hands) random(m *Model) []Cmd {
	h.Random++
	return h.play(m, "run random "+strconv.FormatInt(h.Random, 10))
}

func (h *Hands) toggle(s string) []Cmd {
	if h.Menu == s {
		s = ""
	}
	h.Menu = s
	return nil
}

// gesture does what an entry of a station's menu says. A line that ends in a space,
// or has something to fill in, goes to the console first.
func (h *Hands) gesture(m *Model, line string) []Cmd {
	h.Menu = ""
	if !strings.ContainsRune(line, '…') {
		if m.Front.Tab != desk.Lesson {
			m.Front.turn(desk.Explain) // which says what came of it
		}
		return h.play(m, line)
	}
	h.Line = strings.TrimSuffix(line, "…")
	return h.open(m)
}

// lane does something to the futures.
func (h *Hands) lane(m *Model, op link.Op) []Cmd {
	if m.Open.Trace == nil || h.Lanes == nil {
		return nil
	}
	h.Renames = 0
	cmds := m.Transport.set(m, false)
	return append(cmds, m.move(op)...)
}

func (h *Hands) name(m *Model, arg, name string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	return h.lane(m, link.RenameLane{Lane: n, Name: name})
}

// flip shows the future that the one on the stage has left, or, of the first, the
// newest.
func (h *Hands) flip(m *Model) []Cmd {
	if h.Lanes == nil || len(h.Lanes.All) < 2 {
		return nil
	}
	to := h.Lanes.All[len(h.Lanes.All)-1].ID
	for _, l := range h.Lanes.All {
		if l.ID == h.Lanes.Shown && l.Of >= 0 {
			to = l.Of
		}
	}
	return h.lane(m, link.ShowLane{Lane: to})
}

// Gesture is an entry of a station's menu. Line is what it writes, and Handler is the handler it
// acts on, "" for none. The catalogues name it after "gesture." and its ID.
type Gesture struct{ ID, Line, Handler string }

// HasGestures reports whether something can be done at a station.
func (h *Hands) HasGestures(m *Model, s string) bool {
	if m.Open.Trace == nil || m.Stage.Frame == nil || m.Open.Trace.Informer >= len(m.Open.Trace.Informers) {
		return false
	}
	switch s {
	case link.StationServer, link.StationReflector, link.StationLoop, link.StationStore, link.StationProcessor:
		return true
	case link.StationWork:
		return m.Stage.Frame.Work.Fed
	}
	return false
}

// Gestures are what can be done at a station.
func (h *Hands) Gestures(m *Model, s string) []Gesture {
	if !h.HasGestures(m, s) {
		return nil
	}
	in := m.Open.Trace.Informers[m.Open.Trace.Informer].Name
	which := "" // where it is not the first
	if m.Open.Trace.Script && m.Open.Trace.Informer > 0 {
		which = in
	}
	key := "default/new"
	if m.Front.Object != nil && m.Front.Object.Key != "" {
		key = m.Front.Object.Key
	} else if len(m.Stage.Frame.Store.Tiles) > 0 {
		key = m.Stage.Frame.Store.Tiles[0].Key
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
		if in := m.Stage.Frame.Reflector.ResyncIn; in >= 0 {
			out = append(out, now("resync", world.PassTime, strconv.FormatInt(in/1e6+5, 10)+"ms")) // and 4 ms or more in which to see it
		}
		return append(out, now("advance", world.PassTime, "30s"), first("advanceBy", world.PassTime, "10m"))
	case link.StationLoop:
		return []Gesture{now("stop", world.StopInformer, which), now("startAgain", world.RunAgain, which), now("timeless", world.TakeNoTime), now("killProcess", world.KillProcess)}
	case link.StationStore:
		return []Gesture{first("mutate", world.MutateCached, in, key, "changed=yes"), first("addIndex", world.AddIndex, "app", which), now("refuseTombstones", world.RefuseTombstones, which)}
	case link.StationProcessor:
		out := []Gesture{first("addHandler", world.AddHandler, "another", in, "1ms"), first("addSlow", world.AddHandler, "slow", in, "1s")}
		for _, l := range m.Stage.Frame.Processor.Listeners {
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
		if m.Stage.Frame.Work.Fails != 0 {
			out = append(out, now("mendReconciles", world.FailReconciles, "0", "", which))
		}
		return out
	}
	return nil
}

// write takes in the console's line.
func (h *Hands) write(line string) { h.Line, h.recall = line, 0 }

// rename begins to edit a lane's name.
func (h *Hands) rename(lane string) { h.Renames, _ = strconv.Atoi(lane) }

func (h *Hands) closeMenu() { h.Menu = "" }

// refused notes what is wrong with a line of a link.
func (h *Hands) refused(f *link.LineFailure) { h.Wrong = f }

// futures takes in the futures that there are.
func (h *Hands) futures(l *link.Lanes) { h.Lanes = l }

// anew is what stays of h when something else is opened.
func (h Hands) anew() Hands {
	return Hands{written: h.written, recall: h.recall, Random: h.Random, Focus: h.Focus}
}

// maxCompletions is how many completions a list has at most.
const maxCompletions = 40

// Completions are lines that begin with what is being written.
func (h *Hands) Completions(m *Model) []string {
	if m.Open.Trace == nil || m.Stage.Frame == nil || m.Front.Tab != desk.Console {
		return nil
	}
	var n script.Names
	for _, x := range m.Open.Trace.Informers {
		n.Informers = append(n.Informers, x.Name)
	}
	for _, t := range m.Stage.Frame.Store.Tiles {
		if len(n.Keys) < 12 {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	for _, l := range m.Stage.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	for _, a := range m.Stage.Frame.Actors {
		if a.Ready {
			n.Actors = append(n.Actors, h.ActorName(m, a.ID))
		}
	}
	for _, x := range m.Stage.Frame.Store.Indices {
		n.Indices = append(n.Indices, x.Name)
	}
	return script.Completions(nil, h.Line, n, maxCompletions)
}

// ActorName is what lines of script call an actor: "run/audit" for "run/1".
func (h *Hands) ActorName(m *Model, id string) string {
	kind, number, ok := strings.Cut(id, "/")
	if !ok || kind != "pop" && kind != "run" {
		return id
	}
	for _, l := range m.Stage.Frame.Processor.Listeners {
		if number == strconv.Itoa(l.ID) {
			return kind + "/" + l.Name
		}
	}
	return id
}
