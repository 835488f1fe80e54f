package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/object"
)

type csOp struct {
	Op, Kind, Owner, UID, Resource, RV string
	Stores                             map[string]string
	Nil                                []string
}

// csPart plays cs.*: the consistency store, and caches that come as far as the script
// says.
type csPart struct {
	t         *object.Table
	s         *consistency.Store
	noop      bool
	resources []string // by their numbers
	caches    map[string]object.RV
}

// LastStoreSyncResourceVersion implements consistency.Reader.
func (p *csPart) LastStoreSyncResourceVersion(r consistency.Resource) (object.RV, bool) {
	rv, known := p.caches[p.resources[r]]
	return rv, known
}

func (p *csPart) resource(name string) consistency.Resource {
	i := slices.Index(p.resources, name)
	if i < 0 {
		i = len(p.resources)
		p.resources = append(p.resources, name)
	}
	return consistency.Resource(i)
}

func (p *csPart) do(verb string, text []byte, out output) error {
	var op csOp
	if err := fields(text, &op); err != nil {
		return err
	}
	if verb == "new" {
		p.t, p.noop, p.caches = object.NewTable(nil), op.Kind == "noop", map[string]object.RV{}
		p.s = consistency.New(p.t)
		for name, rv := range op.Stores {
			p.caches[name] = p.t.RV(rv)
		}
		return nil
	}
	if p.noop && verb != "store" {
		if verb == "ensureReady" {
			out["ready"] = true
		}
		return nil
	}
	owner, uid := p.t.Key(op.Owner), p.t.Sym(op.UID)
	switch verb {
	case "store":
		p.caches[op.Resource] = p.t.RV(op.RV)
	case "wroteAt":
		p.s.WroteAt(owner, uid, p.resource(op.Resource), p.t.RV(op.RV))
	case "clear":
		p.s.Clear(owner, uid)
	case "ensureReady":
		stale := p.s.EnsureReady(owner, p, nil)
		out["ready"] = len(stale) == 0
		if len(stale) > 0 {
			out["staleAnyOf"] = p.stale(stale)
		}
		if len(stale) == 1 {
			out["message"] = p.message(stale[0])
		}
	default:
		return unknown(verb)
	}
	return nil
}

func (p *csPart) stale(all []consistency.Stale) []string {
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%s readRV=%s wroteRV=%s", p.resources[s.Resource], p.t.RVText(s.ReadRV), p.t.RVText(s.WroteRV)))
	}
	slices.Sort(out)
	return out
}

// message is ConsistencyError's text.
func (p *csPart) message(s consistency.Stale) string {
	name := p.resources[s.Resource]
	if group, resource, ok := strings.Cut(name, "/"); ok {
		name = resource + "." + group
	}
	return fmt.Sprintf("read version: %s is not as new as written version: %s for group resource %s", p.t.RVText(s.ReadRV), p.t.RVText(s.WroteRV), name)
}

func (p *csPart) advance(int64, output) {}

func (p *csPart) print(out output) {
	stores := []string{}
	for name, rv := range p.caches {
		stores = append(stores, name+"="+p.t.RVText(rv))
	}
	slices.Sort(stores)
	out["stores"] = stores
	out["writes"] = written(p.t, p.s, p.resources)
}

// written writes all that a consistency store notes.
func written(t *object.Table, s *consistency.Store, resources []string) []string {
	writes := []string{}
	for _, owner := range s.Owners(nil) {
		uid, versions := s.Written(owner)
		var of []string
		for _, v := range versions {
			of = append(of, resources[v.Resource]+"="+t.RVText(v.RV))
		}
		slices.Sort(of)
		writes = append(writes, t.KeyText(owner)+"#"+t.Text(uid)+" "+strings.Join(of, " "))
	}
	slices.Sort(writes)
	return writes
}
