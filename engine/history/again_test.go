package history

import (
	"errors"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// TestRunAgain calls Run again at random points of random runs of v0.22, as often as
// the engine allows. Under random schedules it checks that a copy does the same, that
// every notification is handed to its handler once, and how such an informer ends.
func TestRunAgain(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		r := actor.Rand(seed)
		cfg := randomConfig(&r, randomFeed(&r, 30))
		x := &cfg.Informers[0]
		x.Profile = world.Classic
		if seed%4 == 0 {
			x.Handlers = nil
		}
		w, err := newPoint(cfg)
		if err != nil {
			t.Fatal(err)
		}
		w.run(1 + int64(r.Intn(400)))
		runs := 1 + r.Intn(actor.MaxRuns-1)
		for range runs {
			if !w.Do(&world.Command{Kind: world.RunAgain}) {
				t.Fatalf("seed %d: Run cannot be called again", seed)
			}
		}
		if runs == actor.MaxRuns-1 && w.Do(&world.Command{Kind: world.RunAgain}) {
			t.Fatalf("seed %d: Run can be called once more", seed)
		}
		a := rerun{t, seed, w, w.clone(), map[delivery]int{}}
		for i := range w.Informers[0].Processor.Listeners {
			for _, n := range pending(&w.Informers[0].Processor.Listeners[i]) {
				a.open[delivery{i, n}]++
			}
		}
		for n := 0; ; n++ {
			ready := w.Ready(nil)
			busy := ready[:0]
			for _, id := range ready {
				if !w.Idle(id) {
					busy = append(busy, id)
				}
			}
			if len(busy) == 0 {
				break
			}
			if n > 200_000 {
				t.Fatalf("seed %d: the run does not end", seed)
			}
			a.step(busy[r.Intn(len(busy))])
		}
		for n, count := range a.open {
			if count != 0 {
				t.Errorf("seed %d: listener %d is called %d times too few for %+v", seed, n.listener, count, n.Notification)
			}
		}
		a.stop(&r)
	}
}

type rerun struct {
	t      *testing.T
	seed   uint64
	w, own *point // own is a copy of w
	open   map[delivery]int
}

// delivery is a notification on its way to a listener's handler.
type delivery struct {
	listener int
	processor.Notification
}

// pending are the notifications on their way.
func pending(l *processor.Listener) (all []processor.Notification) {
	for i := range l.Pending() {
		all = append(all, l.PendingAt(i))
	}
	for j := range l.Pairs() {
		if p := l.PairAt(j); p.Slot.Type != 0 {
			all = append(all, p.Slot)
		}
	}
	return all
}

func (a *rerun) step(id actor.ID) {
	a.t.Helper()
	x := a.w.Informers[0]
	// A call that is about to be made has been handed over already.
	waiting := map[int]processor.Notification{}
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		if j := int(a.w.Set.Role(id).Pair); l.PairAt(j).Pop == id && a.w.Set.State(id).PC == actor.PopNext {
			waiting[i] = l.PairAt(j).Slot
		}
	}
	a.w.Step(id)
	for _, e := range a.w.Log.Events {
		switch e.Kind {
		case event.ListenerAddCh:
			a.open[delivery{int(e.Listener), a.notification(e)}]++
		case event.ListenerNextCh:
			a.open[delivery{int(e.Listener), waiting[int(e.Listener)]}]--
		}
	}
	a.own.Step(id)
	var h, branch actor.Hash
	a.own.Hash(&branch)
	if a.w.Hash(&h); h != branch {
		a.t.Fatalf("seed %d: at step %d the copy is in another state", a.seed, a.w.Steps())
	}
	if a.w.Steps()%100 == 0 {
		a.own.copyFrom(a.w)
	}
}

// notification is the notification of a ListenerAddCh.
func (a *rerun) notification(e event.Event) processor.Notification {
	return processor.Notification{Key: e.Key, Old: e.Old, New: e.New, Type: processor.Type(e.Delta), Flags: e.Flags, Cause: e.Cause}
}

// stop stops the informer, and lets it end.
func (a *rerun) stop(r *actor.Rand) {
	a.t.Helper()
	a.w.Do(&world.Command{Kind: world.StopInformer})
	for n := 0; ; n++ {
		ready := a.w.Ready(nil)
		if len(ready) == 0 {
			break
		}
		if n > 100_000 {
			a.t.Fatalf("seed %d: the run does not end", a.seed)
		}
		a.w.Step(ready[r.Intn(len(ready))])
	}
	x := a.w.Informers[0]
	panicked := errors.As(x.Crash(), new(informer.ChannelError))
	if handles := len(x.Config().Handlers) > 0; panicked != handles || !x.Stopped() {
		a.t.Errorf("seed %d: with handlers %v the run ends with crash %v, stopped %v", a.seed, handles, x.Crash(), x.Stopped())
	}
}
