// Package desk has what the concerns of the page's model share: the messages that they take,
// the commands that follow, and what each of them may know and do of the rest of the model.
// Package session lays the desk. A concern that is a package of its own has no other way to
// the rest, so it can be tested without it.
package desk

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// Msg is something that happened.
type Msg interface{ Msg() }

// Cmd is an effect that the page has to carry out.
type Cmd interface{ Cmd() }

// Send sends a request to the worker, and with Files also the files that were
// chosen last.
type Send struct {
	link.Request
	Files bool
}

// StoreSetting stores a setting for the next visit.
type StoreSetting struct{ Name, Value string }

// Copy puts a text on the clipboard.
type Copy struct{ Text string }

// Complain writes to the console what should not have happened.
type Complain struct{ Text string }

func (Complain) Cmd()     {}
func (Send) Cmd()         {}
func (Copy) Cmd()         {}
func (StoreSetting) Cmd() {}

// Desk is the rest of the model, as far as every concern may know it and do something to it. A
// concern that needs more adds it in an interface of its own, such as lesson.Desk.
type Desk interface {
	// Surroundings returns what is known of the rest at present.
	Surroundings() Surroundings

	// Send asks the worker for something.
	Send(link.Op) []Cmd
	// Move asks the worker for something that moves the machine. It waits until the request
	// before it has been answered.
	Move(link.Op) []Cmd
	// Pause pauses playing.
	Pause() []Cmd
	// PlayTo plays to a step, which takes at most so many seconds; with 0, at the speed that the viewer has chosen.
	PlayTo(step int64, seconds float64) []Cmd

	// CloseMenu closes the menu of a station.
	CloseMenu()
	// SetDialog opens a dialog, or closes the one that is open with "".
	SetDialog(name string)
	// Show shows one of the inspector's views, and pulls the inspector up.
	Show(Tab)
	// Turn chooses one of the inspector's views.
	Turn(Tab)
	// Fail says what has gone wrong.
	Fail(*link.Failure)
}

// Surroundings is what a concern may know of the rest of the model.
type Surroundings struct {
	Trace     *link.Opened    // what is open, nil until the worker knows
	Frame     *link.Frame     // what is on the stage, nil for nothing
	Lanes     *link.Lanes     // the futures that there are, nil before anything is open
	Keys      *link.Keys      // that were found last, nil for none
	Minimised *link.Minimised // the smallest recording that was found, nil for none

	Loading       bool // the worker still reads or runs what is open
	Live          bool // that is a cluster, which is followed or was
	Reads         bool // that is a lesson
	Fetched       bool // it came from an address, as the lessons of the course do
	Died          bool // the worker has ended
	Playing       bool
	Moving        bool // a request that moves the machine is under way
	Dark          bool // the page is dark
	ReducedMotion bool // nothing is to move by itself
	Sent          int  // the ID of the request that was sent last

	Pressed float64 // when a key was pressed last, in milliseconds since some moment that stays the same

	Name      string // of what is open
	Text      string // of what is open, if a link had it or the viewer has edited it; "" otherwise
	Lang      string // the code of the page's language
	Dialog    string // that is open, "" for none
	Tab       Tab    // the inspector's view
	Solves    bool   // that is a lesson's text, at an exercise, with a field for the console's line
	Inspected string // the key of the object in the inspector, "" for none
}

// Tab is a view of the inspector. Links and the palette name the views. The inspector has a tab
// for each Group of them.
type Tab string

// The inspector's views, in their order.
const (
	Lesson   Tab = "lesson" // only while one is open
	Explain  Tab = "explain"
	Object   Tab = "object"
	Cache    Tab = "cache"
	Actors   Tab = "actors"
	Log      Tab = "log" // only where the trace has one
	Search   Tab = "search"
	WhyTab   Tab = "why"
	Compare  Tab = "compare"
	Gestures Tab = "gestures"
	Console  Tab = "console"
	Setup    Tab = "setup"
)

// Group is what one tab of the inspector is for, with its views. The catalogues have its title
// under "ui.group." and its name.
type Group struct {
	Name string
	Tabs []Tab
}

// Groups lists them with all views. The first is there only while a lesson is open.
var Groups = [...]Group{
	{"lesson", []Tab{Lesson}},
	{"explain", []Tab{Explain}},
	{"look", []Tab{Object, Cache, Actors, Log}},
	{"ask", []Tab{Search, WhyTab, Compare}},
	{"change", []Tab{Gestures, Console, Setup}},
}

// Group returns the number of t's group in Groups.
func (t Tab) Group() int {
	return max(0, slices.IndexFunc(Groups[:], func(g Group) bool { return slices.Contains(g.Tabs, t) }))
}

// RemoveTab returns all groups without a view.
func RemoveTab(groups []Group, t Tab) (out []Group) {
	for _, g := range groups {
		if i := slices.Index(g.Tabs, t); i >= 0 {
			g.Tabs = append(g.Tabs[:i:i], g.Tabs[i+1:]...)
		}
		out = append(out, g)
	}
	return out
}

// Tabs returns the views of some groups, in their order.
func Tabs(groups []Group) (all []Tab) {
	for _, g := range groups {
		all = append(all, g.Tabs...)
	}
	return all
}
