// Package report plays a capture to an informer while the capture is read, and
// sums up what the capture holds and how the informer and its handlers fare. The
// command line and the page both show a Report. This package formats no text and
// does no I/O.
package report

import (
	"math"
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Playing is a capture that is played while it is read.
type Playing struct {
	o       Options
	trace   *trace.Trace
	pass    *findings.Pass
	players []*player       // by resource of the trace; nil for one that is not played
	skipped []*feed.Passing // by resource of the trace
	playing int             // players that are not nil
}

// Play begins to play t, which may still be empty. Playing forgets the records and
// the recorded calls of t, so nobody else may need them.
func Play(t *trace.Trace, o Options) *Playing {
	p := &Playing{o: o.withDefaults(), trace: t}
	log := &worker.Log{}
	t.OtherLine = log.Line
	p.pass = findings.NewPass(t, findings.Options{Resource: o.Resource, Bytes: o.Bytes, Log: log, MaxRetired: p.o.MaxRetired})
	return p
}

// Grown plays what was added to the trace since the last call. Call it again and
// again while the trace is read, and once more when the trace is complete. Its
// error says which limit was reached, or comes from Called or Stopped; after an
// error the Playing is over.
func (p *Playing) Grown() error {
	for p.pass.Add(math.MaxInt) {
	}
	p.pass.Forget()
	for i, r := range p.trace.Resources {
		if i == len(p.players) {
			p.players = append(p.players, nil)
			p.skipped = append(p.skipped, &feed.Passing{Feed: feed.Feed{Trace: p.trace, Resource: r}, Sweeper: trace.Sweeper{Keys: p.o.MaxKeys}})
		}
		if len(r.Records) == 0 || p.o.Resource != "" && p.o.Resource != r.Resource && p.o.Resource != r.Name() {
			p.skipped[i].Skip()
			for _, h := range r.Handlers {
				h.Forget()
			}
			continue
		}
		if p.players[i] == nil {
			if p.playing++; p.playing > p.o.MaxResources {
				return fault.Number("manyRecorded max", int64(p.o.MaxResources))
			}
			player, err := newPlayer(p.trace, i, p.pass, &p.o)
			if err != nil {
				return err
			}
			p.players[i] = player
		}
		if err := p.players[i].play(); err != nil {
			return err
		}
	}
	return nil
}

// Finish tells the Why of the Options the chains from which something could still come. Call
// it when the trace is complete and Grown has been called for the last time. It returns the
// worlds as they are then, in the order of Played.
func (p *Playing) Finish() (worlds []*world.World, err error) {
	for _, player := range p.started() {
		if player.asker != nil {
			if err := player.asker.flush(true); err != nil {
				return nil, err
			}
		}
		worlds = append(worlds, player.machines[0].world)
	}
	return worlds, nil
}

// Played returns the resources that are played, in the trace's order.
func (p *Playing) Played() []*trace.Resource {
	var out []*trace.Resource
	for _, player := range p.started() {
		out = append(out, player.feed.Resource)
	}
	return out
}

// Front is how far a resource was played.
type Front struct {
	Resource   *trace.Resource
	Steps, Now int64 // steps, and the clock in nanoseconds
}

// Fronts returns the resources that are played, in the trace's order.
func (p *Playing) Fronts() (all []*Front) {
	for _, player := range p.started() {
		w := player.machines[0].world
		all = append(all, &Front{player.feed.Resource, w.Steps(), w.Now()})
	}
	return all
}

func (p *Playing) started() []*player {
	return slices.DeleteFunc(slices.Clone(p.players), func(x *player) bool { return x == nil })
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
	for i, player := range p.started() {
		r := player.report()
		out.Resources = append(out.Resources, r)
		out.Records += int64(player.recorded.seen)
		if i == 0 || r.First < first {
			first = r.First
		}
		last = max(last, r.Last)
	}
	out.Duration = last - first
	out.Card = p.pass.Card()
	out.Findings = out.Card.Found
	for _, m := range t.Remarks {
		out.Remarks = append(out.Remarks, Remark{ID: m.ID, Count: m.Count, Detail: m.Detail})
	}
	for _, p := range t.Problems {
		out.Problems = append(out.Problems, Problem{string(p.Kind), p.Line, p.Offset, p.Err.Error(), p.Lost})
	}
	for _, m := range t.Marks {
		out.Marks = append(out.Marks, Mark{m.Time, m.Text})
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

// SecondIsBehind reports whether the second capture's run is behind the first one's. ByTime compares
// their clocks, and the other paces compare what their informers have played.
func (c *Captures) SecondIsBehind(runs [2]*history.History, played [2]int) bool {
	if c.Pace == ByTime {
		return runs[1].End() < runs[0].End()
	}
	return c.Mark(1, played[1]) < c.Mark(0, played[0])
}

// Play plays the resource of both captures, each to an informer of its own, and returns
// the first one's report. Its Against has the second one, and how the calls compare.
func (c *Captures) Play(traces [2]*trace.Trace, o Options) (Resource, error) {
	o = o.withDefaults()
	var players [2]*player
	var runs [2]*history.History
	for by := range traces {
		pass := findings.NewPass(traces[by], findings.Options{Resource: c.Resources[by].Name()})
		for pass.Add(math.MaxInt) {
		}
		p, err := newPlayer(traces[by], slices.Index(traces[by].Resources, c.Resources[by]), pass, &o)
		if err != nil {
			return Resource{}, err
		}
		p.recorded.readNew(func(string, *trace.Call) {})
		players[by], runs[by] = p, p.machines[0].h
	}
	contrast := NewContrast(runs, [2][]int{{0}, {0}}, c)
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := o.Stopped(); err != nil {
				return Resource{}, err
			}
		}
		first, second := players[0].machines[0], players[1].machines[0]
		by := 0
		if first.rests || !second.rests && c.SecondIsBehind(runs, [2]int{first.played(), second.played()}) {
			by = 1
		}
		m := players[by].machines[0]
		if m.rests {
			break
		}
		if !m.h.Step() {
			m.rests = true
			continue
		}
		m.observe()
		if err := players[by].resyncs(m); err != nil {
			return Resource{}, err
		}
		contrast.Look(by)
	}
	r, other := players[0].report(), players[1].report()
	r.Against = &SecondVersion{Informer: other.Informer, Handlers: contrast.Handlers(), Costs: contrast.Costs()}
	return r, nil
}
