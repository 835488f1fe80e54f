package history

import (
	"slices"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// Why a run can't be made with an informer for each handler.
const (
	ErrOneHandler = fault.Plain("oneHandler")    // the informer has fewer than two handlers
	ErrByHand     = fault.Plain("stationByHand") // a command calls a station that is used alone
)

// HandlersOf returns the handlers of informer i, in the order of their numbers: those
// that the run begins with, and those that commands add.
func (h *History) HandlersOf(i int) []informer.Handler {
	handlers := h.cfg.Informers[i].Handlers
	all := handlers[:len(handlers):len(handlers)]
	add := func(c *world.Command) {
		if c != nil && c.Kind == world.AddHandler && c.Informer == i {
			all = append(all, c.Handler)
		}
	}
	for k := range h.inputs {
		add(h.inputs[k].Command)
	}
	for k := range h.planned {
		add(h.planned[k].c)
	}
	return all
}

// SplitHandlers returns the run that h would be if each handler of informer i had an informer
// of its own. All of these informers list and watch the same resource. What was done to
// h is done to it at the same times, and the default scheduler decides everything else.
// The numbers of the informers come in the order of [History.HandlersOf].
func (h *History) SplitHandlers(i int, m *Memory) (apart *History, informers []int, err error) {
	handlers := h.HandlersOf(i)
	if len(handlers) < 2 {
		return nil, nil, ErrOneHandler
	}
	cfg, original := *h.cfg, &h.cfg.Informers[i]
	cfg.Informers = slices.Clone(cfg.Informers)
	for k := range handlers {
		at := i
		if k > 0 {
			at = len(cfg.Informers)
			cfg.Informers = append(cfg.Informers, *original)
			cfg.Informers[at].Recorded = nil // there is one recorded controller
		}
		c := &cfg.Informers[at]
		if c.Handlers = nil; k < len(original.Handlers) { // otherwise a command adds it
			c.Handlers = handlers[k : k+1 : k+1]
		}
		if !handlers[k].Workqueue {
			c.Workers = 0
		}
		informers = append(informers, at)
	}
	a, err := New(&cfg, m)
	if err != nil {
		return nil, nil, err
	}
	added, at := len(original.Handlers), h.cur.Steps()
	defer h.SeekTo(at)
	for k := range h.inputs {
		in := &h.inputs[k]
		c := in.Command
		if c == nil {
			continue
		}
		w := h.SeekTo(in.Step - 1)
		switch {
		case c.Kind.ByHand():
			a.Drop()
			return nil, nil, ErrByHand
		case c.Informer != i || c.Kind.Global():
			a.plan(w, c, c.Informer, c.Listener)
		case c.Kind == world.AddHandler:
			a.plan(w, c, informers[added], 0)
			added++
		case c.Kind.ForHandler():
			a.plan(w, c, informers[c.Listener], 0)
		default:
			for _, index := range informers {
				a.plan(w, c, index, 0)
			}
		}
	}
	return a, informers, nil
}

// ErrNoController is the error for a run without a controller.
const ErrNoController = fault.Plain("noController")

// Variant is how a run's controllers are to be different.
type Variant struct {
	Guard   guard.Kind
	Requeue int64 // of a stale reconcile, ns; 0 for the back-off of an error
	Lag     int64 // of the watch caches of what controllers own, ns; less than 0 as it was
}

// WithGuard returns the run that h would be if all its controllers had another guard. What was
// done to h is done to it at the same times, and the default scheduler decides everything
// else. If o has a Lag, it replaces each lag that a command of h sets, or begins with the
// first command if none does. The error is [ErrNoController], or one of the Config.
func (h *History) WithGuard(o Variant, m *Memory) (*History, error) {
	cfg := *h.cfg
	cfg.Informers = slices.Clone(cfg.Informers)
	owned := map[int]bool{}
	for i := range cfg.Informers {
		if c := cfg.Informers[i].Controller; c != nil {
			config := *c
			config.Guard, config.Requeue = o.Guard, o.Requeue
			cfg.Informers[i].Controller = &config
			owned[config.Owns] = true
		}
	}
	if len(owned) == 0 {
		return nil, ErrNoController
	}
	g, err := New(&cfg, m)
	if err != nil {
		return nil, err
	}
	at := h.cur.Steps()
	defer h.SeekTo(at)
	lagged := o.Lag < 0
	for _, in := range h.inputs {
		lagged = lagged || in.Command != nil && in.Command.Kind == world.LagServer && owned[in.Command.Informer]
	}
	for _, in := range h.inputs {
		if in.Command == nil {
			continue
		}
		w := h.SeekTo(in.Step - 1)
		c := *in.Command
		if !lagged && w.Moved() {
			lagged = true
			for i := range cfg.Informers {
				if owned[i] {
					g.plan(w, &world.Command{Kind: world.LagServer, Informer: i, N: o.Lag}, i, 0)
				}
			}
		}
		if o.Lag >= 0 && c.Kind == world.LagServer && owned[c.Informer] {
			c.N = o.Lag
		}
		g.plan(w, &c, c.Informer, c.Listener)
	}
	return g, nil
}
