package words_test

import (
	"fmt"
	"testing"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Every name that the page shows has its words in every language.
func TestEveryNameHasItsWords(t *testing.T) {
	var ids []string
	for station, states := range link.States {
		for _, s := range states {
			ids = append(ids, "ui."+station+"."+s)
		}
	}
	for _, s := range link.Wires {
		ids = append(ids, "ui.wire."+s)
	}
	for _, u := range link.Units {
		ids = append(ids, "ui.unit."+string(u), "ui.unit."+string(u)+".title")
	}
	for _, a := range link.Axes {
		ids = append(ids, "ui.axis."+string(a))
	}
	for _, m := range link.Marks {
		ids = append(ids, "ui.mark."+string(m))
	}
	for _, k := range link.ActorKinds {
		ids = append(ids, "actor."+k)
	}
	for _, p := range link.Phases {
		ids = append(ids, "ui.loading."+string(p))
	}
	for _, f := range link.Faults {
		ids = append(ids, "ui.fault."+f)
	}
	for _, g := range link.EndStates {
		ids = append(ids, "ui.gone."+g)
	}
	for s := follow.Waiting; s <= follow.Ended; s++ {
		ids = append(ids, "ui.live.state."+s.String())
	}
	for r := follow.None + 1; r <= follow.Unreadable; r++ {
		ids = append(ids, "ui.live.reason."+r.String())
	}
	for _, f := range syntax.SaidForms() {
		ids = append(ids, "line."+f)
	}
	for _, code := range viewtest.Languages(t) {
		texts := viewtest.Catalogue(t, code)
		for _, id := range ids {
			if texts[id] == "" {
				t.Errorf("%s has no %s", code, id)
			}
		}
	}
	if got := fmt.Sprint(follow.Waiting, follow.Listing, follow.Watching, follow.Ended, follow.Expired); got != fmt.Sprint(link.StreamWaiting, " ", link.StreamListing, " ", link.StreamWatching, " ", link.StreamEnded, " ", link.ReasonExpired) {
		t.Errorf("package follow calls the states of a stream %s", got)
	}
}
