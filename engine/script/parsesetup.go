package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

func parseProfile(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aProfile"))
	if err != nil {
		return nil, err
	}
	profile, ok := world.ProfileFor(w.Text)
	if !ok {
		first, last := world.VersionsKnown()
		return nil, p.Fail(w, fault.New("noProfile name first last", strconv.Quote(w.Text), first, last))
	}
	return func(r *Runner) error {
		r.profile = profile
		if played, newer := world.Newer(w.Text); newer {
			r.emit(Entry{Kind: Value, Text: "client-go " + w.Text + " is newer than what is known; it is played as " + played})
		}
		return nil
	}, p.Done()
}

func parseGate(p *syntax.Parser) (func(*Runner) error, error) {
	name, err := p.Next(fault.Plain("aGate"))
	if err != nil {
		return nil, err
	}
	if _, ok := world.Gate(world.Current, name.Text, true); !ok {
		return nil, p.Fail(name, fault.Quoted("noGate name", name.Text))
	}
	w, err := p.Next(fault.Plain("onOff"))
	if err != nil {
		return nil, err
	}
	if w.Text != "on" && w.Text != "off" {
		return nil, p.Fail(w, syntax.Wants(syntax.OnOrOff))
	}
	return func(r *Runner) error {
		r.profile, _ = world.Gate(r.profile, name.Text, w.Text == "on")
		return nil
	}, p.Done()
}

func parseSeed(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, 1<<62)
	if !ok {
		return nil, p.Fail(w, syntax.WantsNumber)
	}
	return func(r *Runner) error { r.cfg.Seed = uint64(n); return nil }, p.Done()
}

func parseServer(p *syntax.Parser) (func(*Runner) error, error) {
	var cfg apiserver.SimConfig
	err := p.Options(func(name string, v syntax.Word) (wrong error) {
		ok := true
		switch name {
		case "classic":
			cfg.Classic = true
		case "uncached":
			cfg.Uncached = true
		case "nobookmarks":
			cfg.NoBookmarks = true
		case "revision":
			if cfg.Revision, ok = syntax.Number(v, 1<<40); !ok {
				return syntax.WantsNumber
			}
		case "buffer":
			n, ok := syntax.Number(v, 1<<20)
			if !ok {
				return syntax.WantsNumber
			}
			cfg.Buffer = int(n)
		case "compact":
			if cfg.CompactEvery, ok = syntax.Duration(v.Text); !ok {
				return syntax.WantsTime
			}
		default:
			return fault.Quoted("serverHasNo name", name)
		}
		return nil
	})
	return func(r *Runner) error {
		if r.recorded != nil {
			return syntax.At(p.Line, 1, fault.Plain("ownServer"))
		}
		r.server = cfg
		return nil
	}, err
}

func parseInformer(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Name(syntax.AName)
	if err != nil {
		return nil, err
	}
	in := informerLine{name: w.Text, workers: 1, work: 3 * syntax.Millisecond}
	err = p.Options(func(name string, v syntax.Word) (wrong error) {
		ok := true
		switch name {
		case "resync":
			if in.resync, ok = syntax.Duration(v.Text); !ok {
				return syntax.WantsTime
			}
		case "work":
			if in.work, ok = syntax.Duration(v.Text); !ok {
				return syntax.WantsTime
			}
		case "workers":
			if in.workers, ok = syntax.Number(v, 16); !ok {
				return syntax.WantsNumber
			}
		case "fails":
			if in.fails, ok = syntax.Number(v, 1000); !ok {
				return syntax.WantsNumber
			}
		case "pages":
			if in.pages, ok = syntax.Number(v, 1<<20); !ok {
				return syntax.WantsNumber
			}
		case "quota":
			if in.quota, ok = syntax.Number(v, 1<<20); !ok {
				return syntax.WantsNumber
			}
		case "index":
			in.indexers = append(in.indexers, strings.Split(v.Text, ",")...)
		case "key":
			in.separator = v.Text
		case "detector":
			in.detector = true
		case "processor":
			in.processor = true
		case "factory":
			in.factory = true
		case "selector":
			if in.label, in.value, ok = strings.Cut(v.Text, "="); !ok {
				return syntax.WantsLabel
			}
		case "untransformable":
			if in.refused, in.refusedAs, ok = strings.Cut(v.Text, "="); !ok {
				return syntax.WantsLabel
			}
		case "unindexable":
			if in.unfiled, in.unfiledAs, ok = strings.Cut(v.Text, "="); !ok {
				return syntax.WantsLabel
			}
		case "writes":
			if in.sets, in.to, ok = strings.Cut(v.Text, "="); !ok {
				return syntax.WantsLabel
			}
		default:
			return fault.Quoted("informerHasNo name", name)
		}
		return nil
	})
	in.plain = len(p.Words) == 3
	return func(r *Runner) error { return r.addInformer(in, p.Line, w.Col) }, err
}
