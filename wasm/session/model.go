// Package session holds what the page knows, and how that changes: a Model, the
// messages that change it, and the commands that follow from them. It is plain Go.
// Package dom deals with the browser, and package view with what the page looks
// like.
package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// Model is everything that the page shows. Package view reads it and never changes it.
type Model struct {
	// Settings.
	Lang   string            // the Code of a Language
	Words  map[string]string // the catalogue of that language
	speaks string            // the language whose catalogue was asked for last
	Theme  string            // "dark", "light", or "" for the system's
	Dark   bool              // the system is dark
	Still  bool              // prefers-reduced-motion
	Width  int               // of the window, in CSS pixels
	Height int
	Hidden bool
	// Embedded: the page is in a frame of another page. It opens no files of the viewer's, saves
	// none, and knows no cluster.
	Embedded bool
	// Presenting: the stage is shown to a room. Blank: the room sees nothing for now.
	Presenting, Blank bool
	Spot              string // the station on which light is thrown, "" for all
	Covered           bool   // the sentence under the stage is hidden
	Noting            bool   // the speaker's window is open
	VoteFocus         int    // counts the times that the first field for votes is to have the focus
	Offline           Offline
	Keymap            Keymap
	Keying            Keying
	Palette           Palette
	Titles            map[string]map[string]string // of commands, by language and id; the page's own are in Words

	// What is open.
	Name      string       // of the capture, script or lesson that is open, as the header shows it
	Source    Source       // what the last link.Open asked for
	Opened    *link.Opened // nil until the worker knows what the trace holds
	Loading   bool
	Progress  link.Progress
	Rereading *link.Progress // how far the second reading is; nil if there is none
	Failure   *link.Failure  // why nothing is shown, or what has gone wrong last
	Died      string         // why the worker has ended; "" while it runs
	Noticed   bool           // the viewer has closed the notice about a damaged file

	back      *address.Address // where the viewer was before the page was reloaded, or where a link leads, until he is there
	left      *address.Address // what would bring him back to what was open before the course's lessons
	leftFiles int              // the number of the choice of files that left needs
	landing   int              // 1 + the number of the entry that is about what is being unpacked, 0 for none
	address   string           // the fragment that the page's address has
	begun     bool             // Began has come
	offer     *Offered         // a trace that was offered before Began
	fresh     bool             // what is open has no entry of the browser's history yet
	visits    []visited        // what was open before
	chosen    int              // how often files were chosen
	unpacking string           // the fragment that is being unpacked, "" for none
	otherwise *link.Failure    // what is to be said as soon as a link was followed
	usual     link.Setup       // the setup that the page has chosen
	Site      string           // the page's address without the fragment
	Share     *Share           // the link to what is shown, nil until it was asked for
	Expected  *Expected        // the file that a link needs and only the viewer has, nil for none

	// What is on the stage.
	Frame    *link.Frame // the newest
	Lists    *link.Frame // whose lists are shown: the newest, or at high speed a recent one
	Timeline *link.Timeline
	Axis     link.Axis
	Heard    link.Told // what the live region reads
	places   places

	// Transport.
	Unit    link.Unit
	Speed   int // an index of Speeds
	Playing bool
	play    pace
	ask     asking
	tick    bool // a Tick is under way

	// Finding a step.
	Follow  string          // the key whose steps are the only ones visited; "" for all
	Key     string          // the key that was looked for last
	Missed  *link.Missed    // there is no such step
	Search  *link.Searching // a step is being searched for
	Find    string          // what the viewer has typed to find a key
	entered string          // what he has pressed Enter for, while its answer is on its way
	Keys    *link.Keys      // the keys that contain it

	Expr Expr // what is asked in expressions

	// The inspector.
	Tab    Tab
	Sheet  bool // on a narrow screen, the inspector is pulled up
	Object *link.Object
	Unfold bool       // the object's unchanged lines are shown too
	Query  link.Query // while the viewer writes it
	Answer *link.Answer
	asks   bool       // an answer is wanted
	Asked  int        // counts the times that the question's field is to have the focus
	Draft  link.Setup // the setup while the viewer edits it

	Why      *link.Why // the chain that was asked for last; nil for none
	WhyShown bool      // it is in the place of the explanation

	// Code tells that the engine's source for the step stands beside the picture.
	Code     bool
	WhySeeks bool   // more of it is being looked for
	looked   string // the place where the object version in the inspector was chosen
	focused  string // the place at which a key is being pressed, "" for none

	// Why the values in the fields of the setup can't be taken, by the fields' names.
	// Rewritten counts the times that the fields got other values than those typed.
	Refused   map[string]link.Sentence
	Rewritten int

	Dialog   string // "", "help", "about", "live", "save", "goTo", "link", "expected", "second"
	Dragging bool   // a file is held over the page

	// What the viewer does to the machine.
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

	// A second machine beside the one shown.
	Beside *link.Beside // how the two compare; nil while there is one machine
	With   link.Second  // what the viewer has chosen to compare with, nil for nothing
	Pane   int          // which of the two is shown where there is room for one: 0 or 1
	Differ int          // the difference that was gone to last, -1 for none
	second Source       // of the second machine's capture

	// The course.
	Course     *link.Course // nil until it was asked for
	courseLang string       // its language
	Learning   *Learning    // nil while no lesson is open
	Read       Read         // how far each lesson was read
	wanted     string       // the moment at which the lesson that is being opened shall begin
	Writing    *Writing     // nil while no lesson is edited
	Handout    *Handout     // nil while none was wanted
	until      int64        // the step to which the next frame is to be played on, 0 for none

	// Guessing what comes next.
	Guess *Guessing // nil while nothing is asked
	Score Score

	// A cluster beside the page, and saving.
	Seeking   bool          // the worker looks for it
	Cluster   *link.Cluster // what it found; nil before
	Want      link.Follow   // what the viewer chooses to watch
	Filter    string        // what the viewer has typed to find a resource
	Live      *link.Live    // how following goes; nil for a file
	Following bool          // the newest step is shown as it comes
	SaveAs    SaveAs        // what a file is to be made of
	Shot      Shot          // how a picture is to be taken
	Film      *Film         // that is being made, nil for none
	Redact    link.Redact   // what the viewer chooses to take out
	Saving    bool
	Saved     *link.Saved
	Copied    string          // whether Saved is on the clipboard: "", "yes" or "no"
	Making    *link.Making    // how far the text is that is being made, nil before it is known
	Least     *link.Minimised // the smallest recording that was found, nil for none
	Suspects  *link.Suspects  // what would be left that looks like a secret
}

// careful is what is taken out of a saved trace unless the viewer decides otherwise.
var careful = link.Redact{Secrets: true, Env: true, Applied: true, Tokens: true}

// Offline is how far the browser keeps the page's own files.
type Offline struct {
	State string // "" while that isn't known, "keeping", "kept" or "unable"
	Bytes int64  // of all these files
}

// Source is what was opened: an address, or the files that were chosen last.
type Source struct {
	URL   string
	Name  string
	Text  string // of a script or a lesson that a link has, or of a lesson that was edited
	Size  int64  // of the files, in bytes, 0 where that isn't known
	Files int    // the number of the choice of files, from 1
	Link  string // the fragment that the address keeps, "" for the usual one
	// Chosen has the lines of a lesson's script in which another value was chosen, one a line.
	Chosen string
}

// Tab is one of the inspector's tabs.
type Tab string

// The inspector's tabs, in their order.
const (
	Lesson  Tab = "lesson" // only while one is open
	Explain Tab = "explain"
	Compare Tab = "compare"
	Object  Tab = "object"
	Actors  Tab = "actors"
	Search  Tab = "search"
	Console Tab = "console"
	Setup   Tab = "setup"
)

// Tabs lists them.
var Tabs = []Tab{Lesson, Explain, Object, Actors, Compare, Search, Console, Setup}

// Tabs are those that there are at present.
func (m *Model) Tabs() []Tab {
	if m.Learning == nil {
		return Tabs[1:]
	}
	return Tabs
}

// New returns the Model before anything is known. Lang is the browser's language tag.
// A speed that isn't an index of Speeds means the usual one.
func New(lang, theme string, speed int) Model {
	if speed < 0 || speed >= len(Speeds) {
		speed = usualSpeed
	}
	return Model{Lang: LanguageOf(lang).Code, Theme: theme, Speed: speed, chosen: kept, Unit: link.Micro, Axis: link.ByStep, Tab: Explain, Width: 1440, Height: 900, Loading: true, Redact: careful, SaveAs: SaveFile, Shot: Shot{Says: true, Millis: usualMillis}, Query: link.Query{Func: link.FuncGetByKey}, places: places{all: []place{{}}}}
}

// kept is the number of the last choice of files from before the page was loaded again: 0 is what
// was shown, and 1 the capture beside it.
const kept = 1

// Narrow returns whether the stations stand below one another.
func (m *Model) Narrow() bool { return m.Width < 860 }

// IsDark returns whether the page is dark now.
func (m *Model) IsDark() bool { return m.Theme == "dark" || m.Theme == "" && m.Dark }

// Ready returns whether the page can be used: a step is shown, or there is none
// to show.
func (m *Model) Ready() bool {
	return m.Words != nil && (m.Frame != nil || m.Failure != nil || m.Died != "")
}

// Window says how much of each long list has room on the stage.
func (m *Model) Window() link.Window {
	w := link.Window{Tape: 12, Queue: 14, Store: 160, Pending: 22, Work: 5}
	switch {
	case m.Narrow():
		w = link.Window{Tape: 5, Queue: 8, Store: 60, Pending: 14, Work: 5}
	case m.Height >= 1000 && !m.Presenting: // whose type is larger
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 17, 20, 240, 30, 7
	case m.Height < 800 || m.Presenting:
		w.Tape, w.Queue, w.Store = 8, 10, 100
	}
	if m.Beside != nil && !m.Narrow() && m.Width < wide { // the two stand one above the other
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 4, 6, 60, 14, 3
	}
	return w
}

// wide is the width, in CSS pixels, from which on two machines stand beside each other in a window.
const wide = 1800
