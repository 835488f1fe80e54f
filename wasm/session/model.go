// Package session holds the state of the page and what changes it: a [Model] of what the page knows, the
// messages ([Msg]) that change it in place, and the commands ([Cmd]) that follow from them. It is plain Go.
// Package dom deals with the browser, and package view with what the page looks
// like.
//
//	m := session.New(lang, theme, -1)
//	for _, cmd := range m.Update(session.Started{…}) {
//		… // carry cmd out; what comes of it is another message
//	}
//	… // draw what package view makes of m
//
// [Model.Restore] brings back what the device has kept. After that, the page changes a Model by
// [Model.Update] alone. Update never waits: work that takes time is a [Cmd], which the page carries
// out, and its answer comes back as a [Msg]. A Model is not safe for concurrent
// use. Everything is called on the page's thread.
package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// Model is everything that the page shows: a field for each concern. A concern changes its
// own fields only, and reads the others by its desk. They meet in the
// methods of the Model. Package view reads the Model and never changes it.
type Model struct {
	Settings Settings
	Screen   Screen
	Site     Site
	Keyboard Keyboard
	Palette  Palette
	Front    Front
	Whole    bool // lessons show the full microscope, and not their own stations alone
	Last     LastOpened
	Card     Card
	Kinds    Kinds

	Open      navigation.Document
	Nav       navigation.Model
	Sharing   Sharing
	Stage     Stage
	Transport Transport
	ask       requests

	Find    ask.Find
	Expr    ask.Expr
	Indexer ask.Indexer
	Causes  ask.Causes
	Draft   Draft
	Hands   hands.Model
	Second  SecondMachine

	Loop    loop.Model
	Lesson  lesson.Model
	Guess   Guesses
	Room    Room
	Cluster Cluster
	Save    save.Model
}

// Card is the report card of the capture that is open: what it is, and what is wrong in it.
type Card struct {
	Card  *link.Card // nil until the worker has told something
	Shown string     // the argument of the last "show", to whose button the viewer comes back
	acted bool       // the viewer has done something since the capture was opened
}

// Ready reports whether the page can be used: a step is shown, or there is none
// to show.
func (m *Model) Ready() bool {
	return m.Settings.Words != nil && (m.Stage.Frame != nil && m.Loop.Shown == m.Loop.Visible() || m.Open.Failure != nil || m.Open.Died != "")
}

// Arrived reports whether the page can be used, and shows what the link that it follows leads to. What plays is there already.
func (m *Model) Arrived() bool {
	return m.Ready() && m.Nav.Goal == nil && (m.ask.moving == 0 || m.Transport.Playing || m.Loop.Visible())
}

// Window says how much of each long list has room on the stage.
func (m *Model) Window() link.Window {
	w := link.Window{Tape: 12, Queue: 14, Store: 160, Pending: 22, Work: 5, Unit: m.Transport.Unit}
	switch {
	case m.Screen.Narrow():
		w.Tape, w.Queue, w.Store, w.Pending = 5, 8, 60, 14
	case m.Screen.Height >= 1000 && !m.Room.Active: // whose type is larger
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 17, 20, 240, 30, 7
	case m.Screen.Height < 800 || m.Room.Active:
		w.Tape, w.Queue, w.Store = 8, 10, 100
	}
	if slices.Contains(m.Subjects(), link.StationWork) { // it has more room in a lesson on it
		w.Work = 9
	}
	if m.Second.Comparison != nil && !m.Screen.Narrow() && m.Screen.Width < wide { // the two stand one above the other
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 4, 6, 60, 14, 3
	}
	return w
}

// wide is the width, in CSS pixels, from which on two machines stand beside each other in a window.
const wide = 1800

// stations returns those that matter to the lesson that is open.
func (m *Model) stations() []string {
	if m.Lesson.Learning == nil {
		return nil
	}
	return m.Lesson.Learning.Stations
}

// mostBeforeRoom is how many stations of a lesson fill the stage before a room, where a question takes a third of it.
const mostBeforeRoom = 4

// Subjects returns the stations of the lesson that is open, if they stand on the stage alone. It returns nil where the
// full microscope is shown. Before a room, where a question takes a third of the stage, places that hold things come before
// the goroutines that carry them, whose states stand in the map, and the full microscope is all stations by themselves.
func (m *Model) Subjects() []string {
	all := m.stations()
	switch {
	case m.Room.Active && m.Stage.Frame != nil && m.Stage.Frame.Work.Controller != nil: // it needs the room of four others
		if len(all) == 0 {
			return []string{link.StationServer, link.StationStore, link.StationWork}
		}
	case m.Room.Active && (m.Whole || len(all) == 0):
		return link.Stations
	case !m.Room.Active && (m.Whole || m.Second.Comparison != nil || !m.hasSubjects()):
		return nil
	}
	if m.Room.Active {
		for _, carries := range []string{link.StationLoop, link.StationReflector} {
			if len(all) > mostBeforeRoom {
				all = slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == carries })
			}
		}
	}
	return all
}

// hasSubjects reports whether a lesson is open that is about some stations, and not about the whole machine.
func (m *Model) hasSubjects() bool {
	n := len(m.stations())
	return n > 0 && n < len(link.Stations)
}

// forgetInformer forgets what is known of the informer shown, since another one is shown now.
func (m *Model) forgetInformer(next int) {
	m.Open.Trace.Informer = next
	m.Front.Object, m.Front.looked = nil, ""
	m.Indexer.Drop()
	m.Find.Forget()
	m.Causes.Forget()
}
