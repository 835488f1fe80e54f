// Package informer is client-go's sharedIndexInformer as plain data that moves in steps: a reflector,
// a DeltaFIFO or RealFIFO, the process loop, an indexer, and a sharedProcessor with its listeners. The
// workqueue and the workers behind the handlers belong to it, too. Each goroutine is an actor. A step
// moves one actor to its next visible point, where another goroutine could see a difference: a lock
// taken, a delta queued, an object stored.
//
// [New] makes an informer of a [Config] and adds its actors to an actor.Set. [Informer.Step] then
// moves one of them, which must be able to move. The other methods that change the informer are what
// the outside world does to it: [Informer.AddHandler], [Informer.Break], [Informer.RunAgain] and the
// like. A run doesn't call them. It gives a command to package world, which calls them as a step of
// its own.
//
// Times are nanoseconds of the world's clock. A panic of the program is no panic here: it ends all
// actors, and [Informer.Crash] returns it as an error. An informer is not safe for concurrent use. A step
// allocates next to nothing, and [Informer.CopyFrom] costs as much as the queues and the cache hold.
//
// It follows tools/cache/shared_informer.go and tools/cache/controller.go of client-go
// v0.22 to v0.38.0-beta.0. [Profile] has what differs between these.
package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Informer is a sharedIndexInformer with everything around it.
type Informer struct {
	cfg   *Config
	index int16 // among the world's informers

	Controllers

	Indexer   *indexer.Indexer
	Processor processor.Processor
	Work      Work
	Leader    bool // what LeaderElector.IsLeader of its process returns

	user user
	life life

	resyncPeriod int64 // resyncCheckPeriod
	alone        bool  // its processor is used alone: see Distribute
	synced       bool  // the queue had synced, and everybody has been told

	reached object.RV // by the cache, as long as something is on its way to it: see CacheReached

	detector detector
}

// New adds the actors of an informer to s, and returns the informer. The error is what
// [indexer.New] returns for cfg.Indexers.
func New(s *actor.Set, index int, cfg *Config) (*Informer, error) {
	server := cfg.Server
	if server != nil {
		server = server.CopyTo(nil)
	} else {
		server = apiserver.NewPlayback(cfg.Table, cfg.Feed, cfg.Versions)
	}
	return build(s, index, cfg, server)
}

// Restart returns the informer of the same program in a new process, and adds its
// actors to s. The old one must not be used afterwards. Its server goes on, with
// the old connection closed.
func Restart(s *actor.Set, old *Informer) *Informer {
	cfg := *old.cfg
	cfg.Handlers = slices.Clone(cfg.Handlers)
	for i := range cfg.Handlers {
		h := &cfg.Handlers[i]
		switch {
		case old.Processor.Listeners[i].Removed:
			h.From = actor.Never
		case h.From <= s.Now:
			h.From = 0
		}
		if h.Until <= s.Now {
			h.Until = 0
		}
	}
	if s, simulated := old.Server.(*apiserver.Simulated); simulated {
		s.Disconnect()
	} else {
		old.Server.Hangup()
	}
	x, err := build(s, int(old.index), &cfg, old.Server)
	if err != nil {
		panic(err) // the same indices could be made before
	}
	if !old.life.waits && !cfg.Elected {
		x.Start(s) // the program comes to it again
	}
	if c := x.Work.Controller; c != nil {
		c.Outside = old.Work.Controller.Outside
	}
	x.Work.Failing, x.Work.Hanging = old.Work.Failing, old.Work.Hanging // what reconciles call has not been started again
	x.Conn = old.Conn                                                   // what is still to happen there
	x.Conn.Clear()
	return x
}

// Reshard gives the program of x another shard selector, for its next process.
func (x *Informer) Reshard(s object.Shard) {
	cfg := *x.cfg
	cfg.Shard, x.cfg = s, &cfg
}

func build(s *actor.Set, index int, cfg *Config, server apiserver.Server) (*Informer, error) {
	x := &Informer{cfg: cfg, index: int16(index), resyncPeriod: cfg.Resync, life: life{waits: cfg.Factory || cfg.Elected, runs: 1}}
	x.program = &singleProgram
	store, err := indexer.New(cfg.Table, cfg.Profile.Indexer, cfg.Indexers...)
	if err != nil {
		return nil, err
	}
	x.Indexer = store
	add := func(k actor.Kind, i int) actor.ID {
		return s.ActorOf(actor.Role{Kind: k, Informer: x.index, Index: int16(i)})
	}
	x.user.id = add(actor.User, 0)
	x.Controller = x.newController(s, server, 0)
	for i, h := range cfg.Handlers {
		x.Processor.New(h.Resync, s.Now, add(actor.Pop, i), add(actor.Run, i))
		if h.From > 0 && h.From != actor.Never {
			x.user.insert(call{time: h.From, handler: int16(i)}, 0)
		}
		if h.Until > 0 && cfg.Profile.Registrations {
			x.user.insert(call{time: h.Until, handler: int16(i), removes: true}, 0)
		}
	}
	x.Work.init(cfg, add)
	if cfg.DetectMutations {
		x.compares = add(actor.Detector, 0)
	}
	if cfg.StartsApart {
		x.user.starts = add(actor.Processor, 0)
	}
	if !x.life.waits {
		s.Schedule(x.user.id, actor.UserRun)
	}
	return x, nil
}

// Start calls Run, if the informer waits for its factory's Start. It reports whether it
// did.
func (x *Informer) Start(s *actor.Set) bool {
	if !x.life.waits {
		return false
	}
	x.life.waits = false
	s.Schedule(x.user.id, actor.UserRun)
	return true
}

// Started reports whether Run was called.
func (x *Informer) Started() bool { return !x.life.waits }

// unled reports whether x's process takes part in an election, and IsLeader is false.
func (x *Informer) unled() bool { return x.cfg.Elected && !x.Leader }

// CopyFrom makes x equal to src. Each then changes on its own.
func (x *Informer) CopyFrom(src *Informer) {
	kept := *x
	*x = *src
	if kept.Indexer == nil {
		kept.Indexer = new(indexer.Indexer)
	}
	x.Indexer, x.Processor, x.Work = kept.Indexer, kept.Processor, kept.Work
	x.Indexer.CopyFrom(src.Indexer)
	x.Controllers = kept.Controllers
	x.Controllers.copyFrom(&src.Controllers, x.Indexer)
	x.Processor.CopyFrom(&src.Processor)
	x.Work.copyFrom(&src.Work)
	x.detector = kept.detector
	x.detector.copyFrom(&src.detector)
}

// Crash returns the error that ended the process, or nil.
func (x *Informer) Crash() error { return x.life.crash }

// ReconcileError is the panic of a controller's program.
type ReconcileError struct{ Controller string }

func (e ReconcileError) Error() string { return "panic in a reconcile of " + e.Controller }

// Die ends all actors, as a panic in any goroutine does.
func (x *Informer) Die(s *actor.Set, err error) {
	x.life.crash = err
	s.Kill(x.index)
}

// Index returns the informer's number among the world's informers.
func (x *Informer) Index() int { return int(x.index) }

// newController makes the controller of call number again of Run, with its
// actors.
func (x *Informer) newController(s *actor.Set, server apiserver.Server, again int16) Controller {
	t, p := x.cfg.Table, &x.cfg.Profile
	requests := p.Reflector
	if p.Sharded {
		requests.Shard = x.cfg.Shard
	}
	c := Controller{Server: server, Request: request.New(p.Request), Reflector: reflector.New(t, requests), Queue: newQueue(t, p, x.Indexer, x.cfg.Transform)}
	add := func(k actor.Kind) actor.ID {
		return s.ActorOf(actor.Role{Kind: k, Informer: x.index, Run: again})
	}
	c.refl, c.resync, c.loop = add(actor.Reflector), add(actor.Resync), add(actor.Loop)
	return c
}

// Config returns what the informer was made of.
func (x *Informer) Config() *Config { return x.cfg }
