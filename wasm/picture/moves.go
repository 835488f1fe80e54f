package picture

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/controller"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// maxMoves is how many moves are shown of one unit.
const maxMoves = 24

// Moves returns what the last step moved, from which place to which, and the places
// that it touched, all at one station.
func (s *Stage) Moves() (moves []link.Move, lit []string) {
	if !s.acted() {
		return s.movesElsewhere()
	}
	travel := func(c link.Chip, from, to string, how link.Motion) {
		moves = append(moves, link.Move{Chip: c, From: from, To: to, Motion: how})
		if to == link.PlaceVoid {
			to = from
		}
		lit = append(lit, to)
	}
	light := func(place string) { lit = append(lit, place) }
	popped := false
	var from string // the place from which the step hands a notification out
	for _, e := range s.w.Log.Events {
		key := s.t.KeyText(e.Key)
		switch e.Kind {
		case event.ListReceived:
			travel(*listChip(e.Items()), link.PlaceServer, link.PlaceReflector, link.Spreads)
		case event.WatchEventReceived:
			c := s.chip(watchLetter(e.Delta), e.New)
			if c.RV == "" {
				c.RV = s.t.RVText(s.x.Server.View(0, 0).Newest) // the newest that the server has sent
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
			if s.inOrder() {
				c = s.deltaChip(s.x.Queue.RowDeltas(e.Depth()-1, nil)[0]) // it is the tail
			}
			travel(c, s.source(e), link.PlaceDelta(s.enqueuedRow(e), 0), link.Travels)
		case event.DeltaAppended:
			travel(s.eventChip(deltaLetter(e.Delta), e), s.source(e), link.PlaceDelta(key, e.Length()-1), link.Travels)
		case event.DeltasDeduplicated:
			travel(s.eventChip(link.LetterDeleted, e), s.source(e), link.PlaceDelta(key, e.Length()-1), link.Merges)
		case event.DeleteIgnored:
			travel(s.eventChip(link.LetterDeleted, e), link.PlaceReflector, link.PlaceVoid, link.Bounces)
		case event.WatchEventSkipped:
			travel(s.chip(watchLetter(e.Delta), e.New), link.PlaceReflector, link.PlaceVoid, link.Drops)
		case event.SyncSkipped:
			travel(link.Chip{T: link.LetterSync, Key: key}, s.tile(e.Key), link.PlaceVoid, link.Bounces)
		case event.Popped:
			if popped {
				continue // the first Popped of a batch has moved all deltas
			}
			popped = true
			deltas, _ := s.x.Popped()
			for i := range deltas[:min(len(deltas), maxRowDeltas)] {
				row := link.PlaceDelta(key, i)
				if s.inOrder() {
					row = link.PlaceDelta(link.RowID(s.x.Queue.Counters().Popped-int64(len(deltas)-i)), 0)
				}
				travel(s.deltaChip(deltas[i]), row, link.PlacePopped(i), link.Travels)
			}

		case event.StoreAdded, event.StoreUpdated:
			if len(moves) == maxMoves {
				continue // a batch may store more than can be shown
			}
			letter, place := s.applied(e.Key)
			travel(s.chip(letter, e.New), place, s.tile(e.Key), link.Travels)
		case event.CacheWritten:
			travel(s.eventChip(link.LetterUpdated, e), link.PlaceServer, s.tile(e.Key), link.Travels)
		case event.StoreDeleted:
			if e.Old == 0 || len(moves) == maxMoves {
				continue
			}
			travel(s.eventChip(link.LetterDeleted, event.Event{Key: e.Key, New: e.Old}), s.tile(e.Key), link.PlaceVoid, link.Drops)
			lit = append(lit, link.PlaceStore)

		case event.Distributed:
			from = link.PlaceProcessor
		case event.ListenerAddCh:
			if from == "" {
				from = s.handOutFrom(e)
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

		default:
			s.moveWork(e, travel, light)
		}
	}
	return moves, focus(moves, lit)
}

// focus returns those places of one station that light up, since a viewer looks at one thing: where something has moved, and
// otherwise what the step has touched last.
func focus(moves []link.Move, lit []string) []string {
	at := ""
	for _, place := range lit {
		at = cmp.Or(link.StationOf(place), at)
	}
	for _, m := range moves {
		at = cmp.Or(link.StationOf(m.To), at)
	}
	return slices.DeleteFunc(lit, func(place string) bool { return link.StationOf(place) != at })
}

// eventChip returns the object that a fact of the queue tells.
func (s *Stage) eventChip(letter string, e event.Event) link.Chip {
	c := s.chip(letter, e.New)
	c.Key, c.Tomb = s.t.KeyText(e.Key), e.Flags&event.Tombstone != 0
	return c
}

// noteOf returns the notification that a listener's fact is about. The ListenerAddCh,
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

// source returns the place from which a delta comes: the reflector, or for tombstones and
// syncs the store, as the queue looks them up there.
func (s *Stage) source(e event.Event) string {
	if e.Flags&event.Tombstone != 0 || e.Delta == event.Sync {
		return s.tile(e.Key)
	}
	return link.PlaceReflector
}

// enqueuedRow returns the ID of the row in which an Enqueued delta is now.
func (s *Stage) enqueuedRow(e event.Event) string {
	if s.inOrder() {
		return link.RowID(s.x.Queue.Counters().Popped + int64(e.Depth()) - 1)
	}
	return s.t.KeyText(e.Key)
}

// applied returns the letter and the place of the delta for which the process loop has
// written k to the store. A delta for a whole list has no key of its own.
func (s *Stage) applied(k object.Key) (letter, place string) {
	deltas, at := s.x.Popped()
	if s.x.Config().Profile.Batch { // a batch is stored at once
		at = max(0, slices.IndexFunc(deltas, func(d fifo.Delta) bool { return d.Key == k }))
	}
	letter = link.LetterUpdated
	if at < len(deltas) {
		letter = deltaLetter(deltas[at].Type)
	}
	return letter, link.PlacePopped(at)
}

// handOutFrom returns the place from which a listener takes a notification: the process
// loop's hand, or the cache if the handler has joined late.
func (s *Stage) handOutFrom(e event.Event) string {
	by := actor.ID(e.Actor)
	if e.Flags&event.IsInInitialList != 0 && by != actor.Nobody && s.w.Set.Role(by).Kind == actor.User {
		return s.tile(e.Key)
	}
	return link.PlaceProcessor
}

// Chain appends the moves of a step to the moves of the steps before it. If a
// thing goes on from the place to which an earlier step has moved it, the two
// moves become one.
func Chain(moves, step []link.Move) []link.Move {
next:
	for _, m := range step {
		for i := range moves {
			if moves[i].To == m.From && moves[i].Chip.Key == m.Chip.Key {
				moves[i].To, moves[i].Motion, moves[i].Chip = m.To, m.Motion, m.Chip
				continue next
			}
		}
		if len(moves) < maxMoves {
			moves = append(moves, m)
		}
	}
	return moves
}

// moveWork tells what a fact of the workqueue or of its workers moves, and lights up what it
// touches. The workqueue may be another informer's than is shown.
func (s *Stage) moveWork(e event.Event, travel func(c link.Chip, from, to string, how link.Motion), light func(place string)) {
	key := s.t.KeyText(e.Key)
	switch e.Kind {
	case event.WorkAdded:
		travel(link.Chip{Key: key}, s.adder(key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
	case event.WorkDirty:
		travel(link.Chip{Key: key}, s.adder(key), link.PlaceKey(link.SetDirty, key), link.Touches)
	case event.WorkDeferred:
		travel(link.Chip{Key: key}, s.adder(key), link.PlaceKey(link.SetDirty, key), link.KeyOnly)
	case event.WorkBuffered:
		travel(link.Chip{Key: key}, s.adder(key), link.PlaceBuffer, link.KeyOnly)
	case event.WorkQueued:
		travel(link.Chip{Key: key}, s.adder(key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
	case event.WorkRaised, event.WorkKept:
		travel(link.Chip{Key: key}, link.PlaceBuffer, link.PlaceKey(link.SetQueue, key), link.Touches)
	case event.WorkReady:
		if s.w.Last.PC == actor.PriorityAdd { // it was ready before
			travel(link.Chip{Key: key}, link.PlaceBuffer, link.PlaceKey(link.SetQueue, key), link.Touches)
		}
	case event.WorkGot:
		travel(link.Chip{Key: key}, link.PlaceKey(link.SetQueue, key), link.PlaceWorker(e.Worker()), link.KeyOnly)
	case event.ReconcileStarted:
		if e.New != 0 {
			from := s.w.PartOf(int(s.w.Last.Informer), e.Key)
			if c := s.w.Informers[s.w.Last.Informer].Work.Controller; c != nil && c.Config().Reads > 0 {
				from = c.Config().Reads - 1
			}
			travel(s.eventChip("", e), s.cacheOf(from, s.tile(e.Key)), link.PlaceWorker(e.Worker()), link.Travels)
		}
	case event.ChildrenRead:
		owns := s.w.PartOf(controller.OwnerOf(s.w, s.x).Work.Controller.Config().Owns, e.Key)
		if owns >= 0 {
			read := link.Chip{Key: strconv.FormatInt(e.N, 10) + " " + s.w.Informers[owns].Config().Name}
			travel(read, s.cacheOf(owns, link.PlaceStore), link.PlaceWorker(e.Worker()), link.KeyOnly)
		}
	case event.OwnerRead:
		if e.New != 0 {
			travel(s.eventChip("", e), link.PlaceServer, link.PlaceWorker(e.Worker()), link.Travels)
		}
	case event.ObjectWritten:
		if by := s.w.Last.Actor; by != actor.Nobody && s.w.Set.Role(by).Kind == actor.Worker {
			travel(s.eventChip(deltaLetter(e.Delta), e), link.PlaceWorker(int(s.w.Set.Role(by).Index)), link.PlaceServer, link.Travels)
		}
	case event.CachesAwaited, event.CachesSynced, event.CacheStale, event.ReadWaits, event.ExpectationsUnmet, event.ExpectationsSet, event.CreatesSkipped:
		light(link.PlaceGuard)
	case event.ReconcileEnded, event.ReconcileFailed, event.ReconcilePanicked, event.WorkDone, event.WorkUnlocked:
		light(link.PlaceWorker(e.Worker()))
	case event.WorkRequeued:
		travel(link.Chip{Key: key}, link.PlaceKey(link.SetDirty, key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
	case event.WorkDelayed: // waitingLoop takes it from the channel into which a worker has put it
		from := link.PlaceWorkers
		if s.w.Last.PC == actor.PriorityAdd {
			from = link.PlaceBuffer
		}
		travel(link.Chip{Key: key}, from, link.PlaceKey(link.SetDelayed, key), link.KeyOnly)
	case event.WorkDelayKept:
		travel(link.Chip{Key: key}, link.PlaceWorkers, link.PlaceKey(link.SetDelayed, key), link.Touches)
	}
}

// cacheOf returns where the cache of an informer is seen: at a place of its store, or where the
// informer is small.
func (s *Stage) cacheOf(informer int, place string) string {
	if informer == s.x.Index() {
		return place
	}
	return link.PlaceSmall(informer)
}

// adder returns the place from which the last step has added a key to the workqueue:
// a handler, the buffer of a priority queue, or the delayed ones when the key's delay is over.
func (s *Stage) adder(key string) string {
	if s.w.Last.Actor == actor.Nobody { // a call from outside
		return link.PlaceProcessor
	}
	r := s.w.Set.Role(s.w.Last.Actor)
	switch r.Kind {
	case actor.Run:
		if !s.acted() {
			return link.PlaceSmall(int(r.Informer))
		}
		return link.PlaceLane(int(r.Index), link.LaneHandler)
	case actor.AddBuffer, actor.ReadyItems:
		return link.PlaceBuffer
	case actor.Delaying, actor.WaitingItems:
		return link.PlaceKey(link.SetDelayed, key)
	case actor.Recorded: // most likely a handler's
		return link.PlaceProcessor
	}
	return link.PlaceWorker(int(r.Index))
}

// Route follows one watch event or list through the informer or, by operation, what a goroutine does until it has done it.
// The zero Route follows nothing.
type Route struct {
	Unit link.Unit

	begun                   event.Event // WatchEventReceived, ListReceived or Popped; the zero Event for nothing
	actor                   actor.ID    // by operation: the goroutine
	applied, gone           bool        // it has come into the queue or the cache, and the object has left that
	called                  int         // handlers, with this version of the object
	added, updated, removed int         // objects for which the process loop has made a notification
}

// Begin takes in the step that has received the watch event or the list, if that is about objects.
func (y *Route) Begin(s *Stage) {
	for _, e := range s.w.Log.Events {
		if s.acted() && (brings(e) || e.Kind == event.ListReceived && s.idle()) {
			y.begun = e
		}
	}
}

// brings reports whether an event is a watch event about an object.
func brings(e event.Event) bool {
	return e.Kind == event.WatchEventReceived && e.New != 0 && e.Delta != event.Bookmark
}

// idle reports whether nothing is in the queue or in the hand of the process loop.
func (s *Stage) idle() bool {
	popped, _ := s.x.Popped()
	return s.x.Queue.Depth() == 0 && len(popped) == 0
}

// Add takes in the next step.
func (y *Route) Add(s *Stage) {
	for _, e := range s.w.Log.Events {
		operates, lists, gone := y.Unit == link.Operation, y.begun.Kind == event.ListReceived, y.begun.Delta == event.Deleted
		stored, removed := e.Kind == event.StoreAdded || e.Kind == event.StoreUpdated, e.Kind == event.StoreDeleted
		switch {
		case !s.acted():
		case operates && (brings(e) || e.Kind == event.Popped):
			if popped, _ := s.x.Popped(); e.Kind == event.Popped && slices.ContainsFunc(popped, func(d fifo.Delta) bool { return d.Key != e.Key }) {
				e.Key = 0 // a batch has no sentence
			}
			*y = Route{Unit: y.Unit, begun: e, actor: s.w.Last.Actor}
		case !lists && (e.Key != y.begun.Key || e.Key == 0 || operates && s.w.Last.Actor != y.actor):
		case e.Kind == event.Distributed && e.Delta == event.Added:
			y.added++
		case e.Kind == event.Distributed && e.Delta == event.Deleted:
			y.removed++
		case e.Kind == event.Distributed:
			y.updated++
		case operates && (stored || removed || e.Kind == event.Enqueued || e.Kind == event.DeltaAppended), gone && removed, e.New == y.begun.New && stored:
			y.applied, y.gone = true, removed
		case y.applied && e.Kind == event.HandlerCalled && (e.New == y.begun.New || gone && e.Delta == event.Deleted):
			y.called++
		}
	}
}

// Sentence returns the sentence that says what became of the watch event or the list. It is nil where that has not come into the
// queue or the cache, so that the sentences of its steps say more.
func (y *Route) Sentence(s *Stage) *link.Sentence {
	said := link.Sentence{Args: says.Arguments(s.x, y.begun)}
	count := func(name string, n int) { said.Args[name] = link.Arg{Kind: "num", V: strconv.Itoa(n)} }
	notified := y.added + y.updated + y.removed
	switch {
	case y.begun.Kind == event.ListReceived && notified > 0 && s.idle():
		said.ID = "way.listed"
		count("added", y.added)
		count("updated", y.updated)
		count("removed", y.removed)
		return &said
	case !y.applied || y.Unit == link.Operation && s.w.Last.Actor != y.actor || y.begun.Kind == event.Popped && notified == 0:
		return nil
	case y.begun.Kind == event.Popped && y.gone:
		said.ID = "way.removed"
	case y.begun.Kind == event.Popped:
		said.ID = "way.written"
	case y.Unit == link.Operation:
		said.ID = "way.queued"
	case y.begun.Delta == event.Deleted:
		said.ID = "way.deleted"
	default:
		said.ID = "way.stored"
	}
	if y.called > 0 {
		said.ID += "Told"
		count("n", y.called)
	}
	return &said
}
