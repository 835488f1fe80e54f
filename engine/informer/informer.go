// Package informer is the sharedIndexInformer: it owns the stations of one
// resource, and moves its actors from one visible point to the next.
package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// Handler is one ResourceEventHandler and how it is added. Times are
// nanoseconds.
type Handler struct {
	Name      string
	Takes     int64                // for each call; Forever if it doesn't return by itself
	Took      func(call int) int64 // overrides Takes where set: what call number so much takes, from 0
	Resync    int64                // the resync period that it asks for, 0 for none
	From      int64                // when AddEventHandler is called; 0: before Run
	Until     int64                // when RemoveEventHandler is called, which is there from v0.26 on; 0: never
	Workqueue bool                 // each call puts the key on the workqueue
	Feeds     *Feed                // the controller on whose workqueue it does so, if that is no plain one

	// Blind handlers take the object that OnDelete gets for what they expect
	// without looking for a DeletedFinalStateUnknown: the type assertion fails, and
	// they return without having done anything.
	Blind bool
	// Panics tells that each call ends with a panic. If the handler is Blind, only
	// a call whose type assertion fails does.
	Panics bool
}

// Feed is how a handler feeds the workqueue of a controller.
type Feed struct {
	Informer int  // the controller's
	Owner    bool // the key is that of the object's owner, and not its own

	// By names a label, or is "". The label's value names the object to reconcile, which is in the
	// same namespace: that is what a MapFunc returns.
	By string
	// Predicate lets only some updates pass.
	Predicate Predicate
}

// Predicate is one of controller-runtime's predicates. Each lets every other event pass than
// an update.
type Predicate uint8

// The predicates.
const (
	Everything             Predicate = iota
	GenerationChanged                // GenerationChangedPredicate
	LabelChanged                     // LabelChangedPredicate
	ResourceVersionChanged           // ResourceVersionChangedPredicate
)

var predicateNames = [...]string{"none", "generation", "labels", "version"}

// Passes reports whether p lets a notification pass.
func (p Predicate) Passes(t *object.Table, n *processor.Notification) bool {
	if n.Type != processor.Update {
		return true
	}
	a, b := t.Meta(n.Old), t.Meta(n.New)
	switch p {
	case GenerationChanged:
		return apiserver.Field(t, a.Labels, apiserver.Generation) != apiserver.Field(t, b.Labels, apiserver.Generation)
	case LabelChanged:
		return !apiserver.SameLabels(t, a.Labels, b.Labels)
	case ResourceVersionChanged:
		return a.RV != b.RV
	}
	return true
}

// PredicateNamed is the predicate of a name.
func PredicateNamed(name string) (Predicate, bool) {
	for p, n := range predicateNames {
		if n == name {
			return Predicate(p), true
		}
	}
	return Everything, false
}

// Forever is a Handler's Takes whose calls don't return before PaceHandler lets
// them.
const Forever int64 = -1

// takes is how long call number i takes.
func (h *Handler) takes(i int64) int64 {
	if h.Took != nil {
		return max(h.Took(int(i)), Forever)
	}
	return h.Takes
}

// Config is what an Informer is made of. Copies of a world share it.
type Config struct {
	Name     string
	Profile  Profile
	Table    *object.Table
	Feed     apiserver.Feed      // what the API server is played back from
	Versions *apiserver.Versions // what is written to the server that goes on from Feed; made by the world where it is nil
	Server   apiserver.Server    // overrides Feed; each informer gets a copy
	Resync   int64               // defaultEventHandlerResyncPeriod, ns
	Handlers []Handler
	Indexers []indexer.Named
	Workers  int        // of the controller behind the handlers that feed the workqueue
	Recorded *Recording // what a recorded controller did, in place of the engine's workers; nil for none
	WorkTime int64      // nanoseconds that a reconcile takes

	// Controller says what a reconcile does. Nil: it reads the object of its key, and takes
	// its time. Read tells that controllers of other informers read the store.
	Controller *reconciler.Config
	Read       bool

	// Factory tells that the informer is one of the program's SharedInformerFactory,
	// whose Start calls Run.
	Factory bool
	// Elected tells that Run is called when the process leads: see world.Election.
	Elected bool
	// Warm has Run called when the process begins, although the informer is Elected: the informer
	// feeds a controller that warms up.
	Warm bool

	// StartsApart tells that sharedProcessor.run, which starts the listeners' goroutines, is an
	// actor of its own, and may come later than anything else. Otherwise Run's step does that.
	StartsApart bool

	// Transform runs on each object before it is queued (SetTransform; from
	// v0.27 there), and once more in a streaming list. Nil for none.
	Transform fifo.TransformFunc

	// DetectMutations is KUBE_CACHE_MUTATION_DETECTOR: an object of the cache
	// that somebody changes is found within a second, and the process ends.
	DetectMutations bool

	// RefusesTombstones tells that the key function of the store fails for a
	// DeletedFinalStateUnknown, as MetaNamespaceKeyFunc does. A shared informer's
	// own is DeletionHandlingMetaNamespaceKeyFunc, which knows them.
	RefusesTombstones bool

	// WorkFails tells whether the reconcile of a key fails once more after so many
	// failures. If it does, AddRateLimited puts the key back. Nil: it never does.
	WorkFails func(k object.Key, failures int) bool

	// WritesBack gives what a reconcile that did not fail writes to the API server
	// in the place of the object that it read from the cache; ok is false for
	// nothing. If that object has been changed on a simulated server meanwhile,
	// the write is a conflict, and the reconcile fails. Nil: none ever writes.
	WritesBack func(t *object.Table, read object.Ref) (m object.Meta, ok bool)
}

// Informer is a sharedIndexInformer with everything around it.
type Informer struct {
	cfg   *Config
	index int16 // among the world's informers

	Controller // the first, and nearly always the only one: see RunAgain
	more       []another
	program    uint8 // of programs

	Indexer   *indexer.Indexer
	Processor processor.Processor
	Work      Work
	Locks     [actor.NumLocks]actor.Lock // the queue's is the first controller's

	user user
	life life

	resyncPeriod int64 // resyncCheckPeriod
	alone        bool  // its processor is used alone: see Distribute
	synced       bool  // the queue had synced, and everybody has been told

	reached object.RV // by the cache, as long as something is on its way to it: see CacheReached

	detector detector
}

// New adds an informer's actors to s. It runs from their first steps on.
func New(s *actor.Set, index int, cfg *Config) (*Informer, error) {
	server := cfg.Server
	if server != nil {
		server = server.CopyTo(nil)
	} else {
		server = apiserver.NewPlayback(cfg.Table, cfg.Feed, cfg.Versions)
	}
	return build(s, index, cfg, server)
}

// Again returns the informer of the same program in a new process, and adds its
// actors to s. The old one must not be used afterwards. Its server goes on, with
// the old connection closed.
func Again(s *actor.Set, old *Informer) *Informer {
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
	old.Server.Hangup()
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
	x.Work.Failing = old.Work.Failing // what reconciles call has not been started again
	x.Conn = old.Conn                 // what is still to happen there
	x.Conn.Clear()
	return x
}

// build makes an informer of a program that begins.
func build(s *actor.Set, index int, cfg *Config, server apiserver.Server) (*Informer, error) {
	x := &Informer{cfg: cfg, index: int16(index), resyncPeriod: cfg.Resync, life: newLife(cfg)}
	store, err := indexer.New(cfg.Table, cfg.Profile.Indexer, cfg.Indexers...)
	if err != nil {
		return nil, err
	}
	x.Indexer = store
	add := func(k actor.Kind, i int) actor.ID {
		return s.For(actor.Role{Kind: k, Informer: x.index, Index: int16(i)})
	}
	x.user.id = add(actor.User, 0)
	x.Controller = x.newController(s, server, 0)
	for i, h := range cfg.Handlers {
		x.Processor.New(h.Resync, s.Now, add(actor.Pop, i), add(actor.Run, i))
		if h.From > 0 && h.From != actor.Never {
			x.user.insert(call{at: h.From, handler: int16(i)}, 0)
		}
		if h.Until > 0 && cfg.Profile.Registrations {
			x.user.insert(call{at: h.Until, handler: int16(i), removes: true}, 0)
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
		s.Go(x.user.id, actor.UserRun)
	}
	return x, nil
}

// Start calls Run, if the informer waits for its factory's Start. It reports whether it
// did.
func (x *Informer) Start(s *actor.Set) bool {
	if !x.life.factoryStarts() {
		return false
	}
	s.Go(x.user.id, actor.UserRun)
	return true
}

// Started tells whether Run was called.
func (x *Informer) Started() bool { return !x.life.waits }

// CopyFrom makes x equal to src. Both can be used on.
func (x *Informer) CopyFrom(src *Informer) {
	kept := *x
	*x = *src
	if kept.Indexer == nil {
		kept.Indexer = new(indexer.Indexer)
	}
	x.Indexer, x.Processor, x.Work = kept.Indexer, kept.Processor, kept.Work
	x.Indexer.CopyFrom(src.Indexer)
	x.Controller = kept.Controller
	x.Controller.copyFrom(&src.Controller, x.Indexer)
	x.more = copyMore(kept.more, src.more, x.Indexer)
	x.Processor.CopyFrom(&src.Processor)
	x.Work.copyFrom(&src.Work)
	x.detector = kept.detector
	x.detector.copyFrom(&src.detector)
}

// Starved tells whether the informer waits for its feed to be read on.
func (x *Informer) Starved() bool {
	return x.starved || len(x.more) > 0 && slices.ContainsFunc(x.more, func(c another) bool { return c.starved })
}

// Resume lets an informer that was starved go on, if its feed has grown enough,
// and returns the time before which all that happens is known: actor.Never if
// it is not starved any more.
func (x *Informer) Resume(s *actor.Set) (until int64) {
	until = actor.Never
	x.each(func() {
		if x.starved {
			x.await(s, s.State(x.refl).PC)
		}
		if x.starved {
			until = min(until, x.barren)
		}
	})
	return until
}

// Break cuts the connection of an open watch. What is on its way is lost.
func (x *Informer) Break(s *actor.Set) {
	x.each(func() {
		x.Server.Cut()
		x.Conn.Clear()
	})
	x.Poll(s)
}

// Poll lets a reflector that waits for the server look again: there may be more
// to come than it was told when it began to wait.
func (x *Informer) Poll(s *actor.Set) {
	x.each(func() {
		if st := s.State(x.refl); st.Wait == actor.OnServer {
			x.await(s, st.PC)
		}
	})
}

// GoOn lets a simulated server go on in the place of each recording that answers
// the informer, and returns how many objects the first of them holds. Each
// server has at least least records of the recording.
func (x *Informer) GoOn(s *actor.Set, least int) (objects int) {
	x.each(func() {
		p, ok := x.Server.(*apiserver.Playback)
		if !ok {
			return
		}
		server := p.GoOn(uint64(s.Rand), s.Now, least)
		server.Reopen(p.State(), x.Reflector.Asked(), s.Now)
		x.Server = server
		objects = max(objects, server.Storage.Len())
	})
	x.Poll(s)
	return objects
}

// Played is how many records a simulated server would have that goes on from
// what the informer's servers have played.
func (x *Informer) Played() (records int) {
	x.each(func() {
		if p, ok := x.Server.(*apiserver.Playback); ok {
			records = max(records, p.Reached())
		}
	})
	return records
}

// Over tells whether nothing comes from the server at the time at or later: the
// feed has ended by then, and every reflector waits for more.
func (x *Informer) Over(s *actor.Set, at int64) bool {
	for k := range x.more {
		if !x.more[k].over(s, at) {
			return false
		}
	}
	return x.over(s, at)
}

// Idle tells whether the actor waits for a timer that changes nothing. There are three
// such timers: the resync timer, the mutation detector's while no object was altered,
// and the delaying queue's while each key that waits is sure to fail again. They fire
// for ever.
func (x *Informer) Idle(s *actor.Set, id actor.ID) bool {
	switch st := s.State(id); {
	case st.Wait != actor.OnTimer:
		return false
	case st.PC == actor.DetectorCompare:
		_, found := x.detector.altered(x.cfg.Table, x.Indexer)
		return !found
	case st.PC == actor.DelayingFire, st.PC == actor.PriorityWaiting:
		return x.Work.failsForEver()
	}
	return s.Role(id).Kind == actor.Resync
}

// Crash is the error that ended the process, or nil.
func (x *Informer) Crash() error { return x.life.crash }

// ReconcileError is the panic of a controller's program.
type ReconcileError struct{ Controller string }

func (e ReconcileError) Error() string { return "panic in a reconcile of " + e.Controller }

// Die ends all actors, as a panic in any goroutine does.
func (x *Informer) Die(s *actor.Set, err error) {
	x.life.die(err)
	s.Kill(x.index)
}

// Index is its number among the world's informers.
func (x *Informer) Index() int { return int(x.index) }
