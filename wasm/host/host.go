// Package host is the worker's half of the program. It opens captures and clusters,
// runs them through the engine, and answers the page's requests; package picture
// draws the frames. Each capture is in one of the states of life.go. The package is
// plain Go, and reaches the browser through the interface Browser.
package host

import (
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/picture"
)

// Browser is what the host needs of its surroundings.
type Browser interface {
	// Send sends an encoded Reply to the page. The caller must not use the buffer
	// afterwards.
	Send([]byte)
	// Later calls f after the page's messages that have arrived by then have been
	// handled.
	Later(f func())
	// Complain writes a defect of the program to the console.
	Complain(what string)
	// Now returns the time of a monotonic clock, in nanoseconds.
	Now() int64
	// Fetch returns a file of the site as an Input.
	Fetch(url string) Input
	// Convert has the other program make one trace in our own format of files in
	// any format. Each file is an Input or a Store. The options are a link.Redact
	// as JSON, or "".
	Convert(files []Bytes, options string) Stored

	// Wall returns the time of day in RFC 3339.
	Wall() string
	// After calls f once, ns nanoseconds from now, unless it is stopped before.
	After(ns int64, f func()) (stop func())
	// Random returns a number from 0 up to, but not including, 1.
	Random() float64
	// Clusters returns the addresses of the site at which an API server may be.
	Clusters() []string
	// Get sends a GET request to an address of the site. The function that it
	// returns cancels the request; then a is not called any more.
	Get(url, accept string, a Answer) (stop func())
	// Store returns an empty Store.
	Store() Store
	// Give lets the viewer save b as a file, gzipped if its name ends in .gz. It calls
	// done with the size of that file.
	Give(b Bytes, name string, done func(size int64, err error))
}

// Answer receives the answer to a request: Head is called once, Data for each piece
// of the body, and End at last with what went wrong, or nil.
type Answer struct {
	Head func(status int, contentType, retryAfter string)
	Data func([]byte)
	End  func(error)
}

// Store keeps bytes outside of the program's own memory.
type Store interface {
	Bytes
	// Append adds a copy of b.
	Append(b []byte)
}

// Bytes are kept by the browser.
type Bytes interface {
	// Size is how many there are before unpacking, 0 if that isn't known.
	Size() int64
	// ReadAt returns the n bytes at an offset of the unpacked bytes.
	ReadAt(offset int64, n int) ([]byte, error)
}

// Input is a capture's bytes, unpacked if they were compressed.
type Input interface {
	Bytes
	// Stream calls chunk with one piece after the other, and with how many of the
	// Size bytes have been read. A piece is valid until chunk returns. At last,
	// Stream calls end with nil, or with what went wrong. The function that it
	// returns stops it; then neither function is called any more.
	Stream(chunk func(b []byte, read int64), end func(error)) (cancel func())
}

// Stored is an Input whose bytes are kept.
type Stored interface {
	Input
	// Hold makes the last Stream or Again pause, or go on.
	Hold(on bool)
	// Settle moves one piece of what Stream has unpacked from memory to a Blob. It
	// reports whether there was a piece to move.
	Settle() (moved bool)
	// Again is Stream for another time. Stream must have ended, and Settle must
	// have moved all pieces.
	Again(chunk func(b []byte, read int64), end func(error)) (cancel func())
}

// Host answers one page. It opens what the page wants to see, and has the life of each
// capture. What else there is to do is done by the concerns, each with a state of its own.
type Host struct {
	*desk
	operations map[string]operation
	pump       *pump
	console    *console
	company    *company
	lessons    *lessons
	clusters   *clusters
	exprs      *exprs
	travels    *travels

	watch func(state, trigger) // set by tests: sees each transition
}

// New returns a Host that has nothing open.
func New(b Browser) *Host {
	d := &desk{browser: b, window: picture.DefaultWindow}
	d.jobs = schedule.New(b, d.notice)
	h := &Host{desk: d, console: &console{d}, clusters: &clusters{desk: d}, exprs: &exprs{desk: d}}
	h.pump, h.company = &pump{desk: d, lives: h}, &company{desk: d, lives: h}
	h.lessons, h.travels = &lessons{d, h.console}, &travels{d, h.company}
	d.runner, d.second = h.pump, h.company
	h.operations = h.table()
	return h
}

// grown has the expressions evaluated in what was run.
func (h *Host) grown() { h.exprs.watchOn() }

// compare has the second machine go on.
func (h *Host) compare() { h.company.goOn() }
