package host

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
)

// ids is every sentence that explain can ask for.
func ids() []string {
	out := []string{"step.start"}
	for kind, info := range kinds {
		for _, e := range variants(kind) {
			out = append(out, "step."+variant(e))
			if info.why {
				out = append(out, "why."+variant(e))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// variants are facts of a kind that differ in what is said of them.
func variants(k event.Kind) []event.Event {
	switch k {
	case event.HandlerCalled, event.Distributed:
		return []event.Event{
			{Kind: k, Delta: event.Added}, {Kind: k, Delta: event.Updated}, {Kind: k, Delta: event.Updated, Flags: event.IsSync},
			{Kind: k, Delta: event.Deleted}, {Kind: k, Delta: event.Deleted, Flags: event.Tombstone},
		}
	case event.Enqueued, event.DeltaAppended:
		return []event.Event{{Kind: k}, {Kind: k, Flags: event.Tombstone}}
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
