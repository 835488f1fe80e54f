package world

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// How a controller's program reads, and what its reads should have come to.

func number(n int) string { return strconv.Itoa(n) }

// caches are the two caches of a controller, as the consistency store asks for them.
type caches struct{ of [2]*informer.Informer }

// LastStoreSyncResourceVersion is how far a store has come.
func (c caches) LastStoreSyncResourceVersion(r consistency.Resource) (object.RV, bool) {
	if c.of[r] == nil {
		return 0, false
	}
	return c.of[r].Indexer.LastStoreSyncResourceVersion(), true
}

func cachesOf(w *World, own, children int) caches {
	c := caches{[2]*informer.Informer{guard.Own: w.Informers[own]}}
	if children >= 0 {
		c.of[guard.Children] = w.Informers[children]
	}
	return c
}

// informerOf is the number of the informer of one of the controller's resources.
func (r *reconcile) informerOf(resource int) int {
	if resource == guard.Children {
		return r.owns()
	}
	return r.x.Index()
}

// may reports whether a read may be made now. If not, the worker waits until the handlers
// have seen what it waits for.
func (r *reconcile) may(resource int, k object.Key, list bool) bool {
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
	r.w.Set.Block(r.o.ID, actor.WorkerProgram, actor.OnCall, 0)
	return false
}

// get reads the object of a key.
func (r *reconcile) get(k object.Key) object.Ref {
	w, t := r.w, r.table()
	has := w.Simulated(r.x.Index()).Storage.Get(k)
	var o object.Ref
	switch r.c.Guard.Kind {
	case guard.Live:
		o = has
	case guard.Mutation:
		e, _, _ := r.c.Guard.Mutations[guard.Own].GetByKey(k, r.x.Indexer, w.Set.Now)
		o = e.Obj
	default:
		o, _ = r.x.Indexer.GetByKey(k)
	}
	one := func(r object.Ref) int { return min(int(r), 1) }
	r.run.Reads = append(r.run.Reads, reconciler.Read{Resource: guard.Own, Key: k, Items: one(o), There: one(has), RV: revisionOf(t, o), Newest: revisionOf(t, has), Old: o != has})
	return o
}

func revisionOf(t *object.Table, r object.Ref) int64 {
	rv, _ := t.RVOf(r).Number()
	return int64(rv)
}

// list reads the children.
func (r *reconcile) list() {
	r.run.Children, r.run.Made = r.run.Children[:0], 0
	if r.owns() < 0 {
		return
	}
	w, t := r.w, r.table()
	owner := ownerText(t, r.run.Obj)
	has := ownedBy(t, w.Held(r.owns()), owner, nil)
	at := w.Informers[r.owns()].LastSyncResourceVersion()
	if r.c.Guard.Kind == guard.Live {
		at = object.NumberRV(uint64(w.Revision(r.owns())))
	}
	r.run.Children = children(w, &r.c.Guard, r.owns(), owner, r.run.Children)
	rv, _ := at.Number()
	r.run.Reads = append(r.run.Reads, reconciler.Read{
		Resource: guard.Children, Key: r.o.Key, Items: len(r.run.Children), There: len(has), RV: int64(rv), Newest: w.Revision(r.owns()),
		Old: len(has) != len(r.run.Children) || slices.ContainsFunc(has, func(o object.Ref) bool { return !slices.Contains(r.run.Children, o) }),
	})
	if r.c.Config().Program.Claims {
		r.candidates()
	}
}

// children appends the objects of an owner as a controller with that guard reads them now.
func children(w *World, g *guard.Guard, owns int, owner string, dst []object.Ref) []object.Ref {
	x := w.Informers[owns]
	t := x.Config().Table
	switch g.Kind {
	case guard.Live:
		return ownedBy(t, w.Held(owns), owner, dst)
	case guard.Mutation:
		all, _ := g.Mutations[guard.Children].ByIndex(byOwner{t, x}, owner, x.Indexer, w.Set.Now, nil)
		for _, e := range all {
			dst = append(dst, e.Obj)
		}
		return dst
	}
	return ownedBy(t, x.Indexer.List(nil), owner, dst)
}

// ownerText is the owner that the children of an object have: NAME#UID.
func ownerText(t *object.Table, owner object.Ref) string {
	m := t.Meta(owner)
	return t.Text(m.Name) + "#" + t.Text(m.UID)
}

// ownedBy appends the objects that have an owner.
func ownedBy(t *object.Table, list []object.Ref, owner string, dst []object.Ref) []object.Ref {
	for _, o := range list {
		if apiserver.Field(t, t.LabelSetOf(o), apiserver.Owner) == owner {
			dst = append(dst, o)
		}
	}
	return dst
}

// byOwner is an index of a store by the owner of its objects.
type byOwner struct {
	t *object.Table
	x *informer.Informer
}

func (b byOwner) IndexKeys(owner string, dst []object.Key) []object.Key {
	for _, o := range ownedBy(b.t, b.x.Indexer.List(nil), owner, nil) {
		dst = append(dst, b.t.KeyOf(o))
	}
	return dst
}

func (b byOwner) Has(o object.Ref, owner string) bool {
	return len(ownedBy(b.t, []object.Ref{o}, owner, nil)) > 0
}
