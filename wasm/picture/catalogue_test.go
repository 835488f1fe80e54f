package picture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// ids lists every text that a frame can ask for.
func ids() []string {
	out := []string{"step.start", "step.quiet"}
	for _, facts := range byHand() {
		out = append(out, "step."+variant(facts[0], facts))
	}
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
	for _, r := range append(append(skipReasons[1:], refusals[1:]...), listedAnew) {
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

// byHand are the steps of calls by hand that something else is said of.
func byHand() (out [][]event.Event) {
	for k, info := range kinds {
		if info.byHand {
			out = append(out, []event.Event{{Kind: k, Key: 1, Actor: int16(actor.Nobody)}})
		}
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
	case event.ObjectWritten:
		return []event.Event{{Kind: k, Delta: event.Added}, {Kind: k, Delta: event.Updated}, {Kind: k, Delta: event.Deleted}}
	case event.ServerLags:
		return []event.Event{{Kind: k, N: 5}, {Kind: k, N: -1}, {Kind: k}}
	case event.RequestsFail:
		return []event.Event{{Kind: k, N: 5}, {Kind: k, N: 1}, {Kind: k, N: -1}, {Kind: k}}
	}
	return []event.Event{{Kind: k}}
}

// catalogues are those of all languages, by their files.
func catalogues(t *testing.T) map[string]map[string]string {
	files, err := filepath.Glob("../../web/locales/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal("no catalogues", err)
	}
	out := map[string]map[string]string{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(b, &words); err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = words
	}
	return out
}

func TestEverySentenceIsInTheCatalogues(t *testing.T) {
	for language, words := range catalogues(t) {
		for _, id := range ids() {
			if words[id] == "" {
				t.Errorf("%s has no %q", language, id)
			}
		}
	}
}

// given are the names of a station's things, whatever is asked for.
type given struct{}

func (given) listener(int) string           { return "a listener" }
func (given) index(int) string              { return "an index" }
func (given) actor(int) string              { return "an actor" }
func (given) newest() string                { return "9" }
func (given) reason(e event.Event) link.Arg { return link.Arg{Kind: "text", V: "a reason"} }

// A sentence has no argument that its fact doesn't tell.
func TestEverySentenceHasItsArguments(t *testing.T) {
	table := object.NewTable(object.MetaNamespaceKeyFunc)
	table.Add(object.Meta{Name: table.Sym("web"), RV: table.RV("7")})
	all := catalogues(t)
	for kind := event.Kind(1); kind.String() != ""; kind++ {
		for _, facts := range variants(kind) {
			e := filled(facts[0], variants(kind))
			args := arguments(table, given{}, e)
			if len(facts) > 1 { // explain counts them itself
				args["n"] = link.Arg{}
			}
			for _, id := range []string{"step." + variant(facts[0], facts), "why." + whyVariant(facts[0], facts)} {
				for language, words := range all {
					for _, m := range regexp.MustCompile(`\{(\w+)[|}]`).FindAllStringSubmatch(words[id], -1) {
						if _, ok := args[m[1]]; !ok {
							t.Errorf("%s: %s asks for %s", language, id, m[0])
						}
					}
				}
			}
		}
	}
}

// filled is e with something in each field in which its variants don't differ.
func filled(e event.Event, variants [][]event.Event) event.Event {
	var differ event.Event
	for _, facts := range variants {
		v := facts[0]
		differ.Delta, differ.Key, differ.Old, differ.New = max(differ.Delta, v.Delta), max(differ.Key, v.Key), max(differ.Old, v.Old), max(differ.New, v.New)
	}
	if differ.Delta == 0 {
		e.Delta = event.Added
	}
	if differ.Key == 0 {
		e.Key = 1
	}
	if differ.Old == 0 {
		e.Old = 1
	}
	if differ.New == 0 {
		e.New = 1
	}
	return e
}
