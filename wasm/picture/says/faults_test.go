//go:build !js

package says

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// What can be wrong with a sentence beside its law.

// goroutines are those on which functions run, by the beginnings of the functions' names.
var goroutines = []struct {
	prefix string
	kinds  []actor.Kind
}{
	{"Reflector.resyncChan", []actor.Kind{actor.Resync}},
	{"Reflector.", []actor.Kind{actor.Reflector}},
	{"watchHandler", []actor.Kind{actor.Reflector}},
	{"handleAnyWatch", []actor.Kind{actor.Reflector}},
	{"rest.Request", []actor.Kind{actor.Reflector}},
	{"pager.", []actor.Kind{actor.Reflector}},
	{"wait.", []actor.Kind{actor.Reflector}},
	{"controller.processLoop", []actor.Kind{actor.Loop}},
	{"DeltaFIFO.Pop", []actor.Kind{actor.Loop}},
	{"RealFIFO.Pop", []actor.Kind{actor.Loop}},
	{"processDeltas", []actor.Kind{actor.Loop}},
	{"processReplacedAllInfo", []actor.Kind{actor.Loop}},
	{"threadSafeMap.", []actor.Kind{actor.Loop}},
	{"sharedProcessor.distribute", []actor.Kind{actor.Loop}},
	{"sharedProcessor.shouldResync", []actor.Kind{actor.Resync}},
	{"processorListener.add", []actor.Kind{actor.Loop, actor.User}},
	{"processorListener.pop", []actor.Kind{actor.Pop}},
	{"processorListener.run", []actor.Kind{actor.Run}},
	{"sharedIndexInformer.AddEventHandler", []actor.Kind{actor.User}},
	{"sharedIndexInformer.RemoveEventHandler", []actor.Kind{actor.User}},
	{"workqueue.delayingType.AddAfter", []actor.Kind{actor.Recorded}},
	{"workqueue.delayingType.waitingLoop", []actor.Kind{actor.Delaying}},
	{"workqueue.Type.Get", []actor.Kind{actor.Worker, actor.Recorded}},
	{"workqueue.Typed.Get", []actor.Kind{actor.Worker, actor.Recorded}},
	{"workqueue.Type.Add", []actor.Kind{actor.Run, actor.Recorded}},
	{"Reconcile", []actor.Kind{actor.Worker, actor.Recorded}},
	{"defaultCacheMutationDetector", []actor.Kind{actor.Detector}},
}

// wrongGoroutine returns who made the step, if the function beside the sentence
// runs on another goroutine, or belongs to a queue that the version doesn't
// have.
func wrongGoroutine(m *moment, fn string) string {
	in := m.y.Config().Profile.InOrder
	if in && strings.HasPrefix(fn, "DeltaFIFO.") || !in && strings.HasPrefix(fn, "RealFIFO.") {
		return "the wrong queue"
	}
	if m.id == actor.Nobody {
		return ""
	}
	for _, g := range goroutines {
		if strings.HasPrefix(fn, g.prefix) {
			if !slices.Contains(g.kinds, m.role()) {
				return m.role().String()
			}
			break
		}
	}
	return ""
}

// wrongFunction returns the function that a goroutine waits in for a lock, or in which a
// back-off ends, if that is another one than the one beside the sentence.
func wrongFunction(m *moment, fn string) string {
	want := fn
	switch e := m.facts; {
	case m.is.Wait == actor.OnLock && m.fact(event.LockWaits) && !m.fact(event.Popped):
		want = "sync.RWMutex.Lock"
		switch {
		case actor.LockID(m.is.Target) == actor.BlockDeltas:
			want = "sync.Mutex.Lock"
		case actor.LockID(m.is.Target) == actor.ListenersLock && (m.role() == actor.Loop || m.role() == actor.Processor):
			want = "sync.RWMutex.RLock"
		}
	case len(e) > 0 && e[0].Kind == event.BackoffEnded && m.is.Wait != actor.Stopped:
		want = fnBackoff.nameIn(&m.y.Config().Profile)
		if m.pc == actor.ReflectorRewatch {
			want = fnWatch.nameIn(&m.y.Config().Profile)
			if m.d.Reflector.Streaming() {
				want = string(fnStream)
			}
		}
	}
	if want == fn {
		return ""
	}
	return want
}

// withheld returns the reason that a row with the same sentence has and that holds, where
// the sentence is said without one, or with a lesser one.
func (m *moment) withheld(s *step, y *saying, all map[event.Kind][]*saying) string {
	if y.reason != "" && lesser["why."+y.reason] == "" {
		return ""
	}
	for _, z := range all[y.fact] {
		if z.id == y.id && z.reason != "" && z.reason != y.reason && m.holdsAs(s, z, "why."+z.reason) {
			return z.reason
		}
	}
	return ""
}

// untold are the changes that matter and that the step's sentence doesn't tell.
// Each kind has the sentences that tell of it.
func untold(m *moment, y *saying) (faults []string) {
	tells := func(what string, prefixes ...string) {
		for _, p := range prefixes {
			if strings.HasPrefix(y.id, p) {
				return
			}
		}
		faults = append(faults, what)
	}
	if m.x.Crash() == nil && m.y.Crash() != nil {
		tells("a panic", "crashed", "handlerPanicked", "objectMutated", "reconcilePanickedEnds")
	}
	ended := y.id == "crashed" || y.id == "informerStopped" || y.id == "reflectorReturns"
	for _, e := range m.facts {
		switch e.Kind {
		case event.WorkRequeued:
			tells("a requeue", "workDoneRequeued", "workDoneLimitedRequeued", "workDoneByHandRequeued", "recordedRequeued")
		case event.Requeued:
			tells("a requeue", "requeued", "retried", "hasSyncedRequeued")
		case event.WatchEventSkipped:
			if !ended {
				tells("a skipped event", "watchEventSkipped")
			}
		case event.HasSynced:
			tells("HasSynced", "hasSynced")
		case event.InformerHasSynced:
			tells("the informer's HasSynced", "hasSynced", "informerHasSynced")
		case event.HandlerHasSynced:
			if !ended && !strings.HasSuffix(y.reason, "Handlers") {
				tells("a handler's HasSynced", "handlerHasSynced")
			}
		case event.ProcessFailed:
			tells("a lost delta", "processFailed", "crashed")
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated:
			if e.Flags&event.Tombstone != 0 && y.reason != "missing" {
				faults = append(faults, "a tombstone")
			}
		case event.HandlerCalled, event.ListenerAddCh:
			if e.Flags&event.Tombstone != 0 && y.reason != "missing" {
				faults = append(faults, "a tombstone")
			}
		case event.VeryShortWatch:
			tells("a very short watch", "veryShortWatch", "reflectorReturns")
		case event.WorkReady:
			tells("a delay that is over", "workReady", "priorityWaited", "prioritySooner")
		case event.ResyncNotDue:
			tells("a resync that is not due", "resyncNotDue")
		case event.ObjectMutated:
			tells("a mutated object", "objectMutated")
		}
	}
	return faults
}

// rivals are the rows of the table by the fact that they tell, 0 for none.
func rivals() map[event.Kind][]*saying {
	out := map[event.Kind][]*saying{}
	for _, group := range sayings {
		for i := range group {
			out[group[i].fact] = append(out[group[i].fact], &group[i])
		}
	}
	return out
}

// lesser are sentences that are true where a rival is said, and why that one is said.
var lesser = map[string]string{
	"why.handlerTakes": "it says how long the call takes, and a reason for the call tells more",
}

// holdsAs reports whether the law of a sentence holds for the step, if the row told it.
func (m *moment) holdsAs(s *step, y *saying, id string) (holds bool) {
	e, args := m.e, m.args
	defer func() {
		m.e, m.args = e, args
		if recover() != nil { // it relies on what only its own fact has
			holds = false
		}
	}()
	m.e = s.fact(y.fact)
	m.args = s.arguments(y, m.e)
	return laws[id](m)
}
