package world

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// What kube-controller-manager's controllers do beyond a simple program: they claim
// children by a selector, and create many of them in a slow start.

// selector is the field of an owner with its matchLabels: NAME=VALUE, with commas between
// them. The children that a program makes have these labels.
const selector = ".spec.selector"

// selected are the labels that the selector of an owner asks for.
func selected(t *object.Table, owner object.Labels) (all []object.Label) {
	for part := range strings.SplitSeq(apiserver.Field(t, owner, selector), ",") {
		if name, value, ok := strings.Cut(part, "="); ok {
			all = append(all, object.Label{Name: t.Sym(name), Value: t.Sym(value)})
		}
	}
	return all
}

// Selects reports whether the selector of an owner matches an object of its namespace. One
// without a selector matches nothing.
func Selects(t *object.Table, owner, o object.Ref) bool {
	all, l := selected(t, t.LabelSetOf(owner)), t.LabelSetOf(o)
	return len(all) > 0 && t.Meta(owner).Namespace == t.Meta(o).Namespace && !slices.ContainsFunc(all, func(x object.Label) bool {
		v, _ := t.LabelValue(l, x.Name)
		return v != x.Value
	})
}

// candidates notes what a claim has to change of what was read: the children that the
// selector doesn't match, and the orphans that it matches.
func (r *reconcile) candidates() {
	t := r.table()
	if len(selected(t, t.LabelSetOf(r.run.Obj))) == 0 {
		return
	}
	for _, o := range r.run.Children {
		if !Selects(t, r.run.Obj, o) {
			r.run.Claims = append(r.run.Claims, o)
		}
	}
	for _, o := range children(r.w, &r.c.Guard, r.owns(), "", nil) {
		if Selects(t, r.run.Obj, o) && apiserver.Field(t, t.LabelSetOf(o), apiserver.Deletion) == "" {
			r.run.Claims = append(r.run.Claims, o)
		}
	}
}

// claim is ClaimPods of PodControllerRefManager. It makes the next request, and reports
// false if there is none. An object that is being deleted neither adopts nor releases. An
// error doesn't keep it from the other candidates.
func (r *reconcile) claim() bool {
	run := r.run
	for ; len(run.Claims) > 0; run.Claims = run.Claims[1:] {
		at := slices.Index(run.Children, run.Claims[0])
		switch deleting := r.field(apiserver.Deletion) != ""; {
		case at >= 0 && deleting:
			run.Children = slices.Delete(run.Children, at, at+1)
		case deleting, at < 0 && run.Rechecked == reconciler.MayNotAdopt:
		case at < 0 && run.Rechecked == reconciler.NotRechecked:
			run.Did = run.At
			r.recheck()
			r.goesOn(true)
			return true
		default:
			run.Did = run.At
			r.patch(run.Claims[0], at)
			run.Claims = run.Claims[1:]
			r.goesOn(true)
			return true
		}
	}
	return false
}

// recheck is RecheckDeletionTimestamp: before the first adoption, the object is read from
// the API server.
func (r *reconcile) recheck() {
	if r.unreached() {
		r.run.Rechecked, r.run.Fails = reconciler.MayNotAdopt, true
		return
	}
	t, has := r.table(), r.w.Simulated(r.x.Index()).Storage.Get(r.o.Key)
	r.run.Rechecked = reconciler.MayAdopt
	if has == 0 || t.Meta(has).UID != t.Meta(r.run.Obj).UID || apiserver.Field(t, t.LabelSetOf(has), apiserver.Deletion) != "" {
		r.run.Rechecked, r.run.Fails = reconciler.MayNotAdopt, true
	}
	r.emit(event.Event{Kind: event.OwnerRead, New: has})
}

// patch is AdoptPod, or ReleasePod for the child of a number. The uid is a precondition,
// and the resourceVersion isn't.
func (r *reconcile) patch(o object.Ref, at int) {
	t := r.table()
	m := t.Meta(o)
	to := ""
	if at < 0 {
		to = ownerText(t, r.run.Obj)
	}
	m.RV, m.Labels = 0, apiserver.Singleton(t, apiserver.Owner, to)
	switch answer := r.send(guard.Children, apiserver.Write{Verb: apiserver.Patch, Object: m}); {
	case answer.Wrote():
		if _, _, o = r.w.Simulated(r.owns()).Storage.LastWritten(); at < 0 {
			r.remember(guard.Children, o)
		}
	case answer == registry.NotFound:
		o = 0
	case answer.Failed():
		r.run.Fails = true
		return
	}
	if at >= 0 {
		r.run.Children = slices.Delete(r.run.Children, at, at+1)
	} else if o != 0 {
		r.run.Children = append(r.run.Children, o)
	}
}

// batch makes the next request of slowStartBatch, and reports false when all children are
// created. The requests of a batch are sent together, and the next batch is twice as
// large. After a batch with a failure there is none: what was not created is not expected
// any more, and the program goes on, but ends with an error.
func (r *reconcile) batch(s *program.Statement) bool {
	b := &r.run.Batch
	if b.Open == 0 {
		rest := b.Rest
		switch {
		case rest > 0 && b.Failed:
			if r.c.Guard.Expects() {
				r.c.Guard.Expectations.LowerExpectations(r.o.Key, int64(rest), 0)
			}
			r.run.At++
			r.run.Expected, *b = false, reconciler.Batch{}
			r.emit(event.Event{Kind: event.CreatesSkipped, N: int64(rest)})
			r.goesOn(false)
			return true
		case rest == 0:
			*b = reconciler.Batch{}
			return false
		}
		b.Size = min(2*b.Size, rest)
		b.Open = b.Size
	}
	b.Open--
	r.run.Did = r.run.At
	r.write(s)
	return true
}

// answered notes the answer to a create of a batch.
func (r *reconcile) answered(a registry.Answer) {
	if a.Wrote() {
		_, _, written := r.w.Simulated(r.owns()).Storage.LastWritten()
		r.remember(guard.Children, written)
		r.run.Made++
		r.run.Batch.Rest--
	} else {
		r.run.Batch.Failed, r.run.Fails = true, true
	}
	r.goesOn(r.run.Batch.Open == 0)
}

// ownersOf appends the keys of those whose child an object is, or was before an update.
// Where a program claims by selector, the keys of all that may adopt an orphan come after
// them, if the orphan is new, or if its labels or its owner have changed.
func ownersOf(own *informer.Informer, n *processor.Notification, keys []object.Key) []object.Key {
	t := own.Config().Table
	var was, is object.Key
	if n.Old != 0 {
		was = ownerOf(t, n.Old)
		keys = append(keys, was)
	}
	if n.New != 0 {
		is = ownerOf(t, n.New)
	}
	if is != was {
		keys = append(keys, is)
	}
	if !own.Work.Controller.Config().Program.Claims || n.New == 0 || is != 0 ||
		n.Old != 0 && was == 0 && apiserver.SameLabels(t, t.LabelSetOf(n.Old), t.LabelSetOf(n.New)) {
		return keys
	}
	for _, o := range own.Indexer.List(nil) {
		if k := t.KeyOf(o); Selects(t, o, n.New) && k != was {
			keys = append(keys, k)
		}
	}
	return keys
}
