package hands

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Gesture is an entry of a station's menu. Line is what it writes, and Handler is the handler it
// acts on, "" for none. The catalogues name it after "gesture." and its ID. Where it could do
// nothing now, Until is the expression that comes about when it can; the catalogues say what that
// is after "ui.until." and Waits.
type Gesture struct{ ID, Line, Handler, Waits, Until string }

// row is a gesture in the table.
type row struct {
	station string
	id      string
	plays   plays
	kind    world.CommandKind
	values  string // of the line, after commas; $in, $which, $key and others stand for what there is
	when    availability
}

// plays is what choosing a gesture does.
type plays bool

const (
	play plays = true  // the line is played
	edit plays = false // the console has it, to be completed
)

// availability says when a menu has a gesture. Those from joined on are there for each handler. What
// could never do anything in the version that is run isn't there at all, and what can do nothing yet
// says until when.
type availability int

const (
	always    availability = iota
	connected              // a watch is open
	resyncs
	failing
	hanging
	pausable // the workqueue can be paused, and isn't
	paused
	streams
	keyed
	ran
	controlled // there is a controller
	owning     // its objects own others
	watched    // and a watch of these is open
	held       // a worker has a key in hand
	elected    // there are several processes
	sharded    // which have a shard each
	reached    // and the requests of this one reach the API server
	cutOff     // or don't
	joined
	removable
	sound
	late // it takes longer than 1 ms
	blocks
	faulty
)

// gestures is the table, in the order of the menus.
var gestures = []row{
	{link.StationServer, "create", edit, world.Create, "$in,default/new,app=new", always},
	{link.StationServer, "update", edit, world.Update, "$in,$key,changed=yes", always},
	{link.StationServer, "patch", edit, world.Patch, "$in,$key,changed=yes", always},
	{link.StationServer, "delete", edit, world.Delete, "$in,$key", always},
	{link.StationServer, "breakWatch", play, world.BreakWatch, "$which", connected},
	{link.StationServer, "silenceWatch", play, world.SilenceWatch, ",$which", connected},
	{link.StationServer, "dropEvent", play, world.DropEvent, "$which", always},
	{link.StationServer, "delayEvent", play, world.DelayEvent, "5s,$which", always},
	{link.StationServer, "duplicateEvent", play, world.DuplicateEvent, "$which", always},
	{link.StationServer, "swapEvents", play, world.SwapEvents, "$which", always},
	{link.StationServer, "withholdInitialEnd", play, world.WithholdInitialEnd, "$which", streams},
	{link.StationServer, "dropBookmarks", play, world.DropBookmarks, "1,$which", always},
	{link.StationServer, "fail429", play, world.FailRequests, "toomany,,,$which", always},
	{link.StationServer, "retryAfter", play, world.FailRequests, "toomany,,5s,$which", always},
	{link.StationServer, "fail500", play, world.FailRequests, "internal,,,$which", always},
	{link.StationServer, "fail410", play, world.FailRequests, "expired,,,$which", always},
	{link.StationServer, "refuse", play, world.FailRequests, "refused,,,$which", always},
	{link.StationServer, "compact", play, world.Compact, "$which", always},
	{link.StationServer, "restart", play, world.RestartServer, "1s,,$which", always},
	{link.StationServer, "lag", play, world.LagServer, "5s,$which", always},

	{link.StationReflector, "breakWatch", play, world.BreakWatch, "$which", connected},
	{link.StationReflector, "resync", play, world.PassTime, "$resync", resyncs},
	{link.StationReflector, "advance", play, world.PassTime, "30s", always},
	{link.StationReflector, "advanceBy", edit, world.PassTime, "10m", always},

	{link.StationLoop, "stop", play, world.StopInformer, "$which", always},
	{link.StationLoop, "startAgain", play, world.RunAgain, "$which", ran},
	{link.StationLoop, "timeless", play, world.TakeNoTime, "", always},
	{link.StationLoop, "killProcess", play, world.KillProcess, "", always},

	{link.StationStore, "mutate", edit, world.MutateCached, "$in,$key,changed=yes", always},
	{link.StationStore, "writeBack", edit, world.WriteBack, "$key,,$which", always},
	{link.StationStore, "addIndex", edit, world.AddIndex, "app,$which", always},
	{link.StationStore, "refuseTombstones", play, world.RefuseTombstones, "$which", keyed},

	{link.StationProcessor, "addHandler", edit, world.AddHandler, "another,$in,1ms", always},
	{link.StationProcessor, "addSlow", edit, world.AddHandler, "slow,$in,1s", always},
	{link.StationProcessor, "pace", edit, world.PaceHandler, "$handler,1s", joined},
	{link.StationProcessor, "slow", play, world.PaceHandler, "$handler,1s", sound},
	{link.StationProcessor, "fast", play, world.PaceHandler, "$handler,1ms", late},
	{link.StationProcessor, "block", play, world.PaceHandler, "$handler,forever", sound},
	{link.StationProcessor, "panic", play, world.PanicHandler, "$handler", sound},
	{link.StationProcessor, "blind", play, world.BlindHandler, "$handler", sound},
	{link.StationProcessor, "assert", play, world.BlindHandler, "$handler,panics", sound},
	{link.StationProcessor, "unblock", play, world.PaceHandler, "$handler,1ms", blocks},
	{link.StationProcessor, "mend", play, world.MendHandler, "$handler", faulty},
	{link.StationProcessor, "removeHandler", play, world.RemoveHandler, "$handler", removable},

	{link.StationWork, "lagOwned", play, world.LagServer, "5s,$owned", owning},
	{link.StationWork, "catchUp", play, world.LagServer, "0s,$owned", owning},
	{link.StationWork, "lagOwn", play, world.LagServer, "5s,$own", controlled},
	{link.StationWork, "breakOwned", play, world.BreakWatch, "$owned", watched},
	{link.StationWork, "conflict", play, world.Patch, "$own,$work,touched=yes", held},
	{link.StationWork, "killProcess", play, world.KillProcess, "", controlled},
	{link.StationWork, "killReplica", play, world.KillReplica, ",$which", elected},
	{link.StationWork, "pauseReplica", play, world.PauseReplica, "20s,$which", elected},
	{link.StationWork, "stopReplica", play, world.StopReplica, "$which", elected},
	{link.StationWork, "reshard", edit, world.Reshard, "0/3,,$which", sharded},
	{link.StationWork, "cutReplica", play, world.CutReplica, "$which", reached},
	{link.StationWork, "joinReplica", play, world.JoinReplica, "$which", cutOff},
	{link.StationWork, "failReconcile", play, world.FailReconciles, ",,$worker", always},
	{link.StationWork, "failReconciles", play, world.FailReconciles, "all,,$worker", always},
	{link.StationWork, "failKey", edit, world.FailReconciles, "all,$key,$worker", always},
	{link.StationWork, "hangReconcile", play, world.HangReconcile, ",,$worker", always},
	{link.StationWork, "unhangReconcile", play, world.HangReconcile, "0s,,$worker", hanging},
	{link.StationWork, "pauseWork", play, world.PauseWork, "$worker", pausable},
	{link.StationWork, "resumeWork", play, world.ResumeWork, "$worker", paused},
	{link.StationWork, "mendReconciles", play, world.FailReconciles, "0,,$worker", failing},
}

// HasGestures reports whether something can be done at a station.
func HasGestures(r desk.Surroundings, station string) bool {
	trace, f := r.Trace, r.Frame
	if trace == nil || f == nil || trace.Informer >= len(trace.Informers) || station == link.StationWork && !f.Work.Fed {
		return false
	}
	return slices.ContainsFunc(gestures, func(r row) bool { return r.station == station })
}

// Gestures returns what can be done at a station.
func Gestures(r desk.Surroundings, station string) (all []Gesture) {
	if !HasGestures(r, station) {
		return nil
	}
	trace, f := r.Trace, r.Frame
	is := map[string]string{"$in": trace.Informers[trace.Informer].Name, "$key": r.Inspected}
	if trace.Script && trace.Informer > 0 { // the first one needs no name
		is["$which"] = is["$in"]
	}
	if is["$key"] == "" {
		is["$key"] = "default/new"
		if len(f.Store.Tiles) > 0 {
			is["$key"] = f.Store.Tiles[0].Key
		}
	}
	is["$worker"] = is["$which"]
	if c := f.Work.Controller; c != nil { // which may be another informer's
		is["$own"], is["$worker"], is["$owned"] = c.Name, c.Name, c.Owns
	}
	if w := f.Work.Workers; len(w) > 0 {
		is["$work"] = w[0].Key
	}
	if f.Reflector.ResyncIn >= 0 {
		is["$resync"] = justAfter(f.Reflector.ResyncIn)
	}
	add := func(handler *link.Listener) {
		for _, r := range gestures {
			if r.station == station && r.when.offeredAt(f, handler) {
				g := r.gesture(is)
				g.Waits, g.Until = r.when.waitsFor(f, handler)
				if handler != nil {
					g.Handler = handler.Name
				}
				all = append(all, g)
			}
		}
	}
	add(nil)
	for i := range f.Processor.Listeners {
		if l := &f.Processor.Listeners[i]; l.Joined || l.EndState == "" {
			is["$handler"] = l.Name
			add(l)
		}
	}
	return all
}

// GesturesOf returns what can be done at one thing of a station: a handler, or an object that a simulated
// server holds or held.
func GesturesOf(r desk.Surroundings, station, name string) (all []Gesture) {
	if station == link.StationProcessor {
		return slices.DeleteFunc(Gestures(r, station), func(g Gesture) bool { return g.Handler != name })
	}
	if !HasGestures(r, station) {
		return nil
	}
	in := r.Trace.Informers[r.Trace.Informer].Name
	for _, h := range r.Frame.Server.Holdings {
		switch {
		case h.Key != name:
		case h.Deleted:
			all = append(all, Gesture{ID: "objectCreate", Line: syntax.Line(world.Create, in, name)})
		default:
			all = append(all, Gesture{ID: "objectChange", Line: syntax.Line(world.Patch, in, name, "touched="+h.RV)},
				Gesture{ID: "objectDelete", Line: syntax.Line(world.Delete, in, name)})
		}
	}
	return all
}

// Wire returns what a click on the connection between server and reflector does: it cuts an open watch,
// or lets the time pass until the reflector tries again. The ID is "" where it does nothing.
func Wire(r desk.Surroundings) Gesture {
	if !HasGestures(r, link.StationReflector) {
		return Gesture{}
	}
	switch w := &r.Frame.Wire; {
	case w.Open:
		all := Gestures(r, link.StationReflector)
		g := all[slices.IndexFunc(all, func(g Gesture) bool { return g.ID == "breakWatch" })]
		if w.State == link.WireHalfOpen {
			g.ID = "breakSilent"
		}
		return g
	case (w.State == link.WireBackoff || w.State == link.WireRetrying) && w.Remaining > 0:
		return Gesture{ID: "passBackoff", Line: syntax.Line(world.PassTime, justAfter(w.Remaining))}
	}
	return Gesture{}
}

// justAfter writes a time in nanoseconds in whole milliseconds, and 4 ms or more in which to see what it led to.
func justAfter(ns int64) string { return strconv.FormatInt(ns/1e6+5, 10) + "ms" }

// offeredAt reports whether a menu has a gesture: for a handler, or with nil for the station itself.
func (w availability) offeredAt(f *link.Frame, handler *link.Listener) bool {
	if (w >= joined) != (handler != nil) {
		return false
	}
	switch w {
	case resyncs:
		return f.Reflector.ResyncIn >= 0
	case failing:
		return f.Work.Fails != 0
	case hanging:
		return slices.ContainsFunc(f.Work.Workers, func(x link.Worker) bool { return x.Duration < 0 })
	case pausable, paused:
		return f.Work.Pauses && f.Work.Paused == (w == paused)
	case streams:
		return f.Reflector.Streams
	case keyed:
		return !f.Store.Refuses
	case controlled:
		return f.Work.Controller != nil
	case owning, watched:
		return f.Work.Controller != nil && f.Work.Controller.Owns != ""
	case elected:
		return len(f.Process.Replicas) > 0
	case sharded:
		return len(f.Process.Replicas) > 0 && f.Process.Replicas[0].Shard != ""
	case reached, cutOff:
		for i := range f.Process.Replicas {
			if r := &f.Process.Replicas[i]; r.Shown {
				return r.Cut == (w == cutOff)
			}
		}
		return false
	case held:
		return f.Work.Controller != nil && len(f.Work.Workers) > 0
	case ran:
		return f.Loop.State != link.StateCrashed
	case removable:
		return f.Processor.Removes
	case sound:
		return handler.Fault == ""
	case late:
		return handler.Fault == "" && (handler.Recorded || handler.Pace > 1e6)
	case blocks:
		return handler.Fault == link.FaultBlocks
	case faulty:
		return handler.Fault != "" && handler.Fault != link.FaultBlocks
	}
	return true
}

// waitsFor returns what a gesture that a menu has waits for, and the expression that comes about then:
// "" and "" where it can be done now.
func (w availability) waitsFor(f *link.Frame, handler *link.Listener) (waits, expr string) {
	switch {
	case handler != nil && !handler.Joined:
		return "joined", `fact("ListenerAdded")`
	case w == connected && !f.Wire.Open:
		return "watch", `fact("WatchOpened")`
	case w == watched && slices.ContainsFunc(f.Process.Informers, func(x link.Small) bool { return x.Name == f.Work.Controller.Owns && !x.Open }):
		return "watch", "informer(" + ask.Quote(f.Work.Controller.Owns) + `).fact("WatchOpened")`
	case w == ran && f.Loop.State == link.StateStart:
		return "start", "list()"
	case w == held && f.Work.Workers[0].Key == "":
		return "held", "reconcile()"
	}
	return "", ""
}

// fitting are the gestures that come first at a moment, the best one first: while a list is under way,
// while no watch is open, and while one is. What the viewer has broken comes before them.
var (
	mending = []string{"unblock", "mend", "unhangReconcile", "resumeWork", "mendReconciles", "joinReplica"}
	fitting = map[string][]string{
		"list":  {"fail410", "fail429", "refuse", "withholdInitialEnd", "restart", "slow", "block"},
		"down":  {"compact", "refuse", "fail410", "advance", "restart", "slow"},
		"watch": {"breakWatch", "dropEvent", "silenceWatch", "compact", "slow", "restart"},
	}
)

// fits is how many gestures Fitting returns at most.
const fits = 6

// Fitting returns the gestures of any station that fit the moment, the best one first. They stay the same
// from step to step, until the connection changes.
func Fitting(r desk.Surroundings) []Gesture {
	if r.Frame == nil {
		return nil
	}
	moment := "watch"
	switch {
	case r.Frame.Wire.Lists():
		moment = "list"
	case r.Frame.Wire.IsDown():
		moment = "down"
	}
	ids := slices.Concat(mending, fitting[moment])
	var all []Gesture
	for _, station := range link.Stations {
		for _, g := range Gestures(r, station) {
			if g.Until == "" && slices.Contains(ids, g.ID) && !slices.ContainsFunc(all, func(x Gesture) bool { return x.ID == g.ID }) {
				all = append(all, g)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return slices.Index(ids, all[i].ID) < slices.Index(ids, all[j].ID) })
	return all[:min(len(all), fits)]
}

// Mends reports whether a gesture fixes what the viewer has broken.
func Mends(g Gesture) bool { return slices.Contains(mending, g.ID) }

// gesture writes a row's line. What begins with a "$" is replaced.
func (r *row) gesture(is map[string]string) Gesture {
	var values []string
	if r.values != "" {
		values = strings.Split(r.values, ",")
	}
	for i, v := range values {
		if strings.HasPrefix(v, "$") {
			values[i] = is[v]
		}
	}
	line := syntax.Line(r.kind, values...)
	if r.plays == edit {
		line += "…"
	}
	return Gesture{ID: r.id, Line: line}
}

// Gesture does what an entry of a station's menu says. A line that ends in a space,
// or has something to fill in, goes to the console first.
func (m *Model) Gesture(line string) []desk.Cmd {
	m.Menu = ""
	if !strings.ContainsRune(line, '…') {
		if m.desk.Surroundings().Tab != desk.Lesson {
			m.desk.Turn(desk.Explain) // which says what came of it
		}
		return m.Play(line)
	}
	m.Line = strings.TrimSuffix(line, "…")
	m.Open()
	return nil
}
