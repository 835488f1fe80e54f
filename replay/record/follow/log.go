// Package follow is a client that lists and watches, as client-go's reflector
// does, and writes down in our own format all that it sees. It is only the
// logic: it says what to ask for next, and takes in what came. Its caller, a command or
// a page, makes the requests, reads the clock and waits.
package follow

import "github.com/informerscope/informerscope/replay/trace"

// Log is the trace that several Followers write together. They share its clock,
// which never goes back, and its count of requests. It keeps its first error. It is not safe for
// concurrent use, and so neither are Followers that share one.
type Log struct {
	*trace.Writer
	ids int64
}

// NewLog returns a Log that writes to w.
func NewLog(w *trace.Writer) *Log { return &Log{Writer: w} }

// ID returns an id that no line has yet.
func (l *Log) ID() int64 {
	l.ids++
	return l.ids
}

// Request writes that a GET of url was sent, and returns its id.
func (l *Log) Request(t int64, url string) (id int64) {
	id = l.ID()
	l.Writer.Request(t, id, "GET", url)
	return id
}

// Write writes that a request that changes something was sent, and returns its id. in is
// the id of the reconcile that sent it, 0 for none.
func (l *Log) Write(t, in int64, w trace.Written) (id int64) {
	id = l.ID()
	l.Writer.Write(t, id, in, w)
	return id
}

// Reconcile writes that a reconcile began, and returns its id.
func (l *Log) Reconcile(t int64, b trace.ReconcileStart) (id int64) {
	id = l.ID()
	l.Writer.Reconcile(t, id, b)
	return id
}

// End writes that an answer ended, what was wrong with it, and the part of an event that had come by then.
func (l *Log) End(t, id int64, how Ending, text string, rest []byte) {
	l.Writer.End(t, id, how.String(), text, rest)
}

// Ending says how an answer ended.
type Ending uint8

const (
	EOF         Ending = iota + 1 // as it should
	Timeout                       // it took longer than the Request's Limit
	Reset                         // the connection broke
	Canceled                      // the client that asked went away
	Refused                       // there was nobody to ask
	Stopped                       // the recorder was stopped, and it is not known what came after
	Undecodable                   // what came is not what was asked for, and the client that asked can't read it
)

func (h Ending) String() string {
	return [...]string{"", "eof", "timeout", "reset", "canceled", "refused", "recorder-stopped", "undecodable"}[h]
}
