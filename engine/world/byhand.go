package world

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// Returned holds the results of a call by hand. It is not part of the state.
type Returned struct {
	Deltas   []fifo.Delta // of QueuePop and QueuePopFails: what was popped
	Err      error
	ShutDown bool // of WorkGet: the workqueue is shut down and empty
}

// callByHand makes the call of a program that uses one station of x alone.
func (w *World) callByHand(x *informer.Informer, c *Command) {
	if c.Kind >= NotifyAdd {
		w.callDistribute(x, c)
		return
	}
	w.hands = true
	if c.Kind >= WorkAdd {
		w.callWork(x, c)
		w.turnLoop(x)
		return
	}
	w.Returned.Err = w.callQueue(x, c)
}

func (w *World) callQueue(x *informer.Informer, c *Command) error {
	q, log := x.Queue, &w.Log
	switch c.Kind {
	case QueueAdd:
		return q.Add(fifo.Object(c.Refs[0]), log)
	case QueueUpdate:
		return q.Update(fifo.Object(c.Refs[0]), log)
	case QueueDelete:
		return q.Delete(fifo.Object(c.Refs[0]), log)
	case QueueReplace:
		q.BeginReplace(c.Refs, object.NumberRV(uint64(c.N)))
		return untilDone(q.StepReplace, log)
	case QueueResync:
		q.BeginResync()
		return untilDone(q.StepResync, log)
	case QueueClose:
		q.Close(log)
	case QueueRetry:
		return q.AddIfNotPresent(w.popped, log)
	case QueueUnknown:
		q.(*fifo.DeltaFIFO).SetKnownObjects(nil)
	default:
		return w.popByHand(x, c.Kind)
	}
	return nil
}

func untilDone(step func(*event.Log) (bool, error), log *event.Log) error {
	for {
		if done, err := step(log); done || err != nil {
			return err
		}
	}
}

// processError is what a process function returns that fails and wants no requeue.
type processError struct{}

func (processError) Error() string { return "the process function failed" }

// popByHand is Pop. What it pops is written to the indexer. If the process function
// fails, it is put back, or lost.
func (w *World) popByHand(x *informer.Informer, how CommandKind) (err error) {
	deltas, ok := x.Queue.Pop(nil, &w.Log)
	w.Returned.Deltas = deltas
	if !ok {
		return nil
	}
	w.popped = slices.Clone(deltas)
	switch how {
	case QueuePopErrs:
		err = processError{}
	case QueuePopFails:
		err = x.Queue.AddIfNotPresent(deltas, &w.Log)
	default:
		for _, d := range deltas {
			x.Processor.Print(processor.Printed{At: w.Set.Now, Listener: processor.ByProcess, Delta: d.Type, Key: d.Key, New: d.Obj})
			if e := apply(x, d, &w.Log); e != nil {
				err = e
			}
		}
	}
	x.Queue.Processed(&w.Log)
	return err
}

// apply is the process function that writes a delta to the indexer.
func apply(x *informer.Informer, d fifo.Delta, log *event.Log) error {
	switch d.Type {
	case event.Bookmark, event.SyncAll:
		return nil
	case event.ReplacedAll:
		list, rv := x.Queue.List(d)
		return x.Indexer.Replace(list, rv, log)
	case event.Deleted:
		return x.Indexer.Delete(d.Key, x.Config().Table.RVOf(d.Obj), d.Tomb == 0, log)
	}
	return x.Indexer.Update(d.Stored(x.Config().Table), log)
}

func (w *World) callWork(x *informer.Informer, c *Command) {
	q, k, now, log := &x.Work.Queue, c.Object.Key, w.Set.Now, &w.Log
	switch c.Kind {
	case WorkAdd:
		q.Add(k, log)
	case WorkAddAfter:
		q.AddAfter(k, c.N, now, log)
	case WorkAddRateLimited:
		q.AddRateLimited(k, now, log)
	case WorkGet:
		_, how := q.Get(0, log)
		w.Returned.ShutDown = how == workqueue.ShutDown
	case WorkDone:
		q.Done(k, 0, log)
	case WorkForget:
		q.Forget(k, log)
	case WorkWait:
		w.Set.Now += c.N
		log.Emit(event.Event{Kind: event.TimePassed, N: w.Set.Now})
	case WorkShutDown:
		q.ShutDown(log)
	case WorkShutDownWithDrain:
		q.ShutDownWithDrain(log)
	}
}

// calls reports whether a program that uses a queue of x alone may call it.
func (w *World) calls(x *informer.Informer) bool { return !w.moved && !x.Distributes() }

// notifies reports whether a program that uses the processor of x alone may call it.
func (w *World) notifies(x *informer.Informer) bool {
	return x.Distributes() && x.Crash() == nil || !w.moved && !w.hands && len(w.Informers) == 1
}

func (w *World) callDistribute(x *informer.Informer, c *Command) {
	n := processor.Notification{Key: x.Config().Table.KeyOf(c.Refs[0]), New: c.Refs[0], Type: processor.Add}
	switch c.Kind {
	case NotifyUpdate:
		n.Type, n.Old = processor.Update, c.Refs[1]
	case NotifyDelete:
		n.Type, n.Old, n.New = processor.Delete, n.New, 0
	}
	x.Distribute(&w.Set, n, &w.Log)
}

// turnLoop lets waitingLoop handle the items that it was sent, and those that have
// become ready.
func (w *World) turnLoop(x *informer.Informer) {
	for q := &x.Work.Queue; q.LoopReady(w.Set.Now); {
		q.LoopTurn(w.Set.Now, &w.Log)
	}
}
