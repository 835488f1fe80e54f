package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
)

// prioritySayings tell what a controller's priority queue does.
var prioritySayings = []saying{
	{id: "keyBufferedOld", fact: event.WorkBuffered, pc: actor.RunEnqueue, when: judgedByAge, reason: "keyBufferedOld"},
	{id: "keyBufferedLow", fact: event.WorkBuffered, pc: actor.RunEnqueue, when: func(_ *step, e event.Event) bool { return e.Priority() < 0 }, reason: "keyBufferedLow"},
	{id: "keyBuffered", fact: event.WorkBuffered, pc: actor.RunEnqueue},
	{id: "keyFiltered", pc: actor.RunEnqueue, when: filtered, reason: "keyFiltered"},
	{id: "keyUnnamed", pc: actor.RunEnqueue, when: func(s *step, _ event.Event) bool { return len(s.facts) == 0 && s.feed().Label != "" }},

	{id: "priorityGot", fact: event.WorkGot, pc: actor.PriorityReady},
	{id: "priorityWaited", fact: event.WorkReady, pc: actor.PriorityWaiting, alsoFrom: event.WorkQueued, when: byPriority, reason: "priorityWaited"},
	{id: "priorityWaited", fact: event.WorkReady, pc: actor.PriorityWaiting, alsoFrom: event.WorkQueued, reason: "priorityPutOff"},
	{id: "priorityRaised", fact: event.WorkRaised, when: byPriority, reason: "priorityRaised"},
	{id: "priorityRaised", fact: event.WorkRaised},
	{id: "prioritySooner", fact: event.WorkReady, when: notDelayed, reason: "priorityPutOff"},
	{id: "priorityLimited", fact: event.WorkRateLimited, pc: actor.PriorityAdd, also: event.WorkDelayed, alsoFrom: event.WorkDelayed, reason: "priorityLimited"},
	{id: "priorityLimitedReady", fact: event.WorkRateLimited, pc: actor.PriorityAdd, also: event.WorkKept, reason: "priorityLimitedReady"},
	{id: "priorityDelayed", fact: event.WorkDelayed, pc: actor.PriorityAdd},
	{id: "priorityKept", fact: event.WorkKept},
	{id: "priorityQueued", fact: event.WorkQueued},
	{id: "priorityNothing", role: actor.AddBuffer, when: silent},
	{id: "priorityNothing", role: actor.ReadyItems, when: silent},

	{id: "priorityGets", pc: actor.WorkerGet, next: actor.WorkerReceive},
	{id: "priorityHandsBack", fact: event.WorkBuffered, pc: actor.WorkerDone, alsoFrom: event.WorkUnlocked},
	{id: "workGivenUp", fact: event.WorkDone, pc: actor.WorkerDone, without: event.WorkForgotten, when: notRetried, reason: "workGivenUp"},
	{id: "workGivenUp", fact: event.WorkUnlocked, without: event.WorkForgotten, reason: "workGivenUp"},
	{id: "priorityDone", fact: event.WorkUnlocked},
	{id: "programFails", pc: actor.WorkerProgram, next: actor.WorkerReconciled, when: fails},
	{id: "programPrioritises", pc: actor.WorkerProgram, next: actor.WorkerProgram, when: silent, reason: "programPrioritises"},
}

// judgedByAge holds if the handler has given a low priority to an object because it is old.
func judgedByAge(s *step, e event.Event) bool {
	own := s.w.Informers[s.feed().Informer]
	return e.Priority() < 0 && own.Work.Controller.Config().JudgesByAge && s.x.HandlerNotification(s.role).Type == processor.Add
}

// byPriority holds if delays don't order the keys of the queue that are ready.
func byPriority(s *step, _ event.Event) bool {
	return s.x.Work.Priority.Queue.Order() == priorityqueue.ByPriority
}

// notDelayed holds if a key that was ready already isn't put off any more.
func notDelayed(s *step, _ event.Event) bool {
	return s.x.Work.Priority != nil && s.pc != actor.PriorityWaiting
}

// feed returns how the handler of the step feeds a controller.
func (s *step) feed() *informer.Feed { return s.x.Config().Handlers[s.role.Index].Feeds }

// filtered holds if a predicate has kept the handler from its key.
func filtered(s *step, _ event.Event) bool {
	return len(s.facts) == 0 && !s.feed().Predicate.Passes(s.x.Config().Table, s.x.HandlerNotification(s.role))
}

// fails holds if the program ends with an error that it makes itself.
func fails(s *step, _ event.Event) bool {
	return len(s.facts) == 0 && s.x.Work.Controller.Runs[s.role.Index].Result.Failure != controller.NoError
}

// notRetried holds if the key isn't added again, and its failures stay.
func notRetried(s *step, _ event.Event) bool { return !s.has(event.WorkRateLimited) }
