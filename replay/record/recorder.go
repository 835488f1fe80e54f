// Package record records what a controller sees and does: the lists, watches and writes that
// go through its HTTP transport, the calls of its event handlers and workqueues, and its
// reconciles. It imports nothing of Kubernetes. It never blocks the controller and never makes it fail. It leaves out
// and counts what it has no time or room for, and the trace says so. What package
// redact takes for a secret is not written, unless Options say that it is to be kept.
//
//	rec, err := record.New(file, record.Options{})
//	config.Wrap(rec.Wrap) // a rest.Config
//	informer.AddEventHandler(rec.Handler("web", handler))
//	queue := record.Queue(rec, "web", workqueue.NewTypedRateLimitingQueue(limiter))
//	sync := record.Sync(rec, "web", controller.sync)
//	…
//	err = rec.Close()
//
// The config is wrapped before clients are made of it, and Close is called when the controller has stopped. What is
// wrapped is recorded until then. With a handler and a workqueue, the trace says of each Add which call
// of a handler has made it. [Recorder.Err] returns the first error of the file. A [Ring] keeps the last part of a
// recording in memory and writes it on demand. README.md says what recording costs.
package record

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
)

// Memory is what a Recorder may hold unless Options say otherwise, in bytes.
const Memory = 512 << 20

// Options are what a Recorder is made with. The zero value is fit for use.
type Options struct {
	// AskJSON asks for JSON where a typed client asks for protobuf or CBOR, so that whole
	// objects are recorded. That changes the process that is looked at: its answers become
	// longer, and it takes longer to decode them. Otherwise no header is changed, and of objects
	// in protobuf and CBOR the metadata is recorded.
	AskJSON bool

	// Memory bounds what is held, in bytes; 0 is the constant Memory. An eighth of
	// it is for answers that are not complete, and so for any one list, and an
	// eighth for what waits to be written; the rest is for those to grow, and for
	// the line being written. Only what is needed is taken.
	Memory int

	Recorder string // for the header: who records
	Server   string // for the header: the API server's version
	Note     string // for the header, up to 64 kB

	// CheckObjects finds out whether the process changes objects in the cache, which all readers of the cache share. It
	// checks one object in so many, after each call of a recorded handler and at the object's next event: 1 checks all, 0 none.
	// Each check encodes the object, which costs as much as sending it. A change at that moment is a data race with the check, as
	// with every other reader. client-go's KUBE_CACHE_MUTATION_DETECTOR checks all objects, keeps copies, and panics.
	CheckObjects int

	// KeepSecrets writes everything as it came over the wire, environment variables
	// and the data of Secrets among it. By default a redact.Redactor with Values and the rules
	// redact.Default takes such things out before anything is written; its counts are
	// the trace's last line. Other values stay, so the trace is for its owner: informerscope
	// redact makes its shape, which can be shared.
	KeepSecrets bool

	// Redact stands in the place of that Redactor. It returns what is to be kept of
	// each line, or nil for nothing. The method Line of another redact.Redactor does so.
	Redact func(line []byte) []byte
}

// Recording is a *Recorder or a *Ring. One that is nil records nothing, so that a controller may go
// without.
type Recording interface {
	Handler(name string, h EventHandler) EventHandler
	recorder() *Recorder // nil for none
}

// Recorder writes a trace. It is safe for concurrent use. The methods of a nil *Recorder do nothing.
type Recorder struct {
	o       Options
	start   time.Time
	queue   *queue
	stop    chan struct{}
	stopped chan struct{}
	once    sync.Once
	flushes chan chan struct{} // who waits until all was written that waits now

	log     *follow.Log // this and the fields below belong to the writing goroutine
	out     sink
	counter *redact.Redactor // counts what it takes out; nil where Options say what is kept
	held    int              // bytes of answers that are not complete
	open    map[*exchange]struct{}

	created  map[uint64]int64    // the first creates, by ownWrite.content
	buf      []byte              // a line's JSON, of an answer that is none
	remarked map[string]struct{} // resources whose objects are recorded as metadata alone

	calls       underWay
	causes      atomic.Int64 // under way
	controllers controllers
	workqueues  workqueues
	reflectors  reflectors
	reads       reads

	lost   lost
	failed atomic.Pointer[error]

	lazy  bool                                   // what waits is written when there is much of it, or when somebody waits for it
	crash func(ctx context.Context, what string) // what a Ring does before a panic ends the process; nil for nothing
}

func (r *Recorder) recorder() *Recorder { return r }

// fill sets what was left empty.
func (o *Options) fill() {
	if o.Memory <= 0 {
		o.Memory = Memory
	}
	if o.Recorder == "" {
		o.Recorder = "informerscope replay/record"
	}
	o.Recorder, o.Server, o.Note = short(o.Recorder, 1000), short(o.Server, 1000), short(o.Note, 64<<10)
}

// New begins a trace. A goroutine writes it: whole lines, many at once, within
// a fraction of a second. New doesn't wait for w, so Err and Close return the errors of w. If w has a method Flush() error, the Recorder calls it each
// time. If writing fails and w has the methods Seek and Truncate of a file, what was
// written of the last line is taken back, so that the file holds whole lines.
func New(w io.Writer, o Options) (*Recorder, error) {
	o.fill()
	var kept *redact.Redactor
	if o.Redact == nil && !o.KeepSecrets {
		var err error
		if kept, err = redact.New(redact.Options{Values: true}); err != nil {
			return nil, err
		}
		o.Redact = kept.Line
	}
	return start(newLines(w, o.Redact), o, kept, false)
}

// sink is where lines go, one with each Write.
type sink interface {
	io.Writer
	Flush() error
	writeRaw(line []byte) error // writes a last line as it is, and flushes
}

// start begins to record.
func start(out sink, o Options, kept *redact.Redactor, lazy bool) (*Recorder, error) {
	begin := time.Now()
	tw, err := trace.NewWriter(out, o.header(begin)) // fits what is gathered until the first Flush
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		lazy: lazy, o: o, start: begin, out: out, counter: kept, log: follow.NewLog(tw), open: map[*exchange]struct{}{}, remarked: map[string]struct{}{},
		queue: newQueue(o.Memory / 16), stop: make(chan struct{}), stopped: make(chan struct{}), flushes: make(chan chan struct{}),
	}
	if lazy {
		r.queue.many = r.queue.limit / 4
	}
	go r.write()
	return r, nil
}

// header returns the header of a trace that begins at a time.
func (o *Options) header(begin time.Time) trace.Header {
	return trace.Header{Start: begin.UTC().Format(time.RFC3339Nano), Recorder: o.Recorder, Server: o.Server, Note: o.Note, Level: trace.AtTransport}
}

// Wrap makes rt a transport whose lists, watches and writes are recorded. It has the
// type that rest.Config.Wrap wants.
func (r *Recorder) Wrap(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		rt = http.DefaultTransport
	}
	if r == nil {
		return rt
	}
	return &transport{rt, r}
}

// Mark writes a note. Where the disk can't keep up, the note is left out, and counted by Lost.
func (r *Recorder) Mark(text string) {
	if r == nil {
		return
	}
	text = short(text, 1000)
	if !r.queue.put(entry{kind: aMark, t: r.now(), text: text}, nil, len(text)) {
		r.countLost(&r.lost.marks)
	}
}

// Lost returns how many things were left out so far: parts of answers, whole requests, writes,
// marks, and calls of handlers, workqueues and reconciles. The trace says what they were.
func (r *Recorder) Lost() int64 {
	if r == nil {
		return 0
	}
	return r.lost.all.Load() + r.lost.marked.Load()
}

// Err returns the first error of writing. Nothing is recorded after it, and the
// controller goes on.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes what waits, ends the trace, and returns Err. It doesn't close the
// writer, and it waits as long as the writer does. Requests under way go on without being recorded.
func (r *Recorder) Close() error { return r.CloseContext(context.Background()) }

// CloseContext does what Close does, and returns ctx's error if ctx ends before everything is
// written. The rest is then written whenever the writer takes it.
func (r *Recorder) CloseContext(ctx context.Context) error {
	if r == nil {
		return nil
	}
	r.once.Do(func() { close(r.stop) })
	select {
	case <-r.stopped:
		return r.Err()
	case <-ctx.Done():
		return cmp.Or(r.Err(), fmt.Errorf("the recording's writer has not taken all of it: %w", ctx.Err()))
	}
}

// now returns the time since the trace's start, in nanoseconds.
func (r *Recorder) now() int64 {
	if r == nil {
		return 0
	}
	return int64(time.Since(r.start))
}
