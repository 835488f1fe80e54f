//go:build !js

package says

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

var controllerLaws = map[string]law{
	"step.keyEnqueued": func(m *moment) bool { a, b := m.fed(); return b.Len() == a.Len()+1 && int64(b.Len()) == m.number("n") },
	"why.keyEnqueued":  func(m *moment) bool { _, b := m.fed(); return m.pc == actor.RunEnqueue && b.IsDirty(m.e.Key) },
	"step.keysEnqueued": func(m *moment) bool {
		a, b := m.fed()
		return m.number("n") > 1 && int64(b.Len()-a.Len()) == m.number("n")
	},
	"step.keyEnqueuedDirty": func(m *moment) bool {
		a, b := m.fed()
		return m.pc == actor.RunEnqueue && a.Len() == b.Len() && a.IsDirty(m.e.Key)
	},
	"step.keyEnqueuedDeferred": func(m *moment) bool {
		a, b := m.fed()
		return m.pc == actor.RunEnqueue && b.IsProcessing(m.e.Key) && b.IsDirty(m.e.Key) && !a.IsDirty(m.e.Key)
	},
	"step.keyEnqueuedSame": func(m *moment) bool {
		a, b := m.fed()
		n, t := m.calledFor(), m.y.Config().Table
		return m.pc == actor.RunEnqueue && a.Len() == b.Len() && m.after.Informers[m.feed().Informer].Work.Controller.Config().Program.Claims && n.Old != 0 && n.New != 0 && t.RVOf(n.Old) == t.RVOf(n.New)
	},
	"step.keyEnqueuedGone": func(m *moment) bool {
		a, b := m.fed()
		t := m.y.Config().Table
		owner := t.FieldOf(max(m.calledFor().New, m.calledFor().Old), apiserver.Owner)
		known := slices.ContainsFunc(m.after.Informers[m.feed().Informer].Indexer.List(nil), func(o object.Ref) bool {
			return t.Text(t.Meta(o).Name)+"#"+t.Text(t.Meta(o).UID) == owner
		})
		return m.pc == actor.RunEnqueue && a.Len() == b.Len() && m.after.Informers[m.feed().Informer].Work.Controller.Config().Program.Claims && owner != "" && !known
	},
	"step.keyEnqueuedNone": func(m *moment) bool {
		a, b := m.fed()
		n := m.y.HandlerNotification(m.after.Set.Role(m.id))
		t := m.y.Config().Table
		f := m.feed()
		return m.pc == actor.RunEnqueue && a.Len() == b.Len() && f.Label == "" && f.Predicate == informer.Everything && t.FieldOf(max(n.New, n.Old), apiserver.Owner) == ""
	},

	"step.cachesAwaited": func(m *moment) bool {
		n := int64(0)
		for _, i := range []int{m.y.Index(), m.controller().Config().Owns} {
			if i >= 0 && !m.after.Informers[i].HasSynced() {
				n++
			}
		}
		return m.is.PC == actor.WorkerStart && m.number("n") >= max(n, 1) && m.y.Work.Workers[0].Done == 0 && m.after.Set.ReadyAt(m.id) > m.after.Now()
	},
	"why.cachesAwaited": func(m *moment) bool { return !m.controller().Started && len(m.controller().Runs[0].Reads) == 0 },
	"step.cachesSyncedWarm": func(m *moment) bool {
		return m.y.Config().Warm && m.y.HasSynced() && !m.controller().Started && !m.elector(m.after).Leads && m.after.Set.ReadyAt(m.id) == actor.Never
	},
	"step.cachesSynced": func(m *moment) bool {
		return m.controller().Started && !m.x.Work.Controller.Started && m.y.HasSynced() && !slices.ContainsFunc(m.y.Work.Workers, func(o informer.Worker) bool { return m.after.Set.State(o.ID).PC != actor.WorkerGet })
	},
	"step.reconcilePanicked": func(m *moment) bool {
		return m.y.Crash() == nil && m.is.PC == actor.WorkerReconciled && m.run().Result == controller.Result{Failure: controller.Failed} && m.after.Revision(0) == m.before.Revision(0)
	},
	"why.reconcilePanicked": func(m *moment) bool { return m.controller().Config().Recovers },
	"step.reconcilePanickedEnds": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.x.Crash() == nil && m.y.Crash() != nil && m.dead()
	},
	"why.reconcilePanickedEnds": func(m *moment) bool { return !m.controller().Config().Recovers },
	"step.cacheStale": func(m *moment) bool {
		c := m.controller()
		return c.Guard.Remembers() && c.Runs[m.e.Worker()].Next < 0 && m.is.PC == actor.WorkerReconciled
	},
	"why.cacheStale": func(m *moment) bool {
		_, written := m.controller().Guard.Consistency.Written(m.e.Key)
		return len(written) > 0 && m.after.Revision(0) == m.before.Revision(0)
	},
	"step.readWaits": func(m *moment) bool { return m.is.Wait == actor.OnCall && m.after.Set.ReadyAt(m.id) == actor.Never },
	"why.readWaits": func(m *moment) bool {
		clients := &m.controller().Guard.Clients
		n := 0
		for i := range clients {
			n += len(clients[i].Minimums()) + len(clients[i].PendingDeletes())
		}
		return n > 0
	},
	"step.expectationsUnmet": func(m *moment) bool {
		e, is := m.controller().Guard.Expectations.GetExpectations(m.e.Key)
		return is && !e.Fulfilled() && max(e.Add, 0)+max(e.Del, 0) == m.number("n")
	},
	"why.expectationsUnmet": func(m *moment) bool { return m.controller().Runs[m.e.Worker()].Skips },
	"step.reconcileElsewhere": func(m *moment) bool {
		return m.readsElsewhere() && m.controller().Runs[m.e.Worker()].Obj != 0 && !m.worksForever()
	},
	"step.reconcileElsewhereGone": func(m *moment) bool {
		return m.readsElsewhere() && m.controller().Runs[m.e.Worker()].Obj == 0 && !m.worksForever()
	},
	"why.reconcileElsewhere": func(m *moment) bool {
		other := m.after.Informers[m.controller().Config().Reads-1]
		return other != m.y && other.Server != m.y.Server && other.Queue != m.y.Queue
	},
	"step.reconcileLive": func(m *moment) bool {
		return !m.worksForever() && m.controller().Guard.Kind == guard.Live && m.after.Simulated(m.y.Index()).Storage.Get(m.e.Key) == m.controller().Runs[m.e.Worker()].Obj
	},
	"step.reconcileMutation": func(m *moment) bool {
		_, is := m.cachedVersions()
		return !m.worksForever() && m.controller().Guard.Kind == guard.Mutation && m.controller().Runs[m.e.Worker()].Obj >= is
	},
	"step.childrenRead": func(m *moment) bool { return m.believed() == m.number("n") && m.believed() == m.exists() },
	"step.childrenReadOld": func(m *moment) bool {
		return m.believed() == m.number("n") && m.exists() == m.number("of") && m.believed() != m.exists()
	},
	"why.childrenReadOld": func(m *moment) bool { return m.believed() != m.exists() },
	"step.expectationsSetRefused": func(m *moment) bool {
		e, is := m.controller().Guard.Expectations.GetExpectations(m.e.Key)
		return is && m.fact(event.WriteAnswered) && m.number("reason") >= 400 && e.Timestamp == m.after.Now() && m.after.Revision(0) == m.before.Revision(0)
	},
	"step.expectationsSet": func(m *moment) bool {
		e, is := m.controller().Guard.Expectations.GetExpectations(m.y.Work.Workers[m.e.Worker()].Key)
		return is && m.fact(event.ObjectWritten) && (e.Add == m.number("n") || e.Del == m.number("n")) && e.Timestamp == m.after.Now()
	},
	"why.expectationsSet": func(m *moment) bool { return m.after.Revision(0) == m.before.Revision(0)+1 },
	"step.programAdds": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.addedObjects() == 1 && m.run().Batch.Size == 0
	},
	"step.programAddsInBatch": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.addedObjects() == 1 && int64(m.run().Batch.Size) == m.number("n") && m.run().Batch.Open < m.run().Batch.Size
	},
	"why.slowStart": func(m *moment) bool {
		n := m.run().Batch.Size
		return m.pc == actor.WorkerProgram && n > 0 && (n&(n-1) == 0 || m.run().Batch.Rest < n) // a power of two, or the last batch
	},
	"step.createsSkipped": func(m *moment) bool {
		return int64(m.x.Work.Controller.Runs[m.e.Worker()].Batch.Rest) == m.number("n") && m.run().Fails && m.addedObjects() == 0
	},
	"why.createsSkipped": func(m *moment) bool {
		a, is := m.x.Work.Controller.Guard.Expectations.GetExpectations(m.e.Key)
		b, _ := m.controller().Guard.Expectations.GetExpectations(m.e.Key)
		return is && a.Add-b.Add == m.number("n")
	},
	"step.ownerRead": func(m *moment) bool {
		s := m.after.Simulated(m.y.Index())
		t := m.y.Config().Table
		o := s.Storage.Get(m.e.Key)
		return o == m.e.New && t.Meta(o).UID == t.Meta(m.run().Obj).UID && t.FieldOf(o, apiserver.Deletion) == ""
	},
	"why.ownerRead": func(m *moment) bool {
		return m.x.Work.Controller.Runs[m.e.Worker()].Rechecked == replicaset.NotRechecked && m.run().Rechecked == replicaset.MayAdopt
	},
	"step.ownerReadGone": func(m *moment) bool { return m.after.Simulated(m.y.Index()).Storage.Get(m.e.Key) == 0 && m.run().Fails },
	"step.ownerReadOther": func(m *moment) bool {
		t := m.y.Config().Table
		o := m.after.Simulated(m.y.Index()).Storage.Get(m.e.Key)
		return o != 0 && t.Meta(o).UID != t.Meta(m.run().Obj).UID && m.run().Fails
	},
	"step.ownerReadDeleted": func(m *moment) bool {
		t := m.y.Config().Table
		o := m.after.Simulated(m.y.Index()).Storage.Get(m.e.Key)
		return t.Meta(o).UID == t.Meta(m.run().Obj).UID && t.FieldOf(o, apiserver.Deletion) != "" && m.run().Fails
	},
	"step.programAdopts": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.addedObjects() == 0 && m.old(apiserver.Owner) == "" && m.new(apiserver.Owner) == m.owner()
	},
	"step.programReleases": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.addedObjects() == 0 && m.old(apiserver.Owner) == m.owner() && m.new(apiserver.Owner) == ""
	},
	"step.programUpdates": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.addedObjects() == 0 && m.after.Revision(0) == m.before.Revision(0)+1 && m.old(apiserver.Owner) == m.new(apiserver.Owner)
	},
	"step.programDeletes": func(m *moment) bool { return m.pc == actor.WorkerProgram && m.addedObjects() == -1 },
	"step.writeAnswered": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.after.Revision(0) == m.before.Revision(0) && m.number("reason") >= 200
	},
	"step.outsideAcquired": func(m *moment) bool { return m.controller().Has(m.e.Key) && !m.x.Work.Controller.Has(m.e.Key) },
	"step.outsideReleased": func(m *moment) bool { return !m.controller().Has(m.e.Key) && m.x.Work.Controller.Has(m.e.Key) },
	"why.outsideReleased": func(m *moment) bool {
		t := m.y.Config().Table
		return t.FieldOf(m.controller().Runs[m.e.Worker()].Obj, apiserver.Deletion) != ""
	},
	"step.collectorDeletes": func(m *moment) bool { return m.collects(-1) && m.old(apiserver.Owner) != "" },
	"why.collectorDeletes": func(m *moment) bool {
		if m.pc != actor.CollectorLook {
			return false
		}
		t := m.y.Config().Table
		name, uid, _ := strings.Cut(m.old(apiserver.Owner), "#")
		for i := range m.after.Informers {
			for _, o := range m.before.Objects(i) {
				if x := t.Meta(o); t.Text(x.Name) == name && t.Text(x.UID) == uid {
					return t.Field(x.Labels, apiserver.Deletion) != "" // it waits
				}
			}
		}
		return true
	},
	"step.collectorFinishes": func(m *moment) bool {
		return m.collects(-1) && m.old(apiserver.Finalizers) != "" && m.old(apiserver.Owner) == ""
	},
	"step.collectorOrphans": func(m *moment) bool {
		return m.collects(0) && m.old(apiserver.Owner) != "" && m.new(apiserver.Owner) == ""
	},
	"step.collectorMarks": func(m *moment) bool {
		return m.collects(0) && m.old(apiserver.Deletion) == "" && m.new(apiserver.Deletion) != ""
	},
	"step.collectorDrops": func(m *moment) bool {
		return m.collects(0) && len(m.new(apiserver.Finalizers)) < len(m.old(apiserver.Finalizers)) && m.new(apiserver.Finalizers) != ""
	},
	"step.collectorNothing": func(m *moment) bool { return m.pc == actor.CollectorLook && len(m.facts) == 0 },
	"step.programEnds": func(m *moment) bool {
		i := m.after.Set.Role(m.id).Index
		return m.is.PC == actor.WorkerReconciled && m.controller().Runs[i].Result.Failure == 0 && m.x.Work.Controller.Runs[i].Next >= 0 // it had begun
	},
}

// collects holds if the garbage collector has made a write, after which there are so many
// objects more.
func (m *moment) collects(more int) bool {
	return m.role() == actor.Collector && m.addedObjects() == more
}

// old and new are a field of the object that was written.
func (m *moment) old(field string) string {
	t := m.y.Config().Table
	return t.FieldOf(m.e.Old, field)
}

func (m *moment) new(field string) string {
	t := m.y.Config().Table
	return t.FieldOf(m.e.New, field)
}

func (m *moment) controller() *reconciler.Controller { return m.y.Work.Controller }

// run is where the worker of the step stands in its program, and owner is what the children
// of its object have as their owner.
func (m *moment) run() *reconciler.Run { return &m.controller().Runs[m.after.Set.Role(m.id).Index] }

func (m *moment) owner() string {
	t := m.y.Config().Table
	owner := t.Meta(m.run().Obj)
	return t.Text(owner.Name) + "#" + t.Text(owner.UID)
}

// fed are the workqueue that the handler feeds, before and after the step.
func (m *moment) fed() (before, after *workqueue.RateLimiting) {
	if m.pc != actor.RunEnqueue {
		return new(workqueue.RateLimiting), new(workqueue.RateLimiting)
	}
	i := m.y.Config().Handlers[m.after.Set.Role(m.id).Index].Feeds.Informer
	return &m.before.Informers[i].Work.Queue, &m.after.Informers[i].Work.Queue
}

// believed is how many children the worker has read, and there how many the server has.
func (m *moment) believed() int64 { return int64(len(m.controller().Runs[m.e.Worker()].Children)) }

func (m *moment) exists() (n int64) {
	c, t := m.controller(), m.y.Config().Table
	for _, o := range m.after.Objects(c.Config().Owns) {
		if t.FieldOf(o, apiserver.Owner) == m.owner() {
			n++
		}
	}
	return n
}

// addedObjects is by how many objects the servers have more after the step.
func (m *moment) addedObjects() (n int) {
	for i := range m.after.Informers {
		if m.after.Replica(i) == 0 && m.after.Informers[i].Config().Part == 0 { // each process, and each namespace, has a connection to the same servers
			n += len(m.after.Objects(i)) - len(m.before.Objects(i))
		}
	}
	return n
}

// readsElsewhere holds if the reconcile has just read what the cache of another informer has of its key.
func (m *moment) readsElsewhere() bool {
	if !m.configuredElsewhere() {
		return false
	}
	o, _ := m.after.Informers[m.controller().Config().Reads-1].Indexer.GetByKey(m.e.Key)
	return o == m.controller().Runs[m.e.Worker()].Obj
}

// configuredElsewhere holds if the step's controller reads its objects from the cache of another informer.
func (m *moment) configuredElsewhere() bool {
	return m.y.Work.Controller != nil && m.y.Work.Controller.Config().Reads > 0
}
