package manager

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// handle calls a handler of a controller: it tells the guard what it was called with, and
// puts the key of the object, or of its owner, on the workqueue.
func (d Driver) handle(id actor.ID, role actor.Role) {
	x := d.Informers[role.Informer]
	n, f := x.HandlerNotification(role), x.Config().Handlers[role.Index].Feeds
	owners := d.Informers[f.Informer]
	c, t := owners.Work.Controller, owners.Config().Table
	o, resource := n.New, guard.Parents
	if o == 0 {
		o = n.Old
	}
	var two [2]object.Key
	keys := two[:0]
	switch {
	case f.Label != "":
		keys = append(keys, keyInLabel(t, o, f.Label))
	case f.Owner:
		resource = guard.Children
		keys = d.ownersOf(owners, n, keys)
		if k := ownerOf(t, o); d.resolves(owners, k, o) {
			d.observe(c, resource, k, o, n)
		}
	default:
		keys = append(keys, t.KeyOf(o))
		d.observe(c, resource, keys[0], o, n)
	}
	for i := range c.Runs {
		if worker := &owners.Work.Workers[i]; c.Runs[i].Waits && d.Set.State(worker.ID).Wait == actor.OnCall {
			d.Set.Wake(worker.ID)
		}
	}
	priority := 0
	if c.Config().Ranks && d.isLowPriority(c, t, n) {
		priority = controller.LowPriority
	}
	for _, k := range keys {
		if k != 0 && f.Predicate.Passes(t, n) {
			owners.Work.Add(&d.Set, k, priority, &d.Log)
		}
	}
	if f.Owner && c.Config().Program.Claims && n.Type == processor.Update && len(keys) > 0 {
		d.awaitAvailable(owners, n)
	}
	d.Set.Schedule(id, actor.RunReturn)
}

// awaitAvailable follows the end of UpdatePod: the owner of a pod that has become ready is due again when the pod is available.
func (d Driver) awaitAvailable(owners *informer.Informer, n *processor.Notification) {
	t := owners.Config().Table
	was, is, k := pod(t, n.Old), pod(t, n.New), ownerOf(t, n.New)
	if was.Ready || !is.Ready || is.Deleting || k == 0 || !d.resolves(owners, k, n.New) {
		return
	}
	owner, _ := d.Informers[d.PartOf(owners.Index(), k)].Indexer.GetByKey(k)
	if seconds, _ := strconv.ParseInt(t.FieldOf(owner, ".spec.minReadySeconds"), 10, 32); seconds > 0 {
		owners.Work.AddAfter(&d.Set, k, seconds*1e9, &d.Log)
	}
}

// isLowPriority reports whether controller-runtime's handlers give a notification a low priority: the
// object is of the initial list, or a resync brings it unchanged. Those of v0.20 look at the
// object's age instead of the list.
func (m *Manager) isLowPriority(c *reconciler.Controller, t *object.Table, n *processor.Notification) bool {
	switch n.Type {
	case processor.Add:
		if c.Config().JudgesByAge {
			created, known := apiserver.TimeOf(t, n.New, apiserver.Created)
			return !known || created < m.Set.Now-60e9
		}
		return n.Flags&event.IsInInitialList != 0
	case processor.Update:
		return t.RVOf(n.Old) == t.RVOf(n.New)
	}
	return false
}

// ownersOf appends the keys of those whose child an object is, or was before an update.
// Where a program claims by selector, they are those that AddPod, UpdatePod and DeletePod
// of kube-controller-manager's ReplicaSet controller enqueue: a resync enqueues none, and
// the keys of all that may adopt an orphan come last, if the orphan is new, or if its
// labels or its owner have changed. Nobody adopts an object that is being deleted.
func (m *Manager) ownersOf(owners *informer.Informer, n *processor.Notification, keys []object.Key) []object.Key {
	t := owners.Config().Table
	claims := owners.Work.Controller.Config().Program.Claims
	if claims && n.Type == processor.Update && t.RVOf(n.Old) == t.RVOf(n.New) {
		return keys
	}
	var was, is object.Key
	if n.Old != 0 {
		if was = ownerOf(t, n.Old); m.resolves(owners, was, n.Old) {
			keys = append(keys, was)
		}
	}
	if n.New != 0 {
		is = ownerOf(t, n.New)
	}
	if is != was && m.resolves(owners, is, n.New) {
		keys = append(keys, is)
	}
	if !claims || n.New == 0 || is != 0 || t.FieldOf(n.New, apiserver.Deletion) != "" ||
		n.Old != 0 && was == 0 && apiserver.SameLabels(t, t.LabelSetOf(n.Old), t.LabelSetOf(n.New)) {
		return keys
	}
	for _, o := range m.Informers[m.PartOf(owners.Index(), t.KeyOf(n.New))].Indexer.List(nil) {
		if k := t.KeyOf(o); Selects(t, o, n.New) && k != was {
			keys = append(keys, k)
		}
	}
	return keys
}

// resolves reports whether the owner that an object names is in the cache, with the uid that it names, where a program claims by selector:
// resolveControllerRef of kube-controller-manager asks for both. Other programs take the name, as EnqueueRequestForOwner does.
func (m *Manager) resolves(owners *informer.Informer, owner object.Key, o object.Ref) bool {
	if !owners.Work.Controller.Config().Program.Claims || owner == 0 {
		return true
	}
	cached, ok := m.Informers[m.PartOf(owners.Index(), owner)].Indexer.GetByKey(owner)
	t := owners.Config().Table
	return ok && t.FieldOf(o, apiserver.Owner) == ownerText(t, cached)
}

// observe tells a guard of a notification about an object of an owner.
func (m *Manager) observe(c *reconciler.Controller, resource int, owner object.Key, o object.Ref, n *processor.Notification) {
	g := &c.Guard
	t := m.Informers[0].Config().Table
	gone := object.Ref(0) // the owner that isn't there any more, or that is another one of the same name
	if resource == guard.Parents && (n.Type == processor.Delete || n.Type == processor.Update && t.Meta(n.Old).UID != t.Meta(n.New).UID) {
		gone = n.Old
	}
	if g.Expects() {
		switch {
		case gone != 0:
			g.Expectations.DeleteExpectations(owner)
		case resource == guard.Parents || owner == 0:
		case n.Type == processor.Delete, c.Config().Program.Claims && t.RVOf(n.Old) != t.RVOf(n.New) && t.FieldOf(o, apiserver.Deletion) != "":
			g.Expectations.DeletionObserved(owner, t.KeyOf(o)) // UpdatePod and AddPod call DeletePod for a pod that ends gracefully
		case n.Type == processor.Add:
			g.Expectations.CreationObserved(owner)
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
			g.Mutations[resource].OnDelete(o, m.Set.Now)
		} else {
			g.Mutations[resource].OnAddOrUpdate(o, m.Set.Now)
		}
	}
}
