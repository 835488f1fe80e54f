package host

import (
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
)

// tellEvery is how often it may be told how watching goes, and how long the
// engine waits at most to learn that nothing has come, in nanoseconds. Where
// nothing changes it is told every quiet.
const (
	tellEvery = 100 * millisecond
	quiet     = 1000 * millisecond
)

// live is a trace that is being recorded: the Input of a document that grows
// until it is stopped.
type live struct {
	browser Browser
	prefix  string // of the API server's addresses
	start   string // RFC 3339
	began   int64  // on the browser's clock, in nanoseconds
	log     *follow.Log
	streams []*stream
	stopped bool
	tick    func() // stops the ticking

	line  []byte // not handed over yet
	kept  Store
	next  *spare // the trace that takes over when this one is too long
	limit int64  // how many bytes are kept
	chunk func([]byte, int64)
	tell  func(atOnce bool) // how it goes: now, or when it is time

	dropped   int64 // watch events that were before what is kept
	droppedTo int64 // and until when they were, in nanoseconds since the start
}

// stream is one resource that is followed.
type stream struct {
	live   *live
	name   string
	f      *follow.Follower
	cancel func() // of the request or the waiting under way
	state  follow.State
	reason follow.Reason
}

// newLive returns a live trace of the resources, which is not followed yet.
func newLive(b Browser, prefix, server string, resources []follow.Resource, want *link.Follow, random func() float64) (*live, error) {
	l := &live{browser: b, prefix: prefix, start: b.Wall(), began: b.Now(), kept: b.Store(), limit: window}
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

// Write takes a line of the trace.
func (l *live) Write(line []byte) (int, error) {
	l.line = append(l.line, line...)
	return len(line), nil
}

func (l *live) now() int64 { return l.browser.Now() - l.began }

// Size is 0: there is no end.
func (l *live) Size() int64 { return 0 }

// ReadAt returns bytes of the trace.
func (l *live) ReadAt(offset int64, n int) ([]byte, error) { return l.kept.ReadAt(offset, n) }

// Stream begins to follow. The function returned stops that, with what is then
// to be said about it as a last chunk.
func (l *live) Stream(chunk func([]byte, int64), _ func(error)) (cancel func()) {
	l.chunk = chunk
	l.tick = func() {}
	l.browser.Later(func() {
		for _, s := range l.streams {
			s.ask()
		}
		l.flush()
		l.again()
	})
	return l.stop
}

// again ticks on.
func (l *live) again() {
	l.tick = l.browser.After(tellEvery, func() {
		if !l.stopped {
			l.again()
			l.tell(false)
		}
	})
}

func (l *live) stop() {
	if l.stopped {
		return
	}
	l.stopped = true
	l.tick()
	for _, s := range l.streams {
		s.halt()
		s.f.Stop(l.now())
	}
	l.flush()
}

// flush hands over the lines that are complete.
func (l *live) flush() {
	if len(l.line) == 0 || l.chunk == nil {
		return
	}
	b := l.line
	l.line = nil
	l.kept.Append(b)
	if l.next != nil {
		l.next.kept.Append(b)
	}
	l.chunk(b, l.kept.Size())
	l.line = b[:0]
}

// ask makes the stream's next request, when it is due.
func (s *stream) ask() {
	s.changed()
	r, ok := s.f.Next()
	if !ok || s.live.stopped {
		return
	}
	if wait := r.At - s.live.now(); wait > 0 {
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
	end := func(how follow.How, text string) {
		if over {
			return
		}
		over = true
		s.halt()
		s.f.End(l.now(), how, text)
		l.flush()
		s.ask()
	}
	s.f.Sent(l.now())
	l.flush()
	s.changed()
	headed := false
	stop := l.browser.Get(l.prefix+r.URL, "application/json", Answer{
		Head: func(status int, contentType, retryAfter string) {
			if over {
				return
			}
			headed = true
			if !s.f.Response(l.now(), follow.Head{Status: status, ContentType: contentType, RetryAfter: retryAfter}) {
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
			if !s.f.Data(l.now(), b) {
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

// halt stops what is under way.
func (s *stream) halt() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// changed tells at once when the stream does something else.
func (s *stream) changed() {
	st := s.f.Status()
	if (st.State != s.state || st.Reason != s.reason) && s.live.tell != nil {
		s.state, s.reason = st.State, st.Reason
		s.live.tell(true)
	}
}

// status is how watching goes.
func (l *live) status() *link.Live {
	out := &link.Live{Following: !l.stopped, Now: l.now(), Bytes: l.kept.Size(), Window: l.limit, Dropped: l.dropped, DroppedTo: l.droppedTo}
	for _, s := range l.streams {
		st := s.f.Status()
		f := link.Followed{Name: s.name, State: st.State.String(), Events: st.Events, Relists: st.Relists}
		if st.State == follow.Waiting && st.Reason != follow.None {
			f.Reason, f.Detail, f.Until = st.Reason.String(), st.Error, st.Until
		}
		out.Streams = append(out.Streams, f)
	}
	return out
}

// living tells how watching goes, and lets the engine know that until now
// nothing more has come.
func (h *Host) living(d *document, atOnce bool) {
	if h.doc != d {
		return
	}
	l := d.live
	if !l.stopped {
		d.trace().Now = max(d.trace().Now, l.now())
		h.work()
		h.rotate(d)
	}
	now, bytes, steps := h.browser.Now(), l.kept.Size(), d.run().history().Steps()
	if !atOnce && bytes == d.told.bytes && steps == d.told.steps && now-d.told.at < quiet {
		return
	}
	if records := d.trace().Records; records != d.told.records {
		d.told.records = records
		h.opened(0)
	}
	d.told.at, d.told.bytes, d.told.steps = now, bytes, steps
	s := l.status()
	s.Steps = steps
	h.send(&link.Reply{Live: s})
}

// told is what was last told of a live trace.
type told struct{ at, bytes, steps, records int64 }
