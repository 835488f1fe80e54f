// Package perfetto writes what an informer does as JSON in the Trace Event Format, which
// ui.perfetto.dev and chrome://tracing open.
//
// Each informer is a process, and each of its actors a thread, whose slices are what the
// actor does: a list, a watch event, a pop, a handler's call, a reconcile, and each wait
// for a lock. Each lock is a thread, too, with a slice for as long as an actor holds it.
// How full the queue, the cache, the workqueue and each handler's buffer are is a counter.
// Flow arrows lead from the watch event to the pop that takes it out of the queue, from
// there to the calls of the handlers, and on to the worker that gets the key. The pop
// goroutines have no slices: they only hand notifications over, which takes no time.
package perfetto

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// flushAt is how many bytes are gathered before they are written.
const flushAt = 64 << 10

// Writer writes one trace, as it comes: it remembers what is under way, and nothing that
// is over.
type Writer struct {
	out       func([]byte) error
	buf       []byte
	separated bool
	flows     int64 // so far
	err       error
	all       []*Process
}

// New returns a Writer that hands out the trace in pieces. A piece is the callee's only
// until the call returns. After an error of out, nothing more is written.
func New(out func([]byte) error) *Writer {
	w := &Writer{out: out}
	w.buf = append(w.buf, `{"displayTimeUnit":"ns","traceEvents":[`...)
	return w
}

// End ends every slice that is under way, and then the trace. It returns the first error
// of out.
func (w *Writer) End() error {
	for _, p := range w.all {
		p.close()
	}
	w.buf = append(w.buf, "\n]}\n"...)
	w.flush()
	return w.err
}

// Err returns the first error of out so far.
func (w *Writer) Err() error { return w.err }

func (w *Writer) flush() {
	if w.err == nil {
		w.err = w.out(w.buf)
	}
	w.buf = w.buf[:0]
}

// phases of the Trace Event Format.
const (
	begins   = 'B'
	ends     = 'E'
	instant  = 'i'
	counts   = 'C'
	metadata = 'M'
	flows    = 's' // a flow starts in the slice that is open then
	flown    = 'f' // and ends in the slice that is open then
)

// event starts one object. Time is in nanoseconds, and the format has microseconds.
func (w *Writer) event(phase byte, pid, tid int, time int64, name string) {
	b := w.buf
	if w.separated {
		b = append(b, ',')
	}
	w.separated = true
	b = append(b, "\n{\"ph\":\""...)
	b = append(b, phase)
	b = append(b, `","pid":`...)
	b = strconv.AppendInt(b, int64(pid), 10)
	b = append(b, `,"tid":`...)
	b = strconv.AppendInt(b, int64(tid), 10)
	if phase != metadata {
		b = append(b, `,"ts":`...)
		b = micros(b, time)
	}
	if name != "" {
		b = append(b, `,"name":`...)
		b = jsonscan.AppendString(b, name)
	}
	w.buf = b
}

func (w *Writer) arg(first bool, name, value string) {
	w.key(first, name)
	w.buf = jsonscan.AppendString(w.buf, value)
}

func (w *Writer) number(first bool, name string, value int64) {
	w.key(first, name)
	w.buf = strconv.AppendInt(w.buf, value, 10)
}

func (w *Writer) key(first bool, name string) {
	if first {
		w.buf = append(w.buf, `,"args":{`...)
	} else {
		w.buf = append(w.buf, ',')
	}
	w.buf = jsonscan.AppendString(w.buf, name)
	w.buf = append(w.buf, ':')
}

// done ends the object, and before that its arguments.
func (w *Writer) done(args bool) {
	if args {
		w.buf = append(w.buf, '}')
	}
	w.buf = append(w.buf, '}')
	if len(w.buf) >= flushAt {
		w.flush()
	}
}

// flow writes one end of a flow.
func (w *Writer) flow(phase byte, pid, tid int, time, id int64) {
	w.event(phase, pid, tid, time, "cause")
	w.buf = append(w.buf, `,"cat":"cause","id":`...)
	w.buf = strconv.AppendInt(w.buf, id, 10)
	if phase == flown {
		w.buf = append(w.buf, `,"bp":"e"`...)
	}
	w.done(false)
}

// micros writes nanoseconds as microseconds.
func micros(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
		ns = -ns
	}
	b = strconv.AppendInt(b, ns/1000, 10)
	if rest := ns % 1000; rest != 0 {
		b = append(b, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	return b
}
