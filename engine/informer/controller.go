package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Controller is client-go's controller, which a call of the informer's Run
// makes: a reflector, a queue and the process loop.
type Controller struct {
	Server    apiserver.Server
	Conn      apiserver.Connection // from it to the reflector
	Request   request.Request      // that the reflector waits for, or has sent last
	Reflector reflector.Reflector
	Queue     fifo.Queue

	refl, resync, loop actor.ID
	compares           actor.ID // the mutation detector's Run, if there is one

	wire    wire
	hand    batch
	starved bool  // the reflector waits for the feed to be read on
	barren  int64 // the time until which, at least, nothing comes
	ended   bool  // its Run has returned

	abandoned bool // ListAndWatch has returned, and the reflector stands for the goroutine that still lists
	hadSynced bool // the queue's HasSynced, when its lock was last taken for a Pop or a Replace
}

// wire is what the reflector has in hand.
type wire struct {
	list     []object.Ref // the list to Replace with, immutable
	rv       object.RV    // of the list or the event
	followUp bool         // the next request is what the reflector has Asked
	open     bool         // a watch is open while its list is put into the queue
	last     bool         // the event is the bookmark after the initial events
	resync   bool         // the resync goroutine is to go on
	failed   bool         // the resync has failed, and the watch has not heard of it yet
	event    event.Delta
	obj      object.Ref

	temp temporaryStore // empty but in a streaming list
}

// keep writes an event to the temporary store, from v0.34 on through the transformer. The
// object is stored under the key that it had before the transformer.
func (w *wire) keep(cfg *Config, log *event.Log) {
	t := cfg.Table
	r, k := w.obj, t.KeyOf(w.obj)
	if k == 0 {
		w.enqueueFailed(event.SkipNoMeta, log)
		return
	}
	if w.event == event.Deleted {
		r = 0
	} else if cfg.Transform != nil && cfg.Profile.Reflector.StreamTransforms {
		var err error
		if r, err = cfg.Transform(t, r); err != nil {
			w.enqueueFailed(event.SkipTransform, log)
			return
		}
	}
	w.temp.put(k, r)
	log.Emit(event.Event{Kind: event.ListStreamed, Delta: w.event, Key: k, New: r, N: int64(w.temp.n)})
}

// enqueueFailed tells of an event that the queue, or the temporary store, did not take.
func (w *wire) enqueueFailed(reason event.SkipReason, log *event.Log) {
	log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, New: w.obj, N: int64(reason)})
}

func (w *wire) mark(live *object.Live) {
	live.Refs(w.list)
	live.Ref(w.obj)
	live.Refs(w.temp.byKey)
}

func (w *wire) hash(h *actor.Hash) {
	h.Bools(w.followUp, w.open, w.last, w.resync, w.failed)
	h.Add(uint64(w.rv))
	h.Add(uint64(w.event)<<32 | uint64(uint32(w.obj)))
	actor.HashAll(h, w.list)
	actor.HashAll(h, w.temp.byKey)
}

// temporaryStore is the temporary store of a streaming list: the objects by their keys.
type temporaryStore struct {
	byKey []object.Ref
	n     int
}

func (t *temporaryStore) put(k object.Key, r object.Ref) {
	t.byKey = object.Grown(t.byKey, k)
	switch old := t.byKey[k]; {
	case old == 0 && r != 0:
		t.n++
	case old != 0 && r == 0:
		t.n--
	}
	t.byKey[k] = r
}

// list returns what the store holds, in the order of the keys; client-go's order is
// random.
func (t *temporaryStore) list(tbl *object.Table) []object.Ref {
	list := make([]object.Ref, 0, t.n)
	for _, k := range tbl.KeyOrder() {
		if int(k) < len(t.byKey) && t.byKey[k] != 0 {
			list = append(list, t.byKey[k])
		}
	}
	return list
}

func (t *temporaryStore) reset() { t.byKey, t.n = t.byKey[:0], 0 }

func (t *temporaryStore) copyFrom(src *temporaryStore) {
	t.byKey = append(t.byKey[:0], src.byKey...)
	t.n = src.n
}

// serverDone reports whether nothing comes from the server at the time at or later. A
// recording goes on for as long as it is known that nothing came. So a timer
// that fires by then does so whether or not that was known when it fired.
func (c *Controller) serverDone(s *actor.Set, at int64) bool {
	return s.State(c.refl).Wait == actor.OnServer && s.ReadyAt(c.refl) == actor.Never && !c.starved && at >= c.Server.KnownUntil()
}

// quiet reports whether nothing comes from the server unless something is written
// there.
func (c *Controller) quiet(s *actor.Set) bool {
	return c.Server.Quiet() && !c.Conn.InFlight() && s.State(c.refl).Wait == actor.OnServer
}

// copyFrom makes c equal to src, whose queue knows the objects of known then.
func (c *Controller) copyFrom(src *Controller, known fifo.KnownObjects) {
	kept := *c
	*c = *src
	c.Server = src.Server.CopyTo(kept.Server)
	c.Queue = src.Queue.CopyTo(kept.Queue, known)
	c.hand = kept.hand
	c.hand.copyFrom(&src.hand)
	c.wire.temp = kept.wire.temp
	c.wire.temp.copyFrom(&src.wire.temp)
}

// hash adds the controller's state at the time now.
func (c *Controller) hash(h *actor.Hash, now int64) {
	c.Server.Hash(h, now)
	c.Conn.Hash(h, now)
	c.Queue.Hash(h)
	c.Request.Hash(h)
	c.Reflector.Hash(h, now)
	c.wire.hash(h)
	c.hand.hash(h)
	h.Bools(c.ended, c.abandoned, c.hadSynced)
}

// mark adds what the controller refers to. It reports false if its server cannot
// say.
func (c *Controller) mark(live *object.Live) bool {
	server, ok := c.Server.(*apiserver.Playback)
	if !ok {
		return false
	}
	server.Mark(live)
	c.Conn.Mark(live)
	c.Queue.Mark(live)
	c.wire.mark(live)
	c.hand.mark(live)
	return true
}

// Received returns the watch event that the reflector has taken from the stream and
// not yet dealt with; event.None if there is none.
func (c *Controller) Received() (event.Delta, object.Ref) { return c.wire.event, c.wire.obj }

// Listed returns how many objects the reflector has from the server and not yet
// given to Replace whole: of a streaming list, what the temporary store holds.
func (c *Controller) Listed() int {
	if c.Reflector.Streaming() && !c.wire.open {
		return c.wire.temp.n
	}
	return len(c.wire.list)
}

// Remaining returns how many notifications the process loop has still to make of
// what it has written to the indexer, the one being distributed included.
func (c *Controller) Remaining() int { return len(c.hand.notes) - c.hand.noted }

// Popped returns what the process loop has popped and not yet processed, and which
// of the deltas is at work. The slice is valid until the next step.
func (c *Controller) Popped() (deltas []fifo.Delta, at int) { return c.hand.deltas, c.hand.pos }

// Distributing returns the notification that the process loop is about to hand to a
// listener. Its Type is 0 if there is none.
func (c *Controller) Distributing() (n processor.Notification, listener int) {
	if c.hand.noted < len(c.hand.notes) {
		n = c.hand.notes[c.hand.noted]
	}
	return n, c.hand.to
}

// Controllers holds the controllers that calls of Run have made: the first and, in v0.22, one for each
// further call (see RunAgain). While an actor of another controller moves, or a command applies to all
// controllers, that controller takes the place of the first. So nothing outside of this file knows that
// there may be several.
type Controllers struct {
	Controller
	Locks [actor.NumLocks]actor.Lock // the queue's lock is the Controller's

	extra   []extraController
	program *program // severalProgram where there are more
}

// extraController is a further controller, with the lock of its queue.
type extraController struct {
	Controller
	fifo actor.Lock
}

func (x *Controllers) several() bool { return len(x.extra) > 0 }

// add adds a controller, and returns its number.
func (x *Controllers) add(c Controller) int {
	x.extra, x.program = append(x.extra, extraController{Controller: c}), &severalProgram
	return len(x.extra)
}

// numberOf returns the number of the controller whose actor id is, 0 for the first.
func (x *Controllers) numberOf(id actor.ID) int {
	for k := range x.extra {
		if c := &x.extra[k]; id == c.refl || id == c.resync || id == c.loop {
			return k + 1
		}
	}
	return 0
}

// swap lets controller k and the first change places.
func (x *Controllers) swap(k int) {
	if k > 0 {
		c := &x.extra[k-1]
		x.Controller, c.Controller = c.Controller, x.Controller
		x.Locks[actor.FIFOLock], c.fifo = c.fifo, x.Locks[actor.FIFOLock]
	}
}

// eachSwapped yields all controllers, each of them in the first one's place meanwhile.
func (x *Controllers) eachSwapped(yield func(*Controller) bool) {
	for k := range len(x.extra) + 1 {
		x.swap(k)
		goesOn := yield(&x.Controller)
		x.swap(k)
		if !goesOn {
			return
		}
	}
}

// eachController yields all controllers with the locks of their queues, and leaves them where they are.
func (x *Controllers) eachController(yield func(*Controller, *actor.Lock) bool) {
	goesOn := yield(&x.Controller, &x.Locks[actor.FIFOLock])
	for k := 0; goesOn && k < len(x.extra); k++ {
		goesOn = yield(&x.extra[k].Controller, &x.extra[k].fifo)
	}
}

// newest returns the controller that the informer asks about itself, with the lock of its queue.
func (x *Controllers) newest() (*Controller, *actor.Lock) {
	if n := len(x.extra); n > 0 {
		return &x.extra[n-1].Controller, &x.extra[n-1].fifo
	}
	return &x.Controller, &x.Locks[actor.FIFOLock]
}

// ControllerOf returns the controller whose goroutine the actor is, with the lock of its
// queue: the first one for actors that are no controller's.
func (x *Controllers) ControllerOf(id actor.ID) (*Controller, *actor.Lock) {
	if k := x.numberOf(id); k > 0 {
		return &x.extra[k-1].Controller, &x.extra[k-1].fifo
	}
	return &x.Controller, &x.Locks[actor.FIFOLock]
}

// Servers appends the connections of all controllers, the first one's first.
func (x *Controllers) Servers(dst []apiserver.Server) []apiserver.Server {
	for c := range x.eachController {
		dst = append(dst, c.Server)
	}
	return dst
}

// Starved reports whether the informer waits for its feed to be read on.
func (x *Controllers) Starved() bool {
	return x.starved || len(x.extra) > 0 && slices.ContainsFunc(x.extra, func(c extraController) bool { return c.starved })
}

// ServerDone reports whether nothing comes from the server at the time at or later: the feed has
// ended by then, and every reflector waits for more.
func (x *Controllers) ServerDone(s *actor.Set, at int64) bool {
	for k := range x.extra {
		if !x.extra[k].serverDone(s, at) {
			return false
		}
	}
	return x.serverDone(s, at)
}

// Quiet reports whether nothing comes from the simulated server of any reflector unless
// something is written there.
func (x *Controllers) Quiet(s *actor.Set) bool {
	for k := range x.extra {
		if !x.extra[k].quiet(s) {
			return false
		}
	}
	return x.quiet(s)
}

// copyFrom makes x equal to src, whose queues know the objects of known then.
func (x *Controllers) copyFrom(src *Controllers, known fifo.KnownObjects) {
	x.Controller.copyFrom(&src.Controller, known)
	x.Locks, x.program = src.Locks, src.program
	x.extra = object.Resized(x.extra, len(src.extra))
	for k := range src.extra {
		x.extra[k].copyFrom(&src.extra[k].Controller, known)
		x.extra[k].fifo = src.extra[k].fifo
	}
}
