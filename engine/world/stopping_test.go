package world

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// TestRunWaitsForHandlers: Run returns when the handlers have returned, and holds
// the listeners' lock meanwhile, for which RemoveEventHandler has to wait.
func TestRunWaitsForHandlers(t *testing.T) {
	for _, p := range Profiles() {
		cfg := newFeed().list("10", "a/x@1").wait(ms).open().config(informer.Handler{Name: "slow", Takes: 10 * sec}, informer.Handler{Name: "idle"})
		cfg.Informers[0].Profile, cfg.Informers[0].Workers = p, 0
		h, err := NewHistory(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		returned, stopped := int64(-1), int64(-1)
		run := func(until func(w *World) bool) {
			for !until(h.Front()) {
				id, ok := h.Front().Next()
				if !ok {
					return
				}
				h.Choose(id)
				for _, e := range h.Front().Log.Events {
					switch {
					case e.Kind == event.HandlerReturned && e.Listener == 0:
						returned = h.Front().Now()
					case e.Kind == event.InformerStopped:
						stopped = h.Front().Now()
					}
				}
			}
		}
		x := func() *informer.Informer { return h.Front().Informers[0] }
		run(func(w *World) bool { return w.Now() > sec/2 || x().Processor.Listeners[0].Calls > 0 })
		h.Do(Command{Kind: StopInformer})
		run(func(*World) bool { return x().Stopped() })
		user, _, _, _ := x().Actors()
		if x().Locks[actor.ListenersLock].Holder() == actor.Nobody || stopped >= 0 {
			t.Errorf("%s: Run does not wait for the handler", p.Name)
		}
		if p.Registrations {
			h.Do(Command{Kind: RemoveHandler, Listener: 0})
			run(func(w *World) bool { return w.Set.State(user).Wait == actor.OnLock || stopped >= 0 })
			if !slices.Contains(x().Locks[actor.ListenersLock].Waiters(), user) {
				t.Errorf("%s: RemoveEventHandler does not wait for the handler", p.Name)
			}
		}
		run(func(*World) bool { return false })
		if returned < 10*sec || stopped != returned || x().Locks[actor.ListenersLock].Holder() != actor.Nobody {
			t.Errorf("%s: the handler has returned at %d, Run at %d", p.Name, returned, stopped)
		}
		if p.Registrations && h.Front().Set.State(user).Wait != actor.Stopped {
			t.Errorf("%s: RemoveEventHandler has not returned", p.Name)
		}
	}
}
