package driver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
)

// pipeFamily plays pipe.*: an informer that nobody answers. The script fills its
// queue, and says when its process loop calls Pop.
type pipeFamily struct {
	infFamily
	q queue
}

func (f *pipeFamily) run(verb string, l *line, out output) {
	switch {
	case verb == "new":
		f.openPipe(l, out)
		f.print(out)
		delete(out, "notify")
		return
	case !f.ready():
		out["err"] = "no queue"
		return
	case verb == "pop":
		f.pop(l, out)
	case !f.q.run(verb, l, out):
		f.s.run(verb, l, out)
	}
	f.print(out)
}

func (f *pipeFamily) advance(_ int64, out output) { f.print(out) }

// openPipe starts an informer with one handler. Its reflector waits for a list,
// and its process loop for somebody to fill the queue.
func (f *pipeFamily) openPipe(l *line, out output) {
	f.open(&line{Indexers: l.Indexers, Xform: l.Xform}, out)
	f.addHandler(&line{}, out)
	f.w.Set.Schedule(f.user(), actor.UserRun)
	f.settle(f.w.Now())
	f.q = queue{objects: f.s.objects, fifo: f.x.Queue, bookmarks: f.d.profile.RealFIFO.Atomic}
	out["queueType"] = "*cache.DeltaFIFO"
	if _, real := f.x.Queue.(*fifo.RealFIFO); real {
		out["queueType"] = "*cache.RealFIFO"
	}
}

// pop lets the process loop call Pop or PopBatch once, and the handler hear what
// comes of it.
func (f *pipeFamily) pop(l *line, out output) {
	_, _, _, loop := f.x.Actors()
	set := &f.w.Set
	switch {
	case f.panicked:
		return
	case f.x.Queue.Depth() == 0:
		f.q.printEmpty(out)
		return
	}
	f.x.Config().Profile.Batch = l.Batch && f.d.profile.Batch
	set.Schedule(loop, actor.LoopPop)
	f.h.Choose(loop)
	deltas, _ := f.x.Popped()
	f.q.popped(deltas, f.d.profile.InitialList, out)
	for set.State(loop).PC != actor.LoopPop && !f.panicked {
		f.h.Choose(loop)
		for _, e := range f.w.Log.Events {
			switch {
			case e.Kind != event.ProcessFailed:
			case f.d.profile.TransformsLate:
				out["err"] = "TransformError"
			default: // the queue has transformed, so there was no key
				out["err"] = "KeyError"
			}
		}
		f.look()
	}
	if !f.panicked {
		set.Block(loop, actor.LoopPop, actor.OnCond, 0)
	}
	f.settle(f.w.Now())
}

func (f *pipeFamily) print(out output) {
	if f.panicked {
		out["panic"] = "unable to calculate an index entry"
	}
	out["notify"] = f.handlers[0].take(false)
	out["state"] = f.q.state()
	out["store"] = f.s.state(f.d.storeRV())
}
