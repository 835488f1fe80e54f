// Package report plays a capture to an informer while the capture is read, and
// sums up what the capture holds and how the informer and its handlers fare. The
// command line and the page both show a Report. This package formats no text and
// does no I/O.
package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options say how a capture is played. The zero value of a limit is its default.
type Options struct {
	Profile  world.Profile
	Against  *world.Profile // plays as well, and its calls are compared with Profile's; nil for none
	Resync   int64          // the informer's resync period in nanoseconds; 0 for the longest that a handler asks for
	Handlers []Handler      // with different names; none for those in Recorded, or else a single one
	// Recorded is what was found out about the recorded handlers of each resource, by its
	// Name: see Scan. Unless Against is set, their calls are compared with those of the
	// handlers that play under their names. A call of a handler that plays under such a
	// name takes as long as it was recorded to take, unless its Takes is set.
	Recorded map[string]*Found
	// Controllers are the recorded controllers, by the Name of the resource that each is of. What
	// they did is played as it was, unless a handler feeds the engine's workqueue.
	Controllers map[string]*feed.Controller
	// Streaming plays ordinary lists as streaming ones where the version asks for these. By
	// default a resource that was listed is listed.
	Streaming bool
	Resource  string // play only resources of this name, such as pods or "pods in shop"; "" for all

	// Called gets every call of every handler. The calls of one resource come in
	// the order of their virtual time. An error ends the playing. Called may be
	// nil.
	Called func(*trace.Resource, Call) error
	// Asked are expressions. Answered gets each change of one: the resource, which of
	// the expressions it is, the world after the step, and the Eval, which has the new
	// value. An error ends the playing.
	Asked    []*ask.Expr
	Answered func(r *trace.Resource, i int, w *world.World, e *ask.Eval) error
	// WorkTime is how long each reconcile takes, in nanoseconds, of the one worker that
	// there is if a handler feeds the workqueue.
	WorkTime int64
	// Why asks for the chains of a key; nil asks for none.
	Why *Why
	// Stepped is called after each step of the informer that plays a resource, whose log
	// still holds what the step did. An error ends the playing. Stepped may be nil.
	Stepped func(*trace.Resource, *world.World) error
	// Stopped is called now and then, and its error ends the playing. It may be
	// nil. The method Err of a context fits.
	Stopped func() error

	MaxResyncs   int64 // how often the resync timer of one resource may fire; MaxResyncs
	MaxResources int   // how many resources may be played; MaxResources
	MaxKeys      int   // how many keys of a resource are counted in its Table; 131 072
	MaxRetired   int   // how many keys are counted by name after its Table has let them go; 65 536
	Forget       int   // the fewest records that are forgotten at once: see feed.Passing
}

// The limits, where Options give no others.
const (
	// MaxResyncs is what a timer that fires twice a minute comes to in a year. A
	// longer recording most likely has a wrong time in it, and playing it would
	// take for ever.
	MaxResyncs = 1_000_000
	// MaxResources is a few times as many as a cluster has. Each takes an informer.
	MaxResources = 1000
)

func (o Options) withDefaults() Options {
	if o.MaxResyncs <= 0 {
		o.MaxResyncs = MaxResyncs
	}
	if o.MaxResources <= 0 {
		o.MaxResources = MaxResources
	}
	if o.MaxKeys <= 0 {
		o.MaxKeys = maxKeys
	}
	if o.MaxRetired <= 0 {
		o.MaxRetired = maxRetired
	}
	if o.Stopped == nil {
		o.Stopped = func() error { return nil }
	}
	return o
}

// handlers are the handlers that play a resource.
func (o *Options) handlers(r *trace.Resource) []Handler {
	found := o.Recorded[r.Name()]
	switch {
	case len(o.Handlers) > 0:
		all := slices.Clone(o.Handlers)
		for i := range all {
			if h := found.Named(all[i].Name); h != nil && all[i].Takes == 0 {
				all[i].Took = h.took.at
			}
		}
		return all
	case found == nil:
		return []Handler{{Name: DefaultHandler}}
	}
	var all []Handler
	for i := range found.Handlers {
		all = append(all, found.Handlers[i].Handler(o.Profile))
	}
	return all
}

// compares reports whether the calls of a resource's handler are compared with
// recorded ones. Where a recording begins later than the informer, nobody knows which calls had come
// before.
func (o *Options) compares(r *trace.Resource, handler string) bool {
	return o.Against == nil && !r.Base && o.Recorded[r.Name()].Named(handler) != nil
}

// DefaultHandler is the name of the only handler where none is named or recorded.
const DefaultHandler = "handler"

// Handler is a handler of the informer that plays.
type Handler = informer.Handler

// Call is one call of a handler.
type Call struct {
	Handler   string `json:"handler,omitempty"`
	Fn        string `json:"fn"` // OnAdd, OnUpdate, OnDelete
	Key       string `json:"key"`
	OldRV     string `json:"oldRV,omitempty"` // the old object's resourceVersion, of an OnUpdate
	RV        string `json:"rv"`
	Initial   bool   `json:"initial,omitempty"`   // OnAdd's isInInitialList
	Tombstone bool   `json:"tombstone,omitempty"` // OnDelete got a DeletedFinalStateUnknown
	T         int64  `json:"t"`                   // virtual, in nanoseconds since the trace's start
	Step      int64  `json:"step,omitempty"`      // the engine's step that made it, from 1; only where two machines are compared
}

func callOf(r *trace.Resource, handler string, e *event.Event, now int64) Call {
	rv := func(o object.Ref) string { return r.Table.RVText(r.Table.RVOf(o)) }
	c := Call{Handler: handler, Key: r.Table.KeyText(e.Key), T: now, Initial: e.Flags&event.IsInInitialList != 0, Tombstone: e.Flags&event.Tombstone != 0}
	switch e.Delta {
	case event.Added:
		c.Fn, c.RV = "OnAdd", rv(e.New)
	case event.Updated:
		c.Fn, c.OldRV, c.RV = "OnUpdate", rv(e.Old), rv(e.New)
	default:
		c.Fn, c.RV = "OnDelete", rv(e.Old)
	}
	return c
}

// Playing is a capture that is played while it is read.
type Playing struct {
	o       Options
	trace   *trace.Trace
	players []*player       // by resource of the trace; nil for one that is not played
	skipped []*feed.Passing // by resource of the trace
	playing int             // players that are not nil
}

// Play begins to play t, which may still be empty. Playing forgets the records and
// the recorded calls of t, so nobody else may need them.
func Play(t *trace.Trace, o Options) *Playing {
	return &Playing{o: o.withDefaults(), trace: t}
}

// Grown plays what was added to the trace since the last call. Call it again and
// again while the trace is read, and once more when the trace is complete. Its
// error says which limit was reached, or comes from Called or Stopped; after an
// error the Playing is over.
func (p *Playing) Grown() error {
	for i, r := range p.trace.Resources {
		if i == len(p.players) {
			p.players = append(p.players, nil)
			p.skipped = append(p.skipped, &feed.Passing{Feed: feed.Feed{Trace: p.trace, Resource: r}, Keys: p.o.MaxKeys})
		}
		if len(r.Records) == 0 || p.o.Resource != "" && p.o.Resource != r.Resource && p.o.Resource != r.Name() {
			p.skipped[i].Skip()
			for _, h := range r.Handlers {
				h.Calls = h.Calls[:0]
			}
			continue
		}
		if p.players[i] == nil {
			if p.playing++; p.playing > p.o.MaxResources {
				return fault.Number("manyRecorded max", int64(p.o.MaxResources))
			}
			one, err := newPlayer(p.trace, r, &p.o)
			if err != nil {
				return err
			}
			p.players[i] = one
		}
		if err := p.players[i].play(); err != nil {
			return err
		}
	}
	return nil
}

// Ended tells the Why of the Options the chains from which something could still come. Call
// it when the trace is complete and Grown has been called for the last time. It returns the
// worlds as they are then, in the order of Played.
func (p *Playing) Ended() (worlds []*world.World, err error) {
	for _, one := range p.started() {
		if one.asker != nil {
			if err := one.asker.tell(true); err != nil {
				return nil, err
			}
		}
		worlds = append(worlds, one.machines[0].world)
	}
	return worlds, nil
}

// Played returns the resources that are played, in the trace's order.
func (p *Playing) Played() []*trace.Resource {
	var out []*trace.Resource
	for _, one := range p.started() {
		out = append(out, one.feed.Resource)
	}
	return out
}

// Front is how far a resource was played.
type Front struct {
	Resource   *trace.Resource
	Steps, Now int64 // steps, and the clock in nanoseconds
}

// Fronts are the resources that are played, in the trace's order.
func (p *Playing) Fronts() (all []*Front) {
	for _, one := range p.started() {
		w := one.machines[0].world
		all = append(all, &Front{one.feed.Resource, w.Steps(), w.Now()})
	}
	return all
}

func (p *Playing) started() []*player {
	return slices.DeleteFunc(slices.Clone(p.players), func(one *player) bool { return one == nil })
}

// Report sums up what was played so far. The caller fills in Inputs, Bytes and the
// Text of Remarks.
func (p *Playing) Report() *Report {
	t, h := p.trace, p.trace.Header
	out := &Report{
		Format: t.Format, Start: h.Start, Recorder: h.Recorder, Server: h.Server, Note: h.Note,
		TimesMadeUp: t.NoTimes, Truncated: h.Truncated, Redacted: h.Redacted,
		Profile: p.o.Profile.Name, Versions: p.o.Profile.Versions, ProblemCount: t.ProblemCount, Gaps: t.Gaps, Lost: t.Lost,
	}
	if a := p.o.Against; a != nil {
		out.Against = &Played{a.Name, a.Versions}
	}
	var first, last int64
	for i, one := range p.started() {
		r := one.report()
		out.Resources = append(out.Resources, r)
		out.Records += int64(one.recorded.seen)
		if i == 0 || r.First < first {
			first = r.First
		}
		last = max(last, r.Last)
	}
	out.Duration = last - first
	for _, m := range t.Remarks {
		out.Remarks = append(out.Remarks, Remark{ID: m.ID, Count: m.Count, Detail: m.Detail})
	}
	for _, p := range t.Problems {
		out.Problems = append(out.Problems, Problem{string(p.Kind), p.Line, p.Offset, p.Why.Error(), p.Lost})
	}
	for _, m := range t.Marks {
		out.Marks = append(out.Marks, Mark{m.At, m.Text})
	}
	if len(t.Log) > 0 {
		out.Log = countLog(t.Log)
	}
	return out
}

func countLog(log []trace.Logged) *Log {
	out := &Log{Entries: len(log)}
	for _, l := range log {
		switch {
		case l.Level == trace.LevelWarning:
			out.Warnings++
		case l.Level.Marked():
			out.Errors++
		}
	}
	return out
}
