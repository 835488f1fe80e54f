package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/world"
)

func parseProfile(p *line) (func(*Runner) error, error) {
	w, err := p.next(fault.Plain("aProfile"))
	if err != nil {
		return nil, err
	}
	profile, ok := world.ProfileFor(w.text)
	if !ok {
		first, last := world.VersionsKnown()
		return nil, p.fail(w, fault.New("noProfile name first last", strconv.Quote(w.text), first, last))
	}
	return func(r *Runner) error { r.profile = profile; return nil }, p.done()
}

func parseGate(p *line) (func(*Runner) error, error) {
	name, err := p.next(fault.Plain("aGate"))
	if err != nil {
		return nil, err
	}
	if _, ok := world.Gate(world.Current, name.text, true); !ok {
		return nil, p.fail(name, fault.Quoted("noGate name", name.text))
	}
	w, err := p.next(fault.Plain("onOff"))
	if err != nil {
		return nil, err
	}
	if w.text != "on" && w.text != "off" {
		return nil, p.fail(w, wants(onOrOff))
	}
	return func(r *Runner) error {
		r.profile, _ = world.Gate(r.profile, name.text, w.text == "on")
		return nil
	}, p.done()
}

func parseSeed(p *line) (func(*Runner) error, error) {
	w, err := p.next(aNumber)
	if err != nil {
		return nil, err
	}
	n, ok := number(w, 1<<62)
	if !ok {
		return nil, p.fail(w, wantsNumber)
	}
	return func(r *Runner) error { r.cfg.Seed = uint64(n); return nil }, p.done()
}

func parseServer(p *line) (func(*Runner) error, error) {
	var cfg apiserver.SimConfig
	err := p.options(func(name string, v word) (wrong error) {
		ok := true
		switch name {
		case "classic":
			cfg.Classic = true
		case "uncached":
			cfg.Uncached = true
		case "nobookmarks":
			cfg.NoBookmarks = true
		case "revision":
			if cfg.Revision, ok = number(v, 1<<40); !ok {
				return wantsNumber
			}
		case "buffer":
			n, ok := number(v, 1<<20)
			if !ok {
				return wantsNumber
			}
			cfg.Buffer = int(n)
		case "compact":
			if cfg.CompactEvery, ok = duration(v.text); !ok {
				return wantsTime
			}
		default:
			return fault.Quoted("serverHasNo name", name)
		}
		return nil
	})
	return func(r *Runner) error {
		if r.recorded != nil {
			return Error{p.n, 1, fault.Plain("ownServer")}
		}
		r.server = cfg
		return nil
	}, err
}

func parseInformer(p *line) (func(*Runner) error, error) {
	w, err := p.name(aName)
	if err != nil {
		return nil, err
	}
	in := informerLine{name: w.text, workers: 1, work: 3 * millisecond}
	err = p.options(func(name string, v word) (wrong error) {
		ok := true
		switch name {
		case "resync":
			if in.resync, ok = duration(v.text); !ok {
				return wantsTime
			}
		case "work":
			if in.work, ok = duration(v.text); !ok {
				return wantsTime
			}
		case "workers":
			if in.workers, ok = number(v, 16); !ok {
				return wantsNumber
			}
		case "fails":
			if in.fails, ok = number(v, 1000); !ok {
				return wantsNumber
			}
		case "pages":
			if in.pages, ok = number(v, 1<<20); !ok {
				return wantsNumber
			}
		case "index":
			in.indexers = append(in.indexers, strings.Split(v.text, ",")...)
		case "key":
			in.separator = v.text
		case "detector":
			in.detector = true
		case "factory":
			in.factory = true
		case "selector":
			if in.label, in.value, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		case "untransformable":
			if in.refused, in.refusedAs, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		case "unindexable":
			if in.unfiled, in.unfiledAs, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		case "writes":
			if in.sets, in.to, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		default:
			return fault.Quoted("informerHasNo name", name)
		}
		return nil
	})
	in.plain = len(p.words) == 3
	return func(r *Runner) error { return r.addInformer(in, p.n, w.col) }, err
}
