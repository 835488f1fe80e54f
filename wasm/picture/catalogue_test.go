package picture

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// ids is every text that a frame can ask for.
func ids() []string {
	out := []string{"step.start"}
	for kind := event.Kind(1); kind.String() != ""; kind++ {
		info := kinds[kind]
		for _, facts := range variants(kind) {
			out = append(out, "step."+variant(facts[0], facts))
			if info.why {
				out = append(out, "why."+whyVariant(facts[0], facts))
			}
		}
	}
	for _, s := range loopStates {
		out = append(out, "ui.loop."+s)
	}
	for _, s := range reflectorStates {
		out = append(out, "ui.reflector."+s)
	}
	for s := apiserver.Idle; s <= apiserver.Open; s++ {
		out = append(out, "ui.server."+s.String())
	}
	for pc := range actor.NumPC {
		out = append(out, "pc."+pc.String())
	}
	for _, r := range append(skipReasons[1:], refusals[1:]...) {
		out = append(out, "reason."+r)
	}
	for _, p := range world.Profiles() {
		out = append(out, p.Summary)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// variants are steps led by a kind that differ in what is said of them.
func variants(k event.Kind) (out [][]event.Event) {
	if k == event.Popped {
		one, all := event.Event{Kind: k, Key: 1}, event.Event{Kind: k}
		return [][]event.Event{{one}, {all}, {one, one}, {one, {Kind: event.LockReleased}}}
	}
	for _, e := range single(k) {
		out = append(out, []event.Event{e})
	}
	return out
}

func single(k event.Kind) []event.Event {
	switch k {
	case event.HandlerCalled, event.Distributed:
		return []event.Event{
			{Kind: k, Delta: event.Added}, {Kind: k, Delta: event.Updated}, {Kind: k, Delta: event.Updated, Flags: event.IsSync},
			{Kind: k, Delta: event.Deleted}, {Kind: k, Delta: event.Deleted, Flags: event.Tombstone},
		}
	case event.Enqueued, event.DeltaAppended:
		return []event.Event{{Kind: k}, {Kind: k, Key: 1}, {Kind: k, Key: 1, Flags: event.Tombstone}}
	case event.WatchEventReceived:
		return []event.Event{{Kind: k}, {Kind: k, New: 1}}
	case event.WatchRequested:
		return []event.Event{{Kind: k}, {Kind: k, Flags: event.Streaming}}
	case event.ReconcileStarted:
		return []event.Event{{Kind: k}, {Kind: k, New: 1}}
	case event.StoreDeleted:
		return []event.Event{{Kind: k}, {Kind: k, Old: 1}}
	}
	return []event.Event{{Kind: k}}
}

func TestEverySentenceIsInTheCatalogues(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		b, err := os.ReadFile("../../web/locales/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var catalogue map[string]string
		if err := json.Unmarshal(b, &catalogue); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids() {
			if catalogue[id] == "" {
				t.Errorf("%s has no %q", language, id)
			}
		}
	}
}
