package world

import "github.com/informerscope/informerscope/engine/actor"

// Ready appends the actors that can move, in a fixed order. A goroutine may always
// be late, so each of them may be the next. If it waits for a timer or
// for the server, the clock moves to the end of its wait.
func (w *World) Ready(dst []actor.ID) []actor.ID {
	for id := range actor.ID(w.Set.Len()) {
		if w.CanMove(id) {
			dst = append(dst, id)
		}
	}
	return dst
}

// CanMove reports whether there is an actor id and it can move.
func (w *World) CanMove(id actor.ID) bool {
	return id >= 0 && int(id) < w.Set.Len() && w.Set.ReadyAt(id) != actor.Never && !w.hands
}

// Next returns the actor that the default scheduler picks: the one whose next micro-step is
// done first.
// There is none if the world is starved, or if nothing more will happen. Resync
// timers don't count once the server has nothing more to send, unless there is a
// horizon.
func (w *World) Next() (actor.ID, bool) {
	if w.hands {
		return actor.Nobody, false
	}
	until := actor.Never
	if w.Set.Starved {
		until = w.KnownUntil()
		w.Set.Starved = until != actor.Never
	}
	next, least := w.Set.Earliest()
	if least >= until {
		return actor.Nobody, false
	}
	if w.Set.State(next).Wait.Passes() && w.Idle(next) {
		next = w.nextBusy()
		if next == actor.Nobody || w.Set.ReadyAt(next) >= until {
			return actor.Nobody, false
		}
	}
	return next, true
}

// nextBusy returns what Next does, without the actors that are idle.
func (w *World) nextBusy() actor.ID {
	next, best := actor.Nobody, actor.Never
	for id := range actor.ID(w.Set.Len()) {
		if at := w.Set.ReadyAt(id); at < best && !w.Idle(id) {
			next, best = id, at
		}
	}
	return next
}

// Idle reports whether the actor waits for something that will change nothing any more:
//   - a resync timer after the server's last event;
//   - a leader's renewal while nobody else moves;
//   - a delay after which a reconcile fails as before;
//   - a reflector whose watch brings only bookmarks and its end;
//   - caches that nothing lets sync.
//
// No actor is idle up to the horizon.
func (w *World) Idle(id actor.ID) bool {
	if !w.Set.State(id).Wait.Passes() || w.Set.ReadyAt(id) <= w.horizon {
		return false
	}
	switch w.Set.State(id).PC {
	case actor.WorkerStart:
		return w.syncsNever(id)
	case actor.ElectorWake, actor.ElectorStart:
		return w.electionRests()
	}
	x := w.Informers[w.Set.Role(id).Informer]
	if x.Idle(&w.Set, id) {
		return x.ServerDone(&w.Set, w.Set.ReadyAt(id)) || x.Quiet(&w.Set)
	}
	return w.Set.Role(id).Kind == actor.Reflector && x.Quiet(&w.Set)
}

// Starved reports whether the world waits for a feed to grow: more may come, and
// it is not known when.
func (w *World) Starved() bool { return w.KnownUntil() != actor.Never }

// KnownUntil returns the time up to which the world may move: nothing that is still unread
// in the feeds happens before it. It is actor.Never if no feed is awaited.
func (w *World) KnownUntil() (until int64) {
	until = actor.Never
	for _, x := range w.Informers {
		if x.Starved() {
			until = min(until, x.Resume(&w.Set))
		}
	}
	return until
}

// TimeIsUp reports whether the next step of the default schedule reaches
// the horizon.
func (w *World) TimeIsUp() bool {
	if w.horizon == 0 {
		return false
	}
	if id, ok := w.Next(); ok {
		return w.Set.ReadyAt(id) > w.horizon
	}
	return w.KnownUntil() > w.horizon
}

// KeepsTime reports whether an actor only keeps time: it is idle, or in a WaitForCacheSync that
// would only ask again.
func (w *World) KeepsTime(id actor.ID) bool { return w.Idle(id) || w.pollsInVain(id) }

// pollsInVain reports whether an actor is in WaitForCacheSync, and would only ask again.
func (w *World) pollsInVain(id actor.ID) bool {
	if w.Set.State(id).PC != actor.WorkerStart {
		return false
	}
	_, n := w.Unsynced(int(w.Set.Role(id).Informer))
	return n > 0
}

// syncsNever reports whether an actor asks in vain, and nobody moves who could change that.
func (w *World) syncsNever(id actor.ID) bool {
	if !w.pollsInVain(id) {
		return false
	}
	for other := range actor.ID(w.Set.Len()) {
		if w.Set.State(other).PC != actor.WorkerStart && w.Set.ReadyAt(other) != actor.Never && !w.Idle(other) {
			return false
		}
	}
	return true
}

// electionRests reports whether nothing but renewals comes: a leader holds the lease, and
// nobody else moves.
func (w *World) electionRests() bool {
	if !w.Settled() {
		return false
	}
	for id := range actor.ID(w.Set.Len()) {
		if w.Set.Role(id).Kind == actor.Elector || w.Set.ReadyAt(id) == actor.Never {
			continue
		}
		if w.Set.State(id).PC == actor.WorkerStart {
			if !w.pollsInVain(id) {
				return false
			}
		} else if !w.Idle(id) {
			return false
		}
	}
	return true
}
