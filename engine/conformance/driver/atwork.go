package main

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// Operations that go on while the process loop is at work: it is held where it writes the first object to the indexer.

// indexes reports whether the process loop calls an index function for the delta at which it is. It calls none to delete
// an object that isn't stored.
func (f *infFamily) indexes() bool {
	deltas, at := f.x.Popped()
	if deltas[at].Type == event.Deleted {
		_, stored := f.x.Indexer.GetByKey(deltas[at].Key)
		return stored
	}
	return deltas[at].Type != event.Bookmark
}

// holdLoop lets the process loop come there, and all others go as far as they can. It reports whether the loop is there.
func (f *infFamily) holdLoop() bool {
	_, _, _, loop := f.x.Actors()
	for {
		if f.w.Set.State(loop).PC == actor.LoopStore && f.indexes() {
			f.settleBut(loop)
			return true
		}
		next, at := f.w.Set.Earliest()
		if at > f.w.Now() {
			return false
		}
		f.h.Choose(next)
		f.look()
	}
}

// settleBut runs all that can run now, without one actor.
func (f *infFamily) settleBut(held actor.ID) {
	for {
		next := actor.Nobody
		for id := range actor.ID(f.w.Set.Len()) {
			if id != held && f.w.Set.ReadyAt(id) <= f.w.Now() && (next == actor.Nobody || f.w.Set.ReadyAt(id) < f.w.Set.ReadyAt(next)) {
				next = id
			}
		}
		if next == actor.Nobody {
			return
		}
		f.h.Choose(next)
		f.look()
	}
}

// stop closes the stop channel.
func (f *infFamily) stop() {
	f.h.Do(world.Command{Kind: world.StopInformer})
	f.look()
}

// stopAtWork answers a list, and stops the informer while the process loop is at work on the first object. Handlers hear
// of all that the loop does then, because it is the slowest. It prints what HasSynced says before the stop, where nobody
// waits for the queue's lock to be told.
func (f *infFamily) stopAtWork(l *line, out output) {
	if !f.answer("list", l, out) {
		return
	}
	if len(l.Items) == 0 || !f.holdLoop() { // no index function is called
		f.settle(f.w.Now())
	} else if f.cfg.Informers[0].Profile.LatchedSync {
		out["working"] = f.synced()
	}
	f.stop()
	_, _, _, loop := f.x.Actors()
	for f.settleBut(loop); f.w.Set.ReadyAt(loop) <= f.w.Now(); f.settleBut(loop) {
		f.h.Choose(loop)
		f.look()
	}
}

// synced returns what HasSynced says, of the informer and of each handler.
func (f *infFamily) synced() (said []bool) {
	said = append(said, f.x.HasSynced())
	for i := range f.handlers {
		said = append(said, f.x.Processor.Listeners[i].Synced)
	}
	return said
}

// eventsAtWork sends an event, and the others while the process loop is at work on it. It prints how far the reflector
// came meanwhile.
func (f *infFamily) eventsAtWork(l *line, out output) {
	begin, rest := *l, *l
	begin.Events, rest.Events = l.Events[:1], l.Events[1:]
	if !f.answer("events", &begin, out) {
		return
	}
	held := f.holdLoop()
	f.answer("events", &rest, out)
	if held {
		_, _, _, loop := f.x.Actors()
		f.settleBut(loop)
		out["ahead"] = f.s.t.RVText(f.x.LastSyncResourceVersion())
	}
}
