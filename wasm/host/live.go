package host

import (
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
)

// While a cluster is followed, the worker reports to the page at most every tellEvery,
// and at least every quiet, in nanoseconds. Every tellEvery the engine also learns that
// nothing has come.
const (
	tellEvery = 100 * millisecond
	quiet     = 1000 * millisecond
)

// live is a trace that is being recorded from a cluster. It is the Input of a
// document that grows until the recording is stopped.
type live struct {
	browser Browser
	prefix  string // the API server's addresses begin with it
	start   string // the time of day at which it began, in RFC 3339
	began   int64  // that time by Browser.Now
	log     *follow.Log
	streams []*stream
	stopped bool
	tick    func() // stops the timer of again

	line  []byte // lines that are not handed over yet
	kept  Store
	next  *spare // takes over when this trace is too long; may be nil
	limit int64  // how many bytes are kept at most
	chunk func([]byte, int64)
	tell  func(atOnce bool) // tells the page how it goes, at once or when it is time

	dropped   int64 // how many watch events were dropped
	droppedTo int64 // everything before this was dropped, in nanoseconds since the start
}

// stream is one resource that is followed.
type stream struct {
	live   *live
	name   string
	f      *follow.Follower
	cancel func() // stops the request or the waiting that is under way
	state  follow.State
	reason follow.Reason
}

// newLive returns a live trace of the resources. Stream begins to follow them.
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

// Write takes a line of the trace from the follow.Log.
func (l *live) Write(line []byte) (int, error) {
	l.line = append(l.line, line...)
	return len(line), nil
}

func (l *live) now() int64 { return l.browser.Now() - l.began }

// Size is 0, since there is no end.
func (l *live) Size() int64 { return 0 }

// ReadAt returns bytes of the trace.
func (l *live) ReadAt(offset int64, n int) ([]byte, error) { return l.kept.ReadAt(offset, n) }

// Stream begins to follow. The function that it returns stops that; the last lines
// of the trace, which say so, still come.
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

// again tells the page every tellEvery how it goes.
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

// flush hands the lines over.
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

// ask sends the stream's next request, at once or when it is due.
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
	if (st.State != s.state || st.Reason != s.reason) && s.live.tell != nil {
		s.state, s.reason = st.State, st.Reason
		s.live.tell(true)
	}
}

// status returns how following goes.
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

// living tells the page how following goes, and lets the engine know that nothing
// else has come until now.
func (cs *clusters) living(d *document, atOnce bool) {
	if cs.doc != d {
		return
	}
	l := d.live
	if !l.stopped {
		d.trace().Now = max(d.trace().Now, l.now())
		cs.work()
		cs.rotate(d)
	}
	now, bytes, steps := cs.browser.Now(), l.kept.Size(), d.run().history().Steps()
	if !atOnce && bytes == d.told.bytes && steps == d.told.steps && now-d.told.at < quiet {
		return
	}
	if records := d.trace().Records; records != d.told.records {
		d.told.records = records
		cs.opened(0)
	}
	d.told.at, d.told.bytes, d.told.steps = now, bytes, steps
	s := l.status()
	s.Steps = steps
	cs.send(&link.Reply{Live: s})
}

// told is what the page was last told about a live trace.
type told struct{ at, bytes, steps, records int64 }
