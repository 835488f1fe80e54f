// Package apiserver is the other end of the wire: what answers the reflector's
// lists and watches. Playback answers from a recording.
package apiserver

import (
	"math"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// RecordKind says what was recorded.
type RecordKind uint8

const (
	ListBegin     RecordKind = iota + 1 // a list was asked for; RV: what was asked for
	ListItem                            // Obj. The pages of one list are one list
	ListEnd                             // the whole list is there. RV: the list's; Code: its number of pages, where more than one
	ListError                           // the list failed: Failure, Code
	WatchOpen                           // the watch was accepted. Streaming: it begins with the initial events
	WatchError                          // the watch was refused: Failure, Code
	WatchEvent                          // Delta (Added, Updated, Deleted, Unknown), Obj, RV; also Error: Failure, Code. An event that is no Error has Failure OtherKind or none
	WatchBookmark                       // RV; Obj where there is a row for it; Failure: OtherKind or none
	InitialEnd                          // the bookmark annotated k8s.io/initial-events-end. RV
	WatchEnd                            // the stream ended: Failure says how, 0 for a clean end
)

// Failure classifies errors as client-go's reflector tells them apart.
type Failure uint8

const (
	NoFailure       Failure = iota
	Expired                 // reason Expired, 410: the resourceVersion is too old
	Gone                    // reason Gone, 410
	TooLarge                // the resourceVersion is newer than the server's
	TooManyRequests         // 429
	InternalError           // 500
	Refused                 // connection refused
	Reset                   // the connection broke
	OtherFailure            // anything else
	BrokenOff               // there was no answer: EOF, a closed connection, GOAWAY
	TimedOut                // there was no answer in time, or no connection
	ConnectionLost          // http2: client connection lost
	Undecodable             // an answer that is not what was asked for, or only a part of it
	ListedAnew              // the recorded client listed again, and the recording doesn't say why
	OtherKind               // of an event: its object is of another kind than the resource's objects
	TooSlow                 // the server gave up a watcher whose buffer was full

	numFailures
)

// String names the class of the failure in a few words.
func (f Failure) String() string {
	return [numFailures]string{
		"", "Expired", "Gone", "TooLarge", "TooManyRequests", "InternalError", "Refused", "Reset", "Other",
		"BrokenOff", "TimedOut", "ConnectionLost", "Undecodable", "ListedAnew", "OtherKind", "TooSlow",
	}[f]
}

// RetryAfter is the header of that name: its seconds, and one more, so that 0 is
// no header. One that holds a date counts as none, as in client-go.
type RetryAfter int32

// AfterSeconds is a header of n seconds.
func AfterSeconds(n int32) RetryAfter { return RetryAfter(min(max(n, 0), math.MaxInt32-1)) + 1 }

// Nanoseconds is how long to wait, less than 0 where there is no header.
func (r RetryAfter) Nanoseconds() int64 {
	if r <= 0 {
		return -1
	}
	return (int64(r) - 1) * 1_000_000_000
}

// Record is one thing that the recorder saw, in the order in which it saw it.
type Record struct {
	At        int64 // nanoseconds since the recording's start; never goes back
	RV        object.RV
	Obj       object.Ref
	Code      int32 // HTTP status or Status.code
	Kind      RecordKind
	Delta     event.Delta
	Failure   Failure
	Streaming bool
	Canceled  bool // of WatchEnd: the recorded client ended the watch. If it asked for nothing after that, it had ended itself

	RetryAfter RetryAfter // of ListError and WatchError with a Code
}

// Feed is a recording of one resource, as far as it has been read. It only ever
// grows, and worlds and their clones share it.
type Feed interface {
	Len() int
	At(i int) Record
	Message(i int) string // the server's words in record i, "" for none
	Events() int64        // how many of the records are watch events
	// Retried tells whether the recording was made above rest.Request. A failure
	// in such a recording is final. A recording made below has each try.
	Retried() bool
	Complete() bool // nothing will be added any more
	// Now is the time up to which it is known what came, in nanoseconds: records
	// that are added later came later. It is 0 where that can't be told. For a
	// feed that is complete it is the end.
	Now() int64
}

// Records is a Feed that is complete from the beginning.
type Records []Record

func (r Records) Len() int        { return len(r) }
func (r Records) At(i int) Record { return r[i] }
func (r Records) Complete() bool  { return true }

// Retried reports false: Records are made below rest.Request.
func (r Records) Retried() bool { return false }

// Message is empty: Records have no texts.
func (r Records) Message(int) string { return "" }

// Events counts the watch events.
func (r Records) Events() (n int64) {
	for i := range r {
		if r[i].IsEvent() {
			n++
		}
	}
	return n
}

func (r Records) Now() int64 {
	if len(r) == 0 {
		return 0
	}
	return r[len(r)-1].At
}
