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
	Dir      int // 1: one unit forward; -1: one unit back, where Moves are of the unit undone; 0: a jump

	Sentence Sentence  // what the step did
	Reason   *Sentence // why it matters
	Actor    string    // who did it: an id of Actors, or "nobody" for what was done from outside
	// Aside are the stations that the run has no use for.
	Aside []string
	Func  string   // the client-go function that it stands for
	Code  string   // what tells which of the engine's source it ran: see web/page/code.js
	Notes []string // what the trace itself says of this moment
	// Before are the steps before this one, up to MaxBefore of them, the newest last. By operation or watch event, these are
	// the steps at which such a unit ends.
	// A Brief frame has none.
	Before []StepSummary
	Brief  bool
	// Passed is the most telling of the steps that were made for this frame, which may be
	// the step itself. It is nil if none of them has a mark on the timeline.
	Passed *StepSummary
	// Route says what became of a watch event on the steps that were made for this frame, up to the next one. It is nil if
	// these were not one unit of WatchEvent, or if the watch event has not come into the cache.
	Route *Sentence
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

func (x *Frame) fields(c *coder) {
	c.fields(&x.Step, &x.Steps, &x.Complete, &x.Break, &x.Starved, &x.Time, &x.Next, &x.End, &x.Informer, &x.Dir,
		&x.Sentence, &x.Reason, &x.Actor, &x.Aside, &x.Func, &x.Code, &x.Notes, &x.Before,
		&x.Brief, &x.Passed, &x.Route, &x.Moves, &x.Lit, &x.Server, &x.Wire,
		&x.Reflector, &x.Queue, &x.Loop, &x.Store, &x.Processor, &x.Work, &x.Actors, &x.Process,
		&x.Reached, &x.Second)
}

// Sentences returns the sentence about the steps that were made for this frame, and another one that says why, or what the
// last of them did.
func (x *Frame) Sentences() (said Sentence, why *Sentence) {
	if x.Route != nil {
		return *x.Route, &x.Sentence
	}
	return x.Sentence, x.Reason
}

// MaxBefore is how many steps a Frame has in Before.
const MaxBefore = 24

// StepSummary is a step, and what is said of it.
type StepSummary struct {
	Step     int64
	Sentence Sentence
	Reason   *Sentence
	Mark     MarkKind // of Passed
}

func (x *StepSummary) fields(c *coder) { c.fields(&x.Step, &x.Sentence, &x.Reason, &x.Mark) }

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

func (x *Chip) fields(c *coder) { c.fields(&x.T, &x.Key, &x.RV, &x.Ref, &x.Tomb, &x.N, &x.Name) }

// Move is how one thing goes from a place to another.
type Move struct {
	Chip   Chip
	From   string
	To     string
	Motion Motion
}

func (x *Move) fields(c *coder) { c.fields(&x.Chip, &x.From, &x.To, (*string)(&x.Motion)) }

// Server shows the API server.
type Server struct {
	RV    string // the newest that it has sent
	Tape  []Tape // newest first
	Sent  int    // watch events so far
	Total int    // in the trace, as far as it has been read; -1 for a simulated server
	Next  int64  // nanoseconds until the next one arrives, -1 for none

	// Of a simulated server.
	Simulated bool
	Objects   int    // objects
	Revision  string // the cluster's
	Oldest    string // the oldest from which a watch can be served
	Message   string // what it said in its last error
	Left      int    // watches that it has open and that nobody reads any more
	// Holdings are the objects of a simulated server and those that the cache has and the server has no more, in key order.
	// There are none where a window has no room for them.
	Holdings []Holding
}

func (x *Server) fields(c *coder) {
	c.fields(&x.RV, &x.Tape, &x.Sent, &x.Total, &x.Next, &x.Simulated, &x.Objects, &x.Revision, &x.Oldest,
		&x.Message, &x.Left, &x.Holdings)
}

// Holding is one object as a simulated server holds it.
type Holding struct {
	Key     string
	RV      string
	Time    int64 // when it was written last, in nanoseconds since the start; 0 where the server has forgotten that
	Deleted bool  // the server holds it no more: the cache has it alone, and RV is ""

	Unwatched bool // the informer doesn't ask for it: it is of another namespace or shard, or has other labels
}

func (x *Holding) fields(c *coder) { c.fields(&x.Key, &x.RV, &x.Time, &x.Deleted, &x.Unwatched) }

// Tape is one watch event on the server's tape, or the list that comes before it.
type Tape struct {
	N    int // counted from 1; 0 for a list
	Chip Chip
	Time int64 // nanoseconds since the start
	Sent bool
}

func (x *Tape) fields(c *coder) { c.fields(&x.N, &x.Chip, &x.Time, &x.Sent) }

// Wire is the connection between the API server and the reflector.
type Wire struct {
	State     string // WireNone …
	Open      bool   // a watch is open; it may still be streaming a list
	Since     int64  // how long nothing has come, in ns
	Remaining int64  // how long it is until the next request, in ns
	BackOff   int64  // how long the whole back-off is, in ns; 0 where that isn't known
	After     string // of a back-off: what the connection is meanwhile, WireBroken or WireClosed
	Reason    *Arg   // what the server said last, or how the connection failed
}

// Lists reports whether a list is under way or yet to come, or a watch is about to be opened.
func (w *Wire) Lists() bool {
	return w.State == WireNone || w.State == WireListing || w.State == WireRelisting || w.State == WireOpening
}

// IsDown reports whether no watch brings events: there is none, or it streams a list.
func (w *Wire) IsDown() bool {
	return w.Lists() || w.State == WireClosed || w.State == WireBroken || w.State == WireBackoff || w.State == WireRetrying
}

func (x *Wire) fields(c *coder) {
	c.fields(&x.State, &x.Open, &x.Since, &x.Remaining, &x.BackOff, &x.After, &x.Reason)
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

func (x *Reflector) fields(c *coder) {
	c.fields(&x.State, &x.RV, &x.Hand, &x.Lists, &x.Watches, &x.ResyncIn, &x.ResyncPeriod, &x.Streams,
		&x.Error, &x.Shard)
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

func (x *Queue) fields(c *coder) {
	c.fields(&x.Kind, &x.Depth, &x.From, &x.Rows, &x.Populated, &x.Initial, &x.HasSynced, &x.Holder, &x.Waiting,
		&x.In, &x.Deduped, &x.Popped)
}

// Row is one key with its Deltas, oldest first.
type Row struct {
	ID     string // the row's own, as keys can stand in a RealFIFO more than once
	Key    string
	Deltas []Chip // the newest ones
	More   int    // how many Deltas there are before these
}

func (x *Row) fields(c *coder) { c.fields(&x.ID, &x.Key, &x.Deltas, &x.More) }

// Loop is the process loop with the Deltas in its hand.
type Loop struct {
	State   string // StateStart, LoopWaiting …
	Batch   bool   // it pops batches: deltas of different keys
	Key     string // of the Deltas, where it pops no batches
	Deltas  []Chip // those around the one that is being applied
	From    int    // the number of the first of them
	Total   int    // how many were popped together
	Current int    // the number of the one that is being applied
}

func (x *Loop) fields(c *coder) {
	c.fields(&x.State, &x.Batch, &x.Key, &x.Deltas, &x.From, &x.Total, &x.Current)
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

func (x *Store) fields(c *coder) {
	c.fields(&x.Objects, &x.From, &x.Tiles, &x.Density, &x.Heat, &x.Lit, &x.Indices, &x.Refuses)
}

// Tile is one cached object.
type Tile struct {
	Key  string
	RV   string
	Ref  int32
	Heat int // 0–3: how lately it was written
}

func (x *Tile) fields(c *coder) { c.fields(&x.Key, &x.RV, &x.Ref, &x.Heat) }

// Index is one index, with its most frequent values and those that the step changed.
type Index struct {
	Name   string
	Values int // how many there are
	Top    []IndexValue
}

func (x *Index) fields(c *coder) { c.fields(&x.Name, &x.Values, &x.Top) }

// IndexValue is one indexed value.
type IndexValue struct {
	Value string
	Keys  int
	Lit   string // "+" or "-": the step filed or removed a key here
}

func (x *IndexValue) fields(c *coder) { c.fields(&x.Value, &x.Keys, &x.Lit) }

// Processor is the sharedProcessor.
type Processor struct {
	Hand      *Chip // the notification that is being distributed
	Listeners []Listener
	Removes   bool      // handlers can be removed
	Printed   []Printed // the last lines, the newest last
}

func (x *Processor) fields(c *coder) {
	c.fields(&x.Hand, &x.Listeners, &x.Removes, &x.Printed)
}

// Printed is a line that a handler or a process function has printed.
type Printed struct {
	N       int64 // counted from 1
	Time    int64
	Handler string // the handler's name, "" for a process function
	Func    string // OnAdd, OnUpdate, OnDelete, or the delta's type
	Key     string
	Old     string // resourceVersions
	New     string
	Tomb    bool // DeletedFinalStateUnknown
}

func (x *Printed) fields(c *coder) {
	c.fields(&x.N, &x.Time, &x.Handler, &x.Func, &x.Key, &x.Old, &x.New, &x.Tomb)
}

// Listener is one processorListener with its handler.
type Listener struct {
	ID       int
	Name     string
	Joined   bool   // it is among the processor's listeners, and its goroutines have been started
	EndState string // one of EndStates, "" while it runs or may still join
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
	Elapsed  int64  // how long the call has taken so far, in ns
	Duration int64  // how long it takes altogether, negative if it doesn't return
	Pace     int64  // how long a call takes that begins now, in ns, negative if it doesn't return; of a Recorded one 0
	Calls    int64
	Behind   int  // notifications on their way to it: slot, pending, in hand
	Feeds    bool // puts keys on the workqueue
	Recorded bool
	Unknown  bool   // nobody has recorded or described it, so nothing can be said of how far it is behind: see Simulated
	Fault    string // one of Faults, "" for none
}

func (x *Listener) fields(c *coder) {
	c.fields(&x.ID, &x.Name, &x.Joined, &x.EndState, &x.Syncing, &x.Resync, &x.AddCh, &x.Slot,
		&x.Pending, &x.Ring, &x.Head, &x.NextCh, &x.Handler, &x.Func, &x.Elapsed,
		&x.Duration, &x.Pace, &x.Calls, &x.Behind, &x.Feeds, &x.Recorded, &x.Unknown, &x.Fault)
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
	Ended      bool   // something happened that the recorded controller has not seen, so its part has ended
	// Controller is what plays a program in each reconcile; nil if there is none.
	Controller *Controller
	// Priorities are what a priority queue has beside the keys; nil for a workqueue.
	Priorities *Priorities
}

func (x *Work) fields(c *coder) {
	c.fields(&x.Queue, &x.Dirty, &x.Processing, &x.Delayed, &x.Queued, &x.DirtyLen, &x.Waiting, &x.Delays,
		&x.Writes, &x.Fed, &x.Pauses, &x.Paused, &x.Fails, &x.FailsKey, &x.Adds, &x.Deduped, &x.Workers,
		&x.Recorded, &x.Ended, &x.Controller, &x.Priorities)
}

// Delayed is a key that waits for its time.
type Delayed struct {
	Key       string
	Remaining int64 // ns
	Retries   int
}

func (x *Delayed) fields(c *coder) { c.fields(&x.Key, &x.Remaining, &x.Retries) }

// Priorities are what controller-runtime's priority queue has beside the keys.
type Priorities struct {
	Buffered int // keys in addBuffer
	Ready    []Rank
}

func (x *Priorities) fields(c *coder) { c.fields(&x.Buffered, &x.Ready) }

// Rank is where a ready key stands.
type Rank struct {
	Priority int
	Behind   string // a key that came later and is handed out before, as its priority is higher
}

func (x *Rank) fields(c *coder) { c.fields(&x.Priority, &x.Behind) }

// Worker is one worker.
type Worker struct {
	ID       int
	State    string // waiting, reconciling, StateStart, StateCrashed
	Key      string
	Ref      int32
	Read     bool   // it has asked the cache for its object
	RV       string // the resourceVersion that the cache held, "" if it held none
	Elapsed  int64
	Duration int64
	Fails    bool // the reconcile has failed, and its key is about to be put back
	Done     int64
	Line     int  // the line of the program at which it is
	Waits    bool // its read waits for the guard
}

func (x *Worker) fields(c *coder) {
	c.fields(&x.ID, &x.State, &x.Key, &x.Ref, &x.Read, &x.RV, &x.Elapsed, &x.Duration, &x.Fails, &x.Done, &x.Line,
		&x.Waits)
}

// Actor is one goroutine of the real thing.
type Actor struct {
	ID        string   // ActorReflector …, with a number if there are several: pop/0
	PC        string   // what it does or is about to do: an actor.PC, which the catalogues name
	Waits     string   // what it waits for, an actor.Wait: lock, timer …; "" if it can move
	Target    string   // the name of the lock or channel
	Holder    string   // who holds the lock that it waits for
	Remaining int64    // how long its timer still runs, in ns
	Locks     []string // the locks that it holds
	Ready     bool
}

func (x *Actor) fields(c *coder) {
	c.fields(&x.ID, &x.PC, &x.Waits, &x.Target, &x.Holder, &x.Remaining, &x.Locks, &x.Ready)
}

// Fit shows other parts of long lists.
type Fit struct {
	Window Window
}

func (x *Fit) fields(c *coder) { c.fields(&x.Window) }

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

	Unit Unit // that Frame.Before follows
}

func (x *Window) fields(c *coder) {
	c.fields(&x.Tape, &x.Queue, &x.QueueFrom, &x.Store, &x.StoreFrom, &x.Pending, &x.Work, (*string)(&x.Unit))
}

// Process shows all informers of the process together.
type Process struct {
	Usage Usage
	// Elsewhere is the informer that the step was made in, where that is another
	// one than is shown.
	Elsewhere string
	// Informers are all of them where the process has several.
	Informers []Small
	Factory   bool // a SharedInformerFactory has them
	// Replicas are the processes, where several elect a leader or have a shard each.
	Replicas []Replica
}

func (x *Process) fields(c *coder) {
	c.fields(&x.Usage, &x.Elsewhere, &x.Informers, &x.Factory, &x.Replicas)
}

// Usage is what all informers together cost: open watches, lists and objects decoded so
// far, and objects in the caches.
type Usage struct {
	Watches int64
	Lists   int64
	Objects int64
	Copies  int64
}

func (x *Usage) fields(c *coder) { c.fields(&x.Watches, &x.Lists, &x.Objects, &x.Copies) }

// Small shows one informer of several in a few numbers.
type Small struct {
	Name     string
	Wire     string // WireNone …
	Open     bool   // a watch is open
	Queue    int    // how many rows its queue has
	Cached   int    // objects in its cache
	Objects  int    // objects on a simulated server, -1 for a recorded one
	Differs  int    // objects that the cache lacks, has too many, or has in another version than a simulated server
	Last     *Chip  // the watch event that it received last
	Handlers int    // that have joined
	Synced   bool
}

func (x *Small) fields(c *coder) {
	c.fields(&x.Name, &x.Wire, &x.Open, &x.Queue, &x.Cached, &x.Objects, &x.Differs, &x.Last, &x.Handlers, &x.Synced)
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
	Name      string
	Shard     string // such as 0/2, "" for none
	State     ReplicaState
	Leads     bool  // the Lease names it
	Cut       bool  // its requests don't reach the API server
	Remaining int64 // how long the state lasts if nothing happens, in ns; 0 if that isn't known
	Shown     bool  // the informer on the stage is one of its own
}

func (x *Replica) fields(c *coder) {
	c.fields(&x.Name, &x.Shard, (*string)(&x.State), &x.Leads, &x.Cut, &x.Remaining, &x.Shown)
}

// Log is what the recorded process logged near the step shown. It comes before the frame of the step, where another
// entry is the last one by then, and never for a trace without a log.
type Log struct {
	Entries []Logged
	From    int  // the number of the first of Entries
	Total   int  // how many there are in the trace
	Reached int  // how many of them came before the step after the one shown
	Laid    bool // the viewer has just laid it over what was open
}

func (x *Log) fields(c *coder) { c.fields(&x.Entries, &x.From, &x.Total, &x.Reached, &x.Laid) }

// Logged is an entry of a log.
type Logged struct {
	Time  int64  // nanoseconds since the trace's start
	Level string // a trace.Level
	Text  string // may have several lines
}

func (x *Logged) fields(c *coder) { c.fields(&x.Time, &x.Level, &x.Text) }
