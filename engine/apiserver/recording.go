package apiserver

import (
	"math"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
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
	Undecodable             // an answer of another kind than the request asked for, or only a part of an answer
	ListedAnew              // the recorded client listed again, and the recording doesn't say why
	OtherKind               // of an event: its object is of another kind than the resource's objects
	TooSlow                 // the server gave up a watcher whose buffer was full
	BadRequest              // 400
	Unauthorized            // 401
	Forbidden               // 403
	NotFound                // 404
	OtherShard              // a list says that another shard selector was applied to it, and the client refuses it

	numFailures
)

// String names the class of the failure in a few words.
func (f Failure) String() string {
	return [numFailures]string{
		"", "Expired", "Gone", "TooLarge", "TooManyRequests", "InternalError", "Refused", "Reset", "Other",
		"BrokenOff", "TimedOut", "ConnectionLost", "Undecodable", "ListedAnew", "OtherKind", "TooSlow",
		"BadRequest", "Unauthorized", "Forbidden", "NotFound", "OtherShard",
	}[f]
}

// RetryAfter is the header of that name: its seconds, and one more, so that 0 is
// no header. One that holds a date counts as none, as in client-go.
type RetryAfter int32

// AfterSeconds returns a header of n seconds.
func AfterSeconds(n int32) RetryAfter { return RetryAfter(min(max(n, 0), math.MaxInt32-1)) + 1 }

// Nanoseconds returns how long to wait, less than 0 where there is no header.
func (r RetryAfter) Nanoseconds() int64 {
	if r <= 0 {
		return -1
	}
	return (int64(r) - 1) * 1_000_000_000
}

// Record is one thing that the recorder saw, in the order in which it saw it.
type Record struct {
	Time      int64 // nanoseconds since the recording's start; never goes back
	RV        object.RV
	Obj       object.Ref
	Code      int32 // HTTP status or Status.code
	Kind      RecordKind
	Delta     event.Delta
	Failure   Failure
	Streaming bool
	ShardInfo ShardInfo // of a list that was answered
	Canceled  bool      // of WatchEnd: the recorded client ended the watch. If it asked for nothing after that, it had ended itself

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

// Records is a [Feed] that is complete from the beginning.
type Records []Record

// Len returns how many records there are.
func (r Records) Len() int { return len(r) }

// At returns record i.
func (r Records) At(i int) Record { return r[i] }

// Complete reports true: nothing is added to Records.
func (r Records) Complete() bool { return true }

// Retried reports false: Records are made below rest.Request.
func (r Records) Retried() bool { return false }

// Message returns "": Records have no texts.
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

// Now returns the time of the last record, 0 where there is none.
func (r Records) Now() int64 {
	if len(r) == 0 {
		return 0
	}
	return r[len(r)-1].Time
}

// recording is a Feed that can be read by the numbers of its records. It tells what was recorded, whatever
// a Playback is asked for.
type recording struct {
	feed    Feed
	table   *object.Table
	scratch []object.Ref // of amount
}

// nextRequest returns when the recorded client sent its first request from record i on: actor.Never if it sent
// none before the watch went on. known is false where more must be read to tell.
func (f *recording) nextRequest(i int) (at int64, known bool) {
	for ; i < f.feed.Len(); i++ {
		switch r := f.feed.At(i); r.Kind {
		case ListBegin, ListError, WatchOpen, WatchError:
			return r.Time, true
		case WatchEvent, WatchBookmark, InitialEnd:
			if r.Delta != event.Error {
				return actor.Never, true // the watch went on
			}
		}
	}
	return actor.Never, f.feed.Complete()
}

// foreseen reports whether enough has been read after record i to know what
// nextRequest says there.
func (f *recording) foreseen(i int) bool {
	_, known := f.nextRequest(i)
	return known
}

// endedItself reports whether record i is the end of a watch by the recorded client, which asks
// for nothing more as far as the recording was read.
func (f *recording) endedItself(i int) bool {
	return i == f.feed.Len()-1 && f.feed.At(i).Canceled
}

// predates reports whether the failure of record i was over when a request was sent at the time asked,
// because the recorded client had sent another request long before. Where that can't be told yet,
// known is false.
func (f *recording) predates(i int, asked int64) (is, known bool) {
	before := asked - minDelayAfterFailure
	if f.feed.At(i).Time >= before {
		return false, true
	}
	for j := i + 1; j < f.feed.Len(); j++ {
		switch r := f.feed.At(j); {
		case r.Time > before:
			return false, true
		case r.Kind == ListBegin || r.Kind == ListError || r.Kind == WatchOpen || r.Kind == WatchError:
			return true, true
		}
	}
	return false, f.feed.Complete() || f.feed.Now() > before
}

// failing reports whether the last record is a request that failed.
func (f *recording) failing() bool {
	n := f.feed.Len()
	if n == 0 {
		return false
	}
	k := f.feed.At(n - 1).Kind
	return k == ListError || k == WatchError
}

// afterError reports whether record i ends a watch that an ERROR event has ended.
func (f *recording) afterError(i int) bool {
	return i > 0 && f.feed.At(i-1).Delta == event.Error
}

// recorded collects the objects of the records between from and next.
func (f *recording) recorded(n plan) []object.Ref {
	list := make([]object.Ref, 0, n.next-n.from)
	for i := n.from; i < n.next; i++ {
		if r := f.feed.At(i); (r.Kind == ListItem || r.Kind == WatchEvent) && r.Failure != OtherKind {
			list = append(list, r.Obj)
		}
	}
	return list
}

// initialEnd returns the first record after i, but none beyond n, that is no
// initial event.
func (f *recording) initialEnd(i, n int) int {
	for i++; i < n; i++ {
		if r := f.feed.At(i); r.Kind != WatchEvent || r.Delta != event.Added {
			break
		}
	}
	return i
}

// listEnd returns the first record after i, but none beyond n, that is no item
// of a list.
func (f *recording) listEnd(i, n int) int {
	for i++; i < n && f.feed.At(i).Kind == ListItem; i++ {
	}
	return i
}

// streamed looks at an open watch amid the initial events of a recorded streaming
// list, whose next record is pos. It tells with which record that list ends, and which
// of its objects are still to be sent.
func (f *recording) streamed(pos int) (upTo int, rest []object.Ref, amid bool) {
	open := pos - 1
	for open >= 0 && f.feed.At(open).Kind == WatchEvent && f.feed.At(open).Delta == event.Added {
		open--
	}
	if open < 0 || f.feed.At(open).Kind != WatchOpen || !f.feed.At(open).Streaming {
		return pos, nil, false
	}
	end := f.initialEnd(open, f.feed.Len())
	for i := pos; i < end; i++ {
		if r := f.feed.At(i); r.Failure != OtherKind {
			rest = append(rest, r.Obj)
		}
	}
	return min(end+1, f.feed.Len()), rest, true
}

// raiseRevision raises newest to the revision that a record tells, if that is newer.
func raiseRevision(newest *int64, t *object.Table, r *Record) {
	if n, ok := r.RV.Number(); ok && n < 1<<62 {
		*newest = max(*newest, int64(n))
	}
	if r.Obj != 0 {
		if n, ok := t.RVOf(r.Obj).Number(); ok && n < 1<<62 {
			*newest = max(*newest, int64(n))
		}
	}
}

// Objects appends what the server holds after the first n records, in the order
// of the keys.
func (p *Playback) Objects(dst []object.Ref, n int) []object.Ref {
	return p.rec.objectsAfter(dst, n, nil)
}

// objectsAfter does what Playback.Objects does, and raises newest to the newest revision that the records tell. Newest may
// be nil. A long recording takes long, so it is gone through once.
func (f *recording) objectsAfter(dst []object.Ref, n int, newest *int64) []object.Ref {
	held := append(f.scratch[:0], make([]object.Ref, f.table.Keys())...)
	f.scratch = held
	n = min(n, f.feed.Len())
	listed := -1 // where the items end of a list that is taken in
	for i := range n {
		r := f.feed.At(i)
		if newest != nil {
			raiseRevision(newest, f.table, &r)
		}
		switch {
		case r.Kind == ListBegin:
			if end := f.listEnd(i, n); end < n && f.feed.At(end).Kind == ListEnd {
				clear(held)
				listed = end
			}
		case r.Kind == ListItem:
			if i < listed {
				held[f.table.KeyOf(r.Obj)] = r.Obj
			}
		case r.Kind == WatchOpen && r.Streaming:
			if end := f.initialEnd(i, n); end < n && f.feed.At(end).Kind == InitialEnd {
				clear(held)
			}
		case r.Failure == OtherKind: // the object is none of the resource's
		case r.Kind == WatchEvent && r.Delta == event.Deleted:
			held[f.table.KeyOf(r.Obj)] = 0
		case r.Kind == WatchEvent && (r.Delta == event.Added || r.Delta == event.Updated):
			held[f.table.KeyOf(r.Obj)] = r.Obj
		}
	}
	first := len(dst)
	for _, r := range held[1:] {
		if r != 0 {
			dst = append(dst, r)
		}
	}
	slices.SortFunc(dst[first:], func(a, b object.Ref) int {
		return f.table.CompareKeys(f.table.KeyOf(a), f.table.KeyOf(b))
	})
	return dst
}
