package record

import (
	"sync"
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

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
