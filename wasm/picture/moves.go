package picture

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
)

// maxMoves is how many moves one unit shows.
const maxMoves = 24

// Moves says what the last step moved, from where to where, and which places
// it touched. link.Frame has the places' names.
func (s *Stage) Moves() (moves []link.Move, lit []string) {
	if !s.acted() {
		return nil, nil
	}
	travel := func(c link.Chip, from, to, how string) {
		moves = append(moves, link.Move{Chip: c, From: from, To: to, How: how})
		lit = append(lit, to)
	}
	popped := false
	var from string // of the notification that the step hands out
	for _, e := range s.w.Log.Events {
		key := s.t.KeyText(e.Key)
		switch e.Kind {
		case event.ListReceived:
			travel(link.Chip{T: "R", N: e.Items()}, "server", "reflector", "sheaf")
		case event.WatchEventReceived:
			c := s.chip(watchLetter(e.Delta), e.New)
			if c.RV == "" {
				c.RV = s.newest()
			}
			travel(c, "tape/"+strconv.FormatInt(e.Number(), 10), "reflector", "")
		case event.WatchErrorReceived:
			travel(link.Chip{T: "E"}, "server", "reflector", "")
		case event.WatchOpened, event.WatchClosed, event.VeryShortWatch:
			lit = append(lit, "server")
		case event.ListRequested, event.WatchRequested, event.ResourceVersionSet, event.BackoffStarted, event.BackoffEnded:
			lit = append(lit, "reflector")

		case event.Enqueued:
			c := s.eventChip(deltaLetter(e.Delta), e)
			if e.Delta == event.ReplacedAll {
				c.N = max(1, s.x.Listed())
			}
			travel(c, s.source(e), "queue/"+s.enqueuedRow(e)+"/0", "")
		case event.DeltaAppended:
			travel(s.eventChip(deltaLetter(e.Delta), e), s.source(e), "queue/"+key+"/"+strconv.Itoa(e.Length()-1), "")
		case event.DeltasDeduplicated:
			travel(s.eventChip("D", e), s.source(e), "queue/"+key+"/0", "merge")
		case event.DeleteIgnored, event.WatchEventSkipped:
			travel(s.eventChip("D", e), "reflector", "void", "bounce")
		case event.SyncSkipped:
			travel(link.Chip{T: "S", Key: key}, "store/"+key, "void", "bounce")
		case event.Popped:
			if popped {
				continue // the first of a batch has told of all
			}
			popped = true
			deltas, _ := s.x.Popped()
			for i := range deltas[:min(len(deltas), maxRowDeltas)] {
				n := strconv.Itoa(i)
				row := key + "/" + n
				if s.inOrder() {
					row = rowID(s.x.Queue.Counters().Popped-int64(len(deltas)-i)) + "/0"
				}
				travel(s.deltaChip(deltas[i]), "queue/"+row, "loop/"+n, "")
			}

		case event.StoreAdded, event.StoreUpdated:
			if len(moves) == maxMoves {
				continue // of a whole batch, enough is seen
			}
			travel(s.chip(s.atWork(), e.New), s.loopPlace(), "store/"+key, "")
		case event.StoreDeleted:
			travel(s.eventChip("D", event.Event{Key: e.Key, New: e.Old}), "store/"+key, "void", "")

		case event.Distributed:
			from = "processor"
		case event.ListenerAddCh:
			if from == "" {
				from = s.handOutFrom(e, key)
			}
		case event.ListenerSlot:
			travel(s.noteOf(e), from, place("listener", e.Handler(), "slot"), "")
		case event.ListenerPending:
			travel(s.noteOf(e), from, place("listener", e.Handler(), "pending"), "")
		case event.ListenerNextCh:
			travel(s.noteOf(e), place("listener", e.Handler(), "slot"), place("listener", e.Handler(), "nextCh"), "")
		case event.HandlerCalled:
			travel(s.noteOf(e), place("listener", e.Handler(), "nextCh"), place("listener", e.Handler(), "handler"), "")
		case event.HandlerReturned:
			lit = append(lit, place("listener", e.Handler(), "handler"))
		case event.ListenerSyncing, event.ListenerAdded, event.ListenerSkipped:
			lit = append(lit, place("listener", e.Handler(), ""))

		case event.WorkAdded:
			travel(link.Chip{Key: key}, s.handlerPlace(), "work/queue/"+key, "key")
		case event.WorkDirty, event.WorkDeferred:
			travel(link.Chip{Key: key}, s.handlerPlace(), "work/dirty/"+key, "bounce")
		case event.WorkGot:
			travel(link.Chip{Key: key}, "work/queue/"+key, place("worker", e.Worker(), ""), "key")
		case event.ReconcileStarted:
			if e.New != 0 {
				travel(s.eventChip("", e), "store/"+key, place("worker", e.Worker(), ""), "")
			}
		case event.ReconcileEnded, event.ReconcileFailed, event.WorkDone:
			lit = append(lit, place("worker", e.Worker(), ""))
		case event.WorkRequeued:
			travel(link.Chip{Key: key}, "work/dirty/"+key, "work/queue/"+key, "key")
		case event.WorkDelayed:
			travel(link.Chip{Key: key}, s.handlerPlace(), "work/delayed/"+key, "key")
		case event.WorkReady:
			travel(link.Chip{Key: key}, "work/delayed/"+key, "work/queue/"+key, "key")
		}
	}
	return moves, lit
}

func place(station string, n int, part string) string {
	p := station + "/" + strconv.Itoa(n)
	if part != "" {
		p += "/" + part
	}
	return p
}

// eventChip is the object of a queue's fact.
func (s *Stage) eventChip(letter string, e event.Event) link.Chip {
	c := s.chip(letter, e.New)
	c.Key, c.Tomb = s.t.KeyText(e.Key), e.Flags&event.Tombstone != 0
	return c
}

// noteOf is the notification of a listener's fact: the step's ListenerAddCh,
// ListenerNextCh or HandlerCalled for it says what it is.
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

// source is where a delta comes from: the wire, or for tombstones and syncs the
// store that the queue asks for them.
func (s *Stage) source(e event.Event) string {
	if e.Flags&event.Tombstone != 0 || e.Delta == event.Sync {
		return "store/" + s.t.KeyText(e.Key)
	}
	return "reflector"
}

// enqueuedRow is the row in which an Enqueued delta is now.
func (s *Stage) enqueuedRow(e event.Event) string {
	if s.inOrder() {
		return rowID(s.x.Queue.Counters().Popped + int64(e.Depth()) - 1)
	}
	return s.t.KeyText(e.Key)
}

// atWork is the letter of the delta that the process loop applies.
func (s *Stage) atWork() string {
	if deltas, at := s.x.Popped(); at < len(deltas) {
		return deltaLetter(deltas[at].Type)
	}
	return "U"
}

func (s *Stage) loopPlace() string {
	_, at := s.x.Popped()
	return "loop/" + strconv.Itoa(at)
}

// handOutFrom is where a notification comes from that a listener takes: the
// process loop's hand, or for a late handler the cache.
func (s *Stage) handOutFrom(e event.Event, key string) string {
	if e.Flags&event.IsInInitialList != 0 && e.Actor >= 0 && s.w.Set.Role(actor.ID(e.Actor)).Kind == actor.User {
		return "store/" + key
	}
	return "processor"
}

// handlerPlace is the handler that the last step's actor runs.
func (s *Stage) handlerPlace() string {
	if s.w.Last.Actor == actor.Nobody { // a call from outside
		return "processor"
	}
	r := s.w.Set.Role(s.w.Last.Actor)
	if r.Kind == actor.Run {
		return place("listener", int(r.Index), "handler")
	}
	return place("worker", int(r.Index), "")
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
