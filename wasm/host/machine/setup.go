package machine

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
)

const (
	microsecond = int64(1_000)
	Millisecond = 1_000 * microsecond
	Second      = 1_000 * Millisecond
)

// DefaultSetup returns the process to which a trace plays until the viewer changes it, if the trace has
// nothing of its own process.
func DefaultSetup() link.Setup {
	return link.Setup{
		Profile: world.Classic.Name, Handlers: []link.Handler{{Name: report.DefaultHandler}},
		Index: "app", Workers: 2, WorkTime: 5 * Millisecond, Listed: true,
	}
}

// ClampSetup returns s with everything within its limits. It doesn't change what the page
// lets a viewer enter.
func ClampSetup(s link.Setup) link.Setup {
	clamp := func(v *int64, lo, hi int64) { *v = min(max(*v, lo), hi) }
	if _, ok := world.ProfileFor(s.Profile); !ok {
		s.Profile = world.Classic.Name
	}
	s.Handlers = append([]link.Handler(nil), s.Handlers[:min(len(s.Handlers), link.MaxHandlers)]...)
	for i := range s.Handlers {
		h := &s.Handlers[i]
		if name := []rune(h.Name); len(name) > link.MaxName {
			h.Name = string(name[:link.MaxName])
		}
		clamp(&h.Duration, 0, link.MaxTakes)
		clamp(&h.Resync, 0, link.MaxPeriod)
		clamp(&h.From, 0, link.MaxPeriod)
	}
	clamp(&s.Resync, 0, link.MaxPeriod)
	clamp(&s.WorkTime, 0, link.MaxTakes)
	s.Workers = min(max(s.Workers, 0), link.MaxWorkers)
	return s
}

// WorldConfig returns the machine to which one resource of a trace plays. found is what is known
// of its recorded handlers, nil for nothing.
func WorldConfig(s link.Setup, r *trace.Resource, feed apiserver.Feed, found *report.InferredHandlers) *world.Config {
	profile, _ := world.ProfileFor(s.Profile)
	if s.Listed {
		profile = report.Asking(profile, r)
	}
	t := r.Table
	c := informer.Config{
		Name: r.Name(), Profile: profile, Table: t, Feed: feed, Resync: s.Resync,
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  s.Workers, WorkTime: s.WorkTime,
	}
	if s.Index != "" && s.Index != indexer.NamespaceIndex {
		c.Indexers = append(c.Indexers, indexer.Named{Name: s.Index, Func: indexer.LabelIndexFunc(t.Sym(s.Index))})
	}
	for _, h := range s.Handlers {
		e := informer.Handler{Name: h.Name, Duration: h.Duration, Resync: h.Resync, From: h.From, Workqueue: h.Workqueue}
		if f := found.Named(h.Name); f != nil && h.Recorded {
			recorded := f.Handler(profile)
			e.DurationOf, e.Until = recorded.DurationOf, recorded.Until
		}
		c.Handlers = append(c.Handlers, e)
	}
	return &world.Config{Seed: 1, Informers: []informer.Config{c}}
}

// Profiles lists the profiles that can be run.
func Profiles() []link.Profile {
	var out []link.Profile
	for _, p := range world.Profiles() {
		out = append(out, link.Profile{Name: p.Name, Versions: p.Versions})
	}
	return out
}
