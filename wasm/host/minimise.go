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

const errDiffers = fault.Plain("leastDiffers")

// minimiser looks for the smallest part of the recording in which an expression still comes about.
type minimiser struct {
	*desk
	saver *saver
	last  *minimisation // may be nil; what it has found stays until another search begins
}

// minimisation is a search for the smallest part.
type minimisation struct {
	*desk
	doc      *document
	resource int
	expr     string
	parsed   *ask.Expr
	setup    link.Setup
	best     minimise.Smallest
	tries    int         // the number of the run that is made
	sliceEnd int64       // the end of the slice
	next     func() bool // goes on for a slice, and reports whether there is more to do
	cancel   func()
	err      error // why it has ended, nil if nothing can be left out any more
}

const kindMinimising = "minimise"

const errStopped = fault.Plain("stopped")

// start begins to look. It looks at the recording as it was captured, and at the informer
// and the setup that are shown.
func (l *minimiser) start(id int, q link.Minimise) {
	d := l.doc
	x, err := ask.Parse(q.Expr)
	if err != nil || x.Type() != ask.Bool || d.script != nil || d.live != nil || !d.trace().Complete {
		l.fail(id, link.Sentence{ID: "fail.request"}, err)
		return
	}
	l.jobs.Stop(kindMinimising, 0)
	m := &minimisation{desk: l.desk, doc: d, resource: d.shown, expr: q.Expr, parsed: x, setup: unrecorded(d.setup)}
	l.last = m
	m.prepare()
	m.report(false)
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

// prepare prepares the search, which runs while on is called.
func (m *minimisation) prepare() {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		q := m.question(m.doc.trace(), m.resource)
		q.Stopped = func(try int) error {
			m.tries = try
			if m.jobs.Now() >= m.sliceEnd && !yield(struct{}{}) {
				return errStopped
			}
			return nil
		}
		q.Better = func(b minimise.Smallest) { m.best = b }
		var best minimise.Smallest
		if best, m.err = minimise.Run(q); len(best.Records) > 0 {
			m.best = best
		}
	})
	m.next = func() bool { _, more := next(); return more }
	m.cancel = stop
}

// question returns the expression about a resource of a trace.
func (m *minimisation) question(t *trace.Trace, resource int) minimise.Question {
	r := t.Resources[resource]
	return minimise.Question{
		Feed: feed.Feed{Trace: t, Resource: r}, Key: r.Table.KeyOf,
		Config: func(f apiserver.Feed) *world.Config {
			return machine.WorldConfig(m.setup, r, f, nil)
		},
		Look: func() func(*world.World) bool {
			e := m.parsed.Eval(0)
			return func(w *world.World) bool {
				v, _ := e.Look(w)
				return v.True()
			}
		},
		Stopped: func(int) error { return nil },
	}
}

// stop stops looking. The best part so far stays.
func (l *minimiser) stop(int, link.StopMinimising) { l.jobs.Stop(kindMinimising, 0) }

// Work makes runs for a slice.
func (m *minimisation) Work(until int64) (more bool) {
	if m.sliceEnd = until; m.next() {
		return true
	}
	m.report(true)
	return false
}

// Report tells the best part so far.
func (m *minimisation) Report() { m.report(false) }

// Stop keeps the best part so far.
func (m *minimisation) Stop(on schedule.Event) {
	m.cancel()
	m.err = errStopped
	if on&anotherDocument == 0 {
		m.report(true)
	}
}

func (m *minimisation) report(done bool) {
	r := m.doc.trace().Resources[m.resource]
	out := &link.Minimised{
		Text: m.expr, Events: m.best.Events, Objects: m.best.Objects, Total: r.Events, Step: m.best.Step, Time: m.best.Time, Tries: m.tries,
		Done: done, Never: errors.Is(m.err, minimise.ErrNever), Stopped: errors.Is(m.err, errStopped),
	}
	if m.err != nil && !out.Never && !out.Stopped {
		out.Wrong = link.Fault(m.err)
	}
	m.send(&link.Reply{News: out})
}

// save makes a file of the smallest part that was found. The file has the least of each
// object with which the expression still comes about.
func (l *minimiser) save(id int, q link.SaveLeast) {
	d := l.doc
	m := l.last
	if m == nil || m.doc != d || len(m.best.Records) == 0 {
		l.badRequest(id)
		return
	}
	r := *q.Redact
	r.Key = l.saver.tokenKey()
	f := feed.Feed{Trace: d.trace(), Resource: d.trace().Resources[m.resource]}
	// It is of use in the version and with the handlers with which it was found.
	r.Edits = string((&link.Edits{Informer: f.Resource.Name(), Setup: m.setup}).Encode())
	r.Part = &link.MinimisedPart{Plan: *m.best.Plan(f, m.resource)}
	out := &savedTrace{doc: d, id: id, name: link.FileName(d.name, ".small.trace.jsonl.gz"), redact: m.expr + string((&link.Conversion{Redact: &r}).Encode()), look: q.Look}
	if l.saver.offerSaved(out) {
		return
	}
	l.writeSmallest(out, m, r)
}

// writeSmallest writes the part, plays it, and gives it to the viewer. If it plays in another way,
// more of its objects is written. The expression may name an object, so it is not looked for
// among tokens.
func (l *minimiser) writeSmallest(out *savedTrace, m *minimisation, r link.Redact) {
	played := r
	if r.Names {
		played.Names = false
	}
	reader := format.NewReader(format.Options{Glance: true})
	l.saver.write(out, &played, func(b []byte) { reader.Write(b) }, func() {
		reader.Close()
		switch {
		case m.conditionHolds(reader.Trace()) && !r.Names:
			l.saver.offerTrace(out)
		case m.conditionHolds(reader.Trace()):
			l.saver.write(out, &r, nil, func() { l.saver.offerTrace(out) })
		case r.Part.Content < int(excerpt.FullObject):
			more := *r.Part
			more.Content++
			r.Part = &more
			l.writeSmallest(out, m, r)
		default:
			l.fail(out.id, link.Sentence{ID: "fail.save"}, errDiffers)
		}
	})
}

// conditionHolds reports whether the expression comes about in a trace that was written.
func (m *minimisation) conditionHolds(t *trace.Trace) bool {
	return len(t.Resources) > 0 && len(t.Resources[0].Records) > 0 && minimise.ConditionHolds(m.question(t, 0))
}
