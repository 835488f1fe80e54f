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

// caller is a program that uses one station of an informer alone.
type caller struct {
	w *Driver
	x *informer.Informer
}

func (p caller) call(c *Command) {
	if c.Kind >= NotifyAdd {
		p.distribute(c)
		return
	}
	p.w.hands = true
	if c.Kind >= WorkAdd {
		p.work(c)
		p.turnLoop()
		return
	}
	p.w.Returned.Err = p.queue(c)
}

func (p caller) queue(c *Command) error {
	q, log := p.x.Queue, &p.w.Log
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
		return q.AddIfNotPresent(p.w.popped, log)
	case QueueUnknown:
		q.(*fifo.DeltaFIFO).ForgetKnownObjects()
	default:
		return p.pop(c.Kind)
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

// pop calls Pop. What it pops is written to the indexer. If the process function
// fails, it is put back, or lost.
func (p caller) pop(how CommandKind) (err error) {
	x := p.x
	deltas, ok := x.Queue.Pop(nil, &p.w.Log)
	p.w.Returned.Deltas = deltas
	if !ok {
		return nil
	}
	p.w.popped = slices.Clone(deltas)
	switch how {
	case QueuePopErrs:
		err = processError{}
	case QueuePopFails:
		err = x.Queue.AddIfNotPresent(deltas, &p.w.Log)
	default:
		for _, d := range deltas {
			x.Processor.Print(processor.Printed{Time: p.w.Set.Now, Listener: processor.ByProcess, Delta: d.Type, Key: d.Key, New: d.Obj})
			if e := apply(x, d, &p.w.Log); e != nil {
				err = e
			}
		}
	}
	x.Queue.Processed(&p.w.Log)
	return err
}

// apply does what the process function does that writes a delta to the indexer.
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

func (p caller) work(c *Command) {
	q, k, now, log := &p.x.Work.Queue, c.Object.Key, p.w.Set.Now, &p.w.Log
	switch c.Kind {
	case WorkAdd:
		q.Add(k, log)
	case WorkAddAfter:
		q.AddAfter(k, c.N, now, log)
	case WorkAddRateLimited:
		q.AddRateLimited(k, now, log)
	case WorkGet:
		_, how := q.Get(0, log)
		p.w.Returned.ShutDown = how == workqueue.ShutDown
	case WorkDone:
		q.Done(k, 0, log)
	case WorkForget:
		q.Forget(k, log)
	case WorkWait:
		p.w.Set.Now += c.N
		log.Emit(event.Event{Kind: event.TimePassed, N: p.w.Set.Now})
	case WorkShutDown:
		q.ShutDown(log)
	case WorkShutDownWithDrain:
		q.ShutDownWithDrain(log)
	}
}

// callable reports whether a program that uses a queue alone may call it.
func (w *World) callable(x *informer.Informer) bool { return !w.moved && !x.Distributes() }

// distributable reports whether a program that uses the processor alone may call it.
func (w *World) distributable(x *informer.Informer) bool {
	return x.Distributes() && x.Crash() == nil || !w.moved && !w.hands && len(w.Informers) == 1
}

func (p caller) distribute(c *Command) {
	n := processor.Notification{Key: p.x.Config().Table.KeyOf(c.Refs[0]), New: c.Refs[0], Type: processor.Add}
	switch c.Kind {
	case NotifyUpdate:
		n.Type, n.Old = processor.Update, c.Refs[1]
	case NotifyDelete:
		n.Type, n.Old, n.New = processor.Delete, n.New, 0
	}
	p.x.Distribute(&p.w.Set, n, &p.w.Log)
}

// turnLoop lets waitingLoop handle the items that it was sent, and those that have
// become ready.
func (p caller) turnLoop() {
	for q := &p.x.Work.Queue; q.LoopReady(p.w.Set.Now); {
		q.LoopTurn(p.w.Set.Now, &p.w.Log)
	}
}
