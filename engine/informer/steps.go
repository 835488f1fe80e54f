package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// step does what pc says for the actor id, and returns what the actor does
// next. It reports whether the actor has finished what it was doing.
type step func(x *Informer, s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool)

// program is what each program counter does.
type program [actor.NumPC]step

// programs has the program of an informer that was run once, and the program of one that
// was run more than once. An actor that only receives has no step: the sender moves its
// program counter on.
var programs = [2]program{{
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
	actor.ProcessorRun:    stepProcessor,
	actor.RecordedAct:     stepRecorded,
}}

const alone, beside = 0, 1 // in programs

func init() {
	for pc := range programs[beside] {
		programs[beside][pc] = (*Informer).stepBeside
	}
}

// stepBeside is any step where there are several controllers. Meanwhile the
// actor's own controller takes the first one's place.
func (x *Informer) stepBeside(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	k := x.of(s, id)
	x.swap(k)
	finished = programs[alone][pc](x, s, id, pc, log)
	x.swap(k)
	return finished
}

// Step moves the actor id, which is one of x's and can move, to its next visible
// point by doing pc. It reports whether the actor has finished what it was doing:
// an event taken in, a Pop, a handler call.
func (x *Informer) Step(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	return programs[x.program][pc](x, s, id, pc, log)
}
