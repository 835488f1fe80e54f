package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
)

// another is a controller that a further call of Run has made, with the lock of
// its queue. It takes the first one's place in the informer while one of its
// actors moves, so that what moves them need not know that there are several.
type another struct {
	Controller
	fifo actor.Lock
}

// CanRunAgain tells whether RunAgain has an effect.
func (x *Informer) CanRunAgain() bool {
	return x.life.started && !x.life.unstarted && x.life.crash == nil && (x.cfg.Profile.RunsOnce || x.life.runs < actor.MaxRuns)
}

// RunAgain is a further call of Run, on the same stop channel. From v0.23 on it
// does nothing but complain. v0.22 builds a second controller beside the first:
// both write to the one indexer, and both notify the same listeners, and each
// listener gets a further pop and run. From then on the newest controller
// answers for the informer. It reports false if nobody has called Run before,
// or actor.MaxRuns have.
func (x *Informer) RunAgain(s *actor.Set, log *event.Log) bool {
	if !x.CanRunAgain() {
		return false
	}
	if x.cfg.Profile.RunsOnce {
		log.Emit(event.Event{Kind: event.CallRefused, N: int64(event.RunTwice)})
		return true
	}
	id := s.For(actor.Role{Kind: actor.User, Informer: x.index, Again: x.life.again()})
	s.Go(id, actor.UserRun)
	return true
}

// runBeside is that call's own step. It needs startedLock. An AddEventHandler
// under way holds this lock until it gives blockDeltas back.
func (x *Informer) runBeside(s *actor.Set, id actor.ID, log *event.Log) (finished bool) {
	l := &x.Locks[actor.BlockDeltas]
	if x.user.calling(s) && l.Holder() != actor.Nobody {
		s.WaitFor(l, actor.BlockDeltas, id, actor.UserRun, log)
		return false
	}
	if l.Holder() == actor.Nobody {
		s.Passed(l)
	}
	again := s.Role(id).Again
	c := another{Controller: x.newController(s, x.Server.Dial(), again)}
	if x.cfg.DetectMutations {
		c.compares = s.For(actor.Role{Kind: actor.Detector, Informer: x.index, Again: again})
	}
	x.more, x.program = append(x.more, c), beside
	log.Emit(event.Event{Kind: event.InformerStarted})
	x.runProcessor(s, again, log)
	s.Stop(id)
	k := len(x.more)
	x.swap(k)
	defer x.swap(k)
	if x.life.stopping {
		x.Queue.Close(log)
		x.returned(s, log)
	} else {
		x.runController(s)
	}
	return true
}

// runProcessor is sharedProcessor.run being called again: it starts pop and run
// of every listener, though they run already. If addCh is closed, the new pop
// ends at once, and closes nextCh a second time.
func (x *Informer) runProcessor(s *actor.Set, again int16, log *event.Log) {
	for i := range x.Processor.Listeners {
		if !x.Processor.Listeners[i].Joined {
			continue
		}
		add := func(k actor.Kind) actor.ID {
			pair := uint8(x.Processor.Listeners[i].Pairs())
			return s.For(actor.Role{Kind: k, Pair: pair, Informer: x.index, Index: int16(i), Again: again})
		}
		pop, run := add(actor.Pop), add(actor.Run)
		x.Processor.AddPair(i, pop, run)
		s.Block(pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
		s.Block(run, actor.RunReceive, actor.OnReceive, actor.NextCh)
		serve(x, s, i)
	}
}

// of is which controller the actor moves: 0 is the first.
func (x *Informer) of(s *actor.Set, id actor.ID) int {
	for k := range x.more {
		if c := &x.more[k]; id == c.refl || id == c.resync || id == c.loop {
			return k + 1
		}
	}
	return 0
}

// swap lets controller k and the first change places.
func (x *Informer) swap(k int) {
	if k > 0 {
		c := &x.more[k-1]
		x.Controller, c.Controller = c.Controller, x.Controller
		x.Locks[actor.FIFOLock], c.fifo = c.fifo, x.Locks[actor.FIFOLock]
	}
}

// each calls f once for each controller, and puts that controller into the first one's place meanwhile.
func (x *Informer) each(f func()) {
	for k := range len(x.more) + 1 {
		x.swap(k)
		f()
		x.swap(k)
	}
}

// Servers appends the connections of all controllers, the first one's first.
func (x *Informer) Servers(dst []apiserver.Server) []apiserver.Server {
	dst = append(dst, x.Server)
	for k := range x.more {
		dst = append(dst, x.more[k].Server)
	}
	return dst
}

// Quiet tells whether nothing comes from the simulated server of any reflector
// unless something is written there.
func (x *Informer) Quiet(s *actor.Set) bool {
	for k := range x.more {
		if !x.more[k].quiet(s) {
			return false
		}
	}
	return x.quiet(s)
}

// newest is the controller that the informer asks about itself.
func (x *Informer) newest() *Controller {
	if n := len(x.more); n > 0 {
		return &x.more[n-1].Controller
	}
	return &x.Controller
}

// copyMore makes dst equal to src, and returns it.
func copyMore(dst, src []another, known fifo.KnownObjects) []another {
	for len(dst) < len(src) {
		dst = append(dst, another{})
	}
	dst = dst[:len(src)]
	for k := range src {
		dst[k].copyFrom(&src[k].Controller, known)
		dst[k].fifo = src[k].fifo
	}
	return dst
}
