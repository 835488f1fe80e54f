package says

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// Code tells web/page/code.js which of the engine's source the last step ran, and which of
// client-go's it is to be compared with. Its words, between spaces, are the program
// counter (one more than all of them for the step that ends a PassTime), the fact that the
// sentence tells or 0, the kind of the queue, whether that pops batches, the version of
// client-go, the function of client-go that the program counter stands for or "-", and all
// facts.
func Code(w *world.World) string {
	if w.Steps() == 0 {
		return ""
	}
	var st step
	st.init(w)
	_, fact := st.saying()
	p := &st.x.Config().Profile
	queue, batch, version, does := link.DeltaFIFO, "single", p.Release(), AtWork(st.pc, p)
	if p.InOrder {
		queue = link.RealFIFO
	}
	if p.Batch {
		batch = "batch"
	}
	if does == "" {
		does = "-"
	}
	pc := st.pc
	if w.Last.Actor == actor.Nobody && st.has(event.TimePassed) && !w.ByHand() {
		pc = actor.NumPC
	}
	words := []string{strconv.Itoa(int(pc)), factID(fact), queue, batch, version, does}
	for _, e := range st.facts {
		if id := factID(e); !slices.Contains(words[6:], id) {
			words = append(words, id)
		}
	}
	return strings.Join(words, " ")
}

// factID returns a fact's kind, and the lock that it is about: web/build/code makes the same.
func factID(e event.Event) string {
	id := int(e.Kind)
	switch e.Kind {
	case event.LockAcquired, event.LockWaits, event.LockReleased:
		id += (e.Lock() + 1) << 8
	}
	return strconv.Itoa(id)
}

// AtWork returns the function of client-go that a program counter stands for, "" for none.
func AtWork(pc actor.PC, p *informer.Profile) string { return atWork[pc].nameIn(p) }
