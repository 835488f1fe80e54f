package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// saying is one way to tell a step: a sentence, when it is said, and why what it says
// happened or matters. The catalogues have the words under "step." and id, and under
// "why." and why. The first saying of the table that applies to a step tells it, so a
// step has one cause, and both sentences are about that.
type saying struct {
	id   string
	of   event.Kind                    // the fact that the sentence tells: the first one of its kind. 0 if it needs none
	pc   actor.PC                      // what the actor did. None if the saying is for anyone
	hand bool                          // only for a call by hand, of a station that is used alone
	when func(*step, event.Event) bool // what must hold besides; nil for nothing
	with event.Kind                    // another fact of the step, whose arguments the sentences have too
	why  string                        // "" for none
	fn   function
}

// sayings are all sentences, in the order in which they are tried.
var sayings = [][]saying{endSayings, outsideSayings, handSayings, userSayings, reflectorSayings, watchSayings, replaceSayings, resyncSayings, loopSayings, storeSayings, listenerSayings, workSayings, otherSayings}

// step is the last step of a world as the sayings see it.
type step struct {
	w     *world.World
	x     *informer.Informer
	c     *informer.Controller // the acting goroutine's
	facts []event.Event
	pc    actor.PC    // what the actor did, None for a command
	next  actor.State // what it does next
	role  actor.Role
	first [event.NumKinds]int32 // the number of the first fact of each kind, counted from 1
}

func (s *step) init(w *world.World) {
	s.w, s.x, s.facts = w, w.Informers[w.Last.Informer], w.Log.Events
	s.c = &s.x.Controller
	if id := w.Last.Actor; id != actor.Nobody {
		s.pc, s.next, s.role = w.Last.PC, w.Set.State(id), w.Set.Role(id)
		s.c, _ = s.x.ControllerOf(&w.Set, id)
	}
	for i := len(s.facts) - 1; i >= 0; i-- {
		s.first[s.facts[i].Kind] = int32(i) + 1
	}
}

// fact returns the first fact of a kind, or none, whose Kind is 0.
func (s *step) fact(k event.Kind) event.Event {
	if i := s.first[k]; i > 0 {
		return s.facts[i-1]
	}
	return event.Event{}
}

func (s *step) has(k event.Kind) bool { return s.first[k] > 0 }

// count is how many facts of a kind there are.
func (s *step) count(k event.Kind) int {
	n := 0
	for i := range s.facts {
		if s.facts[i].Kind == k {
			n++
		}
	}
	return n
}

// said returns the saying that tells the step, and its fact.
func (s *step) said() (*saying, event.Event) {
	command := s.w.Last.Actor == actor.Nobody
	for _, group := range sayings {
		for i := range group {
			y := &group[i]
			if y.of != 0 && !s.has(y.of) || y.pc != actor.None && (command || y.pc != s.pc) || y.hand && !command {
				continue
			}
			if e := s.fact(y.of); y.when == nil || y.when(s, e) {
				return y, e
			}
		}
	}
	return &quiet, event.Event{}
}

// quiet is said of a step that changes nothing that is shown.
var quiet = saying{id: "quiet"}

// The conditions that several sayings share.

func both(a, b func(*step, event.Event) bool) func(*step, event.Event) bool {
	return func(s *step, e event.Event) bool { return a(s, e) && b(s, e) }
}

// then holds if pc is what the actor does next.
func then(pc actor.PC) func(*step, event.Event) bool {
	return func(s *step, _ event.Event) bool { return s.next.PC == pc && s.next.Wait != actor.Stopped }
}

// and holds if there is a fact of the kind, too.
func and(k event.Kind) func(*step, event.Event) bool {
	return func(s *step, _ event.Event) bool { return s.has(k) }
}

// without holds if there is no fact of the kind.
func without(k event.Kind) func(*step, event.Event) bool {
	return func(s *step, _ event.Event) bool { return !s.has(k) }
}

func returns(s *step, _ event.Event) bool { return s.next.Wait == actor.Stopped }

func isTombstone(_ *step, e event.Event) bool { return e.Flags&event.Tombstone != 0 }

func isSync(_ *step, e event.Event) bool { return e.Flags&event.IsSync != 0 }

func streams(_ *step, e event.Event) bool { return e.Flags&event.Streaming != 0 }

func of(d event.Delta) func(*step, event.Event) bool {
	return func(_ *step, e event.Event) bool { return e.Delta == d }
}

func from(c event.Cause) func(*step, event.Event) bool {
	return func(_ *step, e event.Event) bool { return e.Cause == c }
}
