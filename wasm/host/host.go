// Package host is the worker's half of the program: it reads a trace, runs it
// through the engine, keeps the history, and answers the page with frames. It is
// plain Go; what it needs of the browser comes through Browser.
package host

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// Browser is what the worker's surroundings do for the host.
type Browser interface {
	// Send gives a Reply to the page. The buffer is the browser's from then on.
	Send([]byte)
	// Later calls f once the page's messages that have come by then were handled.
	Later(f func())
	// Now is a monotonic clock in nanoseconds.
	Now() int64
	// Fetch opens a file of the site.
	Fetch(url string) Input
	// Convert makes one capture in our own format of files in any, each an Input
	// or a Store. Options are a link.Redact as JSON, or "".
	Convert(files []Bytes, options string) Stored

	// Wall is the time of day, as RFC 3339 writes it.
	Wall() string
	// After calls f once, so many nanoseconds from now, unless stopped.
	After(ns int64, f func()) (stop func())
	// Random is from 0 up to 1.
	Random() float64
	// Clusters are the addresses of the site at which an API server may be.
	Clusters() []string
	// Get asks for an address of the site. The function returned gives it up:
	// then nothing more is answered.
	Get(url, accept string, a Answer) (stop func())
	// Store returns a place for what a live trace brings.
	Store() Store
	// Give lets the viewer have bytes as a file, gzipped, and tells how large that
	// is.
	Give(b Bytes, name string, done func(size int64, err error))
}

// Answer takes what a server answers: Head once, Data as often as there is more,
// End at last, with what went wrong.
type Answer struct {
	Head func(status int, contentType, retryAfter string)
	Data func([]byte)
	End  func(error)
}

// Store keeps bytes outside of the program's own memory.
type Store interface {
	Bytes
	// Append adds b, which stays the caller's.
	Append(b []byte)
}

// Bytes are in the browser's keeping.
type Bytes interface {
	// Size is how many there are, compressed as they may be; 0 where that isn't
	// known.
	Size() int64
	// ReadAt returns the n bytes at an offset of what they are uncompressed.
	ReadAt(offset int64, n int) ([]byte, error)
}

// Input is a capture's bytes, inflated where they were compressed.
type Input interface {
	Bytes
	// Stream calls chunk with one part after the other, which is only valid
	// until chunk returns, and with how many of Size are read by then. At last
	// it calls end, with nil if all is read. The function returned stops it:
	// then neither is called again.
	Stream(chunk func(b []byte, read int64), end func(error)) (cancel func())
}

// Stored is an Input whose bytes are kept.
type Stored interface {
	Input
	// Hold keeps back what of the last Stream or Again has not come yet, or lets
	// it come.
	Hold(on bool)
	// Settle, once Stream was called, tells that there is time: a piece of what of
	// it is in memory to be quick may be moved to where it costs the page none. It
	// reports whether one was.
	Settle() (moved bool)
	// Again is Stream once more, of what has been streamed and settled.
	Again(chunk func(b []byte, read int64), end func(error)) (cancel func())
}

// Host answers one page.
type Host struct {
	browser Browser
	doc     *document // what is shown
	opening *document // what is being opened, until there is something of it to show
	pump    pump      // runs doc
	window  link.Window
	cluster *cluster // that was found, or nil
	asked   int64    // when the page asked for something last, by Now

	watch func(state, trigger, transition) // sees what happens to documents, in tests
}

// New returns a Host that has nothing open.
func New(b Browser) *Host { return &Host{browser: b, window: picture.DefaultWindow} }

func (h *Host) send(r *link.Reply) { h.browser.Send(r.Encode()) }

func (h *Host) fail(id int, say link.Sentence, detail error) {
	f := &link.Failure{Say: say}
	if detail != nil {
		f.Detail = detail.Error()
	}
	h.send(&link.Reply{ID: id, Failure: f})
}

// Handle does what a Request asks for. OpOpen reads files, or what the request's
// URL names where there are none.
func (h *Host) Handle(message []byte, files []Input) {
	q, err := link.Decode[link.Request](message)
	if err != nil {
		h.fail(0, link.Sentence{ID: "fail.request"}, err)
		return
	}
	switch q.Op {
	case link.OpOpen:
		switch len(files) {
		case 0:
			h.open(q, h.browser.Fetch(q.URL), nil)
		case 1:
			h.open(q, files[0], bytesOf(files))
		default:
			h.open(q, h.browser.Convert(bytesOf(files), ""), nil)
		}
		return
	case link.OpCancel:
		h.cancel(q.ID)
		return
	case link.OpDiscover:
		h.discover(q.ID)
		return
	case link.OpFollow:
		h.follow(q)
		return
	case link.OpPainted:
		h.drive(onPainted)
		return
	case link.OpWindow:
		if q.Window != nil {
			h.window = picture.SaneWindow(*q.Window)
		}
	}
	if h.doc == nil {
		if q.Op != link.OpWindow {
			h.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
		}
		return
	}
	h.ask(q)
}

// ask answers what is asked about the document shown.
func (h *Host) ask(q *link.Request) {
	d := h.doc
	r := d.run()
	h.asked = h.browser.Now()
	if q.Op != link.OpWindow && q.Op != link.OpTimeline && q.Op != link.OpSave {
		d.touched = true
	}
	switch q.Op {
	case link.OpStep:
		h.frame(q.ID, r.step(q.Unit, q.N, h.window))
	case link.OpSeek:
		h.frame(q.ID, r.seek(q.N, h.window))
	case link.OpTime:
		h.frame(q.ID, r.seek(r.history().StepOf(q.Time), h.window))
	case link.OpWindow:
		h.frame(q.ID, r.frame(0, h.window))
	case link.OpInformer:
		if q.N < 0 || q.N >= int64(d.informers()) {
			h.fail(q.ID, link.Sentence{ID: "fail.request"}, nil)
			return
		}
		at := r.now()
		d.shown = int(q.N)
		h.moved(q.ID, at)
		h.tellLanes(0)
	case link.OpSetup:
		if q.Setup != nil && d.script == nil {
			at := r.now()
			d.setUp(sane(*q.Setup))
			if o := h.opening; o != nil && o.state.again() {
				o.setUp(d.setup)
			}
			h.moved(q.ID, at)
			h.tellLanes(0)
		}
	case link.OpInspect:
		if q.Ref <= 0 || int(q.Ref) >= r.table().Len() {
			h.fail(q.ID, link.Sentence{ID: "fail.request"}, nil)
			return
		}
		h.send(&link.Reply{ID: q.ID, Object: d.inspect(r, q.Ref)})
	case link.OpLine:
		h.line(q)
	case link.OpLane:
		h.lane(q)
	case link.OpTimeline:
		h.send(&link.Reply{ID: q.ID, Timeline: r.timeline(q.Axis, min(q.Buckets, maxBuckets))})
	case link.OpSave:
		h.save(q)
	case link.OpQuery:
		if q.Query != nil {
			h.send(&link.Reply{ID: q.ID, Answer: r.stage(h.window).Query(*q.Query)})
		}
	default:
		h.fail(q.ID, link.Sentence{ID: "fail.request"}, nil)
	}
}

func bytesOf(files []Input) (all []Bytes) {
	for _, f := range files {
		all = append(all, f)
	}
	return all
}

// maxBuckets is how many columns a timeline can have.
const maxBuckets = 4096

// moved shows the run that now is the document's at the time at, once it has
// been run that far.
func (h *Host) moved(id int, at int64) {
	h.opened(id)
	r := h.doc.run()
	r.goal = at
	h.frame(id, r.frame(0, h.window))
	h.work()
}

func (h *Host) frame(id int, f *link.Frame) {
	f.Informer = h.doc.shown
	h.send(&link.Reply{ID: id, Frame: f})
}

func (h *Host) opened(id int) { h.send(&link.Reply{ID: id, Opened: h.doc.opened()}) }
