package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// reflectorStates are the names of what the reflector does, by its program counter.
var reflectorStates = map[actor.PC]string{
	actor.ReflectorList: link.StateStart, actor.ReflectorListed: link.ReflectorListing,
	actor.ReflectorReplace: link.ReflectorReplacing, actor.ReflectorReplaces: link.ReflectorReplacing, actor.ReflectorReplaced: link.ReflectorReplacing,
	actor.ReflectorWatch: link.ReflectorOpening, actor.ReflectorOpened: link.ReflectorOpening,
	actor.ReflectorReceive: link.ReflectorWatching, actor.ReflectorEnqueue: link.ReflectorEnqueueing, actor.ReflectorRV: link.ReflectorEnqueueing,
	actor.ReflectorRewatch: link.ReflectorBackoff, actor.ReflectorBackoff: link.ReflectorBackoff, actor.RequestRetry: link.ReflectorRetrying,
}

func reflectorState(w *world.World, x *informer.Informer, st actor.State) string {
	if st.Wait == actor.Stopped {
		return idleState(w, x)
	}
	return reflectorStates[st.PC]
}

func listChip(n int) *link.Chip { return &link.Chip{T: link.LetterReplaced, Name: link.NameList, N: n} }

// reflector returns what the reflector does, what it holds, and its timers.
func (s *Stage) reflector() link.Reflector {
	r := &s.x.Reflector
	id := find(s.w, s.x, actor.Reflector, 0)
	out := link.Reflector{
		State: reflectorState(s.w, s.x, s.w.Set.State(id)), RV: s.t.RVText(r.RV()), Lists: int(r.Lists()), Watches: int(r.Watches()),
		ResyncPeriod: s.x.ResyncPeriod(), ResyncIn: -1,
		Streams: s.x.Config().Profile.Reflector.StreamingList,
	}
	if c := s.x.Config(); c.Profile.Sharded {
		out.Shard = c.Shard.Name()
	}
	if out.State == link.StateStart && out.Lists > 0 {
		out.State = link.ReflectorListing // between two rounds of ListAndWatch, the second begins at once
	}
	if out.State == link.ReflectorBackoff || out.State == link.ReflectorRetrying {
		out.Error = s.x.Server.View(0, 0).Message
	}
	switch rs := find(s.w, s.x, actor.Resync, 0); s.w.Set.State(rs).Wait {
	case actor.OnTimer:
		out.ResyncIn = timerLeft(s.w, rs)
	case actor.Stopped:
	default:
		out.ResyncIn = 0 // the resync is under way
	}
	if d, obj := s.x.Received(); d != event.None {
		c := s.chip(watchLetter(d), obj)
		out.Hand = &c
	} else if n := s.x.Listed(); n > 0 {
		out.Hand = listChip(n)
	}
	return out
}
