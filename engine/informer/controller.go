package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Controller is client-go's controller, which a call of the informer's Run
// makes: a reflector, a queue and the process loop.
type Controller struct {
	Server    apiserver.Server
	Conn      apiserver.Connection // from it to the reflector
	Request   request.Request      // the one that the reflector waits for, or has sent last
	Reflector reflector.Reflector
	Queue     fifo.Queue

	refl, resync, loop actor.ID
	compares           actor.ID // the mutation detector's Run, if there is one

	wire    wire
	hand    hand
	starved bool  // the reflector waits for the feed to be read on
	barren  int64 // the time until which, at least, nothing comes
	ended   bool  // its Run has returned

	abandoned bool // ListAndWatch has returned, and the reflector stands for the goroutine that still lists
	hadSynced bool // the queue's HasSynced, when its lock was last taken for a Pop or a Replace
}

// newController makes the controller of call number again of Run, with its
// actors.
func (x *Informer) newController(s *actor.Set, server apiserver.Server, again int16) Controller {
	t, p := x.cfg.Table, &x.cfg.Profile
	c := Controller{Server: server, Request: request.New(p.Request), Reflector: reflector.New(t, p.Reflector), Queue: newQueue(t, p, x.Indexer, x.cfg.Transform)}
	add := func(k actor.Kind) actor.ID {
		return s.For(actor.Role{Kind: k, Informer: x.index, Again: again})
	}
	c.refl, c.resync, c.loop = add(actor.Reflector), add(actor.Resync), add(actor.Loop)
	return c
}

// runController is controller.Run, and MutationDetector.Run beside it.
func (x *Informer) runController(s *actor.Set) {
	x.Reflector.Run(s.Now)
	x.listAndWatch(s)
	s.Go(x.loop, actor.LoopPop)
	if x.cfg.DetectMutations {
		x.startDetector(s)
	}
}

// over tells whether nothing comes from the server at the time at or later. A
// recording goes on for as long as it is known that nothing came. So a timer
// that fires by then does so whether or not that was known when it fired.
func (c *Controller) over(s *actor.Set, at int64) bool {
	return s.State(c.refl).Wait == actor.OnServer && s.At(c.refl) == actor.Never && !c.starved && at >= c.Server.Known()
}

// quiet tells whether nothing comes from the server unless something is written
// there.
func (c *Controller) quiet(s *actor.Set) bool {
	return c.Server.Quiet() && !c.Conn.Holds() && s.State(c.refl).Wait == actor.OnServer
}

// copyFrom makes c equal to src, whose queue knows the objects of known then.
func (c *Controller) copyFrom(src *Controller, known fifo.KnownObjects) {
	kept := *c
	*c = *src
	c.Server = src.Server.CopyTo(kept.Server)
	c.Queue = copyQueue(kept.Queue, src.Queue, known)
	c.hand = kept.hand
	c.hand.copyFrom(&src.hand)
	c.wire.temp = kept.wire.temp
	c.wire.temp.copyFrom(&src.wire.temp)
}

// hash adds the controller's state at the time now. It reports false if its
// server cannot be summed up.
func (c *Controller) hash(h *actor.Hash, now int64) bool {
	server, ok := c.Server.(hashedServer)
	if !ok {
		return false
	}
	server.Hash(h, now)
	c.Conn.Hash(h, now)
	c.Queue.(hashedQueue).Hash(h)
	c.Request.Hash(h)
	c.Reflector.Hash(h, now)
	c.wire.hash(h)
	c.hand.hash(h)
	h.Bools(c.ended, c.abandoned, c.hadSynced)
	return true
}
