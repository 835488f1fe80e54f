// Package browser says what the host needs of the browser in which it runs.
package browser

import "runtime/debug"

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
	// Debug writes to the console what helps somebody to find a fault. The report of a problem has it.
	Debug(what string)
	// Now returns the time of a monotonic clock, in nanoseconds.
	Now() int64
	// Fetch returns a file of the site as an Input.
	Fetch(url string) Input
	// StoreText returns text as an Input that the browser keeps.
	StoreText(text string) Stored
	// Convert has the other program make one trace in our own format of files in
	// any format. Each file is an Input or a Store. The options are a
	// link.Conversion as JSON.
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
	// Download lets the viewer save b as a file, gzipped if its name ends in .gz. It calls
	// done with the size of that file.
	Download(b Bytes, name string, done func(size int64, err error))
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
	// Hold makes the last Stream or Restream pause, or go on.
	Hold(on bool)
	// Settle moves one piece of what Stream has unpacked from memory to a Blob. It
	// reports whether there was a piece to move.
	Settle() (moved bool)
	// Restream is Stream for another time. Stream must have ended, and Settle must
	// have moved all pieces.
	Restream(chunk func(b []byte, read int64), end func(error)) (cancel func())
	// Spread has several readers read on beside one another, where the browser can do that. What
	// they read comes to digest, in the place of Stream's chunk: what a format.Digester makes of each
	// piece. The pieces are in order, and none is left out.
	Spread(digest func(b []byte, read int64))
}

// ballast is how many bytes the worker's heap holds that nobody uses.
const ballast = 32 << 20

// BoundHeap makes the collector run before the heap has grown by a third, because a
// WebAssembly instance never gives memory back. A small heap would then be collected
// again and again, so the heap is made to look larger. What BoundHeap returns must be
// kept; as nobody touches it, it takes no memory. BenchmarkBallast counts the
// collections with it and without it.
func BoundHeap() []byte {
	debug.SetGCPercent(30)
	return make([]byte, ballast)
}
