// Package stage draws a machine: its stations, each in a file of its own, and how things
// move between them. It draws link.Frames, and imports nothing of the session.
package stage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Stage is a machine as it is to be drawn.
type Stage struct {
	Words  *words.Words
	Cache  widget.Cache
	Frame  *link.Frame // the newest, for numbers and charts
	Lists  *link.Frame // the one for lists
	Second bool        // the machine is the second one: it can be looked at, and nothing can be done to it

	Cut     bool     // it appears at once
	Live    bool     // the server may send more than is known
	Chain   string   // the numbers of a chain of causes, and their places, for web/page/chain.js
	Differs string   // the handler that another machine calls differently, "" for none
	Lesson  []string // the stations that the lesson is about, none for all
	Alone   bool     // those fill the stage, and say in a few words what they are for
	Source  bool     // below them stands the source of the step, so only those have room that the step is about
	Room    bool     // it is shown to a room: a click throws light on a station
	Spot    string   // the station that has light

	Menu     func(station, title string) *tree.Node // what can be done at a station; not called for the second machine
	Grip     func(station, name string) *tree.Node  // what can be done at a handler or an object; not called for the second machine
	OpenMenu string                                 // the menu that is open
	Cuts     func() (says, line string)             // what a click on the wire does, "" and "" for nothing; not called for the second machine
	Curtain  *tree.Node                             // covers a stage without a machine
}

// atWork returns the station at which the step was made.
func atWork(f *link.Frame) string {
	kind := words.Kind(f.Actor)
	if c := f.Work.Controller; f.Process.Elsewhere != "" {
		if c != nil && c.Name == f.Process.Elsewhere && (kind == link.ActorWorker || kind == link.ActorDelaying) {
			return link.StationWork
		}
		return ""
	}
	switch kind {
	case link.ActorReflector, link.ActorResync:
		return link.StationReflector
	case link.ActorLoop:
		return link.StationLoop
	case link.ActorPop, link.ActorRun, link.ActorUser:
		return link.StationProcessor
	case link.ActorWorker, link.ActorDelaying:
		return link.StationWork
	}
	return ""
}

// resting reports whether the goroutine of the step has only begun to wait.
func resting(f *link.Frame) bool {
	return len(f.Lit) == 0 && slices.ContainsFunc(f.Actors, func(a link.Actor) bool { return a.ID == f.Actor && a.Waits != "" })
}

// classOf returns the classes of a station. One whose goroutine has only begun to wait isn't lit.
func (st *Stage) classOf(name string) string {
	class := "station st-" + name
	if atWork(st.Frame) == name {
		class += " now"
		if resting(st.Frame) {
			class += " resting"
		}
	}
	if slices.Contains(st.Frame.Aside, name) || len(st.Lesson) > 0 && !slices.Contains(st.Lesson, name) {
		class += " aside"
	}
	if st.Spot == name {
		class += " spot"
	}
	return class
}

// station returns what all stations have in common: a title, badges at the right, and the
// content.
func (st *Stage) station(name, title string, aside []*tree.Node, content ...*tree.Node) *tree.Node {
	var caption *tree.Node
	if len(st.subjects()) > 0 {
		caption = tree.El("p", "caption-of", tree.Text("span", "", st.Words.T("ui.caption."+name)))
	}
	head := tree.El("header", "station-head", tree.Text("h2", "", title), caption, tree.El("div", "station-says", aside...))
	label := title
	if st.Second {
		label = widget.Letters[1] + ": " + title
	} else {
		head.Add(st.Menu(name, title))
	}
	n := tree.El("section", st.classOf(name), head).Add(content...).
		Attr("data-station", name).Attr("aria-label", label)
	if st.Room {
		n.Act("spot", name)
	}
	return n
}

// EmptyFrame returns a frame for a stage without a trace, on which all stations are empty.
func EmptyFrame(s *link.Setup) *link.Frame {
	f := &link.Frame{Sentence: link.Sentence{ID: "step.start"}}
	f.Queue.Kind = link.DeltaFIFO
	f.Reflector.State, f.Loop.State = link.StateStart, link.StateStart
	f.Wire.State = link.WireNone
	f.Reflector.ResyncIn, f.Server.Next, f.Store.Lit = -1, -1, -1
	for i, h := range s.Handlers {
		f.Processor.Listeners = append(f.Processor.Listeners, link.Listener{ID: i, Name: h.Name, Feeds: h.Workqueue, Unknown: h.Name == link.Simulated})
	}
	return f
}

// Draw returns the stage.
func (st *Stage) Draw() *tree.Node {
	f := st.Frame
	tag, wires, chain := "main", wires(!st.Second), chainLine()
	if st.Second {
		tag, chain = "section", nil
	}
	subjects := st.subjects()
	var stations []*tree.Node
	if len(subjects) > 0 {
		stations = st.taught(subjects)
	} else {
		stations = []*tree.Node{st.informers(), st.server(), st.wire(), st.reflector(), st.queue(), st.loop(), st.store(), st.processor(), st.work()}
	}
	s := tree.El(tag, "stage", wires, chain).Add(stations...).Add(st.printed()).Attr("aria-label", st.Words.T("ui.stage"))
	if len(subjects) > 0 {
		s.Attr("data-taught", strconv.Itoa(len(subjects)))
	}
	s.Attr("data-watch", f.Wire.State)
	s.Attr("data-aside", strings.Join(f.Aside, " "))
	s.Flag("data-writes", f.Work.Writes)
	s.Flag("data-simulated", f.Server.Simulated)
	s.Flag("data-controller", f.Work.Controller != nil)
	s.Flag("data-several", len(f.Process.Informers) > 0)
	s.Attr("data-now", atWork(f))
	s.Attr("data-chain", st.Chain)
	if st.Cut {
		s.Attr("data-cut", "true")
	}
	if blocked(f, link.ActorReflector, link.ActorResync) {
		s.Attr("data-blocked", "enqueue")
	} else if blocked(f, link.ActorLoop) {
		s.Attr("data-blocked", "pop")
	}
	return s.Add(st.Curtain)
}

// Motion returns how the change to a frame is shown, which takes some milliseconds. Lit is
// whether what the step has touched lights up.
func Motion(f *link.Frame, millis int, lit bool) *tree.Motion {
	out := &tree.Motion{Millis: millis, Back: f.Dir < 0}
	if lit {
		out.Lit = f.Lit
	}
	if millis == 0 {
		return out
	}
	for _, v := range f.Moves {
		out.Moves = append(out.Moves, tree.Move{Letter: letter(v.Chip), Key: v.Chip.Key, Label: label(v.Chip), From: v.From, To: v.To, Motion: string(v.Motion)})
	}
	return out
}

// lockBadges returns badges that say who holds a station's lock, and who waits for it. The process loop's
// own station names the lock instead of the process loop.
func (st *Stage) lockBadges(lock string) []*tree.Node {
	var out []*tree.Node
	for _, a := range st.Frame.Actors {
		for _, held := range a.Locks {
			if held == lock {
				text := st.Words.Actor(a.ID)
				if lock == link.LockBlockDeltas && a.ID == link.ActorLoop {
					text = st.Words.Lock(lock)
				}
				out = append(out, tree.El("span", "badge held spoken", widget.Icon("lock"), tree.Text("span", "", text).Attr("aria-hidden", "true")).
					Attr("title", st.Words.Tn("ui.holds", "actor", st.Words.Actor(a.ID), "lock", st.Words.Lock(lock))))
			}
		}
	}
	for _, a := range st.Frame.Actors {
		// Other actors have a station of their own, which says that they wait.
		if a.Waits == link.WaitsForLock && a.Target == lock && (a.ID == link.ActorResync || a.ID == link.ActorUser || a.ID == link.ActorProcessor) {
			out = append(out, widget.Badge("waits", st.Words.Tn("ui.waitsForLock", "actor", st.Words.Actor(a.ID))))
		}
	}
	return out
}

// waitBadge returns the badge of an actor's state. While the actor waits for a lock, it is
// a badge that says so.
func (st *Stage) waitBadge(id string, state *tree.Node) []*tree.Node {
	for _, a := range st.Frame.Actors {
		if a.ID == id && a.Waits == link.WaitsForLock {
			return []*tree.Node{tree.Text("span", "badge waits", st.Words.Tn("ui.waitsShort", "holder", st.Words.Actor(a.Holder))).
				Attr("title", st.Words.Tn("ui.waitsHolder", "lock", st.Words.Lock(a.Target), "holder", st.Words.Actor(a.Holder)))}
		}
	}
	return []*tree.Node{state}
}

// waits reports whether an actor waits for something: a lock, a channel or a place.
func waits(f *link.Frame, id, on string) bool {
	for _, a := range f.Actors {
		if a.ID == id {
			return a.Target == on
		}
	}
	return false
}

// blocked reports whether an actor of one of the kinds waits for a lock.
func blocked(f *link.Frame, kinds ...string) bool {
	for _, a := range f.Actors {
		for _, k := range kinds {
			if words.Kind(a.ID) == k && a.Waits == link.WaitsForLock {
				return true
			}
		}
	}
	return false
}
