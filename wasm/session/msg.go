package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Msg is something that happened.
type Msg = desk.Msg

// The messages.
type (
	// Started says that the page has been set up. Address is what navigation.Model.CurrentAddress returned before the
	// page was reloaded, or nil. Files says that the browser has given the files of
	// that time again. Site is the page's address without a fragment.
	Started struct {
		Address *address.Address
		Files   bool
		Site    string
		// Embedded: the page is in a frame of another page.
		Embedded bool
		// Ended says why the program before this one ended, which made the page load again. It is "" otherwise.
		Ended string
	}
	// Packed answers Pack. Data is "" where the browser can't pack.
	Packed struct{ Text, Data string }
	// Copied answers Copy.
	Copied struct{ OK bool }
	// Spoke answers Speak. Words is nil if the catalogue could not be had.
	Spoke struct {
		Lang  string
		Words map[string]string
	}
	// Acted says that the viewer has activated an element of the page, or changed its value.
	Acted struct{ Act, Arg, Value string }
	// Pressed says that the viewer has pressed a key.
	Pressed struct {
		Key         string
		Shift, Ctrl bool // Ctrl: or Meta, which a Mac has in its place
		Alt         bool
		Typing      bool    // in a field
		Place       string  // of the stage, where what has the focus stands; "" for none
		Now         float64 // when, in milliseconds since some moment that stays the same
	}
	// Chose says that a file was chosen, dropped or pasted. A pasted one has no name.
	Chose struct {
		Name string
		Size int64
	}
	// Dragged says that the viewer holds files over the page, or no longer does.
	Dragged struct{ Active bool }
	// Scrubbed says that the viewer holds the timeline at a fraction of its length, or lets
	// go of it.
	Scrubbed struct {
		Fraction float64
		Dragging bool
	}
	// Replied says that the worker has sent a reply.
	Replied struct{ Reply *link.Reply }
	// Perished says that the worker has died.
	Perished struct {
		Reason string
		Memory int64 // how many bytes it had, if the browser gave it no more
	}
	// Ticked says that the page is about to be painted. Now is in milliseconds since some
	// moment that stays the same.
	Ticked struct{ Now float64 }
	// Resized says that the window has another size.
	Resized struct{ Width, Height int }
	// Preferred says that the system's preferences are known, or have changed.
	Preferred struct{ Dark, ReducedMotion bool }
	// Hid says that the page has gone out of sight, or has come back.
	Hid struct{ Hidden bool }
	// Stored says that the browser keeps the page's files for use offline, or doesn't.
	Stored Offline
	// Unkept says that the browser did not keep a setting.
	Unkept struct{}
	// Noted says that the browser would bring the viewer back to what is shown after a reload, or wouldn't.
	Noted struct{ Lost bool }
	// Versioned says that the page's server has said which version it has.
	Versioned Version
)

func (Packed) Msg()    {}
func (Copied) Msg()    {}
func (Stored) Msg()    {}
func (Unkept) Msg()    {}
func (Noted) Msg()     {}
func (Versioned) Msg() {}
func (Started) Msg()   {}
func (Spoke) Msg()     {}
func (Acted) Msg()     {}
func (Pressed) Msg()   {}
func (Chose) Msg()     {}
func (Dragged) Msg()   {}
func (Scrubbed) Msg()  {}
func (Replied) Msg()   {}
func (Perished) Msg()  {}
func (Ticked) Msg()    {}
func (Resized) Msg()   {}
func (Preferred) Msg() {}
func (Hid) Msg()       {}

// Cmd is an effect that the page has to carry out.
type Cmd = desk.Cmd

// The commands.
type (
	// Painted sends link.Painted after the model as it is now has been painted.
	Painted struct{}
	// Speak fetches the catalogue of a language.
	Speak struct{ Lang string }
	// Tick asks for Ticked before the next painting.
	Tick struct{}
	// Unseen says that the message has changed nothing that is shown, so nothing needs to be drawn for it.
	Unseen struct{}
	// Pick opens the choice of files.
	Pick struct{}
	// FullScreen fills the screen with the page, or ends that.
	FullScreen struct{ On bool }
	// OpenNotes opens the speaker's window.
	OpenNotes struct{}
	// Reload loads the page again, from its server.
	Reload struct{}
	// Restart starts another worker.
	Restart struct{}
	// Pack packs the text of a link.
	Pack struct{ Text string }
	// Download lets the viewer save a text as a file.
	Download struct{ Name, Text string }
)

func (Painted) Cmd()    {}
func (Unseen) Cmd()     {}
func (Speak) Cmd()      {}
func (Tick) Cmd()       {}
func (Pick) Cmd()       {}
func (FullScreen) Cmd() {}
func (OpenNotes) Cmd()  {}
func (Reload) Cmd()     {}
func (Restart) Cmd()    {}
func (Pack) Cmd()       {}
func (Download) Cmd()   {}
