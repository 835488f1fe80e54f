package manager

import (
	"cmp"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// reconcile is a step of a worker in the program of its controller.
type reconcile struct {
	d   Driver
	x   *informer.Informer // the controller's own
	c   *reconciler.Controller
	o   *informer.Worker
	run *reconciler.Run
	n   int16 // the worker's number
}

func (r *reconcile) table() *object.Table { return r.x.Config().Table }

// owns returns the number of the informer that has the children, less than 0 for none.
func (r *reconcile) owns() int { return r.d.PartOf(r.c.Config().Owns, r.o.Key) }

// informerOf returns the number of the informer of one of the controller's resources.
func (r *reconcile) informerOf(resource int) int {
	if resource == guard.Children {
		return r.owns()
	}
	return r.x.Index()
}

func (r *reconcile) emit(e event.Event) {
	e.Listener, e.Key = r.n, r.o.Key
	r.d.Log.Emit(e)
}

// roundTrip returns how long a request and its answer take.
func (r *reconcile) roundTrip() int64 { return cmp.Or(r.c.Config().RoundTrip, roundTrip) }

// scheduleNext lets the worker make its next step, after a request or without one.
func (r *reconcile) scheduleNext(requested bool) {
	if requested {
		r.d.Set.Sleep(r.o.ID, actor.WorkerProgram, actor.OnCall, r.d.Set.Now+r.roundTrip())
		return
	}
	r.d.Set.Schedule(r.o.ID, actor.WorkerProgram)
}

func (r *reconcile) ends(result controller.Result) {
	if r.run.Fails && result.Failure == controller.NoError {
		result = controller.Result{Failure: controller.Failed}
	}
	result.HasPriority, result.Priority = r.run.Result.HasPriority, r.run.Result.Priority
	r.run.Result = result
	r.d.Set.Schedule(r.o.ID, actor.WorkerReconciled)
}

// fails ends the reconcile with an error, when the request under way has failed.
func (r *reconcile) fails() {
	r.run.Result.Failure = controller.Failed
	r.d.Set.Sleep(r.o.ID, actor.WorkerReconciled, actor.OnCall, r.d.Set.Now+r.roundTrip())
}

// readFails ends the reconcile with an error if its next read is one of the API server, and
// doesn't reach it.
//
//go:noinline
func (r *reconcile) readFails() bool {
	failed := r.c.Guard.Kind == guard.Live && r.unreached()
	if failed {
		r.fails()
	}
	return failed
}

// unreached reports whether the request that the program sends doesn't reach the API server.
//
//go:noinline
func (r *reconcile) unreached() bool {
	cut := r.d.Unreachable(r.x.Index())
	if cut {
		r.d.Log.Add(event.Unreached).Key = r.o.Key
	}
	return cut
}

func (r *reconcile) value(t program.Term) string {
	switch t.Kind {
	case program.Field:
		return r.field(t.Text)
	case program.Children:
		return number(len(r.run.Children) + r.run.Created)
	case program.Finished:
		n := 0
		for _, o := range r.run.Children {
			if r.table().FieldOf(o, ".status.phase") == "Succeeded" {
				n++
			}
		}
		return number(n)
	case program.Deleting:
		if r.field(apiserver.Deletion) != "" {
			return "1"
		}
		return "0"
	case program.Outside:
		if r.c.Has(r.o.Key) {
			return "1"
		}
		return "0"
	}
	return t.Text
}

// field returns a field of the object, as it was read or written last.
func (r *reconcile) field(name string) string {
	return r.table().FieldOf(r.run.Obj, name)
}

func number(n int) string { return strconv.Itoa(n) }
