// Package event holds the facts that the stations emit while they change. Nobody
// outside of the engine needs more: the page, the transcripts and the reports are
// made from them.
package event

import (
	"github.com/informerscope/informerscope/engine/object"
)

// Event is one fact. Its Kind says which fields are set; the others are zero. The
// meaning of Listener and N depends on the kind, too. Stations set them, and all
// others read them through methods, one for each meaning.
type Event struct {
	Kind     Kind
	Delta    Delta
	Flags    Flags
	Cause    Cause
	Listener int16 // read by Handler, Worker, Index, Limit, Holder and other methods
	Actor    int16 // the actor.ID of the actor that acted
	Key      object.Key
	Old, New object.Ref
	N        int64 // read by RV, Code, Duration and other methods
}

// Delta is a delta type of client-go's queues, or a watch event type.
type Delta uint8

// The delta types, cache.DeltaType.
const (
	None Delta = iota
	Added
	Updated
	Deleted
	Replaced
	Sync
	Bookmark    // RealFIFO only
	ReplacedAll // RealFIFO only, atomic
	SyncAll     // RealFIFO only, atomic
	Error       // a watch event, never a delta
	Unknown     // a watch event of a type that client-go does not know
)

func (d Delta) String() string {
	return [...]string{"", "Added", "Updated", "Deleted", "Replaced", "Sync", "Bookmark", "ReplacedAll", "SyncAll", "Error", "Unknown"}[d]
}

// Flags qualify an event.
type Flags uint8

const (
	Tombstone       Flags = 1 << iota // the object is wrapped in a DeletedFinalStateUnknown
	IsSync                            // the notification went only to syncing listeners
	IsInInitialList                   // the object belongs to the initial list
	Blocked                           // the actor could not go on, and waits
	Streaming                         // the watch was asked for as a streaming list, or the bookmark ends its initial events
	Silent                            // the default WatchErrorHandler says nothing of the error
)

// Cause says what a fact comes from, where facts of its kind can come from more than
// one thing.
type Cause uint8

const (
	NoCause Cause = iota

	// What a notification comes from.
	FromWatch  // a watch event
	FromList   // a list that Replace was given
	FromResync // a resync
	FromCache  // a handler that was added late, and gets what the cache holds

	// Why a watch has ended.
	TimeUp       // the server has ended it in order, and it had lasted as long as reflectors ask for at least
	ServerEnded  // the server has ended it in order, earlier than that
	TooSlow      // the server has ended it, because the client took its events too slowly
	Broken       // the connection broke
	EmptyWatch   // rest.Request gave the reflector an empty watch in place of an error
	ResyncFailed // the resync goroutine has ended with an error

	// What an ERROR event on a watch is.
	Sent        // the server's own
	Undecodable // client-go's: it can't decode what came
	Assumed     // made up: the recorded client listed again, and the recording doesn't say why

	// Why a stop changes nothing.
	AlreadyStopped // the stop channel is closed
	AlreadyDead    // the process has died
)

// Log collects the events of a step. A nil Log discards them.
type Log struct {
	Events []Event
	Actor  int16 // the actor that acts now; each event gets it
}

// Has reports whether an event of one of these kinds is in the log.
func (l *Log) Has(kinds *Set) bool {
	for i := range l.Events {
		if kinds.Has(l.Events[i].Kind) {
			return true
		}
	}
	return false
}

// Emit appends e. It isn't inlined, since two hundred places call it and each of them seldom runs: inlining it would
// be a page of code in each.
//
//go:noinline
func (l *Log) Emit(e Event) {
	if l != nil {
		e.Actor = l.Actor
		l.Events = append(l.Events, e)
	}
}

// Add appends an event of kind k and returns it, so that the caller sets its other fields
// where it stays. It is for the events of nearly every step: to copy an event that was
// made of small fields, as Emit does, takes several times as long, because a processor
// waits until all of them have been written. The event is valid until the next one.
func (l *Log) Add(k Kind) *Event {
	if l == nil {
		return new(Event)
	}
	if len(l.Events) == cap(l.Events) {
		l.Events = append(l.Events, Event{})[:len(l.Events)]
	}
	l.Events = l.Events[:len(l.Events)+1]
	e := &l.Events[len(l.Events)-1]
	*e = Event{}
	e.Kind, e.Actor = k, l.Actor
	return e
}

// Reset removes the events and keeps their memory.
func (l *Log) Reset() { l.Events = l.Events[:0] }

// Set is a set of kinds. It has a bit for each value that a Kind can have.
type Set [4]uint64

// Add adds a kind.
func (s *Set) Add(k Kind) { s[k/64] |= 1 << (k % 64) }

// Join adds all kinds of another set.
func (s *Set) Join(o *Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Has reports whether a kind is in the set.
func (s *Set) Has(k Kind) bool { return s[k/64]>>(k%64)&1 != 0 }

// Meets reports whether a kind is in both sets.
func (s *Set) Meets(o *Set) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}
