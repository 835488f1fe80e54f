package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/object"
)

type expOp struct {
	Op, Key, Name string
	UIDTrack      bool
	Add, Del, N   int64
	Keys          []string
}

// expPart plays exp.*: expectations, with and without UIDs.
type expPart struct {
	c      *controllerPlay
	t      *object.Table
	e      expectations.UIDTrackingControllerExpectations
	tracks bool
	now    int64
}

func (p *expPart) play(verb string, text []byte, out output) error {
	var op expOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now = p.c.now
	if verb == "new" {
		p.t, p.tracks = object.NewTable(nil), op.UIDTrack
		return nil
	}
	k := p.t.Key(op.Key)
	plain := &p.e.ControllerExpectations
	switch verb {
	case "set":
		p.e.SetExpectations(k, op.Add, op.Del, p.now)
		out["ret"] = "<nil>"
	case "expectCreations":
		p.e.ExpectCreations(k, op.N, p.now)
		out["ret"] = "<nil>"
	case "expectDeletions":
		if p.tracks {
			p.e.ExpectDeletions(k, p.keys(op.Keys), p.now)
		} else {
			plain.ExpectDeletions(k, op.N, p.now)
		}
		out["ret"] = "<nil>"
	case "creationObserved":
		p.e.CreationObserved(k)
	case "deletionObserved":
		if p.tracks {
			p.e.DeletionObserved(k, p.t.Key(op.Name))
		} else {
			plain.DeletionObserved(k)
		}
	case "raise":
		p.e.RaiseExpectations(k, op.Add, op.Del)
	case "lower":
		p.e.LowerExpectations(k, op.Add, op.Del)
	case "satisfied":
		out["ret"] = p.e.SatisfiedExpectations(k, p.now).Satisfied()
	case "delete":
		p.e.DeleteExpectations(k)
	case "get":
		e, exists := p.e.GetExpectations(k)
		if out["exists"] = exists; exists {
			out["add"], out["del"] = e.Add, e.Del
		}
	default:
		return unknown(verb)
	}
	return nil
}

func (p *expPart) keys(names []string) []object.Key {
	var keys []object.Key
	for _, name := range names {
		keys = append(keys, p.t.Key(name))
	}
	return keys
}

func (p *expPart) advance(to int64, _ output) { p.now = to }

func (p *expPart) print(out output) { out["state"] = expected(p.t, &p.e, p.tracks, p.now) }

// expected writes all expectations. Tracks says whether they have UIDs.
func expected(t *object.Table, e *expectations.UIDTrackingControllerExpectations, tracks bool, now int64) []string {
	state := []string{}
	for _, k := range e.Keys(nil) {
		x, _ := e.GetExpectations(k)
		text := fmt.Sprintf("%s add=%d del=%d age=%dms", t.KeyText(k), x.Add, x.Del, (now-x.Timestamp)/1e6)
		if x.Fulfilled() {
			text += " fulfilled"
		}
		if x.Expired(now) && !x.Fulfilled() {
			text += " expired"
		}
		if tracks {
			names := []string{}
			for _, uid := range e.GetUIDs(k) {
				names = append(names, t.KeyText(uid))
			}
			slices.Sort(names)
			text += " uids=[" + strings.Join(names, " ") + "]"
		}
		state = append(state, text)
	}
	slices.Sort(state)
	return state
}

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

func (p *csPart) play(verb string, text []byte, out output) error {
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

func (p *csPart) stale(all []consistency.Error) []string {
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%s readRV=%s wroteRV=%s", p.resources[s.Resource], p.t.RVText(s.ReadRV), p.t.RVText(s.WroteRV)))
	}
	slices.Sort(out)
	return out
}

// message returns the text of a ConsistencyError.
func (p *csPart) message(s consistency.Error) string {
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
		var guards []string
		for _, v := range versions {
			guards = append(guards, resources[v.Resource]+"="+t.RVText(v.RV))
		}
		slices.Sort(guards)
		writes = append(writes, t.KeyText(owner)+"#"+t.Text(uid)+" "+strings.Join(guards, " "))
	}
	slices.Sort(writes)
	return writes
}
