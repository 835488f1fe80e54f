package world

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// How a controller's program writes, and how its handlers see what was written.

// write makes the request of a statement.
func (r *reconcile) write(s *program.Statement) {
	resource, q := r.request(s)
	g := &r.c.Guard
	if s.Op.Manages() && g.Expects() && !r.run.Expected {
		r.expect(s)
	}
	answer := r.send(resource, q)
	switch {
	case s.Slow:
		r.answered(answer)
		return
	case answer.Wrote():
		r.wrote(s, resource)
		r.goesOn(true)
		return
	}
	if g.Expects() && s.Op.Manages() { // what is not made will not be seen
		if s.Op == program.Delete {
			g.Expectations.DeletionObserved(r.o.Key, r.table().MakeKey(q.Object))
		} else {
			e, _ := g.Expectations.GetExpectations(r.o.Key)
			g.Expectations.LowerExpectations(r.o.Key, max(e.Add, 0), 0)
		}
	}
	switch {
	case answer == registry.NoChange, answer == registry.NotFound && s.Op == program.Delete:
		if s.Op == program.Delete {
			r.run.Children = r.run.Children[:len(r.run.Children)-1]
		}
		r.goesOn(true)
	default:
		r.fails()
	}
}

// codes are the HTTP codes of answers after which nothing is written.
var codes = [...]int64{
	registry.NoChange: 200, registry.AlreadyExists: 409, registry.NotFound: 404, registry.Conflict: 409, registry.Invalid: 422, registry.Forbidden: 403,
}

// send makes a write, and tells the guard of it.
func (r *reconcile) send(resource int, q apiserver.Write) registry.Answer {
	g := &r.c.Guard
	k := r.table().MakeKey(q.Object)
	client := &g.Clients[resource]
	begun := client.BeginWrite(k)
	if q.Verb == apiserver.Delete && g.Kind == guard.ReadYourWrites {
		client.EndWrite(begun, k, 0, true)
		begun = client.BeginDelete(k, q.Object.UID)
	}
	answer := registry.Unreached
	if !r.unreached() {
		answer = put(r.w, r.informerOf(resource), q)
	}
	if !answer.Wrote() {
		client.EndWrite(begun, k, 0, true)
		if answer != registry.Unreached {
			r.emit(event.Event{Kind: event.WriteAnswered, N: codes[answer]})
		}
		return answer
	}
	rv := int64(0)
	if answer != registry.Gone {
		rv = r.w.Simulated(r.informerOf(resource)).Storage.Revision()
	}
	client.EndWrite(begun, k, rv, false)
	return answer
}

// unreached reports whether the request that the program sends doesn't reach the API server.
//
//go:noinline
func (r *reconcile) unreached() bool {
	cut := unreachable(r.w, r.x.Index())
	if cut {
		r.w.Log.Add(event.Unreached).Key = r.o.Key
	}
	return cut
}

// request is what a statement asks the server for, and of which resource.
func (r *reconcile) request(s *program.Statement) (resource int, q apiserver.Write) {
	t := r.table()
	m := t.Meta(r.run.Obj)
	switch s.Op {
	case program.Generate, program.Create:
		next := number(int(r.w.Revision(r.owns())) + 1)
		child := object.Meta{Namespace: m.Namespace, Name: m.Name, UID: t.Sym("uid-" + next)}
		if s.Op == program.Generate { // a real server appends five random characters
			child.Name = t.Sym(t.Text(m.Name) + "-" + next)
		}
		child.Labels = apiserver.Merge(t, apiserver.Singleton(t, apiserver.Owner, ownerText(t, r.run.Obj)), t.LabelSet(selected(t, m.Labels)))
		return guard.Children, apiserver.Write{Verb: apiserver.Create, Object: child}
	case program.Delete:
		child := t.Meta(r.run.Children[len(r.run.Children)-1])
		child.RV = 0 // only the uid is a precondition
		return guard.Children, apiserver.Write{Verb: apiserver.Delete, Object: child}
	}
	q = apiserver.Write{Verb: apiserver.Update, Object: m}
	if s.Op == program.Set {
		q.Verb = apiserver.UpdateStatus
	}
	q.Object.Labels = apiserver.Merge(t, m.Labels, apiserver.Singleton(t, s.Name, r.value(s.Value)))
	return guard.Own, q
}

// expect notes how many creates or deletes the statement is going to make.
func (r *reconcile) expect(s *program.Statement) {
	g, now := &r.c.Guard, r.w.Set.Now
	n := r.times(s)
	r.run.Expected = true
	if s.Op == program.Delete {
		var keys []object.Key
		for i := range min(int(n), len(r.run.Children)) {
			keys = append(keys, r.table().KeyOf(r.run.Children[len(r.run.Children)-1-i]))
		}
		g.Expectations.ExpectDeletions(r.o.Key, keys, now)
	} else {
		g.Expectations.ExpectCreations(r.o.Key, n, now)
	}
	r.emit(event.Event{Kind: event.ExpectationsSet, N: n})
}

// burst is BurstReplicas: how many children one reconcile makes or deletes at most.
const burst = 500

// times is how often the statement is going to be done.
func (r *reconcile) times(s *program.Statement) (n int64) {
	was := r.run.Made
	step := 1
	if s.Op == program.Delete {
		step = -1
	}
	for n == 0 || s.While && n < burst && s.Is.Holds(r.value(s.Left), r.value(s.Right)) {
		r.run.Made += step
		n++
	}
	r.run.Made = was
	return n
}

// remember tells the guard of a version that was written.
func (r *reconcile) remember(resource int, written object.Ref) {
	g, t := &r.c.Guard, r.table()
	g.Consistency.WroteAt(r.o.Key, t.Meta(r.run.Obj).UID, consistency.Resource(resource), t.RVOf(written))
	if g.Kind == guard.Mutation {
		g.Mutations[resource].Mutation(written, r.w.Set.Now)
	}
}

// wrote notes the answer to a write that the server has made.
func (r *reconcile) wrote(s *program.Statement, resource int) {
	_, old, written := r.w.Simulated(r.informerOf(resource)).Storage.LastWritten()
	if s.Op != program.Delete {
		r.remember(resource, written)
	}
	switch {
	case s.Op == program.Delete:
		if i := slices.Index(r.run.Children, old); i >= 0 {
			r.run.Children = slices.Delete(r.run.Children, i, i+1)
		} else {
			r.run.Children = r.run.Children[:len(r.run.Children)-1]
		}
	case resource == guard.Children:
		r.run.Made++
	default:
		r.run.Obj = written
	}
}

// enqueued is a handler of a controller: it tells the guard what it was called with, and
// puts the key of the object, or of its owner, on the workqueue.
func enqueued(w *World, id actor.ID, role actor.Role) {
	x := w.Informers[role.Informer]
	n, f := informer.Called(x, role), x.Config().Handlers[role.Index].Feeds
	own := w.Informers[f.Informer]
	c, t := own.Work.Controller, own.Config().Table
	o, resource := n.New, guard.Own
	if o == 0 {
		o = n.Old
	}
	var two [2]object.Key
	keys := two[:0]
	switch {
	case f.By != "":
		keys = append(keys, named(t, o, f.By))
	case f.Owner:
		resource = guard.Children
		keys = ownersOf(own, n, keys)
		observe(w, c, resource, ownerOf(t, o), o, n)
	default:
		keys = append(keys, t.KeyOf(o))
		observe(w, c, resource, keys[0], o, n)
	}
	for i := range c.Runs {
		if worker := &own.Work.Workers[i]; c.Runs[i].Waits && w.Set.State(worker.ID).Wait == actor.OnCall {
			w.Set.Wake(worker.ID)
		}
	}
	priority := 0
	if c.Config().Ranks && low(w, c, t, n) {
		priority = controller.LowPriority
	}
	for _, k := range keys {
		if k != 0 && Passes(t, f.Predicate, n) {
			own.Work.Add(&w.Set, k, priority, &w.Log)
		}
	}
	w.Set.Go(id, actor.RunReturn)
}

// low reports whether controller-runtime's handlers give a notification a low priority: the
// object is of the initial list, or a resync brings it unchanged. Those of v0.20 look at the
// object's age instead of the list.
func low(w *World, c *reconciler.Controller, t *object.Table, n *processor.Notification) bool {
	switch n.Type {
	case processor.Add:
		if c.Config().JudgesByAge {
			created, known := apiserver.CreatedAt(t, n.New)
			return !known || created < w.Set.Now-60e9
		}
		return n.Flags&event.IsInInitialList != 0
	case processor.Update:
		return t.RVOf(n.Old) == t.RVOf(n.New)
	}
	return false
}

// Passes reports whether a predicate lets a notification pass.
func Passes(t *object.Table, p informer.Predicate, n *processor.Notification) bool {
	if n.Type != processor.Update {
		return true
	}
	a, b := t.Meta(n.Old), t.Meta(n.New)
	switch p {
	case informer.GenerationChanged:
		return apiserver.Field(t, a.Labels, apiserver.Generation) != apiserver.Field(t, b.Labels, apiserver.Generation)
	case informer.LabelChanged:
		return !apiserver.SameLabels(t, a.Labels, b.Labels)
	case informer.ResourceVersionChanged:
		return a.RV != b.RV
	}
	return true
}

// ownerOf is the key of an object's owner, 0 for none.
func ownerOf(t *object.Table, o object.Ref) object.Key {
	m := t.Meta(o)
	name, _, owned := strings.Cut(apiserver.Field(t, m.Labels, apiserver.Owner), "#")
	if !owned {
		return 0
	}
	m.Name = t.Sym(name)
	return t.MakeKey(m)
}

// named is the key of the object whose name a label of another one has, 0 for none.
func named(t *object.Table, o object.Ref, label string) object.Key {
	m := t.Meta(o)
	name := apiserver.Field(t, m.Labels, label)
	if name == "" {
		return 0
	}
	m.Name = t.Sym(name)
	return t.MakeKey(m)
}

// observe tells a guard of a notification about an object of an owner.
func observe(w *World, c *reconciler.Controller, resource int, owner object.Key, o object.Ref, n *processor.Notification) {
	g := &c.Guard
	t := w.Informers[0].Config().Table
	gone := object.Ref(0) // the owner that isn't there any more, or that is another one of the same name
	if resource == guard.Own && (n.Type == processor.Delete || n.Type == processor.Update && t.Meta(n.Old).UID != t.Meta(n.New).UID) {
		gone = n.Old
	}
	if g.Expects() {
		switch {
		case gone != 0:
			g.Expectations.DeleteExpectations(owner)
		case resource == guard.Own || owner == 0:
		case n.Type == processor.Add:
			g.Expectations.CreationObserved(owner)
		case n.Type == processor.Delete:
			g.Expectations.DeletionObserved(owner, t.KeyOf(o))
		}
	}
	if g.Remembers() && gone != 0 {
		g.Consistency.Clear(owner, t.Meta(gone).UID)
	}
	switch g.Kind {
	case guard.ReadYourWrites:
		g.Clients[resource].Observe(revisionOf(t, o))
		if n.Type == processor.Delete {
			g.Clients[resource].RemovePendingDelete(t.KeyOf(o), t.Meta(o).UID)
		}
	case guard.Mutation:
		if n.Type == processor.Delete {
			g.Mutations[resource].OnDelete(o, w.Set.Now)
		} else {
			g.Mutations[resource].OnAddOrUpdate(o, w.Set.Now)
		}
	}
}
