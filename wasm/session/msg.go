package session

import "github.com/informerscope/informerscope/wasm/link"

// Msg is something that happened.
type Msg interface{ msg() }

// The messages.
type (
	// Began: the page is there.
	Began struct{}
	// Spoke: a catalogue has come; nil Words: it hasn't.
	Spoke struct {
		Lang  string
		Words map[string]string
	}
	// Acted: an element of the page was activated, or its value changed.
	Acted struct{ Act, Arg, Value string }
	// Pressed: a key.
	Pressed struct {
		Key            string
		Shift, Command bool // Command: with Ctrl, Alt or Meta
		Typing         bool // in a field
	}
	// Chose: a file was chosen, dropped or pasted. A pasted one has no name.
	Chose struct {
		Name string
		Size int64
	}
	// Dragged: files are held over the page, or no more.
	Dragged struct{ Over bool }
	// Scrubbed: the timeline is held at a fraction of its length.
	Scrubbed struct {
		Fraction float64
		Held     bool
	}
	// Replied: the worker answered.
	Replied struct{ *link.Reply }
	// Perished: the worker ended.
	Perished struct{ Why string }
	// Ticked: the page is about to be painted, Now milliseconds after some
	// moment.
	Ticked struct{ Now float64 }
	// Resized: the window.
	Resized struct{ Width, Height int }
	// Preferred: what the system prefers.
	Preferred struct{ Dark, Still bool }
	// Hid: the page is out of sight, or in sight again.
	Hid struct{ Hidden bool }
	// Stored: the browser keeps the page's files for use offline, or doesn't.
	Stored Offline
)

func (Stored) msg()    {}
func (Began) msg()     {}
func (Spoke) msg()     {}
func (Acted) msg()     {}
func (Pressed) msg()   {}
func (Chose) msg()     {}
func (Dragged) msg()   {}
func (Scrubbed) msg()  {}
func (Replied) msg()   {}
func (Perished) msg()  {}
func (Ticked) msg()    {}
func (Resized) msg()   {}
func (Preferred) msg() {}
func (Hid) msg()       {}

// Cmd is something that is to be done.
type Cmd interface{ cmd() }

// The commands.
type (
	// Send sends a request to the worker, with the files where Files says so.
	Send struct {
		link.Request
		Files bool
	}
	// Painted sends OpPainted once what the model is by now has been painted.
	Painted struct{}
	// Speak fetches the catalogue of a language.
	Speak struct{ Lang string }
	// Keep stores a setting for the next visit.
	Keep struct{ Name, Value string }
	// Tick asks for Ticked before the next painting.
	Tick struct{}
	// Pick opens the choice of files.
	Pick struct{}
	// Restart starts another worker.
	Restart struct{}
)

func (Send) cmd()    {}
func (Painted) cmd() {}
func (Speak) cmd()   {}
func (Keep) cmd()    {}
func (Tick) cmd()    {}
func (Pick) cmd()    {}
func (Restart) cmd() {}
