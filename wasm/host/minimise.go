package host

import (
	"errors"
	"iter"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/minimise"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
)

// minimising looks for the smallest part of the recording in which an expression still comes
// about, slice by slice. What was found stays until another search begins.
type minimising struct {
	doc      *document
	resource int
	text     string
	x        *ask.Expr
	setup    link.Setup
	best     minimise.Best
	try      int         // the number of the run that is made
	until    int64       // the end of the slice
	told     int64       // when the page was told last
	on       func() bool // goes on for a slice; false at the end
	stop     func()
	err      error // why it has ended, nil if nothing can be left out any more
}

var errStopped = errors.New("stopped")

// minimise begins to look for the smallest part of the recording in which the expression
// comes about. It looks at the recording as it was captured,
// and at the informer and the setup that are shown.
func (h *Host) minimise(id int, q link.Minimise) {
	d := h.doc
	x, err := ask.Parse(q.Expr)
	if err != nil || x.Type() != ask.Bool || d.script != nil || d.live != nil || !d.trace().Complete {
		h.fail(id, link.Sentence{ID: "fail.request"}, err)
		return
	}
	h.leave()
	m := &minimising{doc: d, resource: d.shown, text: q.Expr, x: x, setup: unrecorded(d.setup), told: h.browser.Now()}
	h.minimising = m
	m.begin(h)
	h.tellMinimised(m, false)
	h.minimiseOn(m)
}

// unrecorded returns a setup without the recorded times of handlers, because
// those times belong to the calls of the whole recording.
func unrecorded(s link.Setup) link.Setup {
	s.Handlers = append([]link.Handler(nil), s.Handlers...)
	for i := range s.Handlers {
		s.Handlers[i].Recorded = false
	}
	return s
}

// begin prepares the search, which runs while on is called.
func (m *minimising) begin(h *Host) {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		q := m.question(m.doc.trace(), m.resource)
		q.Stopped = func(try int) error {
			m.try = try
			if h.browser.Now() >= m.until && !yield(struct{}{}) {
				return errStopped
			}
			return nil
		}
		q.Better = func(b minimise.Best) { m.best = b }
		var best minimise.Best
		if best, m.err = minimise.Run(q); len(best.Kept) > 0 {
			m.best = best
		}
	})
	m.on = func() bool { _, more := next(); return more }
	m.stop = stop
}

// question is the expression about a resource of a trace.
func (m *minimising) question(t *trace.Trace, resource int) minimise.Question {
	r := t.Resources[resource]
	return minimise.Question{
		Feed: feed.Feed{Trace: t, Resource: r}, Key: r.Table.KeyOf,
		Config: func(f apiserver.Feed) *world.Config {
			return worldConfig(m.setup, r.Name(), r.Table, f, nil)
		},
		Look: func() func(*world.World) bool {
			e := m.x.Eval(0)
			return func(w *world.World) bool {
				v, _ := e.Look(w)
				return v.True()
			}
		},
		Stopped: func(int) error { return nil },
	}
}

// minimiseOn goes on for a slice, and then lets the page's messages have their turn.
func (h *Host) minimiseOn(m *minimising) {
	h.browser.Later(func() {
		if h.minimising != m || m.on == nil {
			return
		}
		if h.doc != m.doc {
			h.leave()
			return
		}
		m.until = h.browser.Now() + slice
		if !m.on() {
			m.on, m.stop = nil, nil
			h.tellMinimised(m, true)
			return
		}
		if now := h.browser.Now(); now-m.told >= reportEvery {
			m.told = now
			h.tellMinimised(m, false)
		}
		h.minimiseOn(m)
	})
}

// leave stops looking for a smaller part. The best one so far stays.
func (h *Host) leave() {
	m := h.minimising
	if m == nil || m.on == nil {
		return
	}
	m.stop()
	m.on, m.stop, m.err = nil, nil, errStopped
	if h.doc == m.doc {
		h.tellMinimised(m, true)
	}
}

func (h *Host) tellMinimised(m *minimising, done bool) {
	r := m.doc.trace().Resources[m.resource]
	out := &link.Minimised{
		Text: m.text, Events: m.best.Events, Objects: m.best.Objects, Of: r.Events, Step: m.best.Step, Time: m.best.Time, Tries: m.try,
		Done: done, Never: errors.Is(m.err, minimise.ErrNever), Stopped: errors.Is(m.err, errStopped),
	}
	if m.err != nil && !out.Never && !out.Stopped {
		out.Wrong = m.err.Error()
	}
	h.send(&link.Reply{Minimised: out})
}
