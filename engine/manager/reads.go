package manager

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// caches are the two caches of a controller, as the consistency store asks for them.
type caches struct{ informers [2]*informer.Informer }

// LastStoreSyncResourceVersion returns how far a store has come.
func (c caches) LastStoreSyncResourceVersion(r consistency.Resource) (object.RV, bool) {
	if c.informers[r] == nil {
		return 0, false
	}
	return c.informers[r].Indexer.LastStoreSyncResourceVersion(), true
}

func (m *Manager) caches(parents, children int) caches {
	c := caches{[2]*informer.Informer{guard.Parents: m.Informers[parents]}}
	if children >= 0 {
		c.informers[guard.Children] = m.Informers[children]
	}
	return c
}

// canRead reports whether a read may be made now. If not, the worker waits until the handlers
// have seen what it waits for.
func (r *reconcile) canRead(resource int, k object.Key, list bool) bool {
	if r.c.Guard.Kind != guard.ReadYourWrites || r.informerOf(resource) < 0 {
		return true
	}
	c := &r.c.Guard.Clients[resource]
	if !r.run.Waits {
		r.run.Read = c.BeginRead(k, list)
	}
	first := !r.run.Waits
	if r.run.Waits = c.Step(&r.run.Read) != readyourwrites.OnNothing; !r.run.Waits {
		return true
	}
	if rv := r.run.Read.RV; first && rv > 0 {
		r.emit(event.Event{Kind: event.ReadWaits, N: int64(object.NumberRV(uint64(rv)))})
	} else {
		r.emit(event.Event{Kind: event.ReadWaits})
	}
	r.d.Set.Block(r.o.ID, actor.WorkerProgram, actor.OnCall, 0)
	return false
}

func (r *reconcile) get(k object.Key) object.Ref {
	d, t := r.d, r.table()
	has := d.Simulated(r.x.Index()).Storage.Get(k)
	var o object.Ref
	switch r.c.Guard.Kind {
	case guard.Live:
		o = has
	case guard.Mutation:
		e, _, _ := r.c.Guard.Mutations[guard.Parents].GetByKey(k, r.x.Indexer, d.Set.Now)
		o = e.Obj
	default:
		from := d.Informers[d.PartOf(r.x.Index(), k)]
		if other := r.c.Config().Reads; other > 0 {
			from = d.Informers[other-1]
		}
		o, _ = from.Indexer.GetByKey(k)
	}
	count := func(r object.Ref) int { return min(int(r), 1) }
	r.run.Reads = append(r.run.Reads, reconciler.Read{Resource: guard.Parents, Key: k, Items: count(o), Actual: count(has), RV: revisionOf(t, o), Newest: revisionOf(t, has), Old: o != has})
	return o
}

func revisionOf(t *object.Table, r object.Ref) int64 {
	rv, _ := t.RVOf(r).Number()
	return int64(rv)
}

func (r *reconcile) list() {
	r.run.Children, r.run.Created = r.run.Children[:0], 0
	if r.owns() < 0 {
		return
	}
	d, t := r.d, r.table()
	owner := ownerText(t, r.run.Obj)
	has := ownedBy(t, d.Objects(r.owns()), owner, nil)
	at := d.Informers[r.owns()].LastSyncResourceVersion()
	if r.c.Guard.Kind == guard.Live {
		at = object.NumberRV(uint64(d.Revision(r.owns())))
	}
	r.run.Children = d.children(&r.c.Guard, r.owns(), owner, r.run.Children)
	rv, _ := at.Number()
	r.run.Reads = append(r.run.Reads, reconciler.Read{
		Resource: guard.Children, Key: r.o.Key, Items: len(r.run.Children), Actual: len(has), RV: int64(rv), Newest: d.Revision(r.owns()),
		Old: len(has) != len(r.run.Children) || slices.ContainsFunc(has, func(o object.Ref) bool { return !slices.Contains(r.run.Children, o) }),
	})
	if r.c.Config().Program.Claims {
		r.candidates()
	}
}

// candidates notes what a claim has to change of what was read: the children that the
// selector doesn't match, and the orphans that it matches. Like FilterActivePods, it
// leaves out what has ended or is being deleted.
func (r *reconcile) candidates() {
	t := r.table()
	active := func(o object.Ref) bool {
		p := pod(t, o)
		if p.Terminating() && Selects(t, r.run.Obj, o) {
			r.run.Terminating++
		}
		return p.Active()
	}
	r.run.Children = slices.DeleteFunc(r.run.Children, func(o object.Ref) bool { return !active(o) })
	if len(selected(t, t.LabelSetOf(r.run.Obj))) == 0 {
		return
	}
	for _, o := range r.run.Children {
		if !Selects(t, r.run.Obj, o) {
			r.run.Claims = append(r.run.Claims, o)
		}
	}
	for _, o := range r.d.children(&r.c.Guard, r.owns(), "", nil) {
		if p := pod(t, o); p.Active() && Selects(t, r.run.Obj, o) {
			r.run.Claims = append(r.run.Claims, o)
		}
	}
}
