package manager

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// request returns the write that a statement sends, and the resource that it is sent for.
func (r *reconcile) request(s *program.Statement) (resource int, q apiserver.Write) {
	t := r.table()
	m := t.Meta(r.run.Obj)
	switch s.Op {
	case program.Generate, program.Create:
		next := number(int(r.d.Revision(r.owns())) + 1)
		child := object.Meta{Namespace: m.Namespace, Name: m.Name, UID: t.Sym("uid-" + next)}
		if s.Op == program.Generate { // a real server appends five random characters
			child.Name = t.Sym(t.Text(m.Name) + "-" + next)
		}
		child.Labels = t.Merge(t.Singleton(apiserver.Owner, ownerText(t, r.run.Obj)), t.LabelSet(selected(t, m.Labels)))
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
	q.Object.Labels = t.Merge(m.Labels, t.Singleton(s.Name, r.value(s.Value)))
	return guard.Parents, q
}

// codes are the HTTP codes of answers after which nothing is written.
var codes = [...]int64{
	registry.NoChange: 200, registry.AlreadyExists: 409, registry.NotFound: 404, registry.Conflict: 409, registry.Invalid: 422, registry.Forbidden: 403, registry.Terminating: 403,
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
		answer = r.d.Write(r.informerOf(resource), q)
	}
	if !answer.Wrote() {
		client.EndWrite(begun, k, 0, true)
		if answer != registry.Unreached {
			r.emit(event.Event{Kind: event.WriteAnswered, N: codes[answer]})
		}
		return answer
	}
	rv := int64(0)
	if answer != registry.Removed {
		rv = r.d.Simulated(r.informerOf(resource)).Storage.Revision()
	}
	client.EndWrite(begun, k, rv, false)
	return answer
}

// remember tells the guard of a version that was written.
func (r *reconcile) remember(resource int, written object.Ref) {
	g, t := &r.c.Guard, r.table()
	g.Consistency.WroteAt(r.o.Key, t.Meta(r.run.Obj).UID, consistency.Resource(resource), t.RVOf(written))
	if g.Kind == guard.Mutation {
		g.Mutations[resource].Mutation(written, r.d.Set.Now)
	}
}

// burstReplicas is BurstReplicas of kube-controller-manager.
const burstReplicas = 500

// times returns how often the statement is going to be done.
func (r *reconcile) times(s *program.Statement) (n int64) {
	was := r.run.Created
	step, burst := 1, int64(cmp.Or(r.c.Config().Burst, burstReplicas))
	if s.Op == program.Delete {
		step = -1
	}
	for n == 0 || s.While && n < burst && s.Comparison.Compare(r.value(s.Left), r.value(s.Right)) {
		r.run.Created += step
		n++
	}
	r.run.Created = was
	return n
}

// expect notes how many creates or deletes the statement is going to make.
func (r *reconcile) expect(s *program.Statement) {
	g, now := &r.c.Guard, r.d.Set.Now
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

func (r *reconcile) write(s *program.Statement) {
	resource, q := r.request(s)
	g := &r.c.Guard
	if s.Op.Manages() && g.Expects() && !r.run.Expected {
		r.expect(s)
	}
	answer := r.send(resource, q)
	switch {
	case s.Slow:
		r.createReturned(answer)
		return
	case answer.Wrote():
		r.wrote(s, resource)
		r.scheduleNext(r.run.Batch.Open == 0)
		return
	}
	if g.Expects() && s.Op.Manages() && answer != registry.NoChange { // what is not made will not be seen
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
		r.scheduleNext(r.run.Batch.Open == 0)
	case r.run.Batch.Size > 0: // the other deletes are under way
		n := len(r.run.Children) - 1
		r.run.Children = slices.Insert(r.run.Children[:n:n], 0, r.run.Children[n])
		r.run.Fails = true
		r.scheduleNext(r.run.Batch.Open == 0)
	default:
		r.fails()
	}
}

// updateStatus follows calculateStatus, updateReplicaSetStatus and the end of syncReplicaSet. It makes the next request, and
// reports false if the status needs no change. After a failure, the object is read from the API server, and the same status is
// written once more; both requests are one step.
func (r *reconcile) updateStatus() bool {
	run, t := r.run, r.table()
	to := run.Obj
	if run.Tries > 0 {
		to = r.d.Simulated(r.x.Index()).Storage.Get(r.o.Key)
	} else if run.Status = r.status(); t.Merge(t.LabelSetOf(to), run.Status) == t.LabelSetOf(to) {
		r.c.Guard.Consistency.WroteAt(r.o.Key, t.Meta(to).UID, guard.Parents, t.RVOf(to))
		return false
	}
	if to == 0 { // the read was answered already
		r.ends(controller.Result{Failure: controller.Failed})
		return true
	}
	run.Last = run.Next
	q := apiserver.Write{Verb: apiserver.UpdateStatus, Object: t.Meta(to)}
	q.Object.Labels = t.Merge(q.Object.Labels, run.Status)
	switch answer := r.send(guard.Parents, q); {
	case answer.Wrote():
		r.wrote(&program.Statement{Op: program.Status}, guard.Parents)
	case answer == registry.NoChange:
		r.c.Guard.Consistency.WroteAt(r.o.Key, t.Meta(run.Obj).UID, guard.Parents, t.RVOf(to))
	case run.Tries > 0:
		r.fails()
		return true
	default:
		run.Tries++
		r.d.Set.Sleep(r.o.ID, actor.WorkerProgram, actor.OnCall, r.d.Set.Now+2*r.roundTrip())
		return true
	}
	run.Next++
	r.scheduleNext(true)
	return true
}

// status returns the fields of the status as they are to be, and notes when the key is due again.
func (r *reconcile) status() object.Labels {
	run, t := r.run, r.table()
	active := make([]replicaset.Pod, len(run.Active))
	for i, o := range run.Active {
		active[i] = pod(t, o)
	}
	seconds, _ := strconv.ParseInt(r.field(".spec.minReadySeconds"), 10, 32)
	c, next := replicaset.Calculate(active, seconds, r.d.Set.Now)
	if seconds > 0 && c.Ready != c.Available {
		run.Result.RequeueAfter = cmp.Or(next, seconds*1e9)
	}
	replicas, _ := strconv.Atoi(r.field(".spec.replicas"))
	failure := r.field(".status.conditions")
	switch {
	case !run.Fails:
		failure = ""
	case failure != "":
	case c.Replicas < replicas:
		failure = "ReplicaFailure=FailedCreate"
	case c.Replicas > replicas:
		failure = "ReplicaFailure=FailedDelete"
	default:
		failure = "ReplicaFailure"
	}
	terminating := ""
	if !r.c.Config().NoTerminating {
		terminating = number(run.Terminating)
	}
	all := []object.Label{
		{Name: t.Sym(".status.availableReplicas"), Value: t.Sym(number(c.Available))},
		{Name: t.Sym(".status.conditions"), Value: t.Sym(failure)},
		{Name: t.Sym(".status.observedGeneration"), Value: t.Sym(r.field(apiserver.Generation))},
		{Name: t.Sym(".status.readyReplicas"), Value: t.Sym(number(c.Ready))},
		{Name: t.Sym(".status.replicas"), Value: t.Sym(number(c.Replicas))},
		{Name: t.Sym(".status.terminatingReplicas"), Value: t.Sym(terminating)},
	}
	return t.LabelSet(all)
}

// wrote notes the answer to a write that the server has made.
func (r *reconcile) wrote(s *program.Statement, resource int) {
	_, old, written := r.d.Simulated(r.informerOf(resource)).Storage.LastWritten()
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
		r.run.Created++
	default:
		r.run.Obj = written
	}
}

// batch makes the next request of slowStartBatch, and reports false when all children are
// created. The requests of a batch are sent together, and the next batch is twice as
// large. After a batch with a failure there is none: what was not created is not expected
// any more, and the program goes on, but ends with an error.
func (r *reconcile) batch(s *program.Statement) bool {
	b := &r.run.Batch
	if b.Open == 0 {
		b.Open = b.Next()
	}
	if b.Open == 0 {
		rest := b.Rest
		*b = reconciler.Batch{}
		if rest == 0 {
			return false
		}
		if r.c.Guard.Expects() {
			r.c.Guard.Expectations.LowerExpectations(r.o.Key, int64(rest), 0)
		}
		r.run.Next++
		r.run.Expected = false
		r.emit(event.Event{Kind: event.CreatesSkipped, N: int64(rest)})
		r.scheduleNext(false)
		return true
	}
	b.Open--
	r.run.Last = r.run.Next
	r.write(s)
	return true
}

// createReturned notes the answer to a create of a batch.
func (r *reconcile) createReturned(a registry.Answer) {
	if a.Wrote() {
		_, _, written := r.d.Simulated(r.owns()).Storage.LastWritten()
		r.remember(guard.Children, written)
		r.run.Created++
	} else if a != registry.Terminating { // the controller has nothing to do then
		r.run.Fails = true
	}
	r.run.Batch.CreateReturned(a.Wrote() || a == registry.Terminating)
	r.scheduleNext(r.run.Batch.Open == 0)
}

// claim follows ClaimPods of PodControllerRefManager. It makes the next request, and reports
// false if there is none. An object that is being deleted neither adopts nor releases. An
// error doesn't keep it from the other candidates.
func (r *reconcile) claim() bool {
	run := r.run
	for ; len(run.Claims) > 0; run.Claims = run.Claims[1:] {
		at := slices.Index(run.Children, run.Claims[0])
		claim := replicaset.Claim{Deleting: r.field(apiserver.Deletion) != "", Rechecked: run.Rechecked}
		switch claim.Decide(at >= 0, at < 0) { // of its children, only those are among the Claims that the selector doesn't match
		case replicaset.Ignore:
			if at >= 0 {
				run.Children = slices.Delete(run.Children, at, at+1)
			}
		case replicaset.Ask:
			run.Last = run.Next
			r.recheck()
			r.scheduleNext(true)
			return true
		case replicaset.Release, replicaset.Adopt:
			run.Last = run.Next
			r.patch(run.Claims[0], at)
			run.Claims = run.Claims[1:]
			r.scheduleNext(true)
			return true
		}
	}
	return false
}

// rank orders the children that were claimed, as getPodsToDelete does: the last one is
// deleted first. Those that are equal stay as they were read.
func (r *reconcile) rank() {
	r.run.Active = append(r.run.Active[:0], r.run.Children...)
	children := r.run.Children
	sort.SliceStable(children, func(i, j int) bool {
		a, b := pod(r.table(), children[i]), pod(r.table(), children[j])
		return b.Compare(&a, r.d.Set.Now, r.table()) < 0
	})
}

// recheck follows RecheckDeletionTimestamp: before the first adoption, the object is read from
// the API server.
func (r *reconcile) recheck() {
	if r.unreached() {
		r.run.Rechecked, r.run.Fails = replicaset.MayNotAdopt, true
		return
	}
	t, has := r.table(), r.d.Simulated(r.x.Index()).Storage.Get(r.o.Key)
	r.run.Rechecked = replicaset.MayAdopt
	if has == 0 || t.Meta(has).UID != t.Meta(r.run.Obj).UID || t.FieldOf(has, apiserver.Deletion) != "" {
		r.run.Rechecked, r.run.Fails = replicaset.MayNotAdopt, true
	}
	r.emit(event.Event{Kind: event.OwnerRead, New: has})
}

// patch follows AdoptPod, or ReleasePod for the child of a number. The uid is a precondition,
// and the resourceVersion isn't.
func (r *reconcile) patch(o object.Ref, at int) {
	t := r.table()
	m := t.Meta(o)
	to := ""
	if at < 0 {
		to = ownerText(t, r.run.Obj)
	}
	m.RV, m.Labels = 0, t.Singleton(apiserver.Owner, to)
	switch answer := r.send(guard.Children, apiserver.Write{Verb: apiserver.Patch, Object: m}); {
	case answer.Wrote():
		if at < 0 { // the program goes on with the child as it was read
			_, _, written := r.d.Simulated(r.owns()).Storage.LastWritten()
			r.remember(guard.Children, written)
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
