package informer

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/controller/mutation"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Handler is one ResourceEventHandler and how it is added. Times are
// nanoseconds.
type Handler struct {
	Name       string
	Duration   int64                // for each call; Forever if it doesn't return by itself
	DurationOf func(call int) int64 // overrides Duration where set: the duration of a call by its number, from 0
	Resync     int64                // the resync period that it asks for, 0 for none
	From       int64                // when AddEventHandler is called; 0: before Run
	Until      int64                // when RemoveEventHandler is called, which is there from v0.26 on; 0: never
	Workqueue  bool                 // each call puts the key on the workqueue
	Feeds      *Feed                // the controller on whose workqueue it does so, if that is no plain one
	IfLeader   bool                 // each call asks LeaderElector.IsLeader first, and returns if that is false

	// Blind handlers take the object that OnDelete gets for what they expect
	// without looking for a DeletedFinalStateUnknown: the type assertion fails, and
	// they return without having done anything.
	Blind bool
	// Panics says that each call ends with a panic. If the handler is Blind, only
	// a call whose type assertion fails does.
	Panics bool
}

// Feed is how a handler feeds the workqueue of a controller.
type Feed struct {
	Informer int  // the controller's
	Owner    bool // enqueue the key of the object's owner, not the object's

	// Label names a label, or is "". The label's value names the object to reconcile, which is in the
	// same namespace: that is what a MapFunc returns.
	Label string
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

// PredicateNames returns the names of all predicates, by their numbers.
func PredicateNames() []string { return predicateNames[:] }

// Passes reports whether p lets a notification pass.
func (p Predicate) Passes(t *object.Table, n *processor.Notification) bool {
	if n.Type != processor.Update {
		return true
	}
	a, b := t.Meta(n.Old), t.Meta(n.New)
	switch p {
	case GenerationChanged:
		return t.Field(a.Labels, apiserver.Generation) != t.Field(b.Labels, apiserver.Generation)
	case LabelChanged:
		return !apiserver.SameLabels(t, a.Labels, b.Labels)
	case ResourceVersionChanged:
		return a.RV != b.RV
	}
	return true
}

// Forever is the Duration of a Handler whose calls don't return before PaceHandler lets
// them.
const Forever int64 = -1

// duration returns how long call number i takes.
func (h *Handler) duration(i int64) int64 {
	if h.DurationOf != nil {
		return max(h.DurationOf(int(i)), Forever)
	}
	return h.Duration
}

// trips reports whether a call of the handler ends before it has done its work: it
// panics, or its type assertion fails.
func (h *Handler) trips(n *processor.Notification) bool {
	if h.Blind {
		return n.Type == processor.Delete && n.Flags&event.Tombstone != 0
	}
	return h.Panics
}

// Config is what an [Informer] is made of. Copies of a world share it.
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

	// Shard is what SetShardSelector is given, which is there if the profile has Sharded; the zero
	// Shard for no selector.
	Shard object.Shard

	// Parts is how many informers stand side by side as one cache of several namespaces, such as controller-runtime's
	// DefaultNamespaces makes it, and this one is number Part of them, with the objects of Namespace. They share their
	// handlers, and a controller reads each object from the informer of its namespace. Parts is 0 for an informer by itself.
	Part, Parts int
	Namespace   object.Sym

	// Factory says that the informer is one of the program's SharedInformerFactory,
	// whose Start calls Run.
	Factory bool
	// Elected says that Run is called when the process leads, or begins where it has a shard: see manager.Election.
	Elected bool
	// Warm has Run called when the process begins, although the informer is Elected: the informer
	// feeds a controller that warms up.
	Warm bool

	// StartsApart says that sharedProcessor.run, which starts the listeners' goroutines, is an
	// actor of its own, and may come later than anything else. Otherwise Run's step does that.
	StartsApart bool

	// Transform runs on each object before it is queued (SetTransform; from
	// v0.27 there), and once more in a streaming list. Nil for none.
	Transform fifo.TransformFunc

	// DetectMutations is KUBE_CACHE_MUTATION_DETECTOR: an object of the cache
	// that somebody changes is found within a second, and the process ends.
	DetectMutations bool

	// RefusesTombstones says that the key function of the store fails for a
	// DeletedFinalStateUnknown, as MetaNamespaceKeyFunc does. A shared informer's
	// own is DeletionHandlingMetaNamespaceKeyFunc, which knows them.
	RefusesTombstones bool

	// WorkFails reports whether the reconcile of a key fails once more after so many
	// failures. If it does, AddRateLimited puts the key back. Nil: it never does.
	WorkFails func(k object.Key, failures int) bool

	// WritesBack gives what a reconcile that did not fail writes to the API server
	// in the place of the object that it read from the cache; ok is false for
	// nothing. If that object has been changed on a simulated server meanwhile,
	// the write is a conflict, and the reconcile fails. Nil: none ever writes.
	WritesBack func(t *object.Table, read object.Ref) (m object.Meta, ok bool)
}

// feeds reports whether a handler feeds the workqueue.
func (c *Config) feeds() bool {
	for i := range c.Handlers {
		if h := &c.Handlers[i]; h.Workqueue && (h.Feeds == nil || !h.Feeds.Owner) {
			return true
		}
	}
	return false
}

// storeKey returns the key under which a delta's object is, or was, stored. A
// transformer may have taken it away since it was queued, and a key function may
// refuse tombstones.
func (c *Config) storeKey(d fifo.Delta) object.Key {
	switch {
	case d.Tomb == 0:
		return c.Table.KeyOf(d.Obj)
	case c.RefusesTombstones:
		return 0
	}
	return d.Key
}

// Follow lets an informer play a recorded controller in place of workers that its handlers feed. It
// does nothing where r is nil.
func (c *Config) Follow(r *Recording) {
	if r == nil {
		return
	}
	c.Recorded, c.Workers, c.WorkFails, c.WritesBack = r, 0, nil, nil
	c.Handlers = slices.Clone(c.Handlers)
	for i := range c.Handlers {
		c.Handlers[i].Workqueue = false
	}
}

// Profile says what client-go's versions do differently. The engine has one code for all versions, and a Profile chooses among its branches.
type Profile struct {
	Name     string // as scripts and the page call it
	Versions string // of client-go
	Summary  string // the catalogues' id of a sentence that says what it changed

	InOrder   bool // RealFIFO and not DeltaFIFO (InOrderInformers, from v0.33)
	Queue     fifo.Options
	RealFIFO  fifo.RealOptions
	Indexer   indexer.Gates
	Reflector reflector.Config
	Request   request.Config
	Election  election.Gates
	Mutation  mutation.Gates

	Batch          bool // PopBatch (InOrderInformersBatchProcess, from v0.35)
	StopsAtOnce    bool // the process loop leaves in the queue what is there at a stop (from v0.34)
	RunsOnce       bool // another call of Run does nothing but complain (from v0.23)
	SyncByRV       bool // a notification is a sync if the resourceVersion is the same, whatever the delta's type (from v0.24)
	InitialList    bool // isInInitialList, and handlers with a HasSynced of their own (from v0.27)
	TransformsLate bool // the process function transforms, not the queue (up to v0.24.12, v0.25.8 and v0.26.3)
	Registrations  bool // handlers can be removed, and none added after a stop without an error (from v0.26)
	LateIndexers   bool // AddIndexers works until the stop (from v0.30)
	ListsStopped   bool // a Run whose stop channel is closed asks for a list all the same (from v0.36)
	LatchedSync    bool // HasSynced is a channel that a goroutine of the informer closes (from v0.36)
	Sharded        bool // informers have SetShardSelector (from v0.38)
	Pausable       bool // workqueues have Pause and Resume (from v0.38)
	LateRVMetric   bool // the metric of the store's resourceVersion is exported once there is one (from v0.38)

	// AwaitsListeners says that distribute gives listenersLock back while the listeners'
	// goroutines don't run, and doesn't keep it in a send to them (from v0.36).
	AwaitsListeners bool
}

// Release returns the newest release of client-go that the profile stands for, or the pre-release.
func (p *Profile) Release() string {
	first, last, ranged := strings.Cut(p.Versions, "–")
	switch {
	case ranged:
		return last
	case strings.Count(first, ".") == 2:
		return first
	}
	return p.Name
}

// gates are the feature gates of client-go that have to do with informers, and what switching one does.
var gates = [...]struct {
	name string
	set  func(p *Profile, on bool)
}{
	{"InOrderInformers", func(p *Profile, on bool) { p.InOrder = on }},
	{"InOrderInformersBatchProcess", func(p *Profile, on bool) { p.Batch = on }},
	{"AtomicFIFO", func(p *Profile, on bool) {
		p.RealFIFO.Atomic, p.RealFIFO.Unlock, p.RealFIFO.EmitBookmark = on, on, on
		p.Indexer.TrackRV = on
	}},
	{"UnlockWhileProcessingFIFO", func(p *Profile, on bool) { p.RealFIFO.Unlock = on && p.RealFIFO.Atomic }},
	{"WatchListClient", func(p *Profile, on bool) { p.Reflector.StreamingList = on }},
	{"InformerResourceVersion", func(*Profile, bool) {}}, // says only who may ask for it
}

// GateNames returns the names of the feature gates that WithGate knows.
func GateNames() (names []string) {
	for i := range gates {
		names = append(names, gates[i].name)
	}
	return names
}

// WithGate returns p with a feature gate of client-go v0.37 set, as
// KUBE_FEATURE_… in a process's environment does; ok is false for a gate that has
// nothing to do with informers. Only the newest profile has all of them.
// AtomicFIFO also switches the gates that depend on it, so set it before them.
func (p Profile) WithGate(name string, on bool) (_ Profile, ok bool) {
	for i := range gates {
		if gates[i].name == name {
			gates[i].set(&p, on)
			return p, true
		}
	}
	return p, false
}

// newQueue makes the informer's queue.
func newQueue(t *object.Table, p *Profile, known fifo.KnownObjects, transform fifo.TransformFunc) fifo.Queue {
	if p.TransformsLate {
		transform = nil
	}
	if !p.InOrder {
		opts := p.Queue
		opts.KnownObjects, opts.Transform = known, transform
		return fifo.NewDeltaFIFO(t, opts)
	}
	opts := p.RealFIFO
	opts.Transform = transform
	if !opts.Atomic {
		opts.KnownObjects = known
	}
	return fifo.NewRealFIFO(t, opts)
}
