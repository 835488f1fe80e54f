package report

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/replay/trace"
)

// Behind reports whether the second capture's run is behind the first one's. ByTime compares
// their clocks, and the other paces compare what their informers have played.
func (c *Captures) Behind(runs [2]*history.History, played [2]int) bool {
	if c.Pace == ByTime {
		return runs[1].End() < runs[0].End()
	}
	return c.Mark(1, played[1]) < c.Mark(0, played[0])
}

// Play plays the resource of both captures, each to an informer of its own, and returns
// the first one's report. Its Against has the second one, and how the calls compare.
func (c *Captures) Play(of [2]*trace.Trace, o Options) (Resource, error) {
	o = o.withDefaults()
	var players [2]*player
	var runs [2]*history.History
	for by := range of {
		p, err := newPlayer(of[by], c.Of[by], &o)
		if err != nil {
			return Resource{}, err
		}
		p.recorded.take(func(string, *trace.Call) {})
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
		if first.rests || !second.rests && c.Behind(runs, [2]int{first.played(), second.played()}) {
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
		m.look()
		if err := players[by].resyncs(m); err != nil {
			return Resource{}, err
		}
		contrast.Look(by)
	}
	r, other := players[0].report(), players[1].report()
	r.Against = &Against{Informer: other.Informer, Handlers: contrast.Handlers(), Costs: contrast.Costs()}
	return r, nil
}
