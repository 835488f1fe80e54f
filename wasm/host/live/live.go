// Package live records a cluster as a trace that grows while it is shown.
package live

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// While a cluster is followed, the worker reports to the page at most every reportInterval,
// and at least every quiet, in nanoseconds. Every reportInterval the engine also learns that
// nothing has come.
const (
	reportInterval = 100 * machine.Millisecond
	Quiet          = 1000 * machine.Millisecond
)

// Trace is a trace that is being recorded from a cluster. It is the Input of a
// document that grows until the recording is stopped.
type Trace struct {
	browser browser.Browser
	prefix  string // the API server's addresses begin with it
	start   string // the time of day at which it began, in RFC 3339
	began   int64  // that time by Browser.Now
	log     *follow.Log
	streams []*stream
	piped   string // the address of what another program writes; "" for a trace that is recorded here
	drop    func() // gives up reading that; nil where nothing is read
	Stopped bool
	tick    func() // stops the timer of again

	line       []byte // lines that are not handed over yet
	Store      browser.Store
	Next       *spare // takes over when this trace is too long; may be nil
	Limit      int64  // how many bytes are kept at most
	chunk      func([]byte, int64)
	OnProgress func(atOnce bool) // tells the page how it goes, at once or when it is time

	Dropped   int64 // how many watch events were dropped
	DroppedTo int64 // everything before this was dropped, in nanoseconds since the start
}

// stream is one resource that is followed.
type stream struct {
	live   *Trace
	name   string
	f      *follow.Follower
	cancel func() // stops the request or the waiting that is under way
	state  follow.State
	reason follow.Reason
}

// New returns a live trace of the resources. Stream begins to follow them.
func New(b browser.Browser, prefix, server string, resources []follow.Resource, want *link.Follow, random func() float64) (*Trace, error) {
	l := &Trace{browser: b, prefix: prefix, start: b.Wall(), began: b.Now(), Store: b.Store(), Limit: window}
	w, err := trace.NewWriter(l, trace.Header{Start: l.start, Recorder: "informerscope page", Server: server})
	if err != nil {
		return nil, err
	}
	l.log = follow.NewLog(w)
	for _, r := range resources {
		l.streams = append(l.streams, &stream{live: l, name: r.Name(), f: follow.New(l.log, follow.Options{
			Path: r.Path(want.Namespace), LabelSelector: want.Selector, Streaming: want.Streaming, Random: random,
		})})
	}
	return l, nil
}

// Write takes a line of the trace from the follow.Log.
func (l *Trace) Write(line []byte) (int, error) {
	l.line = append(l.line, line...)
	return len(line), nil
}

// Now returns how long the trace has been recorded, in nanoseconds.
func (l *Trace) Now() int64 { return l.browser.Now() - l.began }

// Size returns 0, since there is no end.
func (l *Trace) Size() int64 { return 0 }

// ReadAt returns bytes of the trace.
func (l *Trace) ReadAt(offset int64, n int) ([]byte, error) { return l.Store.ReadAt(offset, n) }

// Stream begins to follow. The function that it returns stops that; the last lines
// of the trace, which say so, still come. End is called where another program writes the
// trace, when it has ended that.
func (l *Trace) Stream(chunk func([]byte, int64), end func(error)) (cancel func()) {
	l.chunk = chunk
	l.tick = func() {}
	l.browser.Later(func() {
		if l.piped != "" && !l.Stopped {
			l.read(end)
		}
		for _, s := range l.streams {
			s.ask()
		}
		l.flush()
		if !l.Stopped {
			l.schedule()
		}
	})
	return l.stop
}

// schedule tells the page every reportInterval how it goes.
func (l *Trace) schedule() {
	l.tick = l.browser.After(reportInterval, func() {
		if !l.Stopped {
			l.schedule()
			l.OnProgress(false)
		}
	})
}

func (l *Trace) stop() {
	if l.Stopped {
		return
	}
	l.Stopped = true
	l.tick()
	if l.drop != nil {
		l.drop()
		l.drop = nil
	}
	for _, s := range l.streams {
		s.halt()
		s.f.Stop(l.Now())
	}
	l.flush()
}

// flush hands the lines over.
func (l *Trace) flush() {
	if len(l.line) == 0 || l.chunk == nil {
		return
	}
	b := l.line
	l.line = nil
	l.Store.Append(b)
	if l.Next != nil {
		l.Next.Store.Append(b)
	}
	l.chunk(b, l.Store.Size())
	l.line = b[:0]
}

// ask sends the stream's next request, at once or when it is due.
func (s *stream) ask() {
	s.changed()
	r, ok := s.f.Next()
	if !ok || s.live.Stopped {
		return
	}
	if wait := r.Time - s.live.Now(); wait > 0 {
		s.cancel = s.live.browser.After(wait, s.send)
		return
	}
	s.send()
}

func (s *stream) send() {
	r, ok := s.f.Next()
	if !ok {
		return
	}
	l := s.live
	over := false
	end := func(how follow.Ending, text string) {
		if over {
			return
		}
		over = true
		s.halt()
		s.f.End(l.Now(), how, text)
		l.flush()
		s.ask()
	}
	s.f.Sent(l.Now())
	l.flush()
	s.changed()
	headed := false
	stop := l.browser.Get(l.prefix+r.URL, "application/json", browser.Answer{
		Head: func(status int, contentType, retryAfter string) {
			if over {
				return
			}
			headed = true
			if !s.f.Response(l.Now(), follow.Head{Status: status, ContentType: contentType, RetryAfter: retryAfter}) {
				end(follow.Canceled, "")
				return
			}
			l.flush()
			s.changed()
		},
		Data: func(b []byte) {
			if over {
				return
			}
			if !s.f.Data(l.Now(), b) {
				end(follow.Canceled, "")
				return
			}
			l.flush()
		},
		End: func(err error) {
			switch {
			case err == nil:
				end(follow.EOF, "")
			case headed:
				end(follow.Reset, err.Error())
			default:
				end(follow.Refused, err.Error())
			}
		},
	})
	timeout := func() {}
	if r.Limit > 0 {
		timeout = l.browser.After(r.Limit, func() { end(follow.Timeout, "") })
	}
	s.cancel = func() { over = true; timeout(); stop() }
}

// halt stops the request or the waiting that is under way.
func (s *stream) halt() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// changed tells the page at once if the stream's state has changed.
func (s *stream) changed() {
	st := s.f.Status()
	if (st.State != s.state || st.Reason != s.reason) && s.live.OnProgress != nil {
		s.state, s.reason = st.State, st.Reason
		s.live.OnProgress(true)
	}
}

// Status returns how following goes. t is what was read of the trace.
func (l *Trace) Status(t *trace.Trace) *link.Live {
	out := &link.Live{Following: !l.Stopped, Now: l.Now(), Bytes: l.Store.Size(), Window: l.Limit, Dropped: l.Dropped, DroppedTo: l.DroppedTo, Streams: l.watched(t)}
	for _, s := range l.streams {
		st := s.f.Status()
		f := link.Followed{Name: s.name, State: st.State.String(), Events: st.Events, Relists: st.Relists}
		if st.State == follow.Waiting && st.Reason != follow.None {
			f.Reason, f.Until = st.Reason.String(), st.Until
			f.Detail = link.Fault(st.Err)
		}
		out.Streams = append(out.Streams, f)
	}
	return out
}

// Piped returns a trace that another program is still writing, at an address of the site. That
// program knows when everything came, and it keeps the whole trace, so nothing is dropped here.
func Piped(b browser.Browser, url string) *Trace {
	return &Trace{browser: b, began: b.Now(), Store: b.Store(), piped: url}
}

// maxRefusal is how much of an answer is shown that is no trace, in bytes.
const maxRefusal = 300

// read reads the trace to its end. It ends when the program's input does.
func (l *Trace) read(end func(error)) {
	finish := func(err error) {
		l.drop, l.Stopped = nil, true
		l.tick()
		end(err)
	}
	refused := false
	var says []byte // why
	l.drop = l.browser.Get(l.piped, "application/octet-stream", browser.Answer{
		Head: func(status int, _, _ string) { refused = status != 200 },
		Data: func(b []byte) {
			if refused {
				says = append(says, b[:min(len(b), maxRefusal-len(says))]...)
				return
			}
			l.line = append(l.line, b...)
			l.flush()
		},
		End: func(err error) {
			if refused && err == nil {
				err = errors.New(strings.TrimSpace(string(says)))
			}
			finish(err)
		},
	})
}

// AdvanceClock sets the clock to ns, unless it is later already. The other program has begun before
// the page did.
func (l *Trace) AdvanceClock(ns int64) { l.began -= max(0, ns-l.Now()) }

// watched tells of the resources of a trace that another program writes.
func (l *Trace) watched(t *trace.Trace) (all []link.Followed) {
	if l.piped == "" {
		return nil
	}
	for _, r := range t.Resources {
		all = append(all, link.Followed{Name: r.Name(), State: link.StreamWatching, Events: int64(r.Events), Relists: max(0, int64(r.Lists)-1)})
	}
	return all
}
