// Package stage draws a machine: its stations, each in a file of its own, and how things
// move between them. It draws link.Frames, and imports nothing of the session.
package stage

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Stage is a machine as it is to be drawn.
type Stage struct {
	Words  *words.Words
	Kept   widget.Cache
	Frame  *link.Frame // the newest, for numbers and charts
	Lists  *link.Frame // the one for lists
	Second bool        // the machine is the second one: it can be looked at, and nothing can be done to it

	Cut     bool     // it appears at once
	Live    bool     // the server may send more than is known
	Chain   string   // the numbers of a chain of causes, and their places, for web/page/chain.js
	Differs string   // the handler that another machine calls differently, "" for none
	Lesson  []string // the stations that the lesson is about, none for all
	Alone   bool     // those fill the stage, and say in a few words what they are for
	Room    bool     // it is shown to a room: a click throws light on a station
	Spot    string   // the station that has light

	Menu    func(station, title string) *tree.Node // what can be done at a station; not called for the second machine
	Grip    func(station, of string) *tree.Node    // what can be done at a handler or an object; not called for the second machine
	Held    string                                 // the menu that is open
	Cuts    func() (says, line string)             // what a click on the wire does, "" and "" for nothing; not called for the second machine
	Curtain *tree.Node                             // covers a stage without a machine
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
	f := &link.Frame{Said: link.Sentence{ID: "step.start"}}
	f.Queue.Kind = link.DeltaFIFO
	f.Reflector.State, f.Loop.State = link.StateStart, link.StateStart
	f.Wire.State = link.WireNone
	f.Reflector.ResyncIn, f.Server.Next, f.Store.Lit = -1, -1, -1
	for i, h := range s.Handlers {
		f.Processor.Listeners = append(f.Processor.Listeners, link.Listener{ID: i, Name: h.Name, Feeds: h.Workqueue, Made: h.Name == link.Simulated})
	}
	return f
}
