package picture

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/controller"
)

// moveWork tells what a fact of the workqueue or of its workers moves, and lights up what it
// touches. The workqueue may be that of another informer than is shown.
func moveWork(s *Stage, e event.Event, travel func(c link.Chip, from, to string, how link.How), light func(place string)) {
	key := s.t.KeyText(e.Key)
	switch e.Kind {
	case event.WorkAdded:
		travel(link.Chip{Key: key}, adder(s, key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
	case event.WorkDirty:
		travel(link.Chip{Key: key}, adder(s, key), link.PlaceKey(link.SetDirty, key), link.Touches)
	case event.WorkDeferred:
		travel(link.Chip{Key: key}, adder(s, key), link.PlaceKey(link.SetDirty, key), link.KeyOnly)
	case event.WorkBuffered:
		travel(link.Chip{Key: key}, adder(s, key), link.PlaceBuffer, link.KeyOnly)
	case event.WorkQueued:
		travel(link.Chip{Key: key}, adder(s, key), link.PlaceKey(link.SetQueue, key), link.KeyOnly)
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
			travel(s.eventChip("", e), cacheOf(s, int(s.w.Last.Informer), s.tile(e.Key)), link.PlaceWorker(e.Worker()), link.Travels)
		}
	case event.ChildrenRead:
		owns := controller.Of(s.w, s.x).Work.Controller.Config().Owns
		if owns >= 0 {
			read := link.Chip{Key: strconv.FormatInt(e.N, 10) + " " + s.w.Informers[owns].Config().Name}
			travel(read, cacheOf(s, owns, link.PlaceStore), link.PlaceWorker(e.Worker()), link.KeyOnly)
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
func cacheOf(s *Stage, informer int, place string) string {
	if informer == s.x.Index() {
		return place
	}
	return link.PlaceSmall(informer)
}

// adder returns the place from which the last step has added a key to the workqueue:
// a handler, the buffer of a priority queue, or the delayed ones when the key's delay is over.
func adder(s *Stage, key string) string {
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
