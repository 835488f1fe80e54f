package picture

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/internal/words"
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

func TestEveryTextIsInTheCatalogues(t *testing.T) {
	for language, all := range words.Catalogues(t) {
		for _, id := range texts() {
			if all[id] == "" {
				t.Errorf("%s has no %q", language, id)
			}
		}
	}
}
