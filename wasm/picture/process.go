package picture

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/controller"
)

// process returns what all informers are together, and each of them where there are several.
func (s *Stage) process() link.Process {
	out := link.Process{Usage: link.Usage(s.w.Usage())}
	if !s.acted() {
		out.Elsewhere = s.w.Informers[s.w.Last.Informer].Config().Name
	}
	if len(s.w.Informers) == 1 {
		return out
	}
	out.Factory = !slices.ContainsFunc(s.w.Informers, func(x *informer.Informer) bool { return !x.Config().Factory })
	out.Replicas = s.replicas()
	for _, x := range s.w.Informers {
		out.Informers = append(out.Informers, s.forInformer(x).small())
	}
	return out
}

// forInformer returns the picture of another informer of the world.
func (s *Stage) forInformer(x *informer.Informer) *Stage {
	return &Stage{w: s.w, x: x, t: x.Config().Table, window: s.window}
}

// small returns the informer in a few numbers.
func (s *Stage) small() link.Small {
	wire := s.wire()
	out := link.Small{
		Name: s.x.Config().Name, Wire: wire.State, Open: wire.Open, Queue: s.x.Queue.Depth(), Cached: s.x.Indexer.Len(), Objects: -1, Synced: s.x.HasSynced(),
	}
	if v := s.x.Server.View(1, 0); len(v.Recent) > 0 {
		c := s.tape(v.Recent[0], true).Chip
		out.Last = &c
	}
	for i := range s.x.Processor.Listeners {
		if s.x.Processor.Listeners[i].Joined {
			out.Handlers++
		}
	}
	if s.w.Simulated(s.x.Index()) != nil {
		held := slices.DeleteFunc(s.w.Objects(s.x.Index()), func(o object.Ref) bool { return !s.asksFor(o) })
		out.Objects, out.Differs = len(held), differ(s.x, held)
	}
	return out
}

// asksFor reports whether the informer asks its simulated server for an object: it has the namespace, the labels and the hash
// that the informer's requests select.
func (s *Stage) asksFor(o object.Ref) bool {
	c := s.x.Config()
	shard := c.Shard
	if !c.Profile.Sharded {
		shard = object.Shard{}
	}
	return s.w.Simulated(s.x.Index()).Selects(o, shard)
}

// differ returns how many objects a cache lacks, has too many, or has in another version than
// the server.
func differ(x *informer.Informer, held []object.Ref) (n int) {
	same, known := 0, 0
	for _, o := range held {
		cached, has := x.Indexer.GetByKey(x.Config().Table.KeyOf(o))
		if has {
			known++
		}
		if has && cached == o {
			same++
		}
	}
	return len(held) - same + x.Indexer.Len() - known
}

// movesElsewhere returns what a step of another informer moved, and the places that it
// touched.
func (s *Stage) movesElsewhere() (moves []link.Move, lit []string) {
	i := int(s.w.Last.Informer)
	o, place := s.forInformer(s.w.Informers[i]), link.PlaceSmall(i)
	same := controller.OwnerOf(s.w, o.x) == controller.OwnerOf(s.w, s.x)
	light := func(place string) { lit = append(lit, place) }
	travel := func(c link.Chip, from, to string, how link.Motion) {
		moves = append(moves, link.Move{Chip: c, From: from, To: to, Motion: how})
		light(to)
	}
	for _, e := range s.w.Log.Events {
		switch e.Kind {
		case event.ListReceived:
			travel(*listChip(e.Items()), link.PlaceServer, place, link.Travels)
		case event.WatchEventReceived:
			travel(o.chip(watchLetter(e.Delta), e.New), link.PlaceServer, place, link.Travels)
		case event.StoreAdded, event.StoreUpdated, event.StoreDeleted, event.StoreReplaced, event.HandlerCalled:
			light(place)
		default:
			if same {
				s.moveWork(e, travel, light)
			}
		}
	}
	return moves, focus(moves, lit)
}
