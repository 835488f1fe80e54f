package script

import (
	"slices"

	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// parseReplicas parses the line of processes that elect a leader.
func parseReplicas(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, 8)
	if !ok || n < 2 {
		return nil, p.Fail(w, fault.Plain("replicasFrom2"))
	}
	cfg := election.Usual
	err = p.Options(func(name string, v syntax.Word) error {
		d, ok := syntax.Duration(v.Text)
		switch name {
		case "lease":
			cfg.LeaseDuration = d
		case "renew":
			cfg.RenewDeadline = d
		case "retry":
			cfg.RetryPeriod = d
		case "release":
			cfg.ReleaseOnCancel, ok = true, true
		default:
			return fault.Quoted("replicasHaveNo name", name)
		}
		if !ok {
			return syntax.WantsTime
		}
		return nil
	})
	if err == nil && !cfg.Valid() {
		err = p.Fail(w, fault.Plain("leaseTimes"))
	}
	return func(r *Runner) error { return r.addReplicas(int(n), cfg, p.Line) }, err
}

// addReplicas makes the informers that there are those of a process, and gives each other
// process the same.
func (r *Runner) addReplicas(n int, cfg election.Config, line int) error {
	own := r.cfg.Informers
	per := len(own)
	switch {
	case r.recorded != nil:
		return syntax.At(line, 1, fault.Plain("ownServer"))
	case per == 0:
		return syntax.At(line, 1, fault.Plain("noInformerYet"))
	case r.cfg.Replicas > 0:
		return syntax.At(line, 1, fault.Plain("replicasTwice"))
	case n*per > maxInformers:
		return syntax.At(line, 1, fault.Plain("manyInformers"))
	case slices.ContainsFunc(own, func(c informer.Config) bool { return c.Factory }):
		return syntax.At(line, 1, fault.Plain("replicasFactory"))
	}
	for i := range own {
		warm, cold := feedsOf(own, i)
		if warm && cold {
			return syntax.At(line, 1, fault.Plain("warmupShared"))
		}
		own[i].Elected, own[i].Warm = true, warm
	}
	for replica := 1; replica < n; replica++ {
		of := string(rune('a'+replica)) + "/"
		for i := range per {
			c := own[i]
			c.Name, c.Server = of+c.Name, c.Server.CopyTo(nil)
			c.Handlers = slices.Clone(c.Handlers)
			for j := range c.Handlers {
				h := &c.Handlers[j]
				h.Name = of + h.Name
				if h.Feeds != nil {
					f := *h.Feeds
					f.Informer += replica * per
					h.Feeds = &f
				}
			}
			if c.Controller != nil {
				controller := *c.Controller
				if controller.Owns >= 0 {
					controller.Owns += replica * per
				}
				c.Controller = &controller
			}
			r.cfg.Informers = append(r.cfg.Informers, c)
			r.calls = append(r.calls, make([]handlerCalls, len(r.calls[i])))
		}
	}
	r.cfg.Replicas, r.cfg.Election = n, &cfg
	return nil
}

// feedsOf reports whether an informer feeds a controller that warms up, or is read by it, and
// whether it does so for one that doesn't.
func feedsOf(all []informer.Config, i int) (warm, cold bool) {
	for j := range all {
		c := all[j].Controller
		if c == nil || j != i && c.Owns != i && !slices.ContainsFunc(all[i].Handlers, func(h informer.Handler) bool { return h.Feeds != nil && h.Feeds.Informer == j }) {
			continue
		}
		warm, cold = warm || c.Warmup, cold || !c.Warmup
	}
	return warm, cold
}
