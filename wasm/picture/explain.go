package picture

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// names gives the viewer's words for what the engine only numbers.
type names interface {
	listener(i int) string
	index(i int) string
	actor(i int) string
	newest() string                // the newest resourceVersion that the server has sent
	reason(e event.Event) link.Arg // why a list, a watch or an event failed, as the server said it
}

// explain says what a step did: a sentence for its leading fact, perhaps another one
// that says why that matters, and the client-go function. The catalogues hold the
// words.
func explain(t *object.Table, n names, facts []event.Event) (said link.Sentence, why *link.Sentence, fn string) {
	if len(facts) == 0 {
		return link.Sentence{ID: "step.start"}, nil, ""
	}
	lead := facts[0]
	byHand := lead.Actor == int16(actor.Nobody)
	for i := len(facts) - 1; i >= 0 && !lead.Kind.Outside(); i-- { // a command is told before its effects
		if !kinds[facts[i].Kind].supports {
			lead = facts[i]
			if lead.Kind == event.InformerStarted {
				break // the facts after it are its effects
			}
		}
	}
	said = link.Sentence{ID: "step." + variant(lead, facts), Args: arguments(t, n, lead)}
	if n := count(event.Popped, facts); lead.Kind == event.Popped && n > 1 {
		said.Args["n"] = link.Arg{Kind: "num", V: strconv.Itoa(n)}
	}
	for _, f := range append([]event.Event{lead}, facts...) {
		if kinds[f.Kind].why && (!byHand || kinds[f.Kind].alone) {
			why = &link.Sentence{ID: "why." + whyVariant(f, facts), Args: arguments(t, n, f)}
			break
		}
	}
	return said, why, kinds[lead.Kind].fn
}

// variant is the catalogue's id of a fact. It is the kind's, or a more special one
// if facts of the kind differ in what there is to say.
func variant(e event.Event, facts []event.Event) string {
	id := id(e.Kind)
	switch {
	case e.Actor == int16(actor.Nobody) && kinds[e.Kind].byHand:
		id += "ByHand"
	case e.Kind == event.Popped && count(event.Popped, facts) > 1:
		id += "Batch"
	case e.Kind == event.Popped && e.Key == 0, e.Kind == event.Enqueued && e.Key == 0:
		id += "All"
	case e.Kind == event.HandlerCalled || e.Kind == event.Distributed:
		id += e.Delta.String()
		if e.Flags&event.Tombstone != 0 {
			id += "Tombstone"
		} else if e.Flags&event.IsSync != 0 {
			id += "Sync"
		}
	case (e.Kind == event.Enqueued || e.Kind == event.DeltaAppended) && e.Flags&event.Tombstone != 0:
		id += "Tombstone"
	case e.Kind == event.WatchEventReceived && e.New == 0:
		id += "Bookmark"
	case e.Kind == event.WatchRequested && e.Flags&event.Streaming != 0:
		id += "Streaming"
	case e.Kind == event.ReconcileStarted && e.New == 0:
		id += "Gone"
	case e.Kind == event.StoreDeleted && e.Old == 0:
		id += "Absent"
	case e.Kind == event.ObjectWritten:
		id += e.Delta.String()
	case e.Kind == event.ServerLags && e.Duration() < 0, e.Kind == event.RequestsFail && e.Requests() < 0:
		id += "Always"
	case e.Kind == event.ServerLags && e.Duration() == 0, e.Kind == event.RequestsFail && e.Requests() == 0:
		id += "No"
	case e.Kind == event.RequestsFail && e.Requests() == 1:
		id += "Once"
	}
	return id
}

// whyVariant is the catalogue's id of why a fact matters.
func whyVariant(e event.Event, facts []event.Event) string {
	if e.Kind != event.Popped {
		return variant(e, facts)
	}
	if count(event.LockReleased, facts) > 0 {
		return "poppedUnlocked"
	}
	return "popped"
}

func count(k event.Kind, facts []event.Event) int {
	n := 0
	for _, f := range facts {
		if f.Kind == k {
			n++
		}
	}
	return n
}

func arguments(t *object.Table, n names, e event.Event) map[string]link.Arg {
	args := map[string]link.Arg{"actor": {Kind: "text", V: n.actor(int(e.Actor))}}
	if e.Key != 0 {
		args["key"] = link.Arg{Kind: "key", V: t.KeyText(e.Key)}
	}
	if e.Kind == event.WatchEventReceived {
		args["delta"] = link.Arg{Kind: "code", V: watchType(e.Delta)}
	} else if e.Delta != event.None {
		args["delta"] = link.Arg{Kind: "delta", V: e.Delta.String()}
	}
	if e.New != 0 {
		m := t.Meta(e.New)
		args["rv"] = link.Arg{Kind: "rv", V: t.RVText(m.RV)}
		if e.Key == 0 {
			args["key"] = link.Arg{Kind: "key", V: t.KeyText(m.Key)}
		}
	}
	if e.Old != 0 {
		args["old"] = link.Arg{Kind: "rv", V: t.RVText(t.RVOf(e.Old))}
	}
	if e.Kind == event.WatchEventReceived && e.New == 0 {
		args["rv"] = link.Arg{Kind: "rv", V: n.newest()}
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
	case k.Has(event.Until):
		args["until"] = link.Arg{Kind: "time", V: strconv.FormatInt(e.Until(), 10)}
	case k.Has(event.Value):
		args["index"] = link.Arg{Kind: "code", V: n.index(e.Index())}
		args["value"] = link.Arg{Kind: "code", V: t.Text(e.Value())}
	case k.Has(event.Lock):
		args["lock"] = link.Arg{Kind: "code", V: actor.LockID(e.Lock()).String()}
	case k.Has(event.Code | event.Skip | event.Refused):
		args["reason"] = n.reason(e)
	}
	if i := e.Worker(); i >= 0 {
		args["worker"] = link.Arg{Kind: "num", V: strconv.Itoa(i + 1)}
	}
	if i := e.Handler(); i >= 0 {
		args["listener"] = link.Arg{Kind: "text", V: n.listener(i)}
	}
	return args
}

// watchType is the type of a watch event as it is spelt on the wire.
func watchType(d event.Delta) string {
	if d == event.Updated {
		return "MODIFIED"
	}
	return strings.ToUpper(d.String())
}
