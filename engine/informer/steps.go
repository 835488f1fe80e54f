package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
)

// step does what pc says for the actor id, and returns what the actor does
// next. It reports whether the actor has finished what it was doing.
type step func(x *Informer, s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool)

// A program has the step of each program counter. An actor that only receives has none: the
// sender moves its program counter on.
type program [actor.NumPC]step

// singleProgram is the program of an informer with one controller.
var singleProgram = program{
	actor.UserRun:      (*Informer).stepUser,
	actor.UserAdd:      (*Informer).stepUser,
	actor.UserInitial:  (*Informer).stepUser,
	actor.UserReleases: (*Informer).stepUser,

	actor.ReflectorList:     (*Informer).stepReflector,
	actor.ReflectorListed:   (*Informer).stepReflector,
	actor.ReflectorReplace:  (*Informer).stepReflector,
	actor.ReflectorReplaces: (*Informer).stepReflector,
	actor.ReflectorReplaced: (*Informer).stepReflector,
	actor.ReflectorWatch:    (*Informer).stepReflector,
	actor.ReflectorOpened:   (*Informer).stepReflector,
	actor.ReflectorReceive:  (*Informer).stepReflector,
	actor.ReflectorEnqueue:  (*Informer).stepReflector,
	actor.ReflectorRV:       (*Informer).stepReflector,
	actor.ReflectorRewatch:  (*Informer).stepReflector,
	actor.ReflectorBackoff:  (*Informer).stepReflector,
	actor.RequestRetry:      (*Informer).stepReflector,

	actor.ResyncFire:  (*Informer).stepResync,
	actor.ResyncStart: (*Informer).stepResync,
	actor.ResyncKey:   (*Informer).stepResync,

	actor.LoopPop:        (*Informer).pop,
	actor.LoopBlock:      (*Informer).block,
	actor.LoopStore:      (*Informer).store,
	actor.LoopLock:       (*Informer).distribute,
	actor.LoopDistribute: (*Informer).distribute,
	actor.LoopRelease:    (*Informer).release,

	actor.PopNext:   (*Informer).popNext,
	actor.RunCall:   (*Informer).runCall,
	actor.RunWork:   (*Informer).runWork,
	actor.RunReturn: (*Informer).runReturn,

	actor.DelayingFire:     (*Informer).stepDelaying,
	actor.WorkerGet:        (*Informer).stepWorker,
	actor.WorkerReconcile:  (*Informer).stepWorker,
	actor.WorkerReconciled: (*Informer).stepWorker,
	actor.WorkerDone:       (*Informer).stepWorker,

	actor.PriorityAdd:     (*Informer).stepPriority,
	actor.PriorityReady:   (*Informer).stepPriority,
	actor.PriorityWaiting: (*Informer).stepPriority,

	actor.DetectorCompare: (*Informer).stepDetector,
	actor.ProcessorRun:    (*Informer).stepProcessor,
	actor.RecordedAct:     (*Informer).stepRecorded,
}

// severalProgram is the program of an informer with several controllers.
var severalProgram program

func init() { // an initializer would refer to itself through stepBeside
	for pc := range severalProgram {
		severalProgram[pc] = (*Informer).stepBeside
	}
}

// stepBeside makes a step with the controller of the actor in the first one's place.
func (x *Informer) stepBeside(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	k := x.numberOf(id)
	x.swap(k)
	finished = singleProgram[pc](x, s, id, pc, log)
	x.swap(k)
	return finished
}

// Step moves the actor id, which is one of x's and can move, to its next visible
// point by doing pc. It reports whether the actor has finished what it was doing:
// an event taken in, a Pop, a handler call. It is called in each step of a world, and
// inlined there.
func (x *Informer) Step(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	return x.program[pc](x, s, id, pc, log)
}

func (x *Informer) stepWorker(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	w, i := &x.Work, s.Role(id).Index
	switch pc {
	case actor.WorkerGet:
		w.get(s, i, log)
	case actor.WorkerReconcile:
		w.reconcile(s, i, x.Indexer, x.cfg.WorkTime, log)
	case actor.WorkerReconciled:
		w.reconciled(s, i, x.cfg, x.Server, log)
	default: // WorkerDone
		return w.done(s, i, log)
	}
	return false
}

// stepDelaying makes one turn of waitingLoop.
func (x *Informer) stepDelaying(s *actor.Set, _ actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	x.Work.delay(s, log)
	return true
}

// stepPriority makes a turn of one of the priority queue's goroutines.
func (x *Informer) stepPriority(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	w := &x.Work
	w.Priority.Turn(s, id, pc, log, func(worker int16, item priorityqueue.Item) { w.begin(s, worker, item.Key, item.Priority) })
	return true
}

// Idle reports whether the actor waits for a timer that changes nothing. There are three
// such timers: the resync timer, the mutation detector's while no object was altered,
// and the delaying queue's while each key that waits is sure to fail again. They fire
// for ever.
func (x *Informer) Idle(s *actor.Set, id actor.ID) bool {
	switch st := s.State(id); {
	case st.Wait != actor.OnTimer:
		return false
	case st.PC == actor.DetectorCompare:
		_, found := x.detector.altered(x.cfg.Table, x.Indexer)
		return !found
	case st.PC == actor.DelayingFire, st.PC == actor.PriorityWaiting:
		return x.Work.failsForEver()
	}
	return s.Role(id).Kind == actor.Resync
}

// Local reports whether the next step of id, which is one of x's, commutes with every
// other actor's. This holds for listeners, because a sender and the
// receiver that waits for it are all that share something. It holds for the
// reflector while it only reads the wire, and for the process loop between its
// locks, if nobody reads the store meanwhile.
func (x *Informer) Local(s *actor.Set, id actor.ID) bool {
	if x.several() {
		return false // there are more senders, receivers, and writers of the store
	}
	switch s.State(id).PC {
	case actor.RunReturn: // unless it ends the process
		return !x.life.stopping && !x.cfg.Handlers[s.Role(id).Index].Panics
	case actor.PopNext, actor.ReflectorListed, actor.ReflectorOpened, actor.ReflectorRV:
		return !x.life.stopping
	case actor.ReflectorReceive:
		// A resync can fail where there is a transformer, and ends the watch.
		return !x.life.stopping && (x.cfg.Transform == nil || s.State(x.resync).Wait == actor.Stopped)
	case actor.WorkerReconciled:
		return !x.life.stopping && x.cfg.WritesBack == nil
	case actor.RunCall:
		// A call that takes its time reads the clock.
		r := s.Role(id)
		l := &x.Processor.Listeners[r.Index]
		return !x.life.stopping && x.cfg.Handlers[r.Index].duration(l.Calls) == 0
	case actor.LoopLock, actor.LoopDistribute:
		return !x.life.stopping && !x.life.unstarted && s.State(x.resync).Wait == actor.Stopped
	case actor.LoopStore:
		return !x.life.stopping && s.State(x.resync).Wait == actor.Stopped && !x.worked() && !x.cfg.Read
	}
	return false
}

// Reconciles reports whether a handler feeds the workqueue, and workers take from it, or a
// recorded controller did.
func (x *Informer) Reconciles() bool { return !x.alone && x.worked() }

// worked reports whether workers read the store.
func (x *Informer) worked() bool {
	return len(x.Work.Workers) > 0 && (x.cfg.Recorded != nil || x.cfg.feeds())
}
