package host

import (
	"errors"
	"iter"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/minimise"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

const errOtherwise = fault.Plain("leastDiffers")

// leasts looks for the smallest part of the recording in which an expression still comes about.
type leasts struct {
	*desk
	last *minimising // may be nil; what it has found stays until another search begins
}

// minimising is a search for the smallest part.
type minimising struct {
	*desk
	of       *document
	resource int
	text     string
	x        *ask.Expr
	setup    link.Setup
	best     minimise.Best
	try      int         // the number of the run that is made
	until    int64       // the end of the slice
	on       func() bool // goes on for a slice, and reports whether there is more to do
	cancel   func()
	err      error // why it has ended, nil if nothing can be left out any more
}

const kindMinimising = "minimise"

const errStopped = fault.Plain("stopped")

// minimise begins to look. It looks at the recording as it was captured, and at the informer
// and the setup that are shown.
func (l *leasts) minimise(id int, q link.Minimise) {
	d := l.doc
	x, err := ask.Parse(q.Expr)
	if err != nil || x.Type() != ask.Bool || d.script != nil || d.live != nil || !d.trace().Complete {
		l.fail(id, link.Sentence{ID: "fail.request"}, err)
		return
	}
	l.jobs.Stop(kindMinimising, 0)
	m := &minimising{desk: l.desk, of: d, resource: d.shown, text: q.Expr, x: x, setup: unrecorded(d.setup)}
	l.last = m
	m.begin()
	m.tell(false)
	l.jobs.Start(m, schedule.Terms{Kind: kindMinimising, Ends: anotherDocument})
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
func (m *minimising) begin() {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		q := m.question(m.of.trace(), m.resource)
		q.Stopped = func(try int) error {
			m.try = try
			if m.jobs.Now() >= m.until && !yield(struct{}{}) {
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
	m.cancel = stop
}

// question is the expression about a resource of a trace.
func (m *minimising) question(t *trace.Trace, resource int) minimise.Question {
	r := t.Resources[resource]
	return minimise.Question{
		Feed: feed.Feed{Trace: t, Resource: r}, Key: r.Table.KeyOf,
		Config: func(f apiserver.Feed) *world.Config {
			return machine.WorldConfig(m.setup, r, f, nil)
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

// stop stops looking. The best part so far stays.
func (l *leasts) stop(int, link.StopMinimising) { l.jobs.Stop(kindMinimising, 0) }

// Work makes runs for a slice.
func (m *minimising) Work(until int64) (more bool) {
	if m.until = until; m.on() {
		return true
	}
	m.tell(true)
	return false
}

// Report tells the best part so far.
func (m *minimising) Report() { m.tell(false) }

// Stop keeps the best part so far.
func (m *minimising) Stop(on schedule.Event) {
	m.cancel()
	m.err = errStopped
	if on&anotherDocument == 0 {
		m.tell(true)
	}
}

func (m *minimising) tell(done bool) {
	r := m.of.trace().Resources[m.resource]
	out := &link.Minimised{
		Text: m.text, Events: m.best.Events, Objects: m.best.Objects, Of: r.Events, Step: m.best.Step, Time: m.best.Time, Tries: m.try,
		Done: done, Never: errors.Is(m.err, minimise.ErrNever), Stopped: errors.Is(m.err, errStopped),
	}
	if m.err != nil && !out.Never && !out.Stopped {
		out.Wrong = link.Fault(m.err)
	}
	m.send(&link.Reply{News: out})
}

// saveLeast makes a file of the smallest part that was found. The file has the least of each
// object with which the expression still comes about.
func (l *leasts) saveLeast(id int, q link.SaveLeast) {
	d := l.doc
	m := l.last
	if m == nil || m.of != d || len(m.best.Kept) == 0 {
		l.badRequest(id)
		return
	}
	r := *q.Redact
	f := feed.Feed{Trace: d.trace(), Resource: d.trace().Resources[m.resource]}
	// It is of use in the version and with the handlers with which it was found.
	r.Edits = string((&link.Edits{Informer: f.Resource.Name(), Setup: m.setup}).Encode())
	r.Least = &link.Least{Plan: *m.best.Plan(f, m.resource)}
	out := &made{of: d, id: id, name: link.FileName(d.name, ".small.trace.jsonl.gz"), without: m.text + string(r.Encode()), look: q.Look}
	if l.giveMade(out) {
		return
	}
	l.tryLeast(out, m, r)
}

// tryLeast writes the part, plays it, and gives it to the viewer. If it plays in another way,
// more of its objects is written. The expression may name an object, so it is not looked for
// among pseudonyms.
func (l *leasts) tryLeast(out *made, m *minimising, r link.Redact) {
	played := r
	if r.Names {
		played.Names, played.Anyway = false, true
	}
	reader := format.NewReader(format.Options{Glance: true})
	l.write(out, &played, func(b []byte) { reader.Write(b) }, func() {
		reader.Close()
		switch {
		case suspects(out.head) != nil, m.holds(reader.Trace()) && !r.Names:
			l.giveTrace(out)
		case m.holds(reader.Trace()):
			l.write(out, &r, nil, func() { l.giveTrace(out) })
		case r.Least.Content < int(excerpt.Whole):
			more := *r.Least
			more.Content++
			r.Least = &more
			l.tryLeast(out, m, r)
		default:
			l.fail(out.id, link.Sentence{ID: "fail.save"}, errOtherwise)
		}
	})
}

// holds reports whether the expression comes about in a trace that was written.
func (m *minimising) holds(t *trace.Trace) bool {
	return len(t.Resources) > 0 && len(t.Resources[0].Records) > 0 && minimise.Holds(m.question(t, 0))
}
