package report

import (
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// machine is an informer that plays a resource, with what is seen of it.
type machine struct {
	h        *world.History
	world    *world.World
	rests    bool // until more of the capture has been read
	observed observed
	costs    *costs // nil unless two versions are compared
}

func newMachine(cfg informer.Config, began int64) (*machine, error) {
	h, err := world.NewPassing(&world.Config{Seed: 1, Start: began, Informers: []informer.Config{cfg}})
	if err != nil {
		return nil, err
	}
	m := &machine{h: h, world: h.Front()}
	m.observed.init(cfg.Handlers)
	return m, nil
}

// look takes in what the last step did.
func (m *machine) look() {
	m.observed.look(m.world)
	if m.costs != nil {
		m.costs.look()
	}
}

// played is how many records of the capture are behind.
func (m *machine) played() int { return m.world.Informers[0].Server.View(0, 0).Played }

func (m *machine) report(asked []Handler) Informer { return m.observed.finish(m.world, asked) }
