package link

import "strconv"

// Frame is everything that is on the stage at one step, and what the step moved.
// Things go from one place of the stage to another: the functions PlaceTape,
// PlaceRow … name them, elements carry the names, and moves refer to them.
type Frame struct {
	Step     int64 // 0 is before the first
	Steps    int64 // known so far
	Complete bool
	Break    string // the expression at which playing has stopped
	Starved  bool   // the next step waits for the file to be read on
	Time     int64  // nanoseconds since the trace's start
	Next     int64  // the time of the next step, or -1 if it isn't known
	End      int64
	Informer int
	Dir      int // 1: one unit forward; -1: one unit back, where Moves are those of the unit undone; 0: a jump

	Said  Sentence  // what the step did
	Why   *Sentence // why it matters
	Actor string    // who did it: an id of Actors, or "nobody" for what was done from outside
	// Aside are the stations that the run has no use for.
	Aside []string
	Func  string   // the client-go function that it stands for
	Code  string   // what tells which of the engine's source it ran: see web/page/code.js
	Notes []string // what the trace itself says of this moment
	// Before are the steps before this one, up to MaxBefore of them, the newest last.
	// A Brief frame has none.
	Before []StepSummary
	Brief  bool
	// Passed is the most telling of the steps that were made for this frame, which may be
	// the step itself. It is nil if none of them has a mark on the timeline.
	Passed *StepSummary
	// Way says what became of a watch event on the steps that were made for this frame, up to the next one. It is nil if
	// these were not one unit of WatchEvent, or if the watch event has not come into the cache.
	Way   *Sentence
	Moves []Move
	Lit   []string // places that the step touched

	Server    Server
	Wire      Wire
	Reflector Reflector
	Queue     Queue
	Loop      Loop
	Store     Store
	Processor Processor
	Work      Work
	Actors    []Actor
	Process   Process
	Reached   []Reached // the server first, and then in the order in which data meets the stations
	// Second is the second machine's frame at the same point of the server's stream.
	// It has no Second of its own.
	Second *Frame
}

// Tells returns the sentence about the steps that were made for this frame, and another one that says why, or what the
// last of them did.
func (x *Frame) Tells() (said Sentence, why *Sentence) {
	if x.Way != nil {
		return *x.Way, &x.Said
	}
	return x.Said, x.Why
}

// MaxBefore is how many steps a Frame has in Before.
const MaxBefore = 24

// StepSummary is a step, and what is said of it.
type StepSummary struct {
	Step int64
	Said Sentence
	Why  *Sentence
	Mark MarkKind // of Passed
}

// Chip is an object version as it travels.
type Chip struct {
	T    string // LetterAdded …
	Key  string
	RV   string
	Ref  int32 // to inspect
	Tomb bool  // DeletedFinalStateUnknown
	N    int   // it stands for so many
	// Name is set where the chip stands for several objects together: ReplacedAll,
	// SyncAll or list.
	Name string
}

// Move is how one thing goes from a place to another.
type Move struct {
	Chip Chip
	From string
	To   string
	How  How
}

// Server shows the API server.
type Server struct {
	RV    string // the newest that it has sent
	Tape  []Tape // newest first
	Sent  int    // watch events so far
	Total int    // in the trace, as far as it has been read; -1 for a simulated server
	Next  int64  // nanoseconds until the next one arrives, -1 for none

	// Of a simulated server.
	Simulated bool
	Holds     int    // objects
	Revision  string // the cluster's
	Oldest    string // the oldest from which a watch can be served
	Message   string // what it said in its last error
	Left      int    // watches that it has open and that nobody reads any more
	// Holdings are the objects of a simulated server and those that the cache has and the server has no more, in key order.
	// There are none where a window has no room for them.
	Holdings []Holding
}

// Holding is one object as a simulated server holds it.
type Holding struct {
	Key  string
	RV   string
	At   int64 // when it was written last, in nanoseconds since the start; 0 where the server has forgotten that
	Gone bool  // the server holds it no more: the cache has it alone, and RV is ""
}

// Tape is one watch event on the server's tape, or the list that comes before it.
type Tape struct {
	N    int // counted from 1; 0 for a list
	Chip Chip
	At   int64 // nanoseconds since the start
	Sent bool
}

// Wire is the connection between the API server and the reflector.
type Wire struct {
	State string // WireNone …
	Open  bool   // a watch is open; it may still be streaming a list
	Since int64  // how long nothing has come, in ns
	Left  int64  // how long it is until the next request, in ns
	Of    int64  // how long the whole back-off is, in ns; 0 where that isn't known
	After string // of a back-off: what the connection is meanwhile, WireBroken or WireClosed
	Why   *Arg   // what the server said last, or how the connection failed
}

// Lists reports whether a list is under way or yet to come, or a watch is about to be opened.
func (w *Wire) Lists() bool {
	return w.State == WireNone || w.State == WireListing || w.State == WireRelisting || w.State == WireOpening
}

// IsDown reports whether no watch brings events: there is none, or it streams a list.
func (w *Wire) IsDown() bool {
	return w.Lists() || w.State == WireClosed || w.State == WireBroken || w.State == WireBackoff || w.State == WireRetrying
}

// Reflector shows the reflector.
type Reflector struct {
	State        string // StateStart, ReflectorListing …
	RV           string // lastSyncResourceVersion
	Hand         *Chip
	Lists        int
	Watches      int
	ResyncIn     int64 // -1: no resync
	ResyncPeriod int64
	Streams      bool   // it may ask for streaming lists
	Error        string // why the last list or watch ended, as the server said it
	Shard        string // whose objects it asks for, such as 0/2; "" for all
}

// Queue shows a DeltaFIFO, or a RealFIFO. Each row of a RealFIFO is one delta.
type Queue struct {
	Kind      string // DeltaFIFO, RealFIFO
	Depth     int
	From      int // the first row's number
	Rows      []Row
	Populated bool
	Initial   int // initialPopulationCount
	HasSynced bool
	Holder    string // the actor that holds the lock
	Waiting   []string
	In        int64
	Deduped   int64
	Popped    int64
}

// Row is one key with its Deltas, oldest first.
type Row struct {
	ID     string // the row's own, as keys can stand in a RealFIFO more than once
	Key    string
	Deltas []Chip // the newest ones
	More   int    // how many Deltas there are before these
}

// Loop is the process loop with the Deltas in its hand.
type Loop struct {
	State  string // StateStart, LoopWaiting …
	Batch  bool   // it pops batches: deltas of different keys
	Key    string // of the Deltas, where it pops no batches
	Deltas []Chip // those around the one that is being applied
	From   int    // the number of the first of them
	Total  int    // how many were popped together
	At     int    // the number of the one that is being applied
}

// Store is the indexer.
type Store struct {
	Objects int
	From    int
	Tiles   []Tile // in key order, when there are few enough
	Density []int  // otherwise: how many objects are in each cell of a map of all keys in their order
	Heat    []int  // and how lately each cell was written, 0–3
	Lit     int    // the cell that the step touched, -1 for none
	Indices []Index
	Refuses bool // its key function refuses tombstones
}

// Tile is one cached object.
type Tile struct {
	Key  string
	RV   string
	Ref  int32
	Heat int // 0–3: how lately it was written
}

// Index is one index, with its most frequent values and those that the step changed.
type Index struct {
	Name   string
	Values int // how many there are
	Top    []IndexValue
}

// IndexValue is one indexed value.
type IndexValue struct {
	Value string
	Keys  int
	Lit   string // "+" or "-": the step filed or removed a key here
}

// Processor is the sharedProcessor.
type Processor struct {
	Hand      *Chip // the notification that is being distributed
	Listeners []Listener
	Removes   bool      // handlers can be removed
	Printed   []Printed // the last lines, the newest last
}

// Printed is a line that a handler or a process function has printed.
type Printed struct {
	N    int64 // counted from 1
	At   int64
	By   string // the handler's name, "" for a process function
	Func string // OnAdd, OnUpdate, OnDelete, or the delta's type
	Key  string
	Old  string // resourceVersions
	New  string
	Tomb bool // DeletedFinalStateUnknown
}

// Listener is one processorListener with its handler.
type Listener struct {
	ID       int
	Name     string
	Joined   bool   // it is among the processor's listeners, and its goroutines have been started
	Gone     string // one of Gone, "" while it runs or may still join
	Syncing  bool
	Resync   int64 // its period, 0 for none
	AddCh    *Chip // offered, and not taken yet
	Slot     *Chip
	Pending  int    // length of pendingNotifications
	Ring     int    // its capacity
	Head     []Chip // the next ones of pendingNotifications
	NextCh   *Chip
	Handler  *Chip  // being handled
	Func     string // OnAdd, OnUpdate, OnDelete
	Took     int64  // how long the call has taken so far, in ns
	Takes    int64  // how long it takes altogether, negative if it doesn't return
	Pace     int64  // how long a call takes that begins now, in ns, negative if it doesn't return; of a Recorded one 0
	Calls    int64
	Behind   int  // notifications on their way to it: slot, pending, in hand
	Feeds    bool // puts keys on the workqueue
	Recorded bool
	Made     bool   // nobody has recorded or described it, so nothing can be said of how far it is behind: see Simulated
	Fault    string // one of Faults, "" for none
}

// Work is the workqueue, its delaying queue and the workers.
type Work struct {
	Queue      []string
	Dirty      []string
	Processing []string
	Delayed    []Delayed
	Queued     int // the whole length; the lists are windows
	DirtyLen   int
	Waiting    int
	Delays     bool   // keys can be delayed, as reconciles can fail
	Writes     bool   // workers write back to the API server
	Fed        bool   // a handler feeds it, and workers take from it
	Pauses     bool   // it can be paused
	Paused     bool   // it is
	Fails      int64  // how many of the next reconciles commands let fail, negative for all
	FailsKey   string // whose, "" for any key's
	Adds       int64
	Deduped    int64
	Workers    []Worker
	Recorded   string // the recorded controller whose queue and workers these are
	Over       bool   // something happened that the recorded controller has not seen, so its part has ended
	// Controller is what plays a program in each reconcile; nil if there is none.
	Controller *Controller
	// Priorities are what a priority queue has beside the keys; nil for a workqueue.
	Priorities *Priorities
}

// Delayed is a key that waits for its time.
type Delayed struct {
	Key     string
	Left    int64 // ns
	Retries int
}

// Priorities are what controller-runtime's priority queue has beside the keys.
type Priorities struct {
	Buffered int // keys in addBuffer
	Ready    []Rank
}

// Rank is where a ready key stands.
type Rank struct {
	Priority int
	Behind   string // a key that came later and is handed out before, as its priority is higher
}

// Worker is one worker.
type Worker struct {
	ID    int
	State string // waiting, reconciling, StateStart, StateCrashed
	Key   string
	Ref   int32
	RV    string // the resourceVersion that the cache held
	Took  int64
	Takes int64
	Fails bool // the reconcile has failed, and its key is about to be put back
	Done  int64
	At    int  // the line of the program at which it is
	Waits bool // its read waits for the guard
}

// Actor is one goroutine of the real thing.
type Actor struct {
	ID     string   // ActorReflector …, with a number if there are several: pop/0
	PC     string   // what it does or is about to do: an actor.PC, which the catalogues name
	Waits  string   // what it waits for, an actor.Wait: lock, timer …; "" if it can move
	On     string   // the name of the lock or channel
	Holder string   // who holds the lock that it waits for
	Left   int64    // how long its timer still runs, in ns
	Holds  []string // the locks that it holds
	Ready  bool
}

// Fit shows other parts of long lists.
type Fit struct {
	Window Window
}

func (Fit) op() {}

// Window says which parts of long lists the page shows.
type Window struct {
	Tape      int // watch events
	Queue     int // rows
	QueueFrom int // first row
	Store     int // tiles; a larger cache is shown as a density map
	StoreFrom int
	Pending   int // notifications of each listener
	Work      int // rows of each of the workqueue's sets
}

// Process shows all informers of the process together.
type Process struct {
	Usage Usage
	// Elsewhere is the informer that the step was made in, where that is another
	// one than is shown.
	Elsewhere string
	// Informers are all of them where the process has several.
	Informers []Small
	Factory   bool // they are those of a SharedInformerFactory
	// Replicas are the processes, where several elect a leader or have a shard each.
	Replicas []Replica
}

// Usage is what all informers together cost: open watches, lists and objects decoded so
// far, and objects in the caches.
type Usage struct {
	Watches int64
	Lists   int64
	Objects int64
	Copies  int64
}

// Small shows one informer of several in a few numbers.
type Small struct {
	Name     string
	Wire     string // WireNone …
	Open     bool   // a watch is open
	Queue    int    // how many rows its queue has
	Cached   int    // objects in its cache
	Held     int    // objects on a simulated server, -1 for a recorded one
	Differs  int    // objects that the cache lacks, has too many, or has in another version than a simulated server
	Last     *Chip  // the watch event that it received last
	Handlers int    // that have joined
	Synced   bool
}

// PlaceSmall returns informer n where it is shown small.
func PlaceSmall(n int) string { return "informer/" + strconv.Itoa(n) }

// ReplicaState says what a process does. The catalogues have each behind "ui.replica.".
type ReplicaState string

// The states of a Replica.
const (
	ReplicaLeads  ReplicaState = "leads"
	ReplicaWaits  ReplicaState = "waits"  // for the lease of another one to run out
	ReplicaPaused ReplicaState = "paused" // it doesn't move, and leads if it has led
	ReplicaDown   ReplicaState = "down"
	ReplicaWorks  ReplicaState = "works" // on its shard
)

// ReplicaStates lists them.
var ReplicaStates = []ReplicaState{ReplicaLeads, ReplicaWaits, ReplicaPaused, ReplicaDown, ReplicaWorks}

// Replica is one of several processes that elect a leader, or have a shard each.
type Replica struct {
	Name  string
	Shard string // such as 0/2, "" for none
	State ReplicaState
	Holds bool  // the Lease names it
	Cut   bool  // its requests don't reach the API server
	Left  int64 // how long the state lasts if nothing happens, in ns; 0 if that isn't known
	Shown bool  // the informer on the stage is one of its own
}

// Log is what the recorded process logged near the step shown. It comes before the frame of the step, where another
// entry is the last one by then, and never for a trace without a log.
type Log struct {
	Entries []Logged
	From    int  // the number of the first of Entries
	Total   int  // how many there are in the trace
	By      int  // how many of them came before the step after the one shown
	Laid    bool // the viewer has just laid it over what was open
}

// Logged is an entry of a log.
type Logged struct {
	Time  int64  // nanoseconds since the trace's start
	Level string // a trace.Level
	Text  string // may have several lines
}
