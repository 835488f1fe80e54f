// Package follow is a client that lists and watches, as client-go's reflector
// does, and writes down in our own format all that it sees. It is only the
// logic: it says what to ask for next, and takes in what came. Its caller, a command or
// a page, makes the requests, reads the clock and waits.
package follow

import "github.com/informerscope/informerscope/replay/trace"

// Log is the trace that several Followers write together. They share its clock,
// which never goes back, and its count of requests. It is not safe for
// concurrent use, and so neither are Followers that share one.
type Log struct {
	w   *trace.Writer
	now int64
	ids int64
	err error
}

// NewLog returns a Log that writes to w.
func NewLog(w *trace.Writer) *Log { return &Log{w: w} }

// Err returns the first error that writing met; nothing is written after it.
func (l *Log) Err() error { return l.err }

// Now returns the time of the last line, in nanoseconds since the start.
func (l *Log) Now() int64 { return l.now }

// Mark writes a note.
func (l *Log) Mark(t int64, text string) { l.keepError(l.w.Mark(l.monotonic(t), text)) }

// Request writes that a GET of url was sent, and returns its id.
func (l *Log) Request(t int64, url string) (id int64) {
	l.ids++
	l.keepError(l.w.Request(l.monotonic(t), l.ids, "GET", url))
	return l.ids
}

// ID returns an id that no line has yet, for a call of a handler.
func (l *Log) ID() int64 {
	l.ids++
	return l.ids
}

// Write writes that a request that changes something was sent, and returns its id. in is
// the id of the reconcile that sent it, 0 for none.
func (l *Log) Write(t, in int64, w trace.Written) (id int64) {
	l.ids++
	l.keepError(l.w.Write(l.monotonic(t), l.ids, in, w))
	return l.ids
}

// Wrote writes what came of a write.
func (l *Log) Wrote(t, id int64, a trace.WriteResult) { l.keepError(l.w.Wrote(l.monotonic(t), id, a)) }

// Reconcile writes that a reconcile began, and returns its id.
func (l *Log) Reconcile(t int64, b trace.ReconcileStart) (id int64) {
	l.ids++
	l.keepError(l.w.Reconcile(l.monotonic(t), l.ids, b))
	return l.ids
}

// Reconciled writes that a reconcile has ended.
func (l *Log) Reconciled(t, id int64, f trace.Finished) {
	l.keepError(l.w.Reconciled(l.monotonic(t), id, f))
}

// Work writes that a workqueue's method was called.
func (l *Log) Work(t int64, q trace.Queued) { l.keepError(l.w.Work(l.monotonic(t), q)) }

// Calling writes that a handler's call has not returned yet.
func (l *Log) Calling(t int64, c trace.HandlerCall) { l.keepError(l.w.Calling(l.monotonic(t), c)) }

// Fault writes what went wrong in the cache.
func (l *Log) Fault(t int64, f trace.Fault) { l.keepError(l.w.Fault(l.monotonic(t), f)) }

// LeftOut writes how many things were left out.
func (l *Log) LeftOut(t int64, o trace.Omitted) { l.keepError(l.w.Omitted(l.monotonic(t), o)) }

// Response writes that the head of an answer came.
func (l *Log) Response(t, id int64, status int, contentType, retryAfter string) {
	l.keepError(l.w.Response(l.monotonic(t), id, status, contentType, retryAfter))
}

// MetadataResponse does what Response does, for an answer of whose objects only the metadata is written.
func (l *Log) MetadataResponse(t, id int64, status int, contentType, retryAfter string) {
	l.keepError(l.w.ResponseAt(l.monotonic(t), id, trace.LevelMetadata, status, contentType, retryAfter))
}

// Event writes a watch event, one line of JSON.
func (l *Log) Event(t, id int64, raw []byte) { l.keepError(l.w.Event(l.monotonic(t), id, raw)) }

// Body writes a whole answer, which is JSON.
func (l *Log) Body(t, id int64, raw []byte) { l.keepError(l.w.Body(l.monotonic(t), id, raw)) }

// End writes that an answer ended, what was wrong with it, and the part of an event that had come by then.
func (l *Log) End(t, id int64, how How, text string, rest []byte) {
	l.keepError(l.w.End(l.monotonic(t), id, how.String(), text, rest))
}

// Call writes that a handler was called.
func (l *Log) Call(t int64, c trace.HandlerCall) { l.keepError(l.w.Call(l.monotonic(t), c)) }

// Remark writes what must be known to read the trace rightly.
func (l *Log) Remark(t int64, r trace.Remark) { l.keepError(l.w.Remark(l.monotonic(t), r)) }

// Started writes who started the informer whose request has that id.
func (l *Log) Started(t, id int64, s trace.Started) { l.keepError(l.w.Started(l.monotonic(t), id, s)) }

// Registered writes where a handler was given to the recorder.
func (l *Log) Registered(t int64, h trace.Registered) {
	l.keepError(l.w.Registered(l.monotonic(t), h))
}

// CacheRead writes that code has read from a cache.
func (l *Log) CacheRead(t int64, c trace.CacheRead) { l.keepError(l.w.CacheRead(l.monotonic(t), c)) }

// Sizes writes how large the objects of the answer of that id were so far.
func (l *Log) Sizes(t, id int64, s trace.Sizes) { l.keepError(l.w.Sizes(l.monotonic(t), id, s)) }

func (l *Log) keepError(err error) {
	if l.err == nil {
		l.err = err
	}
}

// monotonic makes t a time that does not go back.
func (l *Log) monotonic(t int64) int64 {
	l.now = max(l.now, t)
	return l.now
}

// How says how an answer ended.
type How uint8

const (
	EOF         How = iota + 1 // as it should
	Timeout                    // it took longer than the Request's Limit
	Reset                      // the connection broke
	Canceled                   // the client that asked went away
	Refused                    // there was nobody to ask
	Stopped                    // the recorder was stopped, and it is not known what came after
	Undecodable                // what came is not what was asked for, and the client that asked can't read it
)

func (h How) String() string {
	return [...]string{"", "eof", "timeout", "reset", "canceled", "refused", "recorder-stopped", "undecodable"}[h]
}
