package says

import (
	"maps"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// Explain tells what the last step of w did: a sentence, perhaps another one that says
// why that happened or matters, and the client-go function. The catalogues hold the
// words.
func Explain(w *world.World) (said link.Sentence, why *link.Sentence, fn string) {
	if w.Steps() == 0 {
		return link.Sentence{ID: "step.start"}, nil, ""
	}
	var s step
	s.init(w)
	y, e := s.saying()
	args := s.arguments(y, e)
	said = link.Sentence{ID: "step." + y.id, Args: args}
	switch {
	case y.reason != "":
		why = &link.Sentence{ID: "why." + y.reason, Args: args}
	case s.has(event.ServerGoesOn): // the command could be carried out only like that
		why = &link.Sentence{ID: "why.serverGoesOn", Args: s.named(s.fact(event.ServerGoesOn))}
	}
	return said, why, y.fn.nameIn(&s.x.Config().Profile)
}

// arguments returns the arguments of a sentence: they come from the fact that it is
// about, from the fact beside it, and from the step as a whole.
func (s *step) arguments(y *saying, e event.Event) map[string]link.Arg {
	t := s.x.Config().Table
	args := s.named(e)
	if y.alsoFrom != 0 {
		maps.Copy(args, s.named(s.fact(y.alsoFrom)))
	}
	number := func(v int) link.Arg { return link.Arg{Kind: "num", V: strconv.Itoa(v)} }
	switch {
	case y.id == "crashed":
		args["reason"] = link.Arg{Kind: "text", V: s.x.Crash().Error()}
	case y.id == quiet.id:
		args["actor"] = link.Arg{Kind: "text", V: Actor(&s.w.Set, s.w.Last.Actor)}
	case y.reason == "listRequestedBehind", y.reason == "watchRequestedBehind":
		at, _ := s.revision()
		args["at"] = link.Arg{Kind: "rv", V: strconv.FormatInt(at, 10)}
	case y.reason == "listFiltered":
		args["of"] = number(int(s.fact(event.ListFiltered).Count()))
	case y.id == "replicaResharded", y.id == "replicaStartedShard":
		args["shard"] = link.Arg{Kind: "text", V: s.x.Config().Shard.Name()}
	case y.id == "childrenReadOld":
		reads := s.x.Work.Controller.Runs[e.Worker()].Reads
		args["of"] = number(reads[len(reads)-1].Actual)
	case y.id == "programAddsInBatch":
		args["n"] = number(s.run().Batch.Size)
	case y.id == "storeWritten":
		args["n"] = number(s.written())
	case y.id == "storeWrittenLast":
		deltas, _ := s.c.Popped()
		args["n"], args["total"] = number(s.written()), number(len(deltas))
	case y.id == "replacedByHandTombstone":
		args["key"] = link.Arg{Kind: "key", V: t.KeyText(s.tombstone().Key)}
	case s.pc != actor.RunReturn && s.pc != actor.UserReleases && s.has(event.HandlerHasSynced):
		args["listeners"] = link.Arg{Kind: "text", V: s.synced()}
	case e.Kind == event.Popped, e.Kind == event.WorkReady, y.id == "keysEnqueued":
		if n := s.count(e.Kind); n > 1 {
			args["n"], args["keys"] = number(n), link.Arg{Kind: "key", V: s.keys(e.Kind)}
		}
	}
	if s.has(event.LockWaits) {
		wait := s.fact(event.LockWaits)
		args["lock"] = link.Arg{Kind: "lock", V: actor.LockID(wait.Lock()).String()}
		args["holder"] = link.Arg{Kind: "who", V: s.holder(wait)}
	}
	return args
}

// holder names the goroutine that holds the lock for which the step's goroutine waits.
// Two calls of Run make two goroutines of a kind, and Run itself holds listenersLock
// after its process loop has returned.
func (s *step) holder(wait event.Event) string {
	id := actor.ID(wait.Holder())
	role := s.w.Set.Role(id)
	switch {
	case s.w.Set.State(id).Wait == actor.Stopped:
		return "run"
	case role.Kind == s.role.Kind:
		return "other"
	}
	return role.Kind.String()
}

// mostKeys is how many keys of a batch a sentence names.
const mostKeys = 3

// keys names the first keys that facts of a kind are about.
func (s *step) keys(k event.Kind) string {
	var b strings.Builder
	n := 0
	for _, e := range s.facts {
		if e.Kind != k {
			continue
		}
		if n == mostKeys {
			b.WriteString(" …")
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.x.Config().Table.KeyText(e.Key))
		n++
	}
	return b.String()
}

func (s *step) synced() string {
	var all []string
	for _, e := range s.facts {
		if e.Kind == event.HandlerHasSynced {
			all = append(all, s.x.Config().Handlers[e.Handler()].Name)
		}
	}
	return strings.Join(all, ", ")
}

// named returns the arguments of a fact of the step.
func (s *step) named(e event.Event) map[string]link.Arg {
	args := Arguments(s.x, e)
	if _, ok := args["reason"]; ok {
		args["reason"] = reason(s.x, e)
	}
	return args
}

// Arguments names what a fact is about: its key, its versions, its handler. The fact may
// be of any step, so it has no words of the server, which says only the last thing again.
func Arguments(x *informer.Informer, e event.Event) map[string]link.Arg {
	t, args := x.Config().Table, map[string]link.Arg{}
	if e.Key != 0 || e.Kind == event.ProcessFailed {
		args["key"] = keyOf(t, e.Key)
	}
	if e.Kind == event.WatchEventReceived || e.Kind == event.WatchEventLost || e.Kind == event.WatchEventHeld || e.Kind == event.WatchEventFiltered {
		args["delta"] = link.Arg{Kind: "code", V: watchType(e.Delta)}
	} else if e.Delta != event.None {
		args["delta"] = link.Arg{Kind: "delta", V: e.Delta.String()}
	}
	if e.New != 0 {
		m := t.Meta(e.New)
		args["rv"] = link.Arg{Kind: "rv", V: t.RVText(m.RV)}
		if e.Key == 0 {
			args["key"] = keyOf(t, m.Key)
		}
	}
	if e.Old != 0 {
		args["old"] = link.Arg{Kind: "rv", V: t.RVText(t.RVOf(e.Old))}
	}
	if e.Kind == event.WatchEventReceived && e.New == 0 {
		args["rv"] = link.Arg{Kind: "rv", V: t.RVText(x.Server.View(0, 0).Newest)}
	}
	switch k := e.Kind; {
	case k.Has(event.Counts):
		args["n"] = link.Arg{Kind: "num", V: strconv.FormatInt(e.Count(), 10)}
	case k.Has(event.Duration):
		args["took"] = link.Arg{Kind: "time", V: strconv.FormatInt(e.Duration(), 10)}
	case k.Has(event.RV):
		args["rv"] = link.Arg{Kind: "rv", V: t.RVText(e.RV())}
	case k.Has(event.Revision):
		args["rv"] = link.Arg{Kind: "rv", V: strconv.FormatInt(e.Revision(), 10)}
	case k.Has(event.Deadline):
		args["until"] = link.Arg{Kind: "time", V: strconv.FormatInt(e.Deadline(), 10)}
	case e.Kind == event.WatchEventSkipped:
		args["reason"] = reason(x, e)
	case k.Has(event.Code | event.Skip | event.Refused):
		args["reason"] = link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
	}
	if e.Kind == event.WriteSent {
		args["what"] = link.Arg{Kind: "code", V: x.Config().Recorded.Acts[e.Number()].Request}
	}
	if i := e.Worker(); i >= 0 {
		args["worker"] = link.Arg{Kind: "num", V: strconv.Itoa(i + 1)}
	}
	if i := e.Handler(); i >= 0 {
		args["listener"] = link.Arg{Kind: "text", V: x.Config().Handlers[i].Name}
	}
	return args
}

// keyOf returns a key, or the word for an object that has none.
func keyOf(t *object.Table, k object.Key) link.Arg {
	if text := t.KeyText(k); text != "" {
		return link.Arg{Kind: "key", V: text}
	}
	return link.Arg{Kind: "word", V: noKey}
}

// watchType returns the type of a watch event as it is spelt on the wire.
func watchType(d event.Delta) string {
	if d == event.Updated {
		return "MODIFIED"
	}
	return strings.ToUpper(d.String())
}

// sayings are all sentences, in the order in which they are tried.
var sayings = [][]saying{endSayings, electionSayings, outsideSayings, handSayings, userSayings, reflectorSayings, watchSayings, replaceSayings, resyncSayings, loopSayings, storeSayings, listenerSayings, recordedSayings, prioritySayings, controllerSayings, workSayings, otherSayings}

// saying returns the saying that tells the step, and its fact.
func (s *step) saying() (*saying, event.Event) {
	for _, group := range sayings {
		for i := range group {
			if y := &group[i]; y.applies(s) {
				return y, s.fact(y.fact)
			}
		}
	}
	return &quiet, event.Event{}
}

// quiet is said of a step that changes nothing that is shown.
var quiet = saying{id: "quiet"}
