package says

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/internal/words"
)

// moment is a step as the laws see it: the world on both sides of it, and what was said.
type moment struct {
	before, after *world.World
	x, y          *informer.Informer   // the step's, before and after
	c, d          *informer.Controller // the acting goroutine's, before and after
	fifo, unlocks *actor.Lock          // of the queue of that controller, before and after
	id            actor.ID
	was, is       actor.State // of the acting goroutine
	pc            actor.PC    // what it did
	facts         []event.Event
	e             event.Event // the fact that the sentence is about
	args          map[string]link.Arg
	past          *past
}

// past is what the laws remember of the steps before.
type past struct {
	missing  map[int]map[object.Key]bool // by informer: keys that a list has missed
	refused  map[actor.ID]bool           // reflectors whose resourceVersion the server has refused since their last list
	taken    map[actor.ID]int64          // by reflector: events that it has taken from its watch, since the streaming list if there was one
	streamed map[actor.ID]bool           // reflectors whose watch has brought a streaming list
	stopped  map[int]bool                // informers whose stop channel is closed
	sent     map[delivery]event.Delta    // the delta of which a notification was made
}

// delivery is a notification for a listener.
type delivery struct {
	informer, listener int
	old, new           object.Ref
}

// law is a predicate that must hold whenever a sentence is said.
type law func(*moment) bool

// laws has the laws of all sentences. A law sees only the worlds, so it can't
// choose the sentence as the table does.
var laws = merged(endLaws, outsideLaws, handLaws, userLaws, reflectorLaws, watchLaws, queueLaws, resyncLaws, loopLaws, storeLaws, listenerLaws, workLaws, lockLaws)

func merged(all ...map[string]law) map[string]law {
	out := map[string]law{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// ids are the sentences of the table, in its order.
func ids() (out []string) {
	for _, group := range sayings {
		for _, y := range group {
			out = append(out, "step."+y.id)
			if y.why != "" {
				out = append(out, "why."+y.why)
			}
		}
	}
	out = append(out, "why.serverGoesOn")
	slices.Sort(out)
	return slices.Compact(out)
}

// unheld are the sentences for which there is no law, and why.
var unheld = map[string]string{
	"step.start": "it is said before the first step",
	"step.quiet": "it is for steps that the table forgets, and no run may reach it",
}

func TestEverySentenceHasALaw(t *testing.T) {
	said := ids()
	for _, id := range said {
		if laws[id] == nil {
			t.Errorf("%s has no law", id)
		}
	}
	for id := range laws {
		if !slices.Contains(said, id) {
			t.Errorf("%s has a law, and is never said", id)
		}
	}
	for language, words := range words.Catalogues(t) {
		for id := range words {
			if (strings.HasPrefix(id, "step.") || strings.HasPrefix(id, "why.")) && !slices.Contains(said, id) && unheld[id] == "" {
				t.Errorf("%s has %s, which is never said", language, id)
			}
		}
		for _, id := range append(slices.Collect(maps.Keys(unheld)), said...) {
			if words[id] == "" {
				t.Errorf("%s has no %s", language, id)
			}
		}
	}
}

// TestLaws checks every sentence that is said by its law, in every run. A
// sentence that breaks its law, that lacks an argument, or that no run reaches
// is wrong.
func TestLaws(t *testing.T) {
	asked := words.Arguments(words.Catalogues(t))
	reached := map[string]int{}
	broken := map[string]bool{}
	steps := 0
	runtest.All(t, func(r runtest.Run) {
		var p past
		r.Each(t, func(before, after *world.World) {
			steps++
			m := newMoment(before, after, &p)
			var s step
			s.init(after)
			y, e := s.said()
			m.e = e
			said, why, fn := Explain(after)
			m.args = said.Args
			for _, sentence := range []*link.Sentence{&said, why} {
				if sentence == nil {
					continue
				}
				reached[sentence.ID]++
				fault := ""
				for _, name := range asked[sentence.ID] {
					if a, ok := sentence.Args[name]; !ok || a.V == "" && a.Kind != "rv" {
						fault = "it asks for " + name
					}
				}
				if held := laws[sentence.ID]; held == nil || !held(m) {
					fault = "its law does not hold"
				}
				if fault != "" && !broken[sentence.ID] {
					broken[sentence.ID] = true
					t.Errorf("%s, step %d (%s): %s: %s\n%s", r.Name, after.Steps(), m.pc, sentence.ID, fault, told(m))
				}
			}
			if fault := wrongGoroutine(m, fn); fault != "" && !broken[fault] {
				broken[fault] = true
				t.Errorf("%s, step %d: %s is said to be done by %s", r.Name, after.Steps(), fn, fault)
			}
			for _, fault := range untold(m, y) {
				if !broken[fault] {
					broken[fault] = true
					t.Errorf("%s, step %d (%s): %s is told by step.%s\n%s", r.Name, after.Steps(), m.pc, fault, y.id, told(m))
				}
			}
			p.remember(m)
		})
	})
	for _, id := range ids() {
		if reached[id] == 0 {
			t.Errorf("no run reaches %s", id)
		}
	}
	t.Log(steps, "steps")
}

func newMoment(before, after *world.World, p *past) *moment {
	i := after.Last.Informer
	m := &moment{before: before, after: after, x: before.Informers[i], y: after.Informers[i], id: after.Last.Actor, facts: after.Log.Events, past: p}
	m.c, m.d = &m.x.Controller, &m.y.Controller
	if m.id != actor.Nobody {
		m.c, m.fifo = m.x.ControllerOf(&before.Set, m.id)
		m.d, m.unlocks = m.y.ControllerOf(&after.Set, m.id)
		m.was, m.is, m.pc = before.Set.State(m.id), after.Set.State(m.id), after.Last.PC
	}
	return m
}

// told writes the facts of a step into the message about a broken law.
func told(m *moment) string {
	var b strings.Builder
	for _, e := range m.facts {
		fmt.Fprintf(&b, "  %v %+v\n", e.Kind, e)
	}
	return b.String()
}

func (p *past) remember(m *moment) {
	if p.missing == nil || m.fact(event.ProcessKilled) {
		*p = past{
			missing: map[int]map[object.Key]bool{}, refused: map[actor.ID]bool{}, taken: map[actor.ID]int64{}, streamed: map[actor.ID]bool{},
			stopped: map[int]bool{}, sent: map[delivery]event.Delta{},
		}
	}
	if f := m.d.Reflector.LastFailure(); m.fact(event.ListFailed) || m.fact(event.WatchFailed) || m.fact(event.WatchErrorReceived) {
		p.refused[m.id] = p.refused[m.id] || f.Expired || f.Gone || f.TooLarge
	} else if m.fact(event.ListReceived) {
		p.refused[m.id] = false
	}
	i := m.y.Index()
	if p.missing[i] == nil {
		p.missing[i] = map[object.Key]bool{}
	}
	for _, e := range m.facts {
		if e.Flags&event.Tombstone != 0 && (m.pc == actor.ReflectorReplaces || m.pc == actor.LoopStore || m.pc == actor.LoopDistribute) {
			p.missing[i][e.Key] = true
		}
	}
	for _, e := range m.facts {
		switch e.Kind {
		case event.WatchRequested:
			p.taken[m.id], p.streamed[m.id] = 0, false
		case event.WatchEventReceived:
			p.taken[m.id]++
		case event.WatchEventSkipped:
			if e.Skip() == event.SkipNoMeta || e.Skip() == event.SkipExpectedType {
				p.taken[m.id]--
			}
		case event.StopRequested:
			p.stopped[i] = true
		case event.ListenerAddCh:
			if m.role() == actor.Loop {
				p.sent[delivery{i, e.Handler(), e.Old, e.New}] = m.deltaOf(e.Key)
			}
		}
	}
	if m.pc == actor.ReflectorReplaced && m.is.PC == actor.ReflectorReceive {
		p.taken[m.id], p.streamed[m.id] = 0, true
	}
	if m.pc == actor.LoopStore { // a ReplacedAll finds what is missing only here
		for _, k := range m.x.Indexer.ListKeys(nil) {
			if _, ok := m.y.Indexer.GetByKey(k); !ok && m.fact(event.StoreReplaced) {
				p.missing[i][k] = true
			}
		}
	}
}

// fact reports whether the step has a fact of the kind.
func (m *moment) fact(k event.Kind) bool {
	return slices.ContainsFunc(m.facts, func(e event.Event) bool { return e.Kind == k })
}

// role is whose goroutine acts: none that there is, for a command.
func (m *moment) role() actor.Kind {
	if m.command() {
		return ^actor.Kind(0)
	}
	return m.after.Set.Role(m.id).Kind
}

// listener is the one that the fact is about, before and after.
func (m *moment) listener() (a, b *processor.Listener) {
	i := m.e.Handler()
	if i < len(m.x.Processor.Listeners) {
		a = &m.x.Processor.Listeners[i]
	}
	return a, &m.y.Processor.Listeners[i]
}

// functions are the goroutines on which functions run, by the beginnings of the functions' names.
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
	{"workqueue.delayingType.waitingLoop", []actor.Kind{actor.Delaying}},
	{"workqueue.Type.Get", []actor.Kind{actor.Worker}},
	{"workqueue.Typed.Get", []actor.Kind{actor.Worker}},
	{"workqueue.Type.Add", []actor.Kind{actor.Run}},
	{"Reconcile", []actor.Kind{actor.Worker}},
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
		tells("a panic", "crashed", "handlerPanicked", "objectMutated")
	}
	ended := y.id == "crashed" || y.id == "informerStopped" || y.id == "reflectorReturns"
	for _, e := range m.facts {
		switch e.Kind {
		case event.WorkRequeued:
			tells("a requeue", "workDoneRequeued", "workDoneLimitedRequeued", "workDoneByHandRequeued")
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
			if !ended && !strings.HasSuffix(y.why, "Handlers") {
				tells("a handler's HasSynced", "handlerHasSynced")
			}
		case event.ProcessFailed:
			tells("a lost delta", "processFailed", "crashed")
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated:
			if e.Flags&event.Tombstone != 0 && y.why != "missing" {
				faults = append(faults, "a tombstone")
			}
		case event.HandlerCalled, event.ListenerAddCh:
			if e.Flags&event.Tombstone != 0 && y.why != "missing" {
				faults = append(faults, "a tombstone")
			}
		case event.VeryShortWatch:
			tells("a very short watch", "veryShortWatch", "reflectorReturns")
		case event.ResyncNotDue:
			tells("a resync that is not due", "resyncNotDue")
		case event.ObjectMutated:
			tells("a mutated object", "objectMutated")
		}
	}
	return faults
}

// TestEveryReasonIsInTheCatalogues: why something was skipped, refused or failed.
func TestEveryReasonIsInTheCatalogues(t *testing.T) {
	for language, words := range words.Catalogues(t) {
		for _, r := range slices.Concat(skipReasons[1:], refusals[1:], failures[:], []string{noKey}) {
			if r != "" && words["reason."+r] == "" {
				t.Errorf("%s has no reason.%s", language, r)
			}
		}
	}
}
