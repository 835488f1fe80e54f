//go:build !js

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
	past          *memory
}

// memory is what the laws remember of the steps before.
type memory struct {
	missing  map[int]map[object.Key]bool // by informer: keys that a list has missed
	refused  map[actor.ID]bool           // reflectors whose resourceVersion the server has refused since their last list
	taken    map[actor.ID]int64          // by reflector: events that it has taken from its watch, since the streaming list if there was one
	streamed map[actor.ID]bool           // reflectors whose watch has brought a streaming list
	stopped  map[int]bool                // informers whose stop channel is closed
	sent     map[delivery][]event.Delta  // what the notifications were made of that the handler has not been called with

	brokenOff map[actor.ID]bool // reflectors whose list has broken off between two pages, since they last asked
	gaveUp    map[int]bool      // informers whose resync has failed since the last back-off
}

// delivery is a notification for a listener.
type delivery struct {
	informer, listener int
	old, new           object.Ref
}

// A notification is made of a delta, or of one of these.
const (
	tombstone event.Delta = 100 + iota // a deletion that a list has shown
	fromCache                          // an object of the cache, for a listener that was added late
)

// law is a predicate that must hold whenever a sentence is said.
type law func(*moment) bool

// laws has the laws of all sentences. A law sees only the worlds, so it can't
// choose the sentence as the table does.
var laws = merged(endLaws, outsideLaws, handLaws, userLaws, reflectorLaws, watchLaws, queueLaws, resyncLaws, loopLaws, storeLaws, listenerLaws, recordedLaws, priorityLaws, controllerLaws, electionLaws, workLaws, lockLaws)

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
			if y.reason != "" {
				out = append(out, "why."+y.reason)
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
	all := rivals()
	steps := 0
	eachStep(t, func(run string, m *moment, s *step, y *saying) {
		steps++
		said, why, fn := Explain(m.after)
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
				t.Errorf("%s, step %d (%s): %s: %s\n%s", run, m.after.Steps(), m.pc, sentence.ID, fault, factsText(m))
			}
		}
		if why := m.withheld(s, y, all); why != "" && !broken[why] {
			broken[why] = true
			t.Errorf("%s, step %d (%s): step.%s is said without why.%s\n%s", run, m.after.Steps(), m.pc, y.id, why, factsText(m))
		}
		if fault := wrongFunction(m, fn); fault != "" && !broken[fault] {
			broken[fault] = true
			t.Errorf("%s, step %d (%s): step.%s is said to be done by %s, and not by %s", run, m.after.Steps(), m.pc, y.id, fn, fault)
		}
		if fault := wrongGoroutine(m, fn); fault != "" && !broken[fault] {
			broken[fault] = true
			t.Errorf("%s, step %d: %s is said to be done by %s", run, m.after.Steps(), fn, fault)
		}
		for _, fault := range untold(m, y) {
			if !broken[fault] {
				broken[fault] = true
				t.Errorf("%s, step %d (%s): %s is told by step.%s\n%s", run, m.after.Steps(), m.pc, fault, y.id, factsText(m))
			}
		}
	})
	for _, id := range ids() {
		if reached[id] == 0 && !runtest.Fresh() {
			t.Errorf("no run reaches %s", id)
		}
	}
	t.Log(steps, "steps")
}

// eachStep calls f with each step of all runs, and with the row that tells it. It passes the
// name of the run, too.
func eachStep(t *testing.T, f func(run string, m *moment, s *step, y *saying)) {
	runtest.All(t, func(r runtest.Run) {
		var p memory
		r.Each(t, func(before, after *world.World) {
			m := newMoment(before, after, &p)
			var s step
			s.init(after)
			y, e := s.saying()
			m.e = e
			f(r.Name, m, &s, y)
			p.remember(m)
		})
	})
}

func newMoment(before, after *world.World, p *memory) *moment {
	i := after.Last.Informer
	m := &moment{before: before, after: after, x: before.Informers[i], y: after.Informers[i], id: after.Last.Actor, facts: after.Log.Events, past: p}
	m.c, m.d = &m.x.Controller, &m.y.Controller
	if m.id != actor.Nobody {
		m.c, m.fifo = m.x.ControllerOf(m.id)
		m.d, m.unlocks = m.y.ControllerOf(m.id)
		m.was, m.is, m.pc = before.Set.State(m.id), after.Set.State(m.id), after.Last.PC
	}
	return m
}

// factsText writes the facts of a step into the message about a broken law.
func factsText(m *moment) string {
	var b strings.Builder
	for _, e := range m.facts {
		fmt.Fprintf(&b, "  %v %+v\n", e.Kind, e)
	}
	return b.String()
}

// forget drops what is remembered of the process that has ended.
func (p *memory) forget(m *moment) {
	ended := func(i int) bool { return m.after.Set.SameProcess(int16(i), int16(m.y.Index())) }
	isEnded := func(id actor.ID) bool { return id != actor.Nobody && ended(int(m.after.Set.Role(id).Informer)) }
	maps.DeleteFunc(p.missing, func(i int, _ map[object.Key]bool) bool { return ended(i) })
	maps.DeleteFunc(p.refused, func(id actor.ID, _ bool) bool { return isEnded(id) })
	maps.DeleteFunc(p.taken, func(id actor.ID, _ int64) bool { return isEnded(id) })
	maps.DeleteFunc(p.streamed, func(id actor.ID, _ bool) bool { return isEnded(id) })
	maps.DeleteFunc(p.stopped, func(i int, _ bool) bool { return ended(i) })
	maps.DeleteFunc(p.sent, func(d delivery, _ []event.Delta) bool { return ended(d.informer) })
	maps.DeleteFunc(p.brokenOff, func(id actor.ID, _ bool) bool { return isEnded(id) })
	maps.DeleteFunc(p.gaveUp, func(i int, _ bool) bool { return ended(i) })
}

func (p *memory) remember(m *moment) {
	if p.missing == nil {
		*p = memory{
			missing: map[int]map[object.Key]bool{}, refused: map[actor.ID]bool{}, taken: map[actor.ID]int64{}, streamed: map[actor.ID]bool{},
			stopped: map[int]bool{}, sent: map[delivery][]event.Delta{}, brokenOff: map[actor.ID]bool{}, gaveUp: map[int]bool{},
		}
	}
	if m.fact(event.ProcessKilled) {
		p.forget(m)
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
			to := delivery{i, e.Handler(), e.Old, e.New}
			p.sent[to] = append(p.sent[to], m.originOf(e))
		case event.HandlerCalled:
			to := delivery{i, e.Handler(), e.Old, e.New}
			p.sent[to] = p.sent[to][min(1, len(p.sent[to])):]
		case event.ListRequested:
			p.brokenOff[m.id] = false
		case event.ListFailed:
			p.brokenOff[m.id] = m.c.Reflector.LastOptions().Continue != 0 && m.d.Reflector.LastOptions().Continue == 0 && m.d.Reflector.LastOptions().Limit == 0
		case event.ResyncGaveUp:
			p.gaveUp[i] = true
		case event.BackoffStarted:
			p.gaveUp[i] = false
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
