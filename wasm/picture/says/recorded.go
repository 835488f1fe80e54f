package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// recordedSayings tell what a recorded controller does. What it did is recorded, and what comes of
// that in the workqueue and in the cache is the engine's: the sentences keep the two apart.
var recordedSayings = []saying{
	{id: "recordedLimited", fact: event.WorkDelayed, pc: actor.RecordedAct, also: event.WorkRateLimited, alsoFrom: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedKept", fact: event.WorkDelayKept, pc: actor.RecordedAct, also: event.WorkRateLimited, alsoFrom: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedNow", fact: event.WorkRateLimited, pc: actor.RecordedAct, fn: fnLimit},
	{id: "recordedDelayed", fact: event.WorkDelayed, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedDelayKept", fact: event.WorkDelayKept, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedAdded", fact: event.WorkAdded, pc: actor.RecordedAct, reason: "workAdded", fn: fnWorkAdd},
	{id: "recordedDirty", fact: event.WorkDirty, pc: actor.RecordedAct, reason: "workDirty", fn: fnWorkAdd},
	{id: "recordedDeferred", fact: event.WorkDeferred, pc: actor.RecordedAct, reason: "workDeferred", fn: fnWorkAdd},

	{id: "recordedOvertook", fact: event.WorkOvertook, reason: "recordedOvertook", fn: fnWorkGet},
	{id: "recordedMissing", fact: event.WorkMissing, reason: "recordedMissing", fn: fnWorkGet},
	{id: "recordedGot", fact: event.WorkGot, pc: actor.RecordedAct, fn: fnWorkGet},
	{id: "recordedBeganGone", fact: event.ReconcileStarted, pc: actor.RecordedAct, when: func(_ *step, e event.Event) bool { return e.New == 0 }, fn: "Reconcile"},
	{id: "recordedBegan", fact: event.ReconcileStarted, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedWrites", fact: event.WriteSent, reason: "recordedWrites"},
	{id: "recordedUnanswered", fact: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() == 0 }, reason: "recordedUnanswered"},
	{id: "recordedAccepted", fact: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() < 300 }},
	{id: "recordedRefused", fact: event.WriteReturned},
	{id: "recordedEnded", fact: event.ReconcileEnded, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedFailed", fact: event.ReconcileFailed, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedRequeued", fact: event.WorkRequeued, pc: actor.RecordedAct, reason: "workRequeued", fn: fnWorkDone},
	{id: "recordedDone", fact: event.WorkDone, pc: actor.RecordedAct, fn: fnWorkDone},
	{id: "recordedForgot", fact: event.WorkForgotten, pc: actor.RecordedAct},
	{id: "recordedShut", fact: event.WorkShutDown, pc: actor.RecordedAct},
	{id: "recordedIgnored", pc: actor.RecordedAct, when: silent},
}
