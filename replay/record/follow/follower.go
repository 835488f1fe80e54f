// Package follow is a client that lists and watches, as client-go's reflector
// does, and writes down in our own format all that it sees. It is only the
// logic: it says what to ask for next, and takes in what came. Its caller, a command or
// a page, makes the requests, reads the clock and waits.
package follow

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Limits of what a Follower holds, unless Options say otherwise.
const (
	MaxEvent = 16 << 20  // of one watch event, in bytes
	MaxBody  = 192 << 20 // of one page of a list
	PageSize = 500       // objects, as client-go's pager asks for
)

// Options of a Follower. Only Path must be there.
type Options struct {
	Path          string // such as /api/v1/namespaces/shop/pods
	LabelSelector string
	FieldSelector string

	Streaming bool           // ask for streaming lists (WatchList), until the server refuses one
	PageSize  int            // 0 is the constant PageSize
	MaxEvent  int            // bytes; 0 is the constant MaxEvent
	MaxBody   int            // bytes; 0 is the constant MaxBody
	Random    func() float64 // from 0 up to 1, for jitter; nil for none
}

// Request is what a Follower asks the API server for, by GET.
type Request struct {
	URL   string // path and query
	Time  int64  // when, in nanoseconds since the start; 0 for at once
	Limit int64  // how long it may take, in nanoseconds: then it is to be ended with Timeout
}

// Head is the head of an answer.
type Head struct {
	Status      int
	ContentType string
	RetryAfter  string // the header of that name, in seconds
}

// Follower follows one resource. Its caller sends what Next says, one request
// at a time, and tells what comes:
//
//	Next → wait until At → Sent → Response → Data … → End → Next …
//
// Times are in nanoseconds since the trace's start. Response and Data return
// false when the Follower wants no more of an answer: the request is then over,
// and to be canceled.
type Follower struct {
	o   Options
	log *Log

	state   Status
	ask     requestKind // what comes next, or is under way
	url     string      // of that
	limit   int64       // of that
	backoff backoff
	rv      []byte // the newest resourceVersion: a watch goes on from there
	token   string // the continue token of the next page
	full    bool   // the token has expired: list again without pages
	listed  bool   // at least one whole list has come
	failed  int    // watches in a row that the server failed to begin

	id      int64 // of the request under way, 0 for none
	sent    int64 // when it was
	head    Head
	events  int64 // that came in answer to it
	part    []byte
	event   trace.Event
	initial bool // a streaming list is not complete yet
}

// requestKind is a kind of request.
type requestKind uint8

const (
	aList requestKind = iota
	aWatch
	aStream // a watch that begins with a list
)

// New returns a Follower that writes to log.
func New(log *Log, o Options) *Follower {
	o.PageSize = cmp.Or(max(o.PageSize, 0), PageSize)
	o.MaxEvent = cmp.Or(max(o.MaxEvent, 0), MaxEvent)
	o.MaxBody = cmp.Or(max(o.MaxBody, 0), MaxBody)
	f := &Follower{o: o, log: log, backoff: backoff{random: o.Random}}
	f.relist()
	return f
}

// Status tells how things stand.
func (f *Follower) Status() Status { return f.state }

// Next says what to ask for next. It says the same until that request is Sent.
// ok is false while an answer is awaited, and after Stop.
func (f *Follower) Next() (r Request, ok bool) {
	if f.id != 0 || f.state.State == Ended {
		return Request{}, false
	}
	if f.url == "" {
		f.url, f.limit = f.request()
	}
	return Request{URL: f.url, Time: f.state.Until, Limit: f.limit}, true
}

// Sent tells that the request that Next returned was sent.
func (f *Follower) Sent(t int64) {
	r, ok := f.Next()
	if !ok {
		return
	}
	f.id = f.log.Request(t, r.URL)
	f.sent, f.head, f.events, f.part = t, Head{}, 0, f.part[:0]
	f.state.Until, f.state.Reason = 0, None
	if f.ask == aWatch {
		f.enter(t, Watching)
		return
	}
	f.enter(t, Listing)
	if f.ask == aStream || f.token == "" {
		f.state.Lists++
		if f.listed {
			f.state.Relists++
		}
	}
	f.initial = f.ask == aStream
}

// Response tells that the head of the answer came.
func (f *Follower) Response(t int64, h Head) bool {
	if f.id == 0 {
		return false
	}
	f.head = h
	f.log.Response(t, f.id, h.Status, h.ContentType, h.RetryAfter)
	if h.Status < 300 && !isJSON(h.ContentType) {
		f.drop(t, "the answer is "+h.ContentType+", and not application/json", fault.Named("answerType type", h.ContentType))
		return false
	}
	return f.log.Err() == nil
}

// Data tells that more of the answer came. It keeps nothing of chunk.
func (f *Follower) Data(t int64, chunk []byte) bool {
	if f.id == 0 {
		return false
	}
	f.state.Bytes += int64(len(chunk))
	if f.streams() {
		return f.split(t, chunk) && f.log.Err() == nil
	}
	if len(f.part)+len(chunk) > f.o.MaxBody {
		f.drop(t, "the body of an answer is more than "+number(f.o.MaxBody)+" bytes, which is the limit", fault.Number("longBody max", int64(f.o.MaxBody)))
		return false
	}
	f.part = append(f.part, chunk...)
	return true
}

// streams reports whether the answer consists of watch events.
func (f *Follower) streams() bool { return f.ask != aList && f.head.Status < 300 }

// End tells that the answer ended, or that there was none. text is the error,
// if there was one.
func (f *Follower) End(t int64, how Ending, text string) {
	switch {
	case f.id == 0:
		return
	case how != EOF && (f.head.Status == 0 || f.ask == aList):
		f.endRequest(t, how, text, nil)
		f.wait(t, reasonOf(how), textError(text), 0)
		f.restart()
	case f.streams():
		f.watchEnded(t, how, text)
	case f.head.Status < 300:
		f.listEnded(t)
	default:
		f.refused(t, how, text)
	}
}

// Stop ends the recording. Nothing comes next.
func (f *Follower) Stop(t int64) {
	if f.id != 0 {
		f.endRequest(t, Stopped, "", f.rest())
	}
	f.enter(t, Ended)
	f.state.Until, f.state.Reason = 0, None
}

// drop ends a request whose answer cannot be used. The trace has the text, and the Status why,
// which says the same: the page's program has no English for it.
func (f *Follower) drop(t int64, text string, why error) {
	f.endRequest(t, Undecodable, text, f.rest())
	f.wait(t, Unreadable, why, 0)
	f.relist()
}

// rest returns the kept part of an event that is not complete.
func (f *Follower) rest() []byte {
	if !f.streams() {
		return nil
	}
	return f.part[:min(len(f.part), 64<<10)]
}

// endRequest ends the request under way.
func (f *Follower) endRequest(t int64, how Ending, text string, rest []byte) {
	f.log.End(t, f.id, how, text, rest)
	f.id, f.url = 0, ""
	if cap(f.part) > 1<<20 {
		f.part = nil
	}
	f.part = f.part[:0]
}

// restart makes the next request the same as the last one. A list in pages begins again.
func (f *Follower) restart() {
	if f.ask != aWatch {
		f.relist()
	}
}

// relist makes the next request a list, from its beginning.
func (f *Follower) relist() {
	f.ask, f.token, f.url, f.failed = aList, "", "", 0
	if f.o.Streaming {
		f.ask = aStream
	}
}

// watch makes the next request a watch, which goes on from the newest resourceVersion.
func (f *Follower) watch() { f.ask, f.url = aWatch, "" }

// Watches are asked for with a time-out between these two, in seconds, as
// client-go's reflector does, so that they do not all end at once.
const (
	minWatch = 300
	maxWatch = 600
)

// Requests that take longer than these, in nanoseconds, are given up.
const (
	listLimit  = 300 * second
	watchGrace = 30 * second // above the time-out that the server was asked for
)

// request makes the URL of the next request, and says how long the request may take.
func (f *Follower) request() (url string, limit int64) {
	q := query{}
	q.add("labelSelector", f.o.LabelSelector)
	q.add("fieldSelector", f.o.FieldSelector)
	if f.ask == aList {
		if !f.full {
			q.add("limit", number(f.o.PageSize))
		}
		q.add("continue", f.token)
		return f.o.Path + q.String(), listLimit
	}
	q.add("watch", "true")
	q.add("allowWatchBookmarks", "true")
	if f.ask == aStream {
		q.add("sendInitialEvents", "true")
		q.add("resourceVersionMatch", "NotOlderThan")
	}
	q.add("resourceVersion", string(f.rv))
	timeout := int64(minWatch)
	if f.o.Random != nil {
		timeout += int64(f.o.Random() * (maxWatch - minWatch))
	}
	q.add("timeoutSeconds", strconv.FormatInt(timeout, 10))
	return f.o.Path + q.String(), timeout*second + watchGrace
}

// query is the part of a URL after the question mark.
type query struct{ b strings.Builder }

func (q *query) add(name, value string) {
	if value == "" {
		return
	}
	q.b.WriteByte("?&"[min(q.b.Len(), 1)])
	q.b.WriteString(name)
	q.b.WriteByte('=')
	q.b.Write(trace.AppendEscaped(nil, value))
}

func (q *query) String() string { return q.b.String() }

func number(n int) string { return strconv.Itoa(n) }

// isJSON reports whether a content type is JSON's. An answer without a content type may be JSON.
func isJSON(contentType string) bool {
	contentType, _, _ = strings.Cut(contentType, ";")
	contentType = strings.TrimSpace(contentType)
	return contentType == "" || strings.EqualFold(contentType, "application/json")
}

// ResourceVersion returns the newest one that came: of a list, an event or a
// bookmark.
func (f *Follower) ResourceVersion() string { return string(f.rv) }

// Resumable reports whether Resume can be called: no list is under way.
func (f *Follower) Resumable() bool { return f.listed && f.state.State != Listing }

// Resume writes the beginning of another trace, in which the Follower's later
// lines make sense. It writes body, a list of the objects that there are by
// now, as the answer to the request with the number list. No other request of
// that trace may have that number. If a watch is open, Resume writes its
// request, too.
func (f *Follower) Resume(w *trace.Writer, t, list int64, body []byte) error {
	q := query{}
	q.add("labelSelector", f.o.LabelSelector)
	q.add("fieldSelector", f.o.FieldSelector)
	if err := writeRequest(w, t, list, f.o.Path+q.String()); err != nil {
		return err
	}
	if err := w.Body(t, list, body); err != nil {
		return err
	}
	if err := w.End(t, list, EOF.String(), "", nil); err != nil {
		return err
	}
	if f.id == 0 {
		return nil
	}
	q.add("watch", "true")
	q.add("resourceVersion", string(f.rv))
	return writeRequest(w, t, f.id, f.o.Path+q.String())
}

// writeRequest writes a request and the head of its answer.
func writeRequest(w *trace.Writer, t, id int64, url string) error {
	if err := w.Request(t, id, "GET", url); err != nil {
		return err
	}
	return w.Response(t, id, 200, "application/json", "")
}

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
