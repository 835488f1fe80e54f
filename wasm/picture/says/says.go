// Package says tells what the last step of a world did: in a sentence, perhaps with
// another one that says why, as a function of client-go, and as lines of the engine's
// source. It is a table of sentences, from the first that applies to a step to the last.
package says

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// saying is one way to tell a step: a sentence, when it is said, and why what it says
// happened or matters. The catalogues have the words under "step." and id, and under
// "why." and why. The first saying of the table that applies to a step tells it, so
// both sentences are about one cause.
type saying struct {
	id       string
	fact     event.Kind // the fact that the sentence tells: the first one of its kind. 0 if it needs none
	reason   string     // "" for none
	fn       function
	alsoFrom event.Kind // another fact of the step, whose arguments the sentences have too
	byHand   bool       // only for a call by hand, of a station that is used alone

	// What else must hold. A zero value stands for anything.
	pc      actor.PC                      // what the actor did
	next    actor.PC                      // what it does next
	role    actor.Kind                    // whose goroutine it is
	delta   event.Delta                   // of the fact
	flags   event.Flags                   // all of these, of the fact
	cause   event.Cause                   // of the fact
	with    event.Kind                    // there is such a fact, too
	without event.Kind                    // there is no such fact
	when    func(*step, event.Event) bool // given the fact
}

func (y *saying) applies(s *step) bool {
	command := s.w.Last.Actor == actor.Nobody
	switch {
	case y.fact != 0 && !s.has(y.fact), y.with != 0 && !s.has(y.with), y.without != 0 && s.has(y.without):
		return false
	case command && (y.pc != 0 || y.next != 0 || y.role != 0), y.byHand && !command:
		return false
	case y.pc != 0 && y.pc != s.pc, y.role != 0 && y.role != s.role.Kind:
		return false
	case y.next != 0 && (y.next != s.next.PC || s.next.Wait == actor.Stopped):
		return false
	}
	e := s.fact(y.fact)
	if y.delta != 0 && y.delta != e.Delta || y.flags&^e.Flags != 0 || y.cause != 0 && y.cause != e.Cause {
		return false
	}
	return y.when == nil || y.when(s, e)
}

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
		s.c, _ = s.x.ControllerOf(id)
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

// count returns how many facts of a kind there are.
func (s *step) count(k event.Kind) int {
	n := 0
	for i := range s.facts {
		if s.facts[i].Kind == k {
			n++
		}
	}
	return n
}

// returns holds if the acting goroutine ends.
func returns(s *step, _ event.Event) bool { return s.next.Wait == actor.Stopped }

// Actor returns the page's name of a goroutine.
func Actor(set *actor.Set, id actor.ID) string {
	if id == actor.Nobody {
		return link.ActorNobody
	}
	r := set.Role(id)
	switch r.Kind {
	case actor.Pop, actor.Run, actor.Worker:
		return r.Kind.String() + "/" + strconv.Itoa(int(r.Index))
	}
	return r.Kind.String()
}

// reason returns why a list, a watch or an event of the last step failed, in the words of the
// server where it said something.
func reason(x *informer.Informer, e event.Event) link.Arg {
	switch e.Kind {
	case event.WriteAnswered, event.LeaseRefused:
		return link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
	case event.WatchEventSkipped, event.NextSpoilt:
		return link.Arg{Kind: "word", V: skipReasons[e.Skip()]}
	case event.CallRefused:
		return link.Arg{Kind: "word", V: refusals[e.Refused()]}
	}
	failure := apiserver.Failure(e.Failure())
	if failure == apiserver.ListedAnew {
		return *Failed(failure)
	}
	if text := x.Server.View(0, 0).Message; text != "" {
		return link.Arg{Kind: "text", V: strings.TrimSuffix(text, ".")} // the sentence that it ends has a full stop of its own
	}
	if failure != apiserver.NoFailure && (e.Code() == 0 || e.Cause == event.Undecodable) { // then the code is client-go's own
		return *Failed(failure)
	}
	return link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
}

// Failed names a failure that the server didn't explain. An answer is named by
// the reason of its Status.
func Failed(f apiserver.Failure) *link.Arg {
	if word := failures[f]; word != "" {
		return &link.Arg{Kind: "word", V: word}
	}
	return &link.Arg{Kind: "text", V: f.String()}
}

// noKey and these are the reasons in the catalogues, under "reason.": why something was skipped or
// refused, or failed.
const noKey = "noKey"

var (
	failures = [...]string{
		apiserver.Refused: "refused", apiserver.Reset: "reset", apiserver.OtherFailure: "otherFailure", apiserver.BrokenOff: "brokenOff", apiserver.TimedOut: "timedOut",
		apiserver.ConnectionLost: "connectionLost", apiserver.Undecodable: "undecodable", apiserver.ListedAnew: "listedAnew", apiserver.OtherKind: "expectedType", apiserver.TooSlow: "tooSlow", apiserver.OtherShard: "otherShard",
	}
	skipReasons = [...]string{
		event.SkipNoMeta: "noMeta", event.SkipExpectedType: "expectedType", event.SkipUnknownType: "unknownType", event.SkipTransform: "transform",
	}
	refusals = [...]string{
		event.RunTwice: "runTwice", event.AddHandlerStopped: "addHandlerStopped", event.AddIndexersLate: "addIndexersLate",
		event.IndexerConflict: "indexerConflict",
	}
)
