package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/metadata"
	"github.com/informerscope/informerscope/replay/trace"
)

// assembly is what the writing goroutine knows of an exchange.
type assembly struct {
	id     int64
	status int
	part   []byte // of an event, or of a whole answer
	skip   bool   // the rest of the answer, or of a watch's line
	left   string // why something was left out
	form   metadata.Form
	gzip   bool
	media  string // the content type
	sizes  trace.Sizes
}

// write writes what the queue gets, until the Recorder is closed.
func (r *Recorder) write() {
	defer close(r.stopped)
	r.fail(r.out.Flush()) // the header
	var entries []entry
	var data []byte
	batch := func() {
		entries, data = r.queue.take(entries, data)
		rest := data
		for i := range entries {
			e := &entries[i]
			var chunk []byte
			if e.kind == aChunk || e.kind == aWrite {
				chunk, rest = rest[:e.n], rest[e.n:]
			}
			if r.Err() == nil {
				r.writeEntry(e, chunk)
				r.fail(r.log.Err())
			}
		}
		if left, any := r.lost.take(r.queue); any && r.Err() == nil {
			r.log.Omitted(r.now(), left)
			r.fail(r.log.Err())
		}
		if r.Err() == nil {
			r.fail(r.out.Flush())
		}
	}
	var waiting chan struct{}
	for r.wait(&waiting) {
		batch()
		if waiting != nil {
			close(waiting)
			waiting = nil
		}
	}
	r.queue.close()
	if r.lazy {
		return
	}
	t := r.now()
	batch()
	for x := range r.open {
		if r.Err() == nil {
			r.finish(x, t, follow.Stopped, "")
			r.fail(r.log.Err())
		}
	}
	batch()
	switch t = max(t, r.log.Now()); { // the last line says until when it was recorded
	case r.Err() != nil:
	case r.counter != nil:
		r.fail(r.out.writeRaw(r.counter.Summary(t)))
	default:
		r.log.Tick(t)
		r.fail(r.out.Flush())
	}
}

// gather is how long things may wait to be written together. Their times are
// those when they came.
const gather = 20 * time.Millisecond

// wait waits until there is something to write; false is for the end. It sets waiting if somebody
// waits for it to be written.
func (r *Recorder) wait(waiting *chan struct{}) bool {
	wake, much := r.queue.wake, (chan struct{})(nil)
	if r.lazy {
		wake, much = nil, r.queue.urgent
	}
	select {
	case <-wake:
	case <-much:
		return true
	case *waiting = <-r.flushes:
		return true
	case <-r.stop:
		return false
	}
	select {
	case <-r.queue.urgent:
	case <-time.After(gather):
	case *waiting = <-r.flushes:
	case <-r.stop:
		return false
	}
	return true
}

// flush waits until all was written that waits now.
func (r *Recorder) flush() { r.flushContext(context.Background()) }

// flushContext does what flush does, until ctx ends.
func (r *Recorder) flushContext(ctx context.Context) {
	done := make(chan struct{})
	select {
	case r.flushes <- done:
		select {
		case <-done:
		case <-r.stopped:
		case <-ctx.Done():
		}
	case <-r.stopped:
	case <-ctx.Done():
	}
}

// Before a panic ends the process, so long is taken for writing what led to it, and then for OnTrigger.
var lastWords, lastTrigger = 200 * time.Millisecond, 2 * time.Second

// panicked is called on the goroutine whose call panics, after the call's end was told. Client-go panics again, so this
// is the last that the process does.
func (r *Recorder) panicked(what string) {
	ctx, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	r.flushContext(ctx)
	if r.crash != nil {
		r.crash(ctx, what)
	}
}

func (r *Recorder) fail(err error) {
	if err != nil && r.failed.CompareAndSwap(nil, &err) {
		r.queue.close()
	}
}

// writeEntry writes one entry.
func (r *Recorder) writeEntry(e *entry, chunk []byte) {
	x := e.x
	switch e.kind {
	case aRequest:
		x.id = r.log.Request(e.t, e.text)
		r.open[x] = struct{}{}
	case aWrite:
		r.sentWrite(e, chunk)
		r.open[x] = struct{}{}
	case aResponse:
		r.writeHead(x, e)
	case aChunk:
		if x.streams() && x.left == "" {
			if x.form == metadata.JSON {
				r.split(x, e.t, chunk)
			} else {
				r.frames(x, e.t, chunk)
			}
		} else if !x.skip {
			r.keepPart(x, e.t, chunk)
		}
	case aGap:
		r.leaveOut(x, e.t, fmt.Sprintf("%d bytes, because there was more than could be written", e.n))
		if e.line && x.streams() && x.left == "" && x.form == metadata.JSON {
			x.skip = false
		}
	case anEnd:
		r.finish(x, e.t, e.transfer, e.text)
	case aMark:
		r.log.Mark(e.t, e.text)
	case aCall:
		r.log.Call(e.t, r.called(e))
	case aCalling:
		r.log.Calling(e.t, r.called(e))
	case aReconcile:
		e.cause.id = r.log.Reconcile(e.t, *e.content.(*trace.ReconcileStart))
	case aReconciled:
		r.log.Reconciled(e.t, e.cause.id, *e.content.(*trace.Finished))
	case aFault:
		r.log.Fault(e.t, *e.content.(*trace.Fault))
	case aWork:
		r.log.Work(e.t, r.worked(e))
	case aStarted:
		r.log.Started(e.t, x.id, *e.content.(*trace.Started))
	case aRegistered:
		r.log.Registered(e.t, e.content.(trace.Registered))
	case aSaw:
		r.log.Saw(e.t, e.cause.id, e.content.(trace.Saw))
	case aRead:
		r.log.CacheRead(e.t, e.content.(trace.CacheRead))
	}
}

// called returns what is told of a handler's call, whose id may be told of already.
func (r *Recorder) called(e *entry) trace.HandlerCall {
	c := *e.content.(*trace.HandlerCall)
	c.ID = e.cause.ensureID(r.log)
	return c
}

// worked returns what is told of a workqueue's method.
func (r *Recorder) worked(e *entry) trace.Queued {
	w := e.content.(*work)
	q := w.Queued
	if q.Fn != "Get" {
		q.Duration = w.duration.Load()
	}
	switch c := e.cause; {
	case c == nil:
	case c.source != "":
		q.From = c.source
	case c.handler:
		q.In = c.ensureID(r.log)
	default:
		q.In = c.id
	}
	return q
}

// writeHead writes the head of an answer.
func (r *Recorder) writeHead(x *exchange, e *entry) {
	x.status, x.gzip, x.form = e.status, e.gzip, metadata.FormOf(e.text)
	if x.write != nil {
		return
	}
	x.media = e.text
	if x.form == metadata.Protobuf || x.form == metadata.CBOR || x.table && x.form == metadata.JSON {
		r.log.ResponseAt(e.t, x.id, trace.LevelMetadata, e.status, e.text, e.retryAfter)
		if x.form != metadata.JSON { // the remark is about the encoding
			r.remark(x, e.t)
		}
	} else {
		r.log.Response(e.t, x.id, e.status, e.text, e.retryAfter)
	}
	switch {
	case x.form == metadata.Unsupported:
		x.skip, x.left = true, "the answer is "+e.text+", which can't be recorded"
	case x.streams() && x.gzip:
		x.skip, x.left = true, "the watch is compressed"
	}
}

// streams reports whether what comes are watch events.
func (x *exchange) streams() bool { return x.watch && x.status < 300 }

// split takes the events out of a stream. Each is one line.
func (r *Recorder) split(x *exchange, t int64, chunk []byte) {
	for len(chunk) > 0 {
		n := bytes.IndexByte(chunk, '\n')
		if n < 0 {
			if !x.skip {
				r.keepPart(x, t, chunk)
			}
			return
		}
		line := chunk[:n]
		chunk = chunk[n+1:]
		if x.skip { // up to here
			x.skip = false
			continue
		}
		if len(x.part) > 0 {
			if r.keepPart(x, t, line); x.skip {
				x.skip = false
				continue
			}
			line = x.part
		}
		if line = bytes.TrimSpace(line); len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}' {
			if x.table {
				line = untabledEvent(line)
			}
			r.log.Event(t, x.id, line)
		} else if len(line) > 0 {
			r.leaveOut(x, t, fmt.Sprintf("%d bytes that are no watch event", len(line)))
			x.skip = false
		}
		r.release(x)
	}
}

// keepPart keeps a part of an event or answer until the rest is there.
func (r *Recorder) keepPart(x *exchange, t int64, b []byte) {
	if r.held+len(b) > r.o.Memory/8 {
		r.leaveOut(x, t, "an answer that is too long for the memory that the recorder may use")
		return
	}
	r.held += len(b)
	x.part = append(x.part, b...)
}

func (r *Recorder) release(x *exchange) {
	r.held -= len(x.part)
	if cap(x.part) > shrinkAbove {
		x.part = nil
	}
	x.part = x.part[:0]
}

// leaveOut gives up the event or answer at hand, and says so.
func (r *Recorder) leaveOut(x *exchange, t int64, what string) {
	r.release(x)
	x.skip = true
	r.lost.marked.Add(1)
	if !x.streams() {
		x.left = "left out: " + what
	}
	r.log.Mark(t, fmt.Sprintf("the recorder left out of request %d: %s", x.id, what))
}

// finish ends an exchange.
func (r *Recorder) finish(x *exchange, t int64, how follow.Ending, text string) {
	delete(r.open, x)
	if x.write != nil {
		r.wrote(x, t, how, text)
		return
	}
	if x.left != "" {
		text = strings.TrimPrefix(text+"; "+x.left, "; ")
	}
	var rest []byte
	switch {
	case x.streams():
		if x.form == metadata.JSON {
			rest = x.part[:min(len(x.part), 64<<10)]
		} else if len(x.part) > 0 {
			text = strings.TrimPrefix(fmt.Sprintf("%s; %d bytes of an event that was cut", text, len(x.part)), "; ")
		}
	case x.skip || how != follow.EOF && len(x.part) == 0:
	default:
		if bad := r.body(x, t, how); bad != "" {
			text = strings.TrimPrefix(text+"; "+bad, "; ")
		}
	}
	r.log.End(t, x.id, how, text, rest)
	r.release(x)
}

// body writes a whole answer. Controllers that have read a list's JSON to its
// end may not wait for the end of the body, so that does not matter.
func (r *Recorder) body(x *exchange, t int64, how follow.Ending) (bad string) {
	b := x.part
	if x.gzip {
		var err error
		if b, err = gunzip(b, r.o.Memory/8); err != nil {
			return "the answer's compression: " + err.Error()
		}
	}
	if x.form != metadata.JSON {
		return r.binaryBody(x, t, how, b)
	}
	b = bytes.TrimSpace(b)
	switch {
	case jsonscan.WithinMaxDepth(b) && json.Valid(b):
		if x.table {
			b = untabled(b)
		}
		r.log.Body(t, x.id, b)
	case how == follow.EOF && len(b) > 0:
		return "the answer is not JSON: " + short(strings.ToValidUTF8(string(b[:min(len(b), 200)]), ""), 200)
	}
	return ""
}

func gunzip(b []byte, most int) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
	if len(out) > most {
		return nil, fmt.Errorf("it holds more than %d bytes", most)
	}
	return out, err
}

// frames takes the events out of a stream of protobuf or CBOR. After a frame that can't be read,
// nobody can tell where the next one begins.
func (r *Recorder) frames(x *exchange, t int64, chunk []byte) {
	if x.skip {
		return
	}
	if r.keepPart(x, t, chunk); x.skip {
		x.left = "what came after something was left out of a watch that is not JSON"
		return
	}
	rest := x.part
	for len(rest) > 0 {
		n, err := metadata.Frame(x.form, rest, r.o.Memory/8)
		if n == 0 && err == nil {
			break
		}
		if err == nil {
			r.buf, err = metadata.AppendEvent(r.buf[:0], x.form, rest[:n])
		}
		if err != nil {
			r.leaveOut(x, t, err.Error())
			x.left = "what came after something was left out of a watch that is not JSON"
			return
		}
		r.log.Event(t, x.id, r.buf)
		if !bytes.HasPrefix(r.buf, []byte(`{"type":"BOOKMARK"`)) {
			r.size(x, t, 1, n)
		}
		rest = rest[n:]
	}
	r.held -= len(x.part) - len(rest)
	x.part = x.part[:copy(x.part, rest)]
}

// binaryBody writes the metadata of a whole answer in protobuf or CBOR.
func (r *Recorder) binaryBody(x *exchange, t int64, how follow.Ending, b []byte) (bad string) {
	var err error
	if r.buf, err = metadata.AppendAnswer(r.buf[:0], x.form, b, r.o.Memory/8); err == nil {
		r.log.Body(t, x.id, r.buf)
		if from, to, ok := jsonscan.Field(r.buf, "items"); ok {
			items := 0
			jsonscan.Elements(r.buf[from:to], func(_, _, _ int) bool { items++; return true })
			if items > 0 {
				r.size(x, t, items, len(b))
			}
		}
	} else if how == follow.EOF && len(b) > 0 {
		bad = fmt.Sprintf("%s, %d bytes of %s", err, len(b), x.media)
	}
	if cap(r.buf) > shrinkAbove {
		r.buf = nil
	}
	return bad
}

// remark says of a resource, once, that its objects are not recorded whole.
func (r *Recorder) remark(x *exchange, t int64) {
	if _, said := r.remarked[x.resource]; said || x.status >= 300 {
		return
	}
	r.remarked[x.resource] = struct{}{}
	r.log.Remark(t, trace.Remark{ID: trace.MetadataAlone, Detail: x.resource})
}

// lines is where a trace.Writer writes to: each Write is one line. It gathers
// them until Flush, and takes out what is to be taken out.
type lines struct {
	out    *bufio.Writer
	line   *lineWriter
	redact func(line []byte) []byte // nil for none
}

func newLines(w io.Writer, redact func(line []byte) []byte) *lines {
	under := &lineWriter{w: w}
	return &lines{bufio.NewWriterSize(under, 128<<10), under, redact}
}

func (l *lines) Write(line []byte) (int, error) {
	kept := bytes.TrimSuffix(line, []byte("\n"))
	if l.redact != nil {
		var err error
		if kept, err = redacted(l.redact, kept); err != nil {
			return 0, err
		}
		if kept == nil {
			return len(line), nil
		}
	}
	if _, err := l.out.Write(kept); err != nil {
		return 0, err
	}
	if err := l.out.WriteByte('\n'); err != nil {
		return 0, err
	}
	return len(line), nil
}

// redacted calls Options.Redact, which is the controller's code. The process must not end because
// that panics in the goroutine that writes.
func redacted(redact func(line []byte) []byte, line []byte) (kept []byte, err error) {
	defer recovered("Options.Redact", &err)
	return redact(line), nil
}

// recovered makes a panic of somebody else's code an error.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s panicked: %v", what, p)
	}
}

// writeRaw writes a line as it is, and flushes.
func (l *lines) writeRaw(line []byte) error {
	l.redact = nil
	if _, err := l.Write(line); err != nil {
		return err
	}
	return l.Flush()
}

// Flush writes all lines to the writer, and flushes that, too.
func (l *lines) Flush() (err error) {
	defer recovered("the writer", &err)
	if err := l.out.Flush(); err != nil {
		return err
	}
	if f, ok := l.line.w.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}

// lineWriter writes to w, and takes back what it wrote of a line that could not be written
// to its end.
type lineWriter struct {
	w    io.Writer
	part int64 // bytes that were written after the last newline
}

// truncater is a file, where it can be cut.
type truncater interface {
	io.Seeker
	Truncate(size int64) error
}

func (w *lineWriter) Write(b []byte) (int, error) {
	n, err := w.write(b)
	if n = min(max(n, 0), len(b)); bytes.IndexByte(b[:n], '\n') >= 0 {
		w.part = 0
	}
	w.part += int64(n - 1 - bytes.LastIndexByte(b[:n], '\n'))
	if err != nil && w.part > 0 {
		err = errors.Join(err, w.takeBack())
	}
	return n, err
}

func (w *lineWriter) write(b []byte) (n int, err error) {
	defer recovered("the writer", &err)
	return w.w.Write(b)
}

// takeBack cuts the file where its last whole line ends. Anything but a regular file
// stays as it is.
func (w *lineWriter) takeBack() error {
	f, ok := w.w.(truncater)
	if !ok {
		return nil
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	if err := f.Truncate(at - w.part); err != nil {
		return err
	}
	_, err = f.Seek(at-w.part, io.SeekStart)
	w.part = 0
	return err
}

// short cuts s.
func short(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}

// kind says what an entry tells.
type kind uint8

const (
	aRequest    kind = iota // text: the URL
	aResponse               // status, gzip, text: the content type
	aChunk                  // of an answer's body: the next n bytes of the batch's data
	aGap                    // n bytes of the body were left out; line: the last was a newline
	anEnd                   // how, text: the error
	aCall                   // cause, told: a trace.Called
	aCalling                // cause, told: a trace.Called
	aMark                   // text
	aWrite                  // text: the URL; n bytes of the request's body
	aReconcile              // cause, told: a trace.Begun
	aReconciled             // cause, told: a trace.Finished
	aWork                   // told: a *work
	aStarted                // x, told: a *trace.Started
	aRegistered             // told: a trace.Registered
	aRead                   // told: a trace.CacheRead
	aFault                  // told: a trace.Fault
	aSaw                    // cause, told: a trace.Saw
)

// entry is something that happened.
type entry struct {
	kind       kind
	transfer   follow.Ending
	line       bool
	gzip       bool
	status     int
	n          int
	t          int64
	x          *exchange
	text       string
	retryAfter string
	cause      *cause // that begins or ends, or in which it happened; nil for none that is known
	content    any    // what the line says
}

// What an entry takes, beside its text and data, and what is kept back for each
// request so that its end can be told whatever else waits, in bytes.
const (
	entryCost   = 192
	reserve     = 3*entryCost + longText
	reserveEnd  = entryCost + maxName + maxMessage // of a reconcile, or of a call that runs for long
	longText    = 500                              // of a content type and an error, together
	shrinkAbove = 8 << 20
)

// queue holds what waits to be written. Nobody waits to put an entry in: it
// fits or it doesn't. All entries are taken out at once. Waking the goroutine
// that takes them costs more than putting one in, so it isn't woken for each
// entry.
type queue struct {
	wake   chan struct{} // has something in it when there is something to take
	urgent chan struct{} // has something in it when there is much

	many int // bytes, at which it is to be emptied at once

	mu       sync.Mutex
	entries  []entry
	data     []byte
	size     int // of both
	reserved int
	limit    int
	full     int64 // when something was refused first, of what the trace has not told yet; 0 for nothing
	closed   bool
}

// muchData is when the queue is to be emptied at once, in bytes.
const muchData = 512 << 10

func newQueue(limit int) *queue {
	return &queue{limit: limit, many: min(muchData, limit/4), wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
}

// put adds e with its data, if there is room for it and text of that length.
func (q *queue) put(e entry, data []byte, text int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w, ok := e.content.(*work); ok {
		e.t = w.stamp()
	}
	cost := entryCost + len(data) + text
	room := e.kind.reserves()
	if q.closed || q.size+q.reserved+cost+room > q.limit {
		if q.full == 0 {
			q.full = max(e.t, 1)
		}
		return false
	}
	q.reserved += room
	q.add(e, data, cost)
	return true
}

// reserves returns the room that is kept back for what must follow an entry, in bytes: an end is
// never left out whose beginning is in the trace, or something would be said not to have ended.
func (k kind) reserves() int {
	switch k {
	case aRequest, aWrite:
		return reserve
	case aReconcile, aCalling:
		return reserveEnd
	}
	return 0
}

// addReserved adds e, for which room was reserved. The last entry of what began gives that room back.
func (q *queue) addReserved(e entry, room int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reserved -= room
	if !q.closed {
		q.add(e, nil, entryCost+len(e.text))
	}
}

func (q *queue) add(e entry, data []byte, cost int) {
	e.n += len(data)
	q.entries = append(q.entries, e)
	q.data = append(q.data, data...)
	before := q.size
	q.size += cost
	if before == 0 {
		signal(q.wake)
	}
	if before < q.many && q.size >= q.many {
		signal(q.urgent)
	}
}

// signal puts something into c, if c is empty.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// take swaps the entries for empty slices, which are used from now on.
func (q *queue) take(entries []entry, data []byte) ([]entry, []byte) {
	if cap(data) > shrinkAbove {
		data = nil
	}
	clear(entries)
	q.mu.Lock()
	defer q.mu.Unlock()
	e, d := q.entries, q.data
	q.entries, q.data, q.size = entries[:0], data[:0], 0
	return e, d
}

// close makes the queue refuse all later entries.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// lost counts what was left out.
type lost struct {
	all    atomic.Int64 // of the kinds below, since the start
	marked atomic.Int64 // parts of answers; the trace has a mark for each

	// Of these the trace has not told yet.
	calls, work, reconciles, writes, requests, marks atomic.Int64
}

// countLost counts one thing that was left out.
func (r *Recorder) countLost(kind *atomic.Int64) {
	r.lost.all.Add(1)
	kind.Add(1)
}

// take returns what the trace is to be told, if there is anything.
func (l *lost) take(q *queue) (o trace.Omitted, any bool) {
	o = trace.Omitted{
		Calls: l.calls.Swap(0), Work: l.work.Swap(0), Reconciles: l.reconciles.Swap(0),
		Writes: l.writes.Swap(0), Requests: l.requests.Swap(0), Marks: l.marks.Swap(0),
	}
	if o == (trace.Omitted{}) {
		return o, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	o.Since, q.full = q.full, 0
	return o, true
}
