package script

import (
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// controllerLine is a parsed controller line.
type controllerLine struct {
	informer syntax.Word
	owns     syntax.Word
	cfg      reconciler.Config
	workers  int64
}

func parseController(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Name(fault.Plain("anInformer"))
	if err != nil {
		return nil, err
	}
	c := controllerLine{informer: w, workers: 1}
	c.cfg.Program, _ = program.Named("replicas")
	err = p.Options(func(name string, v syntax.Word) (wrong error) {
		ok := true
		switch name {
		case "program":
			if c.cfg.Program, ok = program.Named(v.Text); !ok {
				c.cfg.Program, wrong = program.Parse(v.Text)
			}
			return wrong
		case "owns":
			c.owns = v
		case "guard":
			if c.cfg.Guard, ok = guard.Named(v.Text); !ok {
				return fault.Quoted("noGuard name", v.Text)
			}
		case "requeue":
			if c.cfg.Requeue, ok = syntax.Duration(v.Text); !ok {
				return syntax.WantsTime
			}
		case "workers":
			if c.workers, ok = syntax.Number(v, 16); !ok || c.workers == 0 {
				return syntax.WantsNumber
			}
		default:
			return fault.Quoted("controllerHasNo name", name)
		}
		return nil
	})
	return func(r *Runner) error { return addController(r, c, p.Line) }, err
}

// addController makes an informer that of a controller. Handlers feed its workqueue with
// the keys of its objects, and with those of the owners of the objects that they own.
func addController(r *Runner, c controllerLine, line int) error {
	i, err := r.informerNamed(c.informer, line)
	if err != nil {
		return err
	}
	x := &r.cfg.Informers[i]
	switch {
	case r.recorded != nil:
		return syntax.At(line, 1, fault.Plain("ownServer"))
	case x.Controller != nil:
		return syntax.At(line, c.informer.Col, fault.Plain("controllerTwice"))
	}
	cfg := c.cfg
	x.Controller, x.Workers, cfg.Owns = &cfg, int(c.workers), -1
	if err := feed(r, i, "enqueue-"+x.Name, informer.Feed{Informer: i}, line); err != nil || c.owns.Text == "" {
		return err
	}
	j, err := r.informerNamed(c.owns, line)
	if err != nil {
		return err
	}
	if owned := &r.cfg.Informers[j]; owned.Table != x.Table || i == j {
		return syntax.At(line, c.owns.Col, fault.Plain("cannotOwn"))
	}
	cfg.Owns, r.cfg.Informers[j].Read = j, true
	return feed(r, j, "enqueue-"+x.Name+"-of-"+r.cfg.Informers[j].Name, informer.Feed{Informer: i, Owner: true}, line)
}

// feed adds a handler that feeds the workqueue of a controller.
func feed(r *Runner, i int, name string, f informer.Feed, line int) error {
	if _, _, ok := r.handler(name); ok {
		return syntax.At(line, 1, fault.Quoted("handlerTwice name", name))
	}
	x := &r.cfg.Informers[i]
	if len(r.told[i]) == maxHandlers {
		return syntax.At(line, 1, fault.Plain("manyHandlers"))
	}
	x.Handlers = append(x.Handlers, informer.Handler{Name: name, Resync: x.Resync, Workqueue: true, Feeds: &f})
	r.told[i] = append(r.told[i], telling{})
	return nil
}
