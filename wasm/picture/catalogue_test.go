package picture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// texts lists the entries that a frame can ask the catalogues for, beside the sentences.
func texts() []string {
	var out []string
	for _, s := range loopStates {
		out = append(out, "ui.loop."+s)
	}
	for _, s := range reflectorStates {
		out = append(out, "ui.reflector."+s)
	}
	for _, s := range link.Wires {
		out = append(out, "ui.wire."+s)
	}
	for pc := range actor.NumPC {
		out = append(out, "pc."+pc.String())
	}
	for _, r := range slices.Concat(skipReasons[1:], refusals[1:], failures[:], []string{noKey}) {
		if r == "" {
			continue
		}
		out = append(out, "reason."+r)
	}
	for _, p := range world.Profiles() {
		out = append(out, p.Summary)
	}
	for l := range actor.NumLocks {
		out = append(out, "lock."+l.String())
	}
	for _, k := range []actor.Kind{actor.User, actor.Reflector, actor.Resync, actor.Loop, actor.Run} {
		out = append(out, "who."+k.String())
	}
	return append(out, "who.other")
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

func TestEveryTextIsInTheCatalogues(t *testing.T) {
	for language, words := range catalogues(t) {
		for _, id := range texts() {
			if words[id] == "" {
				t.Errorf("%s has no %q", language, id)
			}
		}
	}
}
