package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// recordedSayings tell what a recorded controller does. What it did is recorded, and what comes of
// that in the workqueue and in the cache is the engine's: the sentences keep the two apart.
var recordedSayings = []saying{
	{id: "recordedLimited", of: event.WorkDelayed, pc: actor.RecordedAct, also: event.WorkRateLimited, with: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedKept", of: event.WorkDelayKept, pc: actor.RecordedAct, also: event.WorkRateLimited, with: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedNow", of: event.WorkRateLimited, pc: actor.RecordedAct, fn: fnLimit},
	{id: "recordedDelayed", of: event.WorkDelayed, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedDelayKept", of: event.WorkDelayKept, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedAdded", of: event.WorkAdded, pc: actor.RecordedAct, why: "workAdded", fn: fnWorkAdd},
	{id: "recordedDirty", of: event.WorkDirty, pc: actor.RecordedAct, why: "workDirty", fn: fnWorkAdd},
	{id: "recordedDeferred", of: event.WorkDeferred, pc: actor.RecordedAct, why: "workDeferred", fn: fnWorkAdd},

	{id: "recordedOvertook", of: event.WorkOvertook, why: "recordedOvertook", fn: fnWorkGet},
	{id: "recordedMissing", of: event.WorkMissing, why: "recordedMissing", fn: fnWorkGet},
	{id: "recordedGot", of: event.WorkGot, pc: actor.RecordedAct, fn: fnWorkGet},
	{id: "recordedBeganGone", of: event.ReconcileStarted, pc: actor.RecordedAct, when: func(_ *step, e event.Event) bool { return e.New == 0 }, fn: "Reconcile"},
	{id: "recordedBegan", of: event.ReconcileStarted, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedWrites", of: event.WriteSent, why: "recordedWrites"},
	{id: "recordedUnanswered", of: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() == 0 }, why: "recordedUnanswered"},
	{id: "recordedAccepted", of: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() < 300 }},
	{id: "recordedRefused", of: event.WriteReturned},
	{id: "recordedEnded", of: event.ReconcileEnded, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedFailed", of: event.ReconcileFailed, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedRequeued", of: event.WorkRequeued, pc: actor.RecordedAct, why: "workRequeued", fn: fnWorkDone},
	{id: "recordedDone", of: event.WorkDone, pc: actor.RecordedAct, fn: fnWorkDone},
	{id: "recordedForgot", of: event.WorkForgotten, pc: actor.RecordedAct},
	{id: "recordedShut", of: event.WorkShutDown, pc: actor.RecordedAct},
	{id: "recordedIgnored", pc: actor.RecordedAct, when: silent},
}
