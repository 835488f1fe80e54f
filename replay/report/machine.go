package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
)

// machine is an informer that plays a resource, with what is observed of it.
type machine struct {
	h        *history.History
	world    *world.World
	rests    bool // until more of the capture has been read
	observed observed
	stale    *stale
}

func newMachine(cfg informer.Config, began int64, c *changes) (*machine, error) {
	h, err := history.NewPassing(&world.Config{Seed: 1, Start: began, Informers: []informer.Config{cfg}})
	if err != nil {
		return nil, err
	}
	m := &machine{h: h, world: h.Front(), stale: newStale(c, len(cfg.Handlers))}
	m.observed.init(cfg.Handlers, cfg.Recorded)
	return m, nil
}

// ahead reports whether the next step comes later than the part of the capture
// that has been read. It isn't known yet what the capture has at that time.
func (m *machine) ahead(f *feed.Passing) bool {
	now := f.Now()
	if f.Complete() || now == 0 {
		return false
	}
	id, ok := m.world.Next()
	return ok && m.world.Set.At(id) > now
}

// look takes in what the last step did.
func (m *machine) look() {
	m.observed.look(m.world)
	m.stale.look(m.world)
}

// played is how many records of the capture have been played.
func (m *machine) played() int { return m.world.Informers[0].Server.View(0, 0).Played }

// converts notes how many lists of what was recorded are played as lists of another kind.
func (m *machine) converts(r *recorded, out *Informer) {
	streaming := m.world.Informers[0].Config().Profile.Reflector.StreamingList
	if streaming && r.listed {
		out.AsStreaming = r.requests.Lists
	}
	if !streaming {
		out.AsOrdinary = r.streamed
	}
}

// report returns what the informer did. The handlers come in the order of asked.
func (m *machine) report(asked []Handler) Informer {
	out := m.observed.finish(m.world, asked)
	m.stale.measure(m.world.Informers[0], m.world.Now(), m.world.Steps())
	out.Reflector, out.Store = m.stale.of[0].out, m.stale.of[1].out
	for i := range out.Listeners {
		j := slices.IndexFunc(m.observed.handlers, func(l Listener) bool { return l.Name == out.Listeners[i].Name })
		out.Listeners[i].Stale = m.stale.of[2+j].out
	}
	return out
}
