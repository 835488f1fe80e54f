package world

import (
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
)

// ErrNoController is the error for a run without a controller.
const ErrNoController = fault.Plain("noController")

// Otherwise is how a run's controllers are to be different.
type Otherwise struct {
	Guard   guard.Kind
	Requeue int64 // of a stale reconcile, ns; 0 for the back-off of an error
	Lag     int64 // of the watch caches of what controllers own, ns; less than 0 as it was
}

// Guarded returns the run that h would be if all its controllers had another guard. What was
// done to h is done to it at the same times, and the default scheduler decides everything
// else. If the lag is another one, it takes the place of each that h was given; where h was
// given none, it is there from the first command on.
func Guarded(h *History, o Otherwise, m *Memory) (*History, error) {
	cfg := *h.cfg
	cfg.Informers = append([]informer.Config(nil), cfg.Informers...)
	owned := map[int]bool{}
	for i := range cfg.Informers {
		if c := cfg.Informers[i].Controller; c != nil {
			own := *c
			own.Guard, own.Requeue = o.Guard, o.Requeue
			cfg.Informers[i].Controller = &own
			owned[own.Owns] = true
		}
	}
	if len(owned) == 0 {
		return nil, ErrNoController
	}
	g, err := NewHistory(&cfg, m)
	if err != nil {
		return nil, err
	}
	at := h.cur.steps
	defer h.SeekTo(at)
	lagged := o.Lag < 0
	for _, in := range h.inputs {
		lagged = lagged || in.Command != nil && in.Command.Kind == LagServer && owned[in.Command.Informer]
	}
	for _, in := range h.inputs {
		if in.Command == nil {
			continue
		}
		w := h.SeekTo(in.Step - 1)
		c := *in.Command
		if !lagged && w.moved {
			lagged = true
			for i := range cfg.Informers {
				if owned[i] {
					g.plan(w, &Command{Kind: LagServer, Informer: i, N: o.Lag}, i, 0)
				}
			}
		}
		if o.Lag >= 0 && c.Kind == LagServer && owned[c.Informer] {
			c.N = o.Lag
		}
		g.plan(w, &c, c.Informer, c.Listener)
	}
	return g, nil
}
