package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
)

// maxMoves is how many moves are shown of one unit.
const maxMoves = 24

// Moves returns what the last step moved, from which place to which, and the places
// that it touched.
func (s *Stage) Moves() (moves []link.Move, lit []string) {
	if !s.acted() {
		return nil, nil
	}
	travel := func(c link.Chip, from, to string, how link.How) {
		moves = append(moves, link.Move{Chip: c, From: from, To: to, How: how})
		lit = append(lit, to)
	}
	popped := false
	var from string // the place from which the step hands a notification out
	for _, e := range s.w.Log.Events {
		key := s.t.KeyText(e.Key)
		switch e.Kind {
		case event.ListReceived:
			travel(link.Chip{T: link.LetterReplaced, N: e.Items()}, link.PlaceServer, link.PlaceReflector, link.Spreads)
		case event.WatchEventReceived:
			c := s.chip(watchLetter(e.Delta), e.New)
			if c.RV == "" {
				c.RV = s.newest()
			}
			travel(c, link.PlaceTape(e.Number()), link.PlaceReflector, link.Travels)
		case event.WatchErrorReceived:
			travel(link.Chip{T: link.LetterError}, link.PlaceServer, link.PlaceReflector, link.Travels)
		case event.WatchOpened, event.WatchClosed, event.VeryShortWatch:
			lit = append(lit, link.PlaceServer)
		case event.ListRequested, event.WatchRequested, event.ResourceVersionSet, event.BackoffStarted, event.BackoffEnded:
			lit = append(lit, link.PlaceReflector)

		case event.Enqueued:
			c := s.eventChip(deltaLetter(e.Delta), e)
			if e.Delta == event.ReplacedAll {
				c.N = max(1, s.x.Listed())
			}
			travel(c, s.source(e), link.PlaceDelta(s.enqueuedRow(e), 0), link.Travels)
		case event.DeltaAppended:
			travel(s.eventChip(deltaLetter(e.Delta), e), s.source(e), link.PlaceDelta(key, e.Length()-1), link.Travels)
		case event.DeltasDeduplicated:
			travel(s.eventChip(link.LetterDeleted, e), s.source(e), link.PlaceDelta(key, 0), link.Merges)
		case event.DeleteIgnored, event.WatchEventSkipped:
			travel(s.eventChip(link.LetterDeleted, e), link.PlaceReflector, link.PlaceVoid, link.Bounces)
		case event.SyncSkipped:
			travel(link.Chip{T: link.LetterSync, Key: key}, link.PlaceTile(key), link.PlaceVoid, link.Bounces)
		case event.Popped:
			if popped {
				continue // the first Popped of a batch has moved all deltas
			}
			popped = true
			deltas, _ := s.x.Popped()
			for i := range deltas[:min(len(deltas), maxRowDeltas)] {
				row := link.PlaceDelta(key, i)
				if s.inOrder() {
					row = link.PlaceDelta(rowID(s.x.Queue.Counters().Popped-int64(len(deltas)-i)), 0)
				}
				travel(s.deltaChip(deltas[i]), row, link.PlacePopped(i), link.Travels)
			}

		case event.StoreAdded, event.StoreUpdated:
			if len(moves) == maxMoves {
				continue // a batch may store more than can be shown
			}
			travel(s.chip(s.atWork(), e.New), s.loopPlace(), link.PlaceTile(key), link.Travels)
		case event.StoreDeleted:
			travel(s.eventChip(link.LetterDeleted, event.Event{Key: e.Key, New: e.Old}), link.PlaceTile(key), link.PlaceVoid, link.Travels)

		case event.Distributed:
			from = link.PlaceProcessor
		case event.ListenerAddCh:
			if from == "" {
				from = s.handOutFrom(e, key)
			}
		case event.ListenerSlot:
			travel(s.noteOf(e), from, link.PlaceLane(e.Handler(), link.LaneSlot), link.Travels)
		case event.ListenerPending:
			travel(s.noteOf(e), from, link.PlaceLane(e.Handler(), link.LanePending), link.Travels)
		case event.ListenerNextCh:
			travel(s.noteOf(e), link.PlaceLane(e.Handler(), link.LaneSlot), link.PlaceLane(e.Handler(), link.LaneNextCh), link.Travels)
		case event.HandlerCalled:
			travel(s.noteOf(e), link.PlaceLane(e.Handler(), link.LaneNextCh), link.PlaceLane(e.Handler(), link.LaneHandler), link.Travels)
		case event.HandlerReturned:
			lit = append(lit, link.PlaceLane(e.Handler(), link.LaneHandler))
		case event.ListenerSyncing, event.ListenerAdded, event.ListenerSkipped:
			lit = append(lit, link.PlaceListener(e.Handler()))

		case event.WorkAdded:
			travel(link.Chip{Key: key}, s.handlerPlace(), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
		case event.WorkDirty, event.WorkDeferred:
			travel(link.Chip{Key: key}, s.handlerPlace(), link.PlaceKey(link.SetDirty, key), link.Bounces)
		case event.WorkGot:
			travel(link.Chip{Key: key}, link.PlaceKey(link.SetQueue, key), link.PlaceWorker(e.Worker()), link.KeyOnly)
		case event.ReconcileStarted:
			if e.New != 0 {
				travel(s.eventChip("", e), link.PlaceTile(key), link.PlaceWorker(e.Worker()), link.Travels)
			}
		case event.ReconcileEnded, event.ReconcileFailed, event.WorkDone:
			lit = append(lit, link.PlaceWorker(e.Worker()))
		case event.WorkRequeued:
			travel(link.Chip{Key: key}, link.PlaceKey(link.SetDirty, key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
		case event.WorkDelayed:
			travel(link.Chip{Key: key}, s.handlerPlace(), link.PlaceKey(link.SetDelayed, key), link.KeyOnly)
		case event.WorkReady:
			travel(link.Chip{Key: key}, link.PlaceKey(link.SetDelayed, key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
		}
	}
	return moves, lit
}

// eventChip is the object that a fact of the queue tells.
func (s *Stage) eventChip(letter string, e event.Event) link.Chip {
	c := s.chip(letter, e.New)
	c.Key, c.Tomb = s.t.KeyText(e.Key), e.Flags&event.Tombstone != 0
	return c
}

// noteOf is the notification that a listener's fact is about. The ListenerAddCh,
// ListenerNextCh or HandlerCalled of the same step tells it.
func (s *Stage) noteOf(e event.Event) link.Chip {
	for _, f := range s.w.Log.Events {
		if f.Handler() != e.Handler() || f.Delta == event.None {
			continue
		}
		r := f.New
		if r == 0 {
			r = f.Old
		}
		return s.eventChip(deltaLetter(f.Delta), event.Event{Key: f.Key, New: r, Flags: f.Flags})
	}
	return link.Chip{Key: s.t.KeyText(e.Key)}
}

// source is the place from which a delta comes: the reflector, or for tombstones and
// syncs the store, as the queue looks them up there.
func (s *Stage) source(e event.Event) string {
	if e.Flags&event.Tombstone != 0 || e.Delta == event.Sync {
		return link.PlaceTile(s.t.KeyText(e.Key))
	}
	return link.PlaceReflector
}

// enqueuedRow is the ID of the row in which an Enqueued delta is now.
func (s *Stage) enqueuedRow(e event.Event) string {
	if s.inOrder() {
		return rowID(s.x.Queue.Counters().Popped + int64(e.Depth()) - 1)
	}
	return s.t.KeyText(e.Key)
}

// atWork is the letter of the delta that the process loop is applying.
func (s *Stage) atWork() string {
	if deltas, at := s.x.Popped(); at < len(deltas) {
		return deltaLetter(deltas[at].Type)
	}
	return link.LetterUpdated
}

func (s *Stage) loopPlace() string {
	_, at := s.x.Popped()
	return link.PlacePopped(at)
}

// handOutFrom is the place from which a listener takes a notification: the process
// loop's hand, or the cache if the handler has joined late.
func (s *Stage) handOutFrom(e event.Event, key string) string {
	by := actor.ID(e.Actor)
	if e.Flags&event.IsInInitialList != 0 && by != actor.Nobody && s.w.Set.Role(by).Kind == actor.User {
		return link.PlaceTile(key)
	}
	return link.PlaceProcessor
}

// handlerPlace is the place of the handler or worker that made the last step.
func (s *Stage) handlerPlace() string {
	if s.w.Last.Actor == actor.Nobody { // a call from outside
		return link.PlaceProcessor
	}
	r := s.w.Set.Role(s.w.Last.Actor)
	if r.Kind == actor.Run {
		return link.PlaceLane(int(r.Index), link.LaneHandler)
	}
	return link.PlaceWorker(int(r.Index))
}

// Chain appends the moves of a step to those of the steps before it. Where a
// thing goes on from the place to which an earlier step has moved it, the two
// moves become one.
func Chain(moves, step []link.Move) []link.Move {
next:
	for _, m := range step {
		for i := range moves {
			if moves[i].To == m.From && moves[i].Chip.Key == m.Chip.Key {
				moves[i].To, moves[i].How, moves[i].Chip = m.To, m.How, m.Chip
				continue next
			}
		}
		if len(moves) < maxMoves {
			moves = append(moves, m)
		}
	}
	return moves
}
