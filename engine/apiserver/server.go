// Package apiserver is the API server that an informer's reflector lists and watches, as plain data. A
// [Playback] answers from a recording, and a [Simulated] from objects that are written to it, by the
// rules of an API server with etcd and a watch cache behind it. Both are a [Server], and give an
// observer the same [View]. A [Connection] carries what a server sends to its client.
//
// A client sends a request with [Server.List] or [Server.Watch]. [Server.Due] then says when the next
// answer arrives, and [Server.Take] returns it. An error is an [Answer], too: its Failure is the case
// that client-go's reflector tells apart. Times are nanoseconds of the world's clock.
//
// The rules follow k8s.io/apiserver v0.37. Comments name its functions. They are in pkg/storage/cacher
// and pkg/storage/etcd3 unless a comment says otherwise. [SimConfig] has what older servers do
// differently.
package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Server is the port between an informer's reflector and whatever answers it:
// one connection, on which one request is pending at a time. Playback is one; a
// simulated server gives one to each informer. The code above it needn't know
// which server answers.
type Server interface {
	// List and Watch send a request at the time now, in nanoseconds. Nothing
	// else is pending then.
	List(o object.ListOptions, now int64)
	Watch(o object.ListOptions, now int64)

	// Due returns when the pending answer arrives, or the next thing on an open
	// stream: actor.Never if nothing will by itself. ok is false where the recording
	// hasn't been read far enough to tell. Then nothing arrives before at, and the
	// world waits there. A command that makes the server send something calls
	// Informer.Poll afterwards.
	Due() (at int64, ok bool)
	// Take returns what Due announced. After Closed, ListFailed, OpenFailed and
	// Listed nothing is pending any more; after an ERROR event the client calls
	// Hangup.
	Take() Answer

	// Hangup stops the client's watch, or gives up its request.
	Hangup()
	// Cut breaks an open watch: the client sees its end at once.
	Cut()
	// State tells what the connection does.
	State() State
	// View describes the server to an observer, with up to past and coming watch events on either side.
	View(past, coming int) View

	// KnownUntil is the time in nanoseconds up to which it is known what comes by
	// itself: a recording may still be read.
	KnownUntil() int64
	// Retried tells whether its failures are the ones that rest.Request gives to the
	// reflector, after its own retries. Otherwise each is the failure of a single try.
	Retried() bool
	// Quiet tells whether only bookmarks and the stream's end come, until somebody
	// writes something to the server.
	Quiet() bool
	// NextRequest is when the recorded client sent its next request, after an answer
	// that made it send one; ok is false if it sent none, or none was recorded.
	NextRequest() (at int64, ok bool)

	// Dial returns another connection to the same server, with nothing pending.
	Dial() Server

	// CopyTo makes dst, if it is of the same kind, equal to the server, or else
	// a new one, and returns it. Each then changes on its own.
	CopyTo(dst Server) Server
	// Hash adds the server's state at the time now.
	Hash(h *actor.Hash, now int64)
}

var _ Server = (*Playback)(nil)

// AnswerKind says what came over the wire.
type AnswerKind uint8

const (
	Listed AnswerKind = iota + 1 // List, RV, Pages
	ListFailed
	Opened
	OpenFailed
	Event   // N: its number among the feed's watch events, from 1
	Closed  // the stream ended
	Lost    // an Event was lost on its way: see Connection
	Delayed // an Event is held back on its way
)

// Answer is what came over the wire.
type Answer struct {
	Record
	Answer   AnswerKind
	N        int64
	List     []object.Ref // immutable
	Continue object.Sym   // Listed: where the next page begins, 0 after the last. A recording's pages come as one list
}

// State is what the connection between reflector and server does, for the view.
type State uint8

const (
	Idle State = iota
	Listing
	Opening
	Open
)

func (s State) String() string { return [...]string{"idle", "listing", "opening", "open"}[s] }

// View is a server as an observer sees it. A recorded server and a simulated
// one give the same, so code that draws or explains a server doesn't ask which
// of the two it is, except to say so.
type View struct {
	Recorded bool // it answers from a recording; otherwise it is simulated
	State    State
	Due      int64 // when the pending answer or the next thing on the open stream arrives; actor.Never where nothing does by itself, or where that is not known yet

	Sent   int64      // watch events
	Total  int64      // watch events of the recording, as far as it has been read; -1 where there is no recording
	Recent []Sent     // the watch events that were sent last, the newest first
	Coming []Sent     // the watch events that come next, the next one first
	List   ComingList // of a recording: the list that comes before the next watch event
	Latest object.Ref // the object that was sent last, in a list or in a watch event

	Newest   object.RV // the resourceVersion that was sent last
	Revision object.RV // the server's own, 0 where it is not known
	Oldest   object.RV // the oldest from which a watch can be served, 0 where it is not known
	Message  string    // the server's words, if what it answered last was an error; "" where it had none
	Cut      bool      // the open watch's connection is broken, and the reflector has not read its end yet
	Silent   bool      // the open watch's connection is half-open: nothing comes through it any more
	Amid     bool      // the initial events of a streaming list are being sent
	Objects  int       // how many objects the server holds, -1 where that is not known
	Played   int       // of a recording: how many records have been played

	// Converted tells of a recording that the list which answered the last request was recorded as
	// one of the other kind: an ordinary one for a request for a streaming list, or the other way round.
	Converted bool
}

// Sent is one event of a watch stream with its number, counted from 1. Its Time is
// when it was sent, or when it will be.
type Sent struct {
	Record
	N int64
}

// ComingList is a list that is to be sent.
type ComingList struct {
	OK   bool // there is one
	N    int  // how many objects it has
	RV   object.RV
	Time int64 // when its last byte was recorded
}

// TapeLen is the most that a View has of Recent.
const TapeLen = 64
